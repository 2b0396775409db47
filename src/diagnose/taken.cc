#include "diagnose/taken.h"

#include <algorithm>
#include <optional>

#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

/// The widget by which a touch on this one is known.
std::size_t known_by(const Event& event, const Screen& screen, std::size_t widget) {
  if (!screen.widgets[widget].id.empty()) return widget;
  const std::size_t end = widget + static_cast<std::size_t>(screen.widgets[widget].subtree);
  for (std::size_t w = widget + 1; w < end && w < screen.widgets.size(); ++w)
    if (!screen.widgets[w].id.empty() && !accepts(screen.widgets[w], event)) return w;
  return widget;
}

std::string_view name_of(Direction direction) {
  constexpr std::array<std::string_view, 4> names{"up", "down", "left", "right"};
  return names[static_cast<std::size_t>(direction)];
}

bool is_remaking(const System& event) {
  return std::ranges::find(remaking_signals, event.name) != remaking_signals.end();
}

}  // namespace

Event as_taken(const Event& event, const Screen& before) {
  const auto* tap = std::get_if<Tap>(&event);
  const auto* press = std::get_if<LongPress>(&event);
  const auto widget = tap != nullptr || press != nullptr ? receiver_of(event, before) : std::nullopt;
  if (!widget) return event;
  Event taken = event;
  if (press != nullptr && !is_taken(event, before, *widget)) taken = Tap{press->target, press->at};
  if (const std::size_t known = known_by(taken, before, *widget); known != *widget)
    *target_of(taken) = make_target(before, known);
  return taken;
}

bool is_taken(const Event& event, const Screen& screen, std::size_t widget) {
  for (auto w = static_cast<std::int32_t>(widget); w >= 0;
       w = screen.widgets[static_cast<std::size_t>(w)].parent)
    if (accepts(screen.widgets[static_cast<std::size_t>(w)], event)) return true;
  return false;
}

Manner manner_of(const Event& event) {
  Manner out{.kind = std::string(kind_name(event))};
  if (const auto* key = std::get_if<Key>(&event)) out.key = key_name(key->code);
  if (const auto* swipe = std::get_if<Swipe>(&event)) out.direction = name_of(swipe->direction);
  if (const auto* pinch = std::get_if<Pinch>(&event))
    out.direction = pinch->to > pinch->from ? "open" : "close";
  if (const auto* launch = std::get_if<Launch>(&event)) out.page = launch->activity;
  if (const auto* wait = std::get_if<Wait>(&event)) out.name = std::to_string(wait->ms);
  if (const auto* raw = std::get_if<Raw>(&event)) out.name = raw->text;
  if (const auto* system = std::get_if<System>(&event)) {
    out.name = system->name;
    if (!is_remaking(*system)) out.extras = system->extras;
  }
  return out;
}

bool same_manner(const Event& a, const Event& b) {
  if (a.index() != b.index() || manner_of(a) != manner_of(b)) return false;
  const auto *x = std::get_if<Launch>(&a), *y = std::get_if<Launch>(&b);
  return x == nullptr || x->package.empty() || y->package.empty() || x->package == y->package;
}

bool is_done_so(const Manner& asked, const Manner& done) {
  const auto fits = [](const std::string& part, const std::string& own) {
    return part.empty() || part == own;
  };
  return fits(asked.kind, done.kind) && fits(asked.key, done.key) && fits(asked.direction, done.direction) &&
         fits(asked.name, done.name) && (!asked.page || asked.page == done.page) &&
         std::ranges::includes(done.extras, asked.extras);
}

}  // namespace norn
