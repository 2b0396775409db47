#include "detect/confirm.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

namespace norn {
namespace {

/// Asks about sub-lists of things that a function turns into an input.
class InputQuestion final : public Question {
 public:
  using Make = std::function<std::vector<Event>(std::span<const std::uint32_t>)>;
  InputQuestion(Confirm& confirm, Make make, const Yardstick& by, std::uint64_t print)
      : confirm_(confirm), make_(std::move(make)), by_(by), print_(print) {}
  Verdict ask(const Candidate& candidate) override {
    if (confirm_.spent()) return Verdict::unresolved;
    return confirm_.ends_so(make_(candidate.kept), by_, print_);
  }
  bool stopped() const override { return confirm_.spent(); }

 private:
  Confirm& confirm_;
  Make make_;
  const Yardstick& by_;
  std::uint64_t print_;
};

/// One edit between two lists: at `place` of the first, leave it out or put an event before it.
struct Edit {
  std::size_t place;
  bool insert;
  Event event;
};

/// A shortest list of insertions and deletions that makes `b` of `a`.
std::vector<Edit> edits_between(const std::vector<Event>& a, const std::vector<Event>& b) {
  std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] = event_key(a[i]) == event_key(b[j]) ? common[i + 1][j + 1] + 1
                                                        : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<Edit> out;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && event_key(a[i]) == event_key(b[j]))
      ++i, ++j;
    else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1]))
      out.push_back({i, false, a[i]}), ++i;
    else
      out.push_back({i, true, b[j]}), ++j;
  }
  return out;
}

std::vector<Event> applied(const std::vector<Event>& list, const std::vector<Edit>& edits,
                           std::span<const std::uint32_t> chosen) {
  std::vector<Event> out;
  std::size_t k = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    bool left_out = false;
    for (; k < chosen.size() && edits[chosen[k]].place == i; ++k) {
      if (edits[chosen[k]].insert) out.push_back(edits[chosen[k]].event);
      left_out = left_out || !edits[chosen[k]].insert;
    }
    if (i < list.size() && !left_out) out.push_back(list[i]);
  }
  return out;
}

}  // namespace

Result<std::pair<std::uint32_t, std::uint32_t>> clean_starts(Replay& replay, const std::vector<Event>& input,
                                                             std::uint32_t repeats,
                                                             const std::function<bool(NodeId)>& wanted,
                                                             std::stop_token stop) {
  const History& tree = replay.history();
  std::unordered_map<NodeId, std::uint32_t> before;
  const auto ends = [&] { return tree.walks(tree.root(), std::span<const Event>(input)); };
  for (const Walk& w : ends()) before[w.end] = w.counts.cold;
  const Outcome outcome = replay.ask(
      {.events = replay.intern(input), .sure = Sure::certified, .repeats = repeats}, std::move(stop));
  if (outcome.why) return std::unexpected(*outcome.why);
  std::uint32_t yes = 0;
  for (const Walk& w : ends())
    if (w.used == input.size() && wanted(w.end)) yes += w.counts.cold - before[w.end];
  return std::pair{yes, outcome.yes.all() + outcome.no.all() + outcome.not_staged};
}

bool Confirm::spent() const {
  return stop_.stop_requested() || asked_ >= options_.shorten_asks || replay_.left() <= 0;
}

bool Confirm::is(NodeId end, const Event& last, const Yardstick& by, std::uint64_t print) {
  const History& tree = replay_.history();
  if (!end || end == tree.root() || event_key(tree.event(tree.event_id(end))) != event_key(last))
    return false;
  const NodeId before = tree.parent(end);
  const auto role = role_of(tree.event(tree.event_id(end)), tree.screen(before));
  if (!role || (role->specific != by.role && role->general != by.role)) return false;
  return groups_.layout_of(before) == by.layout && groups_.prints().of({before, end}, by.rules) == print;
}

Verdict Confirm::ends_so(const std::vector<Event>& input, const Yardstick& by, std::uint64_t print,
                         NodeId* end) {
  if (input.empty()) return Verdict::no;  // it ends so after an event
  ++asked_;
  const Outcome outcome = replay_.ask({.events = replay_.intern(input), .missing = Missing::skip}, stop_);
  if (outcome.verdict == Verdict::unresolved) return Verdict::unresolved;
  if (end) *end = outcome.end;
  return is(outcome.end, input.back(), by, print) ? Verdict::yes : Verdict::no;
}

Result<std::pair<std::uint32_t, std::uint32_t>> Confirm::come_back(const std::vector<Event>& input,
                                                                   const Yardstick& by, std::uint64_t print) {
  return clean_starts(
      replay_, input, options_.repeats, [&](NodeId end) { return is(end, input.back(), by, print); }, stop_);
}

std::vector<Event> Confirm::shorten(const std::vector<Event>& input, const Yardstick& by, std::uint64_t print,
                                    bool& minimal) {
  const auto make = [&](std::span<const std::uint32_t> kept) {
    std::vector<Event> out;
    for (const std::uint32_t i : kept) out.push_back(input[i]);
    out.push_back(input.back());
    return out;
  };
  InputQuestion inner(*this, make, by, print);
  Remembering question(inner);
  const Shrunk small = norn_reducer({static_cast<std::uint32_t>(input.size() - 1), {}}, question);
  minimal = small.one_minimal && !small.stopped;
  const std::vector<Event> chosen = make(small.kept);
  NodeId end{0};
  if (ends_so(chosen, by, print, &end) != Verdict::yes) return minimal = false, input;
  return replay_.history().events_to(end);  // what was skipped is no part of it
}

std::vector<std::string> Confirm::difference(const std::vector<Event>& normal,
                                             const std::vector<Event>& deviant, const Yardstick& by) {
  const std::vector<Edit> edits = edits_between(normal, deviant);
  const auto make = [&](std::span<const std::uint32_t> chosen) { return applied(normal, edits, chosen); };
  InputQuestion inner(*this, make, by, by.rare);
  Remembering question(inner);
  const Shrunk small = dd({static_cast<std::uint32_t>(edits.size()), {}}, question);
  std::vector<std::string> out;
  for (const std::uint32_t k : small.kept) {
    const Edit& e = edits[k];
    const std::string where = e.place < normal.size() ? describe(normal[e.place]) : "the end";
    out.push_back(e.insert ? fmt::format("{} before {}", describe(e.event), where)
                           : fmt::format("without {}", describe(e.event)));
  }
  return out;
}

}  // namespace norn
