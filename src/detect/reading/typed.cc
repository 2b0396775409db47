#include "detect/reading/typed.h"

namespace norn {

const std::string* typed_text(const Event& event) {
  const auto* type = std::get_if<Type>(&event);
  return type && !type->text.empty() ? &type->text : nullptr;
}

bool was_typed(const History& tree, NodeId node, std::string_view text) {
  for (NodeId n = node; n != tree.root(); n = tree.parent(n))
    if (const std::string* typed = typed_text(tree.event(tree.event_id(n))))
      if (typed->find(text) != std::string::npos || text.find(*typed) != std::string_view::npos) return true;
  return false;
}

}  // namespace norn
