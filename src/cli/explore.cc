// norn explore: testing with time travel.
#include "explore/explore.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/exec_strategy.h"
#include "cli/explore_graph.h"
#include "cli/graph_file.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "cli/within.h"
#include "reduce/reduce.h"

namespace norn::cli {
namespace {

constexpr double explore_budget = 30 * 60;

double tenth(double seconds) { return std::round(seconds * 10) / 10; }

void read(const std::string& text, std::string& value) { value = text; }
void read(const std::string& text, bool& value) { value = text == "true"; }
void read(const std::string& text, double& value) { value = to_double(text).value_or(value); }
void read(const std::string& text, std::uint64_t& value) {
  value = static_cast<std::uint64_t>(to_int(text).value_or(static_cast<std::int64_t>(value)));
}

/// Options that a resumed run takes up where nothing else is said now; made_by names those that are not the
/// usual ones.
class Kept {
 public:
  /// REQUIRES: the value is the usual one yet, and outlives this.
  template <class T>
  void add(std::string name, T& value) {
    all_.push_back({std::move(name),
                    [&value, usual = value] { return value == usual ? "" : fmt::format("{}", value); },
                    [&value](const std::string& said) { read(said, value); }});
  }
  void take_up(const std::map<std::string, std::string>& said, const Options& now) const {
    for (const One& one : all_)
      if (const auto at = said.find(one.name); at != said.end() && !now.given("--" + one.name))
        one.take_up(at->second);
  }
  std::map<std::string, std::string> said() const {
    std::map<std::string, std::string> out;
    for (const One& one : all_)
      if (const std::string value = one.said(); !value.empty()) out[one.name] = value;
    return out;
  }

 private:
  struct One {
    std::string name;
    std::function<std::string()> said;
    std::function<void(const std::string&)> take_up;
  };
  std::vector<One> all_;
};

class Explore final : public Command {
 public:
  void declare(Options& options) override {
    device_.repeats = 3;
    device_.declare(options);
    std::string names;
    for (const std::string& name : strategy_names()) names += (names.empty() ? "" : ", ") + name;
    options.text(strategy_, "--strategy", names + ", or exec:CMD; default: norn");
    options.number(events_, "--events", "Events to perform at most; 0: no limit");
    options.flag(triage_, "--triage", "Reduce each crash while exploring goes on");
    options.real(share_, "--triage-share", "Share of the budget for --triage");
    options.text(avoid_, "--avoid", "A regular expression: texts, ids, activities never touched");
    options.text(pool_, "--text-pool", "A file with a text a line, to type into fields");
    options.flag(stay_, "--stay", "Nothing that leaves the app on purpose");
    options.flag(until_crash_, "--until-crash", "Stop at the first crash");
    options.list(seeds_, "--seed-traces", "Traces to run first: t17, c3, files");
    options.text(resume_, "--resume", "Go on with a run: r3");
    options.choice(state_, "--state", abstraction_names(),
                   "What counts as the same state; default: structure");
    options.text(interesting_, "--interesting", "timemachine: coverage, gui, or exec:CMD");
    options.choice(stuck_, "--stuck", {"paper", "code", "never"}, "timemachine: what counts as stuck");
    options.text(select_, "--select", "timemachine: neighbourhood, own, or exec:CMD");
    options.choice(generator_, "--generator", {"monkey", "widgets"},
                   "timemachine and monkey: where events come from");
    options.number(window_, "--stuck-window", "timemachine: state changes looked at");
    options.number(dead_end_, "--dead-end", "timemachine: reports of one state in a row");
    options.real(frequent_, "--frequent", "timemachine: share of states that counts as most visited");
    options.real(easy_, "--easy", "timemachine: share of easy states at which it is stuck");
    options.number(steps_, "--neighbourhood", "timemachine: steps of the walks looked at");
    options.real(reward_, "--reward", "timemachine: reward of an interesting state");
    options.real(penalty_, "--penalty", "timemachine: penalty of a visit without one");
    options.real(head_start_, "--head-start", "timemachine: fitness of a new interesting state");
    options.text(graph_, "--graph",
                 "Write the state graph to this .dot or .svg file (.svg: drawn by Graphviz)");
    options.flag(force_, "--force", "Overwrite the file of --graph");
    keep();
    said_now_ = &options;
  }

