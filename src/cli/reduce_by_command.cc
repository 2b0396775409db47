#include "cli/reduce_by_command.h"

#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <numeric>

#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/scratch.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/kept_answers.h"
#include "cli/version.h"
#include "formats/trace_json.h"
#include "reduce/estimate.h"
#include "replay/at_once.h"
#include "shrink/shrink.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string text_of(const std::vector<Event>& events, std::span<const std::uint32_t> kept,
                    const std::string& origin) {
  Trace trace;
  trace.origin = origin;
  for (const auto i : kept) trace.steps.push_back({events[i], {}});
  return write_trace(trace);
}

class CommandQuestion final : public Question {
 public:
  CommandQuestion(const std::vector<Event>& events, const ByCommand& options, Output& out)
      : kept(options.answers, options.command),
        events_(events),
        options_(options),
        out_(out),
        begun_(Clock::now()),
        best_(events.size()) {}

  Verdict ask(const Candidate& candidate) override { return answer(candidate.kept, true, 0, interruption()); }

  /// As many at once as there are jobs; what lies above a yes is called off, and the answers are those of one
  /// job.
  std::vector<Verdict> ask_in_order(Batch& batch) override {
    std::vector<Verdict> answers;
    for (bool more = true; more && !stopped();) {
      std::vector<Indices> lists;
      while (lists.size() < options_.jobs) {
        const auto candidate = batch.next();
        more = candidate.has_value();
        if (!more) break;
        lists.emplace_back(candidate->kept.begin(), candidate->kept.end());
      }
      for (const Verdict verdict : side_by_side(lists)) {
        answers.push_back(verdict);
        if (verdict == Verdict::yes) return answers;
      }
    }
    return answers;
  }

  /// So many fresh answers to the same list.
  std::vector<Verdict> certify(const Indices& list) {
    std::vector<Verdict> given(options_.repeats, Verdict::unresolved);
    at_once(
        options_.jobs, given.size(), [&](std::size_t) { return !stopped(); },
        [&](std::size_t i) { given[i] = answer(list, false, i, interruption()); });
    return given;
  }
  /// Never from memory: what the command says now about the whole trace.
  Verdict ask_afresh(const Indices& list) { return answer(list, false, 0, interruption()); }

