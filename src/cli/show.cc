// norn show: a trace as steps a person can follow, as a state tree, or with its screens; a run with its
// result.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/graph_file.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "detect/detect.h"
#include "model/model.h"
#include "shrink/state_tree.h"

namespace norn::cli {
namespace {

class Show final : public Command {
 public:
  void declare(Options& options) override {
    options.text(what_, "what", "t17, c3, r2 or s1");
    declare_store(options, store_);
    options.flag(tree_, "--tree",
                 "The state tree of the trace (SimplyDroid); what a reduction kept is marked");
    options.flag(screens_, "--screens", "Every screen as an outline");
    options.flag(model_, "--model", "The GUI model of all that is known about the run's app (norn detect)");
    options.text(graph_, "--graph", "Write the model to this .dot or .svg file (.svg: drawn by Graphviz)");
    options.flag(force_, "--force", "Overwrite that file");
    options.choice(state_, "--state", abstraction_names(), "What counts as the same state in --tree");
  }

  Result<Exit> run(Output& out) override {
    if (what_.empty())
      return fail(Error::Kind::bad_input, "say what to show", {},
                  "norn show t1; 'norn runs' lists what there is");
    if (const auto run = stored_id('r', what_); run && !is_there(what_)) return show_run(RunId{*run}, out);
    if (model_ || !graph_.empty())
      return fail(Error::Kind::bad_input, "is no run: --model and --graph want one", what_,
                  "norn show r1 --model; 'norn runs' lists them");
    if (const auto suite = stored_id('s', what_); suite && !is_there(what_))
      return show_suite(SuiteId{*suite}, out);
    return show_trace(out);
  }

 private:
  Result<Exit> show_run(RunId id, Output& out) {
    NORN_TRY(auto store, Store::open(store_, Access::read));
    NORN_TRY(const RunInfo run, store->run(id));
    NORN_TRY(const auto results, store->results(id));
    if (model_ || !graph_.empty()) return show_model(*store, run, out);
    out.line(fmt::format("{}: {} on {} ({} {})", what_, printable(run.command), printable(run.made_by.device),
                         printable(run.made_by.app), run.made_by.app_hash));
    NORN_TRY(const std::optional<RunSteps> unfinished, steps_so_far(*store, run));
    if (unfinished) {
      out.line(fmt::format("not finished: {} and {} of device time are in the store",
                           counted(unfinished->steps, "step"), show_duration(unfinished->device_seconds)));
    } else {
      out.line(printable(run.outcome));
      out.line(effort_text(run.effort));
    }
    JsonOut json{
        {"run", what_}, {"command", run.command}, {"outcome", run.outcome}, {"results", JsonOut::array()}};
    for (const ResultInfo& result : results) {
      if (const auto parsed = parse_json(result.json, result.kind))
        json["results"].push_back(JsonOut(*parsed));
    }
    for (const JsonOut& result : json["results"]) out.line(in_short(result));
    json["unfinished"] =
        unfinished ? JsonOut{{"steps", unfinished->steps}, {"device_seconds", unfinished->device_seconds}}
                   : JsonOut(nullptr);
    json["made_by"] = made_by_json(run.made_by);
    json["effort"] = effort_json(run.effort);
    out.object(dump_line(json));
    return Exit::done;
  }

  /// Of a run that goes on or was killed: it told nobody what it spent. Nothing of one that is finished.
  static Result<std::optional<RunSteps>> steps_so_far(Store& store, const RunInfo& run) {
    if (run.finished) return std::nullopt;
    return store.run_steps(run);
  }

  /// A result for people: what it says in a word or two; of the rest how much there is.
  static std::string in_short(const JsonOut& result) {
    std::string text;
    for (const auto& [key, value] : result.items()) {
      if (key == "made_by" || key == "effort") continue;
      std::string said = value.is_string() ? printable(value.get<std::string>()) : dump_line(value);
      if (value.is_structured() && said.size() > 60)
        said = counted(value.size(), value.is_array() ? "entry" : "value") + " (--json shows them)";
      text += fmt::format("{}  {:<20} {}", text.empty() ? "" : "\n", key, said);
    }
    return text;
  }

