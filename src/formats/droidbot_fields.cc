#include "formats/droidbot_fields.h"

#include <algorithm>
#include <limits>

namespace norn {

std::string droidbot_text(const JsonIn& object, const char* name) {
  if (!object.is_object()) return {};
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::int32_t droidbot_pixels(const JsonIn& value) {
  if (!value.is_number()) return 0;
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(value.get<double>(), -most, most));
}

Rect droidbot_bounds(const JsonIn& view) {
  if (!view.is_object()) return {};
  const auto it = view.find("bounds");
  const auto pair = [](const JsonIn& v) { return v.is_array() && v.size() == 2; };
  if (it == view.end() || !pair(*it) || !pair((*it)[0]) || !pair((*it)[1])) return {};
  const JsonIn &a = (*it)[0], &b = (*it)[1];
  const auto [left, right] = std::minmax({droidbot_pixels(a[0]), droidbot_pixels(b[0])});
  const auto [top, bottom] = std::minmax({droidbot_pixels(a[1]), droidbot_pixels(b[1])});
  return {left, top, right, bottom};
}

}  // namespace norn
