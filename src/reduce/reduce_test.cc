#include "reduce/reduce.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "reduce/subject.h"

namespace norn {
namespace {

using namespace testing;

TEST(Reduce, FindsTheFewEventsOfKnownBugsInNoise) {
  int reduced = 0, shortest = 0;
  for (const char* app : {"notes", "files", "tips", "cards", "shop"}) {
    const auto s = subject(app, 0, 120);
    if (!s) continue;
    Bench bench(*s);
    const auto result = reduce(*bench.replay, s->noisy, options_for(*s));
    ASSERT_TRUE(result) << result.error().message();
    ASSERT_TRUE(std::holds_alternative<Reduction>(*result)) << app;
    const auto& r = std::get<Reduction>(*result);
    EXPECT_TRUE(r.one_minimal) << app;
    EXPECT_EQ(r.certificate.yes.cold, 20U) << app;
    EXPECT_LT(r.events.size(), s->noisy.size() / 3) << app;
    for (const auto& kept : r.events) EXPECT_EQ(kept.without_yes.all(), 0U) << app;
    ++reduced;
    shortest += r.events.size() <= s->core.size();
  }
  EXPECT_GE(reduced, 4);
  EXPECT_GE(shortest * 2, reduced);
}

TEST(Reduce, EveryAlgorithmReturnsWhatStillCrashes) {
  const auto s = subject("tips", 0, 60);
  ASSERT_TRUE(s);
  for (const std::string& algorithm : algorithm_names()) {
    Bench bench(*s);
    const auto result = reduce(*bench.replay, s->noisy, options_for(*s, algorithm));
    ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result)) << algorithm;
    EXPECT_EQ(std::get<Reduction>(*result).certificate.yes.cold, 20U) << algorithm;
  }
}

TEST(Reduce, RefusesWhatDoesNotReproduce) {
  const auto s = subject("tips", 0, 40);
  ASSERT_TRUE(s);
  Bench bench(*s);
  auto options = options_for(*s);
  options.watch = SameCrash{12345, Sameness::frames};
  const auto result = reduce(*bench.replay, s->noisy, options);
  ASSERT_TRUE(result);
  ASSERT_TRUE(std::holds_alternative<NotReproduced>(*result));
  EXPECT_EQ(std::get<NotReproduced>(*result).runs, 2U);
}

TEST(Reduce, ReachesAGoalInsteadOfACrash) {
  const auto s = subject("notes", 1, 100);
  ASSERT_TRUE(s);
  Bench bench(*s);
  std::vector<Event> events(s->noisy.begin(), s->noisy.end() - 1);
  auto opened = open_device(s->spec);
  const auto plain = testing::plain_replay(*opened->device, s->app, events, Missing::stop);
  auto options = options_for(*s);
  options.watch = ScreenHas{plain.screen.activity, {}};
  const auto result = reduce(*bench.replay, events, options);
  ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result));
  EXPECT_EQ(std::get<Reduction>(*result).certificate.yes.cold, 20U);
}

/// Crashes ten seconds after it was armed, if the text begins with an x.
constexpr const char* late = R"(
app { package = "org.example.late", title = "Late", main = "Main" }
activity "Main" {
  create = function(self) self.ready = false end,
  view = function(self)
    return column {
      button { "Arm", id = "arm", on_click = function() self:after(10000, function() self.ready = true end) end },
      field { id = "word", hint = "Word" },
      button { "Go", id = "go", on_click = function()
        if self.ready and self:text("word"):sub(1, 1) == "x" then error("late") end
      end },
    }
  end,
}
)";

TEST(Reduce, ShortensWaitsAndTextsAndNamesWhatWasTouchedByPoint) {
  const auto path =
      std::filesystem::temp_directory_path() / ("norn_late" + std::to_string(getpid()) + ".lua");
  ASSERT_TRUE(write_file(path, late));
  Subject s{"sim:" + path.string(), {}, {}, {}, 0};
  auto opened = open_device(s.spec);
  ASSERT_TRUE(opened);
  s.app = opened->app;
  const Screen first = testing::plain_replay(*opened->device, s.app, {}, Missing::stop).screen;
  const auto middle_of = [&](std::string_view id) {
    const auto w = std::ranges::find_if(first.widgets, [&](const Widget& v) { return v.id.ends_with(id); });
    return Point{(w->bounds.left + w->bounds.right) / 2, (w->bounds.top + w->bounds.bottom) / 2};
  };
  Target word;
  word.id = "org.example.late:id/word";
  Target go;
  go.id = "org.example.late:id/go";
  const std::vector<Event> events{Tap{{}, middle_of("arm")}, Wait{60000}, Type{word, {}, "xylophone"},
                                  Tap{go, {}}};
  Bench bench(s);
  ReduceOptions options;
  const auto result = reduce(*bench.replay, events, options);
  ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result));
  const auto short_ones = std::get<Reduction>(*result).plain_events();
  ASSERT_EQ(short_ones.size(), 4U);
  EXPECT_TRUE(std::get<Tap>(short_ones[0]).target.id.ends_with("arm"));
  EXPECT_GE(std::get<Wait>(short_ones[1]).ms, 7000);  // what the events themselves take counts too
  EXPECT_LE(std::get<Wait>(short_ones[1]).ms, 11100);
  EXPECT_EQ(std::get<Type>(short_ones[2]).text, "x");
  std::filesystem::remove(path);
}

TEST(Reduce, AGoalOnTheWayIsReachedToo) {
  const auto s = subject("notes", 1, 100);
  ASSERT_TRUE(s);
  auto opened = open_device(s->spec);
  const std::vector<Event> all(s->noisy.begin(), s->noisy.end() - 1);
  const auto activity_after = [&](std::size_t length) {
    return testing::plain_replay(*opened->device, s->app,
                                 {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length)},
                                 Missing::stop)
        .screen.activity;
  };
  const std::string last = activity_after(all.size());
  std::string passed;
  for (std::size_t length = 1; length < all.size() && passed.empty(); ++length)
    if (const std::string here = activity_after(length); !here.ends_with(last) && !last.ends_with(here))
      passed = here;
  ASSERT_FALSE(passed.empty());
  Bench bench(*s);
  auto options = options_for(*s);
  options.watch = ScreenHas{passed, {}};
  const auto result = reduce(*bench.replay, all, options);
  ASSERT_TRUE(result && std::holds_alternative<Reduction>(*result));
  const auto& r = std::get<Reduction>(*result);
  EXPECT_EQ(r.certificate.yes.cold, 20U);
  EXPECT_TRUE(testing::plain_replay(*opened->device, s->app, r.plain_events(), Missing::stop)
                  .screen.activity.ends_with(passed));
}

}  // namespace
}  // namespace norn
