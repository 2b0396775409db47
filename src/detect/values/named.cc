// A touched row leads to where its name is.
//   leaves   in the whole app, rows whose names are made of the same kinds of characters open a page that
//            bears that name; then such a row does not throw the user out. So "photos" is a folder and
//            "cat.jpg" a file even where nothing else shows it.
//   chosen   where the page that a row of this list leads to says the row's name, whichever row it is, it
//            says it now, too: what was chosen is what one gets, whatever was searched for or selected
//            before.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t shortest_row_name = 3;  ///< shorter ones are found in anything
constexpr std::size_t longest_sign = 4;       ///< bytes of one character

struct TouchedRow {
  const ScreenData* from = nullptr;
  RowPlace place{};
  std::string_view name() const { return place.row->title(); }
};

/// A name without the sign before it that says something about it: "● New mail" is "New mail".
std::string_view without_mark(std::string_view name) {
  const std::size_t end = name.find(' ');
  if (end == std::string_view::npos || end > longest_sign) return name;
  const bool sign = std::ranges::none_of(
      name.substr(0, end), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
  return sign ? name.substr(end + 1) : name;
}

/// A name without what stands in brackets behind it: "Old car (hidden)" is "Old car".
std::string_view without_note(std::string_view name) {
  const std::size_t note = name.ends_with(')') ? name.rfind(" (") : std::string_view::npos;
  return note == std::string_view::npos || note == 0 ? name : name.substr(0, note);
}

/// The last event was a tap on a row with a name, not of a menu.
bool touched_row(const History& tree, DataCache& data, NodeId node, TouchedRow& out) {
  if (node == tree.root()) return false;
  const NodeId before = tree.parent(node);
  const Event& event = tree.event(tree.event_id(node));
  const auto receiver = receiver_of(event, tree.screen(before));
  if (!receiver || !std::holds_alternative<Tap>(event)) return false;
  out.from = &data.of(before), out.place = row_of(*out.from, *receiver);
  return out.place.row && !out.from->popup && out.name().size() >= shortest_row_name;
}

/// Which kinds of characters a name is made of.
std::uint64_t letters_of(std::string_view name) {
  std::set<char> kinds;
  for (const char c : name) {
    const bool digit = is_digit(c), sign = c > 0 && c < 'A' && !digit;
    kinds.insert(digit ? '0' : sign ? c : 'a');
  }
  return Hasher().add(std::string(kinds.begin(), kinds.end())).finish();
}

class Leaves final : public Expectation {
 public:
  Leaves(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "leaves"; }
  /// Once not in eight is the least that is no chance.
  Learnt learnt() const override { return {.least = 7, .failing = 0.13}; }

  void look(NodeId node, std::vector<Case>& out) override {
    TouchedRow t;
    if (!touched_row(tree_, data_, node, t)) return;
    const bool inside = tree_.screen(node).kind == Screen::Kind::app;
    if (inside && !bears(data_.of(node), t.name())) return;
    out.push_back({letters_of(t.name()), inside, Hasher().add(t.name()).finish(),
                   Hasher().add(t.from->page).add(t.place.table->name).finish(),
                   inside
                       ? ""
                       : fmt::format("row \"{}\" leaves the app; others with such names open their own page",
                                     printable(t.name()))});
  }

 private:
  static bool bears(const ScreenData& page, std::string_view name) {
    return std::ranges::any_of(page.values, [&](const ShownValue& v) { return v.text == name; });
  }
  const History& tree_;
  DataCache& data_;
};

class Chosen final : public Expectation {
 public:
  Chosen(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "chosen"; }
  Learnt learnt() const override { return {.least = 6, .failing = 0.34}; }
  bool any_row() const override { return true; }

  void look(NodeId node, std::vector<Case>& out) override {
    TouchedRow t;
    if (!touched_row(tree_, data_, node, t)) return;
    const ScreenData& here = data_.of(node);
    if (here.page == t.from->page || here.popup || tree_.screen(node).kind != Screen::Kind::app) return;
    const std::string_view name = without_note(without_mark(t.name()));
    const bool held = here.says(name) || says_each_word(here, name);
    if (!held && (tree_.screen(node).keyboard || std::ranges::any_of(here.tables, &ShownTable::scrolls)))
      return;  // it may be further down
    // "7. 63", "08:00 to 08:15" may be said in parts, "4100.0 kWh" is no name.
    if (!held && (!has_a_word(name) || !is_name(name))) return;
    const ShownRow& row = *t.place.row;
    const std::uint64_t group = Hasher()
                                    .add(t.from->page)
                                    .add(data_.deed(node))
                                    .add(here.page)
                                    .add(row.cells[row.naming].name)
                                    .finish();
    if (held) pages_.try_emplace(group, &here);
    if (!held && lacks_most(group, here)) return;
    out.push_back({group, held, Hasher().add(t.name()).add(t.place.table->content()).finish(),
                   Hasher().add(here.page).add(data_.deed(node)).finish(),
                   held ? ""
                        : fmt::format("row \"{}\" was touched, the page it leads to does not name it",
                                      printable(t.name())),
                   0, Hasher().add(t.name()).finish(), t.from->filtered(), 0, hash_bytes(t.name())});
  }

 private:
  /// Of what the page shows where it names the row most is not there at all: it says that the thing is gone.
  bool lacks_most(std::uint64_t group, const ScreenData& here) const {
    const auto usual = pages_.find(group);
    if (usual == pages_.end()) return false;
    const auto& values = usual->second->values;
    const auto there =
        std::ranges::count_if(values, [&](const ShownValue& v) { return here.value(v.name) != nullptr; });
    return 2 * there < std::ssize(values);
  }
  /// The row may say more than a name ("Fern (Nephrolepis exaltata)"), of which the page says one here and
  /// one there.
  static bool says_each_word(const ScreenData& page, std::string_view name) {
    std::size_t words = 0, parts = 0;
    for (const std::string_view part : split(name, ' ')) {
      const std::string_view word = trim_marks(part);
      ++parts;
      if (word.size() < shortest_row_name) continue;
      if (!page.says(word)) return false;
      ++words;
    }
    return words > 0 && parts > 1;
  }
  static bool has_a_word(std::string_view name) {
    return std::ranges::any_of(split(name, ' '), [](std::string_view part) {
      const std::string_view word = trim_marks(part);
      return word.size() >= shortest_row_name && numbers_in(word).empty();
    });
  }
  static std::string_view trim_marks(std::string_view word) {
    const auto in_a_word = [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; };
    if (word.starts_with('\xE2') || word.starts_with('\xF0')) return {};  // a sign: a heart, a star
    while (!word.empty() && !in_a_word(word.front())) word.remove_prefix(1);
    while (!word.empty() && !in_a_word(word.back())) word.remove_suffix(1);
    return word;
  }
  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, const ScreenData*> pages_;  ///< by situation: the first that named its row
};

}  // namespace

std::unique_ptr<Expectation> expect_leaves(const History& tree, DataCache& data) {
  return std::make_unique<Leaves>(tree, data);
}

std::unique_ptr<Expectation> expect_chosen(const History& tree, DataCache& data) {
  return std::make_unique<Chosen>(tree, data);
}

}  // namespace norn
