// Layout: a column gives each child its natural height and shares what is left among those that want to fill;
// a row does the same with widths; a scroll moves its content under a window; what lies outside its parent's
// window is not seen. Depth is bounded by the builder (ViewBuilder::kDeepest), so plain recursion is safe
// here.
#include <algorithm>

#include "device/sim/view.h"

namespace norn::sim {
namespace {

Rect meet(const Rect& a, const Rect& b) {
  return Rect{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
              std::min(a.bottom, b.bottom)};
}

template <class F>
void each_child(const std::vector<Node>& nodes, std::size_t parent, F&& f) {
  const std::size_t end = parent + static_cast<std::size_t>(nodes[parent].subtree);
  for (std::size_t i = parent + 1; i < end; i += static_cast<std::size_t>(nodes[i].subtree)) f(i);
}

bool fills_height(const Node& n) {
  if (n.height == -2 || n.weight > 0) return true;
  return n.height == -1 && (n.flow == Flow::scroll || n.flow == Flow::list);
}

std::int32_t text_width(const std::string& text, const Metrics& m) {
  const std::size_t letters = static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  return static_cast<std::int32_t>(std::min<std::size_t>(letters, 10'000)) * 8 * m.dp;
}

std::int32_t text_lines(const Node& n, std::int32_t width, const Metrics& m) {
  const std::int32_t room = std::max(width - 2 * n.padding, 8 * m.dp);
  std::int32_t count = 1 + (text_width(n.text, m) - 1) / room;
  count += static_cast<std::int32_t>(std::count(n.text.begin(), n.text.end(), '\n'));
  return std::clamp(count, 1, 200);
}

}  // namespace

std::int32_t natural_height(const std::vector<Node>& nodes, std::size_t index, std::int32_t width,
                            const Metrics& m) {
  const Node& n = nodes[index];
  if (n.height >= 0) return n.height;
  const std::int32_t inner = width - 2 * n.padding;
  std::int32_t sum = 0, tallest = 0, children = 0;
  switch (n.flow) {
    case Flow::leaf:
      return std::max(n.least, n.text.empty() ? 0 : text_lines(n, width, m) * 20 * m.dp + 8 * m.dp);
    case Flow::row:
      each_child(nodes, index, [&](std::size_t c) {
        const std::int32_t share = std::min(inner, std::max(natural_width(nodes, c, m), 1));
        tallest = std::max(tallest, natural_height(nodes, c, nodes[c].weight > 0 ? inner : share, m));
      });
      return std::max(n.least, tallest + 2 * n.padding);
    case Flow::frame:
      each_child(nodes, index,
                 [&](std::size_t c) { tallest = std::max(tallest, natural_height(nodes, c, inner, m)); });
      return std::max(n.least, tallest + 2 * n.padding);
    case Flow::list:
    case Flow::column:
    case Flow::scroll:
    case Flow::dialog:
      each_child(nodes, index, [&](std::size_t c) {
        if (nodes[c].pin != Node::Pin::none) return;
        const std::int32_t h = natural_height(nodes, c, inner / n.columns, m);
        tallest = std::max(tallest, h);
        if (++children % n.columns == 0) {
          sum += tallest;
          tallest = 0;
        }
      });
      return std::max(n.least, sum + tallest + 2 * n.padding);
  }
  return 0;
}

std::int32_t natural_width(const std::vector<Node>& nodes, std::size_t index, const Metrics& m) {
  const Node& n = nodes[index];
  if (n.width >= 0) return n.width;
  if (n.width == -2) return m.width;
  if (n.flow == Flow::leaf) {
    const std::int32_t text = std::max(text_width(n.text, m), text_width(n.hint, m));
    return std::max(text + 2 * n.padding + 8 * m.dp, n.gap);
  }
  std::int32_t sum = 0, widest = 0;
  each_child(nodes, index, [&](std::size_t c) {
    const std::int32_t w = natural_width(nodes, c, m);
    sum += w;
    widest = std::max(widest, w);
  });
  return std::min((n.flow == Flow::row ? sum : widest) + 2 * n.padding, m.width);
}

namespace {

class Layout {
 public:
  Layout(std::vector<Node>& nodes, const Metrics& m, Scrolls& scrolls)
      : nodes_(nodes), m_(m), scrolls_(scrolls) {}

  void place(std::size_t index, const Rect& box, const Rect& clip) {
    Node& n = nodes_[index];
    n.box = box;
    n.seen = meet(box, clip);
    if (n.seen.empty()) {
      hide(index);
      return;
    }
    const Rect inner{box.left + n.padding, box.top + n.padding, box.right - n.padding,
                     box.bottom - n.padding};
    switch (n.flow) {
      case Flow::leaf:
        break;
      case Flow::row:
        row(index, inner);
        break;
      case Flow::scroll:
        scroll(index, inner);
        break;
      case Flow::list:
        list(index, inner);
        break;
      case Flow::frame:
        frame(index, inner);
        break;
      case Flow::column:
      case Flow::dialog:
        column(index, inner);
        break;
    }
  }

 private:
  void hide(std::size_t index) {
    const std::size_t end = index + static_cast<std::size_t>(nodes_[index].subtree);
    for (std::size_t i = index; i < end; ++i) nodes_[i].seen = Rect{};
  }

  std::int32_t height(std::size_t index, std::int32_t width) const {
    return natural_height(nodes_, index, width, m_);
  }

  /// Children lie over each other; each fills unless its height is given. A snackbar takes its place at the
  /// bottom.
  void frame(std::size_t index, Rect inner) {
    const Rect clip = nodes_[index].seen;
    each_child(nodes_, index, [&](std::size_t c) {
      if (nodes_[c].pin != Node::Pin::snack) return;
      place(c, Rect{inner.left, inner.bottom - nodes_[c].height, inner.right, inner.bottom}, clip);
      inner.bottom -= nodes_[c].height;
    });
    each_child(nodes_, index, [&](std::size_t c) {
      if (nodes_[c].pin != Node::Pin::snack) place(c, natural_box(c, inner), clip);
    });
  }

  Rect natural_box(std::size_t c, const Rect& inner) const {
    if (fills_height(nodes_[c]) || nodes_[c].flow == Flow::column || nodes_[c].flow == Flow::frame) return inner;
    return Rect{inner.left, inner.top, inner.right, inner.top + height(c, inner.right - inner.left)};
  }

  /// Floating children are placed against the column's edges; returns what is left for the others.
  Rect place_pinned(std::size_t index, Rect inner, const Rect& clip) {
    each_child(nodes_, index, [&](std::size_t c) {
      const Node::Pin pin = nodes_[c].pin;
      const std::int32_t size = 56 * m_.dp, margin = 16 * m_.dp;
      if (pin == Node::Pin::bottom) {
        const std::int32_t h = height(c, inner.right - inner.left);
        place(c, Rect{inner.left, inner.bottom - h, inner.right, inner.bottom}, clip);
        inner.bottom -= h;
      } else if (pin == Node::Pin::corner) {
        place(c,
              Rect{inner.right - margin - size, inner.bottom - margin - size, inner.right - margin,
                   inner.bottom - margin},
              clip);
      } else if (pin == Node::Pin::start) {
        place(c, Rect{inner.left, inner.top, inner.left + (inner.right - inner.left) * 4 / 5, inner.bottom},
              clip);
      }
    });
    return inner;
  }

  void column(std::size_t index, Rect inner) {
    const Rect clip = nodes_[index].seen;
    inner = place_pinned(index, inner, clip);
    const std::int32_t width = inner.right - inner.left;
    std::int32_t fixed = 0, weights = 0;
    each_child(nodes_, index, [&](std::size_t c) {
      if (nodes_[c].pin != Node::Pin::none) return;
      if (fills_height(nodes_[c]))
        weights += std::max(nodes_[c].weight, 1);
      else
        fixed += height(c, width);
    });
    const std::int32_t free = std::max(inner.bottom - inner.top - fixed, 0);
    std::int32_t y = inner.top;
    each_child(nodes_, index, [&](std::size_t c) {
      if (nodes_[c].pin != Node::Pin::none) return;
      const bool fill = fills_height(nodes_[c]);
      const std::int32_t h = fill ? free * std::max(nodes_[c].weight, 1) / weights : height(c, width);
      place(c, Rect{inner.left, y, std::min(inner.right, inner.left + wanted_width(c, width)), y + h}, clip);
      y += h;
    });
  }

  /// In a column widgets are as wide as it, except those that say otherwise.
  std::int32_t wanted_width(std::size_t c, std::int32_t available) const {
    return nodes_[c].width >= 0 ? std::min(nodes_[c].width, available) : available;
  }

  void row(std::size_t index, const Rect& inner) {
    const Rect clip = nodes_[index].seen;
    std::int32_t fixed = 0, weights = 0;
    each_child(nodes_, index, [&](std::size_t c) {
      if (nodes_[c].weight > 0 || nodes_[c].width == -2)
        weights += std::max(nodes_[c].weight, 1);
      else
        fixed += natural_width(nodes_, c, m_);
    });
    const std::int32_t width = inner.right - inner.left;
    const std::int32_t free = std::max(width - fixed, weights > 0 ? width / 4 : 0);
    std::int32_t x = inner.left;
    each_child(nodes_, index, [&](std::size_t c) {
      const bool fill = nodes_[c].weight > 0 || nodes_[c].width == -2;
      std::int32_t w = fill ? free * std::max(nodes_[c].weight, 1) / weights : natural_width(nodes_, c, m_);
      if (!fill && fixed > width) w = static_cast<std::int32_t>(static_cast<std::int64_t>(w) * width / fixed);
      const std::int32_t h = fills_height(nodes_[c]) ? inner.bottom - inner.top : height(c, w);
      place(c, Rect{x, inner.top, x + w, inner.top + std::min(h, inner.bottom - inner.top)}, clip);
      x += w;
    });
  }

  void scroll(std::size_t index, const Rect& inner) {
    Node& n = nodes_[index];
    const std::int32_t width = inner.right - inner.left,
                       viewport = n.seen.bottom - std::max(n.seen.top, inner.top);
    std::int32_t content = 0;
    each_child(nodes_, index, [&](std::size_t c) { content += height(c, width); });
    const std::int32_t most = std::max(content - viewport, 0);
    const std::int32_t offset = std::clamp(scrolls_.offset(n.key), 0, most);
    n.content = content;
    n.set(Flag::scrollable, most > 0);
    n.at_end = offset == most;
    scrolls_.placed(n.key, offset, viewport);
    std::int32_t y = inner.top - offset;
    each_child(nodes_, index, [&](std::size_t c) {
      const std::int32_t h = height(c, width);
      place(c, Rect{inner.left, y, inner.left + wanted_width(c, width), y + h}, n.seen);
      y += h;
    });
  }

  /// Rows from the first one built (the builder began at the scroll position); from the bottom up when the list
  /// is at its end.
  void list(std::size_t index, const Rect& inner) {
    Node& n = nodes_[index];
    const std::int32_t cell = (inner.right - inner.left) / n.columns, viewport = n.seen.bottom - n.seen.top;
    std::vector<std::int32_t> heights;
    std::int32_t column = 0, total = 0;
    each_child(nodes_, index, [&](std::size_t c) {
      if (column == 0) heights.push_back(0);
      heights.back() = std::max(heights.back(), height(c, cell));
      column = (column + 1) % n.columns;
    });
    for (std::int32_t h : heights) total += h;
    const bool from_end = n.at_end && total > viewport && scrolls_.offset(n.key) > 0;
    std::int32_t y = from_end ? inner.top + viewport - total : inner.top;
    column = 0;
    std::size_t line = 0;
    each_child(nodes_, index, [&](std::size_t c) {
      place(c, Rect{inner.left + column * cell, y, inner.left + (column + 1) * cell, y + heights[line]},
            n.seen);
      if (++column == n.columns) {
        column = 0;
        y += heights[line++];
      }
    });
    n.set(Flag::scrollable, scrolls_.offset(n.key) > 0 || total > viewport || n.arg == 0);
    scrolls_.placed(n.key, scrolls_.offset(n.key), viewport);
  }

  std::vector<Node>& nodes_;
  const Metrics& m_;
  Scrolls& scrolls_;
};

}  // namespace

void lay_out(std::vector<Node>& nodes, std::size_t root, Rect area, Rect clip, const Metrics& m,
             Scrolls& scrolls) {
  Layout(nodes, m, scrolls).place(root, area, clip);
}

}  // namespace norn::sim