  Result<Exit> run(Output& out) override {
    if (!graph_.empty()) NORN_CHECK(may_write_graph(graph_, force_));
    NORN_CHECK(take_up(out));
    if (strategy_.empty()) strategy_ = "norn";
    if (state_.empty()) state_ = name_of(Abstraction::structure);
    if (strategy_ == "exec:") return fail(Error::Kind::bad_input, "name a program after exec:", "--strategy");
    if (!strategy_.starts_with("exec:")) NORN_CHECK(check_strategy(strategy_));
    NORN_CHECK(within("--triage-share", share_, 0, 0.9));
    NORN_TRY(ExploreOptions options, options_for(out));
    DeviceOptions device = device_;
    device.budget = std::numeric_limits<double>::infinity();  // the loop keeps it; confirming comes on top
    device.also = said();
    NORN_TRY(const auto session, Session::open(device, "explore --strategy " + strategy_, out));
    options.package = session->app().name;
    options.activities = session->info().activities;
    options.coverable = session->info().coverable;
    if (!resume_.empty()) {
      NORN_TRY(options.found_before, known_crashes(*session));
    }
    if (triage_) options.triage = [&](const FoundCrash& crash) { triage(*session, crash, out); };
    auto result = norn::explore(session->replay(), options, out, interruption());
    if (!result) {
      NORN_CHECK(session->finish("explore", "{}", result.error().message()));
      return std::unexpected(result.error());
    }
    return report(*session, *result, out);
  }

 private:
  /// --resume: what that run was told, where nothing else is said now, and what it left of its budget; killed
  /// or not.
  Status take_up(Output& out) {
    if (resume_.empty()) return {};
    const auto number = stored_id('r', resume_);
    if (!number)
      return fail(Error::Kind::bad_input, "is no run", resume_, "runs are called r1, r2 ...: norn runs");
    NORN_TRY(auto store, Store::open(device_.store, Access::read));
    NORN_TRY(const RunInfo run, store->run(RunId{*number}));
    if (!run.command.starts_with("explore"))
      return fail(Error::Kind::bad_input, "is a run of norn " + run.command, resume_,
                  "only an exploration can be gone on with");
    const auto& said = run.made_by.options;
    kept_.take_up(said, *said_now_);
    if (device_.device.empty()) device_.device = run.made_by.device;
    const auto option = [&](const char* name) { return said.contains(name) ? said.at(name) : std::string(); };
    if (!said_now_->given("--seed"))  // a new draw of every chance
      device_.seed = static_cast<std::uint64_t>(to_int(option("seed")).value_or(1)) + 1;
    NORN_TRY(const RunSteps done, store->run_steps(run));
    if (!said_now_->given("--budget") && !said_now_->given("--events"))
      take_up_limits(option("budget"), option("events"), done);
    out.status(fmt::format("{}: {} steps and {} of device time were done; going on with seed {}{}", resume_,
                           done.steps, show_duration(done.device_seconds), device_.seed,
                           std::isinf(device_.budget) ? "" : " for " + show_duration(device_.budget)));
    return {};
  }

  /// What is left; all of it again where the run had spent it.
  void take_up_limits(const std::string& budget, const std::string& events, const RunSteps& done) {
    if (const auto seconds = to_double(budget); seconds && std::isfinite(*seconds))
      device_.budget = *seconds > done.device_seconds + 1 ? *seconds - done.device_seconds : *seconds;
    if (const auto count = to_int(events); count && *count > 0) {
      const auto all = static_cast<std::uint64_t>(*count);
      events_ = all > done.steps ? all - done.steps : all;
    }
  }

  void keep() {
    kept_.add("strategy", strategy_), kept_.add("setup", device_.setup), kept_.add("state", state_);
    kept_.add("avoid", avoid_), kept_.add("text-pool", pool_), kept_.add("stay", stay_);
    kept_.add("interesting", interesting_), kept_.add("stuck", stuck_), kept_.add("select", select_);
    kept_.add("generator", generator_), kept_.add("stuck-window", window_), kept_.add("dead-end", dead_end_);
    kept_.add("frequent", frequent_), kept_.add("easy", easy_), kept_.add("neighbourhood", steps_);
    kept_.add("reward", reward_), kept_.add("penalty", penalty_), kept_.add("head-start", head_start_);
  }

