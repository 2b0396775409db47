// The asking loop. Read the tree's counts; sure enough? answer; else one more run through the rig, which
// appends to the tree; again. Memory and confirmation are this one loop, not layers.
//
// In a batch several devices work at once. In virtual time runs are assigned in the order of the requests to
// the device that is free first, and a request above the lowest yes is run only if a device would have begun
// it before the answer was known: what a pool of real devices does, decided by the devices' clocks. Devices
// that take real time are really driven side by side, a thread each, and what lies above the lowest yes is
// called off. Verdicts do not depend on any of it while the app is deterministic; once repeats have
// disagreed, only certificates, which rest on nothing but their own fresh runs, are made at once: the other
// questions are taken in order, nothing is run ahead, and what is tested is decided by cold runs, so that
// chance cannot make results differ with the number of devices.
#include "replay/replay.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>

#include "base/hash.h"
#include "replay/at_once.h"
#include "replay/evidence.h"
#include "replay/fleet.h"
#include "replay/statistics.h"

namespace norn {
namespace {

constexpr std::uint64_t repeats_for_trust = 30;
constexpr std::uint32_t max_not_staged =
    10;                               ///< so often may the way to the stage fail before a request is given up
constexpr int max_walk_failures = 5;  ///< rig failures in a row before a walk is given up
constexpr std::size_t looked_ahead = 64;  ///< requests of a batch that snapshots are placed for

using Clock = std::chrono::steady_clock;

/// What was seen while answering one request.
struct Tally {
  Counts yes{}, no{};
  std::uint32_t not_staged = 0;
  double finished = 0;  ///< on the timeline
  double seconds = 0;
  NodeId end{};
  std::size_t used = 0;
  std::optional<std::size_t> diverged{};
  std::optional<Ending> a_no{};

  std::uint32_t all() const { return yes.all() + no.all(); }
  /// Does a run speak for the whole? Of those that said yes the longest does: a crash that comes now here, now
  /// there needs all that was done before the last of them.
  bool speaks(bool said_yes, std::size_t took) const {
    return said_yes ? yes.all() == 0 || took >= used : yes.all() == 0;
  }
  /// A run that began when this tally did.
  void add(const Tally& run) {
    if (run.all() > 0 && speaks(run.yes.all() > 0, run.used))
      end = run.end, used = run.used, diverged = run.diverged;
    if (run.a_no) a_no = run.a_no;
    yes += run.yes, no += run.no;
    not_staged += run.not_staged;
    finished = std::max(finished, run.finished);
    seconds += run.seconds;
  }
};

}  // namespace

struct Replay::State {
  explicit State(std::unique_ptr<Fleet> f) : fleet(std::move(f)) {
    for (const NodeId first : tree().children(tree().root())) earlier_runs += tree().counts(first).cold;
  }

  std::unique_ptr<Fleet> fleet;
  /// Clean starts in the tree when the service began. Certificates draw their chance from it too: what is
  /// asked again tomorrow gets other runs, which the tree can count as further evidence.
  std::uint64_t earlier_runs = 0;
  std::recursive_mutex mutex;
  Effort counted;  ///< what the rigs do not know: from_memory, unresolved, wall seconds
  Clock::time_point begun = Clock::now();

  const History& tree() const { return fleet->recorder().tree(); }
  bool deterministic() const {
    const auto agreement = tree().agreement();
    return agreement.disagreed == 0 && agreement.repeats >= repeats_for_trust;
  }
  bool flaky() const { return tree().agreement().disagreed > 0; }
  /// How many threads drive devices at once.
  std::size_t lanes() const { return fleet->virtual_time() ? 1 : fleet->devices(); }

  /// Enough runs for the sureness asked for?
  std::optional<Verdict> decided(const Request& request, Counts yes, Counts no) const {
    if (yes.all() + no.all() == 0) return std::nullopt;
    if (request.sure == Sure::once || deterministic()) return yes.all() > 0 ? Verdict::yes : Verdict::no;
    const auto test = sequential_test(yes.all(), yes.all() + no.all(), request.rate, request.error);
    if (!test) return std::nullopt;
    return *test ? Verdict::yes : Verdict::no;
  }

  Nonce nonce(const Query& query, std::uint64_t repeat) const {
    return Hasher().add(fleet->options().seed).add(query.hash).add(repeat).finish() | 1;
  }

