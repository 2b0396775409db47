#include "device/open.h"

#include <map>

#include "base/text.h"
#include "device/exec/exec.h"
#include "device/oracle.h"
#include "device/sim.h"

namespace norn {
namespace {

Result<OpenedDevice> open_simulated(std::string_view spec) {
  NORN_TRY(App app, sim_app(spec));
  NORN_TRY(auto device, open_sim(spec));
  return OpenedDevice{std::move(device), std::move(app)};
}

/// oracle:FILE?case=3&snapshots=0&event=0.65&restart=5&save=4&load=3
Result<OpenedDevice> open_recorded(std::string_view name) {
  const auto query = name.find('?');
  const std::string file(name.substr(0, query));
  std::size_t index = 0;
  bool snapshots = true;
  Costs costs;
  if (query != std::string_view::npos)
    for (const auto part : split(name.substr(query + 1), '&')) {
      const auto equals = part.find('=');
      const auto key = part.substr(0, equals);
      const double value =
          equals == std::string_view::npos ? -1 : to_double(part.substr(equals + 1)).value_or(-1);
      const std::map<std::string_view, double*> prices{
          {"event", &costs.event}, {"restart", &costs.restart}, {"save", &costs.save}, {"load", &costs.load}};
      if (value < 0)
        return fail(Error::Kind::bad_input, "is no option", std::string(part),
                    "case=0&snapshots=1&event=0.65");
      if (key == "case")
        index = static_cast<std::size_t>(value);
      else if (key == "snapshots")
        snapshots = value != 0;
      else if (const auto price = prices.find(key); price != prices.end())
        *price->second = value;
      else
        return fail(Error::Kind::bad_input, "is no option", std::string(key),
                    "case, snapshots, event, restart, save, load");
    }
  NORN_TRY(const Oracle oracle, read_oracle(file));
  if (index >= oracle.cases.size())
    return fail(Error::Kind::bad_input, "has no case " + std::to_string(index), file,
                "cases are counted from 0 to " + std::to_string(oracle.cases.size() - 1));
  App app = oracle_app(oracle, index);
  return OpenedDevice{oracle_device(oracle, index, costs, snapshots), std::move(app)};
}

}  // namespace

Result<OpenedDevice> open_device(std::string_view spec) {
  if (spec.starts_with("sim:")) return open_simulated(spec);
  if (spec.starts_with("exec:")) {
    NORN_TRY(ExecDevice opened, open_exec(std::string(spec.substr(5))));
    return OpenedDevice{std::move(opened.device), std::move(opened.app)};
  }
  if (spec.starts_with("oracle:")) return open_recorded(spec.substr(7));
  return fail(Error::Kind::bad_input, "is no device", std::string(spec),
              "say sim:NAME, sim:path/to/app.lua or exec:COMMAND; 'norn devices' lists them");
}

}  // namespace norn
