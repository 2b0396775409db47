// What should change nothing changes nothing.
//
//   system    rotating and back, Home and return, the process dying and coming back, closing the keyboard. A
//             screen that never keeps its state there (a menu, a dialog) is left alone: listed is what is
//             kept in one state and lost in another. A further event on both ways shows what was forgotten
//             behind the screen.
//   reopened  leaving a page and opening it again (reopened.cc)
//   looks     opening a page and coming back (peeked.cc)
//   dismissed opening a form, filling it in and cancelling (dismissed.cc)
//   cancelled beginning something on a page and cancelling it (cancelled.cc)
//   begun     filling in a form for something new, twice (begun.cc)
//   resaved   opening a form and saving it as it is (resaved.cc)
//   refused   the same, and once something in it was changed (resaved.cc)
//   recased   saving a name in small letters (recased.cc)
//   repeated  giving a command for all of a kind twice (repeated.cc)
//   opposite  a button and the one that calls itself its opposite (opposites.cc)
//   emptied   something done on a page that is emptied then (emptied.cc)
//   cleared   emptying a search by a button (cleared.cc)
//   durable   leaving a page and opening it again, the process dying then (durable.cc)
//   remade    turning the device on a page, seen from the page below (remade.cc)
//   renamed   changing a name, seen from wherever it is shown (renamed.cc)
//   upwards   leaving a changed form by the arrow at its top, or by Back (upwards.cc)
//   stored    changing one thing in a form and saving it (stored.cc)
//   changed   changing one thing in a form and changing it back (changed_back.cc)
//   kept      turning the device, or the process dying, after something was changed (kept.cc)
//   revisited opening a page after a step and coming back (revisited.cc)
//   viewed    sorting, filtering or searching a list before something is done to a row of it (viewed.cc)
//   composed  showing a list in two ways at once (composed.cc)
//   apart     a step on the page of one thing, seen from that of another (apart.cc)
//   returned  adding something and deleting it again, seen from other pages (returned.cc)
//   placed    adding something to a sorted list, or sorting it then (placed.cc)
//   put away  deleting something and bringing it back from where it is then (put_away.cc)
//   copied    changing a copy, seen from its original (copied.cc)
//   select    touching Select all, or every row that is shown (select_all.cc)
//   toggled   touching a row until its list is as it was, seen from other pages (toggled.cc)
//   controls  whatever names its own state, until it is as it was (controls.cc)
//   undo      a widget that calls itself so (undone.cc)
//   offline   the connection being lost and coming back (offline.cc)
#include "detect/neutral/neutral.h"

#include <algorithm>
#include <ranges>

#include "base/hash.h"
#include "detect/offers/places.h"
#include "detect/reading/data.h"
#include "detect/reading/remembered.h"

