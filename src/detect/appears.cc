// What was typed and accepted shows: a new name appears on the page one comes back to. Learnt by which fields were filled (the first line of a
// text may stand for a missing title), the way the form or question is left and the page it leads to; Cancel never shows what was typed.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t shortest_typed = 3;  ///< shorter ones are found in anything

class Appears final : public Expectation {
 public:
  Appears(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "appears"; }
  Learnt learnt() const override { return {5, 0.34}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const NodeId form = tree_.parent(node);
    const ScreenData &from = data_.of(form), &here = data_.of(node);
    if (std::holds_alternative<Key>(tree_.event(tree_.event_id(node)))) return;  // Back accepts nothing
    if (from.page == here.page || tree_.screen(node).kind != Screen::Kind::app) return;
    if (!std::ranges::all_of(here.tables, &ShownTable::whole) || here.filtered()) return;
    for (const ShownValue& v : from.values) {
      if (v.kind != ShownValue::Kind::field || v.text.size() < shortest_typed || !just_typed(form, v))
        continue;
      const bool held = here.says(trim(v.text));
      out.push_back(
          {Hasher()
               .add(from.page)
               .add(from.mode)
               .add(v.name)
               .add(data_.deed(node))
               .add(here.page)
               .add(data_.told(node))
               .finish(),
           held, Hasher().add(v.text).add(here.tables.empty() ? 0 : here.tables[0].rows.size()).finish(),
           Hasher().add(here.page).add(v.name).finish(),
           held ? "" : fmt::format("\"{}\" was entered, but does not appear", printable(v.text)), here.mode});
    }
  }

 private:
  /// In this visit of the form.
  bool just_typed(NodeId form, const ShownValue& v) {
    for (NodeId n = form; n != tree_.root() && data_.of(tree_.parent(n)).page == data_.of(form).page;
         n = tree_.parent(n))
      if (const std::string* typed = typed_text(tree_.event(tree_.event_id(n))))
        if (*typed == v.text) return true;
    return false;
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_appears(const History& tree, DataCache& data) {
  return std::make_unique<Appears>(tree, data);
}

}  // namespace norn
