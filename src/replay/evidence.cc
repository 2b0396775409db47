#include "replay/evidence.h"

#include <algorithm>

#include "base/hash.h"
#include "gui/target.h"
#include "replay/lowering.h"

namespace norn {
namespace {

bool shows(const Screen& screen, const ScreenHas& wanted) {
  if (!wanted.activity.empty() && !names_activity(screen.activity, wanted.activity)) return false;
  if (wanted.text.empty()) return true;
  return std::any_of(screen.widgets.begin(), screen.widgets.end(), [&](const Widget& w) {
    return w.text.find(wanted.text) != std::string::npos || w.desc.find(wanted.text) != std::string::npos;
  });
}

struct Holds {
  const Ended& run;

  bool calm() const { return run.finished && !run.crash; }
  bool operator()(const Completes&) const { return calm(); }
  bool operator()(const AnyCrash&) const { return run.crash != nullptr; }
  bool operator()(const SameCrash& w) const {
    return run.crash && signature(*run.crash, w.sameness) == w.signature;
  }
  bool operator()(const Reaches& w) const {
    return calm() && abstract(*run.screen, w.abstraction) == w.state;
  }
  bool operator()(const Covers& w) const { return run.finished && w.wanted.within(*run.covered); }
  bool operator()(const ScreenHas& w) const { return calm() && shows(*run.screen, w); }
};

Event without_target(Event event) {
  if (Target* target = target_of(event)) *target = {};
  return event;
}

/// How an event would be executed at a node.
struct Meaning {
  enum class How : std::uint8_t { run, skip, stop } how;
  EventKey key;
};

Meaning meaning(const History& tree, NodeId node, EventId id, EventKey key, Missing missing) {
  const Event& event = tree.event(id);
  const Target* target = target_of(event);
  if (std::holds_alternative<Raw>(event))
    return {missing == Missing::skip ? Meaning::How::skip : Meaning::How::stop, key};
  if (!target || target->empty()) return {Meaning::How::run, key};
  if (std::holds_alternative<Found>(resolve(*target, tree.screen(node)))) return {Meaning::How::run, key};
  if (missing == Missing::skip) return {Meaning::How::skip, key};
  if (missing == Missing::stop) return {Meaning::How::stop, key};
  return {Meaning::How::run, event_key(without_target(event))};
}

/// One way through the tree while it is being followed.
struct Trail {
  NodeId node;
  std::size_t index = 0;
  double usual = 1;  ///< share of runs that went this way at the branchings passed
  Coverage covered{};
};

class Gathering {
 public:
  Gathering(const History& tree, const Query& query)
      : tree_(tree),
        query_(query),
        request_(query.request),
        wants_coverage_(std::holds_alternative<Covers>(request_.watch)) {}

  Evidence run() {
    stage();
    trails_.push_back({.node = request_.from});
    bool first = true;  // the first trail followed is always the most frequent way: children are pushed in
                        // rising order
    while (!trails_.empty()) {
      Trail trail = std::move(trails_.back());
      trails_.pop_back();
      follow(std::move(trail), first);
      first = false;
    }
    return std::move(found_);
  }

 private:
  void stage() {
    found_.likely = tree_.path(request_.from);
    found_.likely.insert(found_.likely.begin(), tree_.root());
    found_.taken.assign(found_.likely.size(), 0);
  }

  /// Goes on while there is one way; pushes the others.
  void follow(Trail trail, bool likely) {
    for (;;) {
      if (tree_.crash(trail.node) || trail.index == request_.events.size()) return end(trail, std::nullopt);
      auto [kids, how] = onward(trail);
      if (how == Meaning::How::stop) return end(trail, trail.index);
      if (how == Meaning::How::skip) {
        ++trail.index;
        continue;
      }
      if (kids.empty()) return;  // never executed beyond: no evidence, but it is the likely way so far
      const std::size_t taken = trail.index++;
      std::uint64_t all = 0;
      for (const NodeId kid : kids) all += tree_.counts(kid).all();
      for (std::size_t i = 0; i + 1 < kids.size(); ++i) trails_.push_back(child(trail, kids[i], all));
      trail = child(trail, kids.back(), all);
      if (likely) {
        found_.likely.push_back(trail.node);
        found_.taken.push_back(trail.index);
      }
      if (strays(trail.node, taken)) return end(trail, taken);
    }
  }

  /// The children under the next event, least frequent first.
  std::pair<std::vector<NodeId>, Meaning::How> onward(const Trail& trail) const {
    const EventId event = request_.events[trail.index];
    const EventKey key = query_.keys[trail.index];
    auto kids = tree_.children(trail.node, key);
    if (kids.empty()) {
      const Meaning m = meaning(tree_, trail.node, event, key, request_.missing);
      if (m.how != Meaning::How::run) return {{}, m.how};
      if (m.key != key) kids = tree_.children(trail.node, m.key);
    }
    std::stable_sort(kids.begin(), kids.end(), [&](NodeId a, NodeId b) {
      const auto ca = tree_.counts(a).all(), cb = tree_.counts(b).all();
      return ca != cb ? ca < cb : a > b;
    });
    return {std::move(kids), Meaning::How::run};
  }

  Trail child(const Trail& trail, NodeId node, std::uint64_t all) const {
    Trail next{node,
               trail.index,
               trail.usual * tree_.counts(node).all() / static_cast<double>(std::max<std::uint64_t>(all, 1)),
               {}};
    if (wants_coverage_) next.covered = trail.covered | surely_hit(node);
    return next;
  }

  /// What every run that came here hit.
  Coverage surely_hit(NodeId node) const {
    const auto samples = tree_.samples(node);
    Coverage all = tree_.coverage(samples.front().hit);
    for (std::size_t i = 1; i < samples.size(); ++i) all &= tree_.coverage(samples[i].hit);
    return all;
  }

