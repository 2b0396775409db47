#include "reduce/reduce.h"

#include <algorithm>

#include "reduce/polish.h"
#include "reduce/question.h"

namespace norn {
namespace {

constexpr std::uint32_t enough_to_begin =
    2;                            ///< cold runs that agree; certainty is bought on the short result
constexpr double decisions = 20;  ///< that matter: the error is split over them

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
    shorten(*algorithm);
    if (options_.algorithm == "norn") {
      polish();
      show_minimal();
    }
    certify();
    return std::move(out_);
  }

 private:
  /// Two cold runs that agree are enough to begin; if they disagree, up to `repeats`, and the rate is what they show.
  Result<bool> confirm() {
    Request whole = like_;
    whole.events = ids_;
    whole.sure = Sure::certified;
    const Request known = with(ids_, Sure::once);
    const bool remembered = replay_.recall(known).verdict == Verdict::yes;
    whole.repeats = std::min(enough_to_begin, options_.repeats);
    seen_ = replay_.ask(whole, stop_);
    if (seen_.verdict == Verdict::unresolved) return std::unexpected(seen_.why.value_or(Error{}));
    const auto all = [&] { return seen_.yes.all() + seen_.no.all(); };
    if (seen_.yes.all() < all() && (remembered || seen_.yes.all() > 0) && options_.repeats > all()) {
      whole.repeats = options_.repeats;
      seen_ = replay_.ask(whole, stop_);
      if (seen_.verdict == Verdict::unresolved) return std::unexpected(seen_.why.value_or(Error{}));
    }
    out_.original_yes = seen_.yes, out_.original_no = seen_.no;
    out_.original_rate = all() == 0 ? 0 : seen_.yes.all() / static_cast<double>(all());
    like_.rate = out_.original_rate;
    return seen_.yes.all() > 0;
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
    best_.resize(ids_.size());
    for (std::uint32_t i = 0; i < best_.size(); ++i) best_[i] = i;
    question.on_yes = [&](std::span<const std::uint32_t> kept, const Outcome&) {
      if (kept.size() >= best_.size()) return;
      best_.assign(kept.begin(), kept.end());
      note(best_.size());
    };
    const Shrunk shrunk = algorithm(problem(), question);
    best_ = shrunk.kept;
    out_.one_minimal = shrunk.one_minimal;
    out_.stopped = shrunk.stopped;
    for (const auto i : best_) out_.events.push_back({replay_.history().event(ids_[i]), i, {}, {}});
  }

  void polish() {
    Polisher polisher(replay_, with({}, Sure::tested), stop_);
    std::vector<Event> plain = out_.plain_events();
    const bool kept_count = polisher.make_plain(plain);
    for (std::size_t i = 0; kept_count && i < plain.size(); ++i) out_.events[i].event = plain[i];
    if (!options_.amplify || out_.original_rate >= 0.95) return;
    const auto louder = polisher.amplify(out_.plain_events(), options_.repeats);
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
      if (stop_.stop_requested()) return;
      auto rest = ids;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const Outcome without = replay_.ask(with(rest, Sure::tested), stop_);
      out_.events[i].without_yes = without.yes, out_.events[i].without_no = without.no;
      all_no = all_no && without.verdict == Verdict::no;
    }
    out_.one_minimal = all_no && !out_.stopped;
  }

  void certify() {
    Request final = with(replay_.intern(out_.plain_events()), Sure::certified);
    final.repeats = options_.repeats;
    out_.certificate = replay_.ask(final, stop_);
    out_.end = out_.certificate.end;
    if (!out_.end) out_.end = replay_.recall(with(final.events, Sure::once)).end;
    note(out_.events.size());
  }

  void note(std::size_t length) {
    const double seconds = replay_.spent().device_seconds - begun_;
    out_.steps.emplace_back(seconds, length);
    if (options_.on_progress) options_.on_progress(length, seconds);
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
  double begun_ = 0;
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
