// norn detect: functional bugs that do not crash.
#include "detect/detect.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "cli/within.h"
#include "explore/explore.h"

namespace norn::cli {
namespace {

constexpr std::array<std::string_view, 5> oracle_names{"values", "neutral", "hidden", "independent", "odin"};
constexpr double usual_budget = 60 * 60;

class Detect final : public Command {
 public:
  void declare(Options& options) override {
    device_.declare(options);
    options.list(strategies_, "--strategy",
                 "Strategies whose inputs to begin with (default: norn and random)");
    options.choice(variant_, "--variant", {"full", "nocalib", "simple"},
                   "Without calibration, or the simple clustering");
    options.choice(anomaly_, "--anomaly", {"norn", "paper"}, "The paper's bare rule");
    options.text(
        oracle_, "--oracle",
        "A list of values, neutral, hidden, independent, odin, or files of properties (docs/detect.md)");
    options.flag(texts_, "--texts",
                 "Compare texts and data too, as the paper does: more reports, more false ones");
    options.flag(explained_, "--explained", "Also report what the screen before the event explains");
    options.number(both_ways_, "--both-ways", "Clean starts of each of two ways that should end alike");
    options.number(settle_, "--settle", "Milliseconds to wait before two ways are called different");
    options.real(habit_, "--habit", "Smallest share of inputs that do the usual thing (odin)");
    options.number(inputs_, "--inputs", "Inputs an event is tried on at most");
    options.number(alike_, "--alike", "So many that behave alike end it");
    options.number(tail_, "--tail", "Events after each calibrated walk");
    options.real(false_share_, "--false-share", "Largest share of false reports (Benjamini-Hochberg)");
    options.text(reports_, "--reports", "Also write the reports to this file");
    options.flag(force_, "--force", "Overwrite the file of --reports");
  }

  Result<Exit> run(Output& out) override {
    if (!reports_.empty()) NORN_CHECK(may_write(reports_, force_));
    NORN_TRY(DetectOptions options, options_for());
    if (!std::isfinite(device_.budget)) device_.budget = usual_budget;
    NORN_TRY(const auto session, Session::open(device_, "detect", out));
    std::vector<BootstrapInput> inputs;
    NORN_CHECK(bootstrap(*session, inputs, out));
    NORN_TRY(const Detection found, norn::detect(session->replay(), inputs, options, out, interruption()));
    return report(*session, found, out);
  }

 private:
  Result<DetectOptions> options_for() {
    for (const std::string& strategy : strategies_) NORN_CHECK(check_strategy(strategy));
    DetectOptions o;
    o.seed = device_.seed;
    NORN_TRY(o.repeats, within("--repeats", device_.repeats, 1, 10000));
    NORN_TRY(o.inputs, within("--inputs", inputs_, 2, 100000));
    NORN_TRY(o.alike, within("--alike", alike_, 2, 100000));
    NORN_TRY(o.tail, within("--tail", tail_, 1, 100000));
    NORN_TRY(o.false_share, within("--false-share", false_share_, 0, 1));
    NORN_TRY(o.habit, within("--habit", habit_, 0, 1));
    NORN_TRY(o.both_ways, within("--both-ways", both_ways_, 1, 10000));
    NORN_TRY(const std::uint32_t settle, within("--settle", settle_, 0, 600000));
    o.settle_ms = static_cast<std::int32_t>(settle);
    o.calibrate = variant_ != "nocalib";
    o.unexplained = !explained_;
    o.cluster.texts = texts_;
    o.cluster.simple = variant_ == "simple";
    if (variant_ == "simple") o.cluster.anomaly.rule = AnomalyRule::all;
    if (anomaly_ == "paper") o.cluster.anomaly.rule = AnomalyRule::paper;
    o.oracles.clear();
    for (const std::string_view raw : split(oracle_, ',')) {
      const std::string name(trim(raw));
      if (std::ranges::find(oracle_names, name) != oracle_names.end()) {
        o.oracles.push_back(name);
      } else if (!name.empty()) {
        NORN_TRY(o.properties[name], properties(name));
      }
    }
    return o;
  }
  static Result<std::string> properties(const std::string& file) {
    const std::vector<std::string> names(oracle_names.begin(), oracle_names.end());
    if (const auto near = did_you_mean(file, names); near && !is_there(file))
      return fail(Error::Kind::bad_input, "is no oracle and no file of properties", file,
                  fmt::format("did you mean {}?", *near));
    NORN_TRY(std::string text, read_file(file, 1 << 20));
    NORN_CHECK(check_properties(file, text));
    return text;
  }

  Status bootstrap(Session& session, std::vector<BootstrapInput>& inputs, Output& out) {
    if (strategies_.empty()) strategies_ = {"norn", "random"};
    inputs = inputs_since(session.tree(), 0, "earlier runs");
    const double each = device_.budget * explore_share / static_cast<double>(strategies_.size());
    for (const std::string& strategy : strategies_) {
      ExploreOptions options;
      options.strategy = strategy, options.seed = device_.seed, options.seconds = each;
      options.confirm = 0;
      options.package = session.app().name;
      options.activities = session.info().activities;
      const std::size_t before = session.tree().size();
      NORN_TRY(const Exploration explored, norn::explore(session.replay(), options, out, interruption()));
      std::ranges::copy(inputs_since(session.tree(), before, strategy), std::back_inserter(inputs));
      if (explored.trouble)
        out.warning(fmt::format("strategy {}: {}", strategy, explored.trouble->message()));
    }
    if (const auto lost = session.replay().lost(); inputs.empty() && lost) return std::unexpected(*lost);
    if (inputs.empty() && !interruption().stop_requested())
      return fail(
          Error::Kind::budget, "the time was spent before there was a single input", {},
          fmt::format("a fifth of --budget goes into exploring; try {}", show_duration(usual_budget)));
    return {};
  }

