// Whatever the bytes are: read or refused with a sentence; what was read is written so that reading and
// writing it again changes nothing.
#include <cstdlib>

#include "base/text.h"
#include "formats/screen_reader.h"
#include "formats/uiautomator.h"
#include "gui/target.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const norn::Screen& screen) {
  const std::string written = norn::write_uiautomator(screen);
  const auto again = norn::parse_uiautomator(written, "again");
  require(again.has_value());
  require(norn::write_uiautomator(*again) == written);
  require(again->widgets.size() == screen.widgets.size());
  for (std::size_t i = 0; i < screen.widgets.size() && i < 50; ++i) {
    const auto found = norn::resolve(norn::make_target(screen, i), screen);
    require(std::holds_alternative<norn::Found>(found) && std::get<norn::Found>(found).widget == i);
  }
  require(norn::is_utf8(norn::outline(screen)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const auto screen = norn::parse_screen({reinterpret_cast<const char*>(bytes), size}, "file");
  if (screen)
    check(*screen);
  else
    require(!screen.error().what.empty() && screen.error().where.starts_with("file"));
  return 0;
}
