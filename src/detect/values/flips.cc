// What was set can be taken back: a control that says something else after it was touched (a star, "Add" and
// "Remove") changes when it is touched again, whatever was done before. Only what is not as it was when the
// control was seen first on the way is taken back: that nothing happens the first time may have its reasons.
#include <fmt/core.h>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

class Flips final : public Expectation {
 public:
  Flips(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "flips"; }
  Learnt learnt() const override { return {.least = 7, .failing = 0.34}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const NodeId before = tree_.parent(node);
    const Event& event = tree_.event(tree_.event_id(node));
    const ScreenData &was = data_.of(before), &now = data_.of(node);
    if (!std::holds_alternative<Tap>(event) || was.page != now.page || was.popup) return;
    const auto receiver = receiver_of(event, tree_.screen(before));
    if (!receiver || tree_.screen(before).widgets[*receiver].id.empty()) return;
    for (const ShownValue& v : was.values) {
      if (v.widget != *receiver || v.kind == ShownValue::Kind::field) continue;
      const ShownValue* after = now.value(v.name);
      if (!after || !numbers_in(v.text).empty() || first_seen(before, was.page, v.name) == v.text) return;
      const bool held = after->text != v.text;
      out.push_back({Hasher().add(was.page).add(v.name).add(v.text).finish(), held, content(was),
                     Hasher().add(was.page).add(v.name).finish(),
                     held ? "" : fmt::format("\"{}\" stays as it is when it is touched", printable(v.text)),
                     was.mode});
    }
  }

 private:
  std::string first_seen(NodeId node, std::uint64_t page, std::uint64_t name) {
    std::string out;
    for (;; node = tree_.parent(node)) {
      if (const ScreenData& d = data_.of(node); d.page == page)
        if (const ShownValue* v = d.value(name)) out = v->text;
      if (node == tree_.root()) return out;
    }
  }
  /// What the page shows but for its mode: the same screen is one observation.
  static std::uint64_t content(const ScreenData& d) {
    Hasher out;
    for (const ShownValue& v : d.values) out.add(v.text);
    for (const ShownTable& t : d.tables) out.add(t.content());
    return out.finish();
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_flips(const History& tree, DataCache& data) {
  return std::make_unique<Flips>(tree, data);
}

}  // namespace norn
