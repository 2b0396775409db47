// Device seconds of the published reducers on the shared oracles without snapshots, beside the figures that an
// independent program got under the same rules (specs/perf.md). A run costs 5 s + 0.65 s per event executed, a
// candidate asked before nothing.
//
//     build/release/bench/shrink_table_bench [FOLDER]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/average.h"
#include "device/oracle.h"
#include "shrink/printed_table.h"
#include "shrink/shrink.h"

namespace {
using namespace norn;

class OracleQuestion final : public Question {
 public:
  OracleQuestion(const Oracle& oracle, const OracleCase& the_case) : oracle_(oracle), case_(the_case) {}

  Verdict ask(const Candidate& candidate) override {
    return run(candidate, nullptr) ? Verdict::yes : Verdict::no;
  }
  Verdict reaches(const Candidate& candidate, StateId state) override {
    StateId end;
    bool crashed = run(candidate, &end);
    return !crashed && end == state ? Verdict::yes : Verdict::no;
  }
  double seconds = 0;
  std::uint64_t runs = 0;

 private:
  bool run(const Candidate& candidate, StateId* end) {
    OracleRun run(oracle_, case_);
    bool crashed = false;
    for (std::uint32_t p : candidate.kept) crashed = run.perform(p + 2) || crashed;
    if (end != nullptr) *end = {static_cast<std::uint64_t>(run.state())};
    seconds += 5 + 0.65 * static_cast<double>(candidate.kept.size());
    ++runs;
    return crashed;
  }
  const Oracle& oracle_;
  const OracleCase& case_;
};

struct Column {
  std::vector<double> seconds, with_pass;
  std::uint64_t runs = 0, size = 0, minimal = 0;
};

const std::vector<std::string> kRows{"none m",  "none",     "near m", "near",    "uniform m", "uniform",
                                     "offpath", "either m", "undo m", "count m", "all"};
using Table = std::map<std::string, std::map<std::string, Column>>;

void measure(const Oracle& oracle, const OracleCase& c, Table& table) {
  Problem problem{oracle.events() - 1, {}};
  for (std::size_t i = 1; i < oracle.states.size(); ++i)
    problem.states.push_back({static_cast<std::uint64_t>(oracle.states[i])});
  for (const std::string& name : algorithm_names()) {
    OracleQuestion device(oracle, c);
    Remembering question(device);
    Shrunk shrunk = (*algorithm_by_name(name))(problem, question);
    double seconds = device.seconds;
    std::uint64_t runs = device.runs;
    Shrunk minimal = minimal_pass(shrunk.kept, question);
    for (const std::string& row : {c.kind + (c.machine ? " m" : ""), std::string("all")}) {
      Column& column = table[row][name];
      column.seconds.push_back(seconds);
      column.with_pass.push_back(device.seconds);
      column.runs += runs;
      column.size += shrunk.kept.size();
      column.minimal += minimal.kept.size() == shrunk.kept.size() ? 1 : 0;
    }
  }
}

/// How many printed figures differ from ours by more than rounding.
int print_row(const std::string& row, const std::map<std::string, Column>& columns) {
  int wrong = 0;
  std::string line = fmt::format("{:10}", row);
  auto printed = kPrinted.find(row);
  std::size_t i = 0;
  for (const std::string& name : algorithm_names()) {
    const Column& c = columns.at(name);
    std::string ours = fmt::format("{:.0f}/{:.0f}", mean(c.seconds), median(c.seconds));
    bool differs = printed != kPrinted.end() && i < printed->second.size() && printed->second[i] != ours;
    double m = median(c.seconds), off = std::abs(m - std::floor(m) - 0.5);
    if (differs && off > 0.06) ++wrong;  // x.5 rounds either way
    line += fmt::format(" {:>12}{}", ours, differs ? "!" : " ");
    ++i;
  }
  fmt::print("{}\n", line);
  return wrong;
}

void print_extra(const std::map<std::string, Column>& all) {
  fmt::print(
      "\nall deterministic cases: runs and size (mean), 1-minimal, seconds with the 1-minimality pass\n");
  for (const std::string& name : algorithm_names()) {
    const Column& c = all.at(name);
    auto n = static_cast<double>(c.seconds.size());
    fmt::print("{:10} {:6.1f} runs {:6.2f} events {:5.1f} %  {:.0f}/{:.0f}\n", name,
               static_cast<double>(c.runs) / n, static_cast<double>(c.size) / n,
               100 * static_cast<double>(c.minimal) / n, mean(c.with_pass), median(c.with_pass));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* shared = std::getenv("NORN_SHARED");
  std::filesystem::path folder =
      argc > 1
          ? std::filesystem::path(argv[1])
          : std::filesystem::path(shared != nullptr ? shared : NORN_SOURCE_DIR "/../shared") / "data/oracles";
  std::error_code error;
  Table table;
  std::size_t traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".json") continue;
    Result<Oracle> oracle = read_oracle(entry.path());
    if (!oracle) {
      fmt::print(stderr, "{}\n", oracle.error().message());
      return 2;
    }
    ++traces;
    for (const OracleCase& c : oracle->cases)
      if (c.rate == 1) measure(*oracle, c, table);
  }
  if (table.empty()) {
    fmt::print(stderr, "no oracles in {}\n", folder.string());
    return 2;
  }
  fmt::print("{} traces, {} deterministic cases; device seconds, mean/median\n{:10}", traces,
             table["all"]["dd"].seconds.size(), "");
  for (const std::string& name : algorithm_names()) fmt::print(" {:>12} ", name);
  fmt::print("\n");
  int wrong = 0;
  for (const std::string& row : kRows)
    if (table.contains(row)) wrong += print_row(row, table[row]);
  print_extra(table["all"]);
  if (argc > 1) return 0;
  fmt::print("\n{}\n",
             wrong == 0 ? "equal to the printed table" : fmt::format("{} figures differ (!)", wrong));
  return wrong == 0 ? 0 : 1;
}
