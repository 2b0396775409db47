#include "gui/difference.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/hash.h"
#include "base/text.h"

namespace norn {
namespace {

constexpr std::string_view rule_names[] = {"text",     "desc",    "hint",    "id",      "cls",     "checked",
                                           "selected", "focused", "enabled", "accepts", "package", "activity",
                                           "posture",  "silent",  "rows",    "contents"};

std::uint64_t of_text(std::string_view text) { return text.empty() ? 0 : hash_bytes(text, text.size()); }

HashedScreen::Attributes attributes_of(const Widget& w) {
  const auto flag = [&w](Flag f) { return std::uint64_t{w.is(f)}; };
  return {of_text(w.text),      of_text(w.desc),
          of_text(w.hint),      of_text(w.id),
          of_text(w.cls),       flag(Flag::checked),
          flag(Flag::selected), flag(Flag::focused),
          flag(Flag::enabled),  accepted_by(w) & ~std::uint64_t{accepts_swipe}};
}

constexpr std::size_t at_id = static_cast<std::size_t>(Rule::id),
                      at_cls = static_cast<std::size_t>(Rule::cls);
constexpr std::size_t first_of_screen = static_cast<std::size_t>(Rule::package);

std::string words(const Widget& w) {
  std::string out = w.cls.empty() ? "?" : printable(shorten(after_last(w.cls, '.'), 60));
  if (!w.id.empty()) out += fmt::format(" id/{}", printable(shorten(after_last(w.id, '/'), 60)));
  if (!w.text.empty())
    out += w.is(Flag::password) ? " \"***\"" : fmt::format(" \"{}\"", printable(shorten(w.text, 60)));
  if (!w.desc.empty()) out += fmt::format(" desc=\"{}\"", printable(shorten(w.desc, 60)));
  if (w.is(Flag::checked)) out += " checked";
  if (w.is(Flag::selected)) out += " selected";
  if (!w.is(Flag::enabled)) out += " disabled";
  return out;
}

std::string place_words(const Screen& s) {
  if (s.kind == Screen::Kind::nothing) return "no window";
  if (s.kind == Screen::Kind::unseen) return "not looked";
  std::string out =
      s.kind == Screen::Kind::outside ? "outside the app: " + s.package : "screen " + s.activity;
  if (s.rotation != 0) out += fmt::format(", rotation {}", s.rotation);
  if (s.keyboard) out += ", keyboard";
  return printable(shorten(out, 200));
}

/// The outline's lines, indented; deep ones are not indented further.
std::vector<std::string> lines_of(const Screen& screen) {
  std::vector<std::string> out;
  std::vector<std::size_t> depth(screen.widgets.size(), 0);
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    if (w.parent >= 0) depth[i] = depth[static_cast<std::size_t>(w.parent)] + 1;
    out.push_back(std::string(2 * std::min<std::size_t>(depth[i], 30), ' ') + words(w));
  }
  return out;
}

struct Marked {
  char mark;
  std::string line;
};

/// Both lists merged along the mapping: deletions before insertions at each place.
std::vector<Marked> merged(const Screen& a, const Screen& b) {
  const HashedScreen x(a), y(b);
  const TedMapping map = ted_map(x.tree(), y.tree());
  const auto left = lines_of(a), right = lines_of(b);
  std::vector<Marked> out;
  std::size_t j = 0;
  const auto insert_up_to = [&](std::size_t end) {
    for (; j < end; ++j)
      if (map.from[j] < 0) out.push_back({'+', right[j]});
  };
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (map.to[i] < 0) {
      out.push_back({'-', left[i]});
      continue;
    }
    const auto to = static_cast<std::size_t>(map.to[i]);
    if (to >= j) insert_up_to(to), j = to + 1;
    if (x.tree().nodes()[i].content == y.tree().nodes()[to].content) {
      out.push_back({' ', left[i]});
    } else {
      out.push_back({'-', left[i]});
      out.push_back({'+', right[to]});
    }
  }
  insert_up_to(right.size());
  return out;
}

}  // namespace

