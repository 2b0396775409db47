#include "detect/pairs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/hash.h"
#include "detect/confirm.h"
#include "detect/offers/places.h"
#include "detect/reading/data.h"
#include "detect/shorter.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t alike_kept = 4;        ///< failures with the same effect
constexpr long longest_moment = 15;          ///< seconds
constexpr long longest_without_seconds = 2;  ///< where there is no telling whether a time is in minutes
constexpr std::uint32_t pair_asks =
    40;  ///< questions spent on one pair, which cost two runs, and one more for each of its events

/// What may differ although nothing happened: the focus, how the device is held.
Rules lenient() { return Rules{}.with(Rule::focused).with(Rule::posture); }

/// The node after the first `events` of a run.
NodeId after(const History& tree, const Outcome& run, std::size_t events) {
  NodeId at = run.end;
  for (std::size_t i = run.used; i > events; --i) at = tree.parent(at);
  return at;
}

/// A device held otherwise, or with its keyboard out, shows another part. Further on (`later`) only the same
/// page is compared: that one way asks whether to save and the other does not is as it should be.
bool comparable(const Pair& pair, const Screen& a, const Screen& b, bool later) {
  if (a.rotation != b.rotation || a.keyboard != b.keyboard) return false;
  if (a.widgets.empty()) return false;  // a menu without an entry
  if (pair.same_page) return fixtures_shown(a) == fixtures_shown(b);
  return !later || (a.kind == b.kind && a.activity == b.activity);
}

/// The numbers of the first time in a text, "9:30:01", and the text without its digits.
std::pair<std::vector<long>, std::string> time_in(const std::string& text) {
  std::vector<long> parts;
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') {
      rest += text[i];
      continue;
    }
    const bool goes_on = i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9';
    if (!goes_on) parts.push_back(0);
    if (parts.back() < 1'000'000) parts.back() = 10 * parts.back() + (text[i] - '0');
  }
  return {std::move(parts), std::move(rest)};
}

/// Both say a time, a moment apart: one way took longer.
bool a_moment_apart(const std::string& a, const std::string& b) {
  const auto [x, words] = time_in(a);
  const auto [y, other_words] = time_in(b);
  if (words != other_words || words.find(':') == std::string::npos || x.size() != y.size()) return false;
  if (x.size() != 2 && x.size() != 3) return false;
  long by = 0;
  for (std::size_t k = 0; k < x.size(); ++k) by = 60 * by + (x[k] - y[k]);
  return std::abs(by) <= (x.size() == 3 ? longest_moment : longest_without_seconds);
}

/// Nothing differs but times, by a moment.
bool only_moments_differ(const Screen& a, const Screen& b) {
  return a.widgets.size() == b.widgets.size() &&
         std::ranges::equal(a.widgets, b.widgets, [](const Widget& x, const Widget& y) {
           return x.cls == y.cls && x.id == y.id && x.desc == y.desc &&
                  x.is(Flag::checked) == y.is(Flag::checked) &&
                  x.is(Flag::selected) == y.is(Flag::selected) &&
                  (x.text == y.text || a_moment_apart(x.text, y.text));
         });
}

