// What was typed on the way to a node.
#pragma once

#include <string>
#include <string_view>

#include "trace/history.h"

namespace norn {

/// The text an event typed into a field, if it did.
const std::string* typed_text(const Event& event);
/// Whether some event on the path to `node` typed a text that contains this, or is contained in it.
bool was_typed(const History& tree, NodeId node, std::string_view text);

}  // namespace norn