  bool strays(NodeId node, std::size_t taken) const {
    if (taken >= request_.expect.size() || tree_.crash(node)) return false;
    return abstract(tree_.screen(node), request_.expect_by) != request_.expect[taken];
  }

  /// The trail ended: what do the runs that ended here say? Samples of one node may differ, so each is asked.
  void end(const Trail& trail, std::optional<std::size_t> diverged) {
    Counts counts = tree_.counts(trail.node);
    if (trail.usual < usual_share)
      counts.warm = 0;  // a snapshot of an unusual outcome says nothing about the list
    if (counts.all() == 0) return;
    const auto samples = tree_.samples(trail.node);
    std::uint64_t for_it = 0, all = 0;
    for (const Sample& sample : samples) {
      all += sample.count;
      if (!diverged && says_yes(trail, sample)) for_it += sample.count;
    }
    const Counts yes = share(counts, for_it, all);
    add(yes, trail, found_.yes, found_.yes_end, found_.yes_used);
    const bool no_is_new = add({counts.cold - yes.cold, counts.warm - yes.warm}, trail, found_.no,
                               found_.no_end, found_.no_used);
    if (no_is_new) found_.diverged = diverged;
  }

  static constexpr double usual_share = 0.9;

  bool says_yes(const Trail& trail, const Sample& sample) const {
    const Crash* crash = sample.crash ? &tree_.crash(sample.crash) : nullptr;
    const Screen* screen = crash ? nullptr : &tree_.screen(sample.screen);
    return holds(request_.watch, {screen, crash, &trail.covered, trail.index == request_.events.size()});
  }
  /// Samples do not keep cold and warm apart; where they disagree the node's counts are shared out in
  /// proportion.
  static Counts share(Counts counts, std::uint64_t part, std::uint64_t all) {
    if (part == all) return counts;
    const auto scaled = [&](std::uint32_t n) {
      return static_cast<std::uint32_t>(all == 0 ? 0 : (n * part + all / 2) / all);
    };
    return {scaled(counts.cold), scaled(counts.warm)};
  }
  static bool add(Counts counts, const Trail& trail, Counts& sum, NodeId& end, std::size_t& used) {
    if (counts.all() == 0) return false;
    const bool most = !end || counts.all() > sum.all();
    sum += counts;
    if (most) end = trail.node, used = trail.index;
    return most;
  }

  const History& tree_;
  const Query& query_;
  const Request& request_;
  bool wants_coverage_;
  Evidence found_;
  std::vector<Trail> trails_;
};

}  // namespace

bool holds(const Watch& watch, const Ended& run) { return std::visit(Holds{run}, watch); }

Query::Query(const History& tree, Request r) : request(std::move(r)) {
  Hasher hasher;
  keys.reserve(request.events.size());
  for (const NodeId node : tree.path(request.from)) hasher.add(tree.event_key(tree.event_id(node)));
  hasher.add(static_cast<std::uint64_t>(request.missing));
  for (const EventId id : request.events) {
    keys.push_back(tree.event_key(id));
    hasher.add(keys.back());
  }
  hash = hasher.finish();
}

Evidence gather(const History& tree, const Query& query) { return Gathering(tree, query).run(); }

ListChooser::ListChooser(const History& tree, const Query& query, const Evidence& known)
    : tree_(tree),
      query_(query),
      known_(known),
      wants_coverage_(std::holds_alternative<Covers>(query.request.watch)) {}

bool ListChooser::again() {
  begun_ = staged_ = over_ = verdict_ = false;
  index_ = 0;
  diverged_.reset();
  covered_ = {};
  return true;
}

/// The rig may have begun beyond the stage, on the likely way: what was taken until there counts as taken.
void ListChooser::begin(const Place& here) {
  begun_ = true;
  staged_ = here.arrived;
  if (!here.arrived) return;
  const auto at = std::find(known_.likely.begin(), known_.likely.end(), here.node);
  if (at == known_.likely.end()) return;
  const auto depth = static_cast<std::size_t>(at - known_.likely.begin());
  index_ = known_.taken[depth];
  if (!wants_coverage_) return;
  for (std::size_t i = 1; i <= depth; ++i)
    if (known_.taken[i] > 0) covered_ |= tree_.hit(known_.likely[i]);
}

Choice ListChooser::next(const Place& here) {
  if (!begun_) begin(here);
  const Request& request = query_.request;
  if (!staged_ || diverged_) {
    over_ = true;
    return Enough{};
  }
  for (; index_ < request.events.size() && !here.crashed; ++index_) {
    auto lowered = lower(tree_.event(request.events[index_]), here.seen.screen, request.missing);
    if (lowered) return Do{std::move(lowered->as)};
    if (request.missing == Missing::skip) continue;
    diverged_ = index_;
    break;
  }
  over_ = true;
  const Crash* crash = here.seen.crash ? &*here.seen.crash : nullptr;
  verdict_ = !diverged_ &&
             holds(request.watch, {&here.seen.screen, crash, &covered_, index_ == request.events.size()});
  return Enough{};
}

void ListChooser::saw(const Place& here, const Appended&) {
  const Request& request = query_.request;
  const std::size_t taken = index_++;
  if (wants_coverage_) covered_ |= here.seen.hit;
  if (taken < request.expect.size() && !here.crashed &&
      abstract(here.seen.screen, request.expect_by) != request.expect[taken])
    diverged_ = taken;
}

std::optional<bool> ListChooser::verdict() const {
  if (!over_ || !staged_) return std::nullopt;
  return verdict_;
}

}  // namespace norn
