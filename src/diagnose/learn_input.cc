#include "diagnose/learn_input.h"

#include <algorithm>
#include <array>
#include <set>

#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

bool in_front(const Screen& screen) { return screen.kind == Screen::Kind::app; }

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

std::optional<Target> aimed(const LearnInput& input, const Target& target, const Screen& screen) {
  if (auto exact = aimed(target, screen)) return exact;
  if (!input.any_row || target.id.empty()) return std::nullopt;
  return aimed(Target{.cls = target.cls, .id = target.id, .label = {}, .path = {}, .ordinal = {}}, screen);
}

bool same_text(const Event& a, const Event& b) {
  const auto *x = std::get_if<Type>(&a), *y = std::get_if<Type>(&b);
  return x == nullptr || y == nullptr || x->text == y->text;
}

bool same_role(const Event& a, const Event& b) {
  const Target *x = target_of(a), *y = target_of(b);
  return a.index() == b.index() && x != nullptr && y != nullptr && !x->id.empty() && x->id == y->id;
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

}  // namespace

std::optional<Event> event_on(const LearnInput& input, const Screen& screen) {
  if (std::holds_alternative<Launch>(input.event) || std::holds_alternative<System>(input.event) ||
      std::holds_alternative<Wait>(input.event))
    return input.event;
  if (!in_front(screen)) return std::nullopt;
  const Target* target = target_of(input.event);
  if (target == nullptr) return input.event;
  if (target->empty()) {
    if (!input.activity.empty() && screen.activity != input.activity) return std::nullopt;
    return input.event;
  }
  const auto here = aimed(input, *target, screen);
  if (!here) return std::nullopt;
  Event event = input.event;
  *target_of(event) = *here;
  return event;
}

bool is_input(const LearnInput& input, const Event& event, const Screen& before) {
  if (event.index() != input.event.index() || !same_text(event, input.event)) return false;
  if (event_key(event) == event_key(input.event)) return true;
  const Target *target = target_of(event), *own = target_of(input.event);
  if (target == nullptr || own == nullptr || own->empty()) return false;
  if (input.any_row && same_role(event, input.event)) return true;
  const auto touched = receiver_of(event, before);  // by point where there is no target
  if (!touched) return false;
  if (input.any_row && !own->id.empty() && before.widgets[*touched].id == own->id) return true;
  const auto meant = event_on(input, before);
  return meant && receiver_of(*meant, before) == touched;
}

std::vector<LearnInput> pivots_of(std::span<const std::vector<Performed>> traces) {
  std::vector<LearnInput> out;
  std::set<EventKey> seen;
  for (const auto& trace : traces)
    for (const Performed& step : trace) {
      if (!seen.insert(event_key(step.event)).second) continue;
      LearnInput input{std::to_string(out.size() + 1), step.event, {}, false};
      const Target* target = target_of(step.event);
      if (target != nullptr && target->empty() && step.before != nullptr)
        input.activity = step.before->activity;
      out.push_back(std::move(input));
    }
  for (LearnInput& a : out)
    a.any_row = std::ranges::none_of(
        out, [&](const LearnInput& b) { return &a != &b && same_role(a.event, b.event); });
  return out;
}

std::vector<LearnInput> moves_of(std::span<const std::vector<Performed>> traces,
                                 const std::vector<LearnInput>& pivots, std::size_t most) {
  std::vector<LearnInput> out;
  std::set<EventKey> seen;
  for (const LearnInput& pivot : pivots) seen.insert(event_key(pivot.event));
  const auto add = [&](Event event) {
    if (seen.insert(event_key(event)).second) out.push_back({{}, std::move(event), {}, false});
  };
  add(Key{key::back});
  add(Launch{});
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
