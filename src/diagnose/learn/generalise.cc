#include "diagnose/learn/generalise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>

#include "diagnose/learn/replay_teacher.h"
#include "diagnose/taken.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t rows_tried = 3, names_tried = 8;
constexpr int finger = 20, farthest = 320;  ///< pixels: how fine and how far it is looked for an area's edges

class Generaliser {
 public:
  Generaliser(Replay& replay, std::span<const Performed> trace,
              const std::function<bool(const Crash&)>& is_bug, std::vector<LearnInput>& pivots,
              std::stop_token stop)
      : replay_(replay), trace_(trace), is_bug_(is_bug), pivots_(pivots), stop_(std::move(stop)) {}

  Status widen(std::size_t pivot) {
    const auto place = std::ranges::find_if(trace_, [&](const Performed& step) { return is(step, pivot); });
    if (place == trace_.end()) return {};
    if (std::holds_alternative<Type>(pivots_[pivot].event)) NORN_CHECK(widen_text(pivot));
    if (std::holds_alternative<Rotate>(pivots_[pivot].event)) return widen_turn(pivot);
    const Target* target = target_of(pivots_[pivot].event);
    return target != nullptr && target->empty() ? widen_point(pivot) : widen_row(pivot, *place);
  }

  /// Drops the pivot if an earlier one can stand in its place.
  Status merge(std::size_t pivot, std::size_t& dropped) {
    const auto place = std::ranges::find_if(trace_, [&](const Performed& step) { return is(step, pivot); });
    if (place == trace_.end()) return {};
    for (std::size_t i = 0; i < pivot; ++i) {
      if (!is_input(pivots_[i], pivots_[pivot].event, *place->before)) continue;
      NORN_TRY(const bool crashes, with(pivot, pivots_[i].event));
      if (!crashes) continue;
      pivots_.erase(pivots_.begin() + static_cast<std::ptrdiff_t>(pivot));
      ++dropped;
      return {};
    }
    return {};
  }

 private:
  bool is(const Performed& step, std::size_t pivot) const {
    return input_of(pivots_, step.event, *step.before) == pivot;
  }

  /// Whether these events crash like the trace: rows that are not there are replaced by others with their id.
  Result<bool> crashes(const std::vector<Event>& events) {
    std::vector<LearnInput> inputs;
    std::map<EventKey, lsharp::Input> number;
    lsharp::Word word;
    for (const Event& event : events) {
      const auto [at, is_new] =
          number.try_emplace(event_key(event), static_cast<lsharp::Input>(inputs.size()));
      if (is_new) inputs.push_back({.label = "x", .event = event, .any_row = true});
      word.push_back(at->second);
    }
    if (inputs.size() > lsharp::most_inputs) return false;
    ReplayTeacher teacher(replay_, inputs, is_bug_, {}, stop_);
    NORN_TRY(const lsharp::Output start, teacher.start());
    (void)start;
    NORN_TRY(const auto runs, teacher.run({{word}}));
    return runs[0].size() == word.size() && runs[0].back().kind == lsharp::Output::Kind::crash;
  }

  /// A row that is named after the text typed before has the other text's name.
  Result<bool> with(std::size_t pivot, const Event& other) {
    const auto *own = std::get_if<Type>(&pivots_[pivot].event), *typed = std::get_if<Type>(&other);
    std::vector<Event> events;
    for (const Performed& step : trace_) {
      events.push_back(is(step, pivot) ? other : step.event);
      Target* target = target_of(events.back());
      if (own != nullptr && typed != nullptr && target != nullptr && !own->text.empty() &&
          !typed->text.empty() && target->label == own->text)
        target->label = typed->text;
    }
    return crashes(events);
  }

  // ---- texts ----

  Result<bool> all_crash(std::size_t pivot, std::initializer_list<std::string> texts) {
    Type typed = std::get<Type>(pivots_[pivot].event);
    const std::string own = typed.text;
    for (const std::string& text : texts) {
      if (text == own) continue;
      typed.text = text;
      NORN_TRY(const bool crashes, with(pivot, typed));
      if (!crashes) return false;
    }
    return true;
  }

