// The identity of what is tested. Everything that can change what the app does goes in; whatever only changes
// what it costs stays out, so that memory survives a faster device.
#include "trace/app.h"

#include "base/hash.h"

namespace norn {
namespace {

/// The key says what was meant; a typed text is added by itself, so that two logins never share a memory even
/// if keys should one day leave texts out.
void add_event(Hasher& hasher, const Event& event) {
  hasher.add(event_key(event));
  const auto* typed = std::get_if<Type>(&event);
  hasher.add(typed != nullptr ? std::string_view(typed->text) : std::string_view{});
}

}  // namespace

std::uint64_t identity(const MemoryKey& key) {
  Hasher hasher;
  hasher.add(key.app.name).add(key.app.version).add(key.app.options);
  hasher.add(key.app.setup.size());
  for (const Event& event : key.app.setup) add_event(hasher, event);
  hasher.add(key.device_kind).add(key.locale);
  hasher.add(static_cast<std::uint32_t>(key.width)).add(static_cast<std::uint32_t>(key.height));
  return hasher.finish();
}

}  // namespace norn
