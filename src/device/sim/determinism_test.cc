// The same app and events give the same run in every process, bit for bit, and whether or not somebody takes
// snapshots.
//
// This program starts itself again (another clock, other addresses) and compares what the two say of the same
// run. Beyond all that is seen, the size of the app's memory is compared: it follows from every allocation
// ever made. NORN_SOAK_EVENTS makes the walks long.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/process.h"
#include "base/text.h"
#include "device/sim/hash_seed.h"
#include "device/sim/testing.h"

namespace norn::sim {
namespace {

/// Tables of texts, numbers and objects that grow, lose keys and have holes; weak ones; what #, next and the
/// cost of allocations say of them is shown.
const std::string restless = R"lua(
app { package = "org.test.restless", title = "Restless", main = "Main" }
local seed = 7
local function roll(n) seed = (seed * 1103515245 + 12345) % 2147483648 return seed // 65536 % n end
local mixed, objects, names = {}, {}, {}
local weak, mode = {}, {}
setmetatable(weak, mode)
mode.__mode = "k"                       -- not seen by setmetatable
local function churn(times)
  for _ = 1, times do
    local k = roll(60)
    if roll(2) == 0 then mixed["name" .. k] = roll(2) == 0 and k or nil else mixed[k % 24 + 1] = roll(3) > 0 and k or nil end
    objects[k] = objects[k] or {}
    names[objects[k]] = roll(2) == 0 and k or nil
    if roll(5) == 0 then objects[k] = nil end
    weak[{}] = ("x"):rep(roll(400))
  end
end
local function alive() local n = 0 for _ = 1, 50 do if weak[objects[roll(60)] or weak] then n = n + 1 end end return n end
activity "Main" {
  view = function(self)
    return column {
      text { "border " .. #mixed, id = "border" },
      text { "first " .. tostring(next(mixed)), id = "first" },
      text { "alive " .. alive(), id = "alive" },
      text { "out " .. tostring(self.out), id = "out" },
      button { "Churn", id = "churn", on_click = function() churn(500) end },
      button { "Garbage", id = "garbage", on_click = function() local t = {} for i = 1, 3000 do t[i] = { i } end end },
      button { "Limit", id = "limit", on_click = function()
        local n = 0
        local t = {}
        self.out = tostring(pcall(function() while n < 2e5 do n = n + 1 t["k" .. roll(5000)] = roll(2) == 0 and {} or nil end end)) .. n
      end },
    }
  end,
}
)lua";

std::size_t walk_length() {
  const char* asked = std::getenv("NORN_SOAK_EVENTS");
  return asked ? static_cast<std::size_t>(to_int(asked).value_or(150)) : 150;
}

std::uint64_t memory_of(Device& device) {
  const auto id = device.save();
  if (!id) return 0;
  device.forget(*id);
  return device.info().snapshot_bytes;
}

/// Hash of everything seen on a walk; with a snapshot taken and put back after every `every`-th event (0:
/// none).
std::uint64_t walk(const std::string& spec, std::size_t events, std::size_t every = 0) {
  Driver d(spec);
  if (!d.ok()) return 0;
  Rng rng(3);
  Hasher hash;
  hash.add(hash_of(d.start()));
  for (std::size_t i = 0; i < events; ++i) {
    hash.add(hash_of(d.perform(random_action(d.seen().screen, rng))));
    if (every == 0 || i % every != 0) continue;
    const auto id = d.device().save();
    EXPECT_TRUE(id && d.device().restore(*id, 0));
    if (id) d.device().forget(*id);
  }
  return hash.add(memory_of(d.device())).finish();
}

/// The restless app's events are hundreds of steps each.
std::size_t walk_length(const std::string& spec) {
  return spec.find(".lua") == std::string::npos ? walk_length() : std::min<std::size_t>(walk_length(), 500);
}

/// Every app of this build, the restless one first.
std::vector<std::string> specs() {
  std::vector<std::string> out{spec_of(restless)};
  for (const auto& name : sim_apps())
    out.push_back("sim:" + name + "?profile=instant&flaky=0.1&timing=random&content=random");
  out.push_back("sim:generated?seed=5&screens=30&profile=instant");
  out.push_back("sim:generated?seed=5&screens=30&hidden=0.5&timing=random&profile=instant");
  return out;
}

/// Not a test of its own: what the other process says.
TEST(OtherProcess, DISABLED_Walks) {
  for (const auto& spec : specs())
    std::cout << "walk " << hex(walk(spec, walk_length(spec))) << " " << spec << '\n' << std::flush;
}

TEST(Determinism, RunsAreTheSameInAnotherProcess) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  ASSERT_FALSE(error);
  // The test there may be in another part of the tests than this one; X moves the stack.
  auto other =
      Process::spawn("unset GTEST_SHARD_INDEX GTEST_TOTAL_SHARDS; X=" + std::string(3000, 'x') + " " +
                     self.string() + " --gtest_also_run_disabled_tests --gtest_filter='OtherProcess.*' 2>&1");
  ASSERT_TRUE(other) << other.error().message();
  for (const auto& spec : specs()) {
    const std::string mine = "walk " + hex(walk(spec, walk_length(spec))) + " " + spec;
    Result<std::string> line = "";
    while (line && !line->starts_with("walk ")) line = other->read_line(3600);
    ASSERT_TRUE(line) << spec;
    EXPECT_EQ(*line, mine) << spec;
  }
}

TEST(Determinism, TakingSnapshotsChangesNothing) {
  for (const auto& spec : specs()) EXPECT_EQ(walk(spec, 100), walk(spec, 100, 3)) << spec;
}

TEST(Determinism, TheSeedOfHashesIsFound) {
  EXPECT_TRUE(hash_seed_place()) << "of the Lua this was built with; one with a fixed seed needs none";
}

}  // namespace
}  // namespace norn::sim
