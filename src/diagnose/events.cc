#include "diagnose/events.h"

#include <fmt/format.h>

#include <algorithm>

#include "gui/popup.h"
#include "gui/target.h"

namespace norn {
namespace {

/// All that a person could read off a screen to tell it from others.
bool screen_matches(const TextPattern& pattern, const Screen& screen) {
  return pattern.matches(screen.activity) || std::ranges::any_of(screen.widgets, [&](const Widget& w) {
           return pattern.matches(w.id) || pattern.matches(w.text) || pattern.matches(w.desc);
         });
}

bool is_seen(const Screen* screen) { return screen != nullptr && screen->kind != Screen::Kind::unseen; }

/// What is known of the widget an event went to.
struct Touched {
  bool known = false;
  std::string id, cls, text, desc;
  bool enabled = true;              ///< a disabled widget's handlers do not run
  std::optional<std::size_t> at{};  ///< its place on the screen
};

Touched touched(const Event& event, const Screen* before) {
  const Target* target = target_of(event);
  Touched out;
  if (target == nullptr) return out;
  std::optional<std::size_t> widget;
  if (is_seen(before) && !target->empty()) {
    const Resolution found = resolve(*target, *before);
    if (const auto* one = std::get_if<Found>(&found)) widget = one->widget;
  } else if (is_seen(before)) {
    if (const Point* at = point_of(event)) widget = widget_at(*before, *at);
    out.known = true;  // nothing there is an answer too
  }
  if (widget) {
    const Widget& w = before->widgets[*widget];
    return {.known = true,
            .id = w.id,
            .cls = w.cls,
            .text = label(*before, *widget),
            .desc = w.desc,
            .enabled = w.is(Flag::enabled),
            .at = widget};
  }
  if (!target->empty())
    return {.known = true, .id = target->id, .cls = target->cls, .text = target->label, .desc = {}};
  return out;
}

enum class Match : std::uint8_t { no, yes, unproven };

/// Every part must hold; a part that the record cannot show leaves the answer open.
class Matching {
 public:
  Matching(const Step& step, const Screen* before)
      : step_(step),
        before_(before),
        event_(is_seen(before) ? as_taken(step.event, *before) : step.event),
        manner_(manner_of(event_)),
        widget_(touched(step.event, before)),
        known_by_(touched(event_, before)) {}

  Match match(const EventPattern& p) {
    open_ = false;
    if (!is_done_so(p.manner, manner_)) return Match::no;
    if (!widget_.enabled || is_idle_turn() || is_idle_typing()) return Match::no;
    if (p.popup && !is_seen(before_)) open_ = true;
    if (p.popup && is_seen(before_) && is_popup(*before_) != *p.popup) return Match::no;
    if (!p.area.empty() && !is_in(p.area)) return Match::no;
    if (const Point* end = end_of(step_.event);
        !p.ends_in.empty() && (end == nullptr || !p.ends_in.contains(*end)))
      return Match::no;
    if (p.value || p.not_value) {
      const Type* typed = std::get_if<Type>(&step_.event);
      if (typed == nullptr || (p.value && !p.value->matches(typed->text)) ||
          (p.not_value && p.not_value->matches(typed->text)))
        return Match::no;
    }
    const bool holds = on_widget(p.id, {widget_.id, known_by_.id}) &&
                       on_widget(p.cls, {widget_.cls, known_by_.cls}) &&
                       on_widget(p.text, {widget_.text, widget_.desc}) && on_activity(p.activity) &&
                       on_screen(p.screen, before_) && on_screen(p.after, &step_.seen.screen);
    if (!holds || !is_nth(p)) return Match::no;
    return open_ ? Match::unproven : Match::yes;
  }

 private:
  bool fits(const EventPattern& p, std::size_t widget) const {
    const Widget& w = before_->widgets[widget];
    return (!p.id || p.id->matches(w.id)) && (!p.cls || p.cls->matches(w.cls)) &&
           (!p.text || p.text->matches(label(*before_, widget)) || p.text->matches(w.desc));
  }
  /// So many widgets like it stand before it.
  bool is_nth(const EventPattern& p) {
    if (!p.nth) return true;
    if (!is_seen(before_)) return open_ = true;
    for (const auto& at : {widget_.at, known_by_.at}) {
      if (!at || !fits(p, *at)) continue;
      std::int32_t before = 0;
      for (std::size_t w = 0; w < *at; ++w) before += fits(p, w);
      return before == *p.nth;
    }
    return false;
  }
  /// A canvas was touched there, not something that lies over it.
  bool is_in(const Rect& area) const {
    const Point* at = point_of(step_.event);
    const Target* target = target_of(step_.event);
    if (at == nullptr || target == nullptr || !target->empty() || !area.contains(*at)) return false;
    return !is_seen(before_) || widget_at(*before_, *at) == widget_at(*before_, area.center());
  }
  /// A text after which the field shows what it showed before: the same again, or something it does not take.
  bool is_idle_typing() const {
    const Type* typed = std::get_if<Type>(&step_.event);
    if (typed == nullptr || typed->target.empty() || step_.seen.crash) return false;
    if (!is_seen(before_) || !is_seen(&step_.seen.screen)) return false;
    const Resolution was = resolve(typed->target, *before_), is = resolve(typed->target, step_.seen.screen);
    const auto *a = std::get_if<Found>(&was), *b = std::get_if<Found>(&is);
    return a != nullptr && b != nullptr &&
           before_->widgets[a->widget].text == step_.seen.screen.widgets[b->widget].text;
  }
  /// A rotation after which the screen is as it was.
  bool is_idle_turn() const {
    return std::holds_alternative<Rotate>(step_.event) && is_seen(before_) && is_seen(&step_.seen.screen) &&
           !step_.seen.crash && before_->rotation == step_.seen.screen.rotation;
  }
  bool on_widget(const std::optional<TextPattern>& pattern, std::initializer_list<std::string_view> texts) {
    if (!pattern) return true;
    if (target_of(step_.event) == nullptr) return std::holds_alternative<Raw>(step_.event) && (open_ = true);
    if (!widget_.known) return open_ = true;
    return std::ranges::any_of(texts, [&](auto text) { return pattern->matches(text); });
  }
  bool on_activity(const std::optional<TextPattern>& pattern) {
    if (!pattern) return true;
    if (before_ == nullptr || before_->activity.empty()) return open_ = true;
    return pattern->matches(before_->activity);
  }
  bool on_screen(const std::optional<TextPattern>& pattern, const Screen* screen) {
    if (!pattern) return true;
    if (!is_seen(screen)) {
      if (screen != nullptr && pattern->matches(screen->activity)) return true;
      return open_ = true;
    }
    return screen_matches(*pattern, *screen);
  }

