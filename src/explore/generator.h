// Where the events of Monkey's strategies and of timemachine come from: the part of the framework that is
// exchanged last.
#pragma once

#include <memory>
#include <string>

#include "explore/strategy.h"

namespace norn {

class Generator {
 public:
  virtual ~Generator() = default;
  virtual Event draw(const Situation& now) = 0;
};

/// Monkey's mix at raw coordinates, without looking.
std::unique_ptr<Generator> make_monkey_generator(StrategyContext& context);
/// Uniform over what the screen offers, fields filled with texts that fit.
std::unique_ptr<Generator> make_widget_generator(StrategyContext& context);
/// The one the options name.
std::unique_ptr<Generator> make_generator(StrategyContext& context);

}  // namespace norn
