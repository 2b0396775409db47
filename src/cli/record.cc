// norn record: a person chooses the events, in the terminal, on any device. The driving loop is everybody's;
// only the chooser is a person.
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "device/sim/truth_event.h"
#include "formats/trace_json.h"
#include "gui/target.h"

namespace norn::cli {
namespace {

constexpr std::string_view help =
    "  3        tap widget 3          l 3      long press          t 3 some text   type into it\n"
    "  s 3 up   swipe (up down left right)     b back   h home   m menu   r 1 rotate   w 2000 wait\n"
    "  launch   bring the app back             system NAME      u  undo (time travel)   q  quit and keep the "
    "trace\n"
    "  or an event in words: tap save   tap \"Pay rent\"   tap 540,300   drag 100,200 500,200   "
    "(docs/sim-apps.md)";

/// Lines of standard input, waited for in such a way that Ctrl-C need not wait for Enter.
class Lines {
 public:
  /// None: there are no more, or asked to stop.
  std::optional<std::string> next(const std::stop_token& stop) {
    for (;;) {
      if (const auto end = got_.find('\n'); end != std::string::npos) return take(end, end + 1);
      if (stop.stop_requested()) return std::nullopt;
      if (!wait()) continue;
      char bytes[4096];
      const ssize_t n = ::read(STDIN_FILENO, bytes, sizeof bytes);
      if (n > 0) got_.append(bytes, static_cast<std::size_t>(n));
      if (n <= 0) return got_.empty() ? std::nullopt : take(got_.size(), got_.size());
    }
  }

 private:
  static bool wait() {
    constexpr int ms = 100;
    pollfd in{STDIN_FILENO, POLLIN, 0};
    return ::poll(&in, 1, ms) > 0;
  }
  std::optional<std::string> take(std::size_t length, std::size_t and_its_end) {
    std::string line = got_.substr(0, length);
    got_.erase(0, and_its_end);
    return line;
  }
  std::string got_;
};

bool can_be_touched(const Widget& w) {
  return w.is(Flag::enabled) && (w.is(Flag::clickable) || w.is(Flag::long_clickable) ||
                                 w.is(Flag::checkable) || w.is(Flag::editable) || w.is(Flag::scrollable));
}

class Person final : public Chooser {
 public:
  Person(Output& out, std::stop_token stop) : out_(out), stop_(std::move(stop)) {}

  Choice next(const Place& here) override {
    if (!here.arrived) out_.warning("could not go back there; this is where the app is now");
    show(here);
    for (;;) {
      std::cerr << "> " << std::flush;
      const auto line = lines_.next(stop_);
      if (!line) return Enough{};
      if (auto choice = parse(trim(*line), here)) return *choice;
      const auto said = in_words(trim(*line), here);
      if (said) return *said;
      std::cerr << fmt::format("{}\n{}\n", printable(said.error().what), help);
    }
  }
  void saw(const Place& here, const Appended&) override {
    if (here.crashed) out_.warning("crashed: " + headline(*here.seen.crash));
  }

 private:
  void show(const Place& here) const {
    const Screen& screen = here.seen.screen;
    std::cerr << fmt::format("\n[{}] {} events\n", printable(screen.activity), here.history.depth(here.node));
    if (here.crashed) std::cerr << "  the app has crashed: u goes back, q keeps the trace\n";
    for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
      const Widget& w = screen.widgets[i];
      if (can_be_touched(w))
        std::cerr << fmt::format("  {:3}  {} \"{}\" {}\n", i, printable(after_last(w.cls, '.')),
                                 printable(label(screen, i)), printable(after_last(w.id, '/')));
      else if (!w.text.empty())
        std::cerr << fmt::format("       {}\n", printable(w.text));
    }
  }

  static std::optional<std::size_t> widget(std::string_view text, const Screen& screen) {
    const auto n = to_int(trim(text));
    if (!n || *n < 0 || static_cast<std::size_t>(*n) >= screen.widgets.size()) return std::nullopt;
    return static_cast<std::size_t>(*n);
  }
  static Event tap(const Screen& screen, std::size_t i) {
    return Tap{make_target(screen, i), screen.widgets[i].bounds.center()};
  }

