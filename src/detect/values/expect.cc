#include "detect/values/expect.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/text.h"
#include "detect/confirm.h"
#include "detect/odin/anomaly.h"
#include "detect/pairs.h"
#include "detect/reading/other_texts.h"
#include "detect/shorter.h"

namespace norn {
namespace {

constexpr std::size_t values_kept = 64;  ///< of each side of a tally: more tell nothing new
constexpr std::uint32_t shorten_asks =
    100;                                ///< runs spent on one input, and three more for each of its events
constexpr double shorten_share = 0.15;  ///< of the time that is left: others want to be shortened, too
constexpr std::size_t hardly_ever = 8;  ///< times as many failures: equal rows, or luck, did the rest
constexpr std::size_t undecided_margin = 4;  ///< sorts of values beyond what is learnt at least
constexpr std::size_t longest_text = 30;     ///< typed ones: longer ones are cut for good reasons
constexpr std::size_t other_rows = 3;        ///< of which one must fail, too
constexpr std::size_t several_rows = 3;      ///< for which it fails: then it is not one of them in particular
constexpr std::uint32_t other_texts = 2;     ///< with which it must fail again

/// What a person does to use the app: no odd texts, nothing the system does. Programs tidy up odd texts in
/// their own ways, and what is lost when the device is turned or the process dies is another expectation
/// (neutral).
bool ordinary(const Event& event) {
  if (const auto* type = std::get_if<Type>(&event))
    return type->text.size() <= longest_text && trim(type->text) == type->text &&
           std::ranges::all_of(type->text, [](char c) {
             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
                    c == ':' || c == '.' || c == '@';
           });
  return std::holds_alternative<Tap>(event) || std::holds_alternative<LongPress>(event) ||
         std::holds_alternative<Swipe>(event) || std::holds_alternative<Key>(event) ||
         std::holds_alternative<Wait>(event);
}

std::uint64_t situation(const Case& found) { return Hasher().add(found.group).add(found.mode).finish(); }

}  // namespace

/// It held, or nothing could be said, right before.
bool Expecting::newly_failed(NodeId node, std::uint64_t group) const {
  if (node == c_.replay.history().root()) return true;
  const auto before = bad_.find(c_.replay.history().parent(node));
  return before == bad_.end() || std::ranges::find(before->second, group) == before->second.end();
}

void Expecting::note(NodeId node, const Case& found) {
  const History& tree = c_.replay.history();
  Tally& tally = groups_[situation(found)];
  tally.rivals = Hasher().add(found.wrong).add(found.mode).finish();
  Way& way = tally.ways[found.cause != 0 ? found.cause : data_.deed(node)];
  if (found.held) {
    if (way.held.size() < values_kept) way.held.insert(found.value);
    if (way.sorts.size() < values_kept) way.sorts.insert(found.sort != 0 ? found.sort : found.value);
    if (!tally.example || tree.depth(node) < tree.depth(tally.example)) tally.example = node;
    return;
  }
  if (node == tree.root()) tally.from_the_start = true;
  if (!newly_failed(node, situation(found))) return;
  if (auto& values = found.aside ? tally.aside : way.failed; values.size() < values_kept)
    values.insert(found.value);
  if (found.row != 0 && tally.rows.size() < values_kept) tally.rows.insert(found.row);
  if (found.words.empty()) return;
  const std::uint64_t key = Hasher().add(situation(found)).add(found.wrong).add(data_.deed(node)).finish();
  const auto [at, fresh] =
      failures_.try_emplace(key, Violation{node, situation(found), found.wrong, 1, 0, 0, 1, {}});
  if (fresh) return;
  ++at->second.times;
  if (tree.depth(node) < tree.depth(at->second.node)) at->second.node = node;
}

void Expecting::look() {
  const History& tree = c_.replay.history();
  for (; next_ < tree.size(); ++next_) {
    const NodeId node{static_cast<std::uint32_t>(next_)};
    if (tree.crash(node) || tree.screen(node).kind == Screen::Kind::unseen) continue;
    cases_.clear();
    what_->look(node, cases_);
    std::vector<std::uint64_t> bad;
    if (node != tree.root())
      if (const auto before = bad_.find(tree.parent(node)); before != bad_.end()) bad = before->second;
    for (const Case& found : cases_) {
      note(node, found);
      std::erase(bad, situation(found));
      if (!found.held) bad.push_back(situation(found));
    }
    if (!bad.empty()) bad_[node] = std::move(bad);
  }
}

bool Expecting::Way::hardly_ever_holds() const {
  return !failed.empty() && failed.size() >= hardly_ever * held.size();
}

Expecting::Score Expecting::score(const Tally& tally) {
  Score out;
  std::set<std::uint64_t> held, sorts;
  for (const auto& [cause, way] : tally.ways) {
    if (way.hardly_ever_holds()) continue;
    held.insert(way.held.begin(), way.held.end()), sorts.insert(way.sorts.begin(), way.sorts.end());
  }
  for (const auto& [cause, way] : tally.ways) {
    const bool one = way.hardly_ever_holds();
    out.merged = out.merged || (one && way.failed.size() > 1);
    out.failed_all += way.failed.size();
    const auto alone =
        std::ranges::count_if(way.failed, [&](std::uint64_t value) { return !held.contains(value); });
    out.failed += one ? 1 : static_cast<std::size_t>(alone);
  }
  out.held = held.size(), out.sorts = sorts.size();
  return out;
}

Expecting::Scores Expecting::scores() const {
  Scores out;
  for (const auto& [key, tally] : groups_) out.emplace(key, score(tally));
  return out;
}

/// It held often enough, whatever chance may do, and nothing explains the value better.
bool Expecting::learnt(std::uint64_t situation, const Scores& scores,
                       const std::multimap<std::uint64_t, std::uint64_t>& rivals) const {
  const Learnt wanted = what_->learnt();
  const Tally& tally = groups_.at(situation);
  const Score& own = scores.at(situation);
  if (tally.from_the_start ||
      own.sorts < (own.merged ? std::max(wanted.least, wanted.least_if_merged) : wanted.least))
    return false;
  if (own.failed_all + tally.aside.size() < wanted.fewest) return false;
  if (static_cast<double>(own.failed_all) <
      wanted.failing_least * static_cast<double>(own.held + own.failed_all))
    return false;
  if (own.held + own.failed > 0 && (own.failing() > wanted.failing || own.failed > wanted.most)) return false;
  const auto [first, last] = rivals.equal_range(tally.rivals);
  return !wanted.rivals || std::none_of(first, last, [&](const auto& rival) {
    const Score& other = scores.at(rival.second);
    return 2 * other.held >= own.held && 2 * other.failing() < own.failing();
  });
}

std::vector<Violation> Expecting::violations() const {
  const Scores all = scores();
  std::multimap<std::uint64_t, std::uint64_t> rivals;
  for (const auto& [key, tally] : groups_)
    if (all.at(key).held > 0) rivals.emplace(tally.rivals, key);
  std::map<std::uint64_t, double> chances;  // by situation
  std::vector<Violation> out;
  for (const auto& [key, failure] : failures_) {
    if (!learnt(failure.group, all, rivals)) continue;
    const Tally& tally = groups_.at(failure.group);
    Violation v = failure;
    v.held = static_cast<std::uint32_t>(all.at(v.group).held);
    v.failed = static_cast<std::uint32_t>(all.at(v.group).failed);
    v.p = binomial_at_most(v.failed, v.held + v.failed, 0.5);
    v.failed += static_cast<std::uint32_t>(tally.aside.size());
    v.example = tally.example, v.rows = tally.rows.size();
    chances[v.group] = v.p;
    out.push_back(v);
  }
  std::vector<double> sorted;
  for (const auto& [group, p] : chances) sorted.push_back(p);
  const double level = holm_level(std::move(sorted), what_->learnt().chance);
  std::erase_if(out, [&](const Violation& v) { return v.p > level; });
  return out;
}

std::vector<NodeId> Expecting::undecided() const {
  const Learnt wanted = what_->learnt();
  std::vector<NodeId> out;
  for (const auto& [key, failure] : failures_) {
    const Score own = score(groups_.at(failure.group));
    const bool few = own.sorts < wanted.least + undecided_margin && own.failed <= 2;
    if (few && own.held > 0 && !groups_.at(failure.group).from_the_start) out.push_back(failure.node);
  }
  return out;
}

/// The failing case of that group at this node, or null. Valid until the next look.
const Case* Expecting::failing(NodeId node, std::uint64_t group) {
  if (!node || c_.replay.history().crash(node)) return nullptr;
  cases_.clear();
  what_->look(node, cases_);
  const auto at = std::ranges::find_if(cases_, [&](const Case& found) {
    return situation(found) == group && !found.held && !found.words.empty();
  });
  return at == cases_.end() ? nullptr : &*at;
}

bool Expecting::fails(const std::vector<Event>& input, std::uint64_t group) {
  const Outcome o = c_.replay.ask({.events = c_.replay.intern(input)}, c_.stop);
  return o.verdict == Verdict::yes && failing(o.end, group) != nullptr;
}

/// The same input with other words and numbers: what one text in particular does is how that text is meant.
/// True where that cannot be told: nothing was typed, or the other texts do not lead there.
bool Expecting::fails_with_other_texts(NodeId end, std::uint64_t group) {
  const auto input = c_.replay.history().events_to(end);
  for (std::uint32_t salt = 1; salt <= other_texts; ++salt) {
    const auto other = with_other_texts(c_.replay.history(), end, salt);
    if (other == input) return true;
    const Outcome o = c_.replay.ask({.events = c_.replay.intern(other)}, c_.stop);
    if (o.verdict == Verdict::yes && !failing(o.end, group)) return false;
  }
  return true;
}

/// The same input with other rows of the list whose row was touched last: one of them fails as well, if only
/// in another way (this row stays, for that one another goes). True where there is no other.
bool Expecting::fails_with_other_rows(NodeId end) {
  const auto others = with_other_rows(c_.replay.history(), end, other_rows);
  for (const auto& other : others) {
    const Outcome o = c_.replay.ask({.events = c_.replay.intern(other)}, c_.stop);
    if (o.verdict != Verdict::yes) continue;
    cases_.clear();
    what_->look(o.end, cases_);
    if (!std::ranges::all_of(cases_, &Case::held)) return true;
  }
  return others.empty();
}

std::vector<Event> Expecting::shorten(NodeId node, std::uint64_t group, bool& minimal) {
  const std::vector<Event> input = from_first_page(
      c_.replay.history(), node, [&](const std::vector<Event>& shorter) { return fails(shorter, group); });
  const auto asks = shorten_asks + 3 * static_cast<std::uint32_t>(input.size());
  const double left = c_.replay.left(), until = std::isfinite(left) ? (1 - shorten_share) * left : 0;
  ShorterInput inner(input, asks, [&](const std::vector<Event>& shorter) {
    if (c_.stop.stop_requested() || c_.replay.left() <= until) return Verdict::unresolved;
    return fails(shorter, group) ? Verdict::yes : Verdict::no;
  });
  Remembering question(inner);
  const Shrunk small = norn_reducer({static_cast<std::uint32_t>(input.size()), {}}, question);
  minimal = small.one_minimal && !small.stopped;
  return inner.chosen(small.kept);
}

Result<bool> Expecting::confirm(const Violation& v) {
  const History& tree = c_.replay.history();
  Report r;
  r.oracle = oracle_, r.kind = what_->name();
  r.deviant = shorten(v.node, v.group, r.minimal);
  if (r.deviant.size() > longest_input || !std::ranges::all_of(r.deviant, ordinary)) return false;
  const Outcome end = c_.replay.ask({.events = c_.replay.intern(r.deviant)}, c_.stop);
  if (end.verdict == Verdict::yes && what_->any_text() && !fails_with_other_texts(end.end, v.group))
    return false;
  if (end.verdict == Verdict::yes && what_->any_row() && v.rows < several_rows &&
      !fails_with_other_rows(end.end))
    return false;
  const Case* found = end.verdict == Verdict::yes ? failing(end.end, v.group) : nullptr;
  if (!found) return false;
  r.words = found->words;
  const NodeId example = v.example;
  r.usual = v.held, r.rare = v.failed, r.inputs = v.held + v.failed;
  r.p = v.p, r.q = v.p;
  r.deviant_end = end.end, r.normal_end = example ? example : end.end;
  r.seen = r.expected = tree.screen(end.end);
  r.before = end.end == tree.root() ? r.seen : tree.screen(tree.parent(end.end));
  if (!r.deviant.empty()) r.event = r.deviant.back();
  if (example) r.normal = tree.events_to(example);
  r.place = r.seen.activity;
  r.duplicates = v.times - 1;
  NORN_TRY(const auto came, clean_starts(
                                c_.replay, r.deviant, c_.options.both_ways,
                                [&](NodeId n) { return failing(n, v.group) != nullptr; }, c_.stop));
  std::tie(r.came_back, r.runs) = came;
  const bool sure = 2 * r.came_back > r.runs;
  (sure ? c_.out.reports : c_.out.flaky).push_back(std::move(r));
  return sure;
}

}  // namespace norn
