// Two ways to the same log: the lines that an app's handlers write (Themis), and matchers that look only at
// events and screens. On the bundled apps both exist, and both must give the same figures for every crash
// bug.
#include <gtest/gtest.h>

#include <regex>

#include "device/open.h"
#include "device/sim/bundled.h"
#include "device/sim/truth.h"
#include "diagnose/analysis.h"
#include "diagnose/events.h"
#include "gui/target.h"
#include "replay/lowering.h"

namespace norn {
namespace {

/// The matchers that say the same as an app's `themis` table.
EventFile matchers_of(const std::string& source) {
  std::smatch package;
  std::regex_search(source, package, std::regex(R"re(package = "([^"]+)")re"));
  EventFile out;
  const std::regex entry(R"re(\{ n = (\d+),([^}]*)\})re");
  for (std::sregex_iterator at(source.begin(), source.end(), entry), end; at != end; ++at) {
    const std::string fields = (*at)[2];
    const auto field = [&](const std::string& name) -> std::string {
      std::smatch found;
      return std::regex_search(fields, found, std::regex(name + R"re( = "([^"]*)")re")) ? found[1].str() : "";
    };
    EventPattern pattern;
    pattern.label = (*at)[1];
    const std::string kind = field("kind");
    pattern.manner.kind = kind == "long" ? "long-press" : kind == "back" || kind == "menu" ? "key" : kind;
    if (pattern.manner.kind == "key") pattern.manner.key = kind;
    if (!field("id").empty())
      pattern.id = *TextPattern::make("^" + package[1].str() + ":id/" + field("id") + "$");
    if (!field("activity").empty())
      pattern.activity = *TextPattern::make("(^|[./])" + field("activity") + "$");
    out.patterns.push_back(std::move(pattern));
    out.events[(*at)[1]];
  }
  return out;
}

/// What would be typed goes into a text field, not into something else with the same id.
bool takes(const Event& event, const Screen& screen) {
  const Target* target = target_of(event);
  if (!std::holds_alternative<Type>(event) || target == nullptr || target->empty()) return true;
  const Resolution found = resolve(*target, screen);
  const auto* one = std::get_if<Found>(&found);
  return one != nullptr && screen.widgets[one->widget].is(Flag::editable);
}

/// Something to do here: what the bug needs next, or anything at all.
std::optional<Event> choose(const Screen& screen, const std::vector<Event>& trace, std::size_t& next,
                            Rng& rng) {
  if (next < trace.size() && rng.chance(0.7) && lower(trace[next], screen, Missing::stop) &&
      takes(trace[next], screen))
    return trace[next++];
  if (rng.chance(0.1)) return Key{key::back};
  if (rng.chance(0.04)) return Key{key::menu};
  if (rng.chance(0.04)) return Rotate{static_cast<std::int32_t>(rng.below(2))};
  std::vector<std::size_t> touchable;
  for (std::size_t w = 0; w < screen.widgets.size(); ++w)
    if (screen.widgets[w].is(Flag::clickable) || screen.widgets[w].is(Flag::editable)) touchable.push_back(w);
  if (touchable.empty()) return Key{key::back};
  const std::size_t w = touchable[rng.below(touchable.size())];
  const Point at = screen.widgets[w].bounds.center();
  if (widget_at(screen, at) != w) return std::nullopt;  // something lies over it
  if (screen.widgets[w].is(Flag::editable))
    return Type{make_target(screen, w), at, rng.chance(0.5) ? "12" : "x"};
  if (rng.chance(0.2)) return LongPress{make_target(screen, w), at};
  return Tap{make_target(screen, w), at};
}

Trace run(OpenedDevice& on, const std::vector<Event>& trace, std::size_t steps, Rng& rng) {
  Trace out;
  EXPECT_TRUE(on.device->start(on.app, 1));
  out.start = *on.device->observe();
  std::size_t next = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    const Screen before = out.steps.empty() ? out.start->screen : out.steps.back().seen.screen;
    const auto event = choose(before, trace, next, rng);
    const auto lowered = event ? lower(*event, before, Missing::stop) : std::nullopt;
    if (!lowered) continue;
    EXPECT_TRUE(on.device->perform(lowered->action, Pace{}));
    out.steps.push_back({lowered->as, *on.device->observe()});
    if (out.steps.back().seen.crash) break;
  }
  return out;
}

std::vector<Label> codes(const Trace& trace, const Bug& bug, const EventFile& file) {
  std::vector<Label> out;
  const Alphabet alphabet(bug.dfa.labels);
  label_trace(trace, alphabet, file, [&](const LabelBatch& batch) {
    for (const Label code : batch.codes)
      if (code < bug.labels() || code == signal::crash) out.push_back(code);
  });
  return out;
}

RunResult figures(const Bug& bug, const std::vector<Label>& log) {
  Analyser analyser(bug);
  analyser.feed({log, {}});
  return analyser.finish().front();
}

/// Where the two ways part, for whoever has to find out why.
std::string told(const Trace& trace, const Bug& bug, const EventFile& matchers) {
  std::string out;
  Trace one;
  one.start = trace.start;
  for (const Step& step : trace.steps) {
    one.steps = {step};
    if (codes(one, bug, {}) != codes(one, bug, matchers)) out += "\n  " + describe(step.event);
    one.start = step.seen;
  }
  return out;
}

/// The handler lines of the bug's own trace, one state after another, with a loop at each for what is done
/// again.
std::optional<Nfa> chain(const Trace& trace) {
  Nfa nfa;
  nfa.states.push_back({.name = "0", .initial = true});
  const std::regex line(R"(Event (\d+):.*)");
  for (const Step& step : trace.steps)
    for (const std::string& text : step.seen.log)
      if (std::smatch found; std::regex_match(text, found, line)) {
        const auto from = static_cast<std::uint32_t>(nfa.states.size() - 1);
        nfa.states.push_back({.name = std::to_string(from + 1)});
        nfa.transitions.push_back({from, from + 1, found[1]});
        nfa.transitions.push_back({from, from, found[1]});
      }
  if (nfa.states.size() == 1) return std::nullopt;
  nfa.states.back().final = true;
  return nfa;
}

class Handlers : public ::testing::TestWithParam<std::string> {};

TEST_P(Handlers, AndMatchersAgreeOnEveryCrashBug) {
  const std::string app = GetParam();
  std::string source;
  for (const auto& file : sim::bundled_sources())
    if (file.name == app + ".lua") source = file.text;
  const EventFile matchers = matchers_of(source), handlers;
  ASSERT_FALSE(matchers.patterns.empty());
  const auto truth = sim::load_truth(app);
  ASSERT_TRUE(truth);
  auto on = open_device("sim:" + app);
  ASSERT_TRUE(on);
  std::size_t compared = 0, with_events = 0;
  for (const auto& known : truth->bugs) {
    if (known.kind != sim::KnownBug::Kind::crash || !known.device.empty()) continue;
    Rng rng(11);
    Trace own;  // the bug's trace as it is
    ASSERT_TRUE(on->device->start(on->app, 1));
    own.start = *on->device->observe();
    for (const Event& event : known.events) {
      const Screen before = own.steps.empty() ? own.start->screen : own.steps.back().seen.screen;
      const auto lowered = lower(event, before, Missing::stop);
      if (!lowered) break;
      ASSERT_TRUE(on->device->perform(lowered->action, Pace{}));
      own.steps.push_back({lowered->as, *on->device->observe()});
    }
    const auto nfa = chain(own);
    if (!nfa) continue;  // no handler of this trace is instrumented
    const auto bug = make_bug(known.id, *nfa);
    ASSERT_TRUE(bug);
    for (int k = 0; k < 6; ++k) {
      const Trace trace = k == 0 ? own : run(*on, known.events, 60, rng);
      const auto logged = codes(trace, *bug, handlers), matched = codes(trace, *bug, matchers);
      const RunResult a = figures(*bug, logged), b = figures(*bug, matched);
      EXPECT_EQ(logged, matched) << known.id << " run " << k << told(trace, *bug, matchers);
      EXPECT_EQ(a.ec, b.ec) << known.id;
      EXPECT_EQ(a.epc, b.epc) << known.id;
      EXPECT_EQ(a.md, b.md) << known.id;
      EXPECT_EQ(a.found, b.found) << known.id;
      EXPECT_TRUE(k > 0 || a.md == 0U) << known.id;
      with_events += a.events;
      ++compared;
    }
  }
  EXPECT_GT(compared, 0U);
  EXPECT_GT(with_events, compared);
}
INSTANTIATE_TEST_SUITE_P(EveryApp, Handlers,
                         ::testing::Values("cards", "dice", "files", "lending", "mail", "notes", "photosync",
                                           "prefs", "ringtone", "shop", "tips", "weight"),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace norn