  /// One run; adds to the tally. Error: the rig failed for good, or the budget is spent.
  Status run(const Query& query, const Evidence& known, Nonce chance, bool cold, Tally& tally,
             std::stop_token stop) const {
    ListChooser list(tree(), query, known);
    const Journey journey{query.request.from, known.likely, chance, cold, tally.finished};
    NORN_TRY(const Drive drive, fleet->rig().drive(journey, list, {}, stop));
    tally.finished = drive.finished;
    tally.seconds += drive.seconds;
    if (!drive.staged) {
      ++tally.not_staged;
      return {};
    }
    const auto verdict = list.verdict();  // none: the limit was reached, maybe before the list was asked
    if (!verdict) return fail(Error::Kind::budget, "the budget is spent", {}, "give more with --budget");
    if (tally.speaks(*verdict, list.used())) {
      tally.end = drive.end;
      tally.used = list.used();
      tally.diverged = list.diverged();
    }
    if (!*verdict) tally.a_no = Ending{drive.end, list.used(), list.diverged()};
    Counts& side = *verdict ? tally.yes : tally.no;
    ++(drive.heat == Heat::cold ? side.cold : side.warm);
    return {};
  }

  static Outcome unresolved(const Tally& tally, Error why) {
    Outcome out{.yes = tally.yes, .no = tally.no, .not_staged = tally.not_staged};
    out.a_no = tally.a_no, out.why = std::move(why);
    out.seconds = tally.seconds;
    return out;
  }

  static Outcome never_staged(const Tally& tally) {
    return unresolved(tally, {Error::Kind::device, "the place to start from was not reached again", {}, {}});
  }

  static Outcome answered(Verdict verdict, const Tally& tally) {
    Outcome out{.verdict = verdict, .yes = tally.yes, .no = tally.no, .not_staged = tally.not_staged};
    out.end = tally.end, out.used = tally.used, out.diverged = tally.diverged, out.a_no = tally.a_no;
    out.seconds = tally.seconds;
    return out;
  }

  /// The answer the tree gives, if it is sure enough.
  std::optional<Outcome> remembered(const Request& request, const Evidence& known) const {
    const auto verdict = decided(request, known.yes, known.no);
    if (!verdict) return std::nullopt;
    const bool yes = *verdict == Verdict::yes;
    Outcome out{.verdict = *verdict, .yes = known.yes, .no = known.no};
    out.end = yes ? known.yes_end : known.no_end;
    out.used = yes ? known.yes_used : known.no_used;
    if (!yes) out.diverged = known.diverged;
    return out;
  }

  Outcome certify(const Query& query, Tally& tally, std::stop_token stop) const {
    const Evidence known = gather(tree(), query);
    const std::uint32_t repeats = query.request.repeats;
    if (repeats == 0)
      return unresolved(tally, {Error::Kind::bad_input, "a certificate wants one run at least", {}, {}});
    std::vector<Tally> runs(repeats, Tally{.finished = tally.finished});  // each may begin at once
    std::vector<Status> done(repeats);
    std::atomic<bool> failed = false;
    const auto may_begin = [&](std::size_t) { return !failed; };
    at_once(lanes(), repeats, may_begin, [&](std::size_t i) {
      const std::uint64_t number = Hasher().add(earlier_runs).add(query.request.first_repeat + i).finish();
      const Nonce chance = nonce(query, number);
      done[i] = run(query, known, chance, true, runs[i], stop);
      if (!done[i]) failed = true;
    });
    for (const Tally& one : runs) tally.add(one);
    for (const Status& status : done)
      if (!status) return unresolved(tally, status.error());
    if (tally.all() == 0) return never_staged(tally);
    const double seen = tally.yes.all() / static_cast<double>(tally.all());
    const double middle = (accept_share + reject_share) / 2 * query.request.rate;
    return answered(seen >= middle ? Verdict::yes : Verdict::no, tally);
  }

  Outcome answer(const Query& query, Tally& tally, std::stop_token stop) const {
    const Request& request = query.request;
    if (request.sure == Sure::certified) return certify(query, tally, stop);
    const bool memory = fleet->options().memory;
    for (bool fresh = false;; fresh = true) {
      const Evidence known = gather(tree(), query);
      auto from_tree = memory ? remembered(request, known) : std::nullopt;
      if (from_tree) {
        from_tree->from_memory = !fresh;
        from_tree->not_staged = tally.not_staged;
        from_tree->seconds = tally.seconds;
        return *from_tree;
      }
      if (const auto verdict = decided(request, tally.yes, tally.no)) return answered(*verdict, tally);
      if (stop.stop_requested()) return unresolved(tally, {Error::Kind::cancelled, "asked to stop", {}, {}});
      if (tally.not_staged >= max_not_staged) return never_staged(tally);
      const std::uint64_t repeat = std::max(known.yes.all() + known.no.all(), tally.all()) + tally.not_staged;
      const bool cold = flaky() && request.sure == Sure::tested;
      if (auto status = run(query, known, nonce(query, repeat), cold, tally, stop); !status)
        return unresolved(tally, status.error());
    }
  }

