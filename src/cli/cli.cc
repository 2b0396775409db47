// Parsing, help and errors, for all commands alike.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/version.h"

namespace norn::cli {
namespace {

class CliOptions final : public Options {
 public:
  explicit CliOptions(CLI::App& app) : app_(app) {}

  void flag(bool& value, std::string name, std::string help) override { app_.add_flag(name, value, help); }
  void text(std::string& value, std::string name, std::string help) override { add(value, name, help); }
  void number(std::uint64_t& value, std::string name, std::string help) override {
    add(value, name, help)->type_name("N");
  }
  void real(double& value, std::string name, std::string help) override {
    add(value, name, help)->type_name("X");
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

int unknown(std::string_view name) {
  std::vector<std::string> names;
  for (const Entry& entry : commands()) names.emplace_back(entry.name);
  const auto near = did_you_mean(name, names);
  std::cerr << fmt::format("norn: there is no command '{}'{}\n", printable(name),
                           near ? fmt::format("; did you mean '{}'?", *near) : "; 'norn --help' lists them");
  return Exit::bad_usage;
}

int run_entry(const Entry& entry, int argc, const char* const* argv) {
  CLI::App app{std::string(entry.summary), "norn " + std::string(entry.name)};
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
    std::cerr << fmt::format("norn {}: {}\n('norn {} --help' shows the options)\n", entry.name, error.what(),
                             entry.name);
    return Exit::bad_usage;
  }
  auto result = command->run(out);
  out.finish();
  if (result) return *result;
  if (out.json) out.object(error_json(result.error()));
  std::cerr << fmt::format("norn {}: {}\n", entry.name, printable(result.error().message()));
  return exit_code(result.error());
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

int run(int argc, const char* const* argv) {
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
  return unknown(name);
}

}  // namespace norn::cli
