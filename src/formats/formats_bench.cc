// How fast screens are read: MB/s and nodes/s of parsing, and what recognising an unchanged screen costs in
// comparison, on the recordings where they are there and on generated dumps.
#include <fmt/core.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/file.h"
#include "formats/screen_reader.h"
#include "formats/shared_data.h"
#include "formats/uiautomator.h"
#include "gui/abstraction.h"
#include "gui/target.h"

namespace norn {
namespace {

/// Seconds of one call, repeated for about a tenth of a second.
double seconds_of(auto&& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::size_t runs = 0;
  while (Clock::now() - start < std::chrono::milliseconds(100)) work(), ++runs;
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(runs);
}

struct Dump {
  std::string bytes;
  Screen screen;
};

void row(std::string_view name, const std::vector<Dump>& dumps) {
  if (dumps.empty()) return fmt::print("{:28} not there\n", name);
  std::size_t bytes = 0, nodes = 0, found = 0;
  for (const Dump& d : dumps) bytes += d.bytes.size(), nodes += d.screen.widgets.size();
  const double parse = seconds_of([&] {
    for (const Dump& d : dumps) found += parse_screen(d.bytes, "x").has_value();
  });
  std::vector<ScreenReader> readers(dumps.size());
  for (std::size_t i = 0; i < dumps.size(); ++i) found += readers[i].read(dumps[i].bytes, "x").value();
  const double same = seconds_of([&] {
    for (std::size_t i = 0; i < dumps.size(); ++i) found += readers[i].read(dumps[i].bytes, "x").value();
  });
  const double write = seconds_of([&] {
    for (const Dump& d : dumps) found += write_uiautomator(d.screen).size();
  });
  const double hash = seconds_of([&] {
    for (const Dump& d : dumps) found += abstract(d.screen, Abstraction::structure).value & 1;
  });
  const double mb = static_cast<double>(bytes) / 1e6, n = static_cast<double>(dumps.size());
  fmt::print("{:28} {:6} {:8} {:8.0f} {:8.1f} {:9.4f} {:9.0f} {:9.1f}\n", name, dumps.size(),
             nodes / dumps.size(), mb / parse, parse / n * 1e6, same / parse, mb / write, hash / n * 1e6);
  if (found == 0) fmt::print("nothing was read\n");
}

std::vector<Dump> recorded(const std::string& folder, std::string_view prefix) {
  std::vector<Dump> out;
  for (const auto& path : shared_files(folder)) {
    if (!path.filename().string().starts_with(prefix)) continue;
    std::string bytes = read_file(path).value_or("");
    if (auto screen = parse_screen(bytes, "x")) out.push_back({std::move(bytes), *std::move(screen)});
  }
  return out;
}

Dump generated(std::size_t nodes, std::int32_t depth) {
  Screen s;
  std::vector<std::int32_t> depths;
  for (std::size_t i = 0; i < nodes; ++i) {
    Widget w;
    w.cls = "android.widget.TextView", w.id = fmt::format("org.app:id/item_{}", i % 20),
    w.package = "org.app";
    w.text = fmt::format("Item number {}", i), w.bounds = {0, 0, 1080, 100};
    w.set(Flag::enabled), w.set(Flag::visible), w.set(Flag::clickable, i % 3 == 0);
    s.widgets.push_back(std::move(w));
    depths.push_back(i == 0 ? 0 : 1 + static_cast<std::int32_t>(i) % depth);
  }
  link_by_depth(s.widgets, depths);
  return {write_uiautomator(s), s};
}

/// make_target and resolve, once per event.
void targets(const Dump& dump) {
  std::size_t i = 0, found = 0;
  const std::size_t n = dump.screen.widgets.size();
  const double both = seconds_of([&] {
    found += std::holds_alternative<Found>(resolve(make_target(dump.screen, i), dump.screen));
    i = (i + 1) % n;
  });
  fmt::print("make_target + resolve on {} nodes: {:.0f} a second ({} found)\n", n, 1 / both,
             found > 0 ? "all" : "none");
}

}  // namespace
}  // namespace norn

int main() {
  using namespace norn;
  fmt::print("{:28} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9}\n", "screens", "files", "nodes", "MB/s",
             "us each", "unchanged", "wr. MB/s", "hash us");
  row("uiautomator recordings", recorded("uiautomator", ""));
  row("appium recordings", recorded("appium", ""));
  row("droidbot recordings", recorded("droidbot", "state_"));
  row("generated, 94 nodes", {generated(94, 12)});
  row("generated, 10,000 nodes", {generated(10'000, 12)});
  row("generated, depth 5,000", {generated(5'000, 100'000)});
  targets(generated(100, 10));
  return 0;
}