  /// The places where the coming runs of a batch leave the known tree, as hints for the planner: each device
  /// will make its share of those runs. Where the asker gave hints, those stand, and of runs that the lowest
  /// yes may call off nothing is known.
  class Ahead {
   public:
    Ahead(State& state, std::span<const Request> requests, Until until)
        : state_(state),
          requests_(requests),
          on_(requests.size() > 1 && until == Until::all && state.fleet->wishes().hints().empty()) {}
    Ahead(const Ahead&) = delete;
    Ahead& operator=(const Ahead&) = delete;
    ~Ahead() {
      if (on_) state_.fleet->wishes().hint({});
    }
    /// All before this one are under way. While it is not known that the app does the same every time, runs are
    /// not to hang on one snapshot: what went another way by chance before it would go so in all of them.
    void begin(std::size_t next) {
      if (!on_) return;
      if (!state_.deterministic()) return state_.fleet->wishes().hint({});
      while (!starts_.empty() && first_ < next) leave(starts_.front()), starts_.pop_front(), ++first_;
      first_ = std::max(first_, next);
      while (first_ + starts_.size() < std::min(requests_.size(), next + looked_ahead))
        come(start_of(requests_[first_ + starts_.size()]));
      std::vector<Hint> hints;
      for (const auto& [node, runs] : runs_)
        hints.push_back({node, static_cast<double>(runs) / static_cast<double>(state_.fleet->devices())});
      state_.fleet->wishes().hint(hints);
    }

   private:
    /// None: no device will be asked, or it begins cold.
    NodeId start_of(const Request& request) const {
      if (request.sure == Sure::certified) return {};
      const Evidence known = gather(state_.tree(), Query(state_.tree(), request));
      const bool answered = state_.fleet->options().memory && state_.remembered(request, known);
      return answered || known.likely.empty() ? NodeId{} : known.likely.back();
    }
    void come(NodeId start) {
      starts_.push_back(start);
      if (start) ++runs_[start];
    }
    void leave(NodeId start) {
      if (start && --runs_[start] == 0) runs_.erase(start);
    }

    State& state_;
    std::span<const Request> requests_;
    bool on_;
    std::size_t first_ = 0;      ///< request of the first of starts_
    std::deque<NodeId> starts_;  ///< by request
    std::map<NodeId, std::uint32_t> runs_;
  };

  /// A batch while it is being answered.
  struct Batch {
    std::span<const Request> requests;
    Until until;
    std::vector<Outcome> outcomes;
    std::vector<double> finished;
    double begin = 0;

    bool wins(std::size_t i) const {
      return until == Until::lowest_yes && outcomes[i].verdict == Verdict::yes;
    }
  };

  /// Side by side, as long as the order does not matter; the first that was not begun.
  std::size_t race(Batch& batch, std::stop_token stop) const {
    LowestYes best(batch.requests.size(), stop);
    const auto may_begin = [&](std::size_t i) {
      return best.wanted(i) && (!flaky() || batch.requests[i].sure == Sure::certified);
    };
    return at_once(lanes(), batch.requests.size(), may_begin, [&](std::size_t i) {
      Tally tally{.finished = batch.begin};
      Outcome outcome = answer(Query(tree(), batch.requests[i]), tally, best.token(i));
      batch.finished[i] = tally.finished;
      if (outcome.verdict != Verdict::unresolved || best.wanted(i)) batch.outcomes[i] = std::move(outcome);
      if (batch.wins(i)) best.found(i);
    });
  }

  /// See the head of this file.
  std::vector<Outcome> batch(std::span<const Request> requests, Until until, std::stop_token stop) {
    Rig& rig = fleet->rig();
    Batch batch{requests, until, std::vector<Outcome>(requests.size()), std::vector<double>(requests.size()),
                rig.free_at()};
    double known_at = batch.begin;
    bool found = false;
    Ahead ahead(*this, requests, until);
    ahead.begin(0);
    const std::size_t raced = lanes() > 1 ? race(batch, stop) : 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (i >= raced) {
        if (found && (lanes() > 1 || flaky() || rig.free_at() >= known_at)) break;
        ahead.begin(i + 1);
        Tally tally{.finished = flaky() && until == Until::lowest_yes ? known_at : batch.begin};
        batch.outcomes[i] = answer(Query(tree(), requests[i]), tally, stop);
        batch.finished[i] = tally.finished;
      }
      if (found) continue;
      known_at = std::max(known_at, batch.finished[i]);
      found = batch.wins(i);
    }
    rig.idle_until(known_at);
    for (const Outcome& outcome : batch.outcomes) {
      counted.from_memory += outcome.from_memory ? 1 : 0;
      counted.unresolved += outcome.why ? 1 : 0;
    }
    return std::move(batch.outcomes);
  }
};

