#include "formats/simplydroid.h"

#include <algorithm>

#include "base/text.h"
#include "formats/monkey.h"
#include "formats/stack_text.h"

namespace norn {
namespace {

struct Place {
  std::string_view package, activity;
};

struct Execution {
  std::vector<Place> places;  ///< one an event: where it was received
  std::optional<Crash> crash;
};

/// "12;MonkeyTouchEvent;org.app;org.app.Main;1"
struct Injected {
  std::string_view kind;
  Place place;
};
std::optional<Injected> parse_injected(std::string_view line) {
  const auto parts = split(trim(line), ';');
  if (parts.size() < 4 || !to_int(parts[0]) || !parts[1].starts_with("Monkey")) return std::nullopt;
  return Injected{parts[1], {parts[2], parts[3]}};
}

/// The stack is one line; its ends are written as "$$ ", and each begins with Monkey's "// ".
std::optional<Crash> parse_crash(std::string_view text) {
  StackText stack;
  std::optional<Crash> out;
  while (!text.empty() && !out) {
    const auto end = text.find("$$ ");
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 3);
    if (line.ends_with("$$")) line.remove_suffix(2);
    if (trim(line).starts_with("//")) line = trim(line).substr(2);
    out = stack.line(line);
  }
  if (!out) out = stack.finish();
  return out;
}

Execution parse_execution(std::string_view text) {
  Execution out;
  Place last;
  for (const auto line : lines(text)) {
    if (const auto injected = parse_injected(line)) {
      if (injected->kind == "MonkeyThrottleEvent")
        out.places.push_back(last.package.empty() ? injected->place : last);
      last = injected->place;
      if (injected->kind == "MonkeyThrottleEvent") last = {};
    } else if (trim(line).starts_with("// CRASH:") && !out.crash) {
      // A crash is one even if its stack should have no frame: the head says so.
      out.crash = parse_crash("CRASH: $$ " + std::string(trim(trim(line).substr(9))));
    }
  }
  return out;
}

Screen screen_at(const Place& place) {
  Screen out;
  out.kind = Screen::Kind::unseen;
  out.package = place.package;
  out.activity = place.activity;
  return out;
}

}  // namespace

bool is_simplydroid_execution(std::string_view bytes) {
  const std::string text = to_utf8(bytes.substr(0, 4096));
  const auto all = lines(text);
  return !all.empty() && parse_injected(all.front()).has_value();
}

Result<Trace> parse_simplydroid(std::string_view script, std::string_view execution,
                                std::string_view folder) {
  NORN_TRY(MonkeyScript read, parse_monkey_script(script, std::string(folder) + "/script.log"));
  const std::string text = to_utf8(execution);
  const Execution run = parse_execution(text);
  const std::size_t n = std::min(read.events.size(), run.places.size());
  if (n == 0)
    return fail(Error::Kind::bad_input, "execute.log tells of no event", std::string(folder),
                "its lines should read n;MonkeyTouchEvent;package;activity;code");
  Trace out;
  out.origin = folder;
  for (std::size_t i = 0; i < n; ++i) {
    Step step{std::move(read.events[i]), {}};
    step.seen.screen = screen_at(run.places[std::min(i + 1, run.places.size() - 1)]);
    step.seen.settled = false;
    out.steps.push_back(std::move(step));
  }
  out.steps.back().seen.crash = run.crash;
  return out;
}

}  // namespace norn
