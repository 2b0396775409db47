// What is to go is gone, and nothing else. Where a page says how many there are of a kind ("3 finished") and
// something that calls itself clearing that kind ("Clear finished") is touched, also in a menu and through a
// question, none are left of it, if anything went at all; and no more rows went than there were. What is
// cleared by the tab that is shown, instead of by its name, shows here.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::array sweeping{"clear", "remove", "delete", "archive", "discard", "purge"};
constexpr std::size_t longest_question = 4;  ///< events between the page and what went from it
constexpr std::size_t telling_kind = 4;      ///< letters

class Swept final : public Expectation {
 public:
  Swept(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "swept"; }
  Learnt learnt() const override { return {.least = 0, .failing = 1, .chance = 1}; }  // stands by itself

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root() || data_.of(node).popup) return;
    NodeId before = node;
    std::string kind, said;
    for (std::size_t k = 0; k < longest_question && before != tree_.root(); ++k) {
      const NodeId at = tree_.parent(before);
      const auto touched = receiver_of(tree_.event(tree_.event_id(before)), tree_.screen(at));
      if (!touched || (!data_.of(at).popup && row_of(data_.of(at), *touched).row)) return;
      const std::string called(label(tree_.screen(at), *touched));
      if (const std::string swept = kind_swept(called); !swept.empty()) kind = swept, said = called;
      before = at;
      if (!data_.of(at).popup) break;
    }
    if (kind.empty() || data_.of(before).page != data_.of(node).page) return;
    compare(before, node, kind, said, out);
  }

 private:
  /// "finished" of "Clear finished"; empty: it says no such thing.
  static std::string kind_swept(std::string_view called) {
    const std::string small = in_small_letters(called);
    const auto words = split(small, ' ');
    if (words.size() != 2 || words[1].size() < telling_kind ||
        std::ranges::find(sweeping, words[0]) == sweeping.end())
      return {};
    return std::string(words[1]);
  }
  void compare(NodeId before, NodeId node, const std::string& kind, const std::string& said,
               std::vector<Case>& out) {
    const ScreenData &was = data_.of(before), &now = data_.of(node);
    const std::size_t gone = rows_gone(was, now);
    if (gone == 0) return;
    for (const ShownValue& v : was.values) {
      const auto numbers = numbers_in(v.text);
      if (v.kind != ShownValue::Kind::text || numbers.size() != 1 ||
          accepted_by(tree_.screen(before).widgets[v.widget]) != 0 ||
          words_beside_numbers(in_small_letters(v.text)) != words_beside_numbers(kind))
        continue;
      const ShownValue* is = now.value(v.name);
      const auto left = is ? numbers_in(is->text) : std::vector<double>{};
      const bool some_left = left.size() == 1 && left[0] > 0,
                 too_many = static_cast<double>(gone) > numbers[0];
      const std::uint64_t group = Hasher().add("swept").add(now.page).add(v.name).add(kind).finish();
      out.push_back({.group = group,
                     .held = !some_left && !too_many,
                     .value = Hasher().add(v.text).add(was.mode).finish(),
                     .wrong = group,
                     .words = too_many    ? fmt::format("\"{}\" took {} rows, where \"{}\" was said",
                                                        printable(said), gone, printable(v.text))
                              : some_left ? fmt::format("\"{}\" was touched, \"{}\" is said then",
                                                        printable(said), printable(is->text))
                                          : ""});
    }
  }
  /// How many rows fewer the lists have that are there whole; one that holds nothing any more may be gone or
  /// say so.
  static std::size_t rows_gone(const ScreenData& was, const ScreenData& now) {
    std::size_t out = 0;
    for (const ShownTable& t : was.tables) {
      const ShownTable* is = now.table(t.name);
      const std::size_t left = is && !is->is_notice() ? is->rows.size() : 0;
      if (t.whole && !t.is_notice() && left < t.rows.size()) out += t.rows.size() - left;
    }
    return out;
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_swept(const History& tree, DataCache& data) {
  return std::make_unique<Swept>(tree, data);
}

}  // namespace norn
