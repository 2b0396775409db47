#include "trace/crash.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "trace/frame_rules.h"
#include "trace/step.h"

namespace norn {
namespace {

Crash npe() {
  Crash crash;
  crash.process = "org.app";
  crash.chain = {{Thrown::Role::top,
                  "java.lang.RuntimeException",
                  "Unable to start org.app.Edit@41a2b3c4",
                  {{"android.app.ActivityThread.performLaunchActivity", "ActivityThread.java", 2416},
                   {"android.os.Handler.dispatchMessage", "Handler.java", 102},
                   {"com.android.internal.os.ZygoteInit.main", "ZygoteInit.java", 616}},
                  0},
                 {Thrown::Role::cause,
                  "java.lang.NullPointerException",
                  "null object reference",
                  {{"org.app.Edit$1.onClick", "Edit.java", 40},
                   {"org.app.Edit.access$000", "Edit.java", 12},
                   {"org.app.Edit.onCreate", "Edit.java", 20}},
                  3}};
  return crash;
}

bool same(const Crash& a, const Crash& b, Sameness level) {
  return signature(a, level) == signature(b, level);
}
Frame java(std::string function, std::int32_t line = 1) { return {std::move(function), "X.java", line}; }

TEST(Signature, LinesAndMessagesCountOnlyWhenExact) {
  const Crash a = npe();
  Crash line = a, message = a;
  line.chain[1].frames[0].line = 41;
  message.chain[1].message = "something else";
  for (const Crash& b : {line, message}) {
    EXPECT_FALSE(same(a, b, Sameness::exact));
    EXPECT_TRUE(same(a, b, Sameness::frames));
    EXPECT_TRUE(same(a, b, Sameness::top_frames));
  }
}

TEST(Signature, AnotherPlaceOrTypeIsAnotherCrash) {
  const Crash a = npe();
  Crash place = a, type = a;
  place.chain[1].frames[0].function = "org.app.Edit$1.onLongClick";
  type.chain[1].type = "java.lang.IllegalStateException";
  for (const Crash& b : {place, type})
    for (const auto level : {Sameness::exact, Sameness::frames, Sameness::top_frames})
      EXPECT_FALSE(same(a, b, level)) << name_of(level);
}

TEST(Signature, AddressesNeverCount) {
  Crash a = npe(), b = a;
  b.chain[0].message = "Unable to start org.app.Edit@99ff00aa";
  EXPECT_TRUE(same(a, b, Sameness::exact));
}

TEST(Signature, MoreIsExpanded) {
  Crash folded = npe(), full = folded;
  full.chain[1].frames.insert(full.chain[1].frames.end(), full.chain[0].frames.begin(),
                              full.chain[0].frames.end());
  full.chain[1].more = 0;
  for (const auto level : {Sameness::exact, Sameness::frames, Sameness::top_frames})
    EXPECT_TRUE(same(folded, full, level)) << name_of(level);
  folded.chain[1].more = 2'000'000'000;  // more than there are: all of them
  EXPECT_TRUE(same(folded, full, Sameness::exact));
}

TEST(Signature, AnotherAndroidVersionsPlumbingIsTheSame) {
  Crash a = npe(), b = a;
  b.chain[0].frames = {{"android.app.ActivityThread.performLaunchActivity", "ActivityThread.java", 3600},
                       {"android.app.servertransaction.LaunchActivityItem.execute", "L.java", 1},
                       {"android.os.Handler.dispatchMessage", "Handler.java", 106},
                       {"android.os.Looper.loopOnce", "Looper.java", 201},
                       {"com.android.internal.os.ZygoteInit.main", "ZygoteInit.java", 900}};
  b.chain[1].frames.erase(b.chain[1].frames.begin() + 1);    // no accessor
  b.chain[1].frames[0].function = "org.app.Edit$7.onClick";  // another number
  EXPECT_FALSE(same(a, b, Sameness::exact));
  EXPECT_TRUE(same(a, b, Sameness::top_frames));
}

TEST(Signature, AStackOfPlumbingOnlyKeepsIt) {
  Crash a;
  a.chain = {
      {Thrown::Role::top, "java.lang.IllegalStateException", "", {java("android.os.Handler.enqueue")}, 0}};
  Crash b = a;
  b.chain[0].frames[0] = java("android.os.Looper.prepare");
  EXPECT_FALSE(same(a, b, Sameness::frames));
}

TEST(Signature, WithoutFramesTheMessagesShapeTells) {
  Crash a;
  a.kind = Crash::Kind::anr;
  a.process = "org.app";
  a.chain = {{Thrown::Role::top, "ANR", "Input dispatching timed out (waited 5003 ms)", {}, 0}};
  Crash later = a, other = a, elsewhere = a;
  later.chain[0].message = "Input dispatching timed out (waited 8112 ms)";
  other.chain[0].message = "executing service org.app/.Sync";
  elsewhere.process = "com.android.phone";
  EXPECT_TRUE(same(a, later, Sameness::frames));
  EXPECT_FALSE(same(a, other, Sameness::frames));
  EXPECT_FALSE(same(a, elsewhere, Sameness::frames));
}

TEST(Signature, SuppressedAndHandledDoNotCountByFrames) {
  Crash a = npe(), b = a;
  b.handled = true;
  b.chain.push_back({Thrown::Role::suppressed, "java.io.IOException", "x", {java("org.app.Db.close")}, 0});
  EXPECT_TRUE(same(a, b, Sameness::frames));
  EXPECT_TRUE(same(a, b, Sameness::top_frames));
  EXPECT_FALSE(same(a, b, Sameness::exact));
  EXPECT_EQ(b.root().type, "java.lang.NullPointerException");
}

TEST(Signature, ADeeperRecursionIsTheSame) {
  Crash a;
  a.chain = {{Thrown::Role::top, "java.lang.StackOverflowError", "", {}, 0}};
  Crash b = a;
  for (int i = 0; i < 400; ++i) {
    auto& frames = i < 100 ? a.chain[0].frames : b.chain[0].frames;
    frames.push_back(java("org.app.Tree.walk"));
    frames.push_back(java("org.app.Node.visit"));
  }
  EXPECT_TRUE(same(a, b, Sameness::frames));
}

// A stricter level never joins what a looser one tells apart.
TEST(Signature, LevelsAreNested) {
  const std::vector<std::string> functions{"org.app.A.f", "org.app.B$1.g", "org.app.B$2.g",
                                           "android.os.Looper.loop"};
  const auto arbitrary = [&] {
    Crash crash;
    const auto chain = *rc::gen::inRange(1, 3);
    for (int i = 0; i < chain; ++i) {
      Thrown thrown{i == 0 ? Thrown::Role::top : Thrown::Role::cause,
                    *rc::gen::element<std::string>("E", "F"),
                    {},
                    {},
                    *rc::gen::inRange(0, 2)};
      for (int f = *rc::gen::inRange(0, 4); f > 0; --f)
        thrown.frames.push_back(java(*rc::gen::elementOf(functions), *rc::gen::inRange(1, 3)));
      crash.chain.push_back(std::move(thrown));
    }
    return crash;
  };
  EXPECT_TRUE(rc::check([&] {
    const Crash a = arbitrary(), b = arbitrary();
    if (same(a, b, Sameness::exact)) RC_ASSERT(same(a, b, Sameness::frames));
    if (same(a, b, Sameness::frames)) RC_ASSERT(same(a, b, Sameness::top_frames));
  }));
}

TEST(FrameRules, Names) {
  const auto normal = [](std::string function) { return normal_function({std::move(function), "", 0}); };
  EXPECT_EQ(normal("org.app.Main$1$22.onClick"), "org.app.Main$#$#.onClick");
  EXPECT_EQ(normal("org.app.Main.lambda$save$3"), "org.app.Main.lambda$save");
  EXPECT_EQ(normal("org.app.MainKt.onCreate$lambda-0"), "org.app.MainKt.onCreate$lambda");
  EXPECT_EQ(normal("org.app.MainKt.onCreate$lambda$12"), "org.app.MainKt.onCreate$lambda");
  EXPECT_EQ(normal("java.base/java.util.ArrayList.get"), "java.util.ArrayList.get");
  EXPECT_EQ(normal("abort+164"), "abort");
  EXPECT_EQ(normal("android::Looper::pollOnce(int)+0x1c"), "android::Looper::pollOnce(int)");
  EXPECT_EQ(normal("operator+"), "operator+");
  EXPECT_EQ(normal("on_click"), "on_click");
  EXPECT_EQ(normal("org.app.C$2x.f"), "org.app.C$2x.f");  // a name, not a number
  EXPECT_EQ(normal_function({"", "/data/app/~~k==/org.app-1/lib/arm64/libx.so", 0}), "libx.so");
}

TEST(FrameRules, SyntheticFrames) {
  for (const auto* f :
       {"org.app.A.access$000", "org.app.A.access$load", "org.app.A.-$$Nest$mload", "org.app.A.-wrap11",
        "org.app.A.-get0", "org.app.A$$Lambda$12/0x000000084.run", "org.app.-$$Lambda$A$x_Y.onClick",
        "org.app.A$$ExternalSyntheticLambda3.run", "org.app.A.$r8$lambda$jQ4", "org.app.A.$jacocoInit"})
    EXPECT_TRUE(is_synthetic(f)) << f;
  for (const auto* f : {"org.app.A.access", "org.app.A.lambda$load$0", "org.app.A$1.run", "on_click"})
    EXPECT_FALSE(is_synthetic(f)) << f;
}

TEST(FrameRules, PlumbingIsByWholeNames) {
  for (const auto* f :
       {"android.os.Handler.handleCallback", "android.os.Looper.loop", "java.lang.Thread.run",
        "android.app.ActivityThread$H.handleMessage", "java.lang.reflect.Method.invoke",
        "com.android.internal.os.ZygoteInit$MethodAndArgsCaller.run", "art::Thread::CreateCallback"})
    EXPECT_TRUE(is_plumbing(f)) << f;
  for (const auto* f : {"android.os.HandlerLike.run", "java.lang.ThreadLocal.get", "org.app.Looper.loop",
                        "android.app.Activity.onCreate", "android.view.View.draw"})
    EXPECT_FALSE(is_plumbing(f)) << f;
}

TEST(Headline, NamesTheAppsOwnPlace) {
  EXPECT_EQ(headline(npe()), "NullPointerException at Edit$1.onClick (Edit.java:40)");
  Crash sql;
  sql.chain = {{Thrown::Role::top,
                "android.database.SQLException",
                "",
                {java("android.database.Cursor.get", 3), java("org.app.Db.load", 7)},
                0}};
  EXPECT_EQ(headline(sql), "SQLException at Db.load (X.java:7)");
  Crash anr;
  anr.process = "org.app";
  anr.chain = {{Thrown::Role::top, "ANR", "Input\x1b timed out", {}, 0}};
  EXPECT_EQ(headline(anr), "ANR in org.app: Input\\x1b timed out");
}

TEST(SamenessNames, GoBothWays) {
  for (const auto level : {Sameness::exact, Sameness::frames, Sameness::top_frames})
    EXPECT_EQ(sameness_by_name(name_of(level)), level);
  EXPECT_FALSE(sameness_by_name("fuzzy"));
}

TEST(TraceValue, CrashIsThatOfTheLastStep) {
  Trace trace;
  EXPECT_EQ(trace.crash(), nullptr);
  trace.start.emplace().crash = npe();
  EXPECT_NE(trace.crash(), nullptr);
  trace.steps.push_back({Key{4}, {}});
  EXPECT_EQ(trace.crash(), nullptr);
  trace.steps.back().seen.crash = npe();
  EXPECT_EQ(*trace.crash(), npe());
  EXPECT_EQ(trace.events().size(), 1U);
}

}  // namespace
}  // namespace norn
