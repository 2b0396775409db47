// What calls itself so begins anew: after Reset, Clear or Empty the page shows what it showed when it was opened first. Only most of it, as a rule: an action
// that leaves most as it is clears something else ("Clear finished").
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"
#include "detect/remembered.h"
#include "gui/event.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t most_questions = 3;  ///< between the button and the page: a menu, "Are you sure?"

bool says_reset(std::string text) {
  static constexpr std::array<std::string_view, 6> words{"reset",      "clear",   "empty",
                                                         "start over", "restart", "start again"};
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

class Resets final : public Expectation {
 public:
  Resets(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "resets"; }
  Learnt learnt() const override { return {.least = 5, .failing = 0.34}; }

  void look(NodeId node, std::vector<Case>& out) override {
    NodeId before;
    std::uint64_t deed = 0;
    if (!reset(node, before, deed)) return;
    const auto first = slots_of(data_.of(opened(before)));
    const auto was = slots_of(data_.of(before)), is = slots_of(data_.of(node));
    for (const auto& [name, shown] : first) {
      const auto then = was.find(name), now = is.find(name);
      if (then == was.end() || now == is.end() || then->second == shown) continue;
      const bool held = now->second == shown;
      out.push_back(
          {Hasher().add(data_.of(node).page).add(deed).finish(), held,
           Hasher().add(name).add(then->second).finish(),
           Hasher().add(data_.of(node).page).add(name).finish(),
           held ? ""
                : fmt::format("\"{}\" is still there, though all else is as at first", text(node, name))});
    }
  }

 private:
  /// The page is as somebody who asked to begin anew sees it; `before` is what it was.
  bool reset(NodeId node, NodeId& before, std::uint64_t& deed) {
    if (node == tree_.root() || data_.of(node).popup) return false;
    bool said = false;
    before = node;
    for (std::size_t k = 0; k < most_questions && before != tree_.root(); ++k) {
      const Event& event = tree_.event(tree_.event_id(before));
      if (const Target* target = target_of(event);
          target && std::holds_alternative<Tap>(event) && says_reset(target->label + " " + target->id))
        said = true, deed = data_.deed(before);
      before = tree_.parent(before);
      if (!data_.of(before).popup) break;
    }
    return said && data_.of(before).page == data_.of(node).page;
  }
  /// The first node of this page on the way.
  NodeId opened(NodeId node) {
    NodeId out = node;
    for (NodeId n = node; n != tree_.root(); n = tree_.parent(n))
      if (data_.of(tree_.parent(n)).page == data_.of(node).page) out = tree_.parent(n);
    return out;
  }
  std::string text(NodeId node, std::uint64_t name) {
    const ShownValue* v = data_.of(node).value(name);
    const ShownTable* t = data_.of(node).table(name);
    return printable(v ? v->text : t && !t->rows.empty() ? std::string(t->rows[0].title()) : "nothing");
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_resets(const History& tree, DataCache& data) {
  return std::make_unique<Resets>(tree, data);
}

}  // namespace norn
