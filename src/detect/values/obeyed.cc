// A setting that is obeyed on one page is obeyed on all. Every page that is known, and of what a list leads to
// a few, is opened without it and with it, in the same way, and the same texts of both are compared:
//   unit   numbers had one unit and have another now ("km" and "mi", "€" and "$"): then none has the old one
//   phrase two pages said the same with a number in it ("15:30", "$12.50"), and one of them writes it in
//          another way now: then the other does, too. What was touched on the one to open the other is the same
//          thing; of two pages that lie elsewhere several such phrases are.
// The page on which the setting is chosen may say what it likes. What forms hold is not compared: they may
// take things in as they are stored.
#include "detect/values/obeyed.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/confirm.h"
#include "detect/odin/anomaly.h"
#include "detect/offers/tours.h"
#include "detect/reading/other_texts.h"
#include "detect/reading/phrases.h"
#include "detect/reading/wording.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t units_changed = 3;     ///< texts that must have another unit: fewer may be by chance
constexpr std::size_t shortest_phrase = 4;   ///< "15:30", not "12"
constexpr std::size_t phrases_of_two = 2;    ///< that two pages share which do not open each other
constexpr std::size_t fields_of_a_form = 2;  ///< fewer may search; beside them things are as they are stored
constexpr std::size_t rows_of_a_list = 4;    ///< whose pages are opened

/// A page, opened in the same way without a setting and with it.
struct Visit {
  NodeId usual, under;
};

/// The same text of both.
struct Said {
  const Visit* visit;
  std::uint64_t name = 0;  ///< of all cells of one column the same
  std::string row;         ///< title of the row it is in
  std::string before, after;
  bool changed() const { return before != after; }
};

/// The phrases with a number that a text says otherwise with the setting: what is left out, or is another
/// number in the same writing (another day, since the order is another), may be what it is for.
std::vector<std::string> said_otherwise(const std::string& before, const std::string& after) {
  const auto was = phrases_of(before), is = phrases_of(after);
  std::vector<std::string> out;
  if (was.size() != is.size()) return out;
  for (std::size_t k = 0; k < was.size(); ++k)
    if (was[k].size() >= shortest_phrase && has_digit(was[k]) && shape_of(was[k]) != shape_of(is[k]))
      out.push_back(was[k]);
  return out;
}

/// The units of its numbers: "1 card" and "2 cards" are in the same.
std::set<std::string> units_of(const std::string& text) {
  std::set<std::string> out;
  for (const std::string& unit : units_in(text)) out.emplace(has_digit(unit) ? unit : unit_of("1 " + unit));
  return out;
}

/// Something that keeps to what it said though another does not.
struct Ignored {
  const Said *keeps, *changes;
  std::string words;
};

class Obeyed {
 public:
  Obeyed(OracleContext& c, OracleContext& looking)
      : c_(c), tree_(c.replay.history()), data_(tree_), usual_(tour_pages(looking, data_)) {
    open_other_rows(looking);
  }

  Status ask(const Setting& setting) {
    const std::vector<Visit> visits = with(setting);
    const std::vector<Said> said = all_said(visits);
    std::vector<Ignored> found = old_units(said);
    std::ranges::move(old_phrases(said), std::back_inserter(found));
    std::set<std::uint64_t> pages;
    for (const Ignored& one : found)
      if (pages.insert(page(one.keeps->visit->usual)).second && c_.left())
        NORN_CHECK(confirm(one, static_cast<std::uint32_t>(std::ranges::count_if(said, &Said::changed))));
    return {};
  }

 private:
  std::uint64_t page(NodeId node) { return data_.of(node).page; }

  /// The row by which the page of this node was opened from the one below.
  RowPlace opened_by(NodeId node) {
    const NodeId below = tree_.parent(data_.opened(node));
    const auto touched = receiver_of(tree_.event(tree_.event_id(data_.opened(node))), tree_.screen(below));
    return touched ? row_of(data_.of(below), *touched) : RowPlace{};
  }
  void open_other_rows(OracleContext& looking) {
    std::vector<Request> requests;
    for (const NodeId node : usual_) {
      if (node == tree_.root() || data_.opened(node) != node || !opened_by(node).row) continue;
      const NodeId below = tree_.parent(node);
      auto others = on_other_rows(tree_.event(tree_.event_id(node)), tree_.screen(below), true);
      if (others.size() >= rows_of_a_list) others.resize(rows_of_a_list - 1);
      for (const Event& other : others)
        requests.push_back({.from = below, .events = {c_.replay.intern(other)}});
    }
    for (const Outcome& o : c_.replay.ask(requests, Until::all, looking.stop))
      if (o.verdict == Verdict::yes && !tree_.crash(o.end)) usual_.push_back(o.end);
  }

