// What can be done to a row of a list, found by doing it: touched, pressed long, swiped, or touched at one of
// its parts; then the entries of the menu that opens, the buttons that come up, and the answer to a question.
// What a walk happened to do would leave most of it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

/// Pixels by which a row is swiped aside.
inline constexpr std::int32_t swipe_length = 400;

struct RowAction {
  std::vector<Event> events;          ///< the first one touches a row
  std::uint64_t table = 0, kind = 0;  ///< of what it touches: the list, and what in a row
  std::size_t inside = 0;             ///< where in the row that is
  bool stays = false;                 ///< on the page, and changes what it shows
  /// What is done, whatever the row.
  std::string what() const;
};

/// Which actions count: those that show (here: on the list), or all, since what they do may show elsewhere.
enum class Showing : std::uint8_t { here, anywhere };

/// What the lists of this page with at least so many rows offer, what stays on it first.
std::vector<RowAction> row_actions(OracleContext& c, DataCache& data, NodeId page, std::size_t least = 2,
                                   Showing showing = Showing::here);
/// What can be done on the page of a row, also through a menu and a question there, by which one is back on
/// the list, which is not as it was; `anywhere`: also where one is elsewhere then.
std::vector<RowAction> actions_behind_rows(OracleContext& c, DataCache& data, NodeId page,
                                           std::size_t least = 2, Showing showing = Showing::here);

/// The same done to this row; nothing: it has no such part.
std::optional<std::vector<Event>> done_to(const RowAction& action, const Screen& screen, const ShownRow& row);

/// No other row of the list bears its label.
bool named_alone(const Screen& screen, const ShownTable& table, const ShownRow& row);

}  // namespace norn
