#include "trace/app.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace norn {
namespace {

Target with_id(std::string id) {
  Target target;
  target.id = std::move(id);
  return target;
}

MemoryKey login_key() {
  MemoryKey key;
  key.app = {
      "org.app", "v1", "bugs=none", {Tap{with_id("id/user"), {1, 2}}, Type{with_id("id/user"), {}, "ann"}}};
  key.device_kind = "sim";
  key.width = 1080;
  key.height = 1920;
  key.locale = "en_US";
  return key;
}

// One change to each field, alone: all keys differ from the first and from each other.
TEST(Identity, CoversEveryField) {
  const std::vector<std::function<void(MemoryKey&)>> changes{
      [](MemoryKey&) {},
      [](MemoryKey& k) { k.app.name = "org.other"; },
      [](MemoryKey& k) { k.app.version = "v2"; },
      [](MemoryKey& k) { k.app.options = "bugs=1"; },
      [](MemoryKey& k) { k.app.setup.clear(); },
      [](MemoryKey& k) { k.app.setup.push_back(Key{key::back}); },
      [](MemoryKey& k) { std::get<Type>(k.app.setup[1]).text = "bob"; },
      [](MemoryKey& k) { std::get<Tap>(k.app.setup[0]).target.id = "id/pass"; },
      [](MemoryKey& k) { std::swap(k.app.setup[0], k.app.setup[1]); },
      [](MemoryKey& k) { k.device_kind = "adb"; },
      [](MemoryKey& k) { k.width = 720; },
      [](MemoryKey& k) { k.height = 1280; },
      [](MemoryKey& k) { std::swap(k.width, k.height); },
      [](MemoryKey& k) { k.locale = "de_DE"; },
      [](MemoryKey& k) { std::swap(k.device_kind, k.locale); },
  };
  std::set<std::uint64_t> seen;
  for (const auto& change : changes) {
    MemoryKey key = login_key();
    change(key);
    seen.insert(identity(key));
  }
  EXPECT_EQ(seen.size(), changes.size());
}

TEST(Identity, IgnoresWhereASetUpTapWasRecorded) {
  MemoryKey a = login_key(), b = a;
  std::get<Tap>(b.app.setup[0]).at = {500, 600};
  EXPECT_EQ(identity(a), identity(b));
}

}  // namespace
}  // namespace norn
