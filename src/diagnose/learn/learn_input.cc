#include "diagnose/learn/learn_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "base/text.h"
#include "diagnose/learn/dialog_name.h"
#include "diagnose/taken.h"
#include "gui/popup.h"
#include "gui/target.h"

namespace norn {
namespace {

bool has_widgets(const Screen& screen) {
  return screen.kind == Screen::Kind::app || screen.kind == Screen::Kind::outside;
}

/// Whether the input belongs on this screen at all. "OK" in another dialog, Menu in another activity are
/// other events.
bool belongs(const LearnInput& input, const Screen& screen) {
  if (!input.activity.empty() && screen.activity != input.activity) return false;
  if (input.popup && *input.popup != is_popup(screen)) return false;
  const auto is_there = [&](const InputPlace& place) {
    return place.activity == screen.activity && (!place.popup || *place.popup == is_popup(screen));
  };
  if (std::ranges::any_of(input.except, is_there)) return false;
  return input.dialog.empty() || is_dialog(input.dialog, screen);
}

/// Where a pivot belongs, seen from where it was performed, after events that named these rows and texts.
void settle(LearnInput& input, const Screen& before, const std::vector<std::string>& names) {
  const Target* target = target_of(input.event);
  if (!belongs_anywhere(input.event)) input.activity = before.activity;
  if (std::holds_alternative<Key>(input.event) || std::holds_alternative<Launch>(input.event))
    input.popup = is_popup(before);
  if (target != nullptr && target->id.starts_with("android:id/")) input.dialog = dialog_name(before, names);
}

/// The target as it must be said on this screen to name one widget; nothing where there is none.
std::optional<Target> aimed(const Target& target, const Screen& screen) {
  const Resolution found = resolve(target, screen);
  if (std::holds_alternative<Found>(found)) return target;
  if (!std::holds_alternative<Ambiguous>(found)) return std::nullopt;
  Target first = target;
  first.ordinal = 0;
  if (std::holds_alternative<Found>(resolve(first, screen))) return first;
  return std::nullopt;
}

/// The widgets with its class and id.
std::vector<std::size_t> rows_like(const Target& target, const Screen& screen) {
  const Resolution found =
      resolve({.cls = target.cls, .id = target.id, .label = {}, .path = {}, .ordinal = {}}, screen);
  if (const auto* one = std::get_if<Found>(&found)) return {one->widget};
  const auto* rows = std::get_if<Ambiguous>(&found);
  return rows != nullptr ? rows->widgets : std::vector<std::size_t>();
}

/// The row in its place, see LearnInput::place.
std::optional<Target> aimed_at_place(const LearnInput& input, const Target& target, const Screen& screen) {
  const std::vector<std::size_t> rows = rows_like(target, screen);
  std::set<std::size_t> unlike;
  for (const Event& event : input.unlike)
    if (const auto there = aimed(*target_of(event), screen))
      unlike.insert(std::get<Found>(resolve(*there, screen)).widget);
  const auto at = [&](std::size_t nth) {
    Target row{.cls = target.cls, .id = target.id, .label = {}, .path = {}, .ordinal = {}};
    if (rows.size() > 1) row.ordinal = static_cast<std::int32_t>(nth);
    return row;
  };
  for (std::size_t nth = input.place.value_or(0); nth < rows.size(); ++nth)
    if (!unlike.contains(rows[nth])) return at(nth);
  for (std::size_t nth = rows.size(); input.any_row && nth-- > 0;)
    if (!unlike.contains(rows[nth])) return at(nth);
  return std::nullopt;
}

std::optional<Target> aimed(const LearnInput& input, const Target& target, const Screen& screen) {
  if (auto exact = aimed(target, screen)) return exact;
  const bool any = input.any_row && input.unlike.empty();
  if ((!any && !input.place) || target.id.empty()) return std::nullopt;
  return aimed_at_place(input, target, screen);
}

/// A turn of the device means: to the other orientation than now.
std::int32_t other_rotation(const Screen& screen) { return 1 - screen.rotation % 2; }

bool is_turn(const Event& event, const Screen& before) {
  const auto* rotate = std::get_if<Rotate>(&event);
  return rotate != nullptr && rotate->rotation % 2 != before.rotation % 2;
}

bool is_whole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A number as people write it; nothing where it is none.
std::optional<double> value_of(std::string text) {
  std::ranges::replace(text, ',', '.');
  const char* from = text.data() + (text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto read = std::from_chars(from, text.data() + text.size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

bool is_large_enough(const LearnInput& input, const std::string& text) {
  return input.least == 0 || value_of(text).value_or(0) >= input.least;
}

bool is_not_whole(std::string_view text) {
  return !text.empty() && !is_whole(text.substr(text.starts_with('-') ? 1 : 0));
}

bool same_text(const LearnInput& input, const Event& event) {
  const auto *own = std::get_if<Type>(&input.event), *typed = std::get_if<Type>(&event);
  if (own == nullptr || typed == nullptr || own->text == typed->text) return true;
  switch (input.typed) {
    case Typed::exact:
      return false;
    case Typed::containing:
      return typed->text.find(own->text) != std::string::npos ||
             typed->text.find_first_of(input.inside) != std::string::npos;
    case Typed::whole:
      return is_whole(typed->text) && is_large_enough(input, typed->text);
    case Typed::same_class:
      return text_class(typed->text) == class_of(input) && is_large_enough(input, typed->text);
    case Typed::not_whole:
      return is_not_whole(typed->text);
    case Typed::filled:
      return !typed->text.empty();
    case Typed::any:
      return true;
  }
  return false;
}

/// Whether the event goes to the very widget that `meant` names on this screen, or neither goes to one.
bool same_widget(const Event& event, const Event& meant, const Screen& before) {
  const Target *own = target_of(meant), *target = target_of(event);
  if (own == nullptr || target == nullptr) return own == target;
  if (own->empty()) return target->empty() && event_key(event) == event_key(meant);
  if (*own == *target) return true;
  const auto touched = receiver_of(event, before);  // by point where there is no target
  const auto here = aimed(*own, before);
  if (!touched || !here) return false;
  Event there = meant;
  *target_of(there) = *here;
  return receiver_of(there, before) == touched;
}

bool same_row_id(const Event& event, const Event& meant, const Screen& before) {
  const Target* own = target_of(meant);
  if (own == nullptr || own->id.empty()) return false;
  if (same_role(event, meant)) return true;
  const auto touched = receiver_of(event, before);
  return touched && before.widgets[*touched].id == own->id;
}

bool names(const Event& meant, const Event& event, const Screen& before) {
  const auto *a = std::get_if<Type>(&meant), *b = std::get_if<Type>(&event);
  if (std::holds_alternative<Rotate>(meant)) return is_turn(event, before);
  if (!same_manner(meant, event) || (a != nullptr && b != nullptr && a->text != b->text)) return false;
  return event_key(meant) == event_key(event) || same_widget(event, meant, before);
}

/// It is named: this very widget and text, or one of the others that are known to do the same.
bool is_named(const LearnInput& input, const Event& event, const Screen& before) {
  return names(input.event, event, before) ||
         std::ranges::any_of(input.also, [&](const Event& e) { return names(e, event, before); });
}

/// It begins and ends where the input's own event does, or where it does the same.
bool is_in_area(const LearnInput& input, const Event& event, const Screen& before) {
  const Point *at = point_of(event), *end = end_of(event);
  return at != nullptr && input.area.contains(*at) && (end == nullptr || input.ends_in.contains(*end)) &&
         receiver_of(event, before) == receiver_of(input.event, before);
}

/// Any row, any such text, any point: what it does not name but stands for.
bool is_wide_enough(const LearnInput& input, const Event& event, const Screen& before) {
  if (!same_manner(event, input.event) || !same_text(input, event)) return false;
  if (std::holds_alternative<Rotate>(event)) return is_turn(event, before);
  if (const Target* own = target_of(input.event); own != nullptr && own->empty() &&
                                                  target_of(event)->empty() &&
                                                  (input.any_row || is_in_area(input, event, before)))
    return true;
  return same_widget(event, input.event, before) ||
         (input.any_row && same_row_id(event, input.event, before));
}

bool is_dismissal(const Widget& w) {
  constexpr std::array<std::string_view, 8> words{"Cancel", "Close",     "Dismiss", "No",
                                                  "Later",  "No thanks", "Not now", "CANCEL"};
  return w.id == "android:id/button2" || w.id == "android:id/button3" ||
         std::ranges::find(words, own_label(w)) != words.end();
}

bool is_tab(const Screen& screen, const Widget& w) {
  const auto tabs = [](std::string_view cls) {
    return cls.find("Tab") != std::string_view::npos ||
           cls.find("BottomNavigation") != std::string_view::npos;
  };
  return tabs(w.cls) || (w.parent >= 0 && tabs(screen.widgets[static_cast<std::size_t>(w.parent)].cls));
}

bool is_move_widget(const Screen& screen, const Widget& w) {
  if (!w.is(Flag::clickable) || !w.is(Flag::enabled) || w.is(Flag::editable)) return false;
  return w.desc == "Navigate up" || is_dismissal(w) || is_tab(screen, w);
}

/// One character that does not belong in a word is typed. Such are tried one by one: they are examples of
/// nothing wider.
bool is_mark(const Event& event) {
  const auto* typed = std::get_if<Type>(&event);
  return typed != nullptr && typed->text.size() == 1 &&
         std::ispunct(static_cast<unsigned char>(typed->text[0])) != 0;
}

/// What a later dialog may be about: the row that was touched, which is one of several or has parts, or the
/// text that was typed.
std::optional<std::string> named_in(const Performed& step) {
  if (const auto* typed = std::get_if<Type>(&step.event)) return typed->text;
  const Screen& screen = *step.before;
  const Event taken = as_taken(step.event, screen);
  const Target* target = target_of(taken);
  const auto touched = target == nullptr || target->id.empty() ? std::nullopt : receiver_of(taken, screen);
  if (!touched) return std::nullopt;
  const bool is_row =
      std::ranges::count(screen.widgets, target->id, &Widget::id) > 1 || screen.widgets[*touched].subtree > 1;
  return is_row ? std::optional(std::string(label(screen, *touched))) : std::nullopt;
}

}  // namespace

bool belongs_anywhere(const Event& event) {
  const auto* launch = std::get_if<Launch>(&event);
  return (launch != nullptr && launch->activity.empty()) || std::holds_alternative<System>(event) ||
         std::holds_alternative<Rotate>(event);
}

std::optional<Event> event_on(const LearnInput& input, const Screen& screen) {
  if (std::holds_alternative<System>(input.event) || std::holds_alternative<Wait>(input.event))
    return input.event;
  if (!belongs(input, screen)) return std::nullopt;
  if (std::holds_alternative<Launch>(input.event)) return input.event;
  if (!has_widgets(screen)) return std::nullopt;
  const Target* target = target_of(input.event);
  const bool outside = screen.kind == Screen::Kind::outside;
  if (outside && target == nullptr && input.is_move())
    return std::nullopt;  // Back on the home screen leads nowhere
  if (std::holds_alternative<Rotate>(input.event)) return Rotate{other_rotation(screen)};
  if (target == nullptr) return input.event;
  if (target->empty()) return input.event;
  const auto at = [](Event event, Target here) {
    *target_of(event) = std::move(here);
    return event;
  };
  if (auto here = aimed(*target, screen)) return at(input.event, std::move(*here));
  for (const Event& other : input.also) {
    if (target_of(other) == nullptr) return other;
    if (auto here = aimed(*target_of(other), screen)) return at(other, std::move(*here));
  }
  if (auto here = aimed(input, *target, screen)) return at(input.event, std::move(*here));
  return std::nullopt;
}

bool same_event(const Event& a, const Event& b, const Screen& before) { return names(a, b, before); }

std::string describe(const LearnInput& input) {
  std::vector<std::string> wide;
  const auto* type = std::get_if<Type>(&input.event);
  const std::string from_on = input.least > 0 ? fmt::format(" from {} on", input.least) : "";
  if (type != nullptr && input.typed == Typed::containing)
    wide.push_back("any text with it" + (input.inside.empty() ? "" : " or one of " + input.inside));
  if (type != nullptr && input.typed == Typed::whole) wide.push_back("any whole number" + from_on);
  if (type != nullptr && input.typed == Typed::same_class)
    wide.push_back(class_of(input) == TextClass::number ? "any number" + from_on : "any words");
  if (type != nullptr && input.typed == Typed::not_whole)
    wide.emplace_back("any text that is no whole number");
  if (type != nullptr && input.typed == Typed::filled) wide.emplace_back("any text but none");
  if (type != nullptr && input.typed == Typed::any) wide.emplace_back("any text");
  const Target* target = target_of(input.event);
  if (input.any_row && target != nullptr && target->empty()) wide.emplace_back("any point");
  const auto corners = [](const Rect& area) {
    return fmt::format("anywhere from {},{} to {},{}", area.left, area.top, area.right, area.bottom);
  };
  if (!input.area.empty()) wide.push_back(corners(input.area));
  if (!input.ends_in.empty()) wide.push_back("ending " + corners(input.ends_in));
  if (input.place) wide.push_back(fmt::format("or row {} of its list", *input.place + 1));
  if (input.any_row && target != nullptr && !target->label.empty()) wide.emplace_back("any with its id");
  if (!input.also.empty()) wide.push_back(fmt::format("or {} more like it", input.also.size()));
  if (!input.dialog.empty()) wide.push_back("in the dialog \"" + printable(input.dialog) + "\"");
  if (input.guard) wide.emplace_back("in no shortest way");
  return describe(input.event) + (wide.empty() ? "" : fmt::format(" ({})", fmt::join(wide, "; ")));
}

bool same_role(const Event& a, const Event& b) {
  const Target *x = target_of(a), *y = target_of(b);
  return a.index() == b.index() && x != nullptr && y != nullptr && !x->id.empty() && x->id == y->id;
}

bool is_input(const LearnInput& input, const Event& event, const Screen& before) {
  const Event taken = as_taken(event, before);
  return belongs(input, before) && (is_named(input, taken, before) || is_wide_enough(input, taken, before));
}

std::optional<std::size_t> input_of(std::span<const LearnInput> inputs, const Event& event,
                                    const Screen& before) {
  const Event taken = as_taken(event, before);
  for (const auto& fits : {is_named, is_wide_enough})
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (belongs(inputs[i], before) && fits(inputs[i], taken, before)) return i;
  return std::nullopt;
}

std::vector<Event> others_like(const LearnInput& input) {
  std::vector<Event> out = input.also;
  if (const auto* own = std::get_if<Type>(&input.event))
    for (const std::string& text :
         {std::string("0"), std::string("41"), std::string("2.5"), std::string("100000"), std::string("norn"),
          std::string("a b"), std::string(), "a" + own->text + "b"}) {
      Type other = *own;
      other.text = text;
      if (text != own->text && same_text(input, other)) out.emplace_back(std::move(other));
    }
  for (const char c : input.inside) {
    out.push_back(input.event);
    std::get<Type>(out.back()).text = std::string(1, c);
  }
  const Target* target = target_of(input.event);
  if (input.any_row && target != nullptr && !target->id.empty()) {
    Event second = input.event;
    *target_of(second) = {.cls = target->cls, .id = target->id, .label = {}, .path = {}, .ordinal = 1};
    out.push_back(std::move(second));
  }
  return out;
}

void widen_by_example(std::vector<LearnInput>& all, std::size_t which) {
  LearnInput& input = all[which];
  const auto alike = [&](const Event& event) { return same_role(event, input.event); };
  const auto examples = std::ranges::count_if(input.also, [&](const Event& event) {
    return alike(event) && !(input.typed == Typed::containing && is_mark(event));
  });
  const auto* own = std::get_if<Type>(&input.event);
  if (examples < 2) return;
  for (LearnInput& other : all) {
    if (&other == &input || !alike(other.event) || (!other.any_row && other.typed == Typed::exact)) continue;
    if (own != nullptr && input.typed == Typed::exact && other.label != input.label &&
        other.activity == input.activity && same_text(other, input.event) &&
        examples > std::ranges::count_if(other.also, alike))
      std::swap(input.typed, other.typed);
    return;
  }
  if (own == nullptr) return void(input.any_row = true);
  std::set<TextClass> seen{text_class(own->text)};
  for (const Event& other : input.also)
    if (alike(other)) seen.insert(text_class(std::get<Type>(other).text));
  const bool any_class = seen.contains(TextClass::number) && seen.contains(TextClass::words);
  const Typed widest = !any_class                        ? Typed::same_class
                       : seen.contains(TextClass::empty) ? Typed::any
                                                         : Typed::filled;
  input.typed = std::max(input.typed, widest);
}

TextClass class_of(const LearnInput& input) {
  TextClass out = text_class(std::get<Type>(input.event).text);
  for (const Event& other : input.also)
    if (out == TextClass::empty && same_role(other, input.event))
      out = text_class(std::get<Type>(other).text);
  return out;
}

bool absorb(LearnInput& into, const LearnInput& other) {
  if (into.activity != other.activity || into.dialog != other.dialog) return false;
  const auto *own = std::get_if<Type>(&into.event), *typed = std::get_if<Type>(&other.event);
  if (other.typed != Typed::exact &&
      (own == nullptr || !same_text(into, other.event) || into.typed < other.typed))
    return false;  // a label is wide in one way only
  into.any_row = into.any_row || other.any_row;
  into.guard = into.guard && other.guard;
  const bool covered = typed != nullptr && own != nullptr
                           ? same_role(into.event, other.event) && same_text(into, other.event)
                           : into.any_row && same_role(into.event, other.event);
  if (!covered) into.also.push_back(other.event);
  into.also.insert(into.also.end(), other.also.begin(), other.also.end());
  return true;
}

void renumber(std::vector<LearnInput>& pivots) {
  std::map<std::string, std::string> number;
  for (LearnInput& pivot : pivots)
    pivot.label = number.try_emplace(pivot.label, std::to_string(number.size() + 1)).first->second;
}

std::optional<std::uint32_t> place_of(const Event& event, const Screen& screen) {
  const Target* target = target_of(event);
  if (target == nullptr || target->id.empty()) return std::nullopt;
  const Resolution found = resolve(*target, screen);
  const auto* row = std::get_if<Found>(&found);
  if (row == nullptr) return std::nullopt;
  const std::vector<std::size_t> rows = rows_like(*target, screen);
  const auto at = std::ranges::find(rows, row->widget);
  if (at == rows.end()) return std::nullopt;
  return static_cast<std::uint32_t>(at - rows.begin());
}

std::string next_label(std::span<const LearnInput> pivots) {
  std::set<std::string> used;
  for (const LearnInput& pivot : pivots) used.insert(pivot.label);
  std::size_t n = used.size() + 1;
  while (used.contains(std::to_string(n))) ++n;
  return std::to_string(n);
}

void add_pivots(const std::vector<Performed>& trace, const std::vector<LearnInput>& moves,
                std::vector<LearnInput>& pivots) {
  const std::size_t old = pivots.size();
  std::vector<std::string> names;
  for (const Performed& step : trace) {
    const bool known =
        input_of(pivots, step.event, *step.before) || input_of(moves, step.event, *step.before);
    if (!known && !std::holds_alternative<Wait>(step.event)) {
      LearnInput input{next_label(pivots), as_taken(step.event, *step.before)};
      settle(input, *step.before, names);
      pivots.push_back(std::move(input));
    }
    if (auto name = named_in(step)) names.push_back(std::move(*name));
  }
  for (std::size_t i = old; i < pivots.size(); ++i) {
    const Target* target = target_of(pivots[i].event);
    pivots[i].any_row = target != nullptr && !target->id.empty() &&
                        std::ranges::none_of(pivots, [&](const LearnInput& other) {
                          return &pivots[i] != &other && same_role(pivots[i].event, other.event);
                        });
  }
}

std::vector<LearnInput> moves_of(std::span<const std::vector<Performed>> traces,
                                 const std::vector<LearnInput>& pivots, std::size_t most) {
  std::vector<LearnInput> out;
  std::set<EventKey> seen;
  const auto add = [&](Event event) {
    if (!seen.insert(event_key(event)).second) return;
    LearnInput move{{}, std::move(event)};
    for (const LearnInput& pivot : pivots)
      if (event_key(pivot.event) == event_key(move.event) ||
          (std::holds_alternative<Launch>(move.event) && same_manner(pivot.event, move.event))) {
        if (pivot.activity.empty()) return;
        move.except.push_back({pivot.activity, pivot.popup});
      }
    out.push_back(std::move(move));
  };
  add(Key{key::back});
  add(Launch{});
  for (const auto& trace : traces)
    for (const Performed& step : trace)
      if (std::holds_alternative<Wait>(step.event) && out.size() < moves_besides) add(step.event);
  const std::size_t always = out.size();
  for (const auto& trace : traces)
    for (const Performed& step : trace)
      for (std::size_t w = 0; step.before != nullptr && w < step.before->widgets.size(); ++w) {
        const Screen& screen = *step.before;
        if (out.size() - always >= most || !is_move_widget(screen, screen.widgets[w])) continue;
        const bool pivot = std::ranges::any_of(pivots, [&](const LearnInput& p) {
          return is_input(p, Tap{make_target(screen, w), {}}, screen);
        });
        if (!pivot) add(Tap{make_target(screen, w), screen.widgets[w].bounds.center()});
      }
  return out;
}

}  // namespace norn
