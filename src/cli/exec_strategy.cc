#include "cli/exec_strategy.h"

#include "base/json_depth.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "formats/json_values.h"

namespace norn::cli {
namespace {

constexpr double patience = 60;  ///< seconds an answer may take
constexpr double glance = 0.2;   ///< seconds between looks whether somebody wants to stop

/// A process that answers a line with a line.
class Oracle {
 public:
  Oracle(std::string command, Process process) : command_(std::move(command)), process_(std::move(process)) {}

  Result<JsonIn> ask(const JsonOut& question) {
    NORN_CHECK(told(process_.write_line(dump_line(question), patience)));
    auto line = read();
    if (!line) return std::unexpected(worded(line.error()));
    NORN_CHECK(check_json_depth(*line, "exec:" + command_));
    auto answer = parse_json(*line, "exec:" + command_);
    if (!answer) return nonsense(*line);
    return answer;
  }
  std::unexpected<Error> nonsense(std::string_view line) const {
    return fail(Error::Kind::bad_input,
                "answered what cannot be understood: " + printable(shorten(line, 120)), "exec:" + command_,
                "docs/explore.md says what a line looks like");
  }

 private:
  /// In short waits: Ctrl-C ends a process that hangs.
  Result<std::string> read() {
    for (double waited = 0;; waited += glance) {
      auto line = process_.read_line(glance);
      if (line || line.error().kind != Error::Kind::timeout || waited >= patience) return line;
      if (interruption().stop_requested()) return fail(Error::Kind::cancelled, "asked to stop");
    }
  }
  Status told(const Status& status) const {
    if (status) return {};
    return std::unexpected(worded(status.error()));
  }
  Error worded(Error error) const {
    if (error.kind == Error::Kind::cancelled) return error;
    error.where = "exec:" + command_;
    error.advice = "run the command by hand and give it a line; what was found so far is kept";
    return error;
  }
  std::string command_;
  Process process_;
};

Result<std::shared_ptr<Oracle>> oracle(const std::string& command) {
  NORN_TRY(Process process, Process::spawn(command));
  return std::make_shared<Oracle>(command, std::move(process));  // shared: std::function must be copyable
}

class ExecStrategy final : public Strategy {
 public:
  ExecStrategy(std::shared_ptr<Oracle> oracle, StrategyContext& context)
      : oracle_(std::move(oracle)), context_(context) {}

  Decision next(const Situation& now) override {
    if (now.crashed) return {Restart{}, "crash"};
    auto answer = oracle_->ask(question(now));
    if (!answer) return gives_up(answer.error());
    const auto says = [&](const char* word) {
      return answer->is_object() && answer->value(word, JsonIn()) == true;
    };
    if (says("restart")) return {Restart{}, "asked for"};
    if (says("stop")) return {Enough{}};
    if (answer->is_number_unsigned() && answer->get<std::size_t>() < possible_.size())
      return {Do{possible_[answer->get<std::size_t>()].event}};
    auto event = event_from(*answer);
    if (!event) return gives_up(oracle_->nonsense(answer->dump()).error());
    return {Do{std::move(*event)}};
  }
  std::optional<Error> trouble() const override { return trouble_; }

 private:
  JsonOut question(const Situation& now) {
    possible_ = context_.possible(now.screen());
    JsonOut events = JsonOut::array();
    for (const Possible& p : possible_) events.push_back(to_json_value(p.event));
    return {{"screen", to_json_value(now.screen())},
            {"possible", std::move(events)},
            {"coverage", context_.covered.count()},
            {"gained", now.gained},
            {"first_visit", now.first_visit},
            {"seconds", now.seconds},
            {"events", now.events}};
  }
  Decision gives_up(Error error) {
    trouble_ = std::move(error);
    return {Enough{}};
  }

  std::shared_ptr<Oracle> oracle_;
  StrategyContext& context_;
  std::vector<Possible> possible_;
  std::optional<Error> trouble_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> exec_strategy(const std::string& command, StrategyContext& context) {
  NORN_TRY(auto process, oracle(command));
  return std::make_unique<ExecStrategy>(std::move(process), context);
}

Result<std::function<Result<bool>(const Situation&)>> exec_interesting(const std::string& command) {
  NORN_TRY(auto process, oracle(command));
  return [process](const Situation& now) -> Result<bool> {
    NORN_TRY(const JsonIn answer, process->ask({{"screen", to_json_value(now.screen())},
                                                {"first_visit", now.first_visit},
                                                {"gained", now.gained}}));
    if (!answer.is_boolean()) return process->nonsense(answer.dump());
    return answer.get<bool>();
  };
}

Result<std::function<Result<std::size_t>(const std::vector<NodeId>&, const History&)>> exec_select(
    const std::string& command) {
  NORN_TRY(auto process, oracle(command));
  return [process](const std::vector<NodeId>& nodes, const History& tree) -> Result<std::size_t> {
    JsonOut states = JsonOut::array();
    for (const NodeId node : nodes)
      states.push_back({{"depth", tree.depth(node)}, {"screen", to_json_value(tree.screen(node))}});
    NORN_TRY(const JsonIn answer, process->ask({{"states", std::move(states)}}));
    if (!answer.is_number_unsigned()) return process->nonsense(answer.dump());
    return answer.get<std::size_t>();
  };
}

}  // namespace norn::cli
