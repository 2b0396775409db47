// The table of docs/diagnose-automata.md: sizes, distances and pairs of every automaton in the given folders
// (default: the recorded ones), each figure computed a second time by the reference and compared.
//
//   build/release/bench/automata_bench [FOLDER|FILE...] > docs/diagnose-automata.md
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "diagnose/analysis.h"
#include "diagnose/reference.h"
#include "diagnose/table.h"
#include "formats/jflap.h"

namespace norn {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> automata_in(const std::vector<fs::path>& places) {
  std::vector<fs::path> out;
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place)) out.push_back(place);
    if (!fs::is_directory(place)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(place))
      if (entry.path().extension() == ".jff") out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

bool agrees(const Bug& bug) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const auto& [x, y] : bug.pairs) pairs.emplace(bug.dfa.labels[x], bug.dfa.labels[y]);
  return bug.dfa.live() == reference::live_sets(bug.nfa).size() && pairs == reference::pairs(bug.nfa) &&
         bug.start_distance() == reference::distance(bug.nfa, reference::initial(bug.nfa));
}

std::string word(const Bug& bug) {
  std::string out;
  for (const Label a : bug.trace) out += (out.empty() ? "" : " ") + bug.dfa.labels[a];
  return out;
}

/// Prints one row; false where something does not agree.
bool row(const fs::path& path) {
  const std::string name = path.parent_path().filename().string() + "/" + path.stem().string();
  const auto text = read_file(path);
  const auto file = text ? read_jflap(*text, path.string()) : std::unexpected(text.error());
  const auto bug = file ? make_bug(name, file->automaton) : std::unexpected(file.error());
  if (!bug) {
    fmt::print("| {} | {} | | | | | | | | | |\n", name, bug.error().what);
    return false;
  }
  const auto epsilon =
      std::ranges::count_if(bug->nfa.transitions, [](const auto& t) { return t.label.empty(); });
  const bool same = agrees(*bug);
  std::vector<std::string> remarks = file->repairs;
  remarks.insert(remarks.end(), bug->remarks.begin(), bug->remarks.end());
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, bug->nfa.states.size(),
             bug->nfa.transitions.size(), epsilon, bug->labels(), bug->dfa.live(), bug->minimal,
             show_distance(bug->start_distance()), bug->pairs.size(), word(*bug),
             !same ? "DIFFERS" : fmt::format("{}", fmt::join(remarks, "; ")));
  return same;
}

int main_of(std::vector<fs::path> places) {
  if (places.empty()) {
    const char* shared = std::getenv("NORN_SHARED");
    places = {fs::path(shared ? shared : NORN_SOURCE_DIR "/../shared") / "data/jff"};
  }
  fmt::print(
      "# The recorded automata\n\n"
      "Made by `build/release/bench/automata_bench > docs/diagnose-automata.md`. States, distance and pairs "
      "were each\n"
      "computed a second time by `src/diagnose/reference.h`, which knows neither tables nor minimisation.\n\n"
      "live: states of the subset construction without the dead one; minimal: of the smallest automaton of "
      "the same\n"
      "language; distance: pivot events from the start to the crash; pairs: on adjacent transitions.\n\n"
      "| automaton | states | transitions | epsilon | labels | live | minimal | distance | pairs | shortest "
      "word | remarks |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::size_t good = 0;
  const auto files = automata_in(places);
  for (const fs::path& path : files) good += row(path);
  fmt::print("\n{} automata, {} agree with the reference in every figure.\n", files.size(), good);
  return good == files.size() ? 0 : 1;
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) { return norn::main_of({argv + 1, argv + argc}); }
