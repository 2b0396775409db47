// Other runs into the same crash: found, read as words, and where the automaton rejects one, shortened and
// taken in.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "diagnose/learn/learning.h"
#include "diagnose/learn/screen_reading.h"
#include "diagnose/learn/strange_trace.h"
#include "diagnose/learn/variations.h"
#include "diagnose/taken.h"

namespace norn {

using lsharp::Input;

void Learning::vary() {
  progress_.status("trying the trace with other events in the place of its own");
  const Metered metered(replay_, costs_.looks);
  const std::size_t each = options_.variations / std::max<std::size_t>(traces_.size(), 1);
  for (std::size_t t = 0, given = traces_.size(); t < given; ++t)
    for (const NodeId end :
         crashing_variations(replay_, traces_[t], {wanted_, Sameness::frames}, each, options_.seed, stop_))
      others_.push_back({end});
}

void Learning::start_pages(std::size_t given_traces) {
  progress_.status("trying the trace with its pages started by their names");
  const Metered metered(replay_, costs_.looks);
  const std::size_t each = options_.variations / std::max<std::size_t>(given_traces, 1);
  for (std::size_t t = 0; t < given_traces; ++t)
    for (const NodeId end : crashing_by_name(replay_, traces_[t], {wanted_, Sameness::frames}, each, stop_))
      others_.push_back({end});
}

void Learning::gather(std::size_t from, std::size_t to) {
  const std::size_t most = others_.size() + 100;
  std::vector<NodeId> found;
  for (std::size_t n = std::max<std::size_t>(from, 1); n < to; ++n) {
    const NodeId node{static_cast<std::uint32_t>(n)};
    if (const Crash* crash = tree().crash(node); crash && is_bug(*crash)) found.push_back(node);
  }
  std::ranges::stable_sort(found, {}, [&](NodeId node) { return tree().depth(node); });
  for (const NodeId node : found)
    if (others_.size() < most) others_.push_back({node});
}

std::vector<std::string> Learning::labels_to(NodeId end, const std::vector<LearnInput>& all) const {
  std::vector<std::string> out;
  for (const Input i : word_of(run_to(tree(), end), all))
    if (!all[i].is_move()) out.push_back(all[i].label);
  return out;
}

Learning::Other* Learning::next_rejected() {
  for (Other& other : others_)
    if (other.tried < 3 && rejected(other.end)) return &other;
  return nullptr;
}

Status Learning::join(std::size_t most, std::size_t looks) {
  in_vain_ = 0;
  const auto no_more = [&](std::string why) { return why_no_more_ = std::move(why), Status(); };
  for (std::size_t rounds = 0; rounds < most;) {
    if (in_vain_ == most_in_vain)
      return no_more(fmt::format("{} before it, one after the other, could not be taken in", most_in_vain));
    if (replay_.left() <= 0 || stop_.stop_requested()) return no_more("the budget was spent");
    if (join_seconds_left() <= 0) return no_more("the time for learning from other runs was spent");
    Other* other = next_rejected();
    if (other == nullptr) {
      if (looks_ >= looks || out_.fresh >= options_.fresh) return {};
      NORN_TRY(const std::size_t met, look_around());
      out_.fresh = next_rejected() == nullptr ? out_.fresh + met : 0;
      continue;
    }
    ++rounds;
    ++other->tried;
    NORN_CHECK(learn_from(*other));
  }
  return no_more(fmt::format("no more than {} are learned from (--joins)", most));
}

Result<std::size_t> Learning::look_around() {
  const std::size_t from = tree().size();
  const Metered metered(replay_, costs_.looks);
  progress_.status("looking for other ways into the crash");
  std::size_t longest = 0;
  for (const auto& trace : traces_) longest = std::max(longest, trace.size());
  const double seconds = options_.look ? options_.wander_seconds / 2 : options_.wander_seconds;
  const std::uint64_t seed = options_.seed + looks_++;
  NORN_CHECK(unless_spent(wander(replay_, out_.bug.inputs, {seconds, 10 + 2 * longest, seed}, stop_)));
  if (options_.look) NORN_CHECK(unless_spent(options_.look(replay_, seed, seconds, stop_)));
  const std::size_t known = others_.size(), looked = tree().size();
  gather(from, looked);
  const std::size_t met = others_.size() - known;
  run_endings(replay_, traces_, {wanted_, Sameness::frames}, options_.endings, stop_);
  gather(looked, tree().size());
  return met;
}

Result<std::optional<NodeId>> Learning::shortened(NodeId end, const std::function<bool(NodeId)>& strange) {
  const Metered metered(replay_, costs_.shortening);
  return shorten_strange(replay_, end, strange,
                         std::min(join_seconds_left(), most_shortening - costs_.shortening), stop_);
}

Status Learning::learn_from(Other& other) {
  const auto strange = [this](NodeId end) { return rejected(end); };
  progress_.status(fmt::format("a run of {} events is rejected: shortening it", tree().depth(other.end)));
  const auto shorter = shortened(other.end, strange);
  if (!shorter) return unless_spent(std::unexpected(shorter.error()));
  if (!*shorter) return other.tried = 3, other.why = "its events do not crash again", Status();
  Kept kept = keep();
  if (const Status taken = unless_spent(take_in(**shorter)); !taken) {
    if (taken.error().kind != Error::Kind::bad_input) return taken;
    restore(kept);
    return other.tried = 3, other.why = "it has too many distinct events", ++in_vain_, Status();
  }
  // What makes much more of the automaton is better left out; and to find that out must not cost more than it
  // is worth.
  caps_ = {std::min(options_.states, out_.machine_states * 3 / 2 + 10),
           std::min(options_.words, out_.words * 3 / 2 + 300)};
  NORN_TRY(const bool learned, learn_as_moves_or_guards(kept, **shorter));
  caps_ = {options_.states, options_.words};
  in_vain_ = learned ? 0 : in_vain_ + 1;
  if (learned) {
    ++out_.joined;
    steps_.push_back(std::move(kept));
  } else {
    other.tried = 3;
    other.why = why_not_taken(kept, **shorter);
    restore(kept);
  }
  return {};
}

Result<bool> Learning::learn_as_moves_or_guards(const Kept& before, NodeId end) {
  const auto is_good = [&] { return (out_.complete || !before.out.complete) && !rejected(end); };
  const Kept taken = keep();
  if (make_moves_of_guards(before)) {
    NORN_CHECK(learn_once(quick_tests()));
    if (is_good() && wrongly_accepted(out_.bug) <= wrongly_accepted(before.out.bug)) return true;
    restore(taken);
  }
  if (pivots_.size() > options_.labels && pivots_.size() > before.pivots.size()) return false;
  NORN_CHECK(learn_once(quick_tests()));
  return is_good();
}

std::string Learning::why_not_taken(const Kept& before, NodeId end) const {
  if (pivots_.size() > options_.labels && pivots_.size() > before.pivots.size()) return "too many labels";
  if (before.out.complete && !out_.complete) return "with it the automaton would be too large";
  return rejected(end) ? "it is rejected still when learned from" : "the budget was spent";
}

Status Learning::take_in(NodeId end) {
  std::vector<Performed> run = run_to(tree(), end);
  if (adopt(run)) return {};
  const std::size_t first = pivots_.size();
  name_unknown(run);
  NORN_CHECK(add_trace(run));
  NORN_TRY(const auto minimal, shortened(end, [](NodeId) { return true; }));
  std::set<std::size_t> needed;
  if (minimal)
    for (const Performed& step : run_to(tree(), *minimal))
      if (const auto input = input_of(pivots_, step.event, *step.before)) needed.insert(*input);
  for (std::size_t i = first; i < pivots_.size(); ++i) {
    const auto same = std::ranges::find(pivots_, pivots_[i].label, &LearnInput::label);
    pivots_[i].guard =
        same == pivots_.begin() + static_cast<std::ptrdiff_t>(i) ? !needed.contains(i) : same->guard;
  }
  return {};
}

bool Learning::is_known_move(const Performed& step) const {
  return input_of(moves_, step.event, *step.before) || input_of(freed_, step.event, *step.before);
}

bool Learning::adopt(const std::vector<Performed>& run) {
  std::vector<LearnInput> wider = pivots_;
  bool changed = false;
  for (const Performed& step : run) {
    if (input_of(wider, step.event, *step.before) || is_known_move(step)) continue;
    const Event taken = as_taken(step.event, *step.before);
    const auto alike =
        std::ranges::find_if(wider, [&](const LearnInput& input) { return same_role(input.event, taken); });
    if (alike == wider.end()) return false;
    alike->also.push_back(taken);
    widen_by_example(wider, static_cast<std::size_t>(alike - wider.begin()));
    changed = true;
  }
  if (!changed) return false;
  std::vector<LearnInput> all = wider;
  all.insert(all.end(), moves_.begin(), moves_.end());
  all.insert(all.end(), freed_.begin(), freed_.end());
  std::vector<std::string> word;
  for (const Input i : word_of(run, all))
    if (!all[i].is_move()) word.push_back(all[i].label);
  if (!accepts(out_.bug.nfa, word)) return false;
  pivots_ = std::move(wider);
  return true;
}

void Learning::name_unknown(const std::vector<Performed>& run) {
  const bool all_known = std::ranges::all_of(run, [&](const Performed& step) {
    return input_of(out_.bug.inputs, step.event, *step.before).has_value();
  });
  for (const Performed& step : run) {
    const auto input = input_of(pivots_, step.event, *step.before);
    if (!input) continue;
    const Event taken = as_taken(step.event, *step.before);
    const auto performed = event_on(pivots_[*input], *step.before);
    if (!performed || same_event(*performed, taken, *step.before)) continue;
    const bool typed = std::holds_alternative<Type>(taken);
    if (typed && !all_known) continue;
    if (std::ranges::any_of(pivots_,
                            [&](const LearnInput& p) { return event_key(p.event) == event_key(taken); }))
      continue;
    LearnInput own = pivots_[*input];
    own.event = taken, own.also.clear(), own.unlike.clear(), own.any_row = false, own.typed = Typed::exact;
    if (typed)
      own.label = next_label(pivots_);
    else
      own.place = place_of(taken, *step.before);
    pivots_.push_back(std::move(own));
  }
}

Status Learning::recall() {
  for (Other& other : others_) {
    if (other.recalled || !rejected(other.end) || costs_.shortening >= most_shortening) continue;
    other.recalled = true;
    NORN_TRY(const auto shorter, shortened(other.end, [this](NodeId end) { return rejected(end); }));
    if (shorter) lessons_.push_back(*shorter);
  }
  return {};
}

std::string Learning::why_rejected(const Other& other) const {
  if (!other.why.empty()) return other.why;
  if (other.tried > 0) return "it was learned from, and left out again to prove the rest";
  return why_no_more_.empty() ? "it was accepted before the last correction" : why_no_more_;
}

void Learning::count_known() {
  struct Word {
    bool read = true;  ///< all of its runs are
    std::string why;
  };
  TreeReading reading(out_.bug, tree());
  std::map<std::vector<std::string>, Word> words;
  for (const Other& other : others_) {
    Word& word = words[labels_to(other.end, out_.bug.inputs)];
    word.read = word.read && reading.at(other.end).crash;
    if (word.why.empty()) word.why = why_rejected(other);
  }
  out_.known.all = out_.known_read.all = words.size();
  for (const auto& [labels, word] : words) {
    const bool accepted = accepts(out_.bug.nfa, labels);
    out_.known.good += accepted, out_.known_read.good += word.read;
    if (!accepted) ++out_.rejected_because[word.why];
  }
}

std::size_t Learning::known_accepted() const {
  std::size_t out = 0;
  for (const Other& other : others_) out += !rejected(other.end);
  for (const auto& trace : traces_) {
    std::vector<std::string> word;
    for (const Input i : word_of(trace, out_.bug.inputs))
      if (!out_.bug.inputs[i].is_move()) word.push_back(out_.bug.inputs[i].label);
    out += accepts(out_.bug.nfa, word);
  }
  return out;
}

void Learning::restore(const Kept& kept) {
  pivots_ = kept.pivots, moves_ = kept.moves, freed_ = kept.freed, traces_ = kept.traces, out_ = kept.out;
}

}  // namespace norn
