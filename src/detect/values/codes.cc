// A code counts once. Most fields take whatever is typed, and taking it twice may be meant; a field that does
// nothing for most texts and something for a few wants a code that somebody was given ("SPRING10"). What such
// a code does to the numbers of the page it does not do a second time on the same visit.
#include <fmt/core.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/aggregates.h"
#include "detect/reading/remembered.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t refused_least =
    3;  ///< different texts that did nothing, and three times as many as did something

constexpr std::size_t longest_question = 6;  ///< events between asking for the code and taking it

/// A button was touched beside a field with a text in it, on the page itself or in a question that is gone
/// then.
struct Offered {
  std::uint64_t slot = 0;  ///< this button, this field
  std::string text;
  bool worked = false;  ///< a number is another one now
};

class Codes final : public Expectation {
 public:
  Codes(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "codes"; }
  Learnt learnt() const override { return {.least = 0, .failing = 1, .chance = 1}; }  // stands by itself
  bool any_text() const override { return false; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const Offered now = offered(node);
    if (now.slot == 0 || !wants_a_code(now.slot) || !worked_before(node, now)) return;
    const ScreenData& here = data_.of(node);
    out.push_back({now.slot, !now.worked, Hasher().add(now.text).finish(),
                   Hasher().add("codes").add(here.page).finish(),
                   now.worked ? fmt::format("\"{}\" counts again", printable(now.text)) : ""});
  }

 private:
  Offered offered(NodeId node) {
    const NodeId form = tree_.parent(node), before = data_.last_visit(node, longest_question);
    if (!before || data_.of(node).popup || !std::holds_alternative<Tap>(tree_.event(tree_.event_id(node))))
      return {};
    if (form != before && !data_.of(form).popup) return {};
    const auto taken_by = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(form));
    if (taken_by && row_of(data_.of(form), *taken_by).row) return {};  // it is about that row
    if (taken_by && without_signs(label(tree_.screen(form), *taken_by)).empty())
      return {};  // "+" takes no code
    const ShownValue* field = nullptr;
    for (const ShownValue& v : data_.of(form).values)
      if (v.kind == ShownValue::Kind::field && !v.text.empty()) {
        if (field) return {};  // it may be about the other one
        field = &v;
      }
    if (!field || !typed_since(form, before, field->text) ||
        choices_differ(tree_.screen(before),
                       tree_.screen(node)))  // a tab or a check, not a button that takes it
      return {};
    return {Hasher().add(data_.of(node).page).add(field->name).add(data_.deed(node)).finish(), field->text,
            numbers_differ(data_.of(before), data_.of(node))};
  }
  /// In this question, or on this visit of the page.
  bool typed_since(NodeId form, NodeId before, const std::string& text) {
    const NodeId from = form == before ? data_.entered(before) : before;
    for (NodeId n = form; n != from; n = tree_.parent(n))
      if (const std::string* typed = typed_text(tree_.event(tree_.event_id(n))); typed && *typed == text)
        return rows_shown(data_.of(n)) == rows_shown(data_.of(tree_.parent(n)));  // else it searches them
    return false;
  }
  /// On this visit of the page.
  bool worked_before(NodeId node, const Offered& now) {
    const std::uint64_t page = data_.of(node).page;
    for (NodeId n = tree_.parent(node); n != tree_.root() && (data_.of(n).page == page || data_.of(n).popup);
         n = tree_.parent(n))
      if (const Offered then = offered(n); then.worked && then.slot == now.slot && then.text == now.text)
        return true;
    return false;
  }
  bool wants_a_code(std::uint64_t slot) {
    for (; next_ < tree_.size(); ++next_)
      if (const Offered o = offered({static_cast<std::uint32_t>(next_)}); o.slot != 0)
        (o.worked ? taken_ : refused_)[o.slot].insert(o.text);
    const std::size_t refused = refused_[slot].size();
    return refused >= refused_least && refused >= 3 * taken_[slot].size();
  }

  const History& tree_;
  DataCache& data_;
  std::size_t next_ = 1;                                            ///< nodes from which was learnt
  std::map<std::uint64_t, std::set<std::string>> taken_, refused_;  ///< texts by slot
};

}  // namespace

std::unique_ptr<Expectation> expect_codes(const History& tree, DataCache& data) {
  return std::make_unique<Codes>(tree, data);
}

}  // namespace norn
