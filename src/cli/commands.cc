#include "cli/commands.h"

#include "cli/command.h"

namespace norn::cli {

std::span<const Entry> commands() {
  static constexpr Entry all[] = {
      {"devices", "what can be driven from here, and what each can do",
       "  norn devices\n  norn devices --device 'sim:notes?profile=phone'", make_devices},
  };
  return all;
}

}  // namespace norn::cli
