#include "detect/offers/list_steps.h"

#include <algorithm>

#include "detect/offers/places.h"
#include "detect/pairs.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_list_step = 16;     ///< events of filling in a form and saving it
constexpr std::uint32_t deepest_list_step = 120;  ///< events before it: longer ones cost much

}  // namespace

bool asks(const ScreenData& d) { return d.popup || d.is_form(); }

bool set_the_same(const ScreenData& a, const ScreenData& b) {
  return a.page == b.page && std::ranges::all_of(a.values, [&](const ShownValue& v) {
           const ShownValue* other = b.value(v.name);
           return !other || v.text == other->text ||
                  (v.kind == ShownValue::Kind::text &&
                   words_beside_numbers(v.text) == words_beside_numbers(other->text));
         });
}

bool only_data_differs(const ScreenData& a, const ScreenData& b) {
  return a.mode == b.mode && set_the_same(a, b);
}

ListSteps::ListSteps(const History& tree) : tree_(tree), data_(tree), openings_(tree, data_) {
  for (std::uint32_t n = 0; n < tree_.size(); ++n)
    if (plain({n})) order_.push_back({n});
  std::ranges::stable_sort(order_, {}, [&](NodeId n) { return tree_.depth(n); });
  ways_ = openings_.ways_to_pages(order_);
}

bool ListSteps::plain(NodeId node) {
  return stands_upright(tree_.screen(node)) && !tree_.crash(node) && !data_.of(node).popup &&
         tree_.depth(node) <= deepest_list_step && undisturbed(tree_, node);
}

NodeId ListSteps::last_before(NodeId node) {
  if (node == tree_.root() || data_.of(node).tables.empty()) return {};
  NodeId n = tree_.parent(node);
  for (std::size_t k = 0; k < longest_list_step && n != tree_.root() && asks(data_.of(n)); ++k)
    n = tree_.parent(n);
  return set_the_same(data_.of(n), data_.of(node)) ? n : NodeId{};
}

RowPlace ListSteps::touched(NodeId before, NodeId node) {
  while (tree_.parent(node) != before) node = tree_.parent(node);
  const auto i = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(before));
  return i ? row_of(data_.of(before), *i) : RowPlace{};
}

std::vector<std::vector<Event>> ListSteps::ways_from(NodeId node, std::size_t most) {
  std::vector<std::vector<Event>> out;
  const auto add = [&](std::uint64_t page, const std::vector<Event>& before) {
    if (const auto at = ways_.find(page); at != ways_.end())
      for (const auto& [to, way] : at->second)
        if (to != data_.of(node).page && out.size() < most) out.push_back(joined(before, way));
  };
  if (const NodeId opened = data_.opened(node); opened != tree_.root()) {
    out.push_back({Key{key::back}});
    add(data_.of(openings_.from(opened)).page, {Key{key::back}});
  }
  add(data_.of(node).page, {});
  return out;
}

}  // namespace norn
