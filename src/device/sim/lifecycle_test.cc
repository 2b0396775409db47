// Android's way of life, seen from outside: order of calls, what survives what, windows, lists, the keyboard.
#include "device/sim/testing.h"

namespace norn::sim {
namespace {

/// Two activities that log every call.
const std::string traced = R"(
app { package = "org.life", title = "Life", main = "A", permissions = { "CAMERA" },
  themis = { { n = 7, activity = "A", id = "next", kind = "tap" }, { n = 8, kind = "back" } },
  server = function(request, db) db.calls = (db.calls or 0) + 1 return { n = db.calls, path = request.path, q = request.query.x } end }
local function tracer(name, extra)
  local t = extra
  for _, call in ipairs { "create", "resume", "pause", "stop", "restart", "destroy" } do
    local own = t[call]
    t[call] = function(self, ...) log(name .. "." .. call) if own then own(self, ...) end end
  end
  return t
end
global_count = 0
activity "A" (tracer("A", {
  create = function(self, intent, saved) self.n = saved and saved.n or 0 storage.starts = (storage.starts or 0) + 1 end,
  save = function(self, out) log("A.save") out.n = self.n end,
  result = function(self, request, data) log("A.result " .. request .. " " .. tostring(data and data.x)) end,
  menu = function(self) return { { "Clear", id = "clear", on_click = function() self.n = 0 end } } end,
  view = function(self)
    return column {
      toolbar { "Life" },
      text { self.n .. " " .. global_count .. " " .. storage.starts, id = "state" },
      button { "Count", id = "count", on_click = function() self.n = self.n + 1 global_count = global_count + 1 end },
      button { "Next", id = "next", on_click = function() self:start_for_result("B", "req") end },
      button { "Ask", id = "ask", on_click = function() self:dialog { title = "Sure?", ok = "Yes", cancel = "No", on_ok = function() self.n = 100 end } end },
      button { "Photo", id = "photo", on_click = function() self:ask_permission("CAMERA", function(ok) log("granted " .. tostring(ok)) end) end },
      button { "Load", id = "load", on_click = function() net.get("https://x.org/feed?x=5", function(r) log("reply " .. tostring(r.ok) .. " " .. tostring(r.error or (r.body.n .. r.body.path .. r.body.q))) end) end },
      button { "Late", id = "late", on_click = function() after(2000, function() self:dialog { title = "Late" } end) end },
      field { id = "name", hint = "Name" },
      button { "List", id = "list", on_click = function() self:start("L") end },
    }
  end }))
activity "B" (tracer("B", { view = function(self) return column { toolbar { "B", up = true }, button { "Give", id = "give", on_click = function() self:finish { x = 5 } end } } end }))
activity "L" {
  create = function(self) self.items = {} for i = 1, 30 do self.items[i] = "Item " .. i end end,
  view = function(self) return column { list { id = "rows", items = self.items,
    row = function(item) return row { text { item, id = "label" } } end,
    on_item_click = function(i, item) toast(item) end,
    on_end = function() if #self.items < 60 then for i = 31, 60 do self.items[i] = "Item " .. i end end end } } end }
)";

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& l : lines) out += (out.empty() ? "" : ", ") + l;
  return out;
}

struct Life : testing::Test {
  Driver d{spec_of(traced)};
  void SetUp() override { d.start(); }
  std::string log(const std::vector<std::string>& lines) { return joined(d.run(lines).log); }
};

TEST_F(Life, CallsComeInAndroidsOrder) {
  EXPECT_EQ(log({"tap next"}), "Event 7: tap next, A.pause, B.create, B.resume, A.save, A.stop");
  EXPECT_EQ(log({"tap give"}), "B.pause, A.result req 5, A.restart, A.resume, B.stop, B.destroy");
  EXPECT_EQ(log({"rotate 1"}), "A.pause, A.save, A.stop, A.destroy, A.create, A.resume");
  d.run({"tap next"});
  EXPECT_EQ(log({"back"}),
            "Event 8: back, B.pause, A.result req nil, A.restart, A.resume, B.stop, B.destroy");
  EXPECT_EQ(log({"home"}), "A.pause, A.save, A.stop");
  EXPECT_EQ(d.seen().screen.kind, Screen::Kind::outside);
  EXPECT_EQ(log({"launch"}), "A.restart, A.resume");
}

TEST_F(Life, EachKindOfStateSurvivesWhatItShould) {
  d.run({"tap count", "tap count", "type name \"Ann\"", "back", "rotate 1"});
  EXPECT_EQ(d.text("state"), "2 2 2");
  d.run({"rotate 0"});
  EXPECT_EQ(d.text("name"), "Ann") << "fields with ids are kept";
  d.run({"system kill"});
  EXPECT_EQ(d.seen().screen.kind, Screen::Kind::outside);
  d.run({"launch"});
  EXPECT_EQ(d.text("state"), "2 0 4") << "saved, lost with the process, stored";
  d.start();
  EXPECT_EQ(d.text("state"), "0 0 1");
}

TEST_F(Life, DialogsTakeAllInputAndDieOnRotation) {
  d.run({"tap ask"});
  EXPECT_EQ(d.text("alertTitle"), "Sure?");
  EXPECT_EQ(d.text("count"), "(not there)");
  d.run({"tap 540,100"});
  EXPECT_EQ(d.text("state"), "0 0 1") << "a touch outside cancels";
  d.run({"tap ask", "tap android:id/button1"});
  EXPECT_EQ(d.text("state"), "100 0 1");
  d.run({"tap ask", "rotate 1"});
  EXPECT_EQ(d.text("alertTitle"), "(not there)");
  d.run({"rotate 0", "menu", "tap clear"});
  EXPECT_EQ(d.text("state"), "0 0 3");
}

TEST_F(Life, PermissionsAreAskedTwiceAtMost) {
  d.run({"tap photo"});
  EXPECT_EQ(d.seen().screen.package, "com.android.permissioncontroller");
  EXPECT_EQ(log({"tap \"Don't allow\""}), "A.resume, granted false");
  d.run({"tap photo", "back"});
  EXPECT_EQ(log({"tap photo"}), "granted false") << "denied twice: not asked again";
  d.start();
  d.run({"tap photo"});
  EXPECT_EQ(log({"tap \"Allow\""}), "A.resume, granted true");
  EXPECT_EQ(log({"tap photo"}), "granted true");
}

TEST_F(Life, TheNetworkAnswersLater) {
  EXPECT_EQ(log({"tap load"}), "");
  EXPECT_EQ(log({"wait 1000"}), "reply true 1/feed5");
  d.run({"system network-off", "tap load"});
  EXPECT_EQ(log({"wait 1000"}), "reply false java.net.UnknownHostException");
}

TEST_F(Life, ADeadActivityShowsNoWindow) {
  d.run({"tap late", "rotate 1", "wait 3000"});
  ASSERT_TRUE(d.seen().crash);
  EXPECT_EQ(d.seen().crash->top().type, "android.view.WindowManager$BadTokenException");
}

TEST_F(Life, BackLeavesTheAppAndDataStays) {
  d.run({"back"});
  EXPECT_EQ(d.seen().screen.kind, Screen::Kind::outside);
  d.run({"tap \"Life\""});
  EXPECT_EQ(d.text("state"), "0 0 2");
}

TEST_F(Life, ListsScrollGrowAndShowOnlyWhatFits) {
  d.run({"tap list"});
  const std::size_t shown = d.seen().screen.widgets.size();
  EXPECT_LT(shown, 40u);
  EXPECT_EQ(d.text("label"), "Item 1");
  d.run({"swipe rows up"});
  EXPECT_NE(d.text("label"), "Item 1");
  for (int i = 0; i < 60; ++i) d.run({"swipe rows up"});
  std::string last;
  for (const Widget& w : d.seen().screen.widgets)
    if (w.id == "org.life:id/label") last = w.text;
  EXPECT_EQ(last, "Item 60");
  for (int i = 0; i < 80; ++i) d.run({"swipe rows down"});
  EXPECT_EQ(d.text("label"), "Item 1");
}

TEST_F(Life, TheKeyboardCoversTheLowerPart) {
  EXPECT_NE(d.text("list"), "(not there)");
  d.run({"tap name"});
  EXPECT_TRUE(d.seen().screen.keyboard);
  EXPECT_EQ(d.text("list"), "(not there)");
  for (const Widget& w : d.seen().screen.widgets) EXPECT_LE(w.bounds.bottom, 1152);
  d.run({"back"});
  EXPECT_FALSE(d.seen().screen.keyboard);
  EXPECT_EQ(d.seen().screen.activity, "A");
}

TEST(Stored, TablesWithEveryKindOfKeySurviveTheProcess) {
  Driver d(spec_of(R"(
app { package = "org.stored", title = "Stored", main = "A" }
local function dump(t)
  local out = {}
  for k, v in pairs(t) do
    out[#out + 1] = tostring(k) .. "=" .. (type(v) == "table" and "{" .. dump(v) .. "}" or tostring(v))
  end
  return table.concat(out, " ")
end
activity "A" {
  create = function(self)
    if storage.z then return end
    storage.z, storage.m, storage.b = 1, "", false
    storage.a = { [3] = "c", [1] = "a", x = { deep = true }, [2.5] = "f", [true] = "t", [-7] = "n" }
  end,
  view = function(self) return column { text { dump(storage), id = "dump" } } end }
)"));
  d.start();
  const std::string all = "a={-7=n 1=a 3=c 2.5=f x={deep=true} true=t} b=false m= z=1";
  EXPECT_EQ(d.text("dump"), all);
  d.run({"system kill", "launch"});
  EXPECT_EQ(d.text("dump"), all);
}

}  // namespace
}  // namespace norn::sim
