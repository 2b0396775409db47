// Hierarchical delta debugging on the state tree (SimplyDroid, ASE 2017): level by level from the top. The
// candidates of a level are the children of what was kept above; each stands for its whole subtree, so a
// detour goes with all that happened on it. bhdd differs only in how a level is cut: by the number of events
// in the subtrees instead of the number of nodes.
#include "shrink/level.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

Shrunk by_levels(const Problem& problem, Question& question, Cut cut) {
  StateTree tree = tree_of(problem);
  std::vector<std::uint32_t> nodes = tree.children(StateTree::root);
  Indices context;  // kept on the levels done
  Indices kept = everything(problem.size);
  while (!nodes.empty() && !question.stopped()) {
    Level level(context, whole_subtrees(tree, nodes));
    reduce_level(level, cut, question);
    kept = level.list();
    context = with_nodes(context, level);
    nodes = next_level(tree, level);
  }
  return ended(std::move(kept), problem, question);
}

}  // namespace

Shrunk hdd(const Problem& problem, Question& question) { return by_levels(problem, question, Cut::nodes); }
Shrunk bhdd(const Problem& problem, Question& question) { return by_levels(problem, question, Cut::events); }

}  // namespace norn
