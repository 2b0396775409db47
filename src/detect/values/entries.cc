// What was chosen is what is shown. From a menu or a question with at least three entries one is taken, and a
// text of the page that comes to name one of them names that one: a list that is sorted for the eye and
// looked up unsorted gives another. It must have been so for one of them, and failed for two.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/forms.h"
#include "detect/values/expectations.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t shortest_entry = 3;  ///< letters: shorter ones are found in anything
constexpr std::size_t fewest_entries = 3;
constexpr std::size_t most_entries = 40;

class Entries final : public Expectation {
 public:
  Entries(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "entries"; }
  Learnt learnt() const override { return {.least = 1, .failing = 1, .fewest = 2, .chance = 2}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root() || data_.of(node).popup || tree_.screen(node).kind != Screen::Kind::app) return;
    const NodeId menu = tree_.parent(node);
    if (!data_.of(menu).popup || data_.of(menu).has_field()) return;
    NodeId page = menu;
    while (page != tree_.root() && data_.of(page).popup) page = tree_.parent(page);
    if (data_.of(page).page != data_.of(node).page) return;
    const auto touched = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(menu));
    const std::set<std::string> all = labels_of(tree_.screen(menu));
    const std::string taken = touched ? label(tree_.screen(menu), *touched) : "";
    if (all.size() < fewest_entries || !all.contains(taken) || data_.of(page).says(taken))
      return;  // it may be to go
    for (const ShownValue& v : data_.of(node).values) compare(node, page, v, all, taken, out);
  }

 private:
  static std::set<std::string> labels_of(const Screen& menu) {
    std::set<std::string> out;
    for (const Event& entry : entries_of(menu, most_entries))
      if (const auto i = receiver_of(entry, menu); i && label(menu, *i).size() >= shortest_entry)
        out.insert(label(menu, *i));
    return out;
  }
  /// The only entry that the text names; empty: none, or several.
  static std::string named(const std::string& text, const std::set<std::string>& all) {
    std::string out;
    for (const std::string& entry : all) {
      if (!says_word(in_small_letters(text), in_small_letters(entry))) continue;
      if (!out.empty()) return {};
      out = entry;
    }
    return out;
  }
  void compare(NodeId node, NodeId page, const ShownValue& v, const std::set<std::string>& all,
               const std::string& taken, std::vector<Case>& out) {
    const ShownValue* was = data_.of(page).value(v.name);
    const std::string entry = named(v.text, all);
    if (v.kind != ShownValue::Kind::text || !was || was->text == v.text || entry.empty()) return;
    if (named(was->text, all).empty() && said_before(page, v)) return;  // a selection has ended
    const bool held = entry == taken || data_.of(node).says(taken);
    const std::uint64_t where = Hasher().add(data_.of(node).page).add(v.name).finish();
    out.push_back({.group = where,
                   .held = held,
                   .value = hash_bytes(taken),
                   .wrong = where,
                   .words = held ? ""
                                 : fmt::format("\"{}\" was chosen, and \"{}\" is shown", printable(taken),
                                               printable(v.text))});
  }

  /// On this visit of the page.
  bool said_before(NodeId page, const ShownValue& v) {
    const NodeId opened = data_.opened(page);
    for (NodeId n = page;; n = tree_.parent(n)) {
      const ShownValue* then = data_.of(n).page == data_.of(page).page ? data_.of(n).value(v.name) : nullptr;
      if (then && then->text == v.text) return true;
      if (n == opened || n == tree_.root()) return false;
    }
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_entries(const History& tree, DataCache& data) {
  return std::make_unique<Entries>(tree, data);
}

}  // namespace norn