  bool stopped() const override { return interruption().stop_requested() || seconds() >= options_.budget; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  KeptAnswers kept;
  Effort effort;
  std::string said;      ///< how the command ended last
  bool forgets = false;  ///< an answer could not be written

 private:
  std::vector<Verdict> side_by_side(const std::vector<Indices>& lists) {
    std::vector<Verdict> given(lists.size(), Verdict::unresolved);
    LowestYes best(lists.size(), interruption());
    at_once(
        options_.jobs, lists.size(), [&](std::size_t i) { return best.wanted(i); },
        [&](std::size_t i) {
          given[i] = answer(lists[i], true, i, best.token(i));
          if (given[i] == Verdict::yes) best.found(i);
        });
    return given;
  }

  Verdict answer(std::span<const std::uint32_t> list, bool may_recall, std::size_t lane,
                 std::stop_token stop) {
    if (stopped() || !scratch_.ok()) return Verdict::unresolved;
    const std::string text = text_of(events_, list, "candidate");
    const std::uint64_t key = hash_bytes(text);
    const auto known = may_recall ? kept.recall(key) : std::nullopt;
    if (known) return count(*known, list.size(), {});
    if (!write_file(file(lane), text)) return count(Verdict::unresolved, list.size(), "no file");
    const auto code = run_command(options_.command, file(lane).string(), options_.timeout, stop);
    if (!code && code.error().kind == Error::Kind::cancelled) return Verdict::unresolved;
    std::error_code ignored;
    fs::remove(file(lane), ignored);
    const Verdict verdict = code && *code == 0   ? Verdict::yes
                            : code && *code == 1 ? Verdict::no
                                                 : Verdict::unresolved;
    const bool written = kept.keep(key, verdict);
    return count(verdict, list.size(), code ? fmt::format("exit {}", *code) : code.error().what, written);
  }

  /// `how` the command ended; empty: it was not run.
  Verdict count(Verdict verdict, std::size_t length, const std::string& how, bool written = true) {
    const std::scoped_lock lock(mutex_);
    ++asked_;
    if (how.empty()) {
      ++effort.from_memory;
    } else {
      ++effort.runs;
      effort.events += length;
      effort.unresolved += verdict == Verdict::unresolved;
      said = how;
    }
    forgets = forgets || !written;
    if (verdict == Verdict::yes) best_ = std::min(best_, length);
    out_.status(live_line(length));
    return verdict;
  }

  /// A name for each command that runs at the same time.
  fs::path file(std::size_t lane) const { return scratch_.folder() / fmt::format("candidate{}.jsonl", lane); }

  std::string live_line(std::size_t now) const {
    const double each = effort.runs == 0 ? 0 : seconds() / static_cast<double>(effort.runs);
    const auto left = seconds_left(
        {events_.size(), best_, asked_, seconds(), static_cast<double>(options_.repeats) * each});
    return fmt::format("{} -> {} events, asked {}, {} runs, {}{}", events_.size(), best_, now, effort.runs,
                       show_duration(seconds()),
                       left ? fmt::format(", about {} left", show_duration(*left)) : "");
  }

  const std::vector<Event>& events_;
  const ByCommand& options_;
  Output& out_;
  Clock::time_point begun_;
  Scratch scratch_;
  std::mutex mutex_;
  std::size_t best_, asked_ = 0;
};

std::string_view word(Verdict verdict) {
  return verdict == Verdict::yes ? "yes" : verdict == Verdict::no ? "no" : "unresolved";
}

class Job {
 public:
  Job(const NamedTrace& trace, const ByCommand& options, Output& out)
      : trace_(trace),
        options_(options),
        out_(out),
        command_(trace.events, options, out),
        question_(command_) {}

  Result<Exit> run(Algorithm algorithm) {
    if (command_.kept.size() > 0 && !out_.quiet)
      out_.status(fmt::format("{} answers of this command remembered in {}", command_.kept.size(),
                              command_.kept.file().string()));
    Indices whole(trace_.events.size());
    std::iota(whole.begin(), whole.end(), 0U);
    const Verdict first = command_.ask_afresh(whole);
    if (first == Verdict::unresolved && command_.stopped()) return stopped_before();
    if (first == Verdict::unresolved) return neither();
    if (first == Verdict::no) return refuse();
    shorten(algorithm);
    for (const Verdict again : command_.certify(shrunk_.kept)) {
      yes_ += again == Verdict::yes;
      all_ += again != Verdict::unresolved;
    }
    stopped_ = shrunk_.stopped || command_.stopped();
    command_.effort.from_memory += question_.from_memory();
    say();
    NORN_CHECK(write());
    warn();
    give(json());
    if (stopped_) return interruption().stop_requested() ? Exit::interrupted : Exit::inconclusive;
    return yes_ > 0 ? Exit::done : Exit::bad_news;
  }

 private:
  void shorten(Algorithm algorithm) {
    shrunk_ = algorithm({static_cast<std::uint32_t>(trace_.events.size()), trace_.logged}, question_);
    if (!shrunk_.stopped && shrunk_.without.size() != shrunk_.kept.size())
      shrunk_ = minimal_pass(shrunk_.kept, question_);
    for (const auto i : shrunk_.kept) events_.push_back(trace_.events[i]);
  }

  Result<Exit> neither() const {
    return fail(
        Error::Kind::device,
        "the command said neither yes (exit 0) nor no (exit 1) to the whole trace, but: " + command_.said,
        options_.command, "it gets the name of a trace file (docs/trace-format.md) as its last argument");
  }
  Result<Exit> stopped_before() {
    const std::string why = "stopped before the command had answered once";
    out_.warning(why);
    give({{"trace", nullptr},
          {"from", trace_.events.size()},
          {"reproduced", {0, 0}},
          {"why", why},
          {"stopped", true}});
    return interruption().stop_requested() ? Exit::interrupted : Exit::inconclusive;
  }
  Result<Exit> refuse() {
    const std::string why = trace_.name + ": the command says no to the whole trace";
    out_.line(why);
    give({{"trace", nullptr}, {"from", trace_.events.size()}, {"reproduced", {0, 1}}, {"why", why}});
    return Exit::bad_news;
  }

