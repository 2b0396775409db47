// What was entered or chosen in a form and saved is there when the form is opened again on the same item.
// That it is the same item shows in another field: one that was entered in the same visit and came back, or
// one that was filled before and was not touched. A form that was left by a way that never keeps anything
// (Back, Cancel), or that opens empty, never meets this and is left alone.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/openings.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"
#include "gui/difference.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_between = 12;  ///< events between leaving the form and opening it again
constexpr std::size_t telling = 4;           ///< letters that two items hardly share

struct FormVisit {
  NodeId opened, left, next;  ///< first and last node on the form, and the one after it
};

bool entered(const ShownValue& v) { return v.kind == ShownValue::Kind::field; }
/// A text that is touched to choose another one: "Person: Ann".
bool offers_choice(const Screen& screen, const ShownValue& v) {
  return v.kind == ShownValue::Kind::text && (accepted_by(screen.widgets[v.widget]) & accepts_tap) != 0;
}

/// No number was wanted, or only one was; or it was written out ("11.0"), or added to ("Aloe (copy)").
bool tidied(std::string_view entered, std::string_view is) {
  if (is.empty()) return false;
  if (is != entered && is.find(entered) != std::string_view::npos) return true;
  if (const auto a = to_double(entered), b = to_double(is); a && b && *a == *b && is != entered) return true;
  if (numbers_in(entered).empty() != numbers_in(is).empty()) return true;
  return std::ranges::all_of(is, is_digit) && !std::ranges::all_of(entered, is_digit);
}

/// A number in a field that was left alone is another one now: 3 minutes and 60 seconds are 4 minutes.
bool carried_over(const ScreenData& first, const ScreenData& last, const ScreenData& now) {
  return std::ranges::any_of(last.values, [&](const ShownValue& v) {
    const ShownValue *was = first.value(v.name), *is = now.value(v.name);
    return entered(v) && was && is && was->text == v.text && is->text != v.text && to_double(v.text) &&
           to_double(is->text);
  });
}

class Saved final : public Expectation {
 public:
  Saved(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "saved"; }
  Learnt learnt() const override { return {5, 0.34}; }

  void look(NodeId node, std::vector<Case>& out) override {
    FormVisit visit;
    if (!opened_again(node, visit) || !data_.of_one_row(node) || copies_between(tree_, visit.next, node) ||
        (visit.opened != tree_.root() && copies_between(tree_, tree_.parent(visit.opened), visit.opened)))
      return;
    const ScreenData &first = data_.of(visit.opened), &last = data_.of(visit.left), &now = data_.of(node);
    if (!same_item(visit, node)) return;
    for (const ShownValue& v : last.values) {
      const ShownValue *was = first.value(v.name), *is = now.value(v.name);
      const ShownValue empty{v.name, v.widget, v.kind, ""};
      if (!was && entered(v)) was = &empty;  // a button brought it up
      if (!was || !is || was->text == v.text || v.text.empty() || another_row_says(node, v.text)) continue;
      if (offers_choice(tree_.screen(visit.left), v) && was_chosen(visit, v.text))
        choice(visit, node, *was, v, *is, out);
      if (!entered(v)) continue;
      if (tidied(v.text, is->text) || carried_over(first, last, now)) continue;
      lost(visit, node, *was, v, *is, changed(first, last), out);
      if (is->text != was->text && !is->text.empty() && nothing_else_done(visit, node))
        altered(visit, node, v, *is, out);
    }
  }

 private:
  /// Which fields say something else than when the form was opened.
  static std::uint64_t changed(const ScreenData& first, const ScreenData& last) {
    Hasher out;
    for (const ShownValue& v : last.values)
      if (const ShownValue* was = first.value(v.name); entered(v) && (was ? was->text : "") != v.text)
        out.add(v.name);
    return out.finish();
  }

