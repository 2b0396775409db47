#include "diagnose/learn/dialog_name.h"

#include <algorithm>
#include <cctype>

#include "gui/popup.h"

namespace norn {
namespace {

/// The title of the dialog on this screen, else its message; empty: there is none.
std::string dialog_of(const Screen& screen) {
  for (const char* id : {"android:id/alertTitle", "android:id/message"})
    for (const Widget& w : screen.widgets)
      if (w.id == id) return std::string(own_label(w));
  return {};
}

/// The title with the first, longest name in it left open, to the end of its word ("song" in "Delete
/// song.mp3?"): a dialog about another row is the same dialog.
std::string without_names(const std::string& title, const std::vector<std::string>& names) {
  std::string_view longest;
  for (const std::string& name : names)
    if (name.size() > longest.size() && name != title && title.find(name) != std::string::npos)
      longest = name;
  if (longest.empty()) return title;
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
  };
  std::size_t first = title.find(longest), last = first + longest.size();
  while (first > 0 && in_word(title[first - 1])) --first;
  while (last < title.size() && in_word(title[last])) ++last;
  std::string out = title;
  return out.replace(first, last - first, "*");
}

bool is_titled(std::string_view wanted, std::string_view title) {
  const std::size_t open = wanted.find('*');
  if (open == std::string_view::npos || wanted == title) return wanted == title;
  return title.size() + 1 >= wanted.size() && title.starts_with(wanted.substr(0, open)) &&
         title.ends_with(wanted.substr(open + 1));
}

/// The first widget of the app's own on a dialog: what tells it from others, whatever its title says.
std::string own_widget_of(const Screen& dialog) {
  const auto at = std::ranges::find_if(
      dialog.widgets, [](const Widget& w) { return !w.id.empty() && !w.id.starts_with("android:"); });
  return is_popup(dialog) && at != dialog.widgets.end() ? at->id : std::string();
}

}  // namespace

std::string dialog_name(const Screen& screen, const std::vector<std::string>& names) {
  const std::string name = without_names(dialog_of(screen), names), own = own_widget_of(screen);
  return !own.empty() && std::ranges::find(names, name) != names.end() ? own : name;
}

bool is_dialog(std::string_view name, const Screen& screen) {
  return is_titled(name, dialog_of(screen)) || name == own_widget_of(screen);
}

}  // namespace norn
