// Leaving a form by Back or the arrow at the top changes nothing: what was typed is gone, the page before shows what it showed. Apps that save
// on leaving never meet this; an app that does so in one place only has forgotten something.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"
#include "gui/difference.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_on_form = 12;  ///< events on the form

class Cancel final : public Expectation {
 public:
  Cancel(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "cancel"; }
  Learnt learnt() const override { return {4, 0.25}; }

  void look(NodeId node, std::vector<Case>& out) override {
    NodeId before;
    std::string typed;
    if (!cancelled(node, before, typed)) return;
    const ScreenData &was = data_.of(before), &is = data_.of(node);
    if (was.mode != is.mode) return;
    const bool held = shown(was) == shown(is);
    const ScreenData& form =
        data_.of(tree_.parent(node));  // which fields are filled: drafts are kept of what is worth it
    const auto* key = std::get_if<Key>(&tree_.event(tree_.event_id(node)));
    out.push_back(
        {Hasher().add(key ? "back" : "up").add(form.page).add(form.mode).add(data_.told(node)).finish(), held,
         Hasher().add(is.page).add(typed).finish(), is.page,
         held
             ? ""
             : fmt::format(
                   "leaving the form without saving changes what the page before it shows (\"{}\" was typed)",
                   printable(typed))});
  }

 private:
  static std::uint64_t shown(const ScreenData& d) {
    Hasher h;
    for (const ShownValue& v : d.values) h.add(v.name).add(v.text);
    for (const ShownTable& t : d.tables)
      for (const ShownRow& row : t.rows) h.add(row.content);
    return h.finish();
  }
  /// Back, or a touch on what stands first in the title bar and has no words of its own but a description.
  bool leaves(NodeId node) const {
    const Event& event = tree_.event(tree_.event_id(node));
    if (const auto* key = std::get_if<Key>(&event)) return key->code == key::back;
    if (!std::holds_alternative<Tap>(event)) return false;
    const Screen& screen = tree_.screen(tree_.parent(node));
    const auto i = receiver_of(event, screen);
    return i && screen.widgets[*i].cls.ends_with("ImageButton") && screen.widgets[*i].text.empty() &&
           screen.widgets[*i].id.empty();
  }
  /// This node is where one comes back to from a page on which nothing was done but typing.
  bool cancelled(NodeId node, NodeId& before, std::string& typed) {
    if (node == tree_.root() || !leaves(node) || data_.of(node).popup) return false;
    const std::uint64_t page = data_.of(node).page, form = data_.of(tree_.parent(node)).page;
    if (page == form || tree_.screen(node).kind != Screen::Kind::app) return false;
    NodeId at = tree_.parent(node);
    for (std::size_t k = 0; k < longest_on_form && at != tree_.root(); ++k, at = tree_.parent(at)) {
      before = tree_.parent(at);
      if (data_.of(before).page != form) return data_.of(before).page == page && !typed.empty();
      const Event& event = tree_.event(tree_.event_id(at));
      if (const std::string* text = typed_text(event))
        typed = *text;
      else if (const auto i = receiver_of(event, tree_.screen(before));
               i && !tree_.screen(before).widgets[*i].is(Flag::editable))
        return false;
    }
    return false;
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_cancel(const History& tree, DataCache& data) {
  return std::make_unique<Cancel>(tree, data);
}

}  // namespace norn
