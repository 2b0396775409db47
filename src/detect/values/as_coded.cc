// Names are sorted by the alphabet, not by the codes of their letters, all capitals before all small ones
// ("Zoe" before "anna"). The list is in the order of codes whenever it has both, and not in that of the
// alphabet; of lists in which something stands above what was entered before it, as those that show what was
// entered when may be in any order.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

/// The names in a cell of a list's rows, from the top down; empty: a row has none, or one of them begins
/// with no letter.
std::vector<std::string_view> names_in(const ShownTable& t, std::uint64_t cell) {
  std::vector<std::string_view> out;
  for (const ShownRow& row : t.rows) {
    const ShownValue* v = row.cell(cell);
    if (!v || v->kind != ShownValue::Kind::text || v->text.empty() ||
        std::isalpha(static_cast<unsigned char>(v->text[0])) == 0)
      return {};
    out.push_back(v->text);
  }
  return out;
}

class SortedAsCoded final : public Expectation {
 public:
  SortedAsCoded(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "as_coded"; }
  /// It stands by itself, and is so of nearly every list of names that shows it.
  Learnt learnt() const override {
    return {.least = 0, .failing = 1, .failing_least = 0.9, .fewest = 2, .chance = 1};
  }
  bool any_text() const override { return false; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup || now.filtered()) return;
    for (const ShownTable& t : now.tables)
      for (const ShownValue& cell : t.rows.empty() ? std::vector<ShownValue>{} : t.rows[0].cells)
        if (const auto names = names_in(t, cell.name);
            names.size() >= enough_names && tells(names) && added_above(node, names))
          out.push_back(judged(now, t, cell.name, names));
  }

 private:
  static constexpr std::size_t enough_names = 4;
  /// By the alphabet a name in small letters stands before one that begins with a capital.
  static bool tells(const std::vector<std::string_view>& names) {
    return std::ranges::any_of(names, [&](std::string_view a) {
      return std::islower(static_cast<unsigned char>(a[0])) != 0 &&
             std::ranges::any_of(names, [&](std::string_view b) {
               return std::isupper(static_cast<unsigned char>(b[0])) != 0 &&
                      in_small_letters(a) < in_small_letters(b);
             });
    });
  }
  /// A name was entered after one in small letters and stands above it: the list is no record of what was
  /// entered when.
  bool added_above(NodeId node, const std::vector<std::string_view>& names) const {
    std::size_t last = names.size();  // the place of the one entered last among those looked at so far
    for (NodeId n = node; n != tree_.root(); n = tree_.parent(n)) {
      const std::string* text = typed_text(tree_.event(tree_.event_id(n)));
      const auto at = std::ranges::find_if(names, [&](std::string_view name) {
        return text && text->size() > 1 && name.find(*text) != name.npos;
      });
      if (at == names.end()) continue;
      const auto place = static_cast<std::size_t>(at - names.begin());
      if (last < place && std::islower(static_cast<unsigned char>((*at)[0])) != 0) return true;
      last = std::min(last, place);
    }
    return false;
  }
  static Case judged(const ScreenData& now, const ShownTable& t, std::uint64_t cell,
                     const std::vector<std::string_view>& names) {
    const bool coded = std::ranges::is_sorted(names) || std::ranges::is_sorted(names, std::greater<>());
    const std::uint64_t list = Hasher().add(now.page).add(t.name).finish();
    return {.group = Hasher().add("as coded").add(list).add(cell).finish(),
            .held = !coded,
            .value = t.content(),
            .wrong = list,
            .words = coded ? fmt::format("\"{}\" to \"{}\" are sorted with all capitals before small letters",
                                         printable(names.front()), printable(names.back()))
                           : ""};
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_as_coded(const History& tree, DataCache& data) {
  return std::make_unique<SortedAsCoded>(tree, data);
}

}  // namespace norn
