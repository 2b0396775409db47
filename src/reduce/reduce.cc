#include "reduce/reduce.h"

#include <algorithm>
#include <numeric>

#include "reduce/estimate.h"
#include "reduce/question.h"

namespace norn {
namespace {

constexpr std::uint32_t enough_to_begin =
    2;                                     ///< cold runs that agree: certainty is bought on the short result
constexpr double decisions = 20;           ///< that matter: the error is split over them
constexpr double steering_error = 0.1;     ///< of a no during the search
constexpr std::uint32_t apart = 1U << 21;  ///< numbers of runs that no certificate makes
constexpr double kept_share = 0.8;         ///< of the original's rate: less is not kept (replay/statistics.h)

class Job {
 public:
  Job(Replay& replay, const std::vector<Event>& events, const ReduceOptions& options, std::stop_token stop)
      : replay_(replay),
        events_(events),
        whole_(replay.intern(events)),
        ids_(whole_),
        options_(options),
        stop_(std::move(stop)) {
    like_.watch = options.watch;
    like_.missing = options.missing;
    like_.error = 0.05 / decisions;
    begun_ = replay.spent().device_seconds;
  }

  Result<std::variant<Reduction, NotReproduced>> run() {
    const auto algorithm = algorithm_by_name(options_.algorithm);
    if (!algorithm) return fail(Error::Kind::bad_input, "there is no such algorithm", options_.algorithm);
    NORN_TRY(const bool reproduces, confirm());
    if (!reproduces) return NotReproduced{seen_, seen_.yes.all() + seen_.no.all()};
    out_.original = events_.size();
    note(events_.size());
    if (began_too_sure()) (void)measure();  // a budget that ends here ends the search, too
    work(*algorithm);
    const bool measured = began_too_sure() && measure();
    if (measured || (out_.snapshots_wrong && !out_.stopped)) work(*algorithm);
    out_.snapshots_wrong = out_.snapshots_wrong && out_.original_no.all() == 0;
    return std::move(out_);
  }

 private:
  void work(Algorithm algorithm) {
    drop_what_follows();
    search([&](Question& question) { return algorithm(problem(), question); });
    if (own() && like_.rate < 1) compare_rates();
    finish();
    if (!own() || !out_.weaker || like_.rate < 1) return;
    compare_rates();  // every run of the original did it, so until now there was nothing to compare
    finish();
  }
  void finish() {
    if (own()) polish();
    show_minimal();
    certify();
  }

  bool own() const { return options_.algorithm == "norn"; }

  /// Two cold runs that agree are enough to begin; if they disagree, the rate is what `repeats` others show.
  /// Two that do not do it are not enough to refuse: not if it was seen before, nor while the app has not
  /// shown that it repeats itself.
  Result<bool> confirm() {
    const bool known = options_.recorded || replay_.recall(with(whole_, Sure::once)).verdict == Verdict::yes;
    NORN_TRY(seen_, sample(std::min(enough_to_begin, options_.repeats), 0));
    if (seen_.yes.all() == 0 && ends_at_goal()) {
      NORN_TRY(seen_, sample(std::min(enough_to_begin, options_.repeats), 0));
    }
    take_rate(seen_);
    const bool may_be_flaky = known || seen_.yes.all() > 0 || !replay_.assumed_deterministic();
    if (seen_.no.all() > 0 && may_be_flaky) NORN_CHECK(measure());
    return seen_.yes.all() > 0;
  }
  /// A screen that is wanted may be passed on the way: then the trace ends where it first shows. The runs
  /// just made are remembered, so this asks nothing.
  bool ends_at_goal() {
    if (!std::holds_alternative<ScreenHas>(like_.watch)) return false;
    for (std::size_t length = 1; length < whole_.size(); ++length)
      if (replay_.recall(with(first(length), Sure::once)).verdict == Verdict::yes) {
        whole_.resize(length);
        return true;
      }
    return false;
  }
  std::vector<EventId> first(std::size_t length) const {
    return {whole_.begin(), whole_.begin() + static_cast<std::ptrdiff_t>(length)};
  }
  /// The rate of the original. The first runs were looked at to decide that it must be measured, so they do
  /// not count: two that agreed by chance would make it too high. They do where there is nothing else, and
  /// where they crashed counts always.
  Status measure() {
    NORN_TRY(Outcome fresh, sample(options_.repeats, enough_to_begin));
    const std::size_t before = seen_.yes.all() > 0 ? seen_.used : 0;
    if (fresh.yes.all() == 0) fresh.yes += seen_.yes, fresh.no += seen_.no, fresh.used = before;
    fresh.used = std::max(fresh.used, before);
    seen_ = std::move(fresh);
    take_rate(seen_);
    return {};
  }
  Result<Outcome> sample(std::uint32_t runs, std::uint32_t first) {
    Request whole = with(whole_, Sure::certified);
    whole.repeats = runs, whole.first_repeat = first;
    Outcome seen = replay_.ask(whole, stop_);
    if (seen.verdict == Verdict::unresolved) return std::unexpected(seen.why.value_or(Error{}));
    return seen;
  }
  void take_rate(const Outcome& seen) {
    out_.original_yes = seen.yes, out_.original_no = seen.no;
    like_.rate = out_.original_rate = rate_of(seen);
  }
  static double rate_of(const Outcome& seen) {
    const auto all = seen.yes.all() + seen.no.all();
    return all == 0 ? 0 : seen.yes.all() / static_cast<double>(all);
  }

