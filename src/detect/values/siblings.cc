// Rows of one kind behave alike: if those beside it open a page of the app, so does this one; it does not
// throw the user out. Rows are of one kind if they have the same cells and the same pictures (a folder is not
// a file).
#include <fmt/core.h>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

class Siblings final : public Expectation {
 public:
  Siblings(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "siblings"; }
  Learnt learnt() const override { return {.least = 4, .failing = 0.2, .most = 2}; }  // a list has few rows

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const NodeId before = tree_.parent(node);
    const Event& event = tree_.event(tree_.event_id(node));
    const auto receiver = receiver_of(event, tree_.screen(before));
    if (!receiver || !std::holds_alternative<Tap>(event)) return;
    const ScreenData& here = data_.of(before);
    const RowPlace place = row_of(here, *receiver);
    if (!place.row) return;
    const bool held = tree_.screen(node).kind == Screen::Kind::app;
    const std::uint64_t group =
        Hasher().add(here.page).add(place.table->name).add(data_.deed(node)).add(place.row->kind).finish();
    out.push_back({group, held, Hasher().add(place.row->content).finish(), group,
                   held ? ""
                        : fmt::format("row \"{}\" leaves the app, others of its kind do not",
                                      printable(place.row->title()))});
  }

 private:
  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_siblings(const History& tree, DataCache& data) {
  return std::make_unique<Siblings>(tree, data);
}

}  // namespace norn