  std::vector<Visit> with(const Setting& setting) {
    const std::uint64_t chosen_on = page(tree_.parent(setting.end));
    std::vector<Request> requests;
    std::vector<Visit> out;
    for (const NodeId usual : usual_)
      if (page(usual) != chosen_on) {
        out.push_back({usual, {}});
        requests.push_back({.from = setting.end, .events = c_.replay.intern(tree_.events_to(usual))});
      }
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    for (std::size_t k = 0; k < out.size(); ++k)
      if (outcomes[k].verdict == Verdict::yes && !tree_.crash(outcomes[k].end) &&
          page(outcomes[k].end) == page(out[k].usual))
        out[k].under = outcomes[k].end;
    std::erase_if(out, [](const Visit& v) { return !v.under; });
    return out;
  }

  std::vector<Said> all_said(const std::vector<Visit>& visits) {
    std::vector<Said> out;
    for (const Visit& visit : visits) {
      const ScreenData &was = data_.of(visit.usual), &is = data_.of(visit.under);
      for (const ShownValue& v : was.values)
        if (const ShownValue* now = is.value(v.name); now && v.kind == ShownValue::Kind::text)
          out.push_back({&visit, v.name, "", v.text, now->text});
      for (const ShownTable& t : was.tables)
        if (const ShownTable* now = is.table(t.name)) same_rows(visit, t, *now, out);
    }
    return out;
  }
  /// Rows by their titles, where no two have the same.
  static void same_rows(const Visit& visit, const ShownTable& was, const ShownTable& is,
                        std::vector<Said>& out) {
    std::map<std::string_view, const ShownRow*> titles;
    for (const ShownRow& row : is.rows)
      if (const auto [at, fresh] = titles.try_emplace(row.title(), &row); !fresh) at->second = nullptr;
    for (const ShownRow& row : was.rows) {
      const auto at = titles.find(row.title());
      if (at == titles.end() || !at->second) continue;
      for (const ShownValue& cell : row.cells)
        if (const ShownValue* now = at->second->cell(cell.name); now && cell.kind == ShownValue::Kind::text)
          out.push_back({&visit, column(was, cell), std::string(row.title()), cell.text, now->text});
    }
  }
  static std::uint64_t column(const ShownTable& table, const ShownValue& cell) {
    return Hasher().add(table.name).add(cell.name).finish();
  }