  /// The whole number from which on all do it, as far as small ones tell: 0 where all of them do; nothing where
  /// it is not as simple as that. REQUIRES: 7 and larger ones do.
  Result<std::optional<std::uint32_t>> least_number(std::size_t pivot) {
    NORN_TRY(const bool none, all_crash(pivot, {"0"}));
    NORN_TRY(const bool one, all_crash(pivot, {"1"}));
    if (none) return one ? std::optional(0U) : std::nullopt;
    std::uint32_t good = one ? 1 : 7, bad = one ? 0 : 1;
    while (good - bad > 1) {
      const std::uint32_t between = (good + bad) / 2;
      NORN_TRY(const bool crashes, all_crash(pivot, {std::to_string(between)}));
      (crashes ? good : bad) = between;
    }
    return std::optional(good);
  }

  Status widen_text(std::size_t pivot) {
    const std::string own = std::get<Type>(pivots_[pivot].event).text;
    const TextClass cls = text_class(own);
    Typed& typed = pivots_[pivot].typed;
    const bool number = cls == TextClass::number;
    NORN_TRY(bool alike, cls == TextClass::empty ? Result<bool>(false)
                         : number                ? all_crash(pivot, {"7", "41"})
                                                 : all_crash(pivot, {"norn", "a b"}));
    if (alike && number) {
      NORN_TRY(const auto least, least_number(pivot));
      alike = least.has_value();
      pivots_[pivot].least = least.value_or(0);
    }
    const std::uint32_t least = pivots_[pivot].least;
    if (alike) typed = Typed::same_class;
    if (alike && number) {
      NORN_TRY(alike, all_crash(pivot, {fmt::format("{}.5", std::max(least, 2U))}));
      if (!alike) typed = Typed::whole;
      if (!alike || least > 0) return {};
    }
    NORN_TRY(const bool any,
             alike || cls == TextClass::empty ? all_crash(pivot, {"", "7", "norn"}) : Result<bool>(false));
    if (any) typed = Typed::any;
    NORN_TRY(const bool filled, alike && !any ? all_crash(pivot, {"7", "norn", "%"}) : Result<bool>(false));
    if (filled) typed = Typed::filled;
    if (any || filled || own.empty()) return {};
    if (!number || own.find('.') != std::string::npos) {
      NORN_TRY(const bool odd, all_crash(pivot, {"2.5", "norn", "a b"}));
      if (odd) return typed = Typed::not_whole, Status();
    }
    if (alike) return {};
    if (!number) NORN_CHECK(shorten_text(pivot));
    NORN_CHECK(widen_inside(pivot, number));
    return number || typed != Typed::exact ? Status() : widen_by_names(pivot);
  }

  /// One character that does not belong in a word is often all that matters.
  Status shorten_text(std::size_t pivot) {
    const std::string own = std::get<Type>(pivots_[pivot].event).text;
    for (const char c : own) {
      if (own.size() == 1 || (static_cast<unsigned char>(c) & 0x80U) != 0 ||
          std::isalnum(static_cast<unsigned char>(c)) != 0)
        continue;
      NORN_TRY(const bool crashes, all_crash(pivot, {std::string(1, c)}));
      if (!crashes) continue;
      pivots_[pivot].also.push_back(pivots_[pivot].event);
      std::get<Type>(pivots_[pivot].event).text = std::string(1, c);
      return {};
    }
    return {};
  }

  Status widen_inside(std::size_t pivot, bool number) {
    const std::string own = std::get<Type>(pivots_[pivot].event).text;
    Typed& typed = pivots_[pivot].typed;
    const std::string before = (number ? "1" : "a") + own, after = own + (number ? "5" : "b");
    NORN_TRY(const bool inside, all_crash(pivot, {before, after}));
    if (inside) typed = Typed::containing;
    return inside && own.size() == 1 ? widen_character(pivot) : Status();
  }

  /// A character that does not belong in a word: which others of that kind do the same, in any text or at
  /// least alone?
  Status widen_character(std::size_t pivot) {
    const char own = std::get<Type>(pivots_[pivot].event).text.front();
    if (std::ispunct(static_cast<unsigned char>(own)) == 0) return {};
    for (char c = '!'; c <= '~'; ++c) {
      if (c == own || std::ispunct(static_cast<unsigned char>(c)) == 0) continue;
      const std::string other(1, c);
      NORN_TRY(const bool alone, all_crash(pivot, {other}));
      NORN_TRY(const bool within, alone ? all_crash(pivot, {"a" + other + "b"}) : Result<bool>(false));
      if (within) pivots_[pivot].inside += c;
      if (!alone || within) continue;
      pivots_[pivot].also.push_back(pivots_[pivot].event);
      std::get<Type>(pivots_[pivot].also.back()).text = other;
    }
    return {};
  }