std::string_view name_of(Rule rule) { return rule_names[static_cast<std::size_t>(rule)]; }

std::uint8_t accepted_by(const Widget& w) {
  if (!w.is(Flag::enabled) || !w.is(Flag::visible)) return 0;
  unsigned out = 0;
  if (w.is(Flag::clickable) || w.is(Flag::checkable)) out |= accepts_tap;
  if (w.is(Flag::long_clickable)) out |= accepts_long;
  if (w.is(Flag::scrollable)) out |= accepts_swipe;
  if (w.is(Flag::editable)) out |= accepts_text;
  return static_cast<std::uint8_t>(out);
}

bool is_list(const Widget& w) {
  const std::string_view name = after_last(w.cls, '.');
  for (const std::string_view word : {"ListView", "RecyclerView", "GridView", "ViewPager"})
    if (name.find(word) != std::string_view::npos) return true;
  return false;
}

HashedScreen::HashedScreen(const Screen& screen) {
  for (const Widget& w : screen.widgets) {
    widgets_.push_back(attributes_of(w));
    shapes_.push_back({w.subtree, is_list(w), accepted_by(w) == 0});
  }
  whole_ = {static_cast<std::uint64_t>(screen.kind), of_text(screen.package), of_text(screen.activity),
            static_cast<std::uint64_t>(screen.rotation) * 2 + screen.keyboard};
  index();
}

void HashedScreen::index() {
  std::vector<TedNode> nodes(widgets_.size());
  for (std::size_t i = 0; i < widgets_.size(); ++i) {
    Hasher h;
    for (const std::uint64_t a : widgets_[i]) h.add(a);
    nodes[i] = {h.finish(), widgets_[i][at_cls], widgets_[i][at_id], shapes_[i].subtree};
  }
  tree_ = TedTree(std::move(nodes));
}

HashedScreen HashedScreen::under(Rules rules) const {
  HashedScreen out;
  out.widgets_ = widgets_, out.shapes_ = shapes_, out.whole_ = whole_;
  for (std::size_t a = 0; a < widget_attributes; ++a)
    if (rules.has(static_cast<Rule>(a)))
      for (Attributes& w : out.widgets_) w[a] = 0;
  for (std::size_t a = 1; a < screen_attributes; ++a)
    if (rules.has(static_cast<Rule>(first_of_screen + a - 1))) out.whole_[a] = 0;
  if (rules.has(Rule::silent)) out.drop_silent();
  out.index();
  if (rules.has(Rule::rows) || rules.has(Rule::contents)) out.drop_equal_rows(rules.has(Rule::contents));
  return out;
}

/// Removes what is not kept; children of a removed widget move up to its parent.
void HashedScreen::keep(const std::vector<char>& kept) {
  std::vector<std::int32_t> before(kept.size() + 1, 0);  // how many are kept before i
  for (std::size_t i = 0; i < kept.size(); ++i) before[i + 1] = before[i] + kept[i];
  std::size_t out = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    Shape shape = shapes_[i];
    shape.subtree = before[i + static_cast<std::size_t>(shape.subtree)] - before[i];
    widgets_[out] = widgets_[i], shapes_[out] = shape;
    ++out;
  }
  widgets_.resize(out), shapes_.resize(out);
}

void HashedScreen::drop_silent() {
  std::vector<char> kept(shapes_.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = shapes_[i].silent ? 0 : 1;
  keep(kept);
}

/// From the inside out would be thorough; lists in lists are rare, and one pass decides each list by its
/// present rows.
void HashedScreen::drop_equal_rows(bool all) {
  std::vector<char> kept(shapes_.size(), 1);
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (!shapes_[i].list || !kept[i]) continue;
    std::unordered_set<std::uint64_t> seen;
    const std::size_t end = i + static_cast<std::size_t>(shapes_[i].subtree);
    for (std::size_t j = i + 1; j < end; j += static_cast<std::size_t>(shapes_[j].subtree))
      if (all || !seen.insert(tree_.subtree_hash(j)).second)
        std::fill_n(kept.begin() + static_cast<std::ptrdiff_t>(j), shapes_[j].subtree, char{0});
  }
  keep(kept);
  index();
}