namespace norn {
namespace {

constexpr std::size_t behaviours_looked_at = 8;  ///< it may be refused at first
constexpr std::size_t batch_size = 12;           ///< pairs run at once
/// Of the time: system and controls, before the other parts and once more after them. What they leave is for
/// the walks of `values`, which find more in it.
constexpr double first_share = 0.08, last_share = 0.4;

/// A part, and what it may spend of the time that is left when its turn comes.
struct Part {
  const char* name;
  Status (*ask)(OracleContext&);
  double share;
};

/// Those first that find most for their time (docs/detect-figures.md): a short run comes no further than the
/// first ones. Most of them end long before a long run's time is up.
constexpr Part parts[] = {
    {"select all", try_select_all, 0.1},
    {"at once", try_at_once, 0.05},
    {"cancelled", try_cancelled, 0.05},
    {"undo", try_undo, 0.12},
    {"resaved", try_resaved, 0.1},
    {"kept", try_kept, 0.15},
    {"opposite", try_opposites, 0.05},
    {"repeated", try_repeated, 0.04},
    {"begun", try_begun, 0.04},
    {"cleared", try_cleared, 0.03},
    {"emptied", try_emptied, 0.05},
    {"copied", try_copied, 0.06},
    {"apart", try_apart, 0.06},
    {"offline", try_offline, 0.15},
    {"settings", try_resaved_under_settings, 0.08},
    {"upwards", try_upwards, 0.04},
    {"dismissed", try_dismissed, 0.12},
    {"stored", try_stored, 0.12},
    {"refused", try_refused, 0.04},
    {"recased", try_recased, 0.05},
    {"renamed", try_renamed, 0.15},
    {"changed back", try_changed_back, 0.12},
    {"put away", try_put_away, 0.2},
    {"viewed", try_viewed, 0.15},
    {"placed", try_placed, 0.05},
    {"durable", try_durable, 0.1},
    {"revisited", try_revisited, 0.08},
    {"reopened", try_reopened, 0.1},
    {"composed", try_composed, 0.1},
    {"rechosen", try_rechosen, 0.1},
    {"remade", try_remade, 0.1},
    {"returned", try_returned, 0.1},
    {"unmade", try_unmade, 0.1},
    {"toggled", try_toggled, 0.1},
    {"looks", try_looks, 0.1},
};

/// `then` is done on both ways after it, if there is one: what was forgotten may show only then.
Pair nothing_but(const std::string& name, NodeId base, std::uint64_t page, std::vector<Event> events,
                 const Event* then) {
  const std::size_t n = events.size();
  Pair out{.family = "system",
           .name = name + " changes what is shown",
           .group = Hasher().add(name).add(page).finish(),
           .base = base,
           .plain = {},
           .other = std::move(events),
           .agree = {{0, n}}};
  if (then) {
    out.plain.push_back(*then), out.other.push_back(*then);
    out.agree.emplace_back(1, n + 1);
  }
  return out;
}

std::vector<Pair> system_pairs(OracleContext& c, DataCache& data, LayoutId layout, NodeId node,
                               std::size_t round) {
  const Screen& screen = c.replay.history().screen(node);
  const std::uint64_t page = data.of(node).page;
  std::vector<Pair> out;
  if (screen.keyboard) return out;  // what it hides comes and goes with it
  const auto known = known_events(c, layout, node, false);
  const Event* then = known.empty() ? nullptr : &known[round % known.size()];
  out.push_back(nothing_but("rotating and back", node, page,
                            {Rotate{1 - screen.rotation % 2}, Rotate{screen.rotation}}, then));
  out.push_back(nothing_but("Home and return", node, page, {Key{key::home}, Launch{}}, then));
  out.push_back(
      nothing_but("the process dying and coming back", node, page, {System{"kill", {}}, Launch{}}, then));
  const bool telling = !changed_since_opened(data, c.replay.history(), node).empty();
  for (Pair& p : out) p.telling = telling;
  return out;
}

/// It shows at once, not only after a further event.
bool is_loss(const Pair& cut) {
  return std::ranges::all_of(cut.plain, [](const Event& e) { return std::holds_alternative<Wait>(e); });
}

/// The process died: what it had not stored is lost everywhere, so that alone is no finding.
bool kills(const Pair& pair) {
  return std::ranges::any_of(pair.other, [](const Event& e) { return std::holds_alternative<System>(e); });
}

/// What was touched after the process died led back to a page that is as it was when it was left: what a page
/// has to say to the one below is lost with the process in many apps.
bool nothing_was_taken(DataCache& data, const History& tree, const Pair& cut, NodeId other) {
  if (!kills(cut) || data.of(other).page == data.of(cut.base).page) return false;
  for (NodeId n = cut.base; n != tree.root();) {
    n = tree.parent(n);
    if (data.of(n).page != data.of(other).page) continue;
    const bool held_so =
        tree.screen(n).rotation == tree.screen(other).rotation;  // else other rows are in sight
    return !(held_so ? says_otherwise : values_say_otherwise)(data.of(n), data.of(other));
  }
  return false;
}

/// A field that holds something on the first of two screens holds nothing on the second.
bool empties_a_field(const ScreenData& a, const ScreenData& b) {
  return std::ranges::any_of(a.values, [&](const ShownValue& v) {
    const ShownValue* is = b.value(v.name);
    return v.kind == ShownValue::Kind::field && !v.text.empty() && is && is->text.empty();
  });
}

/// What this value said when it was first to be seen on the page of this node; none: it never was.
const ShownValue* at_first(DataCache& data, const History& tree, NodeId node, std::uint64_t name) {
  const ShownValue* out = nullptr;
  for (const NodeId opened = data.opened(node);; node = tree.parent(node)) {
    if (const ShownValue* v = data.of(node).value(name)) out = v;
    if (node == opened) return out;
  }
}

/// One of several was chosen, and what differs on the page is as at first: another choice begins it anew.
bool begins_anew(DataCache& data, const History& tree, const Pair& cut, NodeId plain, NodeId other) {
  const Target* chosen = target_of(cut.other.front());
  if (!chosen || chosen->cls.find("Radio") == std::string::npos) return false;
  const ScreenData &was = data.of(plain), &is = data.of(other);
  return rows_shown(was) == rows_shown(is) && std::ranges::all_of(was.values, [&](const ShownValue& v) {
           const ShownValue* now = is.value(v.name);
           return !now || now->text == v.text || at_first(data, tree, other, v.name)->text == now->text;
         });
}

/// What differs was not to be seen after the first touch, or said so in words: what a control takes off the
/// page may begin anew when it is back ("No date").
bool went_with_it(OracleContext& c, DataCache& data, const Pair& cut, NodeId plain, NodeId other) {
  const ScreenData &was = data.of(plain), &is = data.of(other);
  const NodeId between = ends_of(c, cut.base, {{cut.other.front()}}).front();
  if (!between || rows_shown(was) != rows_shown(is)) return false;
  bool went = false;
  for (const ShownValue& v : was.values) {
    const ShownValue* now = is.value(v.name);
    if (now && now->text == v.text) continue;
    const ShownValue* then = data.of(between).value(v.name);
    if (then && (then->text == v.text || numbers_in(v.text).empty() || !numbers_in(then->text).empty()))
      return false;
    went = true;
  }
  return went;
}

/// A list of the second has the rows of the first, and more.
bool adds_rows(const ScreenData& a, const ScreenData& b) {
  return std::ranges::any_of(a.tables, [&](const ShownTable& t) {
    const ShownTable* is = b.table(t.name);
    return is && is->rows.size() > t.rows.size() && rows_missing(t, *is).empty();
  });
}

/// A text that is made anew whenever the control is touched (a password, a greeting) says other words each
/// time.
bool is_made_anew(OracleContext& c, DataCache& data, const Pair& cut, NodeId plain, NodeId other) {
  const Outcome twice =
      c.replay.ask({.from = cut.base, .events = c.replay.intern(joined(cut.other, cut.other))}, c.stop);
  if (twice.verdict != Verdict::yes) return false;
  return std::ranges::any_of(data.of(plain).values, [&](const ShownValue& v) {
    const ShownValue *then = data.of(other).value(v.name), *now = data.of(twice.end).value(v.name);
    if (!then || !now) return false;
    const std::set<std::string> words{words_beside_numbers(v.text), words_beside_numbers(then->text),
                                      words_beside_numbers(now->text)};
    return words.size() == 3;
  });
}

/// Nothing but lists says something else, and one has rows that were not on it: the page does not list any
/// more what it says it lists.
bool lists_something_else(DataCache& data, NodeId plain, NodeId other) {
  const ScreenData &was = data.of(plain), &is = data.of(other);
  return was.page == is.page && !values_say_otherwise(was, is) &&
         std::ranges::any_of(is.tables, [&](const ShownTable& t) {
           const ShownTable* before = was.table(t.name);
           return before && before->whole && std::ranges::any_of(t.rows, [&](const ShownRow& row) {
                    return std::ranges::find(before->rows, row.title(), &ShownRow::title) ==
                           before->rows.end();
                  });
         });
}

/// Screens that rotation or a dying process empties are many in some apps, and seldom what one looks for: one
/// report lists them. What shows only after a further event is more than a loss and stays a report of its
/// own.
void list_losses(std::vector<Report>& reports, std::size_t first) {
  std::optional<std::size_t> list;
  for (std::size_t i = first; i < reports.size();) {
    Report& r = reports[i];
    const bool loss = r.normal.size() + 2 == r.deviant.size();
    if (loss) r.kind = losses;
    if (!loss || !list) {
      if (loss) list = i;
      ++i;
      continue;
    }
    reports[*list].more.push_back({std::move(r.words), std::move(r.place), std::move(r.normal),
                                   std::move(r.deviant), std::move(r.expected), std::move(r.seen)});
    reports.erase(reports.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

namespace {

/// Events that are known on this layout, lead to such a screen, and are possible here.
template <class Leads>
std::vector<Event> known_leading(OracleContext& c, LayoutId layout, NodeId node, Leads leads) {
  const History& tree = c.replay.history();
  std::vector<Event> out;
  for (const std::uint64_t key : c.groups.of(layout)) {
    const Group& group = c.groups.all().at(key);
    const auto leads_so = [&](const Behaviour& b) {
      return tree.screen(b.after).kind == Screen::Kind::app && leads(tree.screen(b.after));
    };
    if (!std::holds_alternative<Tap>(group.event) ||
        !std::ranges::any_of(group.behaviours | std::views::take(behaviours_looked_at), leads_so))
      continue;
    const auto here = in_role(group.event, group.role, tree.screen(node));
    if (here.empty()) continue;
    // What can be undone goes with the page or the process that knew it, so such a step shows nothing that
    // was lost.
    if (const auto i = receiver_of(here.front(), tree.screen(node)); i && says_undoing(tree.screen(node), *i))
      continue;
    out.push_back(here.front());
  }
  return out;
}

}  // namespace

std::vector<Event> known_events(OracleContext& c, LayoutId layout, NodeId node, bool elsewhere) {
  const History& tree = c.replay.history();
  std::set<std::string> below;
  for (const NodeId n : tree.path(node)) below.insert(tree.screen(n).activity);
  below.insert(tree.screen(tree.root()).activity);
  return known_leading(c, layout, node,
                       [&](const Screen& after) { return !elsewhere || !below.contains(after.activity); });
}

std::vector<Event> events_onward(OracleContext& c, LayoutId layout, NodeId node) {
  const ScreenData here = data_of(c.replay.history().screen(node));
  const auto is_here = [&](const auto& part, const auto& parts) {
    return std::ranges::any_of(parts, [&](const auto& other) { return other.name == part.name; });
  };
  auto out = known_leading(c, layout, node, [&](const Screen& after) {
    const ScreenData there = data_of(after);
    return there.page == here.page && !there.popup &&
           std::ranges::none_of(there.tables, [&](const auto& t) { return is_here(t, here.tables); }) &&
           std::ranges::none_of(there.values, [&](const ShownValue& v) {
             return v.kind == ShownValue::Kind::field && is_here(v, here.values);
           });
  });
  // A page without lists and fields has none in common with itself either: who ticks something stays there.
  const Screen& screen = c.replay.history().screen(node);
  std::erase_if(out, [&](const Event& e) {
    const auto i = receiver_of(e, screen);
    return i && screen.widgets[*i].is(Flag::checkable);
  });
  return out;
}

Status in_batches(OracleContext& c, std::vector<Pair> all,
                  const std::function<Status(std::vector<Pair>)>& attempt) {
  for (std::size_t k = 0; k < all.size() && c.left(); k += batch_size) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(k);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), k + batch_size));
    NORN_CHECK(attempt({std::make_move_iterator(first), std::make_move_iterator(last)}));
  }
  return {};
}

namespace {

/// Asks one part: its effort is counted under its name, and its reports are of that kind.
template <class Ask>
Status ask_part(OracleContext& c, const char* name, Ask ask) {
  const Effort before = c.replay.spent();
  const std::size_t first = c.out.reports.size();
  const Status status = ask();
  c.out.effort[std::string("neutral: ") + name] += c.replay.spent() - before;
  for (std::size_t i = first; i < c.out.reports.size(); ++i)
    if (c.out.reports[i].kind.empty()) c.out.reports[i].kind = name;
  return status;
}

/// Entries of menus first, then place by place what the system does, and the controls.
class SystemAndControls {
 public:
  explicit SystemAndControls(OracleContext& c)
      : c_(c),
        tree_(c.replay.history()),
        data_(tree_),
        remembered_(data_, tree_),
        system_(c, "neutral"),
        controls_(c, "neutral"),
        stuck_(c, "neutral") {
    system_.on_compared([this](const Pair& p, NodeId plain, NodeId other) {
      remembered_.note(p.group, p.base, plain, other);
    });
  }