  /// A search wants a name that is there: where two other names of the app's lists do as well, any text may.
  Status widen_by_names(std::size_t pivot) {
    Type typed = std::get<Type>(pivots_[pivot].event);
    std::vector<Event> good;
    for (const std::string& name : names_shown()) {
      NORN_TRY(const bool crashes, all_crash(pivot, {name}));
      if (!crashes || name == std::get<Type>(pivots_[pivot].event).text) continue;
      typed.text = name;
      good.emplace_back(typed);
    }
    if (good.size() < 2) return {};
    LearnInput& input = pivots_[pivot];
    input.typed = Typed::filled;
    input.also.insert(input.also.end(), good.begin(), good.end());
    return {};
  }
  std::vector<std::string> names_shown() const {
    std::vector<std::string> out;
    for (const Performed& step : trace_)
      for (const Widget& w : step.before->widgets) {
        const std::string name(own_label(w));
        if (out.size() == names_tried) return out;
        if (!w.id.empty() && text_class(name) == TextClass::words &&
            std::ranges::find(out, name) == out.end() &&
            std::ranges::count(step.before->widgets, w.id, &Widget::id) > 1)
          out.push_back(name);
      }
    return out;
  }

  // ---- turns ----

  /// Whatever else makes a page anew may do.
  Status widen_turn(std::size_t pivot) {
    for (const std::string_view signal : remaking_signals) {
      const Event other = System{std::string(signal), {}};
      NORN_TRY(const bool crashes, with(pivot, other));
      if (crashes) pivots_[pivot].also.push_back(other);
    }
    return {};
  }

  // ---- points ----

  using PointOf = Point* (*)(Event&);

  /// A touch at a bare point may mean the whole canvas, or something drawn there; so may where a drag ends.
  Status widen_point(std::size_t pivot) {
    const Event& own = pivots_[pivot].event;
    const bool moves = end_of(own) != nullptr;
    if (!moves && !std::holds_alternative<Tap>(own)) return {};
    NORN_TRY(const bool anywhere, moves ? Result<bool>(false) : crashes_all_round(pivot));
    if (anywhere) return pivots_[pivot].any_row = true, Status();
    NORN_TRY(pivots_[pivot].area, area_round(pivot, point_of));
    if (!moves) return {};
    NORN_TRY(pivots_[pivot].ends_in, area_round(pivot, end_of));
    return {};
  }
  Result<bool> crashes_all_round(std::size_t pivot) {
    for (const Point away : {Point{137, 0}, Point{-90, 61}, Point{0, -113}}) {
      NORN_TRY(const bool crashes, with(pivot, moved(pivot, point_of, away)));
      if (!crashes) return false;
    }
    return true;
  }
  Event moved(std::size_t pivot, PointOf which, Point away) const {
    Event out = pivots_[pivot].event;
    Point& at = *which(out);
    at = {at.x + away.x, at.y + away.y};
    return out;
  }
  /// Where this point of the event may lie, as far as was tried.
  Result<Rect> area_round(std::size_t pivot, PointOf which) {
    NORN_TRY(const int left, reach(pivot, which, {-1, 0}));
    NORN_TRY(const int right, reach(pivot, which, {1, 0}));
    NORN_TRY(const int up, reach(pivot, which, {0, -1}));
    NORN_TRY(const int down, reach(pivot, which, {0, 1}));
    const Point own = *which(pivots_[pivot].event);
    return Rect{own.x - left, own.y - up, own.x + right + 1, own.y + down + 1};
  }
  /// How far in this direction a point does the same, to a finger's width: in steps that double, then between
  /// the last two.
  Result<int> reach(std::size_t pivot, PointOf which, Point direction) {
    int good = 0, bad = 2 * farthest;
    for (int far = finger; good < farthest && bad - good > finger;
         far = std::min(2 * good, (good + bad) / 2)) {
      NORN_TRY(const bool crashes, crashes_at(pivot, which, {far * direction.x, far * direction.y}));
      (crashes ? good : bad) = far;
    }
    return good;
  }
  Result<bool> crashes_at(std::size_t pivot, PointOf which, Point away) {
    Event other = moved(pivot, which, away);
    const Point there = *which(other);
    return there.x < 0 || there.y < 0 ? Result<bool>(false) : with(pivot, other);
  }

