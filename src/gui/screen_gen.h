// Arbitrary screens for property tests: few words, so that equal ids, labels, classes and paths are common.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "gui/screen.h"

namespace norn::testing {

inline rc::Gen<std::string> word(std::vector<std::string> words) {
  return rc::gen::elementOf(std::move(words));
}

inline rc::Gen<Widget> widgets() {
  return rc::gen::map(
      rc::gen::tuple(word({"", "android.widget.Button", "android.widget.EditText", "android.webkit.WebView",
                           "android.widget.ListView"}),
                     word({"", "", "a:id/x", "a:id/y"}), word({"", "", "A", "B", "AB"}),
                     word({"", "", "A", "d"}), word({"", "", "h"}), rc::gen::inRange<int>(0, 4096),
                     rc::gen::container<std::vector<int>>(4, rc::gen::inRange(0, 4))),
      [](const auto& t) {
        Widget w{.cls = std::get<0>(t),
                 .id = std::get<1>(t),
                 .text = std::get<2>(t),
                 .desc = std::get<3>(t),
                 .hint = std::get<4>(t),
                 .package = {},
                 .bounds = {}};
        w.flags = static_cast<std::uint16_t>(std::get<5>(t));
        const auto& b = std::get<6>(t);
        w.bounds = {b[0], b[1], b[2], b[3]};
        return w;
      });
}

/// Links `all` into a forest whose shape comes from `rises`: how deep each may stand below the one before.
inline std::vector<Widget> linked(std::vector<Widget> all, const std::vector<int>& rises) {
  std::vector<std::int32_t> depths(all.size());
  for (std::size_t i = 1; i < all.size(); ++i)
    depths[i] = rises.empty() ? 0 : rises[i % rises.size()] % (depths[i - 1] + 2);
  link_by_depth(all, depths);
  return all;
}

inline rc::Gen<Screen> screens() {
  return rc::gen::map(rc::gen::tuple(rc::gen::container<std::vector<Widget>>(widgets()),
                                     rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100)),
                                     word({"", "p"}), word({"", ".Main"}), rc::gen::inRange(0, 4)),
                      [](const auto& t) {
                        Screen s;
                        s.kind = static_cast<Screen::Kind>(std::get<4>(t));
                        s.package = std::get<2>(t), s.activity = std::get<3>(t);
                        s.widgets = linked(std::get<0>(t), std::get<1>(t));
                        return s;
                      });
}

}  // namespace norn::testing
