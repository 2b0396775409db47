// A command is a value: a name, a sentence, two examples, its options and what it does. `commands.cc` lists
// them all; the list drives parsing, help and "did you mean". Only cli.cc knows the parser library.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/progress.h"

namespace norn::cli {

enum Exit : int {
  done = 0,
  bad_news = 1,      ///< a bug was found; it does not reproduce; a suite regressed
  bad_usage = 2,     ///< usage or input
  rig_failed = 3,    ///< device or infrastructure
  inconclusive = 4,  ///< the budget is spent
  interrupted = 130,
};
/// The exit code an error leads to.
Exit exit_code(const Error& error);

/// Declares options by what they fill in. Names as on the command line ("--seed", or "trace" for a positional
/// one). Outlives the command's run.
class Options {
 public:
  virtual ~Options() = default;
  virtual void flag(bool& value, std::string name, std::string help) = 0;
  virtual void text(std::string& value, std::string name, std::string help) = 0;
  virtual void number(std::uint64_t& value, std::string name, std::string help) = 0;
  virtual void real(double& value, std::string name, std::string help) = 0;
  /// "90s", "30m", "2h".
  virtual void duration(double& value, std::string name, std::string help) = 0;
  virtual void choice(std::string& value, std::string name, std::vector<std::string> of,
                      std::string help) = 0;
  /// Any number of values; `required`: at least one.
  virtual void list(std::vector<std::string>& values, std::string name, std::string help,
                    bool required = false) = 0;
  /// Whether it was said, be it what would hold anyway. Known when the command runs.
  virtual bool given(const std::string& name) const = 0;
};

/// Where results and words go: results to stdout, progress and warnings to stderr.
class Output : public Progress {
 public:
  bool json = false, quiet = false;

  /// One line (or several) of the result; nothing with --json.
  virtual void line(std::string_view text = {}) = 0;
  /// The one JSON object; nothing without --json.
  virtual void object(std::string_view json_text) = 0;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(Options& options) = 0;
  virtual Result<Exit> run(Output& out) = 0;
};

struct Entry {
  std::string_view name, summary;
  std::string_view examples;  ///< lines shown under "Examples"
  std::unique_ptr<Command> (*make)();
};

std::span<const Entry> commands();

/// Parses and runs; never throws. What main() returns.
int run(int argc, const char* const* argv);

}  // namespace norn::cli