  /// A rate measured by few runs of a long original may come out too high, and then what is just as good is
  /// refused. The short result was accepted, so its own rate, which is cheap to measure well, says better
  /// what "as good" is; but never less than the original's has by its own runs, with 95 % confidence. True:
  /// the reference is lower now.
  bool rate_came_out_too_high(const Outcome& result) {
    const double before = like_.rate;
    like_.rate = std::clamp(rate_of(result), original_at_least(), before);
    return like_.rate < before;
  }
  double original_at_least() const {
    const auto yes = out_.original_yes.all();
    return rate_at_least(yes, yes + out_.original_no.all());
  }
  /// With the same confidence.
  static double at_most(const Outcome& seen) {
    const auto no = seen.no.all(), all = seen.yes.all() + no;
    return all == 0 ? 1 : 1 - rate_at_least(no, all);
  }

  /// The short result's own runs say whether the reference must be lowered, and whether many tests in a row,
  /// each of which may go either way between the two hypotheses, have led too far down.
  void compare_rates() {
    for (const bool first : {true, false}) {
      const Indices before = best_;
      const auto seen = sample_of(best_, 3 * options_.repeats);
      if (!seen) return;
      if (falls_short(*seen) && at_most(*seen) < original_at_least()) return step_back();
      if (!first || !rate_came_out_too_high(*seen)) return;
      search([&](Question& question) { return minimal_pass(best_, question); });
      if (best_ == before) return;
    }
  }
  bool falls_short(const Outcome& seen) const { return rate_of(seen) < kept_share * out_.original_rate; }

  /// To the shortest of the lists accepted so far that does it as often as what was to be kept.
  void step_back() {
    std::size_t holds = 0, strayed = accepted_.size() - 1;
    while (strayed - holds > 1) {
      const std::size_t middle = holds + (strayed - holds) / 2;
      const auto seen = sample_of(accepted_[middle], options_.repeats);
      if (!seen) break;
      (falls_short(*seen) ? strayed : holds) = middle;
    }
    take(Indices(accepted_[holds]));
    out_.one_minimal = false;
  }
  /// Fresh cold runs that no certificate makes. Nothing: they could not be made.
  std::optional<Outcome> sample_of(const Indices& list, std::uint32_t runs) {
    if (out_.stopped) return std::nullopt;
    Request request = with({}, Sure::certified);
    for (const auto i : list) request.events.push_back(ids_[i]);
    request.repeats = runs, request.first_repeat = apart;
    Outcome seen = replay_.ask(request, stop_);
    stopped_by(seen);
    if (seen.verdict == Verdict::unresolved) return std::nullopt;
    return seen;
  }

  /// Two runs agreed by chance, and the app has shown since, at the earliest by where they crashed and at the
  /// latest by the certificate, that it is not deterministic: what was tested was tested against a rate that
  /// is too high, or by one run. What was executed is remembered.
  bool began_too_sure() const {
    const auto runs = out_.original_yes.all() + out_.original_no.all();
    return runs < options_.repeats && !out_.stopped && replay_.history().agreement().disagreed > 0;
  }

