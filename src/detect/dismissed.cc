// Who cancels has done nothing: a question or a form that is opened, filled in and left by what calls itself Cancel leaves the page below as it was. So
// does a question that is left by Back. (A form that is a page of its own may well store what it holds on the way back.)
//
// The tree knows where questions and forms with fields are opened; each gets its fields filled in with words, then with numbers, and is left. Counted is
// only what leads back to the page from which it was opened, and reported where most of such in the app keep to it.
#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/hash.h"
#include "detect/data.h"
#include "detect/neutral.h"
#include "detect/places.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t pairs_of_a_form =
    3;  ///< from different screens, for each way to fill it in and to leave it
constexpr std::uint32_t deepest_form = 60;  ///< events before it: longer ones cost much
using Texts = std::array<std::string_view, 3>;
constexpr Texts some_words = {"Tarragon", "Lovage", "Chervil"};
constexpr Texts some_numbers = {"37", "52", "64"};

/// What closes the form without taking it, and how many events that is.
std::vector<std::vector<Event>> ways_out(const Screen& form, bool popup) {
  std::vector<std::vector<Event>> out;
  for (std::size_t i = 0; i < form.widgets.size(); ++i)
    if ((accepted_by(form.widgets[i]) & accepts_tap) != 0 && calls_itself(form, i, "cancel"))
      out.push_back({Tap{make_target(form, i), form.widgets[i].bounds.center()}});
  if (popup) out.push_back({Key{key::back}, Key{key::back}});  // the first one closes the keyboard
  return out;
}

std::vector<Event> filled_in(const Screen& form, const Texts& texts) {
  std::vector<Event> out;
  for (std::size_t i = 0; i < form.widgets.size(); ++i)
    if ((accepted_by(form.widgets[i]) & accepts_text) != 0)
      out.push_back(Type{make_target(form, i), form.widgets[i].bounds.center(),
                         std::string(texts[out.size() % texts.size()])});
  return out;
}

class Forms {
 public:
  explicit Forms(const History& tree) : tree_(tree), data_(tree) {}

  std::vector<Pair> all() {
    std::vector<NodeId> order;
    for (std::uint32_t n = 1; n < tree_.size(); ++n)
      if (opens_a_form({n})) order.push_back({n});
    std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree_.depth(n); });
    for (const NodeId n : order) {
      const auto& pages = tried_[Hasher().add(data_.of(n).page).add(data_.deed(n)).finish()];
      if (pages < pairs_of_a_form) add(n);
    }
    return std::move(out_);
  }

 private:
  bool has_fields(NodeId node) {
    return std::ranges::any_of(data_.of(node).values,
                               [](const ShownValue& v) { return v.kind == ShownValue::Kind::field; });
  }
  /// The page from which it was opened, maybe through a menu.
  NodeId page_below(NodeId form) {
    NodeId n = tree_.parent(form);
    while (data_.of(n).popup && !has_fields(n) && n != tree_.root()) n = tree_.parent(n);
    return n;
  }
  bool opens_a_form(NodeId node) {
    const NodeId page = page_below(node);
    const ScreenData &here = data_.of(node), &below = data_.of(page);
    return tree_.depth(node) <= deepest_form && !tree_.crash(node) && has_fields(node) && !below.popup &&
           here.page != below.page && upright(page) && upright(node);
  }
  /// A question that is asked of a device on its side covers so much that it looks like a page.
  bool upright(NodeId node) const {
    const Screen& screen = tree_.screen(node);
    return screen.kind == Screen::Kind::app && screen.rotation == 0 && !screen.keyboard;
  }
  void add(NodeId node) {
    const NodeId page = page_below(node);
    const Screen& form = tree_.screen(node);
    auto opening = tree_.events_to(node);
    opening.erase(opening.begin(), opening.begin() + tree_.depth(page));
    ++tried_[Hasher().add(data_.of(node).page).add(data_.deed(node)).finish()];
    for (const Texts& texts : {some_words, some_numbers})
      for (const auto& leaving : ways_out(form, data_.of(node).popup)) {
        Pair p{.family = "dismissed",
               .name = "a form that was filled in and cancelled leaves something changed",
               .group = Hasher().add("dismissed").add(leaving.size()).finish(),
               .base = page,
               .plain = {},
               .other = joined(joined(opening, filled_in(form, texts)), leaving),
               .agree = {}};
        p.agree = {{0, p.other.size()}};
        out_.push_back(std::move(p));
      }
  }

  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::size_t> tried_;  ///< by form and what opens it
  std::vector<Pair> out_;
};

/// Those that lead back to the page they begin on.
Result<std::vector<Pair>> that_come_back(OracleContext& c, std::vector<Pair> batch) {
  const History& tree = c.replay.history();
  std::vector<Request> requests;
  for (const Pair& p : batch) requests.push_back({.from = p.base, .events = c.replay.intern(p.other)});
  const auto outcomes = c.replay.ask(requests, Until::all, c.stop);
  std::vector<Pair> out;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const Outcome& o = outcomes[k];
    if (o.verdict != Verdict::yes || o.used != batch[k].other.size() || tree.crash(o.end)) continue;
    if (data_of(tree.screen(o.end)).page == data_of(tree.screen(batch[k].base)).page)
      out.push_back(std::move(batch[k]));
  }
  return out;
}

}  // namespace

Status try_dismissed(OracleContext& c) {
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, Forms(c.replay.history()).all(), [&](std::vector<Pair> batch) -> Status {
    NORN_TRY(auto back, that_come_back(c, std::move(batch)));
    return pairs.attempt(std::move(back));
  }));
  return pairs.report(Habit::none);
}

}  // namespace norn
