// Every recorded screen, dumpsys text and coverage file is read, or refused with a sentence, and none takes a
// second.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "base/file.h"
#include "base/patience.h"
#include "formats/droidbot_state.h"
#include "formats/dumpsys.h"
#include "formats/jacoco.h"
#include "formats/screen_reader.h"
#include "formats/shared_data.h"
#include "formats/uiautomator.h"
#include "gui/abstraction.h"
#include "gui/target.h"

namespace norn {
namespace {

using Read = std::function<Status(std::string_view bytes, std::string_view file)>;

struct Tally {
  std::size_t read = 0, refused = 0;
};

/// Reads all files of a folder; a refusal must be a sentence that names the file.
Tally read_all(const std::vector<std::filesystem::path>& files, const Read& read) {
  Tally tally;
  for (const auto& path : files) {
    const auto bytes = read_file(path);
    EXPECT_TRUE(bytes.has_value()) << path;
    const auto start = ComputingClock::now();
    const Status status = read(*bytes, path.filename().string());
    EXPECT_LT(ComputingClock::now() - start, patience * std::chrono::seconds(1)) << path;
    ++(status ? tally.read : tally.refused);
    if (status) continue;
    EXPECT_TRUE(status.error().message().starts_with(path.filename().string())) << status.error().message();
    EXPECT_GT(status.error().what.size(), 10u);
    if (std::getenv("NORN_SHOW") != nullptr) std::printf("refused %s\n", status.error().message().c_str());
  }
  std::printf("%zu read, %zu refused\n", tally.read, tally.refused);
  return tally;
}

/// Reads a screen and holds it against what must be true of every screen.
Status check_screen(std::string_view bytes, std::string_view file) {
  NORN_TRY(const Screen screen, parse_screen(bytes, file));
  const std::string written = write_uiautomator(screen);
  const auto again = parse_uiautomator(written, file);
  EXPECT_TRUE(again.has_value()) << file << (again ? "" : again.error().message());
  if (!again) return {};
  EXPECT_EQ(write_uiautomator(*again), written) << file;
  EXPECT_EQ(again->widgets.size(), screen.widgets.size()) << file;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Resolution r = resolve(make_target(screen, i), screen);
    EXPECT_TRUE(std::holds_alternative<Found>(r) && std::get<Found>(r).widget == i)
        << file << " widget " << i;
  }
  EXPECT_FALSE(outline(screen).empty());
  return {};
}

#define NORN_NEED(files) \
  if ((files).empty()) GTEST_SKIP() << "no recordings: set NORN_SHARED"

TEST(SharedScreens, UiautomatorDumps) {
  const auto files = shared_files("uiautomator");
  NORN_NEED(files);
  std::vector<std::filesystem::path> plain, odd;
  for (const auto& f : files) (f.parent_path().filename() == "odd" ? odd : plain).push_back(f);
  EXPECT_EQ(read_all(plain, check_screen).refused, 0u);
  EXPECT_GT(read_all(odd, check_screen).refused, 0u);
}

TEST(SharedScreens, UiautomatorDumpsOfDevicesComeBackByteForByte) {
  const auto files = shared_files("uiautomator");
  NORN_NEED(files);
  std::size_t tried = 0, same = 0;
  for (const auto& path : files) {
    std::string bytes = read_file(path).value();
    if (!bytes.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy")) continue;
    if (bytes.find("drawing-order") == std::string::npos) continue;  // of a version with other attributes
    const auto screen = parse_uiautomator(bytes, "x");
    if (!screen) continue;
    const auto canonical = [](std::string text) {
      for (std::size_t at = 0; (at = text.find(" drawing-order=\"", at)) != std::string::npos;)
        text.erase(at, text.find('"', at + 16) + 1 - at);
      for (std::size_t at = 0; (at = text.find(" index=\"", at)) != std::string::npos;)
        text.erase(at, text.find('"', at + 8) + 1 - at);
      return text.substr(0, text.rfind("</hierarchy>") + 12);
    };
    ++tried;
    const bool equal = canonical(bytes) == canonical(write_uiautomator(*screen));
    same += equal;
    if (!equal && std::getenv("NORN_SHOW") != nullptr) std::printf("differs: %s\n", path.c_str());
  }
  std::printf("%zu of %zu\n", same, tried);
  EXPECT_GT(same * 10, tried * 9);
}

TEST(SharedScreens, AppiumPageSources) {
  const auto files = shared_files("appium");
  NORN_NEED(files);
  EXPECT_EQ(read_all(files, check_screen).refused, 0u);
}

TEST(SharedScreens, DroidbotStates) {
  auto files = shared_files("droidbot");
  NORN_NEED(files);
  std::erase_if(files, [](const auto& f) { return !f.filename().string().starts_with("state_"); });
  EXPECT_EQ(read_all(files, check_screen).refused, 0u);
}

TEST(SharedScreens, Dumpsys) {
  const auto files = shared_files("dumpsys");
  NORN_NEED(files);
  const Tally tally = read_all(files, [](auto bytes, auto file) -> Status {
    NORN_TRY(const Component front, focused_activity(bytes, file));
    EXPECT_NE(front.activity.find('.'), std::string::npos) << file;
    if (std::getenv("NORN_SHOW") != nullptr)
      std::printf("%s: %s\n", std::string(file).c_str(), front.activity.c_str());
    return {};
  });
  EXPECT_GE(tally.read, 5u);
}

TEST(SharedScreens, Jacoco) {
  const auto files = shared_files("jacoco");
  NORN_NEED(files);
  ProbeTable table;
  const Tally tally = read_all(files, [&](auto bytes, auto file) -> Status {
    NORN_TRY(const JacocoData data, parse_jacoco(bytes, file));
    EXPECT_EQ(parse_jacoco(write_jacoco(data), file).value(), data) << file;
    JacocoData twice = data;
    EXPECT_TRUE(merge_jacoco(twice, data));
    EXPECT_EQ(twice.classes, data.classes) << file;
    EXPECT_TRUE(table.coverage(data).has_value()) << file;
    return {};
  });
  EXPECT_GE(tally.read, 1u);
  EXPECT_EQ(ProbeTable::parse(table.serialise(), "t").value().size(), table.size());
}

}  // namespace
}  // namespace norn