  Result<Exit> show_suite(SuiteId id, Output& out) {
    NORN_TRY(auto store, Store::open(store_, Access::read));
    NORN_TRY(const SuiteInfo suite, store->suite(id));
    JsonOut traces = JsonOut::array();
    std::string lines;
    std::uint64_t events = 0;
    for (const TraceId trace : suite.traces) {
      NORN_TRY(const TraceInfo info, store->trace(trace));
      events += info.events;
      traces.push_back({{"trace", id_text('t', trace.value)}, {"events", info.events}});
      lines += fmt::format("\n  {:<5} {}", id_text('t', trace.value), counted(info.events, "event"));
    }
    out.line(fmt::format("{}{}: {}, {}{}", what_,
                         suite.name.empty() ? "" : " \"" + printable(suite.name) + "\"",
                         counted(suite.traces.size(), "trace"), counted(events, "event"), lines));
    out.object(
        dump_line(JsonOut{{"suite", what_}, {"name", suite.name}, {"traces", traces}, {"events", events}}));
    return Exit::done;
  }

  Result<Exit> show_model(Store& store, const RunInfo& run, Output& out) {
    if (!graph_.empty()) NORN_CHECK(may_write_graph(graph_, force_));
    NORN_TRY(const auto tree, store.load(run.app));
    Model model(*tree);
    for (const BootstrapInput& input : inputs_since(*tree, 0, {})) model.add(input.end);
    model.mine();
    out.line(fmt::format("{} states, {} transitions, {} layouts of {} executed steps", model.states(),
                         model.transitions(), model.layouts().size(), tree->size()));
    if (graph_.empty()) out.line(model.text());
    if (!graph_.empty()) {
      NORN_CHECK(write_graph(graph_, model.dot(), force_));
      out.line("wrote " + graph_);
    }
    JsonOut json{{"run", what_}, {"states", model.states()}, {"transitions", model.transitions()}};
    out.object(dump_line(json));
    return Exit::done;
  }

  Result<Exit> show_trace(Output& out) {
    NORN_TRY(const NamedTrace named, find_trace(what_, store_, out));
    const Trace trace = steps_of(named);
    if (tree_ && !knows_states(trace))
      return fail(Error::Kind::bad_input, "was recorded without screens: there is no state tree of it",
                  what_);
    out.line(fmt::format("{}: {} events{}", what_, trace.steps.size(),
                         named.crash ? ", ends in " + headline(*named.crash) : ""));
    if (tree_) {
      NORN_TRY(const auto kept, kept_events(named, trace.steps.size()));
      print_tree(trace, kept, out);
    } else {
      print_steps(trace, out);
    }
    if (named.crash) print_stack(*named.crash, out);
    JsonOut json{{"trace", what_},
                 {"events", events_json(named.events)},
                 {"crash", named.crash ? to_json_value(*named.crash) : JsonOut(nullptr)}};
    out.object(dump_line(json));
    return Exit::done;
  }

  /// What was recorded of `named.events`: a launch that is no event of a trace is what made its start.
  static Trace steps_of(const NamedTrace& named) {
    Trace trace = named.recorded;
    if (trace.steps.size() <= named.events.size()) return trace;
    trace.start = std::move(trace.steps.front().seen);
    trace.steps.erase(trace.steps.begin());
    return trace;
  }

  static bool knows_states(const Trace& trace) {
    const auto known = [](const Screen& screen) {
      return screen.kind != Screen::Kind::unseen || !screen.activity.empty();
    };
    return (trace.start && known(trace.start->screen)) ||
           std::ranges::any_of(trace.steps, [&](const Step& step) { return known(step.seen.screen); });
  }

