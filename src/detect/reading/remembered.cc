#include "detect/reading/remembered.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace norn {
namespace {

constexpr std::size_t nearly_all = 4;  ///< slots kept for one that is lost

/// What each slot shows, by name.
std::map<std::uint64_t, std::uint64_t> slots_of(const ScreenData& data) {
  std::map<std::uint64_t, std::uint64_t> out;
  for (const ShownValue& v : data.values)
    if (v.kind != ShownValue::Kind::field) out[v.name] = Hasher().add(v.text).finish();
  for (const ShownTable& t : data.tables) out[t.name] = t.content();
  return out;
}

std::set<std::uint64_t> slots_that_differ(const ScreenData& a, const ScreenData& b) {
  const auto x = slots_of(a), y = slots_of(b);
  std::set<std::uint64_t> out;
  for (const auto& [name, shows] : x)
    if (const auto at = y.find(name); at == y.end() || at->second != shows) out.insert(name);
  for (const auto& [name, shows] : y)
    if (!x.contains(name)) out.insert(name);
  return out;
}

}  // namespace

std::set<std::uint64_t> slots_in_both_that_differ(const ScreenData& a, const ScreenData& b) {
  const auto x = slots_of(a), y = slots_of(b);
  std::set<std::uint64_t> out;
  for (const auto& [name, shows] : x)
    if (const auto at = y.find(name); at != y.end() && at->second != shows) out.insert(name);
  return out;
}

std::set<std::uint64_t> changed_since_opened(DataCache& data, const History& tree, NodeId node) {
  NodeId opened = node;
  for (NodeId n = node;
       n != tree.root() && tree.screen(tree.parent(n)).activity == tree.screen(n).activity;) {
    n = tree.parent(n);
    if (data.of(n).page == data.of(node).page) opened = n;
  }
  return slots_that_differ(data.of(opened), data.of(node));
}

bool choices_differ(const Screen& a, const Screen& b) {
  const auto chosen = [](const Screen& screen) {
    std::map<std::uint64_t, bool> out;
    const auto note = [&](std::uint64_t name, const ShownValue& v) {
      const Widget& w = screen.widgets[v.widget];
      out[name] = w.is(Flag::selected) || w.is(Flag::checked);
    };
    const ScreenData data = data_of(screen);
    for (const ShownValue& v : data.values) note(v.name, v);
    for (const ShownTable& t : data.tables)
      for (const ShownRow& row : t.rows) {
        const bool all_checks = std::ranges::none_of(
            row.cells, [](const ShownValue& v) { return v.kind == ShownValue::Kind::text; });
        const std::uint64_t name = Hasher()
                                       .add(t.name)
                                       .add(all_checks ? label(screen, row.widget) : std::string(row.title()))
                                       .finish();
        for (const ShownValue& cell : row.cells) note(Hasher().add(name).add(cell.name).finish(), cell);
        out[name] = screen.widgets[row.widget].is(Flag::selected);
      }
    return out;
  };
  const auto x = chosen(a), y = chosen(b);
  return std::ranges::any_of(x, [&](const auto& one) {
    const auto at = y.find(one.first);
    return at != y.end() && at->second != one.second;
  });
}

std::multiset<std::uint64_t> rows_shown(const ScreenData& data) {
  std::multiset<std::uint64_t> out;
  for (const ShownTable& t : data.tables)
    for (const ShownRow& row : t.rows) out.insert(row.content);
  return out;
}

bool values_say_otherwise(const ScreenData& a, const ScreenData& b) {
  return std::ranges::any_of(a.values, [&](const ShownValue& v) {
    const ShownValue* other = b.value(v.name);
    return other && other->text != v.text;
  });
}

bool says_otherwise(const ScreenData& a, const ScreenData& b) {
  return rows_shown(a) != rows_shown(b) || values_say_otherwise(a, b);
}

bool same_names(const ScreenData& a, const ScreenData& b) {
  const auto names = [](const ScreenData& d) {
    std::multiset<std::string_view> out;
    for (const ShownTable& t : d.tables)
      for (const ShownRow& row : t.rows) out.insert(row.title());
    return out;
  };
  return names(a) == names(b);
}

bool only_a_place_moves(const ScreenData& a, const ScreenData& b) {
  if (rows_shown(a) != rows_shown(b)) return false;
  return std::ranges::all_of(a.values, [&](const ShownValue& v) {
    const ShownValue* is = b.value(v.name);
    if (!is || is->text == v.text) return true;
    const auto was = numbers_in(v.text), now = numbers_in(is->text);
    return was.size() == 1 && now.size() == 1 && std::abs(was[0] - now[0]) == 1 &&
           words_beside_numbers(v.text) == words_beside_numbers(is->text);
  });
}

void Remembered::note(std::uint64_t group, NodeId base, NodeId plain, NodeId other) {
  const auto lost = slots_that_differ(data_.of(plain), data_.of(other));
  for (const std::uint64_t name : changed_since_opened(data_, tree_, base)) {
    Slot& slot = slots_[group][name];
    ++(lost.contains(name) ? slot.lost : slot.kept);
  }
}

bool Remembered::loses_an_exception(std::uint64_t group, NodeId base, NodeId plain, NodeId other) {
  const auto changed = changed_since_opened(data_, tree_, base);
  const auto lost = slots_that_differ(data_.of(plain), data_.of(other));
  if (std::ranges::none_of(lost, [&](std::uint64_t name) { return changed.contains(name); })) return false;
  std::size_t keeps = 0, loses = 0;
  for (const auto& [name, slot] : slots_[group]) ++(slot.kept > slot.lost ? keeps : loses);
  const bool chosen = choices_differ(tree_.screen(plain), tree_.screen(other));
  return chosen ? keeps > loses : keeps >= nearly_all * loses;
}

}  // namespace norn