  /// What this run was told: made_by names it, --resume takes it up.
  std::map<std::string, std::string> said() const {
    auto out = kept_.said();
    out["budget"] = fmt::format("{}", device_.budget);
    if (events_ > 0) out["events"] = fmt::format("{}", events_);
    return out;
  }

  Result<ExploreOptions> options_for(Output& out) {
    ExploreOptions options;
    options.strategy = strategy_;
    options.seed = device_.seed;
    if (events_ > 0) options.events = events_;
    if (std::isinf(device_.budget) && events_ == 0) device_.budget = explore_budget;
    options.seconds = device_.budget * (triage_ ? 1 - share_ : 1);
    options.state = *abstraction_by_name(state_);
    options.avoid = avoid_;
    options.stay = stay_;
    options.until_crash = until_crash_;
    NORN_TRY(options.confirm, within("--repeats", device_.repeats, 1, 10000));
    if (!pool_.empty()) {
      NORN_TRY(const std::string bytes, read_file(pool_));
      const std::string text = to_utf8(bytes);
      for (const auto line : lines(text)) options.texts.emplace_back(line);
    }
    for (const std::string& name : seeds_) {
      NORN_TRY(NamedTrace trace, find_trace(name, device_.store, out));
      options.seed_traces.push_back(std::move(trace.events));
    }
    NORN_CHECK(travel_options(options.travel));
    if (strategy_.starts_with("exec:"))
      options.custom = [command = strategy_.substr(5)](StrategyContext& context) {
        return exec_strategy(command, context);
      };
    return options;
  }

  Status travel_options(TravelOptions& travel) const {
    travel.stuck.rule = stuck_ == "never"  ? StuckOptions::Rule::never
                        : stuck_ == "code" ? StuckOptions::Rule::code
                                           : StuckOptions::Rule::paper;
    NORN_TRY(travel.stuck.length, within("--stuck-window", window_, 1, 1000));
    NORN_TRY(travel.stuck.dead_end, within("--dead-end", dead_end_, 1, 1'000'000));
    NORN_TRY(travel.stuck.frequent, within("--frequent", frequent_, 0, 1));
    NORN_TRY(travel.stuck.easy, within("--easy", easy_, 0, 1));
    if (generator_ == "widgets") travel.generator = TravelOptions::Generator::widgets;
    NORN_TRY(travel.steps, within("--neighbourhood", steps_, 0, 20));
    if (penalty_ < 0 || penalty_ >= 1)
      return fail(Error::Kind::bad_input, "--penalty takes 0 to less than 1");
    if (reward_ < 0 || head_start_ <= 0)
      return fail(Error::Kind::bad_input, "--reward takes 0 or more, --head-start more than 0");
    travel.fitness = {reward_, penalty_, head_start_};
    if (interesting_.starts_with("exec:")) {
      NORN_TRY(travel.interesting_by, exec_interesting(interesting_.substr(5)));
    } else if (interesting_ == "gui" || interesting_ == "coverage") {
      travel.interesting =
          interesting_ == "gui" ? TravelOptions::Interesting::gui : TravelOptions::Interesting::coverage;
    } else {
      return fail(Error::Kind::bad_input, "--interesting takes coverage, gui or exec:CMD", interesting_);
    }
    if (select_.starts_with("exec:")) {
      NORN_TRY(travel.select_by, exec_select(select_.substr(5)));
    } else if (select_ == "own" || select_ == "neighbourhood") {
      travel.select = select_ == "own" ? TravelOptions::Select::own : TravelOptions::Select::neighbourhood;
    } else {
      return fail(Error::Kind::bad_input, "--select takes neighbourhood, own or exec:CMD", select_);
    }
    return {};
  }

  /// Reduces a crash that was just found, while its share of the budget lasts; one that was begun is
  /// finished.
  void triage(Session& session, const FoundCrash& crash, Output& out) {
    if (triaged_ >= share_ * device_.budget) return;
    const double begin = session.spent().device_seconds;
    ReduceOptions options;
    options.watch = SameCrash{crash.signature, Sameness::frames};
    options.prices = session.prices();
    options.repeats = 3;
    const auto result =
        norn::reduce(session.replay(), session.tree().events_to(crash.node), options, interruption());
    triaged_ += session.spent().device_seconds - begin;
    if (!result) return out.warning("a crash could not be reduced: " + result.error().message());
    if (const auto* reduction = std::get_if<Reduction>(&*result); reduction && reduction->end)
      if (const auto id = session.keep_trace(reduction->end, "reduced while exploring"))
        reduced_[crash.signature] = {id_text('t', id->value), reduction->events.size()};
  }

