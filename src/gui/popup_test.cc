#include "gui/popup.h"

#include <gtest/gtest.h>

namespace norn {
namespace {

Screen window(Rect bounds) {
  Screen out;
  out.width = 1080, out.height = 1920;
  out.widgets.emplace_back();
  out.widgets[0].bounds = bounds;
  return out;
}

TEST(Popup, IsWhatDoesNotFillTheScreen) {
  EXPECT_TRUE(is_popup(window({500, 80, 1060, 600}))) << "a menu";
  EXPECT_TRUE(is_popup(window({0, 1300, 1080, 1920}))) << "a sheet at the bottom";
  EXPECT_TRUE(is_popup(window({60, 200, 1020, 1800}))) << "a dialog with many choices";
  EXPECT_FALSE(is_popup(window({0, 72, 1080, 1920}))) << "a page below the status bar";
  EXPECT_FALSE(is_popup(window({0, 72, 960, 1920}))) << "beside the system's bar";
  EXPECT_FALSE(is_popup(Screen{}));
}

}  // namespace
}  // namespace norn
