// Codes that some screen shows ("Voucher of the month: GIFT79"), tried wherever one text can be entered and
// taken. Walks enter them too, but two pages that know of each other by a word alone seldom meet in one walk;
// and what a code does a second time is seen only where the first one worked. Words that were made up come
// first: a field that does something for those takes anything, and is left alone.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "base/hash.h"
#include "detect/offers/forms.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/tours.h"
#include "detect/pairs.h"
#include "detect/reading/aggregates.h"
#include "detect/reading/remembered.h"
#include "detect/reading/wording.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t codes_tried = 12;     ///< of those that the app shows
constexpr std::size_t takers_tried = 4;     ///< buttons beside a field
constexpr std::size_t pages_of_a_kind = 3;  ///< with other contents: in an empty basket no code does anything

/// Where a text can be entered and taken: the one empty field of a page, or of a question over it.
struct Taker {
  NodeId page;
  std::vector<Event> opening;  ///< of the question; none: the page has the field
  NodeId form;
  std::size_t field;
  Event take;
};

class CodeTour {
 public:
  explicit CodeTour(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  void all() {
    const std::vector<std::string> codes = shown_codes();
    if (codes.empty()) return;
    for (const Taker& taker : takers())
      if (c_.left() && refuses(taker, made_up)) try_codes(taker, codes);
  }

 private:
  static constexpr std::string_view made_up[] = {"Kolore", "Taruvi", "Menosa"};
  static constexpr std::string_view more_made_up[] = {"Rigodu", "Sapeli", "Bunori"};

  /// Those with digits first: a word in capitals is mostly a heading.
  std::vector<std::string> shown_codes() const {
    std::vector<std::string> out;
    for (std::uint32_t n = 0; n < tree_.size(); ++n)
      for (const Widget& w : tree_.screen(NodeId{n}).widgets)
        if (!w.is(Flag::editable))
          for (const std::string_view code : codes_in(w.text))
            if (std::ranges::find(out, code) == out.end()) out.emplace_back(code);
    std::ranges::stable_partition(out, [](const std::string& s) { return !numbers_in(s).empty(); });
    if (out.size() > codes_tried) out.resize(codes_tried);
    return out;
  }

  std::vector<Taker> takers() {
    std::vector<Taker> out;
    std::map<std::uint64_t, std::set<std::uint64_t>> known;  // contents, by page and form
    const auto add = [&](NodeId page, const std::vector<Event>& opening, NodeId form) {
      const auto field = only_field(form);
      auto& contents = known[Hasher().add(data_.of(page).page).add(data_.of(form).page).finish()];
      if (!field || contents.size() >= pages_of_a_kind ||
          !contents.insert(contents_of(data_.of(page))).second)
        return;
      for (Event& take : buttons_of(form, *field))
        out.push_back({page, opening, form, *field, std::move(take)});
    };
    for (const OpenedForm& f : opened_forms(tree_, data_))
      if (data_.of(f.form).popup) add(f.page, f.opening, f.form);
    for (const NodeId page : opened_pages(tree_, data_, pages_of_a_kind)) add(page, {}, page);
    return out;
  }
  /// Nothing: there are several, or it holds something already.
  std::optional<std::size_t> only_field(NodeId form) {
    std::optional<std::size_t> out;
    for (const ShownValue& v : data_.of(form).values) {
      if (v.kind != ShownValue::Kind::field) continue;
      if (out || !v.text.empty()) return std::nullopt;
      out = v.widget;
    }
    return out;
  }
  /// What stands nearest to it first, outside the lists.
  std::vector<Event> buttons_of(NodeId form, std::size_t field) {
    const Screen& screen = tree_.screen(form);
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < screen.widgets.size(); ++i)
      if ((accepted_by(screen.widgets[i]) & (accepts_tap | accepts_text)) == accepts_tap &&
          !screen.widgets[i].is(Flag::checkable) && !leads_up(screen.widgets[i]) &&
          !calls_itself(screen, i, "cancel") && !row_of(data_.of(form), i).row)
        near.push_back(i);
    std::ranges::stable_sort(near, {}, [&](std::size_t i) { return i < field ? field - i : i - field; });
    if (near.size() > takers_tried) near.resize(takers_tried);
    std::vector<Event> out;
    for (const std::size_t i : near) out.push_back(tap_on(screen, i));
    return out;
  }

  std::vector<Event> offered(const Taker& t, std::string_view text) const {
    auto typed = joined(t.opening, typed_into(tree_.screen(t.form), t.field, std::string(text)));
    return joined(std::move(typed), {t.take});
  }
  /// The page is still there, or comes back when the question is closed, and says other numbers.
  bool works(const Taker& t, NodeId end) {
    return end && data_.of(end).page == data_.of(t.page).page &&
           numbers_differ(data_.of(t.page), data_.of(end));
  }
  /// Each of these texts leaves the page, its numbers and its rows as they are.
  bool refuses(const Taker& t, std::span<const std::string_view> texts) {
    std::vector<std::vector<Event>> ways;
    for (const std::string_view text : texts) ways.push_back(offered(t, text));
    return std::ranges::all_of(ends_of(c_, t.page, ways), [&](NodeId end) {
      return end && data_.of(end).page == data_.of(t.page).page && !works(t, end) &&
             rows_shown(data_.of(end)) == rows_shown(data_.of(t.page));
    });
  }
  /// Each code; and those that work once more on the same visit.
  void try_codes(const Taker& t, const std::vector<std::string>& codes) {
    std::vector<std::vector<Event>> once, twice;
    for (const std::string& code : codes) once.push_back(offered(t, code));
    const auto ends = ends_of(c_, t.page, once);
    for (std::size_t k = 0; k < once.size(); ++k)
      if (works(t, ends[k])) twice.push_back(joined(once[k], once[k]));
    if (twice.empty()) return;
    refuses(t, more_made_up);  // the more codes it takes, the more texts must show that it is no other field
    ends_of(c_, t.page, twice);
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
};

}  // namespace

void tour_codes(OracleContext& c) { CodeTour(c).all(); }

}  // namespace norn