  Status ask() {
    NORN_CHECK(ask_part(c_, "controls", [&] { return menus(); }));
    cycling_ = cycling_buttons(c_);
    Places places(c_, false);
    std::size_t number = 0;
    for (auto round = places.next(); !round.empty() && c_.left(); round = places.next(), ++number)
      NORN_CHECK(try_places(round, number));
    NORN_CHECK(ask_part(c_, "controls", [&] { return report_controls(); }));
    return ask_part(c_, "system", [&] { return report_system(); });
  }

 private:
  Status menus() {
    NORN_CHECK(in_batches(c_, menu_pairs(c_), [&](std::vector<Pair> batch) {
      return try_menus(c_, controls_, stuck_, std::move(batch));
    }));
    return stuck_.report(Habit::none);
  }

  Status try_places(const std::vector<std::pair<LayoutId, NodeId>>& round, std::size_t number) {
    std::vector<Pair> kept, moved;
    for (const auto& [layout, node] : round) {
      std::ranges::move(system_pairs(c_, data_, layout, node, number), std::back_inserter(kept));
      for (Pair& p : control_pairs(c_, cycling_, layout, node))
        if (known_.insert(Hasher().add(p.name).add(tree_.key(node)).finish()).second)
          moved.push_back(std::move(p));
    }
    NORN_CHECK(ask_part(c_, "controls", [&] {
      return in_batches(c_, std::move(moved), [&](std::vector<Pair> batch) {
        return try_controls(c_, controls_, std::move(batch));
      });
    }));
    return ask_part(c_, "system", [&] {
      return in_batches(c_, std::move(kept),
                        [&](std::vector<Pair> batch) { return system_.attempt(std::move(batch)); });
    });
  }