  Result<Exit> report(Session& session, const Detection& d, Output& out) {
    std::string all;
    for (std::size_t i = 0; i < d.reports.size(); ++i) all += report_text(d.reports[i], i + 1) + "\n";
    if (!all.empty()) out.line(all);
    for (const Report& r : d.flaky)
      out.line(fmt::format("flaky: {} on {} came back {} of {} times", describe(r.event), printable(r.place),
                           r.came_back, r.runs));
    std::string shares;
    for (const auto& [name, n] : d.shares)
      shares += fmt::format("{}{} {}", shares.empty() ? "" : ", ", n, name);
    out.line(fmt::format("inputs: {}", shares));
    if (d.held + d.failed > 0)
      out.line(fmt::format("ways that ought to end alike: {} did, {} did not", d.held, d.failed));
    for (const PropertyTried& p : d.properties)
      out.line(fmt::format(
          "{}:{}: {}", printable(p.file), p.line,
          p.times == 0
              ? fmt::format("never tried: no input met its screen with {} there, or there was no time",
                            printable(p.then))
              : fmt::format("tried on {}", counted(p.times, "input"))));
    if (d.walks > 0) out.line(fmt::format("calibrated walks: {}, {} arrived", d.walks, d.hits));
    out.line(
        fmt::format("model: {} states, {} transitions ({} flaky), {} layouts; {} of {} events on layouts "
                    "examined, {} undecided",
                    d.states, d.transitions, d.flaky_edges, d.layouts, d.covered, d.groups, d.undecided));
    out.line(fmt::format("{}, {} flaky", counted(d.reports.size(), "report"), d.flaky.size()));
    out.line(effort_text(session.spent()));
    if (!reports_.empty()) NORN_CHECK(write_file(reports_, all));

    JsonOut json{{"reports", JsonOut::array()}, {"flaky", JsonOut::array()}};
    for (std::size_t i = 0; i < d.reports.size(); ++i) {
      NORN_TRY(const TraceId id, session.keep_trace(d.reports[i].deviant_end, "detect: deviant input"));
      json["reports"].push_back(one_json(d.reports[i], i + 1, id_text('t', id.value)));
    }
    for (std::size_t i = 0; i < d.flaky.size(); ++i) json["flaky"].push_back(one_json(d.flaky[i], i + 1, {}));
    json["model"] = {{"states", d.states},   {"transitions", d.transitions}, {"covered", d.covered},
                     {"layouts", d.layouts}, {"events", d.groups},           {"undecided", d.undecided}};
    json["inputs"] = d.shares;
    json["properties"] = JsonOut::array();
    for (const PropertyTried& p : d.properties)
      json["properties"].push_back(
          {{"file", p.file}, {"line", p.line}, {"then", p.then}, {"tried", p.times}});
    json["pairs"] = {{"held", d.held}, {"failed", d.failed}};
    json["stopped"] = d.stopped;
    if (d.trouble) json["trouble"] = d.trouble->message();
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    out.object(dump_line(json));
    NORN_CHECK(session.finish("detect", dump_line(json),
                              d.trouble ? "device lost" : fmt::format("{} reports", d.reports.size())));
    if (interruption().stop_requested()) {
      out.line(
          "interrupted: this is what was known by then; what was executed is remembered, so begin again");
      return Exit::interrupted;
    }
    if (d.trouble) {
      if (out.json) return exit_code(*d.trouble);  // the object, which is there already, says what happened
      return std::unexpected(*d.trouble);
    }
    return d.reports.empty() ? Exit::done : Exit::bad_news;
  }

  static JsonOut one_json(const Report& r, std::size_t number, const std::string& trace) {
    JsonOut out{
        {"id", number}, {"oracle", r.oracle}, {"expectation", std::string(r.kind)}, {"place", r.place}};
    out["state"] = r.state ? JsonOut(r.state.value) : JsonOut(nullptr);
    out["event"] = describe(r.event);
    out["words"] = r.words;
    out["trace"] = trace;
    out["normal"] = events_json(r.normal);
    out["deviant"] = events_json(r.deviant);
    out["difference"] = r.difference;
    out["more"] = JsonOut::array();
    for (const ReportPart& part : r.more)
      out["more"].push_back({{"place", part.place},
                             {"words", part.words},
                             {"normal", events_json(part.normal)},
                             {"deviant", events_json(part.deviant)}});
    out["inputs"] = {{"usual", r.usual}, {"rare", r.rare}, {"all", r.inputs}};
    out["p"] = r.p, out["q"] = r.q;
    out["reproduced"] = {r.came_back, r.runs};
    out["duplicates"] = r.duplicates;
    return out;
  }

  DeviceOptions device_;
  std::vector<std::string> strategies_;
  std::string variant_ = "full", anomaly_ = "norn", oracle_ = "values,neutral,hidden", reports_;
  bool force_ = false, texts_ = false, explained_ = false;
  std::uint64_t inputs_ = 100, alike_ = 20, tail_ = 12, both_ways_ = 5, settle_ = 5000;
  double false_share_ = 0.2, habit_ = 0.5;
};

}  // namespace

std::unique_ptr<Command> make_detect() { return std::make_unique<Detect>(); }

}  // namespace norn::cli
