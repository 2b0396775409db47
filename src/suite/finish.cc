// The end of making a suite: order, target, the last cold check, the report.
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "suite/bound.h"
#include "suite/cover.h"
#include "suite/making.h"

namespace norn {
namespace {

constexpr int repairs = 3;  ///< rounds of seeking again what the check did not show

}  // namespace

void Making::set_order() {
  std::vector<ItemSet> sets;
  std::vector<double> costs;
  for (const SuiteMember& m : members_) {
    sets.push_back(matters(m.confirmed) - base_);
    costs.push_back(seconds(m));
  }
  std::vector<SuiteMember> ordered;
  for (const std::uint32_t i : early_order(sets, costs)) ordered.push_back(std::move(members_[i]));
  members_ = std::move(ordered);
}

ItemSet Making::held() const {
  ItemSet all = base_;
  for (const SuiteMember& m : members_) all |= matters(m.confirmed);
  return all;
}

void Making::leave_out(const ItemSet& had) {
  targeted_ = had - held();
  result_.left_out = targeted_.count();
  promised_ -= targeted_;
}

void Making::meet_target() {
  if (cost(members_) <= options_.target) return;
  const ItemSet had = held() | targeted_;
  promised_ |= targeted_;
  members_ = select(options_.target);
  set_order();
  leave_out(had);
  if (members_.empty()) result_.least_target = least_seconds(had - base_);
}

double Making::least_seconds(const ItemSet& wanted) {
  double least = std::numeric_limits<double>::infinity();
  for (const NodeId end : pool()) {
    double sum = options_.prices.restart;
    for (const Link& link : material_.path(end)) {
      sum += options_.prices.event + link.more;
      if ((known_.set(link.items) & wanted).empty()) continue;
      least = std::min(least, sum);
      break;
    }
  }
  return least;
}

void Making::meet_target_as_measured() {
  const auto may_change = [&] {
    return std::any_of(members_.begin(), members_.end(), [](const SuiteMember& m) { return !m.keep; });
  };
  for (int round = 0; round < repairs && cost(members_) > options_.target && may_change(); ++round) {
    if (trials_.over()) break;
    for (const SuiteMember& m : members_)
      if (const double said = seconds(m.path); m.measured > said) material_.slower(m.end, m.measured - said);
    meet_target();
    certify();
  }
  if (cost(members_) > options_.target) drop_what_does_not_fit();
}

void Making::drop_what_does_not_fit() {
  const ItemSet had = held() | targeted_;
  double left = options_.target, least = std::numeric_limits<double>::infinity();
  for (const SuiteMember& m : members_) {
    if (m.keep) left -= seconds(m);
    least = std::min(least, seconds(m));
  }
  std::erase_if(members_, [&](const SuiteMember& m) {
    if (m.keep) return false;
    if (seconds(m) > left) return true;
    left -= seconds(m);
    return false;
  });
  leave_out(had);
  if (members_.empty()) result_.least_target = least;
}

void Making::certify() {
  std::size_t checked = 0;
  for (int round = 0; round <= repairs; ++round) {
    for (SuiteMember& m : members_)
      if (m.end && replay_.history().depth(m.end) < m.path.size()) shorten(m, m.end);
    if (!trials_.over()) check(std::span(members_).subspan(checked));
    std::erase_if(members_, [](const SuiteMember& m) { return m.path.empty(); });
    checked = members_.size();
    ItemSet has = base_;
    for (const SuiteMember& m : members_) has |= m.confirmed;
    const ItemSet missing = promised_ - has;
    if (missing.empty() || trials_.over() || options_.paper || round == repairs) break;
    complete(members_, originals_, missing);
  }
}

void Making::check(std::span<SuiteMember> members) {
  const std::uint32_t runs =
      options_.certificate > 0 ? options_.certificate : (replay_.assumed_deterministic() ? 1 : 10);
  std::vector<SuiteMember*> open;
  for (SuiteMember& m : members) open.push_back(&m);
  while (!open.empty() && !trials_.over()) {  // what is checked again has become shorter
    say("checking {} traces: {} cold runs each", open.size(), runs);
    std::vector<Path> paths;
    for (const SuiteMember* m : open) paths.push_back(m->path);
    const auto tried = trials_.certify(paths, runs);
    std::vector<SuiteMember*> again;
    for (std::size_t i = 0; i < open.size(); ++i) {
      checked(*open[i], tried[i]);
      if (tried[i].verdict == Verdict::no && tried[i].sooner) again.push_back(open[i]);
    }
    open = std::move(again);
  }
}

void Making::checked(SuiteMember& m, const Tried& tried) {
  m.yes = tried.yes, m.no = tried.no, m.measured = tried.seconds;
  if (tried.end) {
    m.end = tried.end;
    m.confirmed = tried.confirmed;
  } else if (tried.verdict == Verdict::no && tried.sooner) {
    shorten(m, tried.sooner);
  } else if (tried.verdict == Verdict::no) {
    for (const std::uint32_t item : m.confirmed.ids())
      reasons_.insert_or_assign(
          item,
          Reason{fmt::format("in the last check its trace replayed in 0 of {} runs", tried.no.all()), m.end});
    m.path.clear();  // not one run came through: it is no test
  }
}

void Making::shorten(SuiteMember& m, NodeId end) {
  SuiteMember shorter = ran(end, std::numeric_limits<std::size_t>::max());
  shorter.fragments = m.fragments, shorter.keep = m.keep;
  m = std::move(shorter);
}

SuiteResult Making::report() {
  ItemSet so_far = base_;
  const auto owned = owners();
  for (const SuiteMember& m : members_) {
    SuiteTrace out{.end = m.end, .fragments = m.fragments, .keep = m.keep, .yes = m.yes, .no = m.no};
    for (const Link& link : m.path) {
      out.events.push_back(link.event);
      out.expect.push_back(link.expect);
    }
    const std::uint32_t all = m.yes.all() + m.no.all();
    out.rate = all == 0 ? 1 : m.yes.all() / static_cast<double>(all);
    out.seconds = seconds(m);
    out.only = covered(only(m, owned));
    out.adds = m.confirmed.count_beyond(so_far);
    so_far |= m.confirmed;
    out.so_far = so_far.count();
    result_.traces.push_back(std::move(out));
  }
  fill(result_.after);
  result_.before.run_seconds = given_seconds_;
  if (options_.bound) result_.run_at_least = least(), result_.choice_at_least = least_choice();
  for (const Input& input : inputs_)
    if (!input.path.empty()) result_.replayable.run_seconds += seconds(input.path);
  for (const std::uint32_t item : (matters(claimed_) - so_far - targeted_).ids())
    result_.lost.push_back(lost(item));
  result_.by_catch = new_crashes();
  result_.stopped = trials_.over();
  result_.deterministic = replay_.assumed_deterministic();
  return std::move(result_);
}

std::vector<NodeId> Making::new_crashes() const {
  const History& tree = replay_.history();
  std::set<std::uint64_t> known;
  std::vector<NodeId> out;
  const auto met = [&](NodeId node) {
    const Crash* crash = tree.crash(node);
    return crash && known.insert(signature(*crash, Sameness::frames)).second;
  };
  for (std::uint32_t n = 1; n < given_nodes_; ++n) met(NodeId{n});
  for (const NodeId end : trials_.seen())
    if (met(end)) out.push_back(end);
  return out;
}

double Making::least() {
  // Whatever was executed may be in a suite, and a step may hit whatever it was ever seen to hit.
  std::map<std::tuple<Joint, EventKey, Joint>, Passage> steps;
  const History& tree = replay_.history();
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId before = tree.parent(NodeId{n});
    const Joint from = before == tree.root() ? material_.loose_start() : material_.link(before).loose;
    const Link link = material_.link(NodeId{n});
    const Joint to = link.crash ? link.expect.value : link.loose;
    Passage& step = steps.try_emplace({from, link.key, to}, Passage{from, to, {}, link.more}).first->second;
    step.items |= known_.set(link.items);
    step.more = std::min(step.more, link.more);
  }
  std::vector<Passage> passages;
  for (auto& [key, passage] : steps) passages.push_back(std::move(passage));
  return cheapest_at_least(passages, material_.loose_start(), promised_ - base_, options_.prices);
}