  void say() {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      std::string line = fmt::format("{:3}  {}", i + 1, describe(events_[i]));
      if (options_.explain)
        line = fmt::format("{:<56} without it: {}  (event {} of the original)", line, without(i),
                           shrunk_.kept[i] + 1);
      out_.line(line);
    }
    out_.line(fmt::format("{} -> {} events{}; {}", trace_.events.size(), events_.size(),
                          one_minimal() ? ", none can be left out" : "",
                          all_ == 0 ? std::string("not certified")
                                    : fmt::format("yes {} of {} times, rate >= {:.2f} (95 %, one-sided "
                                                  "Clopper-Pearson)",
                                                  yes_, all_, rate_low())));
    out_.line(fmt::format("{} runs, {} answers from memory, {} unresolved, {} here", command_.effort.runs,
                          command_.effort.from_memory, command_.effort.unresolved,
                          show_duration(command_.seconds())));
  }
  std::string_view without(std::size_t i) const {
    return i < shrunk_.without.size() ? word(shrunk_.without[i]) : "not asked";
  }
  /// Each answer was given once: where the certificate shows that they differ, they prove nothing.
  bool one_minimal() const { return shrunk_.one_minimal && yes_ == all_; }
  double rate_low() const { return all_ == 0 ? 0 : rate_at_least(yes_, all_); }

  Status write() {
    if (options_.out_file.empty()) return {};
    NORN_CHECK(
        write_file(options_.out_file, text_of(trace_.events, shrunk_.kept, "reduced from " + trace_.name)));
    out_.line("wrote " + options_.out_file);
    return {};
  }
  void warn() {
    if (yes_ < all_)
      out_.warning(
          fmt::format("the command does not always answer the same ({} yes, {} no to the result): it "
                      "was asked once each time, so more may go, or too much is gone",
                      yes_, all_ - yes_));
    if (command_.forgets)
      out_.warning("answers could not be kept in " + command_.kept.file().string() +
                   ": run again it begins anew");
    else if (stopped_)
      out_.warning("stopped early: run the same command again and it goes on where it stopped");
  }

  JsonOut json() const {
    JsonOut kept = JsonOut::array(), without_it = JsonOut::array();
    for (const auto i : shrunk_.kept) kept.push_back(i + 1);
    for (std::size_t i = 0; i < events_.size(); ++i) without_it.push_back(without(i));
    return {{"trace", options_.out_file.empty() ? JsonOut(nullptr) : JsonOut(options_.out_file)},
            {"from", trace_.events.size()},
            {"to", events_.size()},
            {"events", events_json(events_)},
            {"kept", kept},
            {"without", without_it},
            {"one_minimal", one_minimal()},
            {"reproduced", {yes_, all_}},
            {"rate_low", rate_low()},
            {"algo", options_.algorithm},
            {"stopped", stopped_}};
  }
  void give(JsonOut json) {
    command_.effort.wall_seconds = command_.seconds();
    json["made_by"] = JsonOut{{"norn", version}, {"device", "--test " + options_.command}};
    json["effort"] = effort_json(command_.effort);
    out_.object(dump_line(json));
  }

  const NamedTrace& trace_;
  const ByCommand& options_;
  Output& out_;
  CommandQuestion command_;
  Remembering question_;
  Shrunk shrunk_;
  std::vector<Event> events_;
  std::uint32_t yes_ = 0, all_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<Exit> reduce_by_command(const NamedTrace& trace, const ByCommand& options, Output& out) {
  const auto algorithm = algorithm_by_name(options.algorithm);
  if (!algorithm) return fail(Error::Kind::bad_input, "there is no such algorithm", options.algorithm);
  return Job(trace, options, out).run(*algorithm);
}

}  // namespace norn::cli
