#include "formats/screen_reader.h"

#include "base/text.h"
#include "formats/droidbot_state.h"
#include "formats/screen_xml.h"

namespace norn {
namespace {

/// JSON begins with a brace, after a byte order mark and white space in any encoding.
bool looks_like_json(std::string_view bytes) {
  const std::size_t at = bytes.find_first_not_of(std::string_view("\xef\xbb\xbf\xff\xfe \t\r\n\0", 10));
  return at != std::string_view::npos && bytes[at] == '{';
}

}  // namespace

Result<Screen> parse_screen(std::string_view bytes, std::string_view file) {
  return looks_like_json(bytes) ? parse_droidbot_state(bytes, file) : parse_screen_xml(bytes, file);
}

Result<bool> ScreenReader::read(std::string_view bytes, std::string_view file) {
  if (any_ && bytes == last_) return false;
  NORN_TRY(screen_, parse_screen(bytes, file));
  last_ = bytes, any_ = true;
  return true;
}

}  // namespace norn
