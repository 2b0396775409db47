// Who empties a page, or sets it back, has done away with what was done there. Something is done on a page,
// then what calls itself Reset, Empty, Clear or Start over is touched: the page shows what it shows when that
// is touched at once. A number that is still there (the discount of a basket that was emptied, the marks of a
// count that begins anew) was forgotten.
//
// What was done is what walks did on the page and in questions over it. Not all that a page says need go:
// settings stay, and so may words and lists. So what cannot be touched and has a number is looked at, on pages
// of which most of what was changed is as it was.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/openings.h"
#include "detect/offers/places.h"
#include "detect/reading/remembered.h"
#include "detect/reading/typed.h"

namespace norn {
namespace {

constexpr std::array resetting{"reset",      "empty",       "clear",      "restart",
                               "start over", "start again", "begin again"};
constexpr std::array of_a_view{"search", "filter", "filters", "selection"};
constexpr std::size_t longest_doing = 10;  ///< events on the page before it is emptied
constexpr std::size_t steps_of_a_kind = 2;

std::optional<std::size_t> resetting_in(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    const std::string says = in_small_letters(label(screen, i));
    if ((accepted_by(w) & (accepts_tap | accepts_text)) == accepts_tap && !w.is(Flag::checkable) &&
        says_one_of(says, resetting) && !says_one_of(says, of_a_view))
      return i;
  }
  return std::nullopt;
}

class Emptying {
 public:
  explicit Emptying(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::size_t> tried;
    for (const NodeId n : done_something()) {
      if (!c_.left()) break;
      if (tried[kind_of(n)] >= steps_of_a_kind) continue;
      const std::vector<Event> emptying = emptying_of(n);
      if (emptying.empty()) continue;
      ++tried[kind_of(n)];
      add(n, emptying);
    }
    return in_rounds(std::move(by_step_));
  }
  void note(const Pair& pair, NodeId plain, NodeId other) {
    Changed& changed = changed_[data_.of(pair.base).page];
    for (const ShownValue& v : data_.of(done_.at(way_of(pair))).values) {
      const ShownValue *was = data_.of(plain).value(v.name), *is = data_.of(other).value(v.name);
      if (!is || (was && was->text == v.text)) continue;
      if (was && was->text == is->text) changed.gone.insert(v.name);
      if (is_left(other, v.name, v.text)) changed.left.insert(v.name);
    }
  }
  /// A number that came with what was done is there as it was then, and most of what was done is not. Said
  /// once of each number.
  bool is_wrong(const Pair& cut, NodeId plain, NodeId other) {
    const ScreenData &was = data_.of(plain), &then = data_.of(done_.at(way_of(cut)));
    const Changed& changed = changed_[then.page];
    if (was.page != data_.of(other).page || was.page != then.page ||
        changed.gone.size() < changed.left.size())
      return false;
    return std::ranges::any_of(then.values, [&](const ShownValue& v) {
      const ShownValue* before = was.value(v.name);
      return (!before || before->text != v.text) && !was_picked(cut.other, v.text) &&
             is_left(other, v.name, v.text) && !changed.gone.contains(v.name) &&
             told_.insert(Hasher().add(then.page).add(v.name).finish()).second;
    });
  }