  /// Where the store's crashes of this app end: those of the run that is resumed, and of the ones before it.
  static Result<std::vector<NodeId>> known_crashes(Session& session) {
    NORN_TRY(const auto found, session.store().crashes());
    std::vector<NodeId> out;
    for (const FoundInfo& crash : found)
      if (crash.app == session.app_id()) out.push_back(crash.shortest ? crash.shortest : crash.node);
    return out;
  }

  static std::string found_id(Session& session, std::uint64_t sign) {
    if (const auto found = session.store().crashes())
      for (const FoundInfo& crash : *found)
        if (crash.app == session.app_id() && crash.signature == sign) return id_text('c', crash.id.value);
    return {};
  }

  Result<Exit> report(Session& session, const Exploration& e, Output& out) {
    JsonOut crashes = JsonOut::array();
    std::size_t confirmed = 0;
    std::vector<std::string> said;
    for (const FoundCrash& crash : e.crashes) {
      const Crash* what = session.tree().crash(crash.node);
      if (!what) continue;
      const std::string id = found_id(session, crash.signature);
      NORN_TRY(const TraceId trace, session.keep_trace(crash.node, "explore " + id));
      JsonOut one{{"id", id},
                  {"signature", headline(*what)},
                  {"type", what->root().type},
                  {"trace", id_text('t', trace.value)},
                  {"length", crash.length},
                  {"first_seen_s", tenth(crash.first_seen)},
                  {"reproduced", {crash.reproduced, crash.runs}},
                  {"times", crash.times}};
      const std::string when =
          crash.times == 0 ? "of an earlier run" : "first after " + show_duration(crash.first_seen);
      std::string line = fmt::format("{:<5} {}  ({} events, {}, {} of {} from clean starts)", id,
                                     headline(*what), crash.length, when, crash.reproduced, crash.runs);
      if (const auto at = reduced_.find(crash.signature); at != reduced_.end()) {
        one["reduced"] = {{"trace", at->second.first}, {"length", at->second.second}};
        line += fmt::format(", reduced to {} events: {}", at->second.second, at->second.first);
      }
      crashes.push_back(std::move(one));
      confirmed += crash.confirmed() ? 1 : 0;
      if (!crash.confirmed()) line += crash.tried() ? "  not confirmed" : "  not replayed";
      said.push_back(std::move(line));
    }
    for (const std::string& line : said) out.line(line);
    summarise(session, e, confirmed, out);
    const JsonOut json = result_json(session, e, std::move(crashes));
    out.object(dump_line(json));
    NORN_CHECK(session.finish("explore", dump_line(json),
                              fmt::format("{}, {} states", crash_words(e, confirmed), e.graph.size())));
    if (!graph_.empty()) {
      const std::string dot = state_graph_dot(e, session.tree(), *abstraction_by_name(state_));
      NORN_CHECK(write_graph(graph_, dot, force_));
      out.line("wrote " + graph_);
    }
    if (e.trouble && e.end == Exploration::End::failed) {
      if (out.json) return exit_code(*e.trouble);  // the object, which is there already, says what happened
      return std::unexpected(*e.trouble);
    }
    if (e.end == Exploration::End::interrupted) return Exit::interrupted;
    return e.crashes.empty() ? Exit::done : Exit::bad_news;
  }

  void summarise(Session& session, const Exploration& e, std::size_t confirmed, Output& out) const {
    const std::string coverage = coverage_words(session.info().coverable, e.covered);
    out.line(fmt::format("{}; {} states, {} transitions{}", crash_words(e, confirmed), e.graph.size(),
                         e.graph.transitions(), coverage));
    const auto never = never_reached(session, e);
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(never.size(), 12); ++i)
      names += (i == 0 ? "" : ", ") + never[i];
    if (never.size() > 12) names += fmt::format(" and {} more", never.size() - 12);
    if (!names.empty()) out.line("never reached: " + names);
    out.line(fmt::format("{}, seed {}: {} in {} of device time, {}, confirming {}", e.strategy, e.seed,
                         counted(e.events, "event"), show_duration(e.seconds),
                         counted(e.restores.size(), "restore"), show_duration(e.confirm_seconds)));
    if (!e.crashes.empty())
      out.line(fmt::format("next: norn reduce {0}{1}, norn replay {0}{1}, norn show {0} --screens{2}",
                           found_id(session, e.crashes.front().signature), device_.again(),
                           in_store(device_.store)));
    if (e.end == Exploration::End::interrupted)
      out.line(fmt::format("interrupted; go on with: norn explore --resume {}{}",
                           id_text('r', session.run_id().value), in_store(device_.store)));
  }

