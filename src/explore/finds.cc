#include "explore/finds.h"

#include <fmt/core.h>

#include <algorithm>

namespace norn {
namespace {

constexpr std::size_t most_ways = 3;

/// org.app.Main and org.app:sync are of org.app; org.apple.Main is not.
bool is_of(std::string_view name, std::string_view package) {
  if (!name.starts_with(package)) return false;
  return name.size() == package.size() || std::string_view(".:/").contains(name[package.size()]) ||
         std::string_view(".:/").contains(package.back());
}

}  // namespace

bool concerns(const Crash& crash, const std::string& package) {
  if (package.empty() || crash.process.empty() || is_of(crash.process, package)) return true;
  for (const Thrown& thrown : crash.chain)
    for (const Frame& frame : thrown.frames)
      if (is_of(frame.function, package)) return true;
  return false;
}

void Finds::remember(const Crash& crash, NodeId node, const History& history) {
  if (add(crash, node, history, 0)) found_.back().crash.times = 0;
}

bool Finds::add(const Crash& crash, NodeId node, const History& history, double seconds) {
  const std::uint64_t sign = signature(crash, Sameness::frames);
  const auto at = std::ranges::find(found_, sign, [](const Ways& w) { return w.crash.signature; });
  last_ = static_cast<std::size_t>(at - found_.begin());
  if (at == found_.end()) {
    found_.push_back({{sign, node, history.depth(node), seconds, 1}, {node}});
    return true;
  }
  ++at->crash.times;
  auto& ways = at->ways;
  if (std::ranges::find(ways, node) == ways.end()) ways.push_back(node);
  std::ranges::stable_sort(ways, {}, [&](NodeId n) { return history.depth(n); });
  if (ways.size() > most_ways) ways.resize(most_ways);
  at->crash.node = ways.front();
  at->crash.length = history.depth(ways.front());
  return false;
}

void Finds::confirm(Replay& replay, std::uint32_t repeats, Progress& progress, const std::stop_token& stop) {
  for (std::size_t i = 0; i < found_.size(); ++i) {
    progress.status(fmt::format("replaying crash {} of {} from clean starts", i + 1, found_.size()));
    confirm(found_[i], replay, repeats, stop);
  }
}

void Finds::confirm(Ways& found, Replay& replay, std::uint32_t repeats, const std::stop_token& stop) {
  FoundCrash& crash = found.crash;
  for (const NodeId node : found.ways) {
    Request request;
    request.events = replay.intern(replay.history().events_to(node));
    request.watch = SameCrash{crash.signature, Sameness::frames};
    request.sure = Sure::certified;
    request.repeats = repeats;
    const Outcome outcome = replay.ask(request, stop);
    crash.reproduced = outcome.yes.all();
    crash.runs = outcome.yes.all() + outcome.no.all();
    crash.node = node;
    crash.length = replay.history().depth(node);
    if (crash.confirmed() || stop.stop_requested()) return;
  }
}

std::vector<FoundCrash> Finds::all() const {
  std::vector<FoundCrash> out;
  for (const Ways& w : found_) out.push_back(w.crash);
  return out;
}

}  // namespace norn