Replay::Replay(std::unique_ptr<Fleet> fleet) : state_(std::make_unique<State>(std::move(fleet))) {}
Replay::~Replay() = default;

EventId Replay::intern(const Event& event) {
  const std::scoped_lock lock(state_->mutex);
  return state_->fleet->recorder().intern(event);
}

std::vector<EventId> Replay::intern(std::span<const Event> events) {
  std::vector<EventId> ids;
  ids.reserve(events.size());
  for (const Event& event : events) ids.push_back(intern(event));
  return ids;
}

std::vector<Outcome> Replay::ask(std::span<const Request> requests, Until until, std::stop_token stop) {
  const std::scoped_lock lock(state_->mutex);
  return state_->batch(requests, until, stop);
}

Outcome Replay::ask(const Request& request, std::stop_token stop) {
  return ask(std::span(&request, 1), Until::all, stop)[0];
}

namespace {

/// Remembers where a walk stands, so that it can go on after the rig failed.
class Resuming final : public Chooser {
 public:
  explicit Resuming(Chooser& inner, NodeId from) : inner_(inner), at_(from) {}
  Choice next(const Place& here) override {
    if (!here.crashed) at_ = here.node;
    return inner_.next(total(here));
  }
  void saw(const Place& here, const Appended& what) override {
    failures = 0;
    if (!here.crashed) at_ = here.node;
    seconds_now_ = here.seconds, events_now_ = here.events;
    inner_.saw(total(here), what);
  }
  NodeId at() const { return at_; }
  void lost() {
    seconds += seconds_now_, events += events_now_, seconds_now_ = 0, events_now_ = 0, ++failures;
  }

  int failures = 0;
  double seconds = 0;  ///< of the drives that failed
  std::uint64_t events = 0;

 private:
  Place total(Place here) const {
    here.seconds += seconds, here.events += events;
    return here;
  }
  Chooser& inner_;
  NodeId at_;
  double seconds_now_ = 0;
  std::uint64_t events_now_ = 0;
};

}  // namespace

Result<NodeId> Replay::walk(NodeId from, Chooser& chooser, Limits limits, std::stop_token stop) {
  const std::scoped_lock lock(state_->mutex);
  Resuming resuming(chooser, from);
  for (std::uint64_t part = 0;; ++part) {
    Limits left = limits;
    left.seconds -= resuming.seconds;
    left.events -= std::min(left.events, resuming.events);
    const Nonce nonce = Hasher().add(state_->fleet->options().seed).add(0x77616c6bULL).add(part).finish() | 1;
    auto drive = state_->fleet->rig().drive({.from = resuming.at(), .nonce = nonce}, resuming, left, stop);
    if (drive) return drive->end;
    ++state_->counted.unresolved;
    resuming.lost();
    if (!rig_failed(drive.error()) || resuming.failures > max_walk_failures)
      return std::unexpected(drive.error());
  }
}

Outcome Replay::recall(const Request& request) const {
  return state_->remembered(request, gather(state_->tree(), Query(state_->tree(), request)))
      .value_or(Outcome{});
}

std::vector<std::pair<NodeId, std::size_t>> Replay::likely_way(const Request& request) const {
  const Evidence known = gather(state_->tree(), Query(state_->tree(), request));
  std::vector<std::pair<NodeId, std::size_t>> way;
  for (std::size_t i = 0; i < known.likely.size(); ++i) way.emplace_back(known.likely[i], known.taken[i]);
  return way;
}

void Replay::will_use(std::span<const Hint> hints) { state_->fleet->wishes().hint(hints); }

Status Replay::keep(NodeId node) {
  if (state_->fleet->wishes().pins().size() >= state_->fleet->options().snapshots.number)
    return fail(Error::Kind::busy, "every snapshot the budget allows is pinned already", {},
                "release one, or raise --snapshots");
  state_->fleet->wishes().pin(node);
  return {};
}
void Replay::release(NodeId node) { state_->fleet->wishes().unpin(node); }

const History& Replay::history() const { return state_->tree(); }

Effort Replay::spent() const {
  const std::scoped_lock lock(state_->mutex);
  Effort effort = state_->fleet->rig().spent();
  effort.from_memory = state_->counted.from_memory;
  effort.unresolved = state_->counted.unresolved;
  effort.wall_seconds = std::chrono::duration<double>(Clock::now() - state_->begun).count();
  return effort;
}

double Replay::left() const {
  const std::scoped_lock lock(state_->mutex);
  return lost() ? 0 : state_->fleet->options().budget - state_->fleet->rig().free_at();
}
std::optional<Error> Replay::lost() const { return state_->fleet->rig().lost(); }
bool Replay::assumed_deterministic() const { return state_->deterministic(); }

}  // namespace norn
