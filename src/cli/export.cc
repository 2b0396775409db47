// norn export: a trace as a file for others.
#include <fmt/core.h>

#include <iostream>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "formats/monkey.h"
#include "formats/trace_json.h"

namespace norn::cli {
namespace {

class Export final : public Command {
 public:
  void declare(Options& options) override {
    options.text(trace_, "trace", "t17, c3, a file, or - for standard input");
    options.choice(format_, "--format", {"norn", "monkey"},
                   "norn: JSON lines (docs/trace-format.md); monkey: a Monkey script");
    options.text(out_, "--out", "The file to write; default: standard output");
    options.flag(force_, "--force", "Overwrite --out");
    declare_store(options, store_);
  }

  Result<Exit> run(Output& out) override {
    if (trace_.empty())
      return fail(Error::Kind::bad_input, "say which trace", {}, "norn export c1 --out crash.jsonl");
    if (!out_.empty()) NORN_CHECK(may_write(out_, force_));
    NORN_TRY(const NamedTrace named, find_trace(trace_, store_, out));
    const Written written = format_ == "monkey" ? as_monkey(named) : as_norn(named);
    for (const std::string& event : written.left_out) out.warning(fmt::format("left out: {}", event));
    if (out_.empty()) {
      if (!out.json) std::cout << written.text;
    } else {
      NORN_CHECK(write_file(out_, written.text));
      out.line(fmt::format("wrote {} ({})", out_, counted(written.events, "event")));
    }
    JsonOut json{{"trace", trace_},
                 {"format", format_},
                 {"events", written.events},
                 {"left_out", written.left_out},
                 {"file", out_}};
    if (out_.empty()) json["text"] = written.text;
    out.object(dump_line(json));
    return Exit::done;
  }

 private:
  struct Written {
    std::string text;
    std::size_t events = 0;
    std::vector<std::string> left_out;  ///< events that the format has nothing for
  };
  static Written as_monkey(const NamedTrace& named) {
    const std::vector<Event> events = named.recorded.events();
    MonkeyExport script = write_monkey_script(events);
    return {std::move(script.text), events.size() - script.skipped.size(), std::move(script.skipped)};
  }
  static Written as_norn(const NamedTrace& named) {
    Trace trace = named.recorded;
    if (trace.origin.empty() && !named.info) trace.origin = named.name;
    return {write_trace(trace), trace.steps.size(), {}};
  }

  std::string trace_, format_ = "norn", out_, store_{usual_store};
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_export() { return std::make_unique<Export>(); }

}  // namespace norn::cli
