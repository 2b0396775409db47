// Pairs of trees a second, against the textbook in the same run. Real screens: the uiautomator dumps of the
// recordings (neighbours in one folder: what a tool compares); generated: trees of 50, 150 and 400 nodes, the
// second one a little changed, or another one.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>

#include "base/file.h"
#include "base/rng.h"
#include "formats/uiautomator.h"
#include "gui/difference.h"
#include "gui/ted_reference.h"

namespace norn {
namespace {

using testing::PlainTree;
struct Sample {
  TedTree tree;
  PlainTree plain;
};
using Pairs = std::vector<std::pair<Sample, Sample>>;

Sample sample_of(const Screen& screen) {
  Sample out{HashedScreen(screen).tree(), {}};
  for (const Widget& w : screen.widgets)
    out.plain.push_back({fmt::format("{}|{}|{}|{}|{}|{}|{}", w.cls, w.id, w.text, w.desc, w.hint,
                                     accepted_by(w) & ~accepts_swipe, w.flags & (8 | 16 | 64 | 256)),
                         w.subtree});
  return out;
}

Screen generated(std::size_t size, Rng& rng) {
  Screen s;
  std::vector<std::int32_t> depths;
  for (std::size_t i = 0; i < size; ++i) {
    Widget w;
    w.cls = fmt::format("class{}", rng.below(12)), w.id = fmt::format("id{}", rng.below(size / 3 + 1));
    w.text = fmt::format("text {}", rng.below(size));
    s.widgets.push_back(w);
    const std::int32_t last = depths.empty() ? 0 : depths.back();
    depths.push_back(
        i == 0 ? 0
               : 1 + static_cast<std::int32_t>(rng.below(static_cast<std::size_t>(std::min(last + 1, 9)))));
  }
  link_by_depth(s.widgets, depths);
  return s;
}

Screen changed(Screen s, Rng& rng) {
  for (int i = 0; i < 6; ++i)
    s.widgets[rng.below(s.widgets.size())].text = fmt::format("new {}", rng.below(1000));
  return s;
}

Pairs generated_pairs(std::size_t size, bool related) {
  Rng rng(size);
  Pairs out;
  for (int i = 0; i < 12; ++i) {
    const Screen a = generated(size, rng);
    out.emplace_back(sample_of(a), sample_of(related ? changed(a, rng) : generated(size, rng)));
  }
  return out;
}

Pairs real_pairs() {
  namespace fs = std::filesystem;
  const char* shared = std::getenv("NORN_SHARED");
  const fs::path root = fs::path(shared ? shared : NORN_SOURCE_DIR "/../shared") / "data/uiautomator";
  Pairs out;
  std::error_code error;
  for (const auto& folder : fs::directory_iterator(root, error)) {
    if (!folder.is_directory()) continue;
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(folder)) files.push_back(file.path());
    std::ranges::sort(files);
    std::optional<Sample> last;
    for (const auto& file : files) {
      const auto bytes = read_file(file);
      const auto screen = bytes ? parse_uiautomator(*bytes, file.string()) : fail(Error::Kind::io, "");
      if (!screen || screen->widgets.empty() || screen->widgets.size() > 600) continue;
      Sample now = sample_of(*screen);
      if (last && last->tree.hash() != now.tree.hash()) out.emplace_back(*last, now);
      last = std::move(now);
    }
  }
  return out;
}

double pairs_per_second(const Pairs& pairs, double at_least,
                        const std::function<void(const Sample&, const Sample&)>& work) {
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0;
  std::size_t done = 0;
  while (seconds < at_least) {
    for (const auto& [a, b] : pairs) work(a, b);
    done += pairs.size();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return static_cast<double>(done) / seconds;
}

void measure(std::string_view name, const Pairs& pairs) {
  if (pairs.empty()) return;
  double nodes = 0, operations = 0;
  for (const auto& [a, b] : pairs) {
    nodes += static_cast<double>(a.tree.size() + b.tree.size()) / 2;
    const auto mine = ted_distance(a.tree, b.tree);
    operations += *mine;
    if (static_cast<int>(*mine) != testing::textbook_distance(a.plain, b.plain))
      fmt::print("DIFFERENT ANSWERS\n");
  }
  const auto n = static_cast<double>(pairs.size());
  volatile std::uint32_t sink = 0;
  const double quick =
      pairs_per_second(pairs, 0.4, [&](auto& a, auto& b) { sink = ted_map(a.tree, b.tree).operations; });
  const double plain = pairs_per_second(pairs, 0.4, [&](auto& a, auto& b) {
    sink = static_cast<std::uint32_t>(testing::textbook_distance(a.plain, b.plain));
  });
  fmt::print("{:24} {:6} {:7.0f} {:10.1f} {:12.0f} {:12.1f} {:8.1f}\n", name, pairs.size(), nodes / n,
             operations / n, quick, plain, quick / plain);
}

}  // namespace
}  // namespace norn

int main() {
  using namespace norn;
  fmt::print("{:24} {:>6} {:>7} {:>10} {:>12} {:>12} {:>8}\n", "trees", "pairs", "nodes", "distance",
             "pairs/s", "textbook/s", "times");
  measure("uiautomator dumps", real_pairs());
  for (const std::size_t size : {50U, 150U, 400U}) {
    measure(fmt::format("{} nodes, 6 changed", size), generated_pairs(size, true));
    measure(fmt::format("{} nodes, unrelated", size), generated_pairs(size, false));
  }
}
