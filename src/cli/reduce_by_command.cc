#include "cli/reduce_by_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/version.h"
#include "formats/trace_json.h"
#include "shrink/shrink.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A folder of our own that goes away with us.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "norn-reduce.XXXXXX").string();
    if (::mkdtemp(name.data())) folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path file() const { return folder_ / "candidate.jsonl"; }
  bool ok() const { return !folder_.empty(); }

 private:
  fs::path folder_;
};

class CommandQuestion final : public Question {
 public:
  CommandQuestion(const std::vector<Event>& events, const ByCommand& options, Output& out)
      : events_(events), options_(options), out_(out), begun_(Clock::now()) {}

  Verdict ask(const Candidate& candidate) override {
    if (stopped() || !scratch_.ok()) return Verdict::unresolved;
    Trace trace;
    trace.origin = "candidate";
    for (const auto i : candidate.kept) trace.steps.push_back({events_[i], {}});
    if (!write_file(scratch_.file(), write_trace(trace))) return count(Verdict::unresolved, candidate);
    const auto code =
        run_command(options_.command, scratch_.file().string(), options_.timeout, interruption());
    said = code ? fmt::format("exit {}", *code) : code.error().what;
    if (!code) return count(Verdict::unresolved, candidate);
    return count(*code == 0 ? Verdict::yes : *code == 1 ? Verdict::no : Verdict::unresolved, candidate);
  }
  bool stopped() const override { return interruption().stop_requested() || seconds() >= options_.budget; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  Effort effort;
  std::string said;  ///< how the command ended last

 private:
  Verdict count(Verdict verdict, const Candidate& candidate) {
    ++effort.runs;
    effort.events += candidate.kept.size();
    effort.unresolved += verdict == Verdict::unresolved;
    if (verdict == Verdict::yes) best_ = std::min(best_, candidate.kept.size());
    out_.status(fmt::format("{} -> {} events, asked {}, {} runs, {}", events_.size(),
                            std::min(best_, events_.size()), candidate.kept.size(), effort.runs,
                            show_duration(seconds())));
    return verdict;
  }

  const std::vector<Event>& events_;
  const ByCommand& options_;
  Output& out_;
  Clock::time_point begun_;
  Scratch scratch_;
  std::size_t best_ = SIZE_MAX;
};

std::string_view word(Verdict verdict) {
  return verdict == Verdict::yes ? "yes" : verdict == Verdict::no ? "no" : "unresolved";
}

std::vector<Event> picked(const std::vector<Event>& events, const Indices& kept) {
  std::vector<Event> out;
  for (const auto i : kept) out.push_back(events[i]);
  return out;
}

}  // namespace

Result<Exit> reduce_by_command(const NamedTrace& trace, const ByCommand& options, Output& out) {
  const auto algorithm = algorithm_by_name(options.algorithm);
  if (!algorithm) return fail(Error::Kind::bad_input, "there is no such algorithm", options.algorithm);
  CommandQuestion command(trace.events, options, out);
  Remembering question(command);
  Indices whole(trace.events.size());
  for (std::uint32_t i = 0; i < whole.size(); ++i) whole[i] = i;
  const Verdict first = question.ask(Candidate(whole));
  if (first == Verdict::unresolved)
    return fail(
        Error::Kind::device,
        "the command said neither yes (exit 0) nor no (exit 1) to the whole trace, but: " + command.said,
        options.command, "it gets the name of a trace file (docs/trace-format.md) as its last argument");
  const auto made_by = JsonOut{{"norn", version}, {"device", "--test " + options.command}};
  const auto finish = [&](JsonOut json) {
    command.effort.wall_seconds = command.seconds();
    command.effort.from_memory = question.from_memory();
    json["made_by"] = made_by;
    json["effort"] = effort_json(command.effort);
    out.object(dump_line(json));
  };
  if (first == Verdict::no) {
    out.line(trace.name + ": the command says no to the whole trace");
    finish({{"trace", nullptr}, {"from", trace.events.size()}, {"reproduced", {0, 1}}});
    return Exit::bad_news;
  }
  Shrunk shrunk = (*algorithm)({static_cast<std::uint32_t>(trace.events.size()), trace.logged}, question);
  if (!shrunk.stopped && shrunk.without.size() != shrunk.kept.size())
    shrunk = minimal_pass(shrunk.kept, question);
  std::uint32_t yes = 0, all = 0;
  for (std::uint64_t i = 0; i < options.repeats && !command.stopped(); ++i) {
    const Verdict again = command.ask(Candidate(shrunk.kept));
    yes += again == Verdict::yes;
    all += again != Verdict::unresolved;
  }
  const auto events = picked(trace.events, shrunk.kept);
  for (std::size_t i = 0; i < events.size(); ++i) {
    std::string line = fmt::format("{:3}  {}", i + 1, describe(events[i]));
    if (options.explain)
      line =
          fmt::format("{:<56} without it: {}  (event {} of the original)", line,
                      i < shrunk.without.size() ? word(shrunk.without[i]) : "not asked", shrunk.kept[i] + 1);
    out.line(line);
  }
  const double low = all == 0 ? 0 : rate_at_least(yes, all);
  out.line(
      fmt::format("{} -> {} events{}; yes {} of {} times, rate >= {:.2f} (95 %, one-sided Clopper-Pearson); "
                  "{} runs, {} unresolved",
                  trace.events.size(), events.size(), shrunk.one_minimal ? ", none can be left out" : "", yes,
                  all, low, command.effort.runs, command.effort.unresolved));
  if (!options.out_file.empty()) {
    Trace result;
    result.origin = "reduced from " + trace.name;
    for (const Event& event : events) result.steps.push_back({event, {}});
    NORN_CHECK(write_file(options.out_file, write_trace(result)));
    out.line("wrote " + options.out_file);
  }
  const bool stopped = shrunk.stopped || command.stopped();
  if (stopped)
    out.warning(
        "stopped early, and answers of a command are not kept: write the result with --out and reduce that");
  JsonOut kept = JsonOut::array();
  for (const auto i : shrunk.kept) kept.push_back(i + 1);
  finish({{"trace", options.out_file.empty() ? JsonOut(nullptr) : JsonOut(options.out_file)},
          {"from", trace.events.size()},
          {"to", events.size()},
          {"events", events_json(events)},
          {"kept", kept},
          {"one_minimal", shrunk.one_minimal},
          {"reproduced", {yes, all}},
          {"rate_low", low},
          {"algo", options.algorithm},
          {"stopped", stopped}});
  if (stopped) return interruption().stop_requested() ? Exit::interrupted : Exit::inconclusive;
  return yes > 0 ? Exit::done : Exit::bad_news;
}

}  // namespace norn::cli