  Status report_controls() {
    const Pairs::Tally most = controls_.groups();
    if (most.held == 0 || most.held < most.failed) return {};  // it is how this app is
    return controls_.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
      // What was played is queued no more; what is taken off a list and put on it again stands last.
      const bool here = data_.of(cut.base).page == data_.of(plain).page;
      return !only_labels_differ(c_, cycling_, plain, other) && !only_what_runs_differs(plain, other) &&
             !(here && only_choices_differ(tree_, plain, other)) &&
             !empties_a_field(data_.of(plain), data_.of(other)) &&      // who closes a search ends it
             !(here && adds_rows(data_.of(plain), data_.of(other))) &&  // what was begun and ended is listed
             !is_made_anew(c_, data_, cut, plain, other) &&
             !(here && begins_anew(data_, tree_, cut, plain, other)) &&
             !(here && went_with_it(c_, data_, cut, plain, other)) &&
             (here || (!lists_other_rows(data_.of(plain), data_.of(other)) &&
                       !touched_in_another_order(plain, other)));
    });
  }

  /// What differs is what plays or runs, of which there is one at a time.
  bool only_what_runs_differs(NodeId plain, NodeId other) const {
    const auto rest = [&](NodeId n) {
      ScreenData d = data_of(tree_.screen(n));
      std::erase_if(d.values, [&](const ShownValue& v) {
        return says_running(tree_.screen(n), v.widget) || calls_itself(tree_.screen(n), v.widget, "play") ||
               v.text.find("▶") != std::string::npos;
      });
      return d;
    };
    return !same_in_any_order(data_of(tree_.screen(plain)), data_of(tree_.screen(other))) &&
           same_in_any_order(rest(plain), rest(other));
  }
  /// On another page rows have gone or come, or one stands elsewhere: what is done is listed no more, what is
  /// queued again stands last, and what such a page says beside its list follows from that.
  static bool lists_other_rows(const ScreenData& a, const ScreenData& b) {
    const auto titles = [](const ScreenData& d, std::string_view without) {
      std::vector<std::string_view> out;
      for (const ShownTable& t : d.tables)
        for (const ShownRow& row : t.rows)
          if (const auto title = without_signs(row.title()); title != without) out.push_back(title);
      return out;
    };
    const std::string_view none("\0", 1);
    auto was = titles(a, none), is = titles(b, none);
    if (was == is) return false;
    const bool moved =
        std::ranges::any_of(was, [&](std::string_view one) { return titles(a, one) == titles(b, one); });
    std::ranges::sort(was), std::ranges::sort(is);
    return was != is || moved;
  }
  /// The last touch, before the wait, was on a list in which one row stands elsewhere: it may be another
  /// row's.
  bool touched_in_another_order(NodeId plain, NodeId other) {
    const NodeId first = tree_.parent(tree_.parent(plain)), second = tree_.parent(tree_.parent(other));
    return contents_of(data_.of(first)) != contents_of(data_.of(second)) &&
           one_row_moved(data_.of(first), data_.of(second));
  }