  void print_steps(const Trace& trace, Output& out) const {
    if (screens_ && trace.start) out.line(outline(trace.start->screen));
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      out.line(fmt::format("{:4}  {}", i + 1, describe(trace.steps[i].event)));
      if (screens_) out.line(outline(trace.steps[i].seen.screen));
    }
  }

  /// Names under which this very path may have been reduced.
  static std::set<std::string> names_of(Store& store, const TraceInfo& info) {
    std::set<std::string> names;
    if (const auto traces = store.traces())
      for (const TraceInfo& t : *traces)
        if (t.app == info.app && t.node == info.node) names.insert(id_text('t', t.id.value));
    if (const auto crashes = store.crashes())
      for (const FoundInfo& c : *crashes)
        if (c.app == info.app && (c.node == info.node || c.shortest == info.node))
          names.insert(id_text('c', c.id.value));
    return names;
  }

  /// Places of the events that reductions of this very trace kept. A crash's name may have meant another path
  /// by then: the number of events tells.
  static std::set<std::size_t> kept_events(Store& store, const TraceInfo& info, std::size_t events) {
    std::set<std::size_t> kept;
    const std::set<std::string> names = names_of(store, info);
    const auto traces = store.traces();
    if (!traces) return kept;
    for (const TraceInfo& other : *traces) {
      constexpr std::string_view begin = "reduced from ";
      if (!other.origin.starts_with(begin) || !names.contains(other.origin.substr(begin.size()))) continue;
      const auto results = store.results(other.run);
      for (std::size_t i = 0; results && i < results->size(); ++i) {
        const auto json = parse_json((*results)[i].json, (*results)[i].kind);
        if (!json || !json->contains("kept") || json->value("from", JsonIn()) != JsonIn(events)) continue;
        for (const auto& place : json->at("kept"))
          if (place.is_number_unsigned()) kept.insert(place.get<std::size_t>() - 1);
      }
    }
    return kept;
  }

  /// The same of whatever was named: nobody knows of a reduction of a file.
  Result<std::set<std::size_t>> kept_events(const NamedTrace& named, std::size_t events) const {
    if (!named.info) return std::set<std::size_t>();
    NORN_TRY(auto store, Store::open(store_, Access::read));
    return kept_events(*store, *named.info, events);
  }

  void print_tree(const Trace& trace, const std::set<std::size_t>& kept, Output& out) const {
    const Abstraction abstraction = *abstraction_by_name(state_);
    std::vector<StateId> states;
    Screen nothing;
    nothing.kind = Screen::Kind::unseen;
    const auto before = [&](std::size_t i) -> const Screen& {
      if (i > 0) return trace.steps[i - 1].seen.screen;
      return trace.start ? trace.start->screen : nothing;
    };
    states.reserve(trace.steps.size());
    for (std::size_t i = 0; i < trace.steps.size(); ++i) states.push_back(abstract(before(i), abstraction));
    out.line(norn::outline(StateTree(states), [&](std::uint32_t i) {
      return fmt::format("{}{} {}  [{}]", kept.contains(i) ? "* " : "", i + 1, describe(trace.steps[i].event),
                         printable(before(i).activity));
    }));
    if (!kept.empty()) out.line("* kept by a reduction of this trace");
  }

  static void print_stack(const Crash& crash, Output& out) {
    for (const Thrown& thrown : crash.chain) {
      out.line(fmt::format("  {}{}{}{}", thrown.role == Thrown::Role::cause ? "caused by " : "",
                           printable(thrown.type), thrown.message.empty() ? "" : ": ",
                           printable(thrown.message)));
      for (const Frame& frame : thrown.frames)
        out.line(
            fmt::format("    at {} ({}:{})", printable(frame.function), printable(frame.file), frame.line));
    }
  }

  std::string what_, store_{usual_store}, state_ = "activity";
  bool tree_ = false, screens_ = false;
  bool model_ = false, force_ = false;
  std::string graph_;
};

}  // namespace

std::unique_ptr<Command> make_show() { return std::make_unique<Show>(); }

}  // namespace norn::cli