std::vector<std::uint64_t> HashedScreen::fixtures() const {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < widgets_.size(); ++i) {
    out.push_back(Hasher().add(widgets_[i][at_cls]).add(widgets_[i][at_id]).finish());
    if (shapes_[i].list) i += static_cast<std::size_t>(shapes_[i].subtree) - 1;
  }
  return out;
}

double overlap(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
  std::ranges::sort(a), std::ranges::sort(b);
  std::vector<std::uint64_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  const std::size_t larger = std::max(a.size(), b.size());
  return larger == 0 ? 1 : static_cast<double>(both.size()) / static_cast<double>(larger);
}

std::uint64_t fingerprint(const HashedScreen& before, const HashedScreen& after) {
  Hasher h;
  for (std::size_t a = 0; a < HashedScreen::screen_attributes; ++a)
    if (before.whole()[a] != after.whole()[a]) h.add(a).add(before.whole()[a]).add(after.whole()[a]);
  if (before.tree().hash() == after.tree().hash()) return h.finish();
  const TedMapping map = ted_map(before.tree(), after.tree());
  for (std::size_t i = 0; i < map.to.size(); ++i) {
    if (map.to[i] < 0) {
      h.add(1001).add(before.tree().nodes()[i].content);
      continue;
    }
    const auto& x = before.widgets()[i];
    const auto& y = after.widgets()[static_cast<std::size_t>(map.to[i])];
    if (x == y) continue;
    h.add(1002);
    for (std::size_t a = 0; a < x.size(); ++a)
      if (x[a] != y[a]) h.add(a).add(x[a]).add(y[a]);
  }
  for (std::size_t j = 0; j < map.from.size(); ++j)
    if (map.from[j] < 0) h.add(1003).add(after.tree().nodes()[j].content);
  return h.finish();
}

std::vector<Change> changes(const Screen& before, const Screen& after) {
  std::vector<Change> out;
  if (place_words(before) != place_words(after))
    out.push_back({Change::Kind::changed, fmt::format("{} -> {}", place_words(before), place_words(after))});
  const HashedScreen x(before), y(after);
  const TedMapping map = ted_map(x.tree(), y.tree());
  for (std::size_t i = 0; i < map.to.size(); ++i) {
    const Widget& w = before.widgets[i];
    if (map.to[i] < 0) {
      out.push_back({Change::Kind::deleted, words(w)});
    } else if (const auto j = static_cast<std::size_t>(map.to[i]); x.widgets()[i] != y.widgets()[j]) {
      out.push_back({Change::Kind::changed, fmt::format("{} -> {}", words(w), words(after.widgets[j]))});
    }
  }
  for (std::size_t j = 0; j < map.from.size(); ++j)
    if (map.from[j] < 0) out.push_back({Change::Kind::inserted, words(after.widgets[j])});
  return out;
}

std::string marked_outline(const Screen& expected, const Screen& seen, std::size_t context) {
  std::string out;
  if (const auto a = place_words(expected), b = place_words(seen); a == b)
    out = "  " + a + "\n";
  else
    out = fmt::format("- {}\n+ {}\n", a, b);
  const auto all = merged(expected, seen);
  std::vector<char> shown(all.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].mark != ' ')
      for (std::size_t k = i - std::min(i, context); k < std::min(all.size(), i + context + 1); ++k)
        shown[k] = 1;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (shown[i])
      out += fmt::format("{} {}\n", all[i].mark, all[i].line);
    else if (i == 0 || shown[i - 1])
      out += "    ...\n";
  return out;
}

}  // namespace norn
