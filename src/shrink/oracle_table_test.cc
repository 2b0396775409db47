// Faithfulness on recorded traces: the published reducers need exactly the device seconds that an independent
// program needed. The oracle's rules are written here once more, apart from device/oracle.cc.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "base/average.h"
#include "shrink/fakes.h"
#include "shrink/printed_table.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

class Recorded final : public Question {
 public:
  Recorded(const nlohmann::json& trace, const nlohmann::json& the_case)
      : states_(trace["states"].get<std::vector<std::uint64_t>>()), case_(the_case) {}

  Verdict ask(const Candidate& c) override { return run(c) ? Verdict::yes : Verdict::no; }
  Verdict reaches(const Candidate& c, StateId state) override {
    return !run(c) && state_ == state.value ? Verdict::yes : Verdict::no;
  }
  Problem problem() const {
    Problem p{static_cast<std::uint32_t>(states_.size() - 1), {}};
    for (std::size_t i = 1; i < states_.size(); ++i) p.states.push_back({states_[i]});
    return p;
  }
  double seconds = 0;

 private:
  bool run(const Candidate& candidate) {
    seconds += 5 + 0.65 * static_cast<double>(candidate.kept.size());
    std::set<std::size_t> done{1};
    state_ = states_[1];
    std::size_t last = states_.size();
    for (std::uint32_t position : candidate.kept) {
      std::size_t event = position + 2;
      if (machine_ && states_[event - 1] != state_) continue;
      if (event < last) state_ = states_[event];
      done.insert(event);
      for (auto [undoes, undone] : undo_)
        if (undoes == event) done.erase(undone);
      if (event == last) return crashes(done);
    }
    return false;
  }
  bool crashes(const std::set<std::size_t>& done) const {
    if (!std::ranges::includes(done, need_)) return false;
    return std::ranges::all_of(any_, [&](const auto& any) {
      return std::ranges::count_if(any.second, [&](std::size_t e) { return done.contains(e); }) >= any.first;
    });
  }

  std::vector<std::uint64_t> states_;
  const nlohmann::json& case_;
  bool machine_ = case_["machine"].get<bool>();
  std::set<std::size_t> need_ = case_["need"].get<std::set<std::size_t>>();
  std::vector<std::pair<int, std::set<std::size_t>>> any_ =
      case_["any"].get<std::vector<std::pair<int, std::set<std::size_t>>>>();
  std::vector<std::pair<std::size_t, std::size_t>> undo_ =
      case_["undo"].get<std::vector<std::pair<std::size_t, std::size_t>>>();
  std::uint64_t state_ = 0;
};

using Seconds = std::map<std::string, std::map<std::string, std::vector<double>>>;  // row, algorithm

void measure(const nlohmann::json& trace, Seconds& table) {
  for (const nlohmann::json& c : trace["cases"]) {
    if (c["rate"].get<double>() < 1) continue;
    std::string row = c["kind"].get<std::string>() + (c["machine"].get<bool>() ? " m" : "");
    for (const std::string& name : std::span(kPublished).first(6)) {
      Recorded recorded(trace, c);
      Remembering question(recorded);
      (*algorithm_by_name(name))(recorded.problem(), question);
      table[row][name].push_back(recorded.seconds);
      table["all"][name].push_back(recorded.seconds);
    }
  }
}

TEST(OracleTable, DeviceSecondsAreThoseOfAnIndependentProgram) {
  const char* shared = std::getenv("NORN_SHARED");
  std::filesystem::path folder =
      std::filesystem::path(shared != nullptr ? shared : NORN_SOURCE_DIR "/../shared") / "data/oracles";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared data at " << folder;
  Seconds table;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json")
      measure(nlohmann::json::parse(std::ifstream(entry.path())), table);
  if (table["all"]["dd"].size() != 2069) GTEST_SKIP() << "these are not the oracles of the printed table";
  for (const auto& [row, printed] : kPrinted)
    for (std::size_t i = 0; i < printed.size(); ++i) {
      double wanted_mean = 0, wanted_median = 0;
      ASSERT_EQ(std::sscanf(printed[i].c_str(), "%lf/%lf", &wanted_mean, &wanted_median), 2);
      EXPECT_NEAR(mean(table[row][kPublished[i]]), wanted_mean, 0.51) << row << ' ' << kPublished[i];
      EXPECT_NEAR(median(table[row][kPublished[i]]), wanted_median, 0.51) << row << ' ' << kPublished[i];
    }
}

}  // namespace
}  // namespace norn
