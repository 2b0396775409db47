#include "detect/odin/walks.h"

#include <algorithm>
#include <deque>

namespace norn {

Walks::Walks(Replay& replay, Model& model, Groups& groups, const DetectOptions& options, std::size_t most)
    : replay_(replay), model_(model), groups_(groups), options_(options), most_(most), rng_(options.seed) {}

bool Walks::needs(const Group& group) const {
  const std::size_t n = group.behaviours.size();
  if (n >= options_.inputs) return false;
  return n < options_.alike || group.prints.size() > 1;
}

std::vector<std::uint64_t> Walks::wanted(LayoutId layout) const {
  std::vector<std::uint64_t> out;
  for (const std::uint64_t key : groups_.of(layout)) {
    const Group& group = groups_.all().at(key);
    // Labels of rows come and go: a row in general stands for them where there are many.
    if (!group.general && group.role.general != group.role.specific) {
      const Group* rows = groups_.find(layout, group.role.general);
      if (rows && rows->behaviours.size() > 3 * group.behaviours.size()) continue;
    }
    if (needs(group)) out.push_back(key);
  }
  return out;
}

bool Walks::any_need(LayoutId layout) {
  auto& [as_of, need] = need_.try_emplace(layout, ~0ULL, false).first->second;
  if (as_of != groups_.pairs()) as_of = groups_.pairs(), need = !wanted(layout).empty();
  return need;
}

/// The state reached by the fewest traces among those that still have something to show; what was tried
/// counts too.
ModelState Walks::rarest() {
  if (mined_ != model_.mined()) tried_.clear(), mined_ = model_.mined();
  std::vector<std::uint32_t> reached(model_.states(), 0);
  const History& tree = replay_.history();
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (const ModelState s = model_.state_of({n})) ++reached[s.value];
  ModelState best;
  std::uint64_t least = ~0ULL;
  for (std::uint32_t s = 0; s < model_.states(); ++s) {
    if (!any_need(model_.layout({s}))) continue;
    const std::uint64_t score = reached[s] + 20ULL * tried_[{s}];
    if (score < least) least = score, best = {s};
  }
  return best;
}

/// Follows a plan, then its needs.
class WalkChooser final : public Chooser {
 public:
  WalkChooser(Walks& walks, std::vector<ModelEdge> plan) : w_(walks), plan_(std::move(plan)) {}

  Choice next(const Place& here) override {
    if (here.crashed) return Enough{};
    if (at_ < plan_.size() && !missed_)
      if (auto event = planned(here)) return Do{*event};
    if (tail_ >= w_.options_.tail) return Enough{};
    ++tail_;
    if (auto event = needed(here)) return Do{*event};
    if (auto event = onward(here)) return Do{*event};
    return Enough{};
  }
  void saw(const Place& here, const Appended&) override {
    w_.groups_.update();
    end = here.node;
    if (at_ == 0 || at_ > plan_.size() || missed_ || tail_ > 0) return;
    const ModelEdge& edge = plan_[at_ - 1];
    missed_ = here.crashed || w_.groups_.layout_of(here.node) != w_.model_.layout(edge.to);
    arrived = !missed_ && at_ == plan_.size();
  }

  NodeId end{0};
  bool arrived = false;

 private:
  /// The plan's next event, on the data that is there now.
  std::optional<Event> planned(const Place& here) {
    const Event& event = here.history.event(plan_[at_].event);
    const Screen& screen = here.seen.screen;
    if (!target_of(event)) return ++at_, event;
    if (receiver_of(event, screen)) return ++at_, event;
    const ModelState from = at_ == 0 ? w_.model_.initial() : plan_[at_ - 1].to;
    for (const std::uint64_t key : w_.groups_.of(w_.model_.layout(from))) {
      const Group& group = w_.groups_.all().at(key);
      if (!group.general || event_key(group.event) != event_key(event)) continue;
      const auto there = in_role(event, group.role, screen);
      if (!there.empty()) return ++at_, there[w_.rng_.below(there.size())];
    }
    missed_ = true;
    return std::nullopt;
  }
  /// The least known event of this layout that can be performed here.
  std::optional<Event> needed(const Place& here) {
    const Screen& screen = here.seen.screen;
    if (screen.kind != Screen::Kind::app) return std::nullopt;
    auto keys = w_.wanted(w_.groups_.layout_of(here.node));
    std::vector<std::pair<double, std::uint64_t>> order;
    for (const std::uint64_t key : keys)
      order.emplace_back(static_cast<double>(w_.groups_.all().at(key).behaviours.size()) + 6 * w_.rng_.unit(),
                         key);
    std::ranges::sort(order);
    for (const auto& [score, key] : order) {
      const Group& group = w_.groups_.all().at(key);
      auto there = in_role(group.event, group.role, screen);
      if (!group.general)
        std::erase_if(there, [&](const Event& e) {
          const auto role = role_of(e, screen);
          return !role || role->specific != group.role.specific;
        });
      if (!there.empty()) return there[w_.rng_.below(there.size())];
    }
    return std::nullopt;
  }
  /// The first step of a shortest way to a state that needs something.
  std::optional<Event> onward(const Place& here) {
    const LayoutId layout = w_.groups_.layout_of(here.node);
    ModelState from = w_.model_.state_of(here.node);
    for (std::uint32_t s = 0; !from && s < w_.model_.states(); ++s)
      if (w_.model_.layout({s}) == layout) from = {s};
    if (!from) return std::nullopt;
    std::deque<std::pair<ModelState, EventId>> queue{{from, EventId{}}};
    std::vector<char> seen(w_.model_.states(), 0);
    seen[from.value] = 1;
    while (!queue.empty()) {
      const auto [at, first] = queue.front();
      queue.pop_front();
      if (first && w_.any_need(w_.model_.layout(at))) return runnable(here, first);
      for (const ModelEdge& e : w_.model_.edges(at)) {
        if (e.flaky || !e.to || seen[e.to.value]) continue;
        if (!first && !runnable(here, e.event)) continue;
        seen[e.to.value] = 1;
        queue.emplace_back(e.to, first ? first : e.event);
      }
    }
    return std::nullopt;
  }
  static std::optional<Event> runnable(const Place& here, EventId id) {
    const Event& event = here.history.event(id);
    if (target_of(event) && !receiver_of(event, here.seen.screen)) return std::nullopt;
    return event;
  }

  Walks& w_;
  std::vector<ModelEdge> plan_;
  std::size_t at_ = 0;
  std::uint32_t tail_ = 0;
  bool missed_ = false;
};

Result<bool> Walks::one(std::stop_token stop) {
  std::vector<ModelEdge> plan;
  ModelState target;
  if (options_.calibrate) {
    target = rarest();
    if (!target) return false;
    ++tried_[target];
    if (target != model_.initial()) plan = model_.random_walk(target, most_, rng_);
  }
  WalkChooser chooser(*this, plan);
  const Limits limits{.events = plan.size() + options_.tail};
  const std::size_t before = replay_.history().size();
  NORN_TRY(const NodeId end, replay_.walk(replay_.history().root(), chooser, limits, stop));
  ++walks_;
  hits_ += chooser.arrived;
  const std::uint32_t mined = model_.mined();
  model_.add(end);
  model_.mine();
  if (mined != model_.mined()) groups_.reset();
  groups_.update();
  return replay_.history().size() > before || options_.calibrate;
}

}  // namespace norn
