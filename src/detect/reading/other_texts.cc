#include "detect/reading/other_texts.h"

#include <algorithm>
#include <map>

#include "detect/reading/data.h"
#include "gui/popup.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

char turned(char c, char first, char count, std::uint32_t by) {
  return static_cast<char>(first + static_cast<char>((static_cast<std::uint32_t>(c - first) + by) %
                                                     static_cast<std::uint32_t>(count)));
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

bool names_one_row(const Event& event, const Screen& screen) {
  const auto receiver = receiver_of(event, screen);
  const ScreenData data = data_of(screen);
  const RowPlace place = receiver ? row_of(data, *receiver) : RowPlace{};
  return !place.row || std::ranges::count_if(place.table->rows, [&](const ShownRow& r) {
                         return label(screen, r.widget) == label(screen, place.row->widget);
                       }) == 1;
}

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

std::vector<Event> on_other_rows(const Event& event, const Screen& screen, bool like_it) {
  std::vector<Event> out;
  const auto receiver = receiver_of(event, screen);
  const ScreenData data = data_of(screen);
  const RowPlace place = receiver ? row_of(data, *receiver) : RowPlace{};
  if (!place.row) return out;
  const std::size_t inside = *receiver - place.row->widget;
  for (const ShownRow& row : place.table->rows) {
    const bool alike_in_size = row.end - row.widget == place.row->end - place.row->widget;
    if (&row == place.row || (!alike_in_size && (like_it || inside > 0))) continue;
    out.push_back(event);
    std::visit(
        [&](auto& e) {
          if constexpr (requires { e.target.label; }) e.target = make_target(screen, row.widget + inside);
          if constexpr (requires { e.at.x; }) e.at = screen.widgets[row.widget + inside].bounds.center();
        },
        out.back());
  }
  return out;
}

std::vector<std::vector<Event>> with_other_rows(const History& tree, NodeId end, std::size_t most) {
  std::vector<std::vector<Event>> out;
  const std::vector<Event> input = tree.events_to(end);
  std::size_t at = input.size();
  for (NodeId n = end; n != tree.root(); n = tree.parent(n)) {
    const Screen& screen = tree.screen(tree.parent(n));
    --at;
    if (is_popup(screen)) continue;
    const auto receiver = receiver_of(input[at], screen);
    if (!receiver || !row_of(data_of(screen), *receiver).row) continue;
    for (const Event& other : on_other_rows(input[at], screen, true))
      if (out.size() < most) out.push_back(input), out.back()[at] = other;
    break;
  }
  return out;
}

}  // namespace norn
