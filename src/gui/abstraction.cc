// Each abstraction is one pass that feeds what it keeps into a hash and leaves out what it ignores
// (docs/abstractions.md says which and why). All start with the kind of screen and its package, so that
// "nothing", "outside" and another app never collapse with a screen of this one.
#include "gui/abstraction.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"

namespace norn {
namespace {

constexpr std::array<std::pair<Abstraction, std::string_view>, 6> names = {{
    {Abstraction::activity, "activity"},
    {Abstraction::resource_ids, "resource-ids"},
    {Abstraction::structure, "structure"},
    {Abstraction::actions, "actions"},
    {Abstraction::actions_plus, "actions+"},
    {Abstraction::exact, "exact"},
}};

std::uint64_t number(std::int32_t n) { return static_cast<std::uint64_t>(n); }
std::string_view simple_name(std::string_view cls) { return cls.substr(cls.rfind('.') + 1); }

template <class... F>
constexpr std::uint16_t bits(F... flags) {
  return static_cast<std::uint16_t>((static_cast<unsigned>(flags) | ...));
}
constexpr std::uint16_t structure_flags =
    bits(Flag::clickable, Flag::long_clickable, Flag::checkable, Flag::checked, Flag::enabled,
         Flag::scrollable, Flag::selected, Flag::password, Flag::editable, Flag::visible);
constexpr std::uint16_t value_flags = bits(Flag::checked, Flag::selected);

Hasher begin(const Screen& s) {
  Hasher h;
  h.add(static_cast<std::uint64_t>(s.kind)).add(s.package);
  return h;
}

StateId activity(const Screen& s) { return {begin(s).add(s.activity).finish()}; }

StateId resource_ids(const Screen& s) {
  Hasher h = begin(s);
  for (const Widget& w : s.widgets)
    if (!w.id.empty()) h.add(w.id);
  return {h.finish()};
}

bool has_text_field_value(const Widget& w) { return w.is(Flag::editable) || w.is(Flag::password); }

/// `hides(i)`: leave out the text and description of widget i.
template <class Hides>
StateId structure(const Screen& s, Hides hides) {
  Hasher h = begin(s).add(s.activity).add(number(s.rotation)).add(s.widgets.size());
  for (std::size_t i = 0; i < s.widgets.size(); ++i) {
    const Widget& w = s.widgets[i];
    h.add(number(w.subtree)).add(w.cls).add(w.id).add(w.hint).add(std::uint64_t{w.flags} & structure_flags);
    if (!has_text_field_value(w) && !hides(i)) h.add(1).add(w.text).add(w.desc);
  }
  return {h.finish()};
}

enum class Act : std::uint8_t {
  check = 1,
  click,
  edit,
  scroll_up,
  scroll_down,
  scroll_left,
  scroll_right,
  back,
  menu
};

bool is_list(std::string_view cls) {
  const std::string_view name = simple_name(cls);
  return name.ends_with("ListView") || name.ends_with("GridView") || name.ends_with("RecyclerView");
}
bool is_web_view(std::string_view cls) { return simple_name(cls).ends_with("WebView"); }
bool scrolls_sideways(std::string_view cls) {
  const std::string_view name = simple_name(cls);
  return name.starts_with("Horizontal") || name.starts_with("ViewPager") || name.ends_with("Gallery");
}

/// What can be done to a widget, in a fixed order.
template <class Emit>
void each_action(const Widget& w, Emit emit) {
  if (!w.is(Flag::enabled) || !w.is(Flag::visible)) return;
  const bool field = w.is(Flag::editable);
  if (w.is(Flag::checkable))
    emit(Act::check);
  else if (w.is(Flag::clickable) && !field && !is_web_view(w.cls) && !is_list(w.cls))
    emit(Act::click);
  if (field) emit(Act::edit);
  if (!w.is(Flag::scrollable) || simple_name(w.cls).ends_with("Spinner")) return;
  const bool sideways = scrolls_sideways(w.cls);
  emit(sideways ? Act::scroll_left : Act::scroll_up);
  emit(sideways ? Act::scroll_right : Act::scroll_down);
}

/// Hash of the child positions from the window's root, for every widget; `mix` may add more of the widget.
template <class Mix>
std::vector<std::uint64_t> path_hashes(const Screen& s, Mix mix) {
  std::vector<std::uint64_t> path(s.widgets.size()), children(s.widgets.size());
  std::uint64_t windows = 0;
  for (std::size_t i = 0; i < s.widgets.size(); ++i) {
    const bool root = s.widgets[i].parent < 0;
    const auto parent = root ? 0 : static_cast<std::size_t>(s.widgets[i].parent);
    Hasher h;
    h.add(root ? 0 : path[parent]).add(root ? windows++ : children[parent]++);
    mix(h, s.widgets[i]);
    path[i] = h.finish();
  }
  return path;
}

StateId actions(const Screen& s, bool plus) {
  Hasher h = begin(s).add(s.activity);
  const auto path = plus ? path_hashes(s, [](Hasher&, const Widget&) {}) : std::vector<std::uint64_t>{};
  for (std::size_t i = 0; i < s.widgets.size();) {
    const Widget& w = s.widgets[i];
    each_action(w, [&](Act act) {
      h.add(static_cast<std::uint64_t>(act)).add(w.cls);
      if (plus) h.add(path[i]).add(std::uint64_t{w.flags} & value_flags);
    });
    i += is_web_view(w.cls) ? static_cast<std::size_t>(std::max(1, w.subtree)) : 1;
  }
  h.add(static_cast<std::uint64_t>(Act::back)).add(static_cast<std::uint64_t>(Act::menu));
  return {h.finish()};
}

std::uint64_t place(const Screen& s, const Widget& w, std::uint64_t class_path) {
  Hasher h = begin(s).add(s.activity).add(w.id);
  if (w.id.empty()) h.add(class_path);
  return h.finish();
}

}  // namespace

std::optional<Abstraction> abstraction_by_name(std::string_view name) {
  for (const auto& [abstraction, known] : names)
    if (known == name) return abstraction;
  return std::nullopt;
}

std::string_view name_of(Abstraction abstraction) {
  return names[static_cast<std::size_t>(abstraction)].second;
}

std::vector<std::string> abstraction_names() {
  std::vector<std::string> out;
  out.reserve(names.size());
  for (const auto& [abstraction, name] : names) out.emplace_back(name);
  return out;
}

StateId abstract(const Screen& screen, Abstraction abstraction) {
  switch (abstraction) {
    case Abstraction::activity:
      return activity(screen);
    case Abstraction::resource_ids:
      return resource_ids(screen);
    case Abstraction::structure:
      return structure(screen, [](std::size_t) { return false; });
    case Abstraction::actions:
      return actions(screen, false);
    case Abstraction::actions_plus:
      return actions(screen, true);
    case Abstraction::exact:
      return {content_hash(screen)};
  }
  return {};
}

std::vector<std::uint64_t> places_of(const Screen& screen) {
  auto out = path_hashes(screen, [](Hasher& h, const Widget& w) { h.add(w.cls); });
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = place(screen, screen.widgets[i], out[i]);
  return out;
}

std::uint64_t place_of(const Screen& screen, std::size_t widget) { return places_of(screen)[widget]; }

StateId masked_structure(const Screen& screen, const Mask& mask) {
  if (mask.places.empty()) return abstract(screen, Abstraction::structure);
  const std::vector<std::uint64_t> places = places_of(screen);
  return structure(screen, [&](std::size_t i) { return mask.places.contains(places[i]); });
}

}  // namespace norn
