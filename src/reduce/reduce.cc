#include "reduce/reduce.h"

#include <algorithm>
#include <cmath>

#include "reduce/question.h"

namespace norn {
namespace {

constexpr std::uint32_t enough_to_begin =
    2;                                  ///< cold runs that agree: certainty is bought on the short result
constexpr double decisions = 20;        ///< that matter: the error is split over them
constexpr double steering_error = 0.1;  ///< of a no during the search
constexpr double usual_size = 5;        ///< of a result, to tell how long it will take

class Job {
 public:
  Job(Replay& replay, const std::vector<Event>& events, const ReduceOptions& options, std::stop_token stop)
      : replay_(replay),
        events_(events),
        ids_(replay.intern(events)),
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
    work(*algorithm);
    if (began_too_sure() && measure(options_.repeats)) work(*algorithm);
    return std::move(out_);
  }

 private:
  void work(Algorithm algorithm) {
    shorten(algorithm);
    if (options_.algorithm == "norn") polish();
    show_minimal();
    certify();
  }

  /// Two cold runs that agree are enough to begin; if they disagree, up to `repeats`, and the rate is what they show.
  Result<bool> confirm() {
    const bool known = options_.recorded || replay_.recall(with(ids_, Sure::once)).verdict == Verdict::yes;
    NORN_CHECK(measure(std::min(enough_to_begin, options_.repeats)));
    if (seen_.no.all() > 0 && (known || seen_.yes.all() > 0)) NORN_CHECK(measure(options_.repeats));
    return seen_.yes.all() > 0;
  }
  /// The rate of the original, by so many cold runs.
  Status measure(std::uint32_t runs) {
    Request whole = with(ids_, Sure::certified);
    whole.repeats = runs;
    seen_ = replay_.ask(whole, stop_);
    if (seen_.verdict == Verdict::unresolved) return std::unexpected(seen_.why.value_or(Error{}));
    const auto all = seen_.yes.all() + seen_.no.all();
    out_.original_yes = seen_.yes, out_.original_no = seen_.no;
    out_.original_rate = all == 0 ? 0 : seen_.yes.all() / static_cast<double>(all);
    like_.rate = out_.original_rate;
    return {};
  }
  /// Two runs agreed by chance, and the app has shown since, at the latest by the certificate, that it is not deterministic:
  /// what was tested was tested against a rate that is too high, or by one run. What was executed is remembered.
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

  /// The state in which each event is received, in the way the trace usually goes.
  Problem problem() const {
    const auto way = replay_.likely_way(with(ids_, Sure::once));
    Problem p{static_cast<std::uint32_t>(ids_.size()), {}};
    if (options_.states.size() >= ids_.size()) {
      p.states.assign(options_.states.begin(), options_.states.begin() + p.size);
      return p;
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      while (at + 1 < way.size() && way[at + 1].second <= i) ++at;
      p.states.push_back(abstract(replay_.history().screen(way[at].first), options_.state));
    }
    return p;
  }

  void shorten(Algorithm algorithm) {
    const bool own = options_.algorithm == "norn";
    // What follows the crash is never needed.
    const std::size_t used = std::max<std::size_t>(1, std::min(seen_.used, ids_.size()));
    if (seen_.verdict == Verdict::yes) ids_.resize(used);
    ReplayQuestion question(replay_, ids_, with({}, own ? Sure::tested : Sure::once), options_.prices, stop_);
    question.abstraction = options_.state;
    if (own) question.steering_error = steering_error;
    best_.resize(ids_.size());
    for (std::uint32_t i = 0; i < best_.size(); ++i) best_[i] = i;
    searching_since_ = replay_.spent().makespan_seconds;
    question.on_answer = [&](std::span<const std::uint32_t> kept, Verdict verdict) {
      ++asked_;
      if (verdict == Verdict::yes && kept.size() < best_.size()) {
        best_.assign(kept.begin(), kept.end());
        out_.steps.emplace_back(seconds(), best_.size());
      }
      tell(kept.size());
    };
    const Shrunk shrunk = algorithm(problem(), question);
    best_ = shrunk.kept;
    out_.events.clear();
    out_.one_minimal = shrunk.one_minimal;
    out_.stopped = shrunk.stopped;
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
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!out_.events[i].from) continue;  // a wait that was put in is there for the rate
      auto rest = ids;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const Outcome without = replay_.ask(with(rest, Sure::tested), stop_);
      out_.events[i].without_yes = without.yes, out_.events[i].without_no = without.no;
      all_no = all_no && without.verdict == Verdict::no;
      if (stopped_by(without)) break;
    }
    out_.one_minimal = all_no && !out_.stopped;
  }

  void certify() {
    Request final = with(replay_.intern(out_.plain_events()), Sure::certified);
    final.repeats = options_.repeats;
    out_.certificate = replay_.ask(final, stop_);
    stopped_by(out_.certificate);
    out_.end = out_.certificate.end;
    if (!out_.end) out_.end = replay_.recall(with(final.events, Sure::once)).end;
    note(out_.events.size());
  }

  /// Whether the budget or somebody ended it here; a rig that fails does not.
  bool stopped_by(const Outcome& outcome) {
    const bool now = outcome.why && (outcome.why->kind == Error::Kind::budget ||
                                     outcome.why->kind == Error::Kind::cancelled);
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

  /// So many questions as it took to halve the list so far, until the usual size of a result; one for each event that
  /// stays; each as dear as the questions so far were. Then the certificate.
  std::optional<double> left(std::size_t best) const {
    if (asked_ == 0 || best == 0 || best >= ids_.size()) return std::nullopt;
    const auto asked = static_cast<double>(asked_), length = static_cast<double>(best);
    const double halved = std::log2(static_cast<double>(ids_.size()) / length);
    const double still = std::max(0.0, std::log2(length / usual_size));
    const double questions = asked / halved * still + std::min(length, 2 * usual_size);
    const double each = (replay_.spent().makespan_seconds - searching_since_) / asked;
    const double cold = options_.prices.restart + options_.prices.event * std::min(length, usual_size);
    return questions * each + options_.repeats * cold / std::max(1U, options_.devices);
  }

  Replay& replay_;
  const std::vector<Event>& events_;
  std::vector<EventId> ids_;
  const ReduceOptions& options_;
  std::stop_token stop_;
  Request like_;
  Outcome seen_;
  Indices best_;
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
