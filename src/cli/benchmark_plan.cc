#include "cli/benchmark_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/bug_events.h"
#include "cli/read_toml.h"

namespace norn::cli {
namespace {

constexpr std::string_view advice = "see docs/benchmark.md";

std::unexpected<Error> wrong(std::string_view file, std::string what) {
  return fail(Error::Kind::bad_input, std::move(what), std::string(file), std::string(advice));
}

Result<std::uint64_t> count_at(const toml::table& table, const char* key, std::int64_t least,
                               std::uint64_t otherwise, std::string_view file) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value<std::int64_t>();
  if (!node->is_integer() || !value || *value < least || *value > 1'000'000)
    return wrong(file, fmt::format("\"{}\" must be a number from {} to 1000000", key, least));
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
  if (!seconds || !(*seconds > 0) || !std::isfinite(*seconds))
    return wrong(file, fmt::format("\"{}\" must be a time such as \"30m\"", key));
  return *seconds;
}

/// Empty where nothing is said.
Result<std::string> text_at(const toml::table& table, const char* key, std::string_view file) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::string();
  if (!node->is_string()) return wrong(file, fmt::format("\"{}\" must be a text", key));
  return node->value<std::string>().value_or("");
}

/// What stands in a list of the one type; nothing where nothing is said. `in_words`: of such things.
Result<std::vector<const toml::node*>> list_at(const toml::table& table, const char* key,
                                               toml::node_type type, std::string_view in_words,
                                               std::string_view file) {
  std::vector<const toml::node*> out;
  const toml::node* node = table.get(key);
  if (node == nullptr) return out;
  const toml::array* list = node->as_array();
  bool good = list != nullptr;
  for (std::size_t i = 0; good && i < list->size(); ++i) {
    out.push_back(&(*list)[i]);
    good = out.back()->type() == type;
  }
  if (good) return out;
  return wrong(file, fmt::format("\"{}\" must be a list of {}", key, in_words));
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
  NORN_TRY(const std::string automaton, text_at(table, "automaton", file));
  NORN_TRY(const std::string events, text_at(table, "events", file));
  NORN_TRY(bug.device, text_at(table, "device", file));
  NORN_TRY(bug.name, text_at(table, "name", file));
  if (automaton.empty()) return wrong(file, "a [[bug]] without an \"automaton\"");
  bug.automaton = folder / automaton;
  bug.events = events.empty() ? events_path(bug.automaton) : folder / events;
  if (bug.device.empty()) bug.device = device;
  if (bug.device.empty()) return wrong(file, "a [[bug]] without a \"device\"");
  if (bug.name.empty()) bug.name = bug.automaton.stem().string();
  return bug;
}

Result<Plan> plan_of(const toml::table& root, std::string_view file, const std::filesystem::path& folder) {
  NORN_CHECK(
      only_known(root, {"strategies", "repeats", "seed", "snapshots", "budget", "device", "bug"}, file));
  Plan plan;
  NORN_TRY(plan.repeats, count_at(root, "repeats", 1, plan.repeats, file));
  NORN_TRY(plan.seed, count_at(root, "seed", 0, plan.seed, file));
  NORN_TRY(plan.snapshots, count_at(root, "snapshots", 0, plan.snapshots, file));
  NORN_TRY(plan.budget, duration_at(root, "budget", plan.budget, file));
  NORN_TRY(const auto strategies, list_at(root, "strategies", toml::node_type::string, "names", file));
  for (const toml::node* one : strategies) plan.strategies.push_back(one->value<std::string>().value_or(""));
  if (plan.strategies.empty()) return wrong(file, "no \"strategies\"");
  NORN_TRY(const std::string device, text_at(root, "device", file));
  NORN_TRY(const auto bugs, list_at(root, "bug", toml::node_type::table, "tables: [[bug]]", file));
  for (const toml::node* one : bugs) {
    NORN_TRY(PlannedBug bug, read_bug(*one->as_table(), device, file, folder));
    if (std::ranges::find(plan.bugs, bug.name, &PlannedBug::name) != plan.bugs.end())
      return wrong(file, fmt::format("two bugs are called \"{}\"", bug.name));
    plan.bugs.push_back(std::move(bug));
  }
  if (plan.bugs.empty()) return wrong(file, "no [[bug]]");
  return plan;
}

}  // namespace

Result<Plan> read_plan(std::string_view text, std::string_view file, const std::filesystem::path& folder) {
  const Result<toml::table> root = read_toml(text, file);
  if (root) return plan_of(*root, file, folder);
  return fail(root.error().kind, root.error().what, root.error().where, std::string(advice));
}

}  // namespace norn::cli
