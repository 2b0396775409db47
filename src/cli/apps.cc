// norn apps: the bundled simulated apps, what each is, and its known bugs. The only command that opens the
// ground truth.
#include <fmt/core.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/json_result.h"
#include "device/open.h"
#include "device/sim.h"
#include "device/sim/truth.h"

namespace norn::cli {
namespace {

class Apps final : public Command {
 public:
  void declare(Options& options) override {
    options.text(name_, "name", "Only this one, with its bugs in full");
  }

  Result<Exit> run(Output& out) override {
    std::vector<std::string> names = sim_apps();
    if (!name_.empty()) {
      if (std::find(names.begin(), names.end(), name_) == names.end()) {
        const auto near = did_you_mean(name_, names);
        return fail(Error::Kind::not_found, "there is no such app", name_,
                    near ? "did you mean " + *near + "?" : "'norn apps' lists them");
      }
      names = {name_};
    }
    JsonOut all = JsonOut::array();
    for (const std::string& name : names) NORN_CHECK(tell(name, out, all));
    out.object(dump_line(JsonOut{{"apps", all}}));
    return Exit::done;
  }

 private:
  Status tell(const std::string& name, Output& out, JsonOut& all) const {
    NORN_TRY(const OpenedDevice opened, open_device("sim:" + name));
    NORN_TRY(const sim::Truth truth, sim::load_truth(name));
    const DeviceInfo info = opened.device->info();
    JsonOut bugs = JsonOut::array();
    for (const sim::KnownBug& bug : truth.bugs)
      bugs.push_back({{"id", bug.id},
                      {"kind", sim::name_of(bug.kind)},
                      {"what", bug.what},
                      {"device", bug.device},
                      {"events", bug.text}});
    all.push_back({{"name", name},
                   {"title", truth.what},
                   {"package", opened.app.name},
                   {"activities", info.activities},
                   {"lines", info.coverable.lines},
                   {"functions", info.coverable.functions},
                   {"bugs", bugs}});
    out.line(fmt::format("{:<10} {:<52} {:2} activities, {:3} lines, {} known bugs", name, truth.what,
                         info.activities.size(), info.coverable.lines, truth.bugs.size()));
    if (name_.empty()) return {};
    for (const sim::KnownBug& bug : truth.bugs) {
      out.line(fmt::format("\n  {} ({}{}): {}", bug.id, sim::name_of(bug.kind),
                           bug.device.empty() ? "" : ", with " + bug.device, bug.what));
      for (std::size_t i = 0; i < bug.text.size(); ++i)
        out.line(fmt::format("    {:2}  {}", i + 1, bug.text[i]));
    }
    return {};
  }

  std::string name_;
};

}  // namespace

std::unique_ptr<Command> make_apps() { return std::make_unique<Apps>(); }

}  // namespace norn::cli
