// Which forms are about something that exists: those are saved and opened again, and must say the same then.
#include "detect/offers/forms.h"

#include <gtest/gtest.h>

#include "detect/testing.h"
#include "device/sim/truth_event.h"

namespace norn {
namespace {

TEST(Forms, OneForSomethingNewIsAboutNothingThatExists) {
  auto service = testing::serve("sim:" NORN_SOURCE_DIR "/tests/data/sim/columns.lua", FleetOptions{}, 1);
  ASSERT_TRUE(service) << service.error().message();
  Replay& replay = *(*service)->replay;
  const auto run = [&](const std::vector<std::string>& lines) {
    std::vector<Event> events;
    for (const std::string& line : lines)
      events.push_back(sim::parse_event(line, "org.norn.columns").value());
    EXPECT_EQ(replay.ask({.events = replay.intern(events)}).verdict, Verdict::yes);
  };
  run({"tap add"});
  run({"tap title \"Call the bank\"", "type hours_field \"4\"", "tap save"});
  DataCache data(replay.history());
  SaveButtons buttons(replay.history(), data);
  std::size_t filled = 0, existing = 0;
  for (const OpenedForm& form : opened_forms(replay.history(), data)) {
    filled += buttons.of(form.form).has_value();
    existing += buttons.of_existing(form).has_value();
    EXPECT_EQ(buttons.of_existing(form).has_value(), data.of(form.form).says("Call the bank"));
  }
  EXPECT_EQ(filled, 2U);
  EXPECT_EQ(existing, 1U);
}

}  // namespace
}  // namespace norn
