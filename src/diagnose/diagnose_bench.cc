// How fast logs are read, in seconds of CPU: automaton steps on decoded labels, and gigabytes of text.
// Usage: diagnose_bench [--full]. Prints a table, and how much memory reading added.
#include <fmt/core.h>
#include <sys/resource.h>

#include <cstring>
#include <ctime>

#include "base/rng.h"
#include "diagnose/analysis.h"
#include "diagnose/labels.h"

namespace norn {
namespace {

/// A bug with `length` pivot events in a row, each of which can also be done one state back, and Back moves.
Nfa ladder(std::uint32_t length) {
  Nfa nfa;
  for (std::uint32_t i = 0; i <= length; ++i) {
    nfa.states.push_back({"q" + std::to_string(i), i == 0, i == length});
    if (i == length) break;
    nfa.transitions.push_back({i, i + 1, std::to_string(i + 1)});
    if (i > 0) nfa.transitions.push_back({i, i, std::to_string(i)});
    if (i > 1) nfa.transitions.push_back({i, i - 1, ""});
  }
  return nfa;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Of this process, so that others on the same machine do not count.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void steps(const char* name, const Bug& bug, double relaunches, std::size_t rounds) {
  Rng rng(1);
  std::vector<Label> codes(1 << 16);
  for (Label& c : codes)
    c = rng.chance(relaunches) ? signal::relaunch : static_cast<Label>(rng.below(bug.labels()));
  Analyser analyser(bug);
  const double begin = cpu_seconds();
  for (std::size_t i = 0; i < rounds; ++i) analyser.feed({codes, {}});
  const double time = cpu_seconds() - begin;
  const RunResult run = analyser.finish().at(0);
  fmt::print("| {} | {} | {} | {:.0f} M/s | {} |\n", name, bug.labels(), bug.dfa.live(),
             static_cast<double>(run.events) / time / 1e6, run.md ? std::to_string(*run.md) : "-");
}

/// A logcat of which one line in `every` is a handler's.
std::string logcat(std::size_t bytes, std::size_t every, std::size_t labels) {
  Rng rng(2);
  std::string out;
  for (std::size_t i = 0; out.size() < bytes; ++i)
    out +=
        i % every == 0
            ? fmt::format("08-12 10:{:02}:{:02}.000  1234  1250 I Themis  : Event {}: something was done\n",
                          i / 60 % 60, i % 60, 1 + rng.below(labels))
            : fmt::format(
                  "08-12 10:{:02}:{:02}.000   {}  1250 D ViewRootImpl: relayout of window {} took {} ms in "
                  "all\n",
                  i / 60 % 60, i % 60, 500 + rng.below(500), rng.below(100000), rng.below(40));
  return out;
}

void reader(const char* name, const Bug& bug, const std::string& text, std::size_t rounds) {
  const Alphabet alphabet(bug.dfa.labels);
  Analyser analyser(bug);
  LogParser parser(alphabet, {}, [&](const LabelBatch& batch) { analyser.feed(batch); });
  const double begin = cpu_seconds();
  for (std::size_t i = 0; i < rounds; ++i)
    for (std::size_t at = 0; at < text.size(); at += 1 << 20)
      parser.feed(std::string_view(text).substr(at, 1 << 20));
  parser.finish();
  const double time = cpu_seconds() - begin;
  fmt::print("| {} | {:.2f} GB/s | {:.1f} M events/s |\n", name,
             static_cast<double>(text.size()) * static_cast<double>(rounds) / time / 1e9,
             static_cast<double>(analyser.finish().at(0).events) / time / 1e6);
}

int main_of(bool full) {
  const Bug small = make_bug("small", ladder(6)).value(), large = make_bug("large", ladder(60)).value();
  const Bug ddroid = make_bug("small", ladder(6), {Semantics::ddroid, OnRelaunch::keep}).value();
  const std::size_t rounds = full ? 16384 : 2048;
  fmt::print("| automaton steps | labels | states | steps | MD |\n|---|---|---|---|---|\n");
  steps("6 events", small, 0, rounds);
  steps("6 events, --rules ddroid", ddroid, 0, rounds);
  steps("6 events, 1 % relaunches", small, 0.01, rounds);
  steps("60 events", large, 0, rounds);

  fmt::print("\n| text | read | found in it |\n|---|---|---|\n");
  const std::size_t size = 32 << 20, times = full ? 64 : 8;
  const std::string sparse = logcat(size, 100, 6), dense = logcat(size, 1, 6);
  std::string list;
  for (Rng rng(3); list.size() < size;) list += std::to_string(1 + rng.below(6)) + '\n';
  const double made = peak_megabytes();
  reader("logcat, 1 line in 100 a handler's", small, sparse, times);
  reader("logcat, handlers' lines only", small, dense, times);
  reader("plain list of labels", small, list, times);

  // The texts are made before anything is read, so what reading adds is the reader's own.
  fmt::print("\npeak memory {:.1f} MB with the texts made, {:.1f} MB after all of them were read {} times\n",
             made, peak_megabytes(), times);
  return 0;
}

}  // namespace
}  // namespace norn

int main(int argc, char** argv) { return norn::main_of(argc > 1 && std::strcmp(argv[1], "--full") == 0); }