  /// What was there before is there again, or nothing is. Forms as a whole keep what is entered or do not.
  /// A way to lose what was kept at some time is to have changed just these fields.
  void lost(const FormVisit& visit, NodeId node, const ShownValue& was, const ShownValue& v,
            const ShownValue& is, std::uint64_t together, std::vector<Case>& out) {
    const bool held = is.text != was.text && !is.text.empty();
    const std::uint64_t field = Hasher().add(group(visit, node)).add(v.name).finish();
    if (held) kept_.insert(field);
    const std::uint64_t way = kept_.contains(field) ? together : hash_bytes(v.text);
    // Fields for addresses keep nothing else.
    const std::uint64_t all = group(visit, node),
                        kind = says_an_address(v.text) ? Hasher().add(all).add("address").finish() : all;
    out.push_back({kind, held, Hasher().add(v.name).add(v.text).finish(), wrong(node, v),
                   held ? ""
                        : fmt::format("\"{}\" was entered and saved, \"{}\" comes back", printable(v.text),
                                      printable(is.text)),
                   0, 0, false, Hasher().add(v.name).add(way).finish()});
  }
  /// In this visit, from a menu or a question that offered it. A button that starts something, and says so,
  /// is no choice.
  bool was_chosen(const FormVisit& visit, std::string_view text) {
    for (NodeId n = visit.left; n != visit.opened; n = tree_.parent(n)) {
      const NodeId menu = tree_.parent(n);
      if (!data_.of(menu).popup) continue;
      const auto i = receiver_of(tree_.event(tree_.event_id(n)), tree_.screen(menu));
      if (i && text.find(label(tree_.screen(menu), *i)) != std::string_view::npos) return true;
    }
    return false;
  }
  /// What was there before the choice is there again.
  void choice(const FormVisit& visit, NodeId node, const ShownValue& was, const ShownValue& v,
              const ShownValue& is, std::vector<Case>& out) {
    const bool held = is.text == v.text;
    if (!held && is.text != was.text) return;
    out.push_back({group(visit, node), held, Hasher().add(v.name).add(v.text).finish(), wrong(node, v),
                   held ? ""
                        : fmt::format("\"{}\" was chosen and saved, \"{}\" comes back", printable(v.text),
                                      printable(is.text))});
  }
  /// Something else is there, not only in other capitals. Each field has its own ways to tidy up what it is
  /// given, words where it wants a number among them.
  void altered(const FormVisit& visit, NodeId node, const ShownValue& v, const ShownValue& is,
               std::vector<Case>& out) {
    const bool held = in_small_letters(trim(is.text)) == in_small_letters(trim(v.text));
    out.push_back({Hasher().add("altered").add(group(visit, node)).add(v.name).finish(), held,
                   Hasher().add(v.text).finish(), wrong(node, v),
                   held ? ""
                        : fmt::format("\"{}\" was entered and saved, it comes back as \"{}\"",
                                      printable(v.text), printable(is.text)),
                   0, 0, false, v.text.size()});
  }
  std::uint64_t wrong(NodeId node, const ShownValue& v) {
    return Hasher().add(data_.of(node).page).add(v.name).finish();
  }

  /// Since the form was left, pages were opened and left and nothing else.
  bool nothing_else_done(const FormVisit& visit, NodeId node) {
    for (NodeId n = node; n != visit.next; n = tree_.parent(n))
      if (data_.of(n).page == data_.of(tree_.parent(n)).page) return false;
    return true;
  }

  bool is_form(const ScreenData& d) const { return std::ranges::any_of(d.values, entered); }

  /// This node opens a form that was left not long ago on the same path, for another page: who was only
  /// asked something has not left it.
  bool opened_again(NodeId node, FormVisit& visit) {
    if (node == tree_.root() || !is_form(data_.of(node))) return false;
    const std::uint64_t page = data_.of(node).page;
    if (tree_.screen(node).kind != Screen::Kind::app || data_.of(tree_.parent(node)).page == page)
      return false;
    visit.next = node;
    bool away = false;
    for (std::size_t k = 0; k < longest_between && visit.next != tree_.root(); ++k) {
      visit.left = tree_.parent(visit.next);
      if (data_.of(visit.left).page == page) break;
      away = away || !data_.of(visit.left).popup;
      visit.next = visit.left;
    }
    if (!away || visit.next == tree_.root() || data_.of(visit.left).page != page) return false;
    visit.opened = visit.left;
    for (NodeId n = visit.left; n != tree_.root();) {
      n = tree_.parent(n);
      if (data_.of(n).page == page)
        visit.opened = n;
      else if (!data_.of(n).popup)  // a choice made in between is part of the visit
        break;
    }
    return true;
  }

