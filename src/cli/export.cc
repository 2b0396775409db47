// norn export: a trace as a file for others.
#include <fmt/core.h>

#include <iostream>

#include "base/file.h"
#include "cli/commands.h"
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
    NORN_TRY(const NamedTrace named, find_trace(trace_, store_, &out));
    NORN_TRY(const std::string text, render(named, out));
    if (out_.empty()) {
      if (!out.json) std::cout << text;
    } else {
      NORN_CHECK(write_file(out_, text));
      out.line(fmt::format("wrote {} ({} events)", out_, named.events.size()));
    }
    JsonOut json{{"trace", trace_}, {"format", format_}, {"events", named.events.size()}, {"file", out_}};
    if (out_.empty()) json["text"] = text;
    out.object(dump_line(json));
    return Exit::done;
  }

 private:
  Result<std::string> render(const NamedTrace& named, Output& out) const {
    if (format_ == "monkey") {
      MonkeyExport script = write_monkey_script(named.events);
      for (const auto& skipped : script.skipped) out.warning(fmt::format("left out: {}", skipped));
      return std::move(script.text);
    }
    if (!named.info) {
      Trace trace;
      trace.origin = named.name;
      for (const Event& event : named.events) trace.steps.push_back({event, {}});
      return write_trace(trace);
    }
    NORN_TRY(auto store, Store::open(store_, Access::read));
    NORN_TRY(const auto tree, store->load(named.info->app));
    return write_trace(tree->trace(named.info->node));
  }

  std::string trace_, format_ = "norn", out_, store_ = "norn.db";
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_export() { return std::make_unique<Export>(); }

}  // namespace norn::cli
