// TimeMachine: Monkey, with snapshots of interesting states and a return to the most promising one when
// stuck. What is interesting, what is stuck, where to go back to and where events come from are exchangeable
// (TravelOptions).
#include <algorithm>

#include "explore/explore.h"
#include "explore/generator.h"
#include "explore/monkey.h"

namespace norn {
namespace {

class TimeMachine final : public Strategy {
 public:
  explicit TimeMachine(StrategyContext& context)
      : context_(context),
        events_(make_generator(context)),
        system_events_(context.options.seed ^ 0x5157, context.options.activities),
        stuck_(context.options.travel.stuck) {
    if (context_.replay.keep(root())) saved_.push_back({root(), {}});
  }
  /// What is asked after the exploration wants snapshots elsewhere.
  ~TimeMachine() override {
    for (const Saved& saved : saved_) context_.replay.release(saved.node);
  }
  TimeMachine(const TimeMachine&) = delete;
  TimeMachine& operator=(const TimeMachine&) = delete;

  void saw(const Situation& now) override {
    if (is_interesting(now)) {
      context_.graph.interesting(now.state, now.before);
      save(now);
    }
    if (const auto stuck = stuck_.report(now.state, context_.graph)) why_ = name_of(*stuck);
  }

  Decision next(const Situation& now) override {
    if (trouble_) return {Enough{}};
    if (!now.event) note_start(now);
    if (now.crashed) return travel("crash");
    if (!why_.empty()) return travel(std::exchange(why_, {}));
    if (auto back = homing_.back(now.outside())) return {Do{std::move(*back)}};
    if (system_events_.due(now.seconds)) return {Do{system_events_.draw()}};
    return {Do{events_->draw(now)}};
  }

  std::optional<Error> trouble() const override { return trouble_; }

 private:
  struct Saved {
    NodeId node;
    std::optional<StateId> state;
    std::uint32_t restored = 0;
  };
  const TravelOptions& options() const { return context_.options.travel; }
  NodeId root() const { return context_.replay.history().root(); }

  bool is_interesting(const Situation& now) {
    if (now.outside()) return false;
    if (options().interesting_by) {
      const auto answer = options().interesting_by(now);
      if (!answer) trouble_ = answer.error();
      return answer && *answer;
    }
    const bool covers =
        options().interesting == TravelOptions::Interesting::coverage && !context_.covered.empty();
    return now.first_visit && (!covers || now.gained > 0);
  }

  /// The state of the start is known only when the walk stands there.
  void note_start(const Situation& now) {
    stuck_.clear();
    if (now.node == root() && !saved_.empty() && saved_.front().node == root() && !saved_.front().state) {
      saved_.front().state = now.state;
      context_.graph.interesting(now.state, std::nullopt);
    }
  }

  /// A full pool gives up its least promising state.
  void save(const Situation& now) {
    if (!context_.replay.keep(now.node)) {
      if (saved_.size() < 2) return;
      const auto scores = scored();
      const auto least =
          static_cast<std::size_t>(std::min_element(scores.begin() + 1, scores.end()) - scores.begin());
      context_.replay.release(saved_[least].node);
      saved_.erase(saved_.begin() + static_cast<std::ptrdiff_t>(least));
      if (!context_.replay.keep(now.node)) return;
    }
    saved_.push_back({now.node, now.state});
  }

  std::vector<double> scored() const {
    const bool own = options().select == TravelOptions::Select::own;
    const auto around = context_.graph.neighbourhood(own ? 0 : options().steps);
    std::vector<double> out;
    for (const Saved& s : saved_) {
      const auto i = s.state ? context_.graph.find(*s.state) : std::nullopt;
      out.push_back(i ? around[*i] : 0);
    }
    return out;
  }

  Decision travel(std::string why) {
    stuck_.clear();
    if (saved_.empty()) return {Restart{}, std::move(why)};
    std::size_t best = 0;
    if (options().select_by) {
      std::vector<NodeId> nodes;
      for (const Saved& s : saved_) nodes.push_back(s.node);
      const auto answer = options().select_by(nodes, context_.replay.history());
      if (!answer) return trouble_ = answer.error(), Decision{Enough{}};
      best = std::min(*answer, saved_.size() - 1);
    } else {
      const auto scores = scored();
      for (std::size_t i = 1; i < saved_.size(); ++i)
        if (scores[i] > scores[best] ||
            (scores[i] == scores[best] && saved_[i].restored < saved_[best].restored))
          best = i;
    }
    ++saved_[best].restored;
    return {GoTo{saved_[best].node}, std::move(why)};
  }

  StrategyContext& context_;
  std::unique_ptr<Generator> events_;
  SystemEvents system_events_;
  StuckDetector stuck_;
  Homing homing_;
  std::vector<Saved> saved_;
  std::string why_;
  std::optional<Error> trouble_;
};

}  // namespace

std::unique_ptr<Strategy> make_timemachine(StrategyContext& context) {
  return std::make_unique<TimeMachine>(context);
}

}  // namespace norn
