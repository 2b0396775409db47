// A thing shows the same wherever it is listed: in the whole list and in a search, on one tab and another, on the first page and in a summary. Two sightings of
// a row by its name are compared, cell by cell, if nothing but looking lies between them: other pages were opened or come back to, another tab was chosen,
// something was searched for. Which cell of one list says what which cell of the other says is learnt, as everywhere.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"

namespace norn {
namespace {

constexpr std::size_t longest_memory = 8;       ///< events between two sightings
constexpr std::size_t shortest_known_name = 3;  ///< shorter ones are found in anything
constexpr std::size_t cells_compared = 5;       ///< of a row

struct Sighting {
  const ScreenData* page = nullptr;
  const ShownTable* table = nullptr;
  const ShownRow* row = nullptr;
};

class Agrees final : public Expectation {
 public:
  Agrees(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "agrees"; }
  Learnt learnt() const override { return {.least = 2, .failing = 0.2}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root() || !only_looks(node)) return;
    const ScreenData& here = data_.of(node);
    for (const ShownTable& t : here.tables)
      for (const ShownRow& row : t.rows)
        if (const Sighting now{&here, &t, &row}; is_known_by_name(now))
          if (const Sighting before = last_seen(node, now); before.row) compare(before, now, out);
  }

 private:
  /// The last event led to another page, or set this one otherwise.
  bool only_looks(NodeId node) {
    const ScreenData &before = data_.of(tree_.parent(node)), &here = data_.of(node);
    const Event& event = tree_.event(tree_.event_id(node));
    if (here.popup || before.popup || tree_.screen(node).kind != Screen::Kind::app) return false;
    if (std::holds_alternative<Type>(event)) return before.page == here.page && !here.tables.empty();
    if (!std::holds_alternative<Tap>(event) && !std::holds_alternative<Key>(event)) return false;
    return before.page != here.page || before.mode != here.mode;
  }
  static bool is_known_by_name(const Sighting& s) {
    const auto title = s.row->title();
    return title.size() >= shortest_known_name && s.row->cells.size() >= 2 &&
           std::ranges::count(s.table->rows, title, &ShownRow::title) == 1;
  }
  static std::uint64_t place(const Sighting& s) {
    return Hasher().add(s.page->page).add(s.table->name).add(s.page->filtered()).finish();
  }

  /// In another list, or in this one while it was set otherwise.
  Sighting last_seen(NodeId node, const Sighting& now) {
    for (std::size_t k = 0; k < longest_memory && node != tree_.root() && only_looks(node); ++k) {
      node = tree_.parent(node);
      const ScreenData& there = data_.of(node);
      for (const ShownTable& t : there.tables)
        for (const ShownRow& row : t.rows) {
          const Sighting s{&there, &t, &row};
          if (row.title() == now.row->title() && is_known_by_name(s) &&
              (place(s) != place(now) || there.mode != now.page->mode))
            return s;
        }
    }
    return {};
  }

  static void compare(const Sighting& before, const Sighting& now, std::vector<Case>& out) {
    const std::uint64_t places = Hasher().add(place(before)).add(place(now)).finish();
    const auto& was = before.row->cells;
    const auto& is = now.row->cells;
    for (std::size_t i = 1; i < std::min(was.size(), cells_compared); ++i)
      for (std::size_t j = 1; j < std::min(is.size(), cells_compared); ++j) {
        const bool held = was[i].text == is[j].text;
        out.push_back({Hasher().add(places).add(was[i].name).add(is[j].name).finish(), held,
                       Hasher().add(now.row->title()).add(was[i].text).add(is[j].text).finish(),
                       Hasher().add(now.page->page).add(now.table->name).add(is[j].name).finish(),
                       held ? ""
                            : fmt::format("\"{}\": \"{}\" here, \"{}\" there", printable(now.row->title()),
                                          printable(is[j].text), printable(was[i].text)),
                       0, Hasher().add(is[j].text).finish()});
      }
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_agrees(const History& tree, DataCache& data) {
  return std::make_unique<Agrees>(tree, data);
}

}  // namespace norn
