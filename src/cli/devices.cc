// norn devices: what can be driven from here, and what each can do.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/json_result.h"
#include "device/open.h"
#include "device/sim.h"

namespace norn::cli {
namespace {

class Devices final : public Command {
 public:
  void declare(Options& options) override {
    options.text(device_, "--device", "Tell about this one only, options included");
  }

  Result<Exit> run(Output& out) override {
    std::vector<std::string> specs{device_};
    if (device_.empty()) {
      specs.clear();
      for (const auto& name : sim_apps()) specs.push_back("sim:" + name);
    }
    JsonOut all = JsonOut::array();
    for (const auto& spec : specs) {
      NORN_TRY(const OpenedDevice opened, open_device(spec));
      const DeviceInfo info = opened.device->info();
      all.push_back(object(spec, opened.app, info));
      out.line(text(spec, info));
    }
    if (device_.empty()) {
      out.line("exec:COMMAND         any program that speaks the device protocol (docs/exec-device.md)");
      out.line("sim:path/to/app.lua  an app of your own (docs/sim-apps.md)");
    }
    out.object(dump_line(JsonOut{{"devices", all}}));
    return Exit::done;
  }

 private:
  static JsonOut object(const std::string& spec, const App& app, const DeviceInfo& info) {
    return {{"device", spec},
            {"app", app.name},
            {"app_hash", app.version},
            {"kind", info.kind},
            {"width", info.width},
            {"height", info.height},
            {"snapshots", info.snapshots},
            {"coverage", info.coverage},
            {"virtual_time", info.virtual_time},
            {"costs",
             {{"event", info.guess.event},
              {"restart", info.guess.restart},
              {"save", info.guess.save},
              {"load", info.guess.load}}}};
  }
  static std::string text(const std::string& spec, const DeviceInfo& info) {
    return fmt::format("{:<20} {}x{}, {}, {}; {} s an event, {} s a restart{}", spec, info.width, info.height,
                       info.snapshots ? "snapshots" : "no snapshots",
                       info.coverage ? "coverage" : "no coverage", info.guess.event, info.guess.restart,
                       info.virtual_time ? ", virtual time" : "");
  }

  std::string device_;
};

}  // namespace

std::unique_ptr<Command> make_devices() { return std::make_unique<Devices>(); }

}  // namespace norn::cli