std::vector<Event> head(const std::vector<Event>& events, std::size_t count) {
  return {events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

std::vector<Event> joined(std::vector<Event> a, const std::vector<Event>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<NodeId> ends_of(OracleContext& c, NodeId from, const std::vector<std::vector<Event>>& ways) {
  std::vector<Request> requests;
  for (const auto& way : ways) requests.push_back({.from = from, .events = c.replay.intern(way)});
  std::vector<NodeId> out;
  for (const Outcome& o : c.replay.ask(requests, Until::all, c.stop))
    out.push_back(o.verdict == Verdict::yes && !c.replay.history().crash(o.end) ? o.end : NodeId{});
  return out;
}

std::vector<Pair> in_rounds(std::map<std::uint64_t, std::vector<Pair>> by_situation) {
  std::vector<Pair> out;
  for (std::size_t k = 0, before = 1; before != out.size(); ++k) {
    before = out.size();
    for (auto& [situation, pairs] : by_situation)
      if (k < pairs.size()) out.push_back(std::move(pairs[k]));
  }
  return out;
}

Pairs::Tally Pairs::groups() const {
  Tally out;
  for (const auto& [group, tally] : groups_) ++(tally.held >= tally.failed ? out.held : out.failed);
  return out;
}

bool alike(const Screen& a, const Screen& b) {
  const HashedScreen x = HashedScreen(a).under(lenient()), y = HashedScreen(b).under(lenient());
  return x.tree().hash() == y.tree().hash() && x.whole() == y.whole();
}

std::vector<Outcome> Pairs::run_all(const std::vector<Pair>& batch) {
  std::vector<Request> requests;
  for (const Pair& p : batch) {
    requests.push_back({.from = p.base, .events = c_.replay.intern(p.plain)});
    requests.push_back({.from = p.base, .events = c_.replay.intern(p.other)});
  }
  return c_.replay.ask(requests, Until::all, c_.stop);
}

Screen as_read(const Pair& pair, Screen screen, bool plain) {
  const auto& [was, is] = pair.reads_as;
  for (Widget& w : screen.widgets)
    for (std::string* text : {&w.text, &w.desc}) {
      if (was.empty() || (*text == was && !plain)) continue;
      for (std::size_t at = 0; (at = text->find(was, at)) != std::string::npos; at += is.size())
        text->replace(at, was.size(), is);
    }
  return screen;
}

bool Pairs::same(const Pair& pair, const Screen& plain, const Screen& other) const {
  if (pair.reads_as.first.empty()) return same_as_read(pair, plain, other);
  return same_as_read(pair, as_read(pair, plain, true), as_read(pair, other, false));
}
bool Pairs::same_as_read(const Pair& pair, const Screen& a, const Screen& b) {
  return alike(a, b) || (pair.any_order && same_in_any_order(data_of(a), data_of(b)));
}

/// How far two ways agree.
Pairs::Judged Pairs::judged(const Pair& pair, const Outcome& plain, const Outcome& other) const {
  if (plain.verdict == Verdict::unresolved || other.verdict == Verdict::unresolved) return {};
  const History& tree = c_.replay.history();
  Judged out;
  for (const auto& [i, j] : pair.agree) {
    if (i > plain.used || j > other.used) break;
    const NodeId a = i == 0 ? pair.base : after(tree, plain, i),
                 b = j == 0 ? pair.base : after(tree, other, j);
    if (tree.crash(a) || tree.crash(b) || !comparable(pair, tree.screen(a), tree.screen(b), out.held)) break;
    if (!out.plain) out.plain = a, out.other = b;
    out.held = same(pair, tree.screen(a), tree.screen(b));
    if (out.held) continue;
    out.cut = pair;
    out.cut->plain = head(pair.plain, i), out.cut->other = head(pair.other, j), out.cut->agree = {{i, j}};
    break;
  }
  return out;
}

Status Pairs::attempt(std::vector<Pair> batch) {
  std::vector<Pair> again;
  const auto outcomes = run_all(batch);
  for (std::size_t k = 0; k < batch.size(); ++k) {
    Judged judgement = judged(batch[k], outcomes[2 * k], outcomes[2 * k + 1]);
    if (judgement.held && batch[k].telling) ++groups_[batch[k].group].held;
    if (judgement.held && compared_) compared_(batch[k], judgement.plain, judgement.other);
    if (!judgement.cut) continue;
    Pair& cut = *judgement.cut;
    cut.plain.emplace_back(Wait{c_.options.settle_ms}), cut.other.emplace_back(Wait{c_.options.settle_ms});
    cut.agree = {{cut.plain.size(), cut.other.size()}};
    again.push_back(std::move(cut));
  }
  const auto settled = run_all(again);
  for (std::size_t k = 0; k < again.size(); ++k) {
    const Judged judgement = judged(again[k], settled[2 * k], settled[2 * k + 1]);
    if (judgement.held && again[k].telling) ++groups_[again[k].group].held;
    if (compared_ && judgement.plain) compared_(again[k], judgement.plain, judgement.other);
    if (judgement.cut) failed({*judgement.cut, 0, settled[2 * k].end, settled[2 * k + 1].end});
  }
  return {};
}

void Pairs::failed(Failure f) {
  ++groups_[f.pair.group].failed;
  f.effect = effect(f.pair, f.plain_end, f.other_end);
  const std::uint64_t kind = f.pair.one_report ? f.pair.group : f.effect;
  Alike& alike = failures_[Hasher().add(f.pair.family).add(kind).finish()];
  ++alike.times;
  const auto depth = [&](const Failure& x) { return c_.replay.history().depth(x.pair.base); };
  const auto at = std::ranges::upper_bound(alike.shallowest, depth(f), {}, depth);
  alike.shallowest.insert(at, std::move(f));
  if (alike.shallowest.size() > alike_kept) alike.shallowest.pop_back();
}

KindsOfWidgets kinds_that_differ(const Screen& a, const Screen& b) {
  const HashedScreen x = HashedScreen(a).under(lenient()), y = HashedScreen(b).under(lenient());
  const TedMapping map = ted_map(x.tree(), y.tree());
  KindsOfWidgets out;
  for (std::size_t i = 0; i < map.to.size(); ++i)
    if (map.to[i] < 0 || x.widgets()[i] != y.widgets()[static_cast<std::size_t>(map.to[i])])
      out.emplace(a.widgets[i].cls, a.widgets[i].id);
  for (std::size_t j = 0; j < map.from.size(); ++j)
    if (map.from[j] < 0) out.emplace(b.widgets[j].cls, b.widgets[j].id);
  return out;
}

/// Which kinds of widgets differ, and where: the same loss on other data is the same effect.
std::uint64_t Pairs::effect(const Pair& pair, NodeId plain, NodeId other) const {
  const Screen a = as_read(pair, c_.replay.history().screen(plain), true),
               b = as_read(pair, c_.replay.history().screen(other), false);
  Hasher h;
  h.add(a.activity).add(b.activity);
  for (const auto& [cls, id] : kinds_that_differ(a, b)) h.add(cls).add(id);
  return h.finish();
}

Pairs::Ends Pairs::differ(const std::vector<Event>& prefix, const Pair& pair) {
  const History& tree = c_.replay.history();
  const std::vector<Request> both{{.events = c_.replay.intern(joined(prefix, pair.plain))},
                                  {.events = c_.replay.intern(joined(prefix, pair.other))}};
  const auto outcomes = c_.replay.ask(both, Until::all, c_.stop);
  Ends out{Verdict::no, outcomes[0].end, outcomes[1].end};
  for (const Outcome& o : outcomes) {
    if (o.verdict == Verdict::unresolved) return {Verdict::unresolved, {}, {}};
    if (o.verdict == Verdict::no) return out;
  }
  const Screen &a = tree.screen(out.plain), &b = tree.screen(out.other);
  if (comparable(pair, a, b, false) && !same(pair, a, b)) out.verdict = Verdict::yes;
  return out;
}

void Pairs::shorten(Failure& f, Report& out) {
  const auto as_before = [&](const std::vector<Event>& shorter) {
    if (c_.stop.stop_requested() || c_.replay.left() <= 0) return Verdict::unresolved;
    const Ends ends = differ(shorter, f.pair);
    if (ends.verdict != Verdict::yes) return ends.verdict;
    return effect(f.pair, ends.plain, ends.other) == f.effect ? Verdict::yes : Verdict::no;
  };
  const std::vector<Event> prefix =
      from_first_page(c_.replay.history(), f.pair.base,
                      [&](const std::vector<Event>& shorter) { return as_before(shorter) == Verdict::yes; });
  ShorterInput inner(prefix, pair_asks + static_cast<std::uint32_t>(prefix.size()), as_before);
  Remembering question(inner);
  const Shrunk small = norn_reducer({static_cast<std::uint32_t>(prefix.size()), {}}, question);
  const std::vector<Event> chosen = inner.chosen(small.kept);
  out.minimal = small.one_minimal && !small.stopped;
  out.normal = joined(chosen, f.pair.plain), out.deviant = joined(chosen, f.pair.other);
  if (const Ends ends = differ(chosen, f.pair); ends.verdict == Verdict::yes)
    f.plain_end = ends.plain, f.other_end = ends.other;
}

bool Pairs::comes_with_time(const Failure& f, const std::vector<Event>& normal) {
  const auto later = joined(normal, {Wait{c_.options.settle_ms}});
  const Outcome o = c_.replay.ask({.events = c_.replay.intern(later)}, c_.stop);
  Pair unread = f.pair;
  unread.reads_as = {};
  return o.verdict == Verdict::yes &&
         effect(unread, f.plain_end, o.end) == effect(f.pair, f.plain_end, f.other_end);
}

Status Pairs::confirm(Failure f) {
  const History& tree = c_.replay.history();
  Report r;
  r.oracle = oracle_, r.ends_should_agree = f.pair.agrees;
  shorten(f, r);
  if (r.deviant.size() > longest_input || comes_with_time(f, r.normal)) return {};
  r.words = f.pair.name;
  for (const Event& event : f.pair.other)
    if (!std::holds_alternative<Wait>(event)) r.difference.push_back(describe(event));
  r.event = r.deviant.back();
  r.duplicates = f.times - 1;
  r.before = tree.screen(tree.parent(f.other_end));
  r.expected = as_read(f.pair, tree.screen(f.plain_end), true), r.seen = tree.screen(f.other_end);
  r.reads_as = f.pair.reads_as;
  r.normal_end = f.plain_end, r.deviant_end = f.other_end;
  r.place = r.expected.activity;
  const auto came = [&](const std::vector<Event>& events, const Screen& end) {
    return clean_starts(
        c_.replay, events, c_.options.both_ways, [&](NodeId n) { return alike(tree.screen(n), end); },
        c_.stop);
  };
  NORN_TRY(const auto seen, came(r.deviant, r.seen));
  NORN_TRY(const auto expected, came(r.normal, tree.screen(f.plain_end)));
  std::tie(r.came_back, r.runs) = seen;
  const bool sure = 2 * seen.first > seen.second && 2 * expected.first > expected.second;
  (sure ? c_.out.reports : c_.out.flaky).push_back(std::move(r));
  return {};
}

bool Pairs::may_be_reported(const Failure& failure, Habit habit, const Stands& stands) {
  const Tally& group = groups_[failure.pair.group];
  if (habit == Habit::held_once && group.held == 0) return false;
  if (habit == Habit::held_mostly && group.held <= group.failed) return false;
  const History& tree = c_.replay.history();
  if (failure.pair.reads_as.first.empty() &&  // else the same is what is wrong
      only_moments_differ(tree.screen(failure.plain_end), tree.screen(failure.other_end)))
    return false;
  return !stands || stands(failure.pair, failure.plain_end, failure.other_end);
}

Status Pairs::report(Habit habit, const Stands& stands) {
  for (const auto& [key, group] : groups_) c_.out.held += group.held, c_.out.failed += group.failed;
  for (auto& [key, alike] : failures_) {
    const auto one = std::ranges::find_if(
        alike.shallowest, [&](const Failure& f) { return may_be_reported(f, habit, stands); });
    if (one == alike.shallowest.end()) continue;
    if (c_.stop.stop_requested() || c_.replay.left() <= 0) break;
    one->times = alike.times;
    const Status confirmed = confirm(std::move(*one));
    if (!confirmed && !(rig_failed(confirmed.error()) && !c_.replay.lost())) return confirmed;
  }
  failures_.clear();
  return {};
}

}  // namespace norn
