#include "trace/volatile.h"

#include <map>
#include <string_view>
#include <vector>

namespace norn {
namespace {

using Group = std::vector<const Screen*>;

bool varies(const Group& group, std::size_t widget, std::string Widget::* field) {
  std::set<std::string_view> values;
  for (const Screen* screen : group) {
    values.insert(screen->widgets[widget].*field);
    if (values.size() >= volatile_values) return true;
  }
  return false;
}

void add_places(const Group& group, std::set<std::uint64_t>& places) {
  const Screen& first = *group.front();
  for (std::size_t i = 0; i < first.widgets.size(); ++i) {
    if (first.widgets[i].is(Flag::editable)) continue;
    if (varies(group, i, &Widget::text) || varies(group, i, &Widget::desc)) places.insert(place_of(first, i));
  }
}

}  // namespace

std::uint64_t skeleton(const Screen& screen) {
  Screen bare = screen;
  for (Widget& w : bare.widgets) {
    w.text.clear();
    w.desc.clear();
  }
  return masked_structure(bare, Mask{}).value;
}

std::set<std::uint64_t> volatile_places(std::span<const Screen> outcomes) {
  std::map<std::pair<std::size_t, std::uint64_t>, Group> groups;
  for (const Screen& screen : outcomes) groups[{screen.widgets.size(), skeleton(screen)}].push_back(&screen);
  std::set<std::uint64_t> places;
  for (const auto& [key, group] : groups)
    if (group.size() >= volatile_values) add_places(group, places);
  return places;
}

}  // namespace norn