  Request with(std::vector<EventId> events, Sure sure) const {
    Request request = like_;
    request.events = std::move(events);
    request.sure = sure;
    return request;
  }

  /// With the states of the log, where they were asked for, else those in the way the trace usually goes.
  Problem problem() const {
    Problem p{static_cast<std::uint32_t>(ids_.size()), {}};
    if (options_.states.size() >= ids_.size())
      p.states.assign(options_.states.begin(), options_.states.begin() + p.size);
    else
      p.states = received_in(replay_, with(ids_, Sure::once), options_.state);
    return p;
  }

  /// What follows the crash is never needed: wherever it came, nothing that any of the runs needed goes.
  void drop_what_follows() {
    ids_ = whole_;
    if (seen_.yes.all() > 0) ids_.resize(std::clamp<std::size_t>(seen_.used, 1, ids_.size()));
    best_.resize(ids_.size());
    std::iota(best_.begin(), best_.end(), 0U);
    accepted_ = {best_};
    best_from_clean_start_ = true;
  }

  void search(const std::function<Shrunk(Question&)>& reducer) {
    ReplayQuestion question(replay_, ids_, with({}, own() ? Sure::tested : Sure::once), options_.prices,
                            stop_);
    question.abstraction = options_.state;
    if (own()) question.steering_error = steering_error;
    question.from_clean_starts = out_.snapshots_wrong;
    searching_since_ = replay_.spent().makespan_seconds;
    question.on_answer = [&](std::span<const std::uint32_t> kept, const Outcome& answer) {
      ++asked_;
      if (answer.verdict == Verdict::yes && kept.size() < best_.size()) {
        best_.assign(kept.begin(), kept.end());
        accepted_.push_back(best_);
        best_from_clean_start_ = answer.yes.cold > 0;
        out_.steps.emplace_back(seconds(), best_.size());
      }
      tell(kept.size());
    };
    const Shrunk shrunk = reducer(question);
    out_.one_minimal = shrunk.one_minimal;
    out_.stopped = shrunk.stopped;
    take(shrunk.kept);
  }
  void take(Indices list) {
    best_ = std::move(list);
    out_.events.clear();
    for (const auto i : best_) out_.events.push_back({replay_.history().event(ids_[i]), i, {}, {}});
  }

  void polish() {
    Polisher polisher(replay_, with({}, Sure::tested), stop_);
    std::vector<Event> plain = out_.plain_events();
    const bool kept_count = polisher.make_plain(plain);
    for (std::size_t i = 0; kept_count && i < plain.size(); ++i) out_.events[i].event = plain[i];
    if (!options_.amplify || out_.original_rate >= Polisher::loud_enough) return;
    std::vector<Event> louder = out_.plain_events();
    out_.amplified = polisher.amplify(louder, options_.repeats);
    std::vector<Reduction::Kept> with_waits;
    std::size_t next = 0;
    for (const auto& event : louder) {
      const bool old = next < out_.events.size() && out_.events[next].event == event;
      with_waits.push_back(old ? out_.events[next++] : Reduction::Kept{event, std::nullopt, {}, {}});
    }
    out_.events = std::move(with_waits);
  }

