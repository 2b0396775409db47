// Strategies without a plan: Monkey with its variants, and uniform choice.
#include "explore/explore.h"
#include "explore/generator.h"
#include "explore/monkey.h"

namespace norn {
namespace {

/// Monkey, as the paper's baselines have it: `system` adds Stoat's events, `restart` relaunches the app (its
/// data kept) when stuck, by the same detection that timemachine uses.
class MonkeyStrategy final : public Strategy {
 public:
  MonkeyStrategy(StrategyContext& context, bool system, bool restart)
      : context_(context),
        events_(make_generator(context)),
        system_events_(context.options.seed ^ 0x5157, context.options.activities),
        stuck_(context.options.travel.stuck),
        system_(system),
        restart_(restart) {}

  void saw(const Situation& now) override {
    if (!restart_ || now.crashed) return;
    if (const auto stuck = stuck_.report(now.state, context_.graph)) relaunch_ = 2, why_ = name_of(*stuck);
  }

  Decision next(const Situation& now) override {
    if (now.crashed) return {Restart{}, "crash"};
    if (relaunch_ == 2) return --relaunch_, Decision{Do{System{"kill", {}}}, "relaunch: " + why_};
    if (relaunch_ == 1) return --relaunch_, Decision{Do{Launch{}}};
    if (auto back = homing_.back(now.outside())) return {Do{std::move(*back)}};
    if (system_ && system_events_.due(now.seconds)) return {Do{system_events_.draw()}};
    return {Do{events_->draw(now)}};
  }

 private:
  StrategyContext& context_;
  std::unique_ptr<Generator> events_;
  SystemEvents system_events_;
  StuckDetector stuck_;
  Homing homing_;
  bool system_, restart_;
  int relaunch_ = 0;
  std::string why_;
};

/// Uniform over the screen's enabled actions; a clean start with probability 0.1.
class RandomStrategy final : public Strategy {
 public:
  explicit RandomStrategy(StrategyContext& context)
      : rng_(context.options.seed ^ 0x72616e646f6dULL), events_(make_widget_generator(context)) {}

  Decision next(const Situation& now) override {
    if (now.crashed) return {Restart{}, "crash"};
    if (now.events > 0 && now.event && rng_.chance(0.1)) return {Restart{}, "by chance"};
    if (auto back = homing_.back(now.outside(), 1)) return {Do{std::move(*back)}};
    return {Do{events_->draw(now)}};
  }

 private:
  Rng rng_;
  std::unique_ptr<Generator> events_;
  Homing homing_;
};

}  // namespace

std::unique_ptr<Strategy> make_monkey(StrategyContext& context, bool system, bool restart) {
  return std::make_unique<MonkeyStrategy>(context, system, restart);
}
std::unique_ptr<Strategy> make_random(StrategyContext& context) {
  return std::make_unique<RandomStrategy>(context);
}

}  // namespace norn
