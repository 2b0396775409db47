// What a device promises, on the simulated one: start, perform, observe, save, restore; errors; costs.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "base/file.h"
#include "device/open.h"
#include "device/sim/testing.h"

namespace norn::sim {
namespace {

const std::string counter = "sim:" NORN_SOURCE_DIR "/tests/data/sim/counter.lua";

TEST(SimDevice, RunsAnApp) {
  Driver d(counter);
  EXPECT_EQ(d.start().screen.activity, "Main");
  d.run({"tap add", "tap add", "tap more", "type step \"40\"", "tap ok"});
  EXPECT_EQ(d.text("count"), "Count: 42");
  EXPECT_EQ(d.start().screen.activity, "Main");
  EXPECT_EQ(d.text("count"), "Count: 0");
}

TEST(SimDevice, ReportsACrashWithItsStack) {
  Driver d(counter);
  d.start();
  const Observation& seen = d.run({"tap share"});
  ASSERT_TRUE(seen.crash);
  EXPECT_EQ(seen.crash->top().type, "java.lang.ArithmeticException");
  ASSERT_EQ(seen.crash->top().frames.size(), 1u);
  EXPECT_EQ(seen.crash->top().frames[0], (Frame{"Share.create", "counter.lua", 43}));
  EXPECT_EQ(seen.screen.package, "android");
  EXPECT_EQ(d.run({"tap \"Open app again\""}).screen.activity, "Main");
  EXPECT_FALSE(d.seen().crash) << "a crash is told once";
}

TEST(SimDevice, SwitchesBugsOffOneByOne) {
  Driver without(counter + "?bugs=-divide_by_zero"), only(counter + "?bugs=lost_on_rotation"),
      none(counter + "?bugs=none");
  for (Driver* d : {&without, &only, &none}) {
    d->start();
    EXPECT_FALSE(d->run({"tap share"}).crash);
    d->run({"back", "tap add", "rotate 1"});
    EXPECT_EQ(d->text("count"), d == &none ? "Count: 1" : "Count: 0");
  }
}

TEST(SimDevice, RefusesBugsThatTheAppDoesNotHave) {
  EXPECT_TRUE(open_sim(counter + "?bugs=lost_on_rotation,divide_by_zero"));
  for (const char* wrong : {"?bugs=divide_by_zer0", "?bugs=-divide_by_zer0", "?bugs=lost_on_rotation,"}) {
    const auto opened = open_sim(counter + wrong);
    ASSERT_FALSE(opened) << wrong;
    EXPECT_EQ(opened.error().kind, Error::Kind::bad_input);
  }
  EXPECT_EQ(open_sim(counter + "?bugs=divide_by_zer0").error().advice, "did you mean divide_by_zero?");
}

TEST(SimDevice, CountsLinesAsCoverage) {
  Driver d(counter);
  const Coverage first = d.start().hit;
  EXPECT_FALSE(first.empty());
  const Coverage add = d.run({"tap more", "back"}).hit;
  EXPECT_TRUE(add.contains(15)) << "the line that takes the result";
  EXPECT_FALSE(first.contains(15));
  EXPECT_GT(d.device().info().coverable.total(), add.count());
}

TEST(SimDevice, CountsFunctionsAsCoverage) {
  Driver d(counter);
  const Coverable all = d.device().info().coverable;
  EXPECT_GT(all.functions, 0U);
  Coverage hit = d.start().hit;
  const auto at_start = all.functions_of(hit);
  EXPECT_GT(at_start, 0U);
  EXPECT_EQ(all.functions_of(d.run({"tap add"}).hit - hit), 1U) << "its handler alone is new";
  EXPECT_LT(at_start, all.functions);
}

/// As Lua's own loader does.
TEST(SimDevice, AFileMayBeginWithAMarkAndALineForAShell) {
  const std::string path = fmt::format("{}norn_head_{}.lua", ::testing::TempDir(), getpid());
  const std::string app =
      "app { package = \"org.x\", title = \"X\", main = \"Main\" }\n"
      "activity \"Main\" { view = function(self) error(\"here\") end }\n";
  for (const char* head : {"", "\xef\xbb\xbf", "#!/usr/bin/lua\n", "\xef\xbb\xbf#!/usr/bin/lua\n"}) {
    ASSERT_TRUE(write_file(path, head + app));
    Driver d("sim:" + path);
    const Observation& seen = d.start();
    ASSERT_TRUE(seen.crash) << head;
    EXPECT_EQ(seen.crash->top().frames[0].line, std::string(head).ends_with('\n') ? 3 : 2) << head;
  }
  std::filesystem::remove(path);
}

TEST(SimDevice, ChargesTheProfile) {
  Driver d(counter);
  d.start();
  EXPECT_DOUBLE_EQ(d.device().meter(), 5);
  d.run({"tap add"});
  EXPECT_DOUBLE_EQ(d.device().meter(), 5.65);
  const auto snapshot = d.device().save();
  ASSERT_TRUE(snapshot);
  ASSERT_TRUE(d.device().restore(*snapshot, 0));
  EXPECT_DOUBLE_EQ(d.device().meter(), 12.65);
  ASSERT_TRUE(d.device().perform(Sleep{2000}, Pace{}));
  EXPECT_DOUBLE_EQ(d.device().meter(), 14.65);
  Driver phone(counter + "?profile=phone&event=3");
  phone.start();
  phone.run({"tap add"});
  EXPECT_DOUBLE_EQ(phone.device().meter(), 11);
  EXPECT_EQ(phone.device().save().error().kind, Error::Kind::unsupported);
  Driver instant(counter + "?profile=instant");
  instant.start();
  instant.run({"tap add"});
  EXPECT_DOUBLE_EQ(instant.device().meter(), 0);
}

TEST(SimDevice, LosesTouchesWhileWindowsMove) {
  Driver d(counter);
  d.start();
  Point more{};
  for (const Widget& w : d.seen().screen.widgets)
    if (w.id.ends_with("/more")) more = w.bounds.center();
  ASSERT_TRUE(d.device().perform(Touch{more}, Pace{50}));
  ASSERT_TRUE(
      d.device().perform(Touch{{84, 156}}, Pace{50}));  // the arrow: 50 ms after the window began to move
  EXPECT_EQ(d.look().screen.activity, "Step");
  ASSERT_TRUE(d.device().perform(Touch{{84, 156}}, Pace{400}));
  EXPECT_EQ(d.look().screen.activity, "Main");
}

TEST(SimDevice, OpensALargeAppHoweverLongTheProcessHasComputed) {
  if (std::getenv("NORN_SOAK") == nullptr) GTEST_SKIP() << "takes 11 s of computing; set NORN_SOAK";
  while (std::clock() < 11 * CLOCKS_PER_SEC) continue;
  const auto opened = open_device("sim:generated?seed=220&screens=200");
  ASSERT_TRUE(opened) << opened.error().message();
}

TEST(SimDevice, SaysWhatIsWrongWithASpec) {
  EXPECT_EQ(open_sim("sim:nots").error().advice, "did you mean \"notes\"?");
  EXPECT_EQ(open_sim("sim:notes?profle=phone").error().advice, "did you mean \"profile\"?");
  EXPECT_FALSE(open_sim("sim:notes?flaky=2"));
  EXPECT_FALSE(open_sim("sim:notes?size=0x0"));
  EXPECT_FALSE(open_sim("sim:no/such/file.lua"));
  EXPECT_FALSE(open_sim("sim:"));
  EXPECT_FALSE(open_sim(spec_of("this is not Lua")));
  EXPECT_FALSE(open_sim(spec_of("x = 1")));
  EXPECT_FALSE(open_sim(spec_of("app{package='a.b',title='A',main='None'}")));
  EXPECT_FALSE(open_sim(spec_of("while true do end")));
  auto device = open_sim(counter);
  ASSERT_TRUE(device);
  EXPECT_FALSE((*device)->observe()) << "not started";
  EXPECT_FALSE((*device)->restore(17, 0));
  EXPECT_FALSE((*device)->start(App{.name = "org.other", .version = "", .options = "", .setup = {}}, 0));
}

TEST(SimDevice, NamesAnAppByContentAndBehaviour) {
  const auto a = sim_app("sim:notes?bugs=b,a&seed=3&profile=phone&flaky=0.5"),
             b = sim_app("sim:notes?flaky=.5&bugs=a,b");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
  EXPECT_EQ(a->options, "bugs=a,b&flaky=0.5");
  EXPECT_NE(sim_app("sim:notes?mutant=3")->version, a->version);
}

// ---- snapshots ----

/// Save somewhere, go on, restore, go on the same way: the same is seen. For every app, with all its chance on.
class Snapshots : public testing::TestWithParam<std::string> {};

TEST_P(Snapshots, GiveTheSameFuture) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Driver d("sim:" + GetParam() + "?profile=instant&flaky=0.2&timing=random&content=random");
    ASSERT_TRUE(d.ok());
    Rng rng(seed);
    d.start(seed);
    for (std::size_t i = rng.below(60); i > 0; --i) d.perform(random_action(d.seen().screen, rng));
    const auto here = d.device().save();
    ASSERT_TRUE(here);
    std::vector<Action> actions;
    std::vector<std::uint64_t> first;
    for (int i = 0; i < 25; ++i) {
      actions.push_back(random_action(d.seen().screen, rng));
      first.push_back(hash_of(d.perform(actions.back())));
    }
    for (int again = 0; again < 2; ++again) {
      ASSERT_TRUE(d.device().restore(*here, 0));
      d.look();
      for (std::size_t i = 0; i < actions.size(); ++i)
        ASSERT_EQ(hash_of(d.perform(actions[i])), first[i])
            << GetParam() << " seed " << seed << " event " << i;
      for (int i = 0; i < 10; ++i)
        d.perform(random_action(d.seen().screen, rng));  // somewhere else, then back again
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Snapshots, testing::ValuesIn(sim_apps()),
                         [](const auto& i) { return i.param; });

TEST(SnapshotCost, DoesNotDependOnTheLengthOfTheRun) {
  Driver d(counter + "?profile=instant");
  d.start();
  const auto cost = [&](int events) {
    for (int i = 0; i < events; ++i) d.run({"tap add"});
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) {
      const auto id = d.device().save();
      EXPECT_TRUE(d.device().restore(*id, 0));
      d.device().forget(*id);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double early = cost(10);
  const auto bytes = d.device().info().snapshot_bytes;
  const double late = cost(10000);
  EXPECT_LT(d.device().info().snapshot_bytes, bytes * 3 / 2);
  EXPECT_LT(late, early * 5 + 0.01);
}

TEST(Nonce, DrawsChanceAnewOnlyWhereThereIsAny) {
  const std::string dice = R"(app{package="a.b",title="A",main="M"}
    activity "M" { view = function(self) return column { button{"Roll", id="roll", on_click=function() self.n = random(1000000) end},
      text{tostring(self.n), id="n"} } end })";
  const auto rolled = [&](const std::string& options, Nonce start, Nonce restore) {
    Driver d(spec_of(dice, options));
    d.start(start);
    const auto id = d.device().save();
    EXPECT_TRUE(d.device().restore(*id, restore));
    d.look();
    d.run({"tap roll"});
    return d.text("n");
  };
  EXPECT_EQ(rolled("seed=1", 1, 2), rolled("seed=1", 3, 4)) << "chance is off";
  EXPECT_NE(rolled("seed=1", 1, 0), rolled("seed=2", 1, 0));
  EXPECT_NE(rolled("content=random", 1, 0), rolled("content=random", 2, 0));
  EXPECT_NE(rolled("content=random", 1, 5), rolled("content=random", 1, 6));
  EXPECT_EQ(rolled("content=random", 1, 5), rolled("content=random", 1, 5));
}

}  // namespace
}  // namespace norn::sim