  const Step& step_;
  const Screen* before_;
  Event event_;  ///< as it was taken
  Manner manner_;
  Touched widget_, known_by_;
  bool open_ = false;
};

/// The label of a step by the first pattern that surely matches; undecided where only unsure ones do.
std::optional<Label> code_of(const Step& step, const Screen* before, const Alphabet& alphabet,
                             const EventFile& file) {
  Matching matching(step, before);
  bool open = false;
  for (const EventPattern& pattern : file.patterns) {
    const Match match = matching.match(pattern);
    open = open || match == Match::unproven;
    if (match == Match::yes) return alphabet.find(pattern.label).value_or(signal::unknown);
  }
  if (open) return signal::undecided;
  return std::nullopt;
}

/// The step by which another tool's record starts the app, from outside it: by the name of its first page.
const Launch* first_start(const Trace& trace) {
  if (trace.start && trace.start->screen.kind == Screen::Kind::app) return nullptr;
  const auto first = std::ranges::find_if(
      trace.steps, [](const Step& step) { return !std::holds_alternative<System>(step.event); });
  return first == trace.steps.end() ? nullptr : std::get_if<Launch>(&first->event);
}

/// The app is started again, with its data kept: as such, or as it was in the beginning. Another page that is
/// started by its name lies over what was there.
bool is_relaunch(const Event& event, const Launch* start) {
  const auto* launch = std::get_if<Launch>(&event);
  return launch != nullptr &&
         (launch->activity.empty() || (start != nullptr && launch != start && *launch == *start));
}

/// The codes that the handlers' own lines of one step stand for.
std::vector<Label> logged_codes(const Step& step, const Alphabet& alphabet) {
  std::vector<Label> out;
  LogOptions options;
  options.format = LogOptions::Format::handler;
  LogParser parser(alphabet, options, [&](const LabelBatch& batch) {
    out.insert(out.end(), batch.codes.begin(), batch.codes.end());
  });
  for (const std::string& line : step.seen.log) parser.feed(line + "\n");
  parser.finish();
  return out;
}

}  // namespace

bool is_of_another_app(const EventFile& file, std::string_view package) {
  return file.app.find('.') != std::string::npos && !package.empty() && file.app != package;
}

bool has_signature(const Crash& crash, const std::vector<std::string>& parts) {
  std::vector<std::string> lines;
  for (const Thrown& thrown : crash.chain) {
    lines.push_back(thrown.type + ": " + thrown.message);
    for (const Frame& frame : thrown.frames)
      lines.push_back(fmt::format("at {}({}:{})", frame.function, frame.file, frame.line));
  }
  return std::ranges::all_of(parts, [&](const std::string& part) {
    return std::ranges::any_of(lines,
                               [&](const std::string& line) { return line.find(part) != std::string::npos; });
  });
}

void label_trace(const Trace& trace, const Alphabet& alphabet, const EventFile& file, const LabelSink& sink) {
  Batcher out(sink);
  const Screen* before = trace.start ? &trace.start->screen : nullptr;
  const bool told = !file.patterns.empty() ||
                    std::ranges::any_of(trace.steps, [](const Step& step) { return !step.seen.log.empty(); });
  const Launch* start = first_start(trace);
  const double begin = trace.start ? trace.start->at : trace.steps.empty() ? 0 : trace.steps.front().seen.at;
  for (const Step& step : trace.steps) {
    const double seconds = std::max(0.0, step.seen.at - begin);
    const std::optional<Label> code = told ? code_of(step, before, alphabet, file) : signal::undecided;
    const bool is_label = code && *code < signal::warning;  // then the automaton says what a relaunch does
    const bool is_started = !is_label && is_relaunch(step.event, start);
    if (is_started) out.put(signal::relaunch, seconds);
    if (code)
      out.put(*code, seconds);
    else if (!is_started && !file.patterns.empty())
      out.put(signal::unknown, seconds);
    bool crashed = step.seen.crash && has_signature(*step.seen.crash, file.crash_signature);
    if (step.seen.crash && !crashed) out.put(signal::other_crash, seconds);
    if (file.patterns.empty())
      for (const Label logged : logged_codes(step, alphabet)) {
        if (logged == signal::crash)
          crashed = true;
        else if (logged != signal::relaunch)
          out.put(logged, seconds);
      }
    if (crashed) out.put(signal::crash, seconds);
    before = &step.seen.screen;
  }
  out.flush();
}

}  // namespace norn
