#include "diagnose/learn/strange_trace.h"

#include "gui/target.h"
#include "model/role.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

/// Is the same crash reached by this part of the run, and is it still strange?
class StrangeQuestion final : public Question {
 public:
  StrangeQuestion(Replay& replay, std::vector<EventId> events, SameCrash crash,
                  const std::function<bool(NodeId)>& strange, double until, std::stop_token stop)
      : replay_(replay),
        events_(std::move(events)),
        crash_(crash),
        strange_(strange),
        until_(until),
        stop_(std::move(stop)) {}

  Verdict ask(const Candidate& candidate) override {
    if (stopped()) return Verdict::unresolved;
    Request request{.watch = crash_, .missing = Missing::skip};
    for (const std::uint32_t place : candidate.kept) request.events.push_back(events_[place]);
    const Outcome outcome = replay_.ask(request, stop_);
    if (outcome.why && outcome.verdict == Verdict::unresolved) last_error_ = *outcome.why;
    if (outcome.verdict != Verdict::yes) return outcome.verdict;
    if (!strange_(outcome.end)) return Verdict::no;
    if (!best_ || replay_.history().depth(outcome.end) <= replay_.history().depth(*best_))
      best_ = outcome.end;
    return Verdict::yes;
  }
  bool stopped() const override {
    return stop_.stop_requested() || replay_.spent().device_seconds > until_ || replay_.left() <= 0;
  }

  std::optional<NodeId> best() const { return best_; }
  const std::optional<Error>& error() const { return last_error_; }

 private:
  Replay& replay_;
  std::vector<EventId> events_;
  SameCrash crash_;
  const std::function<bool(NodeId)>& strange_;
  double until_;
  std::stop_token stop_;
  std::optional<NodeId> best_;
  std::optional<Error> last_error_;
};

}  // namespace

Event on_widget(const Performed& step) {
  Event event = step.event;
  Target* target = target_of(event);
  // Where a drag begins and ends is what it does: a widget alone does not say it.
  if (target == nullptr || !target->empty() || std::holds_alternative<Drag>(event)) return event;
  if (const auto widget = receiver_of(event, *step.before)) *target = make_target(*step.before, *widget);
  return event;
}

std::vector<Performed> run_to(const History& tree, NodeId end) {
  std::vector<Performed> out;
  for (const NodeId node : tree.path(end))
    out.push_back({tree.event(tree.event_id(node)), &tree.screen(tree.parent(node))});
  return out;
}

Result<std::optional<NodeId>> shorten_strange(Replay& replay, NodeId end,
                                              const std::function<bool(NodeId)>& strange, double seconds,
                                              std::stop_token stop) {
  const SameCrash crash{signature(*replay.history().crash(end), Sameness::frames), Sameness::frames};
  const double until = replay.spent().device_seconds + seconds;
  // A widget is found again where a point is not; but where on a canvas it was touched only the point says.
  for (const bool widgets : {true, false}) {
    std::vector<Event> events;
    for (const Performed& step : run_to(replay.history(), end))
      events.push_back(widgets ? on_widget(step) : step.event);
    StrangeQuestion asker(replay, replay.intern(events), crash, strange, until, stop);
    Remembering question(asker);
    Indices all(events.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    if (question.ask(Candidate(all)) == Verdict::yes) {
      (void)norn_reducer({static_cast<std::uint32_t>(events.size()), {}}, question);
      return asker.best();
    }
    if (asker.error()) return std::unexpected(*asker.error());
  }
  return std::optional<NodeId>();
}

}  // namespace norn
