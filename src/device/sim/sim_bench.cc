// How fast the simulated device is: perform + observe on one core with coverage, save + restore, for every
// bundled app. Times are of computing, so that a busy machine does not show.
#include <cstdio>
#include <ctime>

#include "device/sim.h"
#include "gui/screen.h"

namespace {

using norn::Flag;

double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A walk over what can be touched.
norn::Action next_action(const norn::Screen& screen, norn::Rng& rng) {
  if (screen.kind != norn::Screen::Kind::app) return norn::Open{};
  const std::size_t start = screen.widgets.empty() ? 0 : rng.below(screen.widgets.size());
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const auto& w = screen.widgets[(start + i) % screen.widgets.size()];
    if (w.is(Flag::editable)) return norn::Text{"Milk", w.bounds.center()};
    if (w.is(Flag::clickable)) return norn::Touch{w.bounds.center()};
  }
  return norn::Press{norn::key::back};
}

}  // namespace

int main(int argc, char** argv) {
  const int events = argc > 1 ? std::atoi(argv[1]) : 5000;
  std::printf("%-12s %12s %14s %12s %12s\n", "app", "events/s", "save+restore", "snapshot", "crashes");
  double total = 0, apps = 0;
  for (const std::string& name : norn::sim_apps()) {
    const std::string spec = "sim:" + name + "?profile=instant";
    auto device = norn::open_sim(spec);
    auto app = norn::sim_app(spec);
    if (!device || !app) continue;
    norn::Device& d = **device;
    norn::Rng rng(1);
    int crashes = 0;
    if (!d.start(*app, 1)) continue;
    auto seen = d.observe();
    const double begin = now();
    for (int i = 0; i < events && seen; ++i) {
      if (rng.chance(0.05))
        (void)d.perform(norn::Press{norn::key::back}, {});
      else
        (void)d.perform(next_action(seen->screen, rng), {});
      seen = d.observe();
      if (seen && seen->crash) {
        ++crashes;
        (void)d.start(*app, 1);
        seen = d.observe();
      }
    }
    const double rate = events / (now() - begin);
    const double middle = now();
    for (int i = 0; i < 1000; ++i) {
      const auto id = d.save();
      if (!id || !d.restore(*id, 0)) return 1;
      d.forget(*id);
    }
    const double micro = (now() - middle) * 1000;
    std::printf("%-12s %12.0f %11.0f us %9zu KB %12d\n", name.c_str(), rate, micro,
                static_cast<std::size_t>(d.info().snapshot_bytes / 1024), crashes);
    total += rate;
    apps += 1;
  }
  std::printf("mean %.0f events/s over %.0f apps\n", total / apps, apps);
}
