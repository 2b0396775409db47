// Hostile and unlucky apps: whatever they do ends as a crash or an ANR of the app, soon, and the device goes
// on.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "base/patience.h"
#include "device/sim/testing.h"

namespace norn::sim {
namespace {

std::string app_with(const std::string& handler) {
  return "app{package='org.evil',title='Evil',main='Main'}\n"
         "activity 'Main' { view = function(self) return column { text{ tostring(self.out), id='out' },\n"
         "  button{'Go', id='go', on_click=function()\n" +
         handler + "\n end} } end }\n";
}

/// Runs the handler; gives the crash's type, or the text the app put into self.out.
std::string outcome(const std::string& handler) {
  Driver d(spec_of(app_with(handler)));
  if (!d.ok()) return "no app";
  d.start();
  const auto begin = ComputingClock::now();
  const Observation seen = d.run({"tap go"});
  const double seconds = std::chrono::duration<double>(ComputingClock::now() - begin).count();
  EXPECT_LT(seconds, 5 * patience) << handler;
  if (std::getenv("NORN_SHOW_SLOW") != nullptr && seconds > 0.2)
    std::cout << seconds << " s: " << handler << "\n";
  EXPECT_FALSE(d.start().crash) << "the device goes on";
  d.run({});
  if (seen.crash) return seen.crash->top().type;
  for (const Widget& w : seen.screen.widgets)
    if (w.id == "org.evil:id/out") return w.text;
  return "?";
}

const std::string anr = "ANR", memory = "java.lang.OutOfMemoryError",
                  overflow = "java.lang.StackOverflowError";

TEST(Sandbox, EndsWhatWouldNeverEnd) {
  for (const char* handler : {
           "while true do end",
           "while true do pcall(function() while true do end end) end",
           "while true do xpcall(function() while true do end end, function(e) while true do end end) end",
           "local function f() return f() end f()",
           "for i = 1, 1e18 do end",
           "repeat until false",
           "::a:: goto a",
           "local s = ('a'):rep(100) while true do s:find(('a*'):rep(30) .. 'b') end",
           "local s = ('a'):rep(20000) s:find(('a*'):rep(30) .. 'b')",
           "return ('a'):rep(200000):match('.-.-.-.-.-b')",
           "return (('x'):rep(10000)):gsub('x*x*x*x*y', '')",
           "for _ in (('a'):rep(200000)):gmatch('a-b') do end",
           "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) pcall(function() "
           "return t[1] end) while true do end",
           "local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do "
           "end",
           "local s = ('a'):rep(200000) while true do local x = s .. 'b' end",
           "local s = ('a'):rep(200000) local t = {} while true do local u = s:upper() end",
           "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t, function(a, b) return a "
           "> b end) end",
           "local t = {} for i = 1, 1e4 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, "
           "1) end",
           "local t = {} for i = 1, 1e4 do t['k' .. i] = i end while true do next(t) end",
           "while true do for k in pairs(_ENV or {}) do end end",
           "busy(6000)",
           "while true do pcall(error, {}) end",
           "while true do table.concat({}, ('x'):rep(1000), 1, 0) end",
           "while true do pcall(function() ::a:: goto a end) end",
           "tostring(setmetatable({}, {__tostring = function() while true do end end}))",
           "getmetatable('').__index = function(s, k) while true do end end return ('x').foo",
           "getmetatable('').__concat = function() while true do end end return 'x' .. {}",
           "local t = setmetatable({}, {__lt = function() while true do end end}) table.sort{t, t, t}",
           "local t = setmetatable({}, {__pairs = function(t) return function() return 1 end end}) for k in "
           "pairs(t) do end",
           "while true do xpcall(error, function() error() end) end",
           "local function h() return xpcall(error, h) end while true do h() end",
           "while true do select(-1, table.unpack({}, 1, 9000)) end",
           "while true do utf8.len(('x'):rep(200000)) end",
           "for p, c in utf8.codes(('x'):rep(200000)) do for q, d in utf8.codes(('x'):rep(200000)) do end "
           "end",
           "while true do string.format(('%99.99f'):rep(100), table.unpack(split(('1,'):rep(99) .. '1', "
           "','))) "
           "end",
           "local s = ('x'):rep(250000) while true do local t = {s < s .. 'a', s == s .. 'b'} end",
           "local s = ('1'):rep(200000) while true do tonumber(s) end",
           "while true do local t = table.pack(('x'):byte(1, -1)) table.move(t, 1, 1, 2, {}) end",
           "local function f(n) local ok = pcall(f, n + 1) if not ok then while true do end end end f(0)",
       })
    EXPECT_EQ(outcome(handler), anr) << handler;
}

TEST(Sandbox, BoundsMemory) {
  for (const char* handler : {
           "local t = {} while true do t[#t + 1] = {} end",
           "local s = 'a' while true do s = s .. s end",
           "('a'):rep(1e9)",
           "('a'):rep(1e5):rep(1e5)",
           "string.format('%s%s%s%s', ('a'):rep(1e5), ('a'):rep(1e5), ('a'):rep(1e5), ('a'):rep(1e5))",
           "('a'):rep(1000):gsub('a', ('b'):rep(1000))",
           "local t = {} while true do pcall(function() while true do t[#t + 1] = ('x'):rep(1000) .. #t end "
           "end) end",
           "local t = {} while true do t = {t} end",
           "local t = {} while true do t = setmetatable({}, {__index = t}) end",
           "local f = function() end while true do local g = f f = function() return g() end end",
           "local t = {} for i = 1, 1e9 do t[i] = i end",
           "local t = {} for i = 1, 1e9 do t['k' .. i] = i end",
           "local t = {} while true do t[{}] = function() end end",
           "local t = {} while true do t = table.pack(t, table.unpack({}, 1, 9000)) end",
           "('x'):rep(200000):gsub('', ('y'):rep(1000))",
           "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end table.concat(t)",
       }) {
    const std::string end = outcome(handler);
    EXPECT_TRUE(end == memory || end == anr) << handler << ": " << end;
  }
}

TEST(Sandbox, BoundsTheStack) {
  EXPECT_EQ(outcome("local function f() return 1 + f() end f()"), overflow);
  EXPECT_EQ(outcome("local function f() pcall(f) error('x') end f()"), "java.lang.RuntimeException");
  EXPECT_EQ(outcome("local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end "
                    "return t.x"),
            overflow);
  const std::string deep = outcome("local s = '' for i = 1, 300 do s = s .. '(' end ('x'):find(s)");
  EXPECT_TRUE(deep == "java.lang.RuntimeException") << deep;
  EXPECT_EQ(
      outcome("local v = text 'x' for i = 1, 1000 do v = column { v } end self.view_of = v self.out = 'ok'"),
      "ok");
}

/// Calls from C into Lua and back: Lua counts them, and a count that is too high is an error like any other.
TEST(Sandbox, BoundsCallsThroughTheLibrary) {
  for (const char* handler : {
           "local function f() return (('x'):gsub('x', f)) end f()",
           "local function f(a, b) table.sort({3, 2, 1}, f) return a < b end f(1, 2)",
           "local m = {} m.__tostring = function(t) return tostring(setmetatable({}, m)) end "
           "tostring(setmetatable({}, m))",
           "local m = {} m.__tostring = function(t) return string.format('%s', setmetatable({}, m)) end "
           "tostring(setmetatable({}, m))",
           "local m = {} m.__lt = function(a, b) return a < b end local t = setmetatable({}, m) return t < t",
           "local m = {} m.__concat = function(a, b) return a .. b end local t = setmetatable({}, m) return "
           "t "
           ".. t",
           "local m = {} m.__index = function(t, k) return t[k .. 'x'] end return setmetatable({}, m).a",
           "local m = {} m.__newindex = function(t, k, v) t[k] = v end setmetatable({}, m).a = 1",
           "local m = {} m.__call = m setmetatable(m, m) m()",
           "local m = {} m.__pairs = function(t) return pairs(t) end pairs(setmetatable({}, m))",
           "local m = {} m.__close = function() local x <close> = setmetatable({}, m) end do local x <close> "
           "= "
           "setmetatable({}, m) end",
       }) {
    const std::string end = outcome(handler);
    EXPECT_TRUE(end == overflow || end == memory || end == "java.lang.RuntimeException" ||
                end == "java.lang.ClassCastException")
        << handler << ": " << end;
  }
  EXPECT_EQ(outcome("local t = {} for i = 1, 1000 do t = setmetatable({}, {__index = t}) end self.out = "
                    "tostring(pcall(function() return t.x end))"),
            "true");
  EXPECT_EQ(outcome("local function f(n) if n == 0 then return 0 end return f(n - 1) end self.out = f(1e5)"),
            "0");
}

/// What no budget can count ends by the clock, and is no answer: ten seconds each, so only in soak.
TEST(Sandbox, GivesUpOnWhatCannotBeCharged) {
  if (std::getenv("NORN_SOAK") == nullptr) GTEST_SKIP() << "set NORN_SOAK to run it";
  for (const char* handler :
       {"local s = ('1'):rep(250000) while true do local x = pcall(function() return s | 1 end) end",
        "local s = ('x'):rep(250000) local a, b = s .. 'a', s .. 'b' while true do local x = a == b end"}) {
    Driver d(spec_of(app_with(handler)));
    ASSERT_TRUE(d.ok());
    d.start();
    Tap go;
    go.target.id = "org.evil:id/go";
    const auto action = action_for(go, d.seen().screen);
    ASSERT_TRUE(action);
    const Status status = d.device().perform(*action, Pace{});
    const auto seen = status ? d.device().observe() : Result<Observation>(std::unexpected(status.error()));
    if (seen && seen->crash) {
      EXPECT_EQ(seen->crash->top().type, anr) << handler;  // a fast machine: the budget was first
    } else {
      ASSERT_FALSE(seen) << handler;
      EXPECT_EQ(seen.error().kind, Error::Kind::timeout);
      EXPECT_FALSE(d.device().observe()) << "nothing is seen before the next start";
    }
    EXPECT_FALSE(d.start().crash) << "the device goes on";
  }
}

TEST(Sandbox, ErrorsMayBeAnything) {
  const std::string plain = "java.lang.RuntimeException";
  EXPECT_EQ(outcome("error(setmetatable({}, {__tostring = function() error('again') end}))"), plain);
  EXPECT_EQ(outcome("error(setmetatable({}, {__index = function() error('again') end}))"), plain);
  EXPECT_EQ(outcome("error(setmetatable({}, {__name = ('n'):rep(100000)}))"), plain);
  EXPECT_EQ(outcome("error{type = ('x'):rep(100000), message = {}}").substr(0, 3), "xxx");
  EXPECT_EQ(outcome("error(function() end)"), plain);
  EXPECT_EQ(outcome("error(('\\xff\\0'):rep(10000))"), plain);
  EXPECT_EQ(outcome("error(0/0)"), plain);
  EXPECT_EQ(outcome("xpcall(error, function() error('in the handler') end) self.out = 'ok'"), "ok");
  EXPECT_EQ(outcome("local ok, e = xpcall(function() local x = nil + 1 end, function(e) return {e} end) "
                    "self.out = type(e)"),
            "table");
}

TEST(Sandbox, RefusesHugeRanges) {
  const std::string bad = "java.lang.RuntimeException";
  EXPECT_NE(outcome("table.concat({}, '', 1, 1e15)"), "ok");
  EXPECT_NE(outcome("table.unpack({}, 1, 1e8)"), "ok");
  EXPECT_NE(outcome("table.move({}, 1, 1e15, 2)"), "ok");
  EXPECT_NE(outcome("table.insert(setmetatable({}, {__len = function() return 1e18 end}), 1, 0) error('x')"),
            "ok");
  EXPECT_EQ(outcome("for i = math.maxinteger - 1, math.maxinteger do end self.out = 'ok'"), "ok");
  EXPECT_EQ(outcome("local x = (('abc'):gsub('b', function() error('inner') end))"), bad);
}

TEST(Sandbox, HasNoWayOut) {
  EXPECT_EQ(outcome("local n = {} for _, k in "
                    "ipairs{'io','os','debug','package','require','load','loadstring','dofile',"
                    "'loadfile','coroutine','collectgarbage','print','_G'} do if _ENV[k] ~= nil then n[#n+1] "
                    "= k end end "
                    "self.out = 'left:' .. table.concat(n, ',')"),
            "left:");
  EXPECT_EQ(outcome("self.out = tostring(string.dump)"), "nil");
  EXPECT_EQ(outcome("string.format('%p', {})"), "java.lang.IllegalArgumentException");
  EXPECT_EQ(outcome("setmetatable({}, {__gc = function() end})"), "java.lang.RuntimeException");
  EXPECT_EQ(outcome("self.out = tostring({}) .. tostring(print) .. tostring(function() end)"),
            "tablenilfunction");
  EXPECT_EQ(outcome("app{package='x',title='x',main='x'}"), "java.lang.RuntimeException");
  EXPECT_EQ(
      outcome("local n = 0 local seen = {} local function walk(t) if seen[t] then return end seen[t] = true "
              "for k, v in pairs(t) do if type(v) == 'table' then walk(v) elseif type(v) ~= 'function' and "
              "type(v) ~= 'string' and type(v) ~= 'number' and type(v) ~= 'boolean' then n = n + 1 end end "
              "local m = getmetatable(t) if type(m) == 'table' then walk(m) end end walk(_ENV) self.out = n"),
      "0")
      << "no thread, no userdata within reach";
}

/// What the runtime itself is asked to do, too often or in circles.
TEST(Sandbox, BoundsWhatTheRuntimeIsAskedToDo) {
  for (const char* handler : {
           "while true do after(1, function() end) end",
           "while true do self:every(10, function() end) end",
           "while true do toast(('x'):rep(1000)) end",
           "while true do notify{id = tostring(now()), title = 't', text = ('x'):rep(1000)} end",
           "while true do log(('x'):rep(1000)) end",
           "while true do self:snackbar('x', 'y', function() end) end",
           "while true do self:dialog{title = 'x', message = 'y'} end",
           "while true do self:popup{{'x'}} end",
           "while true do self:register_receiver('A', function() end) end",
           "while true do receiver('A', function() end) end",
           "receiver('A', function() broadcast('A') end) broadcast('A')",
           "receiver('A', function() broadcast('A') broadcast('A') end) broadcast('A') broadcast('A')",
           "while true do self:start('Main') end",
           "while true do self:set_text('a' .. random(1, 1e9), ('x'):rep(10000)) end",
           "while true do net.get('http://x/' .. ('x'):rep(10000), function() end) end",
           "while true do clipboard.set(('x'):rep(200000)) end",
           "while true do shuffle(split(('x,'):rep(1000), ',')) end",
           "local t = {} t.a = t t.b = t storage.x = t self:start('Main', t)",
           "local t = {} for i = 1, 1e5 do t[i] = ('x'):rep(100) end self:start('Main', t)",
           "for i = 1, 9000 do after(1, function() for j = 1, 1e6 do end end) end",
           "local function again() after(1, again) end again()",
           "local function again() after(1, again) after(1, again) end again()",
           "self.view = function() while true do end end",
           "self.view = function() return self.view() end",
           "local v = column{} v[1] = v self.view = function() return v end",
           "self.view = function() local t = {} for i = 1, 1e5 do t[i] = text{'x'} end return column(t) end",
           "self.view = function() self:start('Main') return column{} end",
           "self.view = function() self:dialog{title = 'x', view = function() return self.view() end} return "
           "column{} end",
       }) {
    const std::string end = outcome(handler);
    EXPECT_NE(end, "no app") << handler;
  }
}

TEST(Sandbox, TypesErrorsAsAndroidWould) {
  EXPECT_EQ(outcome("local x = nil x.y = 1"), "java.lang.NullPointerException");
  EXPECT_EQ(outcome("self.nothing()"), "java.lang.NullPointerException");
  EXPECT_EQ(outcome("return 1 + nil"), "java.lang.NullPointerException");
  EXPECT_EQ(outcome("return 1 + 'x'"), "java.lang.NumberFormatException");
  EXPECT_EQ(outcome("return 1 // 0"), "java.lang.ArithmeticException");
  EXPECT_EQ(outcome("return 1 % 0"), "java.lang.ArithmeticException");
  EXPECT_EQ(outcome("return {} < {}"), "java.lang.ClassCastException");
  EXPECT_EQ(outcome("return list_get({1, 2}, 3)"), "java.lang.IndexOutOfBoundsException");
  EXPECT_EQ(outcome("parse_int('x')"), "java.lang.NumberFormatException");
  EXPECT_EQ(outcome("throw('a.B', 'm')"), "a.B");
  EXPECT_EQ(outcome("error('m')"), "java.lang.RuntimeException");
  EXPECT_EQ(outcome("error{type='c.D', message='m'}"), "c.D");
  EXPECT_EQ(outcome("error(nil)"), "java.lang.RuntimeException");
  EXPECT_EQ(outcome("self:start('Nowhere')"), "android.content.ActivityNotFoundException");
  EXPECT_EQ(outcome("self:start_implicit{action='FROBNICATE'}"), "android.content.ActivityNotFoundException");
  EXPECT_EQ(outcome("self:ask_permission('CAMERA', function() end)"), "java.lang.SecurityException");
  EXPECT_EQ(outcome("bug('x')"), "java.lang.RuntimeException");
}

TEST(Sandbox, WalksTablesInAFixedOrder) {
  EXPECT_EQ(outcome("local t = {b=1, a=1, [3]=1, [1]=1, [2.5]=1, [true]=1, c=1, [-1]=1} local n = {} "
                    "for k in pairs(t) do n[#n+1] = tostring(k) end self.out = table.concat(n, ' ')"),
            "-1 1 3 2.5 a b c true");
  EXPECT_EQ(outcome("local t = {b=1, a=2} local k, v = next(t) self.out = k .. v .. next(t, k) .. "
                    "tostring(next(t, 'b'))"),
            "a2bnil");
  EXPECT_EQ(outcome("for k in pairs({[{}]=1}) do end"), "java.lang.UnsupportedOperationException");
  EXPECT_EQ(
      outcome(
          "local t = {'b1','a1','b2','a2'} table.sort(t, function(x, y) return x:sub(1,1) < y:sub(1,1) end) "
          "self.out = table.concat(t, ' ')"),
      "a1 a2 b1 b2");
  EXPECT_EQ(outcome("local t = {3,1,2} table.sort(t, function() return true end) self.out = #t"), "3");
}

TEST(Sandbox, MatchesPatternsAsLuaDoes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"('hello world'):find('o w')", "5"},
      {"('key = value'):match('^(%w+)%s*=%s*(%w+)$')", "key"},
      {"select(2, ('key = value'):match('^(%w+)%s*=%s*(%w+)$'))", "value"},
      {"('abc'):gsub('%w', '%0%0')", "aabbcc"},
      {"('hello'):gsub('', '-')", "-h-e-l-l-o-"},
      {"('f(a(b)c)d'):match('%b()')", "(a(b)c)"},
      {"('THE (quick) fox'):find('%((%a+)%)')", "5"},
      {"('a.b.c'):gsub('%.', '/')", "a/b/c"},
      {"('x=1, y=2'):gsub('(%w+)=(%w+)', '%2=%1')", "1=x, 2=y"},
      {"('abab'):match('^(ab)%1$')", "ab"},
      {"('THE end'):gsub('%f[%w]%w+', 'X')", "X X"},
      {"('$name'):gsub('%$(%w+)', {name = 'Lua'})", "Lua"},
      {"('abc'):find('b', 1, true)", "2"},
      {"('a+b'):find('+', 1, true)", "2"},
      {"('  trim  '):match('^%s*(.-)%s*$') .. '|'", "trim|"},
      {"('2024-03-01'):match('(%d+)-(%d+)-(%d+)')", "2024"},
      {"('[x'):find('[', 1, true)", "1"},
      {"('äö'):len()", "4"},
      {"('a]b'):match('[]]')", "]"},
      {"('a-b'):match('[a%-]+')", "a-"},
      {"('abc'):match('()b()')", "2"},
      {"string.format('%5.2f|%-5s|%03d|%x', 3.14159, 'ab', 7, 255)", " 3.14|ab   |007|ff"},
  };
  for (const auto& [expression, expected] : cases)
    EXPECT_EQ(outcome("self.out = (" + expression + ")"), expected) << expression;
  EXPECT_EQ(outcome("('x'):find('[')"), "java.lang.RuntimeException") << "malformed";
  EXPECT_EQ(
      outcome("local n = {} for w in ('a b c'):gmatch('%a') do n[#n+1] = w end self.out = table.concat(n)"),
      "abc");
}

}  // namespace
}  // namespace norn::sim
