// Suites for tests: random walks over what a screen offers, with restarts now and then, as a simple generator
// makes them.
#pragma once

#include <vector>

#include "base/rng.h"
#include "gui/target.h"
#include "replay/replay.h"

namespace norn::testing {

class RandomWalk final : public Chooser {
 public:
  RandomWalk(std::uint64_t seed, std::uint64_t events, double restart = 0.1)
      : rng_(seed), events_(events), restart_(restart) {}

  Choice next(const Place& here) override {
    const bool end = here.events >= events_;
    const bool away = here.seen.screen.kind != Screen::Kind::app;
    if (end || here.crashed || away || rng_.chance(restart_)) {
      if (here.node != here.history.root()) ends.push_back(here.node);
      if (end) return Enough{};
      return Restart{};
    }
    return Do{pick(here.seen.screen)};
  }

  std::vector<NodeId> ends;  ///< where each trace ended

 private:
  Event pick(const Screen& screen) {
    std::vector<Event> all{Key{key::back}};
    for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
      const Widget& w = screen.widgets[i];
      if (!w.is(Flag::enabled)) continue;
      const auto target = [&] { return make_target(screen, i); };
      if (w.is(Flag::editable))
        all.emplace_back(Type{target(), w.bounds.center(), rng_.chance(0.5) ? "milk" : "7"});
      else if (w.is(Flag::clickable) || w.is(Flag::checkable))
        all.emplace_back(Tap{target(), w.bounds.center()});
      if (w.is(Flag::long_clickable)) all.emplace_back(LongPress{target(), w.bounds.center()});
    }
    return all[rng_.below(all.size())];
  }

  Rng rng_;
  std::uint64_t events_;
  double restart_;
};

}  // namespace norn::testing