  // ---- rows ----

  std::vector<Event> other_rows(std::size_t pivot, const Performed& step) const {
    std::vector<Event> out;
    const Screen& screen = *step.before;
    const Event event = as_taken(step.event, screen);
    const Target* own = target_of(event);
    if (own == nullptr || own->id.empty()) return out;
    const auto receiver = receiver_of(event, screen);
    for (std::size_t w = 0; w < screen.widgets.size() && out.size() < rows_tried; ++w) {
      const Widget& widget = screen.widgets[w];
      if (receiver == w || widget.id != own->id || !is_taken(event, screen, w)) continue;
      Event other = pivots_[pivot].event;
      *target_of(other) = make_target(screen, w);
      if (!is_also(pivot, other, screen)) out.push_back(std::move(other));
    }
    return out;
  }
  /// A row that another pivot names is that pivot.
  bool is_also(std::size_t pivot, const Event& other, const Screen& screen) const {
    const auto named = input_of(pivots_, other, screen);
    return named && *named != pivot;
  }

  /// Another row of the same list has a label of its own.
  bool has_rival(std::size_t pivot) const {
    return std::ranges::any_of(pivots_, [&](const LearnInput& other) {
      return other.label != pivots_[pivot].label && same_role(other.event, pivots_[pivot].event);
    });
  }

  /// The whole trace about the other row: whoever deletes "A" opens "A" before.
  std::vector<Event> about(const Event& own, const Event& other) const {
    const Target &from = *target_of(own), &to = *target_of(other);
    std::vector<Event> events;
    for (const Performed& step : trace_) {
      events.push_back(step.event);
      Target* target = target_of(events.back());
      if (target == nullptr || from.label.empty() || target->label != from.label) continue;
      target->label = to.label;
      target->ordinal = to.ordinal;
    }
    return events;
  }

  Status widen_row(std::size_t pivot, const Performed& place) {
    const auto rows = other_rows(pivot, place);
    if (rows.empty()) return {};
    std::vector<Event> good, bad;
    for (const Event& row : rows) {
      NORN_TRY(bool crashes_too, with(pivot, row));
      if (!crashes_too && !target_of(place.event)->label.empty()) {
        NORN_TRY(const bool renamed, crashes(about(place.event, row)));
        crashes_too = renamed;
      }
      (crashes_too ? good : bad).push_back(row);
    }
    // Rows have one handler: the label is a row's, whichever it was. What is performed is the row that
    // crashes, or one that does the same.
    LearnInput& input = pivots_[pivot];
    input.any_row = !has_rival(pivot);
    if (!input.any_row || !bad.empty()) input.also.insert(input.also.end(), good.begin(), good.end());
    if (input.any_row && !bad.empty())
      input.place = place_of(as_taken(place.event, *place.before), *place.before);
    if (input.any_row) input.unlike = std::move(bad);
    return {};
  }

  Replay& replay_;
  std::span<const Performed> trace_;
  const std::function<bool(const Crash&)>& is_bug_;
  std::vector<LearnInput>& pivots_;
  std::stop_token stop_;
};

}  // namespace

Status generalise(Replay& replay, std::span<const Performed> trace, std::size_t first,
                  const std::function<bool(const Crash&)>& is_bug, std::vector<LearnInput>& pivots,
                  std::stop_token stop) {
  Generaliser generaliser(replay, trace, is_bug, pivots, std::move(stop));
  for (std::size_t i = first; i < pivots.size(); ++i) NORN_CHECK(generaliser.widen(i));
  for (std::size_t i = pivots.size(); i-- > first;) {
    std::size_t dropped = 0;
    NORN_CHECK(generaliser.merge(i, dropped));
  }
  renumber(pivots);
  return {};
}

}  // namespace norn
