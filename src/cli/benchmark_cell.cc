#include "cli/benchmark_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/file.h"
#include "base/hash.h"
#include "cli/json_result.h"

namespace norn::cli {

namespace fs = std::filesystem;

std::string Cell::file_name() const {
  std::string name = strategy;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '+' && c != '-') c = '_';
  const auto key = Hasher().add(device).add(strategy).add(seed).add(fmt::format("{}", budget)).finish();
  return fmt::format("{}-{}-{}.json", name.substr(0, 40), seed, hex(key).substr(0, 8));
}

std::string cell_json(const CellResult& r) {
  JsonOut bugs = JsonOut::array();
  for (const CellBug& b : r.bugs)
    bugs.push_back({{"bug", b.bug}, {"hash", b.hash}, {"found_s", or_null(b.found)}, {"log", b.log}});
  const JsonOut out{{"norn", "benchmark cell"},    {"version", 1},         {"device", r.cell.device},
                    {"strategy", r.cell.strategy}, {"seed", r.cell.seed},  {"budget", r.cell.budget},
                    {"app", r.cell.app},           {"seconds", r.seconds}, {"events", r.events},
                    {"trouble", r.trouble},        {"bugs", bugs},         {"effort", effort_json(r.effort)}};
  return out.dump(1, ' ', false, JsonOut::error_handler_t::replace) + "\n";
}

std::optional<CellResult> read_cell(const fs::path& path) {
  const auto text = read_file(path, std::uintmax_t{1} << 28);
  const auto json = text ? parse_json(*text, path.string()) : std::unexpected(text.error());
  if (!json || !json->is_object() || json->value("norn", JsonIn()) != "benchmark cell") return std::nullopt;
  CellResult out;
  double seed = 1, events = 0;
  Fields(*json, "cell")
      .text("device", out.cell.device)
      .text("strategy", out.cell.strategy)
      .number("seed", seed)
      .number("budget", out.cell.budget)
      .text("app", out.cell.app)
      .number("seconds", out.seconds)
      .number("events", events)
      .text("trouble", out.trouble);
  out.cell.seed = static_cast<std::uint64_t>(std::max(0.0, seed));
  out.events = static_cast<std::uint64_t>(std::max(0.0, events));
  const auto bugs = json->find("bugs");
  if (bugs == json->end() || !bugs->is_array()) return std::nullopt;
  for (const JsonIn& one : *bugs) {
    CellBug bug;
    double found = -1;
    Fields(one, "bug").text("bug", bug.bug).text("hash", bug.hash).text("log", bug.log);
    if (one.is_object() && one.contains("found_s") && one["found_s"].is_number())
      found = one["found_s"].get<double>();
    if (found >= 0) bug.found = found;
    out.bugs.push_back(std::move(bug));
  }
  return out;
}

}  // namespace norn::cli