  static std::optional<Choice> parse(std::string_view line, const Place& here) {
    const Screen& screen = here.seen.screen;
    const auto space = line.find(' ');
    const std::string_view word = line.substr(0, space), rest = space == std::string_view::npos
                                                                    ? std::string_view{}
                                                                    : trim(line.substr(space + 1));
    if (word == "q") return Enough{};
    if (word == "u") {
      const NodeId back = here.history.parent(here.node);
      return GoTo{back ? back : here.node};
    }
    if (here.crashed) return std::nullopt;
    if (word == "b") return Do{Key{key::back}};
    if (word == "h") return Do{Key{key::home}};
    if (word == "m") return Do{Key{key::menu}};
    if (line == "launch") return Do{Launch{}};
    if (word == "r") return numbered<Rotate>(rest, 1, 3);
    if (word == "w") return numbered<Wait>(rest, 1000, 600'000);
    if (const auto i = widget(word, screen)) return Do{tap(screen, *i)};
    return parse_aimed(word, rest, screen);
  }
  /// An event that is said by a number from 0 to `most`; none: it is no such number.
  template <class Said>
  static std::optional<Choice> numbered(std::string_view rest, std::int64_t usual, std::int64_t most) {
    const auto n = rest.empty() ? std::optional(usual) : to_int(rest);
    if (!n || *n < 0 || *n > most) return std::nullopt;
    return Do{Said{static_cast<std::int32_t>(*n)}};
  }
  static bool is_on(const Screen& screen, Point at) {
    return screen.width <= 0 || (at.x >= 0 && at.y >= 0 && at.x < screen.width && at.y < screen.height);
  }
  static Result<Choice> in_words(std::string_view line, const Place& here) {
    const Screen& screen = here.seen.screen;
    if (here.crashed) return fail(Error::Kind::bad_input, "the app has crashed: only u and q are left");
    if (to_int(line))
      return fail(Error::Kind::not_found, fmt::format("there is no widget {} on this screen", line));
    NORN_TRY(Event event, sim::parse_event(line, screen.package));
    const Target* target = target_of(event);
    if (target && !target->empty() && !std::holds_alternative<Found>(resolve(*target, screen)))
      return fail(Error::Kind::not_found, "there is no such widget on this screen, or there are several");
    if (const auto* tap = std::get_if<Tap>(&event); tap && tap->target.empty() && !is_on(screen, tap->at))
      return fail(Error::Kind::bad_input,
                  fmt::format("the screen ends at {},{}", screen.width - 1, screen.height - 1));
    return Do{std::move(event)};
  }
  static std::optional<Choice> parse_aimed(std::string_view word, std::string_view rest,
                                           const Screen& screen) {
    const auto space = rest.find(' ');
    const auto i = widget(rest.substr(0, space), screen);
    if (!i) return std::nullopt;
    const std::string_view more =
        space == std::string_view::npos ? std::string_view{} : trim(rest.substr(space + 1));
    const Target target = make_target(screen, *i);
    const Point at = screen.widgets[*i].bounds.center();
    if (word == "l") return Do{LongPress{target, at}};
    if (word == "t" && screen.widgets[*i].is(Flag::editable)) return Do{Type{target, at, std::string(more)}};
    if (word != "s") return std::nullopt;
    for (const auto& [name, direction] : {std::pair{"up", Direction::up},
                                          {"down", Direction::down},
                                          {"left", Direction::left},
                                          {"right", Direction::right}})
      if (more == name) return Do{Swipe{target, direction, at, at}};
    return std::nullopt;
  }

  Lines lines_;
  Output& out_;
  std::stop_token stop_;
};

class Record final : public Command {
 public:
  void declare(Options& options) override {
    device_.declare(options);
    options.text(out_file_, "--out", "Also write the trace to this file (a set-up for --setup, say)");
    options.flag(force_, "--force", "Overwrite --out");
  }

  Result<Exit> run(Output& out) override {
    if (!out_file_.empty()) NORN_CHECK(may_write(out_file_, force_));
    NORN_TRY(const auto session, Session::open(device_, "record", out));
    Person person(out, interruption());
    NORN_TRY(const NodeId end, session->replay().walk(session->tree().root(), person, {}, interruption()));
    const auto events = session->tree().depth(end);
    JsonOut json{{"trace", nullptr}, {"events", events}, {"crashes", JsonOut::array()}};
    std::string said = "nothing was recorded";
    if (events > 0) {
      NORN_TRY(const TraceId id, session->keep_trace(end, "recorded by a person"));
      if (!out_file_.empty()) NORN_CHECK(write_file(out_file_, write_trace(session->tree().trace(end))));
      json["trace"] = id_text('t', id.value);
      said = fmt::format("kept as {} ({}){}", id_text('t', id.value), counted(events, "event"),
                         out_file_.empty() ? "" : "; wrote " + out_file_);
    } else if (!out_file_.empty()) {
      said += "; " + out_file_ + " was not written";
    }
    out.line(said);
    for (const FoundId crash : session->crashes()) json["crashes"].push_back(id_text('c', crash.value));
    json["made_by"] = made_by_json(session->made_by());
    json["effort"] = effort_json(session->spent());
    out.object(dump_line(json));
    NORN_CHECK(session->finish("record", dump_line(json), counted(events, "event")));
    return interruption().stop_requested() ? Exit::interrupted : Exit::done;
  }

 private:
  DeviceOptions device_;
  std::string out_file_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_record() { return std::make_unique<Record>(); }

}  // namespace norn::cli
