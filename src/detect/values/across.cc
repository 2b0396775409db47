// The same number on two pages: how many a row says there are and what the page behind it lists, a badge and
// the list it stands for. Every number of the touched row (or of the page, for a button) is compared with
// every number of the page that opens and with how many rows its lists have; pairs that agree for several
// different things and seldom fail are what the app shows twice. What texts say of each other is left to
// rows.cc and named.cc: a row adds marks, cuts short and hides what is locked.
#include <fmt/core.h>

#include <cmath>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

struct Opened {
  const ScreenData* from = nullptr;
  const ScreenData* to = nullptr;
  const ShownRow* row = nullptr;
  std::uint64_t way = 0;  ///< from which page, by what, to which page
  std::uint64_t mode = 0;
};

class Across final : public Expectation {
 public:
  Across(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "across"; }

  Learnt learnt() const override { return {.least = 4, .failing = 0.25, .fewest = 2, .rivals = true}; }

  void look(NodeId node, std::vector<Case>& out) override {
    Opened o;
    if (!opened(node, o)) return;
    if (o.row) {
      for (const ShownValue& cell : o.row->cells)
        if (!was_typed(tree_, node, cell.text)) numbers(o, cell, out);  // a name may be a number
      return;
    }
    for (const ShownValue& value : o.from->values) numbers(o, value, out);
  }

 private:
  bool opened(NodeId node, Opened& o) {
    if (node == tree_.root()) return false;
    const NodeId before = tree_.parent(node);
    const Event& event = tree_.event(tree_.event_id(node));
    if (!std::holds_alternative<Tap>(event)) return false;
    o.from = &data_.of(before), o.to = &data_.of(node);
    if (o.from->page == o.to->page || o.from->popup || tree_.screen(node).kind != Screen::Kind::app)
      return false;
    if (data_.below(before, o.to->page)) return false;
    const auto receiver = receiver_of(event, tree_.screen(before));
    if (!receiver) return false;
    o.row = row_of(*o.from, *receiver).row;
    // A page that is used twice (choose from, choose to) is two pages.
    o.way =
        Hasher().add(data_.opener(before)).add(o.from->page).add(data_.deed(node)).add(o.to->page).finish();
    o.mode = Hasher().add(o.from->mode).add(o.to->mode).finish();
    return true;
  }

  static void numbers(const Opened& o, const ShownValue& from, std::vector<Case>& out) {
    const auto all = numbers_in(from.text);
    if (all.size() != 1 || from.kind != ShownValue::Kind::text) return;
    const std::uint64_t of = o.row ? Hasher().add(o.row->title()).finish() : 0;
    const auto put = [&](std::uint64_t name, double is, std::string words) {
      const bool held = std::abs(all[0] - is) < 0.005;
      const std::uint64_t numbers =
          Hasher().add(std::bit_cast<std::uint64_t>(all[0])).add(std::bit_cast<std::uint64_t>(is)).finish();
      out.push_back({Hasher().add("number").add(o.way).add(from.name).add(name).finish(), held,
                     Hasher().add(of).add(numbers).finish(),
                     Hasher().add(o.from->page).add(from.name).finish(), held ? "" : std::move(words), o.mode,
                     numbers});
    };
    for (const ShownTable& t : o.to->tables)
      if (t.whole)
        put(t.name, static_cast<double>(t.rows.size()),
            fmt::format("\"{}\", but {} rows are there", printable(from.text), t.rows.size()));
    for (const ShownValue& value : o.to->values)
      if (const auto there = numbers_in(value.text);
          there.size() == 1 && value.kind == ShownValue::Kind::text)
        put(value.name, there[0],
            fmt::format("\"{}\" on one page, \"{}\" on the next", printable(from.text),
                        printable(value.text)));
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_across(const History& tree, DataCache& data) {
  return std::make_unique<Across>(tree, data);
}

}  // namespace norn
