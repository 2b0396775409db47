#include "cli/benchmark_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/bug_events.h"
#include "cli/read_toml.h"

namespace norn::cli {
namespace {

constexpr std::string_view advice = "see docs/benchmark.md";

std::unexpected<Error> wrong(std::string_view file, std::string what) {
  return fail(Error::Kind::bad_input, std::move(what), std::string(file), std::string(advice));
}

Result<std::uint64_t> count_at(const toml::table& table, const char* key, std::uint64_t otherwise,
                               std::string_view file) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value<std::int64_t>();
  if (!node->is_integer() || !value || *value < 0 || *value > 1'000'000)
    return wrong(file, fmt::format("\"{}\" must be a number from 0 to 1000000", key));
  return static_cast<std::uint64_t>(*value);
}

Result<double> duration_at(const toml::table& table, const char* key, double otherwise,
                           std::string_view file) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return otherwise;
  std::optional<double> seconds;
  if (const auto text = node->value<std::string>(); node->is_string() && text)
    seconds = parse_duration(*text);
  if (node->is_integer() || node->is_floating_point()) seconds = node->value<double>();
  if (!seconds || !(*seconds > 0))
    return wrong(file, fmt::format("\"{}\" must be a time such as \"30m\"", key));
  return *seconds;
}

Status only_known(const toml::table& table, const std::vector<std::string>& known, std::string_view file) {
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto near = did_you_mean(name, known);
    return wrong(file, fmt::format("\"{}\" means nothing here{}", name,
                                   near ? ", did you mean \"" + *near + "\"?" : ""));
  }
  return {};
}

Result<PlannedBug> read_bug(const toml::table& table, const std::string& device, std::string_view file,
                            const std::filesystem::path& folder) {
  NORN_CHECK(only_known(table, {"name", "device", "automaton", "events"}, file));
  PlannedBug bug;
  const auto text = [&](const char* key) { return table[key].value<std::string>().value_or(""); };
  if (text("automaton").empty()) return wrong(file, "a [[bug]] without an \"automaton\"");
  bug.automaton = folder / text("automaton");
  bug.events = text("events").empty() ? events_path(bug.automaton) : folder / text("events");
  bug.device = text("device").empty() ? device : text("device");
  if (bug.device.empty()) return wrong(file, "a [[bug]] without a \"device\"");
  bug.name = text("name").empty() ? bug.automaton.stem().string() : text("name");
  return bug;
}

Result<Plan> plan_of(const toml::table& root, std::string_view file, const std::filesystem::path& folder) {
  NORN_CHECK(
      only_known(root, {"strategies", "repeats", "seed", "snapshots", "budget", "device", "bug"}, file));
  Plan plan;
  NORN_TRY(plan.repeats, count_at(root, "repeats", plan.repeats, file));
  NORN_TRY(plan.seed, count_at(root, "seed", plan.seed, file));
  NORN_TRY(plan.snapshots, count_at(root, "snapshots", plan.snapshots, file));
  NORN_TRY(plan.budget, duration_at(root, "budget", plan.budget, file));
  if (const toml::array* list = root["strategies"].as_array())
    for (const auto& one : *list)
      if (const auto name = one.value<std::string>(); one.is_string() && name)
        plan.strategies.push_back(*name);
  if (plan.strategies.empty()) return wrong(file, "no \"strategies\"");
  const std::string device = root["device"].value<std::string>().value_or("");
  if (const toml::array* list = root["bug"].as_array())
    for (const auto& one : *list) {
      if (!one.is_table()) return wrong(file, "\"bug\" must be tables: [[bug]]");
      NORN_TRY(PlannedBug bug, read_bug(*one.as_table(), device, file, folder));
      if (std::ranges::find(plan.bugs, bug.name, &PlannedBug::name) != plan.bugs.end())
        return wrong(file, fmt::format("two bugs are called \"{}\"", bug.name));
      plan.bugs.push_back(std::move(bug));
    }
  if (plan.bugs.empty()) return wrong(file, "no [[bug]]");
  if (plan.repeats == 0) return wrong(file, "\"repeats\" must be at least 1");
  return plan;
}

}  // namespace

Result<Plan> read_plan(std::string_view text, std::string_view file, const std::filesystem::path& folder) {
  const Result<toml::table> root = read_toml(text, file);
  if (root) return plan_of(*root, file, folder);
  return fail(root.error().kind, root.error().what, root.error().where, std::string(advice));
}

}  // namespace norn::cli