double Making::least_choice() {
  const History& tree = replay_.history();
  const ItemSet wanted = promised_ - base_;
  std::vector<ItemSet> on_the_way(tree.size());
  std::vector<double> more(tree.size(), 0);  // seconds beyond the events' prices
  std::vector<Choosable> candidates;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    more[n] = more[tree.parent(NodeId{n}).value] + material_.link(NodeId{n}).more;
    const ItemSet& before = on_the_way[tree.parent(NodeId{n}).value];
    on_the_way[n] = before | (known_.set(material_.link(NodeId{n}).items) & wanted);
    if (on_the_way[n] == before) continue;  // the shorter one has as much
    candidates.push_back(
        {on_the_way[n], options_.prices.restart + options_.prices.event * tree.depth(NodeId{n}) + more[n]});
  }
  return cheapest_choice_at_least(candidates, wanted);
}

LostItem Making::lost(std::uint32_t item) const {
  LostItem out{material_.kind(item), material_.value(item), material_.name(item), {}, {}};
  const std::uint32_t first_function = options_.coverable.first_function;
  if (out.kind == ItemKind::code && out.value >= first_function)
    out.name = fmt::format("function {}", out.value - first_function + 1);
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

Covered Making::covered(const ItemSet& items) const {
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
      case ItemKind::step:
        ++out.steps;
        break;
    }
  return out;
}

void Making::count(const ItemSet& items, SuiteFigures& figures) const {
  const Coverage code = covered(items & material_.of_kind(ItemKind::code)).code;
  figures.code = code.count();
  figures.functions = options_.coverable.functions_of(code);
  figures.screens = (items & material_.of_kind(ItemKind::screen)).count();
  figures.crashes = (items & material_.of_kind(ItemKind::crash)).count();
  figures.steps = (items & material_.of_kind(ItemKind::step)).count();
}

void Making::fill(SuiteFigures& figures) const {
  ItemSet all = base_;
  figures.traces = members_.size();
  for (const SuiteMember& m : members_) {
    figures.events += m.path.size();
    all |= m.confirmed;
  }
  figures.run_seconds = cost(members_);
  count(all & claimed_, figures);  // what else it came upon was not asked for
}

void Making::begin_phase() {
  spent_ = replay_.spent();
  tried_ = trials_.tried(), replayed_ = trials_.replayed();
  failed_.assign(trials_.failed_on_run().begin(), trials_.failed_on_run().end());
}

void Making::end_phase(const char* name) {
  SuitePhase phase{.name = name, .after = {}, .effort = replay_.spent() - spent_};
  fill(phase.after);
  phase.tried = trials_.tried() - tried_, phase.replayed = trials_.replayed() - replayed_;
  phase.failed_on_run = trials_.failed_on_run();
  for (std::size_t i = 0; i < failed_.size(); ++i) phase.failed_on_run[i] -= failed_[i];
  result_.phases.push_back(std::move(phase));
  begin_phase();
}

}  // namespace norn
