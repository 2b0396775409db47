// Any text as an app, any touches on it: norn never crashes and never hangs.
#include <cstdint>
#include <string>

#include "device/sim/options.h"
#include "device/sim/runtime.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace norn::sim;
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto source = read_source("fuzz.lua", text);
  auto options = parse_options("x?profile=instant");
  if (!source || !options) return 0;
  auto runtime = Runtime::load(std::move(*source), std::move(*options));
  if (!runtime) return 0;
  Runtime& rt = **runtime;
  rt.start(1);
  norn::Rng rng(size);
  for (int i = 0; i < 8; ++i) {
    const norn::Screen screen = rt.screen();
    norn::Point at{100, 300};
    if (!screen.widgets.empty()) at = screen.widgets[rng.below(screen.widgets.size())].bounds.center();
    std::int64_t waited = 0;
    rt.guarded([&] {
      rt.act(norn::Touch{at, 50}, true);
      rt.settle(waited);
    });
    if (i == 3) {
      const Moment moment = rt.save();
      rt.restore(moment, 0);
    }
  }
  return 0;
}
