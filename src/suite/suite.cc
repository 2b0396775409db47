#include "suite/suite.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>

#include "suite/cover.h"
#include "suite/cuts.h"
#include "suite/joining.h"
#include "suite/selection.h"
#include "suite/splice.h"
#include "suite/trials.h"

namespace norn {
namespace {

constexpr std::size_t ahead = 4;              ///< candidates given to the devices at once
constexpr std::uint32_t most_tries = 50;      ///< shorter forms of one trace that are tried
constexpr std::uint32_t most_unresolved = 8;  ///< in a row, before a phase is given up
constexpr std::uint32_t most_in_vain =
    100;                                ///< splices in a row that do not replay, before splicing is given up
constexpr std::size_t most_joins = 60;  ///< in a row that do not replay
constexpr std::size_t joins_each = 3;   ///< ways from one trace to another
constexpr int repairs = 3;
constexpr std::size_t most_links = 1000;  ///< in the library of fragments, beside those of phase 1

/// A trace of the suite in the making.
struct Member {
  Path path;
  NodeId end;
  ItemSet confirmed;
  std::uint32_t fragments = 1;
  bool keep = false;
  Counts yes{}, no{};
};

/// A trace that was given.
struct Input {
  NodeId node;
  Path path;  ///< as far as it replays
  ItemSet claims;
  bool confirmed = false;
  NodeId end{};
  bool keep = false;
};

class Making {
 public:
  Making(Replay& replay, const SuiteOptions& options, Progress& progress, std::stop_token stop)
      : replay_(replay),
        options_(options),
        progress_(progress),
        material_(replay.history(), known_, options.state, options.joints),
        trials_(replay, material_, known_, options_, std::move(stop)) {}

  Result<SuiteResult> run(std::span<const NodeId> traces) {
    NORN_CHECK(take(traces));
    begin_phase();
    if (options_.paper)
      stabilise_all();
    else
      stabilise_chosen();
    promise();
    end_phase("stabilised");
    cut();
    end_phase("loops cut");
    if (options_.k > 0) splice();
    end_phase("spliced");
    if (!options_.paper) {
      reselect();
      polish();
      if (options_.k > 0) join();
      polish();
      reselect();
      end_phase("polished");
    }
    set_order();
    meet_target();
    certify();
    end_phase("checked");
    return report();
  }

 private:
  // ---- phase 0 ----

  Status take(std::span<const NodeId> traces) {
    const History& tree = replay_.history();
    std::set<NodeId> seen;
    const auto add = [&](NodeId node, bool keep) -> Status {
      if (!tree.contains(node))
        return fail(Error::Kind::bad_input, fmt::format("node {} is not in the tree", node.value));
      if (node == tree.root() || !seen.insert(node).second) return {};
      inputs_.push_back({.node = node, .path = material_.path(node), .claims = {}, .keep = keep});
      return {};
    };
    for (const NodeId node : options_.keep) NORN_CHECK(add(node, true));
    for (const NodeId node : traces) NORN_CHECK(add(node, false));
    if (inputs_.empty()) return fail(Error::Kind::bad_input, "there are no traces to make a suite of");
    base_ = material_.base();
    claimed_ = base_;
    result_.before.traces = inputs_.size();
    for (Input& input : inputs_) {
      const ItemSet all = items_of(input.path, known_);
      claimed_ |= all;
      input.claims = matters(all);
      result_.before.events += input.path.size();
    }
    count(claimed_, result_.before);
    return {};
  }

  /// Every trace, as long as it takes.
  void stabilise_all() {
    for (std::size_t i = 0; i < inputs_.size() && !trials_.over(); ++i) {
      say("stabilising trace {} of {}", i + 1, inputs_.size());
      while (!inputs_[i].confirmed && !inputs_[i].path.empty() && !trials_.over())
        stabilised(inputs_[i], trials_.ask(inputs_[i].path));
    }
    ItemSet covered = base_;
    for (const Input& input : inputs_) {
      if (!input.confirmed || (!input.keep && input.claims.within(covered))) continue;
      covered |= input.claims;
      members_.push_back(member(input));
    }
  }

