// The other way to every answer, for tests: a plain cold replay that knows neither tree nor service nor
// snapshot; and event lists such as techniques ask about.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "device/device.h"
#include "gui/target.h"
#include "replay/lowering.h"

namespace norn::testing {

struct Plain {
  bool diverged = false, crashed = false, finished = false;
  Screen screen;
  std::optional<Crash> crash;
};

/// REQUIRES: the device does not fail.
inline Plain plain_replay(Device& device, const App& app, const std::vector<Event>& events, Missing missing,
                          Nonce nonce = 5) {
  Plain out;
  (void)device.start(app, nonce);
  auto seen = device.observe();
  std::size_t i = 0;
  for (; i < events.size() && !seen->crash; ++i) {
    const auto lowered = lower(events[i], seen->screen, missing);
    if (!lowered && missing == Missing::skip) continue;
    if (!lowered) {
      out.diverged = true;
      break;
    }
    (void)device.perform(lowered->action, Pace{});
    seen = device.observe();
  }
  out.crashed = seen->crash.has_value();
  out.crash = seen->crash;
  out.finished = i == events.size();
  out.screen = std::move(seen->screen);
  return out;
}

/// What the service should say.
inline bool expected(const Watch& watch, const Plain& run) {
  if (run.diverged) return false;
  if (std::holds_alternative<AnyCrash>(watch)) return run.crashed;
  if (!run.finished || run.crashed) return false;
  if (const auto* reaches = std::get_if<Reaches>(&watch))
    return abstract(run.screen, reaches->abstraction) == reaches->state;
  return std::holds_alternative<Completes>(watch);
}

/// A random event on what the screen offers.
inline Event random_event(Rng& rng, const Screen& screen) {
  std::vector<std::size_t> touchable;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if (screen.widgets[i].is(Flag::enabled) &&
        (screen.widgets[i].is(Flag::clickable) || screen.widgets[i].is(Flag::editable)))
      touchable.push_back(i);
  const std::size_t dice = rng.below(20);
  if (dice == 0 || touchable.empty()) return Key{key::back};
  if (dice == 1) return Rotate{static_cast<std::int32_t>(rng.below(2))};
  if (dice == 2) return Launch{};
  const std::size_t i = touchable[rng.below(touchable.size())];
  const Point at = screen.widgets[i].bounds.center();
  if (screen.widgets[i].is(Flag::editable) && rng.chance(0.7))
    return Type{make_target(screen, i), at, std::to_string(rng.below(50))};
  if (screen.widgets[i].is(Flag::long_clickable) && rng.chance(0.3))
    return LongPress{make_target(screen, i), at};
  return Tap{make_target(screen, i), at};
}

/// A random walk as an event list.
inline std::vector<Event> random_walk(Rng& rng, Device& device, const App& app, std::size_t length) {
  std::vector<Event> events;
  (void)device.start(app, 1);
  auto seen = device.observe();
  while (events.size() < length && !seen->crash) {
    const auto lowered = lower(random_event(rng, seen->screen), seen->screen, Missing::point);
    events.push_back(lowered->as);
    (void)device.perform(lowered->action, Pace{});
    seen = device.observe();
  }
  return events;
}

/// Pieces of known walks put together: sub-lists, prefixes, splices. Many share prefixes, as techniques'
/// questions do.
inline std::vector<Event> composed(Rng& rng, const std::vector<std::vector<Event>>& walks) {
  const auto& a = walks[rng.below(walks.size())];
  std::vector<Event> events(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(rng.below(a.size() + 1)));
  if (rng.chance(0.5)) {
    const auto& b = walks[rng.below(walks.size())];
    events.insert(events.end(), b.begin() + static_cast<std::ptrdiff_t>(rng.below(b.size() + 1)), b.end());
  }
  if (rng.chance(0.6))
    std::erase_if(events, [&, p = rng.unit() * 0.5](const Event&) { return rng.chance(p); });
  return events;
}

}  // namespace norn::testing
