// A search shows what it was asked for.
//   finds  a row whose name says the searched words, and which was there before they were typed, is there now
//   only   a row that is there says them
// Capitals are not told from small letters. Learnt for each list: one that searches elsewhere than in what its rows show, or only in their beginnings, fails often.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_typing =
    6;  ///< events since the list was seen whole: typing, closing the keyboard

std::string small(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

bool row_says(const ShownRow& row, const std::string& words) {
  return std::ranges::any_of(
      row.cells, [&](const ShownValue& c) { return small(c.text).find(words) != std::string::npos; });
}

class Searched final : public Expectation {
 public:
  Searched(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "searched"; }
  Learnt learnt() const override { return {.least = 6, .failing = 0.2}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& here = data_.of(node);
    const std::string words = searched_for(here);
    if (words.empty() || here.popup || here.tables.size() != 1) return;
    const NodeId before = seen_whole(node);
    const ShownTable& now = here.tables.front();
    const ShownTable* all = before ? data_.of(before).table(now.name) : nullptr;
    if (!all || !all->whole || !now.whole) return;
    for (const ShownRow& row : all->rows) {
      const bool there =
          std::ranges::any_of(now.rows, [&](const ShownRow& r) { return r.title() == row.title(); });
      if (small(row.title()).find(words) != std::string::npos)
        put(here, "finds", there, row, words, "it is not found", out);
      if (there) put(here, "only", row_says(row, words), row, words, "it does not say so", out);
    }
  }

 private:
  /// The only filled field beside a list.
  static std::string searched_for(const ScreenData& here) {
    std::string out;
    for (const ShownValue& v : here.values)
      if (v.kind == ShownValue::Kind::field && !v.text.empty()) {
        if (!out.empty()) return {};
        out = small(trim(v.text));
      }
    return here.tables.empty() ? std::string{} : out;
  }

  /// The same page before anything was searched for, with nothing but typing since.
  NodeId seen_whole(NodeId node) {
    const std::uint64_t page = data_.of(node).page;
    for (std::size_t k = 0; k < longest_typing && node != tree_.root(); ++k) {
      const Event& event = tree_.event(tree_.event_id(node));
      if (!std::holds_alternative<Type>(event) && !std::holds_alternative<Key>(event)) return {};
      node = tree_.parent(node);
      if (data_.of(node).page != page) return {};
      if (!data_.of(node).filtered()) return node;
    }
    return {};
  }

  static void put(const ScreenData& here, std::string_view what, bool held, const ShownRow& row,
                  const std::string& words, std::string_view wrong, std::vector<Case>& out) {
    out.push_back({Hasher().add(what).add(here.page).add(here.tables.front().name).finish(), held,
                   Hasher().add(row.title()).add(words).finish(),
                   Hasher().add(what).add(here.page).add(here.tables.front().name).finish(),
                   held ? ""
                        : fmt::format("\"{}\" was searched for, row \"{}\": {}", printable(words),
                                      printable(row.title()), wrong)});
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_searched(const History& tree, DataCache& data) {
  return std::make_unique<Searched>(tree, data);
}

}  // namespace norn
