#include "cli/commands.h"

#include "cli/command.h"

namespace norn::cli {

std::span<const Entry> commands() {
  static constexpr Entry all[] = {
      {"devices", "what can be driven from here, and what each can do",
       "  norn devices\n  norn devices --device 'sim:notes?profile=phone'", make_devices},
      {"diagnose", "why did a testing tool miss this bug: how far along its automaton did runs get",
       "  norn diagnose notes.jff monkey/run1.log monkey/run2.log --events notes.json\n"
       "  norn diagnose bugs/*.jff ape=ape.txt monkey=monkey.txt --rules ddroid --csv table.csv",
       make_diagnose},
  };
  return all;
}

}  // namespace norn::cli