 private:
  /// Somebody touched what says so, or typed it: a choice of his, no count of what was done.
  static bool was_picked(const std::vector<Event>& way, std::string_view text) {
    return std::ranges::any_of(way, [&](const Event& event) {
      const Target* target = target_of(event);
      const std::string* typed = typed_text(event);
      return (target && !target->label.empty() && text.contains(target->label)) ||
             (typed && !typed->empty() && text.contains(*typed));
    });
  }
  /// What was changed on a page: as it was after that was emptied, or as it was changed.
  struct Changed {
    std::set<std::uint64_t> gone, left;
  };
  /// A pair's other way, without the time to settle.
  using Way = std::pair<NodeId, std::vector<EventId>>;
  Way way_of(const Pair& pair) {
    std::vector<Event> events = pair.other;
    while (!events.empty() && std::holds_alternative<Wait>(events.back())) events.pop_back();
    return {pair.base, c_.replay.intern(events)};
  }
  /// Nodes at which a page does not say what it said when it was opened, and nothing else was visited between,
  /// shallow ones first.
  std::vector<NodeId> done_something() {
    std::vector<NodeId> out;
    for (std::uint32_t k = 1; k < tree_.size(); ++k) {
      const NodeId n{k};
      if (tree_.crash(n) || data_.of(n).popup || !stands_upright(tree_.screen(n))) continue;
      const NodeId opened = data_.opened(n);
      if (opened != n && tree_.depth(n) - tree_.depth(opened) <= longest_doing && stayed(opened, n) &&
          undisturbed(tree_, opened) && values_say_otherwise(data_.of(opened), data_.of(n)))
        out.push_back(n);
    }
    std::ranges::stable_sort(out, {}, [&](NodeId n) { return tree_.depth(n); });
    return out;
  }
  bool stayed(NodeId opened, NodeId n) {
    for (const std::uint64_t page = data_.of(n).page; n != opened; n = tree_.parent(n)) {
      const bool touched = std::holds_alternative<Tap>(tree_.event(tree_.event_id(n))) ||
                           std::holds_alternative<Type>(tree_.event(tree_.event_id(n)));
      if (!touched || (data_.of(n).page != page && !data_.of(n).popup)) return false;
    }
    return true;
  }
  std::uint64_t kind_of(NodeId n) { return Hasher().add(data_.of(n).page).add(data_.deed(n)).finish(); }

  /// What empties the page of this node, and the answer if that is asked for; looked for once on each page.
  /// Nothing: there is no such thing.
  std::vector<Event> emptying_of(NodeId n) {
    const auto [at, fresh] = emptying_.try_emplace(data_.of(n).page);
    if (!fresh) return at->second;
    std::vector<Event> way = touching_it_or_in_menu(c_, data_, n, resetting_in);
    const NodeId end = way.empty() ? NodeId{} : ends_of(c_, n, {way}).front();
    if (!end || !data_.of(end).popup) return at->second = end ? way : std::vector<Event>{};
    const Screen& question = tree_.screen(end);
    for (std::size_t i = 0; i < question.widgets.size(); ++i)
      if (question.widgets[i].id == "android:id/button1") way.push_back(tap_on(question, i));
    return at->second = way;
  }
  void add(NodeId done, const std::vector<Event>& emptying) {
    const NodeId opened = data_.opened(done);
    const NodeId at_once = ends_of(c_, opened, {emptying}).front();
    const bool can_be =
        at_once && data_.of(at_once).page == data_.of(opened).page && !data_.of(at_once).popup;
    Pair out{.family = "emptied",
             .name = "what was done on a page is still there after it was emptied or set back",
             .group = Hasher().add("emptied").add(done.value).finish(),
             .base = opened,
             .plain = can_be ? emptying : std::vector<Event>{},
             .other = joined(events_between(tree_, opened, done), emptying),
             .agree = {},
             .any_order = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    done_.try_emplace(way_of(out), done);
    by_step_[kind_of(done)].push_back(std::move(out));
  }

  /// It says this, which has a number, and cannot be touched.
  bool is_left(NodeId node, std::uint64_t name, std::string_view text) {
    const ShownValue* is = data_.of(node).value(name);
    return is && is->kind == ShownValue::Kind::text && is->text == text && !numbers_in(text).empty() &&
           accepted_by(tree_.screen(node).widgets[is->widget]) == 0;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::vector<Event>> emptying_;  ///< by page
  std::map<Way, NodeId> done_;                            ///< where a pair's page was before it was emptied
  std::map<std::uint64_t, Changed> changed_;              ///< by page
  std::set<std::uint64_t> told_;
  std::map<std::uint64_t, std::vector<Pair>> by_step_;
};

}  // namespace

Status try_emptied(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Emptying emptying(looking);
  Pairs pairs(c, "neutral");
  pairs.on_compared([&](const Pair& p, NodeId plain, NodeId other) { emptying.note(p, plain, other); });
  NORN_CHECK(in_batches(c, emptying.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    return emptying.is_wrong(cut, plain, other);
  });
}

}  // namespace norn
