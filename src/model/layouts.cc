#include "model/layouts.h"

#include <algorithm>

#include "base/hash.h"
#include "gui/difference.h"
#include "model/role.h"

namespace norn {
namespace {

std::uint64_t receiver_key(std::uint8_t kind, const Widget& w) {
  return Hasher().add(kind).add(w.cls).add(w.id).finish();
}

std::uint8_t kind_bit(const Event& event) {
  if (std::holds_alternative<LongPress>(event)) return accepts_long;
  if (std::holds_alternative<Swipe>(event)) return accepts_swipe;
  if (std::holds_alternative<Type>(event)) return accepts_text;
  return accepts_tap;
}

}  // namespace

bool Layouts::saw(const Event& event, const Screen& on) {
  const auto widget = receiver_of(event, on);
  return widget && seen_.insert(receiver_key(kind_bit(event), on.widgets[*widget])).second;
}

void Layouts::reset() {
  skeletons_.clear(), layout_of_.clear(), by_hash_.clear(), by_screen_.clear(), verdicts_.clear(),
      layouts_.clear(), by_group_.clear();
}

Layouts::Skeleton Layouts::skeleton_of(const Screen& screen) const {
  Skeleton out;
  out.app = screen.kind == Screen::Kind::app;
  Hasher group;
  group.add(static_cast<std::uint64_t>(screen.kind)).add(screen.package);
  if (options_.same_activity && out.app) group.add(screen.activity).add(screen.keyboard);
  out.group = group.finish();
  if (!out.app) return out;
  std::vector<TedNode> nodes(screen.widgets.size());
  std::vector<std::uint8_t> handles(screen.widgets.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Widget& w = screen.widgets[i];
    const std::uint8_t can = accepted_by(w);
    for (const std::uint8_t bit : {accepts_tap, accepts_long, accepts_text})
      if ((can & bit) != 0 && seen_.contains(receiver_key(bit, w)))
        handles[i] = static_cast<std::uint8_t>(handles[i] | bit);
    const std::uint64_t cls = hash_bytes(w.cls), id = hash_bytes(w.id);
    nodes[i] = {Hasher().add(cls).add(id).add(handles[i]).finish(), cls, id, w.subtree};
  }
  // Equal rows of a list are one row.
  const TedTree whole(nodes);
  std::vector<char> kept(nodes.size(), 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!kept[i] || !is_list(screen.widgets[i])) continue;
    std::unordered_set<std::uint64_t> rows;
    const std::size_t end = i + static_cast<std::size_t>(nodes[i].subtree);
    for (std::size_t j = i + 1; j < end; j += static_cast<std::size_t>(nodes[j].subtree))
      if (!rows.insert(whole.subtree_hash(j)).second)
        std::fill_n(kept.begin() + static_cast<std::ptrdiff_t>(j), nodes[j].subtree, char{0});
  }
  std::vector<std::int32_t> before(nodes.size() + 1, 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) before[i + 1] = before[i] + kept[i];
  std::vector<TedNode> rest;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!kept[i]) continue;
    rest.push_back(nodes[i]);
    rest.back().subtree = before[i + static_cast<std::size_t>(nodes[i].subtree)] - before[i];
    out.handles.push_back(handles[i]);
  }
  out.tree = TedTree(std::move(rest));
  return out;
}

std::uint64_t Layouts::hash_of(const Skeleton& s) const {
  return Hasher().add(s.group).add(s.tree.hash()).finish();
}

bool Layouts::similar(std::uint32_t a, std::uint32_t b) {
  if (a == b) return true;
  if (a > b) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  if (const auto known = verdicts_.find(key); known != verdicts_.end()) return known->second;
  const Skeleton &x = skeletons_[a], &y = skeletons_[b];
  bool same = x.group == y.group;
  if (same && x.app) {
    const TedMapping map = ted_map(x.tree, y.tree);
    for (std::size_t i = 0; same && i < map.to.size(); ++i)
      if (x.handles[i] != 0) {
        const auto j = static_cast<std::size_t>(map.to[i]);
        same =
            map.to[i] >= 0 && x.tree.nodes()[i].cls == y.tree.nodes()[j].cls && x.handles[i] == y.handles[j];
      }
    for (std::size_t j = 0; same && j < map.from.size(); ++j) same = y.handles[j] == 0 || map.from[j] >= 0;
  }
  verdicts_.emplace(key, same);
  return same;
}

std::uint32_t Layouts::put(Skeleton skeleton) {
  const auto next = static_cast<std::uint32_t>(skeletons_.size());
  const auto [at, fresh] = by_hash_.emplace(hash_of(skeleton), next);
  if (fresh) {
    skeletons_.push_back(std::move(skeleton));
    layout_of_.emplace_back();
  }
  return at->second;
}

bool Layouts::similar(const Screen& a, const Screen& b) {
  const std::uint32_t x = put(skeleton_of(a));
  return similar(x, put(skeleton_of(b)));
}

LayoutId Layouts::place(std::uint32_t skeleton) {
  auto& candidates = by_group_[skeletons_[skeleton].group];
  for (const std::uint32_t layout : candidates)
    if (std::ranges::all_of(layouts_[layout],
                            [&](std::uint32_t other) { return similar(skeleton, other); })) {
      layouts_[layout].push_back(skeleton);
      return {layout};
    }
  const auto layout = static_cast<std::uint32_t>(layouts_.size());
  candidates.push_back(layout);
  layouts_.push_back({skeleton});
  return {layout};
}

LayoutId Layouts::of(const Screen& screen, std::uint64_t hash) {
  const auto known = by_screen_.find(hash);
  return known != by_screen_.end() ? known->second : by_screen_.emplace(hash, of(screen)).first->second;
}

LayoutId Layouts::of(const Screen& screen) {
  const std::uint32_t skeleton = put(skeleton_of(screen));
  if (!layout_of_[skeleton]) layout_of_[skeleton] = place(skeleton);
  return layout_of_[skeleton];
}

}  // namespace norn
