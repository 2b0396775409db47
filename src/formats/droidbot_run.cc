#include "formats/droidbot_run.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "formats/droidbot_fields.h"
#include "formats/droidbot_state.h"
#include "formats/logcat.h"
#include "formats/natural_order.h"

namespace norn {
namespace {

namespace fs = std::filesystem;

/// Genie marks states of the seed and of the mutant: "0a55...[s]".
std::string bare_state(std::string name) {
  name.resize(std::min(name.find('['), name.size()));
  return name;
}

std::vector<fs::path> json_files(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".json")) out.push_back(it->path());
  }
  std::sort(out.begin(), out.end(), [](const fs::path& a, const fs::path& b) {
    return natural_less(a.filename().string(), b.filename().string());
  });
  return out;
}

/// "2023-10-19_003937" or "2020-02-22_000541-98" in seconds; the suffix is a counter.
std::optional<double> seconds_of(std::string_view tag) {
  if (tag.size() < 17 || tag[4] != '-' || tag[7] != '-' || tag[10] != '_') return std::nullopt;
  const auto year = to_int(tag.substr(0, 4)), month = to_int(tag.substr(5, 2)),
             day = to_int(tag.substr(8, 2));
  const auto clock = to_int(tag.substr(11, 6));
  if (!year || !month || !day || !clock || *clock < 0) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days * 86400L + *clock / 10000 * 3600 + *clock / 100 % 100 * 60 + *clock % 100);
}

bool is_system_dialog(std::string_view package) {
  return package == "android" || package.ends_with("permissioncontroller") ||
         package.ends_with("packageinstaller");
}

/// Puts one run together.
class DroidbotRunReader {
 public:
  DroidbotRunReader(fs::path folder, std::stop_token stop)
      : folder_(std::move(folder)), stop_(std::move(stop)) {
    out_.trace.origin = folder_.string();
  }

  Result<DroidbotRun> read() {
    for (const char* states : {"states", "all_states"})
      for (const fs::path& file : json_files(folder_ / states, "state_"))
        if (!stop_.stop_requested()) read_state(file);
    for (const fs::path& file : json_files(folder_ / "events", "event_"))
      if (!stop_.stop_requested()) read_event(file);
    if (stop_.stop_requested())
      return fail(Error::Kind::cancelled, "asked to stop while it was read", folder_.string());
    read_graph();
    if (out_.trace.steps.empty())
      return fail(Error::Kind::bad_input,
                  "a DroidBot folder without a readable event" +
                      (out_.unreadable > 0 ? "; " + out_.first_unreadable : ""),
                  folder_.string(), "it should hold events/event_*.json or utg.js");
    mark_outside();
    read_log();
    return std::move(out_);
  }

 private:
  std::optional<JsonIn> read_json(const fs::path& file) {
    const auto bytes = read_recorded(file);
    auto value = bytes ? parse_json(*bytes, file.string()) : std::unexpected(bytes.error());
    if (value && value->is_object()) return *std::move(value);
    unreadable(file, value ? "it is no object" : value.error().what);
    return std::nullopt;
  }

  /// The first one is named: what is wrong with it is often wrong with all.
  void unreadable(const fs::path& file, const std::string& why) {
    if (out_.unreadable++ == 0) out_.first_unreadable = file.filename().string() + ": " + why;
  }

  void read_state(const fs::path& file) {
    const auto bytes = read_recorded(file);
    auto screen = bytes ? parse_droidbot_state(*bytes, file.string()) : std::unexpected(bytes.error());
    const auto value = screen ? parse_json(*bytes, file.string()) : std::unexpected(screen.error());
    if (!value) return unreadable(file, value.error().what);
    ++out_.states;
    screens_.try_emplace(bare_state(droidbot_text(*value, "state_str")), *std::move(screen));
  }

  Screen screen_of(const std::string& state) {
    const auto it = screens_.find(bare_state(state));
    if (it != screens_.end()) return it->second;
    ++out_.missing_states;
    Screen unseen;
    unseen.kind = Screen::Kind::unseen;
    return unseen;
  }

  void read_event(const fs::path& file) {
    const auto value = read_json(file);
    if (!value) return;
    const auto event = value->find("event");
    if (event == value->end()) return unreadable(file, "it holds no event");
    const Screen before = screen_of(droidbot_text(*value, "start_state"));
    const auto time = seconds_of(droidbot_text(*value, "tag"));
    if (!began_) began_ = time;
    const double at = time && began_ ? std::max(0.0, *time - *began_) : 0;
    if (out_.trace.steps.empty()) {
      out_.trace.start.emplace().screen = before;
      out_.trace.start->at = at;
    }
    Step step{droidbot_event(event->dump(-1, ' ', false, JsonIn::error_handler_t::replace), before), {}};
    step.seen.screen = screen_of(droidbot_text(*value, "stop_state"));
    step.seen.at = at;
    read_log_lines(*event, step.seen);
    out_.trace.steps.push_back(std::move(step));
  }