  Status report_system() {
    const std::size_t first = c_.out.reports.size();
    NORN_CHECK(system_.report(Habit::held_once, [&](const Pair& cut, NodeId plain, NodeId other) {
      if (data_.of(plain).popup && !data_.of(plain).has_field() && !data_.of(other).popup)
        return false;  // a menu closes
      if (nothing_was_taken(data_, tree_, cut, other)) return false;
      return !is_loss(cut) ||
             (!kills(cut) && (remembered_.loses_an_exception(cut.group, cut.base, plain, other) ||
                              lists_something_else(data_, plain, other)));
    }));
    list_losses(c_.out.reports, first);
    return {};
  }

  OracleContext& c_;
  const History& tree_;
  std::set<std::uint64_t> cycling_;
  DataCache data_;
  Remembered remembered_;
  Pairs system_, controls_, stuck_;
  std::set<std::uint64_t> known_;  ///< a control is followed round once for each screen it is on
};

}  // namespace

Status neutral_oracle(OracleContext& c) {
  OracleContext first = c.part(first_share);
  NORN_CHECK(SystemAndControls(first).ask());
  for (const Part& one : parts) {
    OracleContext part = c.part(one.share);
    if (part.left()) NORN_CHECK(ask_part(c, one.name, [&] { return one.ask(part); }));
  }
  OracleContext last = c.part(last_share);
  return SystemAndControls(last).ask();
}

}  // namespace norn
