#include "cli/diagnose_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "cli/benchmark_cell.h"
#include "cli/bug_events.h"
#include "cli/recorded.h"
#include "formats/droidbot_run.h"
#include "formats/import.h"
#include "formats/monkey.h"
#include "formats/trace_json.h"
#include "store/store.h"

namespace norn::cli {
namespace {

namespace fs = std::filesystem;

/// t17 or c3, unless a file has that name.
bool is_store_id(const std::string& text) {
  return text.size() > 1 && (text[0] == 't' || text[0] == 'c') &&
         std::ranges::all_of(text.substr(1), [](char c) { return c >= '0' && c <= '9'; }) && !is_there(text);
}

/// The first bytes of a file: enough to see what it is.
std::string head_of(const fs::path& path) {
  std::string head(1 << 16, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
  return head;
}

/// A run of norn benchmark.
std::optional<CellResult> cell_in(const fs::path& path) {
  std::error_code ignored;
  return path.extension() == ".json" && fs::is_regular_file(path, ignored) ? read_cell(path) : std::nullopt;
}

/// What lies in folders beside logs: explanations and matchers, plans, drawings, stores and what SQLite keeps
/// beside them, notes for people, results that are no run.
bool is_no_log(const fs::path& path) {
  static const std::set<std::string_view> others{".md",  ".toml", ".lua",  ".svg", ".dot",
                                                 ".xml", ".csv",  ".html", ".py",  ".json"};
  if (is_beside_a_store(path)) return true;
  const std::string head = head_of(path);
  if (!what_no_text_is(head).empty()) return true;
  return others.contains(path.extension().string()) && !is_trace_json(head) && !cell_in(path);
}

/// Whose run a file is where nobody said: a benchmark's run knows, else the folder is called so.
std::string tool_of(const fs::path& file, const fs::path& folder) {
  const auto cell = cell_in(file);
  return cell ? cell->cell.strategy : folder.filename().string();
}

bool feed_cell(const CellResult& cell, const LogReading& reading) {
  const auto at = std::ranges::find(cell.bugs, reading.bug, &CellBug::bug);
  if (at == cell.bugs.end()) return false;
  LogOptions plain;
  plain.format = LogOptions::Format::plain;
  LogParser parser(reading.alphabet, plain, reading.labels);
  parser.feed(at->log);
  parser.finish();
  return true;
}

/// A log, unless it is a run that ended early.
void add_log(std::string tool, const std::string& file, DiagnoseInputs& out) {
  if (const auto cell = cell_in(file); cell && !cell->trouble.empty())
    out.left_out.push_back(fmt::format("{}: left out: its run ended early: {}", file, cell->trouble));
  else
    out.logs.push_back({std::move(tool), file});
}

/// `automata`: those that lie there.
Status add_folder(const std::string& tool, const fs::path& folder, DiagnoseInputs& out,
                  std::vector<std::string>& automata) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error) || is_droidbot_run(at->path()))
      files.push_back(at->path().string());
    else if (at->is_directory(error))
      out.left_out.push_back(at->path().string() + ": left out: a folder in a folder; give it by its name");
  if (error) return fail(Error::Kind::io, "cannot be listed: " + error.message(), folder.string());
  if (files.empty()) return fail(Error::Kind::not_found, "this folder holds no logs", folder.string());
  std::ranges::sort(files);
  for (const std::string& file : files) {
    if (fs::path(file).extension() == ".jff")
      automata.push_back(file);
    else if (!is_no_log(file))
      add_log(tool.empty() ? tool_of(file, folder) : tool, file, out);
  }
  return {};
}

Result<Trace> from_store(const std::string& id, const fs::path& file) {
  NORN_TRY(const auto store, Store::open(file, Access::read));
  const auto number = to_int(std::string_view(id).substr(1));
  if (!number || *number > 0xfffffffe) return fail(Error::Kind::not_found, "no such id in the store", id);
  const auto value = static_cast<std::uint32_t>(*number);
  if (id[0] == 't') {
    NORN_TRY(const TraceInfo info, store->trace(TraceId{value}));
    return stored_trace(*store, info.app, info.node, info.run);
  }
  NORN_TRY(const FoundInfo info, store->crash(FoundId{value}));
  return stored_trace(*store, info.app, info.shortest ? info.shortest : info.node, info.run);
}

void feed_traces(const std::vector<Trace>& traces, const LogReading& reading) {
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (i > 0) reading.labels({std::span(&signal::next_run, 1), {}});
    label_trace(traces[i], reading.alphabet, reading.events, reading.labels);
    reading.traces(traces[i]);
  }
}

/// The package of the app that a trace's screens are of; empty where none tells.
std::string app_of(const Trace& trace) {
  const auto shows = [](const Screen& screen) {
    return screen.kind == Screen::Kind::app && !screen.package.empty();
  };
  if (trace.start && shows(trace.start->screen)) return trace.start->screen.package;
  const auto step = std::ranges::find_if(trace.steps, [&](const Step& s) { return shows(s.seen.screen); });
  return step == trace.steps.end() ? std::string() : step->seen.screen.package;
}

