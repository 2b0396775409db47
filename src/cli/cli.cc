// Parsing, help and errors, for all commands alike.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iostream>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/version.h"

namespace norn::cli {
namespace {

/// Whether all of the text is one such number, and one that can be held: neither "-1" as 2^64 - 1 nor "nan".
template <class Number>
bool reads_as(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && std::isfinite(static_cast<double>(value));
}

/// A check as CLI11 wants it: what is wrong in words, or nothing.
auto unless(bool (*good)(const std::string&), std::string_view wrong) {
  return [=](const std::string& text) { return good(text) ? "" : fmt::format("'{}' {}", text, wrong); };
}

class CliOptions final : public Options {
 public:
  explicit CliOptions(CLI::App& app) : app_(app) {}

  void flag(bool& value, std::string name, std::string help) override { app_.add_flag(name, value, help); }
  void text(std::string& value, std::string name, std::string help) override { add(value, name, help); }
  void number(std::uint64_t& value, std::string name, std::string help) override {
    add(value, name, help)
        ->type_name("N")
        ->check(unless(reads_as<std::uint64_t>, "is no whole number from 0 on"));
  }
  void real(double& value, std::string name, std::string help) override {
    add(value, name, help)->type_name("X")->check(unless(reads_as<double>, "is no number"));
  }
  void duration(double& value, std::string name, std::string help) override {
    app_.add_option_function<std::string>(
            name,
            [&value, name](const std::string& text) {
              const auto seconds = parse_duration(text);
              if (!seconds)
                throw CLI::ValidationError(name, "'" + text + "' is no duration: say 90s, 30m or 2h");
              value = *seconds;
            },
            help)
        ->type_name("TIME");
  }
  void choice(std::string& value, std::string name, std::vector<std::string> of, std::string help) override {
    auto* option = add(value, name, help);
    option->type_name(fmt::format("{}", fmt::join(of, "|")));
    option->check([of = std::move(of)](const std::string& given) -> std::string {
      if (std::find(of.begin(), of.end(), given) != of.end()) return {};
      const auto near = did_you_mean(given, of);
      return fmt::format("'{}' is not one of {}{}", given, fmt::join(of, ", "),
                         near ? fmt::format("; did you mean {}?", *near) : "");
    });
  }
  void list(std::vector<std::string>& values, std::string name, std::string help, bool required) override {
    auto* option = app_.add_option(name, values, help);
    if (required) option->required();
  }
  bool given(const std::string& name) const override { return app_.count(name) > 0; }

 private:
  template <class T>
  CLI::Option* add(T& value, const std::string& name, const std::string& help) {
    auto* option = app_.add_option(name, value, help);
    if (!option->get_positional() || name.starts_with('-')) option->capture_default_str();
    return option;
  }
  CLI::App& app_;
};

void list_commands() {
  std::cout << "norn finds, shrinks and explains bugs in apps by running event sequences on "
               "devices.\n\nUsage: norn COMMAND [OPTIONS]\n\n";
  for (const Entry& entry : commands()) std::cout << fmt::format("  {:<10} {}\n", entry.name, entry.summary);
  std::cout << "\nBegin with: norn demo\nHelp on one: norn COMMAND --help\n";
}

bool wants_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
}

/// Says what went wrong: in words on stderr, and as the one object where that is wanted. The exit code.
int refuse(const std::string& who, const Error& error, bool json) {
  if (json) std::cout << error_json(error) << '\n' << std::flush;
  std::cerr << fmt::format("{}: {}\n", who, printable(error.message()));
  return exit_code(error);
}

Error unknown(std::string_view name) {
  std::vector<std::string> names;
  for (const Entry& entry : commands()) names.emplace_back(entry.name);
  const auto near = did_you_mean(name, names);
  return {Error::Kind::bad_input,
          fmt::format("there is no command '{}'", name),
          {},
          near ? fmt::format("did you mean '{}'?", *near) : "'norn --help' lists them"};
}

/// What was printed is there only if it could be written: a full disk or a closed pipe is no success.
int after_writing(int exit) {
  if (std::cout.flush()) return exit;
  std::cerr << "norn: standard output cannot be written\n";
  return Exit::rig_failed;
}

/// Nothing below throws on purpose. What does all the same (no memory left) ends in words, with the store
/// closed.
Result<Exit> run_guarded(Command& command, Output& out) {
  try {
    return command.run(out);
  } catch (const std::exception& error) {
    return fail(Error::Kind::device, fmt::format("ended by a mistake of norn's own: {}", error.what()), {},
                "what was executed until then is in the store");
  }
}

int run_entry(const Entry& entry, int argc, const char* const* argv) {
  const std::string who = "norn " + std::string(entry.name);
  CLI::App app{std::string(entry.summary), who};
  app.footer("Examples:\n" + std::string(entry.examples));
  CliOptions options(app);
  StreamOutput out;
  app.add_flag("--json", out.json, "One JSON object on stdout (docs/json.md)");
  app.add_flag("--quiet", out.quiet, "No progress, no warnings");
  const auto command = entry.make();
  command->declare(options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return Exit::done;
  } catch (const CLI::ParseError& error) {
    const Error told{
        Error::Kind::bad_input, error.what(), {}, fmt::format("'{} --help' shows the options", who)};
    return refuse(who, told, wants_json(argc, argv));
  }
  auto result = run_guarded(*command, out);
  out.finish();
  return result ? *result : refuse(who, result.error(), out.json && !out.has_object());
}

/// `norn help explore` is `norn explore --help`.
int help_on(std::string_view name) {
  for (const Entry& entry : commands())
    if (entry.name == name) {
      const std::array<const char*, 2> words{entry.name.data(), "--help"};
      return run_entry(entry, 2, words.data());
    }
  return refuse("norn", unknown(name), false);
}

int choose(int argc, const char* const* argv) {
  if (argc > 2 && std::string_view(argv[1]) == "help" && argv[2][0] != '-') return help_on(argv[2]);
  const std::string_view name = argc > 1 ? argv[1] : "--help";
  if (name == "--help" || name == "-h" || name == "help") {
    list_commands();
    return Exit::done;
  }
  if (name == "--version") {
    std::cout << "norn " << version << '\n';
    return Exit::done;
  }
  for (const Entry& entry : commands())
    if (entry.name == name) return run_entry(entry, argc - 1, argv + 1);
  return refuse("norn", unknown(name), wants_json(argc, argv));
}

}  // namespace

Exit exit_code(const Error& error) {
  switch (error.kind) {
    case Error::Kind::bad_input:
    case Error::Kind::not_found:
    case Error::Kind::unsupported:
      return Exit::bad_usage;
    case Error::Kind::device:
    case Error::Kind::timeout:
    case Error::Kind::io:
    case Error::Kind::busy:
      return Exit::rig_failed;
    case Error::Kind::budget:
      return Exit::inconclusive;
    case Error::Kind::cancelled:
      return Exit::interrupted;
  }
  return Exit::rig_failed;
}

int run(int argc, const char* const* argv) { return after_writing(choose(argc, argv)); }

}  // namespace norn::cli
