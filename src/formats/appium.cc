#include "formats/appium.h"

#include "formats/screen_xml.h"

namespace norn {

Result<Screen> parse_appium(std::string_view bytes, std::string_view file) {
  return parse_screen_xml(bytes, file, ScreenDialect::appium);
}

}  // namespace norn
