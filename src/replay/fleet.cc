#include "replay/fleet.h"

#include <algorithm>
#include <utility>

namespace norn {

Fleet::Fleet(std::vector<std::unique_ptr<Device>> devices, const App& app, History& tree,
             FleetOptions options, Journal journal)
    : options_(std::move(options)),
      recorder_(tree, std::move(journal)),
      devices_(devices.size()),
      virtual_time_(
          std::all_of(devices.begin(), devices.end(), [](const auto& d) { return d->info().virtual_time; })) {
  std::vector<std::unique_ptr<Rig>> rigs;
  for (auto& device : devices)
    rigs.push_back(
        device_rig(std::move(device), app, recorder_, wishes_, options_.snapshots, options_.setup_end));
  rig_ = given_up(retried(metered(pool(std::move(rigs)), options_.budget), options_.attempts),
                  options_.failures);
}

}  // namespace norn
