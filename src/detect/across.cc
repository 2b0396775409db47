// The same thing on two pages says the same: what a row shows and the page it opens, a badge and the list behind it. Every text and
// number of the touched row (or of the page, for a button) is compared with every value of the page that opens; pairs that agree for several
// different things and seldom fail are what the app shows twice.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t shortest_text = 2;  ///< shorter ones are found in anything

/// What a row says without marks before it ("★ ") and without the sign that it was cut short: neither is part of what the page says.
std::string_view core(std::string_view text) {
  static constexpr std::string_view cut = "…";
  if (text.ends_with(cut)) text.remove_suffix(cut.size());
  const std::size_t space = text.find(' ');
  const auto letter = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (space != std::string_view::npos && std::ranges::none_of(text.substr(0, space), letter))
    text.remove_prefix(space + 1);
  return text;
}

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

  Learnt learnt() const override { return {.least = 4, .failing = 0.25, .rivals = true}; }

  void look(NodeId node, std::vector<Case>& out) override {
    Opened o;
    if (!opened(node, o)) return;
    if (o.row) {
      for (const ShownValue& cell : o.row->cells) {
        for (const ShownValue& value : o.to->values) texts(o, cell, value, out);
        numbers(o, cell, out);
      }
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

  static void texts(const Opened& o, const ShownValue& cell, const ShownValue& value,
                    std::vector<Case>& out) {
    if (cell.kind == ShownValue::Kind::check || value.kind == ShownValue::Kind::check) return;
    if (cell.text.size() < shortest_text) return;
    const bool held = value.text.find(core(cell.text)) != std::string::npos;
    out.push_back({Hasher().add("text").add(o.way).add(cell.name).add(value.name).finish(), held,
                   Hasher().add(cell.text).add(value.text).finish(),
                   Hasher().add(o.to->page).add(value.name).finish(),
                   held ? ""
                        : fmt::format("the row says \"{}\", the page it opens \"{}\"", printable(cell.text),
                                      printable(value.text)),
                   o.mode});
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
