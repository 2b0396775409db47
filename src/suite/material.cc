#include "suite/material.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace norn {

Material::Material(const History& tree, Knowledge& known, Abstraction state, Joints joints, bool steps)
    : tree_(tree), known_(known), abstraction_(state), joints_(joints), steps_(steps) {}

std::uint32_t Material::item(ItemKind kind, std::uint64_t value, NodeId example) {
  auto& numbers = numbers_[static_cast<std::size_t>(kind)];
  const auto [at, fresh] = numbers.try_emplace(value, static_cast<std::uint32_t>(facts_.size()));
  if (fresh) {
    facts_.push_back({kind, value, example});
    kinds_[static_cast<std::size_t>(kind)].add(at->second);
  }
  return at->second;
}

const ItemSet& Material::code_items(CoverageId id, NodeId example) {
  const auto [at, fresh] = codes_.try_emplace(id);
  if (fresh)
    for (const std::uint32_t line : tree_.coverage(id).ids())
      at->second.add(item(ItemKind::code, line, example));
  return at->second;
}

StateId Material::state(ScreenId screen) {
  const auto [at, fresh] = states_.try_emplace(screen);
  if (fresh) at->second = abstract(tree_.copy_screen(screen), abstraction_);
  return at->second;
}

Joint Material::joint(NodeId node, const Sample& sample, Joints joints) {
  if (sample.crash) return Hasher().add(0xc4a5).add(node.value).finish();  // nothing goes on from there
  Hasher hasher;
  hasher.add(state(sample.screen).value);
  if (joints == Joints::structure) hasher.add(tree_.key(sample.screen));
  if (joints == Joints::exact) hasher.add(tree_.hash(sample.screen));
  return hasher.finish();
}

ItemSet Material::surely(NodeId node) {
  const auto samples = tree_.samples(node);
  ItemSet items = code_items(samples.front().hit, node);
  for (std::size_t i = 1; i < samples.size(); ++i) items &= code_items(samples[i].hit, node);
  if (const Crash* crash = tree_.crash(node))
    items.add(item(ItemKind::crash, signature(*crash, Sameness::frames), node));
  else
    items.add(item(ItemKind::screen, state(samples.front().screen).value, node));
  if (steps_ && node != tree_.root()) {
    const StateId from = state(tree_.samples(tree_.parent(node)).front().screen);
    const std::uint64_t step = Hasher().add(from.value).add(tree_.event_key(tree_.event_id(node))).finish();
    items.add(item(ItemKind::step, step, node));
  }
  return items;
}

Link Material::link(NodeId node) {
  const auto known = links_.find(node);
  if (known != links_.end()) return known->second;
  const Sample sample = tree_.samples(node).front();
  Link link;
  link.event = tree_.event_id(node);
  link.key = tree_.event_key(link.event);
  link.crash = tree_.crash(node) != nullptr;
  link.expect = link.crash ? StateId{signature(*tree_.crash(node), Sameness::frames)} : state(sample.screen);
  link.joint = joint(node, sample, joints_);
  link.loose = joint(node, sample, Joints::none);
  link.items = known_.intern(surely(node));
  link.more = more(link.event);
  return links_.emplace(node, link).first->second;
}

double Material::more(EventId event) const {
  const auto* wait = std::get_if<Wait>(&tree_.event(event));
  return wait ? std::max(wait->ms, 0) / 1000.0 : 0;
}

void Material::slower(NodeId end, double seconds) {
  const auto nodes = tree_.path(end);
  for (const NodeId node : nodes) {
    link(node);
    links_.at(node).more += seconds / static_cast<double>(nodes.size());
  }
}

Path Material::path(NodeId end) {
  Path out;
  for (const NodeId node : tree_.path(end)) out.push_back(link(node));
  return out;
}

Joint Material::start() { return joint(tree_.root(), tree_.samples(tree_.root()).front(), joints_); }
Joint Material::loose_start() {
  return joint(tree_.root(), tree_.samples(tree_.root()).front(), Joints::none);
}
ItemSet Material::base() { return surely(tree_.root()); }

const Crash* Material::crash(std::uint32_t item) const {
  return facts_[item].kind == ItemKind::crash ? tree_.crash(facts_[item].example) : nullptr;
}

std::string Material::name(std::uint32_t item) const {
  const Fact& fact = facts_[item];
  switch (fact.kind) {
    case ItemKind::code:
      return fmt::format("line {}", fact.value);
    case ItemKind::screen:
      return fmt::format("screen {} of {}", hex(fact.value).substr(0, 6),
                         printable(tree_.screen(fact.example).activity));
    case ItemKind::crash:
      return "crash " + headline(*tree_.crash(fact.example));
    case ItemKind::step:
      return fmt::format("step {} on {}", describe(tree_.event(tree_.event_id(fact.example))),
                         printable(tree_.screen(tree_.parent(fact.example)).activity));
  }
  return {};
}

}  // namespace norn
