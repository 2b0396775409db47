// What Monkey prints, a line at a time. It speaks of three things at once: what it injects, in which activity,
// and which crash or ANR it was told of; a crash is of the event before it. What becomes no event is counted.
#include <algorithm>

#include "base/text.h"
#include "formats/monkey.h"
#include "formats/monkey_gesture.h"
#include "formats/stack_text.h"
#include "formats/tombstone_text.h"

namespace norn {
namespace {

constexpr std::string_view run_mark = ":Monkey: seed=";

std::optional<std::string_view> after(std::string_view line, std::string_view head) {
  if (!line.starts_with(head)) return std::nullopt;
  return line.substr(head.size());
}

/// The word that follows `key` in `line`, up to a blank or one of `ends`.
std::string_view word_after(std::string_view line, std::string_view key, std::string_view ends = " ") {
  const auto at = line.find(key);
  if (at == line.npos) return {};
  const std::string_view rest = line.substr(at + key.size());
  return rest.substr(0, rest.find_first_of(ends));
}

/// "org.app/.Main" -> package and full activity.
Launch component(std::string_view text) {
  const auto slash = text.find('/');
  Launch out{std::string(text.substr(0, slash)), {}};
  if (slash == text.npos) return out;
  out.activity = text.substr(slash + 1);
  if (out.activity.starts_with('.')) out.activity = out.package + out.activity;
  return out;
}

/// All "n:(x,y)" of a line. A pair of numbers is short: what does not end soon is none, and is not looked
/// through to the end of the line.
std::vector<Point> pointers(std::string_view text) {
  constexpr std::size_t longest = 64;
  std::vector<Point> out;
  for (auto open = text.find(":("); open != text.npos && out.size() < 16; open = text.find(":(", open + 1)) {
    const std::string_view ahead = text.substr(open + 2, longest);
    const std::string_view inside = ahead.substr(0, ahead.find(')'));
    if (inside.size() == ahead.size()) continue;
    const auto comma = inside.find(',');
    const auto x = to_double(inside.substr(0, comma));
    const auto y = comma == inside.npos ? std::nullopt : to_double(inside.substr(comma + 1));
    if (x && y) out.push_back({to_pixel(*x), to_pixel(*y)});
  }
  return out;
}

/// Reads one run, line by line.
class MonkeyRunReader {
 public:
  explicit MonkeyRunReader(std::string_view head) {
    const auto seed = word_after(head, "seed=");
    if (const auto number = to_int(seed)) out_.seed = static_cast<std::uint64_t>(*number);
    out_.asked = to_int(word_after(head, "count=")).value_or(0);
  }

  void line(std::string_view text) {
    text = trim(text);
    if (said_ && crash_line(text)) return;
    if (text.starts_with("// CRASH: ")) return begin_crash(text.substr(3));
    if (const auto who = after(text, "// NOT RESPONDING: ")) return begin_anr(*who);
    if (anr_ && anr_line(text)) return;
    if (over_) return ending(text);
    if (const auto what = after(text, ":Sending ")) return sending(*what);
    if (const auto intent = after(text, ":Switch: ")) {
      const auto name = word_after(*intent, "component=", "; ");
      if (name.empty()) return count("switch without a component");
      return event(component(name));
    }
    tell(text);
  }

  MonkeyRun finish() {
    if (gesture_.is_down()) event(gesture_.up());
    end_crash();
    end_anr();
    return std::move(out_);
  }

 private:
  // ---- events ----

  void event(Event event) {
    Step step{std::move(event), {}};
    step.seen.screen.kind = Screen::Kind::unseen;
    step.seen.screen.package = where_.package;
    step.seen.screen.activity = where_.activity;
    step.seen.settled = false;
    out_.trace.steps.push_back(std::move(step));
  }

  void count(const char* what) { ++out_.left_out[what]; }

