// SwiftHand: learn a model of the app while testing it, and use the model to avoid restarts, which are what
// costs most.
//
// The model merges screens with equal lists of actions into one state and knows, per state and action, where
// the action led last. The next event is an unexplored action of the nearest state that can be reached in the
// model without a restart; only when there is none, the app is started anew. Where the app contradicts the
// model, the edge is learnt anew and the plan dropped.
#include <deque>
#include <unordered_map>

#include "explore/explore.h"
#include "explore/texts.h"

namespace norn {
namespace {

class SwiftHand final : public Strategy {
 public:
  explicit SwiftHand(StrategyContext& context)
      : context_(context), rng_(context.options.seed), texts_(context.options.texts, context.options.seed) {}

  void saw(const Situation& now) override { learn(now); }

  Decision next(const Situation& now) override {
    if (now.crashed) {
      if (last_) states_[last_->first].actions[last_->second].explored = true;
      return restart("crash");
    }
    if (auto back = homing_.back(now.outside(), 1)) return last_.reset(), Decision{Do{std::move(*back)}};
    if (now.outside()) return {Do{Key{key::back}}};
    const std::size_t here = state_of(now.screen());
    if (plan_.empty() || planned_from_ != here) make_plan(here);
    if (plan_.empty()) {
      if (wander_ == 0 && now.event) return restart("nothing unexplored within reach");
      // Nothing from the start on either: a walk by chance may find where the model is wrong.
      wander_ = wander_ == 0 ? wander_length : wander_ - 1;
      plan_.push_back(rng_.below(std::max<std::size_t>(states_[here].actions.size(), 1)));
    }
    return perform(here, now.screen());
  }

 private:
  static constexpr std::size_t unknown = ~std::size_t{0};
  static constexpr int wander_length = 30;
  struct Action {
    Possible what;
    bool explored = false;
    std::size_t leads_to = unknown;
  };
  struct State {
    std::vector<Action> actions;
  };

  std::size_t state_of(const Screen& screen) {
    const auto [at, fresh] = index_.try_emplace(abstract(screen, Abstraction::actions), states_.size());
    if (fresh) {
      states_.emplace_back();
      for (auto& p : context_.possible(screen)) states_.back().actions.push_back({std::move(p)});
    }
    return at->second;
  }

  void learn(const Situation& now) {
    if (!last_) return;
    Action& action = states_[last_->first].actions[last_->second];
    action.explored = true;
    if (now.outside()) {
      action.leads_to = unknown;
      plan_.clear();
      return;
    }
    const std::size_t here = state_of(now.screen());
    Action& again = states_[last_->first].actions[last_->second];  // the table may have moved
    if (again.leads_to != here) plan_.clear();
    again.leads_to = here;
    planned_from_ = here;
  }

  /// Breadth first over the model: the way to the nearest state with an unexplored action, then that action.
  void make_plan(std::size_t here) {
    plan_.clear();
    planned_from_ = here;
    std::unordered_map<std::size_t, std::pair<std::size_t, std::size_t>> came;  // state -> (from, action)
    std::deque<std::size_t> queue{here};
    came[here] = {here, unknown};
    while (!queue.empty()) {
      const std::size_t s = queue.front();
      queue.pop_front();
      if (const std::size_t fresh = unexplored(s); fresh != unknown) {
        plan_.push_front(fresh);
        for (std::size_t at = s; at != here; at = came[at].first) plan_.push_front(came[at].second);
        return;
      }
      for (std::size_t a = 0; a < states_[s].actions.size(); ++a) {
        const std::size_t to = states_[s].actions[a].leads_to;
        if (to != unknown && came.try_emplace(to, s, a).second) queue.push_back(to);
      }
    }
  }

  std::size_t unexplored(std::size_t s) {
    std::vector<std::size_t> fresh;
    for (std::size_t a = 0; a < states_[s].actions.size(); ++a)
      if (!states_[s].actions[a].explored) fresh.push_back(a);
    return fresh.empty() ? unknown : fresh[rng_.below(fresh.size())];
  }

  Decision perform(std::size_t here, const Screen& screen) {
    const std::size_t a = plan_.front();
    plan_.pop_front();
    if (a >= states_[here].actions.size()) return restart("nothing can be done here");
    last_ = {here, a};
    Possible p = states_[here].actions[a].what;
    if (p.widget >= 0 && static_cast<std::size_t>(p.widget) < screen.widgets.size()) texts_.fill(p, screen);
    return {Do{std::move(p.event)}};
  }

  Decision restart(const char* why) {
    plan_.clear();
    last_.reset();
    wander_ = 0;
    return {Restart{}, why};
  }

  StrategyContext& context_;
  Rng rng_;
  Texts texts_;
  Homing homing_;
  std::vector<State> states_;
  std::unordered_map<StateId, std::size_t> index_;
  std::deque<std::size_t> plan_;
  std::size_t planned_from_ = unknown;
  int wander_ = 0;
  std::optional<std::pair<std::size_t, std::size_t>> last_;
};

}  // namespace

std::unique_ptr<Strategy> make_swifthand(StrategyContext& context) {
  return std::make_unique<SwiftHand>(context);
}

}  // namespace norn
