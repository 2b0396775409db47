#include "detect/other_texts.h"

#include <algorithm>
#include <map>

#include "detect/data.h"
#include "gui/popup.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

char turned(char c, char first, char count, std::uint32_t by) {
  return static_cast<char>(first + static_cast<char>((static_cast<std::uint32_t>(c - first) + by) %
                                                     static_cast<std::uint32_t>(count)));
}

/// Vowels stay vowels: a word stays one. A number does not begin with nought.
std::string other_text(std::string text, std::uint32_t salt) {
  static constexpr std::string_view vowels = "aeiou", consonants = "bcdfghjklmnpqrstvwxyz";
  for (std::size_t i = 0; i < text.size(); ++i) {
    char& c = text[i];
    if (c >= '1' && c <= '9')
      c = turned(c, '1', 9, salt);
    else if (const auto v = vowels.find(c); v != std::string_view::npos)
      c = vowels[(v + salt) % vowels.size()];
    else if (const auto k = consonants.find(c); k != std::string_view::npos)
      c = consonants[(k + 5 * salt + i) % consonants.size()];
  }
  return text;
}

bool listed(const ScreenData& data, std::string_view text) {
  return std::ranges::any_of(data.tables, [&](const ShownTable& t) {
    return std::ranges::any_of(t.rows, [&](const ShownRow& row) { return row.says(text); });
  });
}

using Renamed = std::map<std::string, std::string, std::greater<>>;  ///< longer ones before their beginnings

void rename(std::string& text, const Renamed& names) {
  for (const auto& [was, is] : names)
    if (const auto at = text.find(was); at != std::string::npos) {
      text.replace(at, was.size(), is);
      return;
    }
}

}  // namespace

std::vector<Event> with_other_texts(const History& tree, NodeId end, std::uint32_t salt) {
  std::vector<Event> out = tree.events_to(end);
  Renamed names;
  std::size_t at = out.size();
  for (NodeId n = end; n != tree.root(); n = tree.parent(n))
    if (const auto* type = std::get_if<Type>(&out[--at]);
        type && !type->text.empty() && !listed(data_of(tree.screen(tree.parent(n))), type->text))
      names.emplace(type->text, other_text(type->text, salt));
  for (Event& event : out) {
    if (auto* type = std::get_if<Type>(&event))
      if (const auto known = names.find(type->text); known != names.end()) type->text = known->second;
    std::visit(
        [&](auto& e) {
          if constexpr (requires { e.target.label; }) rename(e.target.label, names);
        },
        event);
  }
  return out;
}

std::vector<std::vector<Event>> with_other_rows(const History& tree, NodeId end, std::size_t most) {
  std::vector<std::vector<Event>> out;
  const std::vector<Event> input = tree.events_to(end);
  std::size_t at = input.size();
  for (NodeId n = end; n != tree.root(); n = tree.parent(n)) {
    const Screen& screen = tree.screen(tree.parent(n));
    const auto receiver = receiver_of(input[--at], screen);
    if (!receiver || is_popup(screen)) continue;
    const ScreenData data = data_of(screen);
    const RowPlace place = row_of(data, *receiver);
    if (!place.row) continue;
    for (const ShownRow& row : place.table->rows)
      if (&row != place.row && row.end - row.widget == place.row->end - place.row->widget &&
          out.size() < most) {
        out.push_back(input);
        const std::size_t widget = row.widget + (*receiver - place.row->widget);
        std::visit(
            [&](auto& e) {
              if constexpr (requires { e.target.label; }) e.target = make_target(screen, widget);
              if constexpr (requires { e.at.x; }) e.at = screen.widgets[widget].bounds.center();
            },
            out.back()[at]);
      }
    break;
  }
  return out;
}

}  // namespace norn