  /// Only those a cover needs: while one of them replays less far than it claims, cover again. At the end everything
  /// that is claimed is confirmed, and what was claimed by nobody who replays is lost with a reason.
  void stabilise_chosen() {
    std::vector<std::uint32_t> chosen;
    for (std::size_t round = 1; !trials_.over(); ++round) {
      chosen = choose();
      std::vector<std::uint32_t> open;
      for (const std::uint32_t i : chosen)
        if (!inputs_[i].confirmed && !inputs_[i].path.empty()) open.push_back(i);
      if (open.empty()) break;
      say("stabilising {} of {} traces, round {}", open.size(), inputs_.size(), round);
      std::vector<Path> paths;
      for (const std::uint32_t i : open) paths.push_back(inputs_[i].path);
      const auto tried = trials_.ask(paths, Until::all);
      for (std::size_t i = 0; i < open.size(); ++i) stabilised(inputs_[open[i]], tried[i]);
    }
    for (const std::uint32_t i : choose())
      if (inputs_[i].confirmed) members_.push_back(member(inputs_[i]));
  }

  std::vector<std::uint32_t> choose() const {
    std::vector<std::uint32_t> chosen;
    ItemSet covered = base_;
    std::vector<ItemSet> claims;
    std::vector<double> lengths;
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].keep) {
        chosen.push_back(i);
        covered |= inputs_[i].claims;
      }
      claims.push_back(inputs_[i].claims);
      lengths.push_back(static_cast<double>(inputs_[i].path.size()));
    }
    for (const std::uint32_t i : greedy_cover(claims, covered, lengths)) chosen.push_back(i);
    return chosen;
  }

  void stabilised(Input& input, const Tried& tried) {
    if (tried.verdict == Verdict::yes) {
      input.confirmed = true;
      input.end = tried.end;
      blame(input, input.claims - tried.confirmed, "it was hit in some runs only");
      input.claims = matters(tried.confirmed);
      return;
    }
    const ItemSet had = input.claims;
    if (result_.unstable.empty() || result_.unstable.back() != input.node)
      result_.unstable.push_back(input.node);
    if (tried.verdict == Verdict::no)
      input.path.resize(tried.failing - 1);
    else
      input.path.clear();  // the rig could not say; others may have what it claims
    input.claims = matters(items_of(input.path, known_));
    blame(input, had - input.claims, tried.why.empty() ? "it was not run" : tried.why);
    if (input.keep) progress_.warning(fmt::format("a trace to keep does not replay: {}", tried.why));
  }

  void blame(const Input& input, const ItemSet& items, const std::string& why) {
    for (const std::uint32_t item : items.ids()) reasons_.try_emplace(item, why, input.node);
  }

  Member member(const Input& input) const {
    return {.path = input.path, .end = input.end, .confirmed = input.claims, .keep = input.keep};
  }

  /// What is confirmed now must be there in the end.
  void promise() {
    promised_ = base_;
    for (const Member& m : members_) promised_ |= m.confirmed;
    promised_ = matters(promised_);
    originals_ = members_;
    for (const Input& input : inputs_) {
      result_.replayable.traces += input.path.empty() ? 0 : 1;
      result_.replayable.events += input.path.size();
    }
    count(promised_ | base_, result_.replayable);
    std::set<ItemSetId> distinct;
    for (const Input& input : inputs_)
      for (const Link& link : input.path) distinct.insert(link.items);
    std::vector<ItemSet> steps;
    for (const ItemSetId id : distinct) steps.push_back(known_.set(id) & promised_);
    const auto least = cover_at_least(steps, base_);
    result_.run_at_least =
        least == 0 ? 0 : options_.prices.restart + options_.prices.event * static_cast<double>(least);
  }

  // ---- phase 1 ----

  void cut() {
    std::vector<Member> done;
    ItemSet covered = base_;
    for (const Member& m : members_)
      if (m.keep) {
        done.push_back(m);
        covered |= m.confirmed;
      }
    for (std::size_t i = 0; i < members_.size(); ++i) {
      Member& m = members_[i];
      if (m.keep) continue;
      const ItemSet needed = matters(m.confirmed) - covered;
      if (needed.empty()) continue;
      say("cutting loops: trace {} of {}, {} candidates replayed of {}", i + 1, members_.size(),
          trials_.replayed(), trials_.tried());
      if (auto shorter = shortest(m, needed, {.tail = options_.tail})) m = std::move(*shorter);
      covered |= m.confirmed;
      done.push_back(std::move(m));
    }
    members_ = std::move(done);
  }

  /// The shortest form of a trace that replays and keeps what is needed; nothing: as it is.
  std::optional<Member> shortest(const Member& m, const ItemSet& needed, CutRules rules) {
    Cuts cuts(m.path, material_.start(), needed, known_, rules);
    std::deque<Path> waiting;
    std::uint32_t tries = 0;
    const std::size_t width = options_.paper ? 1 : ahead;
    while (!trials_.over() && (options_.paper || tries < most_tries)) {
      while (waiting.size() < width)
        if (auto next = cuts.next())
          waiting.push_back(std::move(*next));
        else
          break;
      if (waiting.empty() || waiting.front().size() >= m.path.size()) return std::nullopt;
      const std::vector<Path> batch(waiting.begin(), waiting.end());
      const auto tried = trials_.ask(batch, Until::lowest_yes);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (tried[i].verdict == Verdict::unresolved && tried[i].why.empty()) break;
        waiting.pop_front();
        ++tries;
        if (tried[i].verdict == Verdict::unresolved) known_.set_aside(hash_of(batch[i]));
        if (tried[i].verdict != Verdict::yes) continue;
        if (needed.within(tried[i].confirmed))
          return Member{.path = batch[i],
                        .end = tried[i].end,
                        .confirmed = tried[i].confirmed,
                        .fragments = m.fragments};
        break;
      }
    }
    return std::nullopt;
  }

  // ---- phase 2 ----

  void splice() {
    std::vector<Path> library;
    for (const Member& m : members_) library.push_back(m.path);
    std::vector<Member> made = splice(library, material_.start());
    if (!options_.paper) {
      // Once more with more fragments and looser joints: what replays is in the pool that phase 3 chooses from.
      enrich(library);
      for (Path& path : library)
        for (Link& link : path) link.joint = link.loose;
      auto loose = splice(library, material_.loose_start());
      if (cost(loose) < cost(made)) made = std::move(loose);
    }
    if (options_.paper || cost(made) < cost(members_)) members_ = std::move(made);
  }

  std::vector<Member> splice(const std::vector<Path>& library, Joint start) {
    std::vector<Member> made;
    ItemSet confirmed = base_, wanted;
    for (const Member& m : members_) {
      wanted |= matters(m.confirmed);
      if (!m.keep) continue;
      made.push_back(m);
      confirmed |= m.confirmed;
    }
    Splices splices(library, start, known_, options_.k);
    std::uint32_t unresolved = 0, in_vain = 0;
    while (!trials_.over() && unresolved < most_unresolved && (options_.paper || in_vain < most_in_vain)) {
      const auto next = splices.best(wanted - confirmed);
      if (!next) break;
      say("splicing: {} items to cover, {} traces, {} candidates replayed of {}",
          (wanted - confirmed).count(), made.size(), trials_.replayed(), trials_.tried());
      const Tried tried = trials_.ask(next->path);
      unresolved = tried.verdict == Verdict::unresolved ? unresolved + 1 : 0;
      if (tried.verdict == Verdict::unresolved) known_.set_aside(hash_of(next->path));
      in_vain = tried.verdict == Verdict::yes ? 0 : in_vain + 1;
      if (tried.verdict != Verdict::yes || tried.lacking) continue;  // lacking: what it has is known now
      made.push_back(
          {.path = next->path, .end = tried.end, .confirmed = tried.confirmed, .fragments = next->fragments});
      confirmed |= tried.confirmed;
    }
    complete(made, members_, wanted - confirmed);
    return made;
  }

  /// Fragments need not come from what phase 1 kept: a trace that adds nothing may hold the missing connection. First
  /// come, first taken, as long as they add something to those taken so.
  void enrich(std::vector<Path>& library) const {
    std::size_t links = 0;
    ItemSet covered = base_;
    for (const Input& input : inputs_) {
      if (input.claims.within(covered) || links + input.path.size() > most_links) continue;
      covered |= input.claims;
      links += input.path.size();
      library.push_back(input.path);
    }
  }

  /// Adds of `from` what covers what is missing.
  static void complete(std::vector<Member>& made, const std::vector<Member>& from, const ItemSet& missing) {
    if (missing.empty()) return;
    std::vector<ItemSet> sets;
    for (const Member& m : from) sets.push_back(m.confirmed & missing);
    for (const std::uint32_t i : greedy_cover(sets)) made.push_back(from[i]);
  }

  double seconds(const Path& path) const {
    return options_.prices.restart + options_.prices.event * static_cast<double>(path.size());
  }
  double cost(const std::vector<Member>& members) const {
    return std::accumulate(members.begin(), members.end(), 0.0,
                           [&](double sum, const Member& m) { return sum + seconds(m.path); });
  }

  // ---- phase 3 ----

  /// Everything that ever replayed, and every beginning of it, may be in the suite: is there a cheaper one?
  void reselect() {
    std::vector<std::vector<ItemSet>> pool;
    std::vector<Member> made;
    ItemSet wanted = promised_ - base_;
    for (const Member& m : members_)
      if (m.keep) {
        made.push_back(m);
        wanted -= m.confirmed;
      }
    const auto& good = trials_.good();
    for (const auto& [path, end] : good) {
      auto& steps = pool.emplace_back();
      for (const NodeId node : replay_.history().path(end)) steps.push_back(material_.surely(node));
      steps.resize(std::min(steps.size(), path.size()));
    }
    ItemSet covered = base_;
    for (const auto& [trace, length] : cheapest_suite(pool, wanted, options_.prices)) {
      Member m{.path = Path(good[trace].first.begin(), good[trace].first.begin() + length),
               .end = replay_.history().path(good[trace].second)[length - 1],
               .confirmed = {}};
      for (std::uint32_t s = 0; s < length; ++s) m.confirmed |= pool[trace][s];
      made.push_back(std::move(m));
    }
    for (const Member& m : made) covered |= m.confirmed;
    if (promised_.within(covered) && cost(made) < cost(members_)) members_ = std::move(made);
  }

  /// How many members have each item.
  std::vector<std::uint32_t> owners() const {
    std::vector<std::uint32_t> out;
    for (const Member& m : members_)
      for (const std::uint32_t item : m.confirmed.ids()) {
        if (item >= out.size()) out.resize(item + 1U, 0);
        ++out[item];
      }
    return out;
  }
  ItemSet only(const Member& m, const std::vector<std::uint32_t>& owners) const {
    ItemSet out;
    for (const std::uint32_t item : matters(m.confirmed).ids())
      if (owners[item] == 1 && !base_.contains(item)) out.add(item);
    return out;
  }

  /// Drops what others cover, and cuts each trace down to what it alone is kept for. Those that add least come first.
  void polish() {
    for (bool changed = true; changed && !trials_.over();) {
      changed = false;
      const auto before = owners();
      std::stable_sort(members_.begin(), members_.end(), [&](const Member& a, const Member& b) {
        return only(a, before).count() < only(b, before).count();
      });
      for (std::size_t i = 0; i < members_.size() && !trials_.over();) {
        Member& m = members_[i];
        const ItemSet needed = only(m, owners()) & promised_;
        say("polishing: trace {} of {}", i + 1, members_.size());
        if (!m.keep && needed.empty()) {
          members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i));
          changed = true;
          continue;
        }
        if (!m.keep)
          if (auto shorter = shortest(m, needed, {.tail = true})) {
            m = std::move(*shorter);
            changed = true;
          }
        ++i;
      }
    }
  }

  /// Leads traces over into others, as long as that saves seconds and replays.
  void join() {
    std::vector<Path> traces;
    for (const Input& input : inputs_) traces.push_back(input.path);
    for (const auto& [path, end] : trials_.good()) traces.push_back(path);
    const Bridges bridges(traces, material_.loose_start());
    std::size_t in_vain = 0;
    while (!trials_.over() && in_vain < most_joins) {
      auto joins = all_joins(bridges);
      std::erase_if(joins, [&](const Join& j) { return known_.is_aside(hash_of(j.path)) || fails(j.path); });
      bool joined = false;
      for (std::size_t i = 0; i < joins.size() && !joined && in_vain < most_joins && !trials_.over(); ++i) {
        if (fails(joins[i].path)) continue;
        say("joining: {} traces, {} candidates replayed of {}", members_.size(), trials_.replayed(),
            trials_.tried());
        joined = accept(joins[i], trials_.ask(joins[i].path));
        in_vain = joined ? 0 : in_vain + 1;
      }
      if (!joined) break;
    }
  }
  bool fails(const Path& path) const {
    PrefixHash prefix = empty_prefix;
    for (const Link& link : path)
      if (known_.fails(prefix = extend(prefix, link))) return true;
    return false;
  }

  std::vector<Join> all_joins(const Bridges& bridges) const {
    const auto owned = owners();
    std::vector<Bridges::Part> parts;
    for (const Member& m : members_) parts.push_back({&m.path, first_needed(m, owned)});
    std::vector<Join> all;
    for (std::uint32_t a = 0; a < parts.size(); ++a)
      for (std::uint32_t b = 0; b < parts.size(); ++b) {
        if (a == b || members_[a].keep || members_[b].keep) continue;
        for (Join& join : bridges.between(parts[a], parts[b], options_.prices, joins_each)) {
          join.first = a, join.second = b;
          all.push_back(std::move(join));
        }
      }
    std::stable_sort(all.begin(), all.end(),
                     [](const Join& a, const Join& b) { return a.saving > b.saving; });
    return all;
  }
  std::uint32_t first_needed(const Member& m, const std::vector<std::uint32_t>& owned) const {
    const ItemSet needed = only(m, owned);
    for (std::uint32_t i = 0; i < m.path.size(); ++i)
      if (!(known_.set(m.path[i].items) & needed).empty()) return i;
    return 0;
  }

  bool accept(const Join& join, const Tried& tried) {
    if (tried.verdict == Verdict::unresolved) known_.set_aside(hash_of(join.path));
    if (tried.verdict != Verdict::yes) return false;
    ItemSet others = base_ | tried.confirmed;
    for (std::uint32_t i = 0; i < members_.size(); ++i)
      if (i != join.first && i != join.second) others |= members_[i].confirmed;
    if (!promised_.within(others)) {
      known_.set_aside(hash_of(join.path));
      return false;
    }
    members_[join.first] = {.path = join.path,
                            .end = tried.end,
                            .confirmed = tried.confirmed,
                            .fragments = members_[join.first].fragments + members_[join.second].fragments};
    members_.erase(members_.begin() + join.second);
    return true;
  }

  // ---- the end ----

  void set_order() {
    std::vector<ItemSet> sets;
    std::vector<double> costs;
    for (const Member& m : members_) {
      sets.push_back(matters(m.confirmed) - base_);
      costs.push_back(seconds(m.path));
    }
    std::vector<Member> ordered;
    for (const std::uint32_t i : early_order(sets, costs)) ordered.push_back(std::move(members_[i]));
    members_ = std::move(ordered);
  }

  void meet_target() {
    double left = options_.target;
    for (const Member& m : members_) left -= m.keep ? seconds(m.path) : 0;
    std::vector<Member> fitting;
    ItemSet had = base_, has = base_;
    for (Member& m : members_) {
      had |= matters(m.confirmed);
      if (!m.keep && seconds(m.path) > left) shorten(m, left);
      if (m.path.empty()) continue;
      left -= m.keep ? 0 : seconds(m.path);
      has |= matters(m.confirmed);
      fitting.push_back(std::move(m));
    }
    members_ = std::move(fitting);
    result_.left_out = (had - has).count();
    targeted_ = had - has;
    promised_ -= targeted_;
  }

  /// As much of its beginning as fits.
  void shorten(Member& m, double left) {
    const double room = (left - options_.prices.restart) / std::max(options_.prices.event, 1e-9);
    const auto nodes = replay_.history().path(m.end);
    const auto fits = static_cast<std::size_t>(std::clamp(room, 0.0, static_cast<double>(m.path.size())));
    m.path.resize(std::min(fits, nodes.size()));
    m.confirmed = {};
    for (std::size_t i = 0; i < m.path.size(); ++i) m.confirmed |= material_.surely(nodes[i]);
    if (!m.path.empty()) m.end = nodes[m.path.size() - 1];
  }

  /// The whole suite from clean starts; what does not show again is sought once more in the traces as they were given.
  void certify() {
    std::size_t checked = 0;
    for (int round = 0; round <= repairs; ++round) {
      for (; checked < members_.size() && !trials_.over(); ++checked) check(members_[checked], checked);
      std::erase_if(members_, [](const Member& m) { return m.path.empty(); });
      checked = members_.size();
      ItemSet has = base_;
      for (const Member& m : members_) has |= m.confirmed;
      const ItemSet missing = promised_ - has;
      if (missing.empty() || trials_.over() || options_.paper || round == repairs) break;
      complete(members_, originals_, missing);
    }
  }

  void check(Member& m, std::size_t index) {
    const std::uint32_t runs =
        options_.certificate > 0 ? options_.certificate : (replay_.assumed_deterministic() ? 1 : 10);
    say("checking trace {} of {}: {} cold runs", index + 1, members_.size(), runs);
    const Tried tried = trials_.certify(m.path, runs);
    m.yes = tried.yes, m.no = tried.no;
    if (tried.end) {
      m.end = tried.end;
      m.confirmed = tried.confirmed;
    } else if (tried.no.all() > 0) {
      for (const std::uint32_t item : m.confirmed.ids())
        reasons_.insert_or_assign(
            item, Reason{fmt::format("in the last check its trace replayed in 0 of {} runs", tried.no.all()),
                         m.end});
      m.path.clear();  // not one run came through: it is no test
    }
  }

  SuiteResult report() {
    ItemSet so_far = base_;
    const auto owned = owners();
    for (const Member& m : members_) {
      SuiteTrace out{.end = m.end, .fragments = m.fragments, .keep = m.keep, .yes = m.yes, .no = m.no};
      for (const Link& link : m.path) {
        out.events.push_back(link.event);
        out.expect.push_back(link.expect);
      }
      const std::uint32_t all = m.yes.all() + m.no.all();
      out.rate = all == 0 ? 1 : m.yes.all() / static_cast<double>(all);
      out.seconds = seconds(m.path);
      out.only = covered(only(m, owned));
      out.adds = m.confirmed.count_beyond(so_far);
      so_far |= m.confirmed;
      out.so_far = so_far.count();
      result_.traces.push_back(std::move(out));
    }
    fill(result_.after);
    for (Input& input : inputs_) result_.before.run_seconds += seconds_of(input.node);
    for (const Input& input : inputs_)
      if (!input.path.empty()) result_.replayable.run_seconds += seconds(input.path);
    for (const std::uint32_t item : (matters(claimed_) - so_far - targeted_).ids())
      result_.lost.push_back(lost(item));
    result_.stopped = trials_.over();
    result_.deterministic = replay_.assumed_deterministic();
    return std::move(result_);
  }
  double seconds_of(NodeId node) const {
    return options_.prices.restart + options_.prices.event * replay_.history().depth(node);
  }

  LostItem lost(std::uint32_t item) const {
    LostItem out{material_.kind(item), material_.value(item), material_.name(item), {}, {}};
    const auto reason = reasons_.find(item);
    if (reason != reasons_.end()) {
      out.why = reason->second.why;
      out.trace = reason->second.trace;
    } else {
      out.why = trials_.over() ? "the budget was spent before it was looked at"
                               : "it did not show again in the last check";
    }
    return out;
  }

  Covered covered(const ItemSet& items) const {
    Covered out;
    for (const std::uint32_t item : items.ids()) switch (material_.kind(item)) {
        case ItemKind::code:
          out.code.add(static_cast<std::uint32_t>(material_.value(item)));
          break;
        case ItemKind::screen:
          out.screens.push_back(StateId{material_.value(item)});
          break;
        case ItemKind::crash:
          out.crashes.push_back(headline(*material_.crash(item)));
          break;
      }
    return out;
  }

  ItemSet matters(const ItemSet& items) const {
    if (options_.by == By::coverage) return items;
    if (options_.by == By::screens) return items - material_.of_kind(ItemKind::code);
    return items & material_.of_kind(ItemKind::crash);
  }
  void count(const ItemSet& items, SuiteFigures& figures) const {
    figures.code = (items & material_.of_kind(ItemKind::code)).count();
    figures.screens = (items & material_.of_kind(ItemKind::screen)).count();
    figures.crashes = (items & material_.of_kind(ItemKind::crash)).count();
  }
  void fill(SuiteFigures& figures) const {
    ItemSet all = base_;
    figures.traces = members_.size();
    for (const Member& m : members_) {
      figures.events += m.path.size();
      all |= m.confirmed;
    }
    figures.run_seconds = cost(members_);
    count(all, figures);
  }
  void begin_phase() {
    spent_ = replay_.spent();
    tried_ = trials_.tried(), replayed_ = trials_.replayed();
    failed_.assign(trials_.failed_on_run().begin(), trials_.failed_on_run().end());
  }
  void end_phase(const char* name) {
    SuitePhase phase{.name = name, .after = {}, .effort = replay_.spent() - spent_};
    fill(phase.after);
    phase.tried = trials_.tried() - tried_, phase.replayed = trials_.replayed() - replayed_;
    phase.failed_on_run = trials_.failed_on_run();
    for (std::size_t i = 0; i < failed_.size(); ++i) phase.failed_on_run[i] -= failed_[i];
    result_.phases.push_back(std::move(phase));
    begin_phase();
  }
  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) {
    progress_.status(fmt::format(text, std::forward<Args>(args)...));
  }

  struct Reason {
    std::string why;
    NodeId trace;
    Reason(std::string w, NodeId t) : why(std::move(w)), trace(t) {}
  };

  Replay& replay_;
  const SuiteOptions& options_;
  Progress& progress_;
  Knowledge known_;
  Material material_;
  Trials trials_;
  std::vector<Input> inputs_;
  std::vector<Member> members_, originals_;
  ItemSet base_, claimed_, promised_, targeted_;
  std::unordered_map<std::uint32_t, Reason> reasons_;
  SuiteResult result_;
  Effort spent_;
  std::uint64_t tried_ = 0, replayed_ = 0;
  std::vector<std::uint64_t> failed_;
};

}  // namespace

SuiteOptions SuiteOptions::as_published() {
  SuiteOptions out;
  out.joints = Joints::none;
  out.repeats = 10;
  out.paper = true;
  return out;
}

std::optional<By> by_name(std::string_view name) {
  if (name == "coverage") return By::coverage;
  if (name == "screens") return By::screens;
  if (name == "crashes") return By::crashes;
  return std::nullopt;
}

std::optional<Joints> joints_by_name(std::string_view name) {
  if (name == "none") return Joints::none;
  if (name == "structure") return Joints::structure;
  if (name == "exact") return Joints::exact;
  return std::nullopt;
}

Result<SuiteResult> make_suite(Replay& replay, std::span<const NodeId> traces, const SuiteOptions& options,
                               Progress& progress, std::stop_token stop) {
  return Making(replay, options, progress, std::move(stop)).run(traces);
}

}  // namespace norn
