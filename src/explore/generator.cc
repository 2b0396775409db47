#include "explore/generator.h"

#include "explore/explore.h"
#include "explore/monkey.h"
#include "explore/texts.h"

namespace norn {
namespace {

class MonkeyGenerator final : public Generator {
 public:
  explicit MonkeyGenerator(std::uint64_t seed) : events_(seed) {}
  Event draw(const Situation& now) override {
    return events_.draw(now.screen().width, now.screen().height).event;
  }

 private:
  MonkeyEvents events_;
};

class WidgetGenerator final : public Generator {
 public:
  explicit WidgetGenerator(StrategyContext& context)
      : context_(context), rng_(context.options.seed), texts_(context.options.texts, context.options.seed) {}

  Event draw(const Situation& now) override {
    auto all = context_.possible(now.screen());
    if (all.empty()) return Key{key::back};
    Possible chosen = std::move(all[rng_.below(all.size())]);
    texts_.fill(chosen, now.screen());
    return std::move(chosen.event);
  }

 private:
  StrategyContext& context_;
  Rng rng_;
  Texts texts_;
};

}  // namespace

std::unique_ptr<Generator> make_monkey_generator(StrategyContext& context) {
  return std::make_unique<MonkeyGenerator>(context.options.seed);
}

std::unique_ptr<Generator> make_widget_generator(StrategyContext& context) {
  return std::make_unique<WidgetGenerator>(context);
}

std::unique_ptr<Generator> make_generator(StrategyContext& context) {
  return context.options.travel.generator == TravelOptions::Generator::widgets
             ? make_widget_generator(context)
             : make_monkey_generator(context);
}

}  // namespace norn