  /// What each event is there for: the verdict without it, from memory where the last pass asked it already.
  void show_minimal() {
    const auto ids = replay_.intern(out_.plain_events());
    bool all_no = true;
    out_.by_snapshots = false;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!out_.events[i].from) continue;  // a wait that was put in is there for the rate
      const Outcome without = replay_.ask(with(all_but(ids, i), Sure::tested), stop_);
      out_.events[i].without_yes = without.yes, out_.events[i].without_no = without.no;
      all_no = all_no && without.verdict == Verdict::no;
      if (stopped_by(without)) break;
    }
    out_.one_minimal = all_no && !out_.stopped && no_from_clean_starts(ids);
  }
  static std::vector<EventId> all_but(std::vector<EventId> ids, std::size_t i) {
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i));
    return ids;
  }

  /// Snapshots that bring back another state behind an equal screen make needed what is not. So what only
  /// they have said is asked once more from a clean start: of a long list a sample, so that it costs no more
  /// than the certificate. A yes is a repeat that disagrees: then the work is done again.
  bool no_from_clean_starts(const std::vector<EventId>& ids) {
    const std::vector<std::size_t> warm = known_from_snapshots();
    const std::size_t stride = 1 + (warm.empty() ? 0 : (warm.size() - 1) / std::max(1U, options_.repeats));
    std::vector<Request> requests;
    for (std::size_t i = 0; i < warm.size(); i += stride) {
      requests.push_back(with(all_but(ids, warm[i]), Sure::certified));
      requests.back().repeats = 1;
    }
    const auto outcomes = replay_.ask(requests, Until::all, stop_);
    bool all_no = true;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      Reduction::Kept& kept = out_.events[warm[i * stride]];
      kept.without_yes += outcomes[i].yes, kept.without_no += outcomes[i].no;
      all_no = all_no && outcomes[i].yes.all() == 0;
      if (outcomes[i].yes.all() > 0 && out_.original_no.all() == 0) out_.snapshots_wrong = true;
      stopped_by(outcomes[i]);
    }
    out_.by_snapshots = !known_from_snapshots().empty();
    return all_no && !out_.stopped;
  }
  std::vector<std::size_t> known_from_snapshots() const {
    std::vector<std::size_t> warm;
    for (std::size_t i = 0; i < out_.events.size(); ++i)
      if (const auto& kept = out_.events[i]; kept.from && kept.without_no.cold + kept.without_yes.cold == 0)
        warm.push_back(i);
    return warm;
  }

  void certify() {
    Request final = with(replay_.intern(out_.plain_events()), Sure::certified);
    final.repeats = options_.repeats;
    out_.certificate = replay_.ask(final, stop_);
    const bool never = out_.certificate.yes.all() == 0 && out_.certificate.no.all() > 0;
    out_.snapshots_wrong = out_.snapshots_wrong || (never && !best_from_clean_start_);
    stopped_by(out_.certificate);
    out_.weaker = contradicted();
    out_.one_minimal = out_.one_minimal && !out_.weaker;
    out_.end = out_.certificate.end;
    if (!out_.end) out_.end = replay_.recall(with(final.events, Sure::once)).end;
    note(out_.events.size());
  }

  /// Chance has led the search astray: the result does it less often than anything that was to be kept, and
  /// what happens without an event of it says nothing.
  bool contradicted() const { return at_most(out_.certificate) < kept_share * out_.original_rate; }

  /// Whether the budget or somebody ended it here; a rig that fails does not.
  bool stopped_by(const Outcome& outcome) {
    const bool now = outcome.why && is_spent(*outcome.why);
    out_.stopped = out_.stopped || now;
    return now;
  }

  double seconds() const { return replay_.spent().device_seconds - begun_; }
  void note(std::size_t length) {
    out_.steps.emplace_back(seconds(), length);
    tell(length);
  }
  void tell(std::size_t now) {
    if (!options_.on_progress) return;
    const std::size_t best = best_.empty() ? now : best_.size();
    options_.on_progress({now, best, out_.original_rate, seconds(), left(best)});
  }

  std::optional<double> left(std::size_t best) const {
    const double length = std::min(static_cast<double>(best), usual_size);
    const double cold = options_.prices.restart + options_.prices.event * length;
    return seconds_left({ids_.size(), best, asked_, replay_.spent().makespan_seconds - searching_since_,
                         options_.repeats * cold / std::max(1U, options_.devices)});
  }

  Replay& replay_;
  const std::vector<Event>& events_;
  std::vector<EventId> whole_;  ///< what is measured
  std::vector<EventId> ids_;    ///< of it, what is searched
  const ReduceOptions& options_;
  std::stop_token stop_;
  Request like_;
  Outcome seen_;
  Indices best_;
  std::vector<Indices> accepted_;  ///< each shorter than the one before
  bool best_from_clean_start_ = true;
  Reduction out_;
  double begun_ = 0, searching_since_ = 0;
  std::size_t asked_ = 0;
};

}  // namespace

std::vector<Event> Reduction::plain_events() const {
  std::vector<Event> plain;
  for (const Kept& kept : events) plain.push_back(kept.event);
  return plain;
}

Result<std::variant<Reduction, NotReproduced>> reduce(Replay& replay, const std::vector<Event>& events,
                                                      const ReduceOptions& options, std::stop_token stop) {
  return Job(replay, events, options, std::move(stop)).run();
}

}  // namespace norn
