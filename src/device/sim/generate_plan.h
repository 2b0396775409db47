// The plan of a generated app: which features it has, which mistakes are in them, how one gets from the first
// screen to each. Text is made from it afterwards, the app's and the ground truth's; both see the same plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/sim/generate_template.h"

namespace norn::sim {

inline constexpr std::string_view generated_package = "org.norn.generated";

/// What stands between a menu and a feature.
enum class Gate : std::uint8_t {
  none,
  flag,     ///< the entry is there only while an option, far away, is switched on
  visited,  ///< ... only after another entry was opened once
  count,    ///< ... only once something was added to another feature's list
  code,     ///< a number is asked for, which another screen tells
};

struct Feature {
  const FeatureTemplate* kind = nullptr;
  Words words;
  Choice choice;
  std::string title, key, entry;
  Gate gate = Gate::none;
  std::size_t flag = 0;     ///< Gate::flag: which
  std::size_t items = 0;    ///< how many its own list begins with
  std::string after, code;  ///< Gate::visited, count: key of the other; Gate::code
};

enum class HubKind : std::uint8_t { buttons, list, drawer, menu, tabs };

/// A screen that leads on to others. The first one is the app's first screen.
struct Hub {
  HubKind kind = HubKind::buttons;
  std::string name, title;
  std::vector<std::size_t> hubs, features;
  std::size_t parent = 0;
  std::size_t link = 0;  ///< another hub it mentions; 0: none
  bool kiosk = false;    ///< has an entry that Back does not leave
  bool manual = false;   ///< its manual is opened without asking whether anybody can read it: a crash
};

struct Plan {
  std::vector<Feature> features;
  std::vector<Hub> hubs;
  std::size_t flags = 0;
  std::uint64_t seed = 0;  ///< what it was drawn with
  double hidden = 0;       ///< share of pages with habits: generate_habits.h
};

Plan plan_app(std::uint64_t seed, int screens, double hidden = 0);

/// One feature with these bugs and options, straight below the first screen: for testing the catalogue.
Plan plan_single(const FeatureTemplate& kind, const std::vector<std::string_view>& bugs, std::uint64_t seed,
                 double hidden = 0);

/// Do the two stand in each other's way within one feature?
bool clash(const BugTemplate& a, const BugTemplate& b);

std::string write_source(const Plan& plan, std::string_view title);

/// The events from the first screen into the feature, one a line.
std::vector<std::string> way_to(const Plan& plan, std::size_t feature);
std::vector<std::string> way_to_hub(const Plan& plan, std::size_t hub);
/// The id of the bug of a hub's manual.
std::string manual_bug(const Hub& hub);
/// How many times Back leads from there to the first screen.
std::size_t depth_of(const Plan& plan, std::size_t feature);

}  // namespace norn::sim