  std::vector<Ignored> old_units(const std::vector<Said>& said) {
    struct Unit {
      std::vector<const Said*> changes, keeps;
      std::map<std::string, std::size_t> instead;
    };
    std::map<std::string, Unit> units;
    for (const Said& s : said) {
      const auto was = units_of(s.before), is = units_of(s.after);
      for (const std::string& unit : was) {
        if (is.contains(unit) && data_.of(s.visit->usual).fields() < fields_of_a_form)
          units[unit].keeps.push_back(&s);
        if (is.contains(unit) || !s.changed()) continue;
        units[unit].changes.push_back(&s);
        for (const std::string& other : is)
          if (!was.contains(other)) ++units[unit].instead[other];
      }
    }
    std::vector<Ignored> out;
    for (const auto& [unit, all] : units) {
      const auto most = std::ranges::max_element(all.instead, {}, [](const auto& i) { return i.second; });
      if (most == all.instead.end() || all.changes.size() < units_changed ||
          2 * most->second <= all.changes.size() || columns(all.keeps) > columns(all.changes))
        continue;
      for (const Said* keeps : all.keeps)
        if (!keeps->changed())
          out.push_back(
              {keeps, all.changes.front(),
               fmt::format("\"{}\" is still in \"{}\", where others are in \"{}\" with this setting",
                           printable(keeps->after), printable(unit), printable(most->first))});
    }
    return out;
  }
  std::size_t columns(const std::vector<const Said*>& said) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> out;
    for (const Said* s : said) out.emplace(page(s->visit->usual), s->name);
    return out.size();
  }

  std::vector<Ignored> old_phrases(const std::vector<Said>& said) {
    std::map<std::string, std::vector<const Said*>> gone, kept;
    for (const Said& s : said) {
      for (const std::string& phrase : said_otherwise(s.before, s.after)) gone[phrase].push_back(&s);
      if (!s.changed())
        for (const std::string& phrase : phrases_of(s.before)) kept[phrase].push_back(&s);
    }
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Ignored>> by_pages;
    std::vector<Ignored> out;
    for (const auto& [phrase, changing] : gone)
      for (const Said* changes : changing)
        for (const Said* keeps : kept[phrase]) {
          const auto pages = std::pair(page(keeps->visit->usual), page(changes->visit->usual));
          if (pages.first == pages.second) continue;
          Ignored found{keeps, changes,
                        fmt::format("\"{}\" stays, where it becomes \"{}\" with this setting",
                                    printable(phrase), printable(changes->after))};
          const bool same_thing = opens(*changes, *keeps) || opens(*keeps, *changes);
          (same_thing ? out : by_pages[pages]).push_back(std::move(found));
        }
    for (auto& [pages, found] : by_pages) {
      std::set<std::string> phrases;
      for (const Ignored& one : found) phrases.insert(one.words);
      if (phrases.size() >= phrases_of_two) std::ranges::move(found, std::back_inserter(out));
    }
    return out;
  }
  /// The page of the second was opened by touching the row of the first.
  bool opens(const Said& row, const Said& other) {
    const NodeId to = other.visit->usual;
    if (row.row.empty() || to == tree_.root() || data_.opened(to) == tree_.root()) return false;
    const RowPlace place = opened_by(to);
    return place.row && place.row->title() == row.row &&
           page(tree_.parent(data_.opened(to))) == page(row.visit->usual);
  }

  /// Whether this text is on the page as the node shows it.
  bool says(NodeId node, const Said& what, const std::string& text) {
    const ScreenData& d = data_.of(node);
    if (d.page != page(what.visit->usual)) return false;
    if (what.row.empty()) {
      const ShownValue* v = d.value(what.name);
      return v && v->text == text;
    }
    for (const ShownTable& t : d.tables)
      for (const ShownRow& row : t.rows)
        for (const ShownValue& cell : row.cells)
          if (row.title() == what.row && cell.text == text && column(t, cell) == what.name) return true;
    return false;
  }

  /// From clean starts the one keeps what it said, and the other says something else, but not by itself;
  /// `obeying`: so many texts do.
  Status confirm(const Ignored& found, std::uint32_t obeying) {
    const NodeId keeps = found.keeps->visit->under, changes = found.changes->visit->under;
    Report r;
    r.oracle = "values", r.kind = "obeyed", r.words = found.words;
    r.deviant = tree_.events_to(keeps), r.normal = tree_.events_to(changes);
    auto later = tree_.events_to(found.changes->visit->usual);
    later.insert(later.begin(), Wait{c_.options.settle_ms});
    const Outcome waited = c_.replay.ask({.events = c_.replay.intern(later)}, c_.stop);
    if (waited.verdict != Verdict::yes || !says(waited.end, *found.changes, found.changes->before)) return {};
    NORN_TRY(const auto seen,
             clean_starts(
                 c_.replay, r.deviant, c_.options.both_ways,
                 [&](NodeId n) { return says(n, *found.keeps, found.keeps->before); }, c_.stop));
    NORN_TRY(const auto usual,
             clean_starts(
                 c_.replay, r.normal, c_.options.both_ways,
                 [&](NodeId n) { return says(n, *found.changes, found.changes->after); }, c_.stop));
    std::tie(r.came_back, r.runs) = seen;
    r.deviant_end = keeps, r.normal_end = changes;
    r.seen = r.expected = tree_.screen(keeps), r.before = tree_.screen(tree_.parent(keeps));
    r.event = r.deviant.back(), r.place = r.seen.activity;
    r.usual = obeying, r.rare = 1, r.inputs = r.usual + r.rare;
    r.p = r.q = binomial_at_most(r.rare, r.inputs, 0.5);
    const bool sure = 2 * seen.first > seen.second && 2 * usual.first > usual.second;
    (sure ? c_.out.reports : c_.out.flaky).push_back(std::move(r));
    return {};
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::vector<NodeId> usual_;
};

}  // namespace

Status ask_obeyed(OracleContext& c, const std::vector<Setting>& settings) {
  OracleContext looking = c.part(looking_share);
  Obeyed obeyed(c, looking);
  for (const Setting& setting : settings) NORN_CHECK(obeyed.ask(setting));
  return {};
}

}  // namespace norn
