#include "formats/dumpsys.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/text.h"

namespace norn {
namespace {

struct Wanted {
  std::string_view name;
  int rank;  ///< less is better evidence
  bool window = false;
};
constexpr Wanted keys[] = {
    {"mFocusedActivity:", 0},      // up to 7
    {"ResumedActivity:", 0},       // 10 and later, of the display in front
    {"topResumedActivity=", 1},    // 12 and later, of each task
    {"mResumedActivity:", 1},      // up to 11, of each stack
    {"mFocusedApp=", 2},           // of each display, in dumpsys window
    {"mCurrentFocus=", 3, true},   // the same, as a window
    {"mFocusedWindow=", 3, true},  // 12 and later, in its input section
    {"imeInputTarget in display#", 4, true},
    {"mInputMethodTarget=", 4, true},
};
constexpr int ranks = 5;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool in_component(char c) {
  return is_word(c) || c == '.' || c == '/' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

/// What follows the key in the line, if the key is there as a whole word.
std::optional<std::string_view> value_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos || (at > 0 && is_word(line[at - 1]))) return std::nullopt;
  return line.substr(at + key.size());
}

/// The first `package/activity` among the words.
std::optional<Component> component_in(std::string_view text) {
  for (std::size_t slash = text.find('/'); slash != std::string_view::npos;
       slash = text.find('/', slash + 1)) {
    std::size_t begin = slash, end = slash + 1;
    while (begin > 0 && in_component(text[begin - 1]) && text[begin - 1] != '/') --begin;
    while (end < text.size() && in_component(text[end]) && text[end] != '/') ++end;
    if (auto found = parse_component(text.substr(begin, end - begin))) return found;
  }
  return std::nullopt;
}

struct Evidence {
  std::array<std::vector<Component>, ranks> found;
  std::vector<Component> windows;
  bool told = false;  ///< one of the keys is there, be it with null
};

Evidence collect(std::string_view text) {
  Evidence e;
  for (const std::string_view line : lines(text)) {
    for (const Wanted& key : keys) {
      const auto value = value_after(line, key.name);
      if (!value) continue;
      e.told = true;
      const auto component = component_in(*value);
      if (!component) continue;
      e.found[static_cast<std::size_t>(key.rank)].push_back(*component);
      if (key.window && key.rank == 3) e.windows.push_back(*component);
    }
  }
  return e;
}

/// Several displays may each name one: the one that holds the focused window is meant.
const Component& choose(const std::vector<Component>& candidates, const std::vector<Component>& windows) {
  const auto exact = std::ranges::find_if(
      candidates, [&](const Component& c) { return std::ranges::find(windows, c) != windows.end(); });
  if (exact != candidates.end()) return *exact;
  const auto near = std::ranges::find_if(candidates, [&](const Component& c) {
    return std::ranges::find(windows, c.package, &Component::package) != windows.end();
  });
  return near != candidates.end() ? *near : candidates.front();
}

}  // namespace

std::optional<Component> parse_component(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view package = text.substr(0, slash), activity = text.substr(slash + 1);
  const bool fits = !package.empty() && package.find('.') != std::string_view::npos &&
                    package.front() != '.' && !activity.empty() && activity != "." &&
                    std::ranges::all_of(text, in_component) && activity.find('/') == std::string_view::npos;
  if (!fits) return std::nullopt;
  Component out{std::string(package), std::string(activity)};
  if (activity.front() == '.') out.activity = out.package + out.activity;
  return out;
}

Result<Component> focused_activity(std::string_view bytes, std::string_view file) {
  const std::string text = to_utf8(bytes);
  const Evidence e = collect(text);
  for (const auto& candidates : e.found)
    if (!candidates.empty()) return choose(candidates, e.windows);
  if (e.told)
    return fail(Error::Kind::not_found, "no activity has the focus", std::string(file),
                "the screen may be locked, or between two activities; ask again");
  const std::string head = printable(shorten(trim(text), 40));
  return fail(Error::Kind::bad_input,
              fmt::format("does not tell the focused activity; begins with \"{}\"", head), std::string(file),
              "give the output of `dumpsys activity activities` or `dumpsys window displays`");
}

}  // namespace norn
