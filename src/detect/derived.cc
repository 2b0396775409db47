// A number that the rest of the page determines, or the page it was opened from: a total beside its items, an answer to what was entered. How it is
// computed need not be known: wherever all else is the same, it must say the same. A text for which this holds again and
// again is derived; two inputs that then show the same page but for this text contradict each other.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "detect/aggregates.h"
#include "detect/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

class Derived final : public Expectation {
 public:
  Derived(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "derived"; }
  Learnt learnt() const override { return {.least = 8, .failing = 0.05, .fewest = 2}; }  // again and again

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& here = data_.of(node);
    if (!plain(node)) return;
    const std::uint64_t whole = content(here);
    std::uint64_t way = 0, before = 0;
    if (node != tree_.root() && opens(node) && data_.of_one_row(node)) {
      way = Hasher().add(data_.of(tree_.parent(node)).page).add(role(node)).finish();
      before = content(data_.of(tree_.parent(node)));
    }
    const bool filled = std::ranges::any_of(here.values, [](const ShownValue& v) {
      return v.kind == ShownValue::Kind::field && !v.text.empty();  // it may be accepted or not
    });
    for (const ShownValue& v : here.values) {
      if (v.kind != ShownValue::Kind::text || numbers_in(v.text).empty() ||
          somebody_typed(tree_, node, v.text) || says_left_out(v.text))
        continue;
      if (!filled && something_to_derive_from(here, &v))
        look_at(node, Hasher().add(here.page).add(here.mode).add(v.name).finish(), v, whole - part(v), out);
      if (way != 0)
        look_at(node, Hasher().add(here.page).add(way).add(v.name).finish(), v, before, out, true);
    }
  }

 private:
  struct First {
    NodeId node;
    std::string text;
  };
  static std::uint64_t part(const ShownValue& v) { return Hasher().add(v.name).add(v.text).finish(); }
  static std::uint64_t content(const ScreenData& d) {
    std::uint64_t out = Hasher().add(d.page).add(d.mode).finish();
    for (const ShownValue& v : d.values) out += part(v);
    for (const ShownTable& t : d.tables) {
      std::uint64_t place = 0;
      for (const ShownRow& row : t.rows) out += Hasher().add(t.name).add(place++).add(row.content).finish();
    }
    return out;
  }
  /// All there is can be seen: no popup, nothing scrolled away, no list that is empty (everything fits an empty list).
  bool plain(NodeId node) {
    const ScreenData& d = data_.of(node);
    const Screen& s = tree_.screen(node);
    return !d.popup && !d.filtered() && s.kind == Screen::Kind::app && s.rotation == 0 &&
           std::ranges::all_of(d.tables, [](const ShownTable& t) { return t.whole && !t.rows.empty(); });
  }
  /// A list, or another number.
  static bool something_to_derive_from(const ScreenData& d, const ShownValue* but) {
    return !d.tables.empty() || std::ranges::any_of(d.values, [&](const ShownValue& v) {
      return &v != but && !numbers_in(v.text).empty();
    });
  }
  /// It was opened from another page by a touch.
  bool opens(NodeId node) {
    const NodeId before = tree_.parent(node);
    return plain(before) && something_to_derive_from(data_.of(before), nullptr) &&
           data_.of(before).page != data_.of(node).page &&
           std::holds_alternative<Tap>(tree_.event(tree_.event_id(node)));
  }
  std::uint64_t role(NodeId node) const {
    const auto r = role_of(tree_.event(tree_.event_id(node)), tree_.screen(tree_.parent(node)));
    return r ? r->specific : 0;
  }

  void look_at(NodeId node, std::uint64_t slot, const ShownValue& v, std::uint64_t rest,
               std::vector<Case>& out, bool from_alike = false) {
    const std::uint64_t same =
        Hasher().add(slot).add(rest).add(words_beside_numbers(v.text)).add(data_.settings(node)).finish();
    const auto [at, fresh] = first_.try_emplace(same, First{node, v.text});
    const First& first = at->second;
    if (fresh || first.node == node || tree_.parent(node) == first.node) return;
    const bool held = first.text == v.text;
    out.push_back({slot, held, held ? Hasher().add(v.text).finish() : rest,
                   Hasher().add(data_.of(node).page).add(v.name).finish(),
                   held ? ""
                        : fmt::format("\"{}\" where the same says \"{}\" elsewhere", printable(v.text),
                                      printable(first.text)),
                   0, 0, false, held ? NodeId{} : first.node, from_alike, rest});
  }

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, First> first_;  ///< by value and rest of the page
};

}  // namespace

std::unique_ptr<Expectation> expect_derived(const History& tree, DataCache& data) {
  return std::make_unique<Derived>(tree, data);
}

}  // namespace norn