void warn_of_another_app(const DiagnoseInput& input, const LogReading& reading, const std::string& app,
                         Progress& progress) {
  if (is_of_another_app(reading.events, app))
    progress.warning(fmt::format("{}: is of {}, the events of {} are of {}", input.path, app, reading.bug,
                                 reading.events.app));
}

bool has_handler_lines(const std::vector<Trace>& traces) {
  return std::ranges::any_of(traces, [](const Trace& trace) {
    return std::ranges::any_of(trace.steps, [](const Step& step) { return !step.seen.log.empty(); });
  });
}

/// The traces in a file or folder; none: it is a log.
Result<std::vector<Trace>> traces_in(const std::string& path, const fs::path& store, Progress& progress) {
  std::vector<Trace> out;
  if (is_store_id(path)) {
    NORN_TRY(Trace trace, from_store(path, store));
    out.push_back(std::move(trace));
    return out;
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    NORN_TRY(DroidbotRun run, read_droidbot_run(path));
    if (!run.crashes.empty() && !run.trace.steps.empty() && !run.trace.crash())
      run.trace.steps.back().seen.crash = run.crashes.front();  // at which step is not known
    out.push_back(std::move(run.trace));
    return out;
  }
  if (!fs::is_regular_file(path, ignored)) return out;  // a pipe must not be read twice
  const std::string head = head_of(path);
  if (is_trace_json(head)) {
    NORN_TRY(const std::string bytes, read_file(path));
    NORN_TRY(ReadTrace read, norn::read_trace(bytes, path));
    for (const std::string& warning : read.warnings) progress.warning(path + ": " + warning);
    out.push_back(std::move(read.trace));
  } else if (is_monkey_log(head)) {
    NORN_TRY(const std::string bytes, read_file(path));
    NORN_TRY(std::vector<MonkeyRun> runs, parse_monkey_log(bytes, path));
    for (MonkeyRun& run : runs) out.push_back(std::move(run.trace));
  }
  return out;
}

}  // namespace

Result<DiagnoseInputs> sort_inputs(const std::vector<std::string>& given) {
  DiagnoseInputs out;
  std::vector<std::string> automata;  // in folders
  for (const std::string& text : given) {
    std::string tool, path = text;
    if (const std::size_t equals = text.find('=');
        equals != std::string::npos && equals > 0 && !is_there(text)) {
      tool = text.substr(0, equals);
      path = text.substr(equals + 1);
    }
    std::error_code ignored;
    if (fs::is_directory(path, ignored) && !is_droidbot_run(path)) {
      NORN_CHECK(add_folder(tool, path, out, automata));
    } else if (fs::path(path).extension() == ".jff") {
      out.bugs.push_back(path);
    } else {
      if (path != "-" && !is_store_id(path) && !is_there(path))
        return fail(Error::Kind::not_found, "there is no such file, folder, trace or crash", path);
      if (tool.empty() && fs::path(path).has_parent_path())
        tool = tool_of(path, fs::path(path).parent_path());
      add_log(tool, path, out);
    }
  }
  if (out.bugs.empty()) out.bugs = std::move(automata);
  if (out.bugs.empty())
    return fail(Error::Kind::bad_input, "no bug automaton among the files", {},
                "give at least one JFLAP file: norn diagnose BUG.jff LOG");
  return out;
}

fs::path events_beside(const fs::path& jff) {
  if (const fs::path own = events_path(jff); is_there(own)) return own;
  const std::string stem = jff.stem().string();
  const std::size_t cut = stem.rfind('_');
  if (cut == std::string::npos) return {};
  const std::string number = stem.substr(cut + 1, stem.find_first_not_of("0123456789", cut + 1) - cut - 1);
  const fs::path published =
      jff.parent_path() / fmt::format("{}_configuration-#{}.json", stem.substr(0, cut), number);
  return !number.empty() && is_there(published) ? published : fs::path();
}

Result<bool> feed_log(const DiagnoseInput& input, const LogReading& reading, Progress& progress) {
  const std::string path = input.path == "-" ? "/dev/stdin" : input.path;
  if (const auto cell = cell_in(path)) {
    warn_of_another_app(input, reading, cell->cell.app.substr(0, cell->cell.app.find(' ')), progress);
    return feed_cell(*cell, reading);
  }
  NORN_TRY(const std::vector<Trace> traces, traces_in(path, reading.store, progress));
  if (!traces.empty()) {
    warn_of_another_app(input, reading, app_of(traces.front()), progress);
    if (reading.events.patterns.empty() && !has_handler_lines(traces))
      progress.warning(input.path +
                       ": no handler logged anything, so nothing can be told; say with --events how to "
                       "recognise the events");
    feed_traces(traces, reading);
    return true;
  }
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored))
    if (const std::string what = what_no_text_is(head_of(path)); !what.empty())
      return fail(Error::Kind::bad_input, "is no log: " + what, input.path,
                  "a trace or crash in a store is named t17 or c3, with --store FILE");
  LogOptions all = reading.options;
  if (all.crash_signature.empty()) all.crash_signature = reading.events.crash_signature;
  NORN_CHECK(read_log(path, reading.alphabet, all, reading.labels));
  return true;
}

}  // namespace norn::cli
