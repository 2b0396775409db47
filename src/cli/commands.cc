#include "cli/commands.h"

#include "cli/command.h"

namespace norn::cli {

std::span<const Entry> commands() {
  static constexpr Entry all[] = {
      {"apps", "the bundled simulated apps: what each is, its known bugs",
       "  norn apps\n  norn apps notes --json", make_apps},
      {"demo", "the tour, on the embedded device", "  norn demo\n  norn demo --out /tmp/tour", make_demo},
      {"detect", "functional bugs that do not crash: what changes although nothing should have changed it",
       "  norn detect --device sim:tips --budget 1h\n"
       "  norn detect --device sim:notes --oracle odin,neutral,mine.txt",
       make_detect},
      {"devices", "what can be driven from here, and what each can do",
       "  norn devices\n  norn devices --device 'sim:notes?profile=phone'", make_devices},
      {"diagnose", "why did a testing tool miss this bug: how far along its automaton did runs get",
       "  norn diagnose notes.jff monkey/run1.log monkey/run2.log --events notes.json\n"
       "  norn diagnose bugs/*.jff ape=ape.txt monkey=monkey.txt --rules ddroid --csv table.csv",
       make_diagnose},
      {"explore", "test an app with time travel: crashes, coverage, a state graph",
       "  norn explore --device sim:notes --budget 30m\n"
       "  norn explore --device sim:mail --strategy timemachine --triage --avoid 'delete account'",
       make_explore},
      {"learn", "a crash's bug automaton by replays, or a fix checked against all its ways",
       "  norn learn c1 --device sim:notes --out notes.jff\n"
       "  norn learn --check notes.jff --device 'sim:notes?bugs=none'",
       make_learn},
      {"benchmark", "tools against known bugs: found or missed, how near, and what was missed first",
       "  norn benchmark plan.toml\n  norn benchmark plan.toml --against plan-before.results",
       make_benchmark},
      {"record", "drive a device by hand, every step kept",
       "  norn record --device sim:notes\n  norn record --device sim:mail --out login.jsonl", make_record},
      {"reduce", "a crash trace to the few events that matter",
       "  norn reduce c1\n  norn reduce crash.jsonl --device sim:notes --algo bhdd --explain", make_reduce},
      {"replay", "does a trace reproduce, and at what rate",
       "  norn replay c1 --times 20\n  norn replay t3 --device 'sim:notes?bugs=none'", make_replay},
      {"runs", "what the store holds", "  norn runs\n  norn runs --store other.db --json", make_runs},
      {"show", "a trace, crash or run from the store", "  norn show c1 --screens\n  norn show t3 --tree",
       make_show},
      {"suite", "a small regression suite out of a huge generated one",
       "  norn suite --device sim:notes\n  norn suite t3 t4 t9 --target 5m --by screens", make_suite_command},
      {"import", "take other tools' recordings into the store",
       "  norn import monkey.log droidbot_output/\n  norn import traces/ --format simplydroid", make_import},
      {"export", "a trace as a file for others",
       "  norn export c1 --out crash.jsonl\n  norn export t3 --format monkey --out crash.monkey",
       make_export},
      {"gc", "free what nothing in the store refers to, or save what is left of a damaged one",
       "  norn gc\n  norn gc --store damaged.db --salvage new.db", make_gc},
  };
  return all;
}

}  // namespace norn::cli
