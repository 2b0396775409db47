// An order is kept whatever is added: something new stands where it would stand if the order had been chosen
// afterwards. A list that is sorted once, when the order is chosen, puts what is new at its end. This needs no
// habit: all names are in order the other way round, and one row alone is out of place. (By what else a list is
// sorted two rows may well be equal.)
//
// Added is what walks added, also by other names: what comes last by its name stands at the end in any case.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/list_steps.h"
#include "detect/offers/list_views.h"
#include "detect/reading/typed.h"

namespace norn {
namespace {

constexpr std::size_t enough_names = 3;    ///< with what was added: before that they are in order, too
constexpr std::size_t ways_of_a_page = 2;  ///< of adding something
constexpr std::array<const char*, 3> other_names{nullptr, "Abelia", "Mimosa"};  ///< nullptr: as it was

class Placing {
 public:
  explicit Placing(OracleContext& c)
      : c_(c), tree_(c.replay.history()), steps_(tree_), data_(steps_.data()), views_(c, data_) {}

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::set<std::uint64_t>> ways;
    for (const NodeId after : steps_.nodes()) {
      const NodeId before = steps_.last_before(after);
      if (!c_.left() || !before || !steps_.plain(before) || !adds(before, after)) continue;
      auto& known = ways[data_.of(before).page];
      if (known.size() < ways_of_a_page && known.insert(data_.deed(after)).second) in_orders(before, after);
    }
    return in_rounds(std::move(by_order_));
  }
  /// One row alone stands elsewhere, and the names are in order no more.
  bool is_wrong(NodeId sorted_after, NodeId added_after) {
    const ScreenData &a = data_.of(sorted_after), &b = data_.of(added_after);
    return a.page == b.page && one_row_moved(a, b) && std::ranges::any_of(a.tables, [&](const ShownTable& t) {
             const ShownTable* other = b.table(t.name);
             return other && names_in_order(t) && !names_in_order(*other);
           });
  }

 private:
  static bool names_in_order(const ShownTable& table) {
    std::vector<std::string> names;
    for (const ShownRow& row : table.rows) names.push_back(in_small_letters(row.title()));
    return names.size() + 1 >= enough_names &&
           (std::ranges::is_sorted(names) || std::ranges::is_sorted(names, std::greater<>()));
  }
  /// One row more, which was entered.
  bool adds(NodeId before, NodeId after) {
    const auto was = rows_by_texts(data_.of(before)), is = rows_by_texts(data_.of(after));
    const auto way = events_between(tree_, before, after);
    return is.size() == was.size() + 1 && std::ranges::includes(is, was) &&
           !steps_.touched(before, after).row &&
           std::ranges::any_of(way, [](const Event& e) { return typed_text(e) != nullptr; });
  }
  void in_orders(NodeId before, NodeId after) {
    const auto rows = rows_by_texts(data_.of(before));
    for (const ListView& view : views_.of(before)) {
      const auto& tables = data_.of(view.shown).tables;
      if (rows_by_texts(data_.of(view.shown)) != rows || !std::ranges::any_of(tables, names_in_order))
        continue;  // it shows a part, or is sorted by something else
      for (const char* name : other_names)
        if (auto way = called(events_between(tree_, before, after), name); !way.empty())
          add(before, way, view);
    }
  }
  /// The first word that is typed on the way is another one; empty: there is none.
  static std::vector<Event> called(std::vector<Event> way, const char* name) {
    if (!name) return way;
    for (Event& event : way)
      if (auto* type = std::get_if<Type>(&event);
          type && is_name(type->text) && numbers_in(type->text).empty()) {
        type->text = name;
        return way;
      }
    return {};
  }
  void add(NodeId before, const std::vector<Event>& way, const ListView& view) {
    Pair out{.family = "placed",
             .name = "what is added to a sorted list does not stand where that order puts it",
             .group = Hasher().add("placed").add(data_.of(before).page).finish(),
             .base = before,
             .plain = joined(way, view.there),
             .other = joined(view.there, way),
             .agree = {},
             .one_report = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    by_order_[Hasher().add(out.group).add(describe(view.there.back())).finish()].push_back(std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  ListSteps steps_;
  DataCache& data_;
  ListViews views_;
  std::map<std::uint64_t, std::vector<Pair>> by_order_;
};

}  // namespace

Status try_placed(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Placing placing(looking);
  Pairs pairs(c, "neutral");
  NORN_CHECK(
      in_batches(c, placing.all(), [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair&, NodeId sorted_after, NodeId added_after) {
    return placing.is_wrong(sorted_after, added_after);
  });
}

}  // namespace norn