  /// "2 distinct crashes, 1 that did not come again"
  static std::string crash_words(const Exploration& e, std::size_t confirmed) {
    const auto untried =
        static_cast<std::size_t>(std::ranges::count_if(e.crashes, [](const auto& c) { return !c.tried(); }));
    const std::size_t gone = e.crashes.size() - confirmed - untried;
    std::string words = fmt::format("{} distinct {}", confirmed, confirmed == 1 ? "crash" : "crashes");
    if (gone > 0) words += fmt::format(", {} that did not come again", gone);
    if (untried > 0) words += fmt::format(", {} not replayed yet", untried);
    return words;
  }

  static std::string coverage_words(const Coverable& all, const Coverage& hit) {
    if (all.lines == 0) return "";
    if (all.lines_of(hit) > all.lines)  // a device that says fewer than it has
      return fmt::format(", {} lines covered", all.lines_of(hit));
    const auto share = static_cast<double>(all.lines_of(hit)) / static_cast<double>(all.lines);
    std::string words =
        fmt::format(", {} of {} lines covered ({:.0f} %)", all.lines_of(hit), all.lines, 100 * share);
    if (all.functions > 0) words += fmt::format(", {} of {} functions", all.functions_of(hit), all.functions);
    return words;
  }

  static std::vector<std::string> never_reached(const Session& session, const Exploration& e) {
    std::vector<std::string> out;
    for (const std::string& name : session.info().activities)
      if (std::none_of(e.activities.begin(), e.activities.end(),
                       [&](const std::string& seen) { return names_activity(seen, name); }))
        out.push_back(name);
    return out;
  }

  static JsonOut result_json(Session& session, const Exploration& e, JsonOut crashes) {
    JsonOut over_time = JsonOut::array(), restores = JsonOut::array();
    for (const auto& [seconds, covered] : e.over_time) over_time.push_back({tenth(seconds), covered});
    for (const Restore& r : e.restores)
      restores.push_back({{"at_s", tenth(r.at)},
                          {"why", r.why},
                          {"to", r.clean ? "start" : fmt::format("n{}", r.to.value)}});
    const Coverable& all = session.info().coverable;
    JsonOut json{{"crashes", std::move(crashes)},
                 {"states", e.graph.size()},
                 {"transitions", e.graph.transitions()},
                 {"coverage",
                  {{"covered", e.covered.count()},
                   {"total", all.total()},
                   {"lines", {all.lines_of(e.covered), all.lines}},
                   {"functions", {all.functions_of(e.covered), all.functions}},
                   {"over_time", over_time}}},
                 {"restores", std::move(restores)},
                 {"strategy", e.strategy},
                 {"seed", e.seed}};
    json["activities"] = e.activities;
    json["never_reached"] = never_reached(session, e);
    json["explored_s"] = tenth(e.seconds);
    json["confirming_s"] = tenth(e.confirm_seconds);
    json["run"] = id_text('r', session.run_id().value);
    if (e.trouble) json["trouble"] = e.trouble->message();
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    return json;
  }

  DeviceOptions device_;
  Kept kept_;
  const Options* said_now_ = nullptr;
  std::string strategy_, avoid_, pool_, resume_, state_,
      interesting_ = "coverage", stuck_ = "paper", select_ = "neighbourhood", generator_ = "monkey", graph_;
  std::uint64_t events_ = 0, window_ = 10, dead_end_ = 200, steps_ = 3;
  double share_ = 0.25, frequent_ = 0.2, easy_ = 0.8, reward_ = 0.1, penalty_ = 0.1, head_start_ = 6,
         triaged_ = 0;
  bool triage_ = false, stay_ = false, until_crash_ = false, force_ = false;
  std::vector<std::string> seeds_;
  std::map<std::uint64_t, std::pair<std::string, std::size_t>> reduced_;
};

}  // namespace

std::unique_ptr<Command> make_explore() { return std::make_unique<Explore>(); }

}  // namespace norn::cli
