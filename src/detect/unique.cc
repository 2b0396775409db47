// A name that is taken is taken. Where entering the name of a row that is there is refused as a rule, or does not lead to two rows of that name, it does so in every form: who
// may not add a second "Garden" may not rename "Heath" to it. What was entered is read off the last field that was typed into before a button of the form was touched; it is a name if such a
// text came to be a row's name before.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"
#include "detect/list_steps.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_entering = 16;  ///< events of filling in a form
constexpr std::size_t shortest_name = 3;

std::ptrdiff_t rows_called(const ShownTable& t, std::string_view name) {
  return std::ranges::count_if(t.rows, [&](const ShownRow& row) { return row.title() == name; });
}

class Unique final : public Expectation {
 public:
  Unique(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "unique"; }
  Learnt learnt() const override { return {.least = 3, .failing = 0.34, .fewest = 2}; }
  /// Another text would be no name that is taken.
  bool any_text() const override { return false; }

  void look(NodeId node, std::vector<Case>& out) override {
    Entered entered;
    if (!is_touched(node) || !was_entered(tree_.parent(node), entered)) return;
    const ScreenData &list = data_.of(entered.list), &here = data_.of(node);
    for (const ShownTable& t : list.tables) {
      const ShownTable* now = here.table(t.name);
      const std::uint64_t field = Hasher().add(list.page).add(t.name).add(entered.field).finish();
      if (rows_called(t, *entered.name) == 0 && here.page == list.page && now &&
          rows_called(*now, *entered.name) == 1)
        naming_.insert(field);
      if (rows_called(t, *entered.name) != 1 || touched_itself(entered, t) || !naming_.contains(field))
        continue;
      if (here.page == list.page && now)
        out.push_back(compared(entered, t, rows_called(*now, *entered.name) < 2));
      else if (refuses(data_.of(tree_.parent(node)), here))
        out.push_back(compared(entered, t, true));
    }
  }

 private:
  struct Entered {
    NodeId list, opening;  ///< the page below the form, and the node after it
    const std::string* name = nullptr;
    std::uint64_t field = 0;  ///< into which it was typed
  };
  bool is_touched(NodeId node) const {
    return node != tree_.root() && std::holds_alternative<Tap>(tree_.event(tree_.event_id(node)));
  }
  /// This node shows a form into which a name was typed last.
  bool was_entered(NodeId form, Entered& out) {
    NodeId n = form;
    for (std::size_t k = 0; k < longest_entering && n != tree_.root() && asks(data_.of(n)); ++k) {
      if (const std::string* text = typed_text(tree_.event(tree_.event_id(n))); text && !out.name)
        out.name = text;
      out.opening = n, n = tree_.parent(n);
    }
    out.list = n;
    return out.name && out.name->size() >= shortest_name && !asks(data_.of(n)) && !data_.of(n).filtered() &&
           (out.field = field_with(data_.of(form), *out.name)) != 0;
  }
  /// The field that still holds it; 0: none.
  static std::uint64_t field_with(const ScreenData& form, const std::string& name) {
    for (const ShownValue& v : form.values)
      if (v.kind == ShownValue::Kind::field && v.text == name)
        return Hasher().add(form.page).add(v.name).finish();
    return 0;
  }
  /// The form is that of the row with this name.
  bool touched_itself(const Entered& entered, const ShownTable& t) {
    const auto i = receiver_of(tree_.event(tree_.event_id(entered.opening)), tree_.screen(entered.list));
    const RowPlace place = i ? row_of(data_.of(entered.list), *i) : RowPlace{};
    return place.row && place.table->name == t.name && place.row->title() == *entered.name;
  }
  /// The form is as it was but for a message: what was touched did nothing.
  static bool refuses(const ScreenData& form, const ScreenData& now) {
    const auto as_before = [&](const ShownValue& v) {
      const ShownValue* is = now.value(v.name);
      return is && is->text == v.text;
    };
    return form.page == now.page && std::ranges::all_of(form.values, as_before);
  }
  Case compared(const Entered& entered, const ShownTable& t, bool held) {
    const std::uint64_t list = Hasher().add("unique").add(data_.of(entered.list).page).add(t.name).finish();
    return {.group = list,
            .held = held,
            .value = Hasher().add(*entered.name).add(t.content()).finish(),
            .wrong = list,
            .words = held ? ""
                          : fmt::format("a second \"{}\" is there, which is refused elsewhere",
                                        printable(*entered.name)),
            .cause = data_.deed(entered.opening)};
  }

  const History& tree_;
  DataCache& data_;
  std::set<std::uint64_t> naming_;  ///< fields whose texts became names of rows, by list
};

}  // namespace

std::unique_ptr<Expectation> expect_unique(const History& tree, DataCache& data) {
  return std::make_unique<Unique>(tree, data);
}

}  // namespace norn