  void sending(std::string_view what) {
    if (what.starts_with("Touch (ACTION_")) return touch(what.substr(14));
    if (const auto key = after(what, "Key (ACTION_")) return press(*key);
    if (const auto turn = after(what, "rotation degree=")) {
      const auto degree = to_int(turn->substr(0, turn->find(',')));
      return degree && *degree >= 0 && *degree < 4 ? event(Rotate{static_cast<std::int32_t>(*degree)})
                                                   : count("rotation");
    }
    if (what.starts_with("Trackball")) return count("trackball");
    if (what.starts_with("Flip")) return count("flip");
    count("other");
  }

  void touch(std::string_view what) {
    const std::vector<Point> at = pointers(what);
    if (at.empty()) return count("unreadable");
    if (what.starts_with("DOWN")) {
      if (gesture_.is_down()) event(gesture_.up());
      gesture_.down(at[0]);
      return;
    }
    if (!gesture_.is_down()) return count("touch without a down");
    if (at.size() > 1)
      gesture_.two(at[0], at[1]);
    else
      gesture_.move(at[0]);
    if (what.starts_with("UP")) event(gesture_.up());
  }

  void press(std::string_view what) {
    const auto colon = what.find(": ");
    const auto code = colon == what.npos ? std::nullopt : to_int(word_after(what.substr(colon), ": "));
    if (!code || *code < 0 || *code > 100'000) return count("unreadable");
    if (what.starts_with("DOWN")) event(Key{static_cast<std::int32_t>(*code)});
  }

  // ---- what Monkey tells beside them ----

  void tell(std::string_view text) {
    if (const auto package = after(text, ":AllowPackage: ")) out_.packages.emplace_back(trim(*package));
    if (text.starts_with("// Allowing start of Intent")) {
      if (const auto name = word_after(text, "cmp=", " }"); !name.empty()) seen_at(component(name));
    }
    if (const auto package = after(text, "// activityResuming(")) {
      const auto name = package->substr(0, package->find(')'));
      if (name != where_.package) seen_at({std::string(name), {}});
    }
    if (text.starts_with("// Injection Failed")) count("injection failed");
    if (text.starts_with("// Rejecting start")) count("start rejected");
    if (text.starts_with("Events injected:")) {
      over_ = true;
      out_.injected = to_int(trim(text.substr(16)));
    }
    if (text.starts_with("** Monkey aborted")) out_.aborted = true;
  }

  /// After "Events injected" Monkey tidies up: no events any more.
  void ending(std::string_view text) {
    if (text.starts_with("// Monkey finished")) out_.finished = true;
    if (text.starts_with("** Monkey aborted")) out_.aborted = true;
    const auto dropped = after(text, ":Dropped: ");
    if (!dropped) return;
    for (const auto word : split(trim(*dropped), ' ')) {
      const auto equals = word.find('=');
      const auto number = equals == word.npos ? std::nullopt : to_int(word.substr(equals + 1));
      if (number) out_.dropped[std::string(word.substr(0, equals))] += *number;
    }
  }

  void seen_at(Launch where) {
    where_ = std::move(where);
    if (out_.trace.steps.empty()) return;
    out_.trace.steps.back().seen.screen.package = where_.package;
    out_.trace.steps.back().seen.screen.activity = where_.activity;
  }

  // ---- crashes ----

  void begin_crash(std::string_view head) {
    if (gesture_.is_down()) event(gesture_.up());
    end_crash();
    said_.emplace().process = trim(word_after(head, "CRASH: ", " ("));
    said_->chain.emplace_back().type = "crash";
    stack_ = StackText();
    stack_.line(head);
  }

  bool crash_line(std::string_view text) {
    if (!text.starts_with("//") || text.starts_with("// CRASH: ") || text.starts_with("// Monkey finished"))
      return end_crash(), false;
    const std::string_view body = trim(text.substr(2));
    if (!tombstone_.open() && summary_line(body)) return true;
    if (TombstoneText::begins(body)) stack_ = StackText();  // its stack is not Java's
    auto done = tombstone_.line(body);
    if (!done && !tombstone_.open()) done = stack_.line(text.substr(2));
    if (done) keep_of_crash(*std::move(done));
    return true;
  }

  /// What Monkey says of every crash, before the stack if there is one.
  bool summary_line(std::string_view body) {
    Thrown& thrown = said_->chain[0];
    if (const auto what = after(body, "Short Msg: ")) {
      thrown.type = trim(*what);
      if (thrown.type == "Native crash") said_->kind = Crash::Kind::native;
      return true;
    }
    if (const auto what = after(body, "Long Msg: ")) return thrown.message = trim(*what), true;
    return body.starts_with("Build ");
  }

  void end_crash() {
    if (!said_) return;
    auto crash = tombstone_.open() ? tombstone_.finish() : stack_.finish();
    if (crash) keep_of_crash(*std::move(crash));
    if (!stack_told_) keep(*std::move(said_));
    said_.reset();
    stack_told_ = false;
  }

  void keep_of_crash(Crash crash) {
    if (crash.process.empty()) crash.process = said_->process;
    stack_told_ = true;
    keep(std::move(crash));
  }

  void begin_anr(std::string_view who) {
    if (gesture_.is_down()) event(gesture_.up());
    end_anr();
    anr_.emplace().kind = Crash::Kind::anr;
    anr_->process = trim(who.substr(0, who.find_first_of(" (")));
    anr_->chain.emplace_back().type = "ANR";
    anr_lines_ = 0;
  }

  bool anr_line(std::string_view text) {
    if (const auto reason = after(text, "Reason: ")) {
      anr_->chain[0].message = trim(*reason);
      return end_anr(), true;
    }
    if (text.starts_with(':') || text.starts_with("**") || ++anr_lines_ > 20) return end_anr(), false;
    return true;
  }

  void end_anr() {
    if (anr_) keep(*std::move(anr_));
    anr_.reset();
  }

  /// Onto the last step; a crash before the first event belongs to the start.
  void keep(Crash crash) {
    ++out_.crashes;
    if (out_.trace.steps.empty() && !out_.trace.start)
      out_.trace.start.emplace().screen.kind = Screen::Kind::unseen;
    keep_distinct(std::move(crash),
                  out_.trace.steps.empty() ? *out_.trace.start : out_.trace.steps.back().seen, out_.more);
  }

  MonkeyRun out_;
  PointerGesture gesture_;
  Launch where_;
  bool over_ = false;
  std::optional<Crash> said_;  ///< of the crash that is being read: all that its head and summary tell
  bool stack_told_ = false;    ///< a stack of it was read, which tells more
  StackText stack_;
  TombstoneText tombstone_;
  std::optional<Crash> anr_;
  int anr_lines_ = 0;
};

}  // namespace

bool is_monkey_log(std::string_view bytes) {
  return to_utf8(bytes.substr(0, 64 * 1024)).find(run_mark) != std::string::npos;
}

Result<std::vector<MonkeyRun>> parse_monkey_log(std::string_view bytes, std::string_view file,
                                                const std::stop_token& stop) {
  const std::string text = to_utf8(bytes);
  std::vector<MonkeyRun> out;
  std::optional<MonkeyRunReader> run;
  for (const auto line : lines(text)) {
    if (stop.stop_requested())
      return fail(Error::Kind::cancelled, "asked to stop while it was read", std::string(file));
    const auto head = line.find(run_mark);
    if (head != line.npos) {
      if (run) out.push_back(run->finish());
      run.emplace(line.substr(head));
    } else if (run) {
      run->line(line);
    }
  }
  if (run) out.push_back(run->finish());
  if (out.empty())
    return fail(Error::Kind::bad_input, "this is no output of Monkey: there is no \":Monkey: seed=\" line",
                std::string(file), "run monkey with -v and keep all it prints");
  return out;
}

}  // namespace norn
