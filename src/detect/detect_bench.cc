// What detect finds: bundled and generated apps with functional bugs, somebody else's with --apps DIR, each
// explored and examined for 1 h on 2 devices (--full: 6 h on 4, three seeds; with --once: one).
//
// A report is true if it belongs to a bug: with only that bug on, its input ends on the screen that was
// reported, with only that bug off it does not. The same apps with bugs=none: every report is false. Variants
// beside it, and what made the executing cheaper: (layout, event) pairs with enough inputs per device hour.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "detect/missed.h"
#include "detect/pairs.h"
#include "detect/testing.h"
#include "device/sim/generate_truth.h"
#include "device/sim/truth.h"
#include "explore/explore.h"

namespace norn {
namespace {

struct Subject {
  std::string name, spec;
  std::set<std::string> bugs;                ///< functional ones: to be found
  std::vector<std::vector<Event>> triggers;  ///< of those
  std::vector<std::string> all;  ///< of any kind: a report of the oddity behind a crash is true as well
};

struct Setting {
  double budget = 3600;
  std::size_t devices = 2;
  std::uint64_t seed = 1;
  bool reached = false;  ///< the known bugs' own inputs are among those to begin with
  bool why = false;      ///< say of each bug why it was missed
};

Subject subject(std::string name, std::string spec, const std::vector<sim::KnownBug>& bugs) {
  Subject out{std::move(name), std::move(spec), {}, {}, {}};
  for (const auto& b : bugs) {
    if (b.kind == sim::KnownBug::Kind::functional) out.bugs.insert(b.id), out.triggers.push_back(b.events);
    out.all.push_back(b.id);
  }
  return out;
}

std::vector<Subject> bundled() {
  std::vector<Subject> out;
  for (const char* name : {"cards", "dice", "files", "lending", "mail", "notes", "photosync", "prefs",
                           "ringtone", "shop", "tips", "weight"})
    if (const auto truth = sim::load_truth(name))
      out.push_back(subject(name, std::string("sim:") + name, truth->bugs));
  return out;
}

std::vector<Subject> generated(bool full) {
  std::vector<Subject> out;
  for (const int screens : full ? std::vector{10, 20, 40, 80, 120, 200} : std::vector{10, 25, 50})
    if (const auto app = sim::generate_app(static_cast<std::uint64_t>(100 + screens), screens))
      out.push_back(subject(fmt::format("generated {}", screens),
                            fmt::format("sim:generated?seed={}&screens={}", 100 + screens, screens),
                            app->truth.bugs));
  return out;
}

/// "9001x40,9002x20": seed and screens.
std::vector<Subject> chosen_seeds(const std::string& list) {
  std::vector<Subject> out;
  for (const std::string_view one : split(list, ',')) {
    const auto parts = split(one, 'x');
    if (parts.size() != 2) continue;
    const std::string seed(parts[0]), screens(parts[1]);
    if (const auto app = sim::generate_app(std::stoull(seed), std::stoi(screens)))
      out.push_back(subject(std::string(one), fmt::format("sim:generated?seed={}&screens={}", seed, screens),
                            app->truth.bugs));
  }
  return out;
}

std::vector<Subject> own(const std::string& folder) {
  std::vector<Subject> out;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    if (file.path().extension() != ".lua") continue;
    Subject s = subject(file.path().stem().string(), "sim:" + file.path().string(), {});
    auto truth_file = file.path();
    truth_file.replace_extension(".bugs.json");
    if (const auto text = read_file(truth_file))
      if (const auto truth = sim::parse_truth(*text, "", truth_file.string()))
        s = subject(s.name, s.spec, truth->bugs);
    out.push_back(std::move(s));
  }
  return out;
}

std::string with(const std::string& spec, const std::string& option) {
  return spec + (spec.find('?') == std::string::npos ? "?" : "&") + option;
}

/// The last screen of the input on a fresh device.
std::optional<Screen> ends_on(const std::string& spec, const std::vector<Event>& input) {
  const auto service = testing::serve(spec, {});
  if (!service) return std::nullopt;
  Replay& replay = *(*service)->replay;
  const Outcome o = replay.ask({.events = replay.intern(input)});
  if (o.verdict != Verdict::yes) return std::nullopt;
  return replay.history().screen(o.end);
}

std::vector<Event> but_last(std::vector<Event> events) {
  if (!events.empty()) events.pop_back();
  return events;
}

bool differ(const std::optional<Screen>& a, const std::optional<Screen>& b) {
  return a.has_value() != b.has_value() || (a && !alike(*a, *b));
}

/// Whether the bug makes the report: of two ways that should end alike, whether they end differently in
/// something in which they agree without it (a clock may run on both); of a single input, whether it ends
/// elsewhere with the bug than without it (or stands elsewhere before its last event, if that is what it is
/// about), both with all other bugs on and with none of them.
bool belongs(const Report& r, const std::string& spec, const std::string& bug) {
  const std::string only = with(spec, "bugs=" + bug), others = with(spec, "bugs=-" + bug),
                    none = with(spec, "bugs=none");
  const auto ends = [&](const std::string& app) { return ends_on(app, r.deviant); };
  if (!r.ends_should_agree || !r.reads_as.first.empty()) {
    if (differ(ends(only), ends(none)) && differ(ends(spec), ends(others))) return true;
    static const std::set<std::string_view> of_two{"across", "signs", "chosen"};
    if (!of_two.contains(r.kind)) return false;  // the last two screens do not agree
    const auto before = [&](const std::string& app) { return ends_on(app, but_last(r.deviant)); };
    return differ(before(only), before(none)) && differ(before(spec), before(others));
  }
  const auto apart = [&](const std::string& app) -> KindsOfWidgets {
    const auto deviant = ends(app), normal = ends_on(app, r.normal);
    if (!deviant || !normal || alike(*deviant, *normal)) return {};
    auto kinds = kinds_that_differ(*deviant, *normal);
    if (deviant->activity != normal->activity) kinds.emplace(deviant->activity, normal->activity);
    return kinds;
  };
  KindsOfWidgets made, shown = apart(spec);  // by the bug, and by all of them
  std::ranges::set_difference(apart(only), apart(others), std::inserter(made, made.end()));
  return std::ranges::any_of(made, [&](const auto& kind) { return shown.contains(kind); });
}

/// The bugs a report and what it lists belong to. It is true if at least half of them do.
struct Judged {
  std::set<std::string> bugs;
  bool truth = false;
};

std::string bug_of(const Report& r, const Subject& s) {
  for (const std::string& bug : s.all)
    if (belongs(r, s.spec, bug)) return bug;
  return {};
}

Judged judged(const Report& r, const Subject& s) {
  Judged out;
  std::size_t all = 0, yes = 0;
  const auto one = [&](const Report& part) {
    const std::string bug = bug_of(part, s);
    ++all, yes += !bug.empty();
    if (!bug.empty()) out.bugs.insert(bug);
  };
  one(r);
  for (const ReportPart& part : r.more) {
    Report other;
    other.ends_should_agree = true, other.normal = part.normal, other.deviant = part.deviant;
    one(other);
  }
  out.truth = 2 * yes >= all;
  return out;
}

struct Row {
  std::set<std::string> found;
  std::size_t reports = 0, truth = 0, flaky = 0, covered = 0, groups = 0;
  double hours = 0, cpu = 0, cold_hours = 0;
};

/// Inputs as `norn detect` makes them: two strategies; with `reached` the known bugs' own inputs, too.
std::vector<BootstrapInput> bootstrap(Replay& replay, const Subject& s, const Setting& setting) {
  std::vector<BootstrapInput> out;
  Quiet quiet;
  for (const char* strategy : {"norn", "random"}) {
    ExploreOptions options;
    options.strategy = strategy, options.seed = setting.seed, options.confirm = 0;
    options.seconds = setting.budget * explore_share / 2;
    const std::size_t before = replay.history().size();
    if (!explore(replay, options, quiet)) continue;
    std::ranges::copy(inputs_since(replay.history(), before, strategy), std::back_inserter(out));
  }
  if (setting.reached)
    for (const auto& input : s.triggers)
      if (const Outcome o = replay.ask({.events = replay.intern(input)}); o.verdict == Verdict::yes)
        out.push_back({o.end, "known"});
  return out;
}

Row examine(const Subject& s, const std::string& spec, const Setting& setting, DetectOptions options,
            bool show, std::size_t snapshots = 16, bool clean = false) {
  Row row;
  const auto begun = std::chrono::steady_clock::now();
  FleetOptions fleet;
  fleet.budget = setting.budget, fleet.seed = setting.seed;
  fleet.snapshots.number = snapshots;
  const auto service = testing::serve(spec, fleet, setting.devices);
  if (!service) {
    fmt::print("{}: {}\n", spec, service.error().message());
    return row;
  }
  Replay& replay = *(*service)->replay;
  options.seed = setting.seed;
  const auto inputs = bootstrap(replay, s, setting);
  Quiet quiet;
  const auto found = detect(replay, inputs, options, quiet);
  if (!found) return row;
  row.reports = found->reports.size(), row.flaky = found->flaky.size();
  row.covered = found->covered, row.groups = found->groups;
  for (std::size_t i = 0; i < found->reports.size(); ++i) {
    const Judged verdict = clean ? Judged{} : judged(found->reports[i], s);
    row.truth += verdict.truth;
    for (const std::string& bug : verdict.bugs)
      if (s.bugs.contains(bug)) row.found.insert(bug);
    if (show)
      fmt::print("--- {} {}/{} {}\n{}\n", s.name, found->reports[i].oracle, found->reports[i].kind,
                 clean            ? std::string("CLEAN")
                 : !verdict.truth ? std::string("FALSE")
                                  : fmt::format("{}", fmt::join(verdict.bugs, " ")),
                 report_text(found->reports[i], i + 1));
  }
  if (show)
    for (const auto& [phase, effort] : found->effort)
      fmt::print(
          "--- {} spent {:.2f} device hours, {:.2f} h of {:.2f} on {}: {} runs, {} restarts, {} loads, {} "
          "saves, {} events\n",
          s.name, effort.device_seconds / 3600, effort.makespan_seconds / 3600, setting.budget / 3600, phase,
          effort.runs, effort.restarts, effort.snapshot_loads, effort.snapshot_saves, effort.events);
  if (setting.why && !clean)
    testing::why_missed(replay.history(), s.bugs, row.found, s.name,
                        [&](const std::string& bug) { return with(s.spec, "bugs=-" + bug); });
  const Costs costs;  // a simulated device's
  row.cold_hours = (static_cast<double>(found->cold_runs) * costs.restart +
                    static_cast<double>(found->cold_events) * costs.event) /
                   3600;
  row.hours = replay.spent().device_seconds / 3600;
  row.cpu = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return row;
}

struct Variant {
  std::string name;
  DetectOptions options;
};

std::vector<Variant> variants() {
  std::vector<Variant> out(11);
  out[0].name = "default";
  out[1].name = "odin";
  out[7].name = "neutral", out[8].name = "hidden", out[9].name = "independent", out[10].name = "values";
  for (const std::size_t v : {1, 2, 3, 4, 5, 6}) out[v].options.oracles = {"odin"};
  for (const std::size_t v : {3, 4, 5}) out[v].options.habit = 0;
  for (const std::size_t v : {7, 8, 9, 10}) out[v].options.oracles = {out[v].name};
  out[2].name = "nocalib", out[2].options.calibrate = false;
  out[3].name = "simple", out[3].options.cluster.simple = true;
  out[3].options.cluster.anomaly.rule = AnomalyRule::all, out[3].options.unexplained = false;
  out[4].name = "paper rule", out[4].options.cluster.anomaly.rule = AnomalyRule::paper;
  out[5].name = "as the paper compares", out[5].options.cluster.texts = true,
  out[5].options.unexplained = false;
  out[6].name = "texts, unexplained", out[6].options.cluster.texts = true;
  return out;
}

void table(const std::string& title, const std::vector<Subject>& subjects,
           const std::vector<Setting>& settings, const Variant& variant, bool show) {
  fmt::print("\n{}, {}\n{:16} {:>5} {:>6} {:>8} {:>5} {:>6} {:>6} {:>9} {:>7} {:>7}\n", title, variant.name,
             "app", "bugs", "found", "reports", "true", "flaky", "clean", "covered", "pairs/h", "cpu s");
  std::size_t bugs = 0, found = 0, reports = 0, truth = 0, clean = 0;
  for (const Subject& s : subjects) {
    Row sum;
    std::size_t on_clean = 0;
    if (show)
      for (const std::string& bug : s.bugs) fmt::print("--- {} has {}\n", s.name, bug);
    for (const Setting& setting : settings) {
      const Row row = examine(s, s.spec, setting, variant.options, show);
      const Row none = examine(s, with(s.spec, "bugs=none"), setting, variant.options, show, 16, true);
      sum.found.insert(row.found.begin(), row.found.end());
      sum.reports += row.reports, sum.truth += row.truth, sum.flaky += row.flaky, on_clean += none.reports;
      sum.covered += row.covered, sum.groups += row.groups, sum.hours += row.hours,
          sum.cpu += row.cpu + none.cpu;
    }
    fmt::print("{:16} {:5} {:6} {:8} {:5} {:6} {:6} {:4}/{:4} {:7.0f} {:7.1f}", s.name, s.bugs.size(),
               sum.found.size(), sum.reports, sum.truth, sum.flaky, on_clean, sum.covered, sum.groups,
               static_cast<double>(sum.covered) / std::max(sum.hours, 0.01), sum.cpu);
    for (const auto& id : sum.found) fmt::print("  {}", id);
    fmt::print("\n");
    std::fflush(stdout);
    bugs += s.bugs.size(), found += sum.found.size(), reports += sum.reports, truth += sum.truth,
        clean += on_clean;
  }
  fmt::print("{:16} {:5} {:6} {:8} {:5} {:6} {:6}\n", "all", bugs, found, reports, truth, "", clean);
}

/// What makes executing cheaper, by its parts.
void factors(const std::vector<Subject>& subjects, const Setting& setting) {
  double by_itself =
      0;  // of the last one: device time if each input were run by itself, against what was spent
  const auto rate = [&](DetectOptions options, std::size_t snapshots) {
    double covered = 0, hours = 0, cold = 0;
    for (const Subject& s : subjects) {
      const Row row = examine(s, s.spec, setting, options, false, snapshots);
      covered += static_cast<double>(row.covered), hours += row.hours, cold += row.cold_hours;
    }
    by_itself = cold / std::max(hours, 0.01);
    return covered / std::max(hours, 0.01);
  };
  DetectOptions plain;
  plain.tail = 1, plain.alike = plain.inputs;  // one event after each input, N inputs whatever they show
  DetectOptions sequential;
  sequential.tail = 1;
  plain.oracles = sequential.oracles = {"odin"};
  DetectOptions whole;
  whole.oracles = {"odin"};
  const double base = rate(plain, 0), by_sequence = rate(sequential, 0), by_tree = rate(whole, 0);
  const double tree_alone = by_itself;
  const double all = rate(whole, 16);
  fmt::print("\n(layout, event) pairs with enough inputs per device hour\n");
  fmt::print("  one event an input, cold, fixed N     {:7.0f}\n", base);
  fmt::print("  sequential                            {:7.0f}  x {:.2f}\n", by_sequence, by_sequence / base);
  fmt::print("  every step is an input                {:7.0f}  x {:.2f}\n", by_tree, by_tree / by_sequence);
  fmt::print("  snapshots                             {:7.0f}  x {:.2f}\n", all, all / by_tree);
  fmt::print("  together                                       x {:.2f}\n", all / base);
  fmt::print(
      "against cold replays only: device time if each input of these pairs were run by itself from a clean "
      "start\n");
  fmt::print("  answered by the tree                           x {:.2f}\n", tree_alone);
  fmt::print("  snapshots                                      x {:.2f}\n", by_itself / tree_alone);
  fmt::print("  together                                       x {:.2f}\n", by_itself);
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) {
  using namespace norn;
  bool full = false, show = false, reached = false, why = false, once = false;
  double hours = 0;  ///< in place of the usual
  std::string apps, only, chosen, seeds;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--full")) full = true;
    if (!std::strcmp(argv[i], "--show")) show = true;
    if (!std::strcmp(argv[i], "--once")) once = true;
    if (!std::strcmp(argv[i], "--reached")) reached = true;
    if (!std::strcmp(argv[i], "--why")) why = true;
    if (!std::strcmp(argv[i], "--apps") && i + 1 < argc) apps = argv[++i];
    if (!std::strcmp(argv[i], "--variant") && i + 1 < argc) chosen = argv[++i];
    if (!std::strcmp(argv[i], "--seeds") && i + 1 < argc) seeds = argv[++i];
    if (!std::strcmp(argv[i], "--only") && i + 1 < argc) only = argv[++i];
    if (!std::strcmp(argv[i], "--hours") && i + 1 < argc) hours = std::atof(argv[++i]);
  }
  std::vector<Setting> settings{{full ? 6 * 3600.0 : 3600.0, full ? 4U : 2U, 1, false, false}};
  if (full && !once)
    settings.push_back({6 * 3600.0, 4, 2, false, false}),
        settings.push_back({6 * 3600.0, 4, 3, false, false});
  for (Setting& setting : settings) {
    setting.reached = reached, setting.why = why;
    if (hours > 0) setting.budget = hours * 3600;
  }
  auto ours = bundled();
  auto made = generated(full);
  if (!seeds.empty()) ours.clear(), made = chosen_seeds(seeds);
  if (!only.empty()) {
    std::erase_if(ours, [&](const Subject& s) { return s.name != only; });
    std::erase_if(made, [&](const Subject& s) { return s.name != only; });
  }
  const auto all = variants();
  const std::size_t most = only.empty() ? all.size() : 2;
  for (std::size_t v = 0; v < (chosen.empty() ? most : all.size()); ++v) {
    if (!chosen.empty() && all[v].name != chosen) continue;
    if (!ours.empty()) table("bundled apps", ours, settings, all[v], show);
    if (!made.empty()) table("generated apps", made, settings, all[v], show);
    if (!apps.empty()) table("apps of " + apps, own(apps), settings, all[v], show);
  }
  if ((only.empty() && chosen.empty()) || chosen == "factors")
    factors(ours.empty() ? made : ours, settings[0]);
}
