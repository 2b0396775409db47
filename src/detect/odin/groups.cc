#include "detect/odin/groups.h"

#include <algorithm>

#include "base/hash.h"

namespace norn {

std::uint64_t group_key(LayoutId layout, std::uint64_t role) {
  return Hasher().add(layout.value).add(role).finish();
}

NodeId Groups::page_under(NodeId node) const {
  while (node != tree_.root() && is_popup(tree_.screen(node))) node = tree_.parent(node);
  return node;
}

void Groups::reset() {
  next_ = 1, pairs_ = 0;
  groups_.clear(), by_layout_.clear(), layout_.clear(), apart_.clear();
}

LayoutId Groups::layout_of(NodeId node) {
  const auto [at, fresh] = layout_.try_emplace(node);
  if (fresh) {
    const ScreenId screen = tree_.samples(node).front().screen;
    at->second = layouts_.of(tree_.screen(screen), tree_.hash(screen));
  }
  return at->second;
}

void Groups::update() {
  for (; next_ < tree_.size(); ++next_) {
    const NodeId after{static_cast<std::uint32_t>(next_)}, before = tree_.parent(after);
    const Screen& screen = tree_.screen(before);
    const Event& event = tree_.event(tree_.event_id(after));
    if (started_apart(before, after, event)) continue;
    if (screen.kind != Screen::Kind::app || tree_.screen(after).kind == Screen::Kind::unseen) continue;
    // A swipe or drag shows another part of what is there: how much depends on what was shown before.
    if (std::holds_alternative<Swipe>(event) || std::holds_alternative<Drag>(event)) continue;
    // What a raw tap on a canvas means depends on where it is.
    if (const Target* target = target_of(event); target && target->empty()) continue;
    const auto role = role_of(event, screen);
    if (!role) continue;
    ++pairs_;
    const LayoutId layout = layout_of(before);
    put(before, after, event, *role, group_key(layout, role->specific), false);
    if (role->general != role->specific)
      put(before, after, event, *role, group_key(layout, role->general), true);
  }
}

/// An activity was started from outside on the way: what lies under it is not what usually does.
bool Groups::started_apart(NodeId before, NodeId after, const Event& event) {
  const auto* launch = std::get_if<Launch>(&event);
  if ((!launch || launch->activity.empty()) && !apart_.contains(before)) return false;
  apart_.insert(after);
  return true;
}

void Groups::put(NodeId before, NodeId after, const Event& event, const Role& role, std::uint64_t key,
                 bool general) {
  const auto [at, fresh] = groups_.try_emplace(key);
  Group& group = at->second;
  const LayoutId layout = layout_of(before);
  if (fresh) {
    group.layout = layout, group.event = event, group.role = role, group.general = general;
    by_layout_[layout].push_back(key);
  }
  const Behaviour behaviour{before, after};
  const auto same = std::ranges::find(group.behaviours, before, &Behaviour::before);
  if (same == group.behaviours.end()) {
    group.behaviours.push_back(behaviour);
    ++group.prints[prints_.of(behaviour, rules_)];
  } else if (!general && tree_.counts(after).all() > tree_.counts(same->after).all()) {
    same->after = after;  // a flaky edge: its usual outcome stands for the input
  }
}

const Group* Groups::find(LayoutId layout, std::uint64_t role) const {
  const auto at = groups_.find(group_key(layout, role));
  return at == groups_.end() ? nullptr : &at->second;
}

const std::vector<std::uint64_t>& Groups::of(LayoutId layout) const {
  static const std::vector<std::uint64_t> none;
  const auto at = by_layout_.find(layout);
  return at == by_layout_.end() ? none : at->second;
}

}  // namespace norn