  void read_log_lines(const JsonIn& event, Observation& seen) {
    const auto log = event.is_object() ? event.find("log_lines") : event.end();
    if (!event.is_object() || log == event.end() || !log->is_array()) return;
    std::string text;
    for (const JsonIn& line : *log)
      if (line.is_string()) text += line.get<std::string>() + "\n";
    for (auto& found : parse_logcat(text))
      if (!found.crash.handled) keep_distinct(std::move(found.crash), seen, out_.more);
  }

  /// utg.js is `var utg = {...}`; it also names the app.
  void read_graph() {
    for (const char* name : {"utg.js", "utg.json"}) {
      const auto bytes = read_recorded(folder_ / name);
      if (!bytes) continue;
      const auto brace = bytes->find('{');
      const auto graph = parse_json(std::string_view(*bytes).substr(std::min(brace, bytes->size())), name);
      if (!graph) unreadable(name, graph.error().what);
      if (!graph || !graph->is_object()) continue;
      out_.package = droidbot_text(*graph, "app_package");
      if (out_.trace.steps.empty()) take_edges(*graph);
      return;
    }
  }

  static const JsonIn& list(const JsonIn& object, const char* name) {
    static const JsonIn none = JsonIn::array();
    if (!object.is_object()) return none;
    const auto it = object.find(name);
    return it != object.end() && it->is_array() ? *it : none;
  }

  /// Each edge lists its events with their number in the run.
  void take_edges(const JsonIn& graph) {
    out_.graph_only = true;
    std::map<std::string, Screen> nodes;
    for (const JsonIn& node : list(graph, "nodes")) {
      Screen screen;
      screen.kind = Screen::Kind::unseen;
      screen.package = droidbot_text(node, "package");
      screen.activity = droidbot_text(node, "activity");
      nodes[droidbot_text(node, "id")] = std::move(screen);
    }
    std::map<std::int64_t, Step> steps;
    for (const JsonIn& edge : list(graph, "edges"))
      for (const JsonIn& event : list(edge, "events")) {
        const auto id = event.is_object() ? event.find("event_id") : event.end();
        if (!event.is_object() || id == event.end() || !id->is_number_integer()) continue;
        Step step{graph_event(droidbot_text(event, "event_str")), {}};
        step.seen.screen = nodes[droidbot_text(edge, "to")];
        step.seen.screen.kind = Screen::Kind::unseen;
        steps.emplace(id->get<std::int64_t>(), std::move(step));
      }
    for (auto& [id, step] : steps) out_.trace.steps.push_back(std::move(step));
  }

  /// "KeyEvent(state=..., name=BACK)", "IntentEvent(intent='am start ...')"; a view is only a hash.
  static Event graph_event(const std::string& text) {
    const auto field = [&](std::string_view name) {
      const auto at = text.find(name);
      if (at == std::string::npos) return std::string();
      const auto end = text.find_first_of(",)'", at + name.size());
      return text.substr(at + name.size(), end == std::string::npos ? end : end - at - name.size());
    };
    JsonOut event = JsonOut::object();
    if (text.starts_with("KeyEvent"))
      event = {{"event_type", "key"}, {"name", field("name=")}};
    else if (text.starts_with("IntentEvent"))
      event = {{"event_type", "intent"},
               {"intent", field(text.find("intent='") != std::string::npos ? "intent='" : "intent=")}};
    if (!event.empty()) {
      Event known = droidbot_event(dump_line(event), {});
      if (!std::holds_alternative<Raw>(known)) return known;
    }
    return Raw{"droidbot", shorten(text, 4000)};
  }

  /// Screens of other packages are outside, as soon as the app's own is known.
  void mark_outside() {
    for (const Step& step : out_.trace.steps)
      if (const auto* launch = std::get_if<Launch>(&step.event); launch != nullptr && out_.package.empty())
        out_.package = launch->package;
    const auto mark = [&](Screen& screen) {
      if (screen.kind == Screen::Kind::app && !out_.package.empty() && screen.package != out_.package &&
          !is_system_dialog(screen.package))
        screen.kind = Screen::Kind::outside;
    };
    if (out_.trace.start) mark(out_.trace.start->screen);
    for (Step& step : out_.trace.steps) mark(step.seen.screen);
  }

  void read_log() {
    const auto bytes = read_recorded(folder_ / "logcat.txt");
    if (!bytes) return;
    for (auto& found : parse_logcat(*bytes))
      if (!found.crash.handled && found.crash.process == out_.package && !out_.package.empty())
        out_.crashes.push_back(std::move(found.crash));
  }

  fs::path folder_;
  std::stop_token stop_;
  DroidbotRun out_;
  std::map<std::string, Screen> screens_;
  std::optional<double> began_;
};

}  // namespace

bool is_droidbot_run(const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_regular_file(folder / "utg.js", ignored)) return true;
  return fs::is_directory(folder / "events", ignored) && !json_files(folder / "events", "event_").empty();
}

Result<DroidbotRun> read_droidbot_run(const fs::path& folder, const std::stop_token& stop) {
  return DroidbotRunReader(folder, stop).read();
}

}  // namespace norn