  /// Another field says so: what was entered there came back (and was typed only once on the way), or what
  /// was there is still there, and is none of what a form for something new shows.
  bool same_item(const FormVisit& visit, NodeId node) {
    const ScreenData &first = data_.of(visit.opened), &last = data_.of(visit.left), &now = data_.of(node);
    const bool opened_alike =
        data_.deed(visit.opened) == data_.deed(node) && words_around(visit.opened) == words_around(node);
    return std::ranges::any_of(last.values, [&](const ShownValue& v) {
      const ShownValue *was = first.value(v.name), *is = now.value(v.name);
      if (v.kind != ShownValue::Kind::field || !was || !is || is->text != v.text) return false;
      if (v.text.size() < telling || !numbers_in(v.text).empty()) return false;
      const std::size_t typed = times_typed(node, v.text);  // twice: there may be two of that name
      return was->text == v.text
                 ? typed <= 1 && opened_alike && !two_say(node, v.text) && !another_row(visit, node)
                 : typed == 1;
    });
  }
  /// The row that opened a form, by its name; empty: none did.
  std::string row_touched(NodeId opened) {
    if (opened == tree_.root()) return {};
    const NodeId before = tree_.parent(opened);
    const auto i = receiver_of(tree_.event(tree_.event_id(opened)), tree_.screen(before));
    const RowPlace place = i ? row_of(data_.of(before), *i) : RowPlace{};
    return place.row ? std::string(place.row->title()) : std::string();
  }
  /// Both were opened by rows, of which the second has another name, which was not entered in the visit.
  bool another_row(const FormVisit& visit, NodeId again) {
    const std::string was = row_touched(visit.opened), is = row_touched(again);
    return !was.empty() && !is.empty() && was != is &&
           std::ranges::none_of(data_.of(visit.left).values,
                                [&](const ShownValue& v) { return entered(v) && says_word(is, v.text); });
  }
  /// What the page says beside its lists and numbers from which this node was opened: another project has
  /// another name.
  std::string words_around(NodeId node) {
    std::string out;
    if (node != tree_.root())
      for (const ShownValue& v : data_.of(tree_.parent(node)).values)
        if (v.kind == ShownValue::Kind::text) out += words_beside_numbers(v.text) + "\n";
    return out;
  }
  /// Two rows of one list said it on the way.
  bool two_say(NodeId node, std::string_view text) {
    for (NodeId n = node; n != tree_.root(); n = tree_.parent(n))
      for (const ShownTable& t : data_.of(n).tables)
        if (std::ranges::count_if(t.rows, [&](const ShownRow& row) { return row.says(text); }) > 1)
          return true;
    return false;
  }
  /// The list it was opened from shows it, but in another row.
  bool another_row_says(NodeId node, std::string_view text) {
    const NodeId before = tree_.parent(node);
    const auto receiver = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(before));
    const RowPlace place = receiver ? row_of(data_.of(before), *receiver) : RowPlace{};
    return place.row && text.size() > 1 && !place.row->says(text) &&
           std::ranges::any_of(place.table->rows, [&](const ShownRow& row) { return row.says(text); });
  }
  std::size_t times_typed(NodeId node, std::string_view text) const {
    std::size_t out = 0;
    for (NodeId n = node; n != tree_.root(); n = tree_.parent(n))
      if (const std::string* typed = typed_text(tree_.event(tree_.event_id(n)))) out += *typed == text;
    return out;
  }

  /// The first page after the form: what was asked on the way ("Keep?") has been answered there.
  NodeId page_after(const FormVisit& visit, NodeId node) {
    NodeId out = visit.next;
    for (NodeId n = node; n != visit.left; n = tree_.parent(n))
      if (!data_.of(n).popup) out = n;
    return out;
  }
  /// How the form was left, and how it was opened.
  std::uint64_t group(const FormVisit& visit, NodeId node) {
    return Hasher()
        .add(tree_.screen(node).activity)
        .add(data_.deed(visit.next))
        .add(data_.deed(page_after(visit, node)))
        .add(data_.deed(node))
        .finish();
  }

  const History& tree_;
  DataCache& data_;
  std::set<std::uint64_t> kept_;  ///< fields of forms that came back as they were entered
};

}  // namespace

std::unique_ptr<Expectation> expect_saved(const History& tree, DataCache& data) {
  return std::make_unique<Saved>(tree, data);
}

}  // namespace norn
