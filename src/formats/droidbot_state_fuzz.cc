// Whatever the bytes are: read or refused with a sentence; a screen that was read is well linked and survives
// being written as a dump.
#include <cstdlib>

#include "formats/droidbot_state.h"
#include "formats/uiautomator.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const auto screen = norn::parse_droidbot_state({reinterpret_cast<const char*>(bytes), size}, "file");
  if (!screen) {
    require(!screen.error().what.empty() && screen.error().where.starts_with("file"));
    return 0;
  }
  for (const norn::Widget& w : screen->widgets)
    require(w.bounds.left <= w.bounds.right && w.bounds.top <= w.bounds.bottom);
  const std::string written = norn::write_uiautomator(*screen);
  const auto again = norn::parse_uiautomator(written, "again");
  require(again && again->widgets.size() == screen->widgets.size() &&
          norn::write_uiautomator(*again) == written);
  for (std::size_t i = 0; i < again->widgets.size(); ++i)
    require(again->widgets[i].parent == screen->widgets[i].parent &&
            again->widgets[i].bounds == screen->widgets[i].bounds);
  return 0;
}
