// Drawing a plan. Features are drawn until there are enough screens; they are gathered into menus of four to
// seven, those into others, until one is left. Mistakes are planted where their events fit into about a
// dozen.
#include "device/sim/generate_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>
#include <utility>

#include "base/rng.h"
#include "base/text.h"

namespace norn::sim {
namespace {

constexpr std::size_t kMostEvents = 14;

struct Theme {
  std::string_view one, many, counted;
  std::array<std::string_view, 5> titles;  ///< no two begin alike
  std::array<std::string_view, 2> kinds;
};

constexpr std::array<Theme, 14> themes{{
    {"recipe",
     "Recipes",
     "portions",
     {"Pea soup", "Onion tart", "Rye bread", "Apple cake", "Dumplings"},
     {"Savoury", "Sweet"}},
    {"book",
     "Books",
     "pages",
     {"The Well", "Night Ferry", "Salt", "Old Roads", "Grammar"},
     {"Novels", "Manuals"}},
    {"plant", "Plants", "pots", {"Fern", "Ivy", "Orchid", "Thyme", "Cactus"}, {"Indoor", "Outdoor"}},
    {"route",
     "Routes",
     "stops",
     {"Harbour line", "Mill path", "Castle loop", "Forest way", "Tower walk"},
     {"On foot", "By bike"}},
    {"invoice",
     "Invoices",
     "lines",
     {"Roof repair", "Printer", "Heating", "Window glass", "Paint"},
     {"Unpaid", "Settled"}},
    {"visitor",
     "Visitors",
     "badges",
     {"Ms Okafor", "Mr Lind", "Dr Weiss", "Prof Adler", "Sir Hugo"},
     {"Expected", "Walk-in"}},
    {"tool", "Tools", "pieces", {"Hammer", "Chisel", "Level", "Saw", "Plane"}, {"Wood", "Metal"}},
    {"song", "Songs", "verses", {"Lullaby", "Shanty", "March", "Hymn", "Round"}, {"Choir", "Solo"}},
    {"shift",
     "Shifts",
     "hours",
     {"Early ward", "Night desk", "Gate two", "Kitchen", "Stand-by"},
     {"Weekday", "Weekend"}},
    {"parcel",
     "Parcels",
     "items",
     {"Lamp parts", "Wool", "Seed box", "Glass jars", "Tyres"},
     {"Incoming", "Outgoing"}},
    {"lesson",
     "Lessons",
     "exercises",
     {"Fractions", "Verbs", "Rivers", "Magnets", "Optics"},
     {"Morning", "Evening"}},
    {"stamp",
     "Stamps",
     "copies",
     {"Blue crown", "Red swan", "Two pence", "Airmail", "Jubilee"},
     {"Mint", "Cancelled"}},
    {"pump",
     "Pumps",
     "readings",
     {"North well", "Cellar", "Garden tap", "Boiler", "Tank"},
     {"Running", "Idle"}},
    {"crew",
     "Crews",
     "hands",
     {"Deck watch", "Engine room", "Galley", "Bridge", "Stores"},
     {"Port", "Starboard"}},
}};
constexpr std::array<std::string_view, 8> adjectives{"My",     "Shared", "Old",    "New",
                                                     "Family", "Lost",   "Weekly", "Spare"};

template <class T>
void shuffle(std::vector<T>& list, Rng& rng) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[rng.below(i)]);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto words = words_of(text);
  return std::ranges::find(words, word) != words.end();
}

// ---- words for the holes ----

/// Titles of the first items: never in the order of the alphabet, so that sorting shows.
std::vector<std::string_view> draw_titles(const Theme& theme, std::size_t n, Rng& rng) {
  std::vector<std::string_view> titles(theme.titles.begin(), theme.titles.end());
  shuffle(titles, rng);
  titles.resize(n);
  if (std::ranges::is_sorted(titles)) std::swap(titles[0], titles[1]);
  return titles;
}

std::string items_text(const std::vector<std::string_view>& titles, const Theme& theme, Rng& rng) {
  std::string out = "{\n";
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const std::size_t amount = i == 0 ? 1 + rng.below(9) : 1 + rng.below(60);  // the first one is never large
    const std::size_t kind = i == 0 ? 0 : rng.below(2);
    out += fmt::format("    {{ id = {}, title = \"{}\", amount = {}, kind = \"{}\" }},\n", i + 1, titles[i],
                       amount, theme.kinds[kind]);
  }
  return out + "  }";
}

Words draw_words(std::size_t number, std::size_t items, Rng& rng) {
  const Theme& theme = themes[rng.below(themes.size())];
  const auto titles = draw_titles(theme, items, rng);
  std::string prefix(theme.one);
  prefix[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(prefix[0])));
  const std::size_t p = 3 + rng.below(20);
  return Words{
      {"A", fmt::format("{}{}", prefix, number)},
      {"key", fmt::format("{}{}", theme.one, number)},
      {"T", fmt::format("{} {}", adjectives[rng.below(adjectives.size())], theme.many)},
      {"o", std::string(theme.one)},
      {"q", std::string(theme.counted)},
      {"k1", std::string(theme.kinds[0])},
      {"k2", std::string(theme.kinds[1])},
      {"kinds", fmt::format("{{ \"{}\", \"{}\" }}", theme.kinds[0], theme.kinds[1])},
      {"t1", std::string(titles.front())},
      {"t2", std::string(titles[1])},
      {"tl", std::string(titles.back())},
      {"items", items_text(titles, theme, rng)},
      {"large", "20"},
      {"p1", fmt::format("{}", p)},
      {"p2", fmt::format("{}", p + 1 + rng.below(9))},
      {"p3", fmt::format("{}", p + 11 + rng.below(30))},
      {"code", fmt::format("GIFT{}", 10 + rng.below(90))},
  };
}

// ---- planting ----

bool one_way_clash(const BugTemplate& a, const BugTemplate& b) {
  if (has_word(a.conflicts, b.name)) return true;
  if (a.items != 0 && b.items != 0 && a.items != b.items) return true;
  for (const std::string_view need : words_of(a.needs)) {
    if (need.starts_with('-') && has_word(b.needs, need.substr(1))) return true;
  }
  return false;
}

std::vector<const BugTemplate*> draw_bugs(const FeatureTemplate& kind, double p_crash, double p_functional,
                                          Rng& rng) {
  std::vector<const BugTemplate*> candidates, chosen;
  for (const BugTemplate& bug : kind.bugs) candidates.push_back(&bug);
  shuffle(candidates, rng);
  bool crash = rng.chance(p_crash), functional = rng.chance(p_functional);
  for (const BugTemplate* bug : candidates) {
    bool& wanted = bug->kind == "crash" ? crash : functional;
    const auto clashes = [&](const BugTemplate* other) { return clash(*bug, *other); };
    if (!wanted || std::ranges::any_of(chosen, clashes)) continue;
    chosen.push_back(bug);
    wanted = false;
  }
  return chosen;
}

Feature make_feature(const FeatureTemplate& kind, const std::vector<const BugTemplate*>& bugs,
                     std::size_t number, Rng& rng) {
  Feature f;
  f.kind = &kind;
  for (const std::string_view option : words_of(kind.options)) {
    if (rng.chance(0.5)) f.choice.options.emplace(option);
  }
  std::size_t items = 2 + rng.below(4);
  for (const BugTemplate* bug : bugs) {
    f.choice.bugs.emplace(bug->name);
    if (bug->items != 0) items = static_cast<std::size_t>(bug->items);
    for (const std::string_view need : words_of(bug->needs)) {
      if (need.starts_with('-')) {
        f.choice.options.erase(std::string(need.substr(1)));
      } else {
        f.choice.options.emplace(need);
      }
    }
  }
  f.items = items;
  f.words = draw_words(number, items, rng);
  f.key = f.words["key"];
  f.title = f.words["T"];
  for (const BugTemplate& bug : kind.bugs)
    f.words[fmt::format("bug:{}", bug.name)] = fmt::format("{}_{}", f.key, bug.name);
  f.entry = trim(fill(kind.entry, f.words, f.choice));
  return f;
}

// ---- menus ----

std::size_t new_hub(Plan& plan, Rng& rng) {
  Hub hub;
  hub.kind = static_cast<HubKind>(rng.below(5));
  hub.name = plan.hubs.empty() ? "Main" : fmt::format("Section{}", plan.hubs.size());
  hub.title = fmt::format("Section {}", plan.hubs.size());
  plan.hubs.push_back(std::move(hub));
  return plan.hubs.size() - 1;
}

/// Hands `count` children to menus level by level from the top, so that the tree is as flat as it can be.
void grow_hubs(Plan& plan, Rng& rng) {
  new_hub(plan, rng);
  std::size_t leaves = 1;
  for (std::size_t parent = 0; leaves * 5 < plan.features.size(); ++parent) {
    const std::size_t children = 4 + rng.below(4);
    for (std::size_t i = 0; i < children && leaves * 5 < plan.features.size() + 5; ++i) {
      const std::size_t hub = new_hub(plan, rng);
      plan.hubs[hub].parent = parent;
      plan.hubs[parent].hubs.push_back(hub);
      if (i > 0) ++leaves;
    }
  }
}

void place_features(Plan& plan, Rng& rng) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < plan.hubs.size(); ++i) {
    if (plan.hubs[i].hubs.empty()) open.push_back(i);
  }
  for (std::size_t f = 0; f < plan.features.size(); ++f)
    plan.hubs[open[f % open.size()]].features.push_back(f);
  for (std::size_t i = 1; i < plan.hubs.size(); ++i) {
    if (rng.chance(0.3)) plan.hubs[i].link = 1 + rng.below(plan.hubs.size() - 1);
    plan.hubs[i].kiosk = rng.chance(0.1);
  }
  std::size_t manuals = 0;
  for (Hub& hub : plan.hubs) {
    hub.manual = manuals < 3 && rng.chance(0.25);
    if (hub.manual) ++manuals;
  }
}

// ---- gates ----

std::size_t longest_recipe(const Feature& f) {
  std::size_t longest = 0;
  for (const BugTemplate& bug : f.kind->bugs) {
    if (f.choice.bugs.contains(bug.name)) longest = std::max(longest, lines(bug.events).size());
  }
  return longest;
}

void draw_gate(Plan& plan, const Hub& hub, std::size_t feature, Rng& rng) {
  Feature& f = plan.features[feature];
  f.gate = static_cast<Gate>(1 + rng.below(4));
  f.flag = 1 + rng.below(6);
  f.code = fmt::format("{}", 1000 + rng.below(9000));
  const Feature& first = plan.features[hub.features.front()];
  const bool needs_other = f.gate == Gate::visited || f.gate == Gate::count;
  if (needs_other && (hub.features.front() == feature || first.gate != Gate::none)) f.gate = Gate::none;
  if (f.gate == Gate::count && first.kind->name != "collection") f.gate = Gate::none;
  f.after = first.key;
  if (way_to(plan, feature).size() + longest_recipe(f) > kMostEvents) f.gate = Gate::none;
}

void draw_gates(Plan& plan, Rng& rng) {
  plan.flags = 6;
  for (const Hub& hub : plan.hubs) {
    for (const std::size_t feature : hub.features) {
      if (rng.chance(0.3)) draw_gate(plan, hub, feature, rng);
    }
  }
}

std::size_t hub_of(const Plan& plan, std::size_t feature) {
  for (std::size_t i = 0; i < plan.hubs.size(); ++i) {
    if (std::ranges::count(plan.hubs[i].features, feature) > 0) return i;
  }
  return 0;
}

/// Steps from a menu to its child number `place` (hubs before features).
void step_down(const Hub& hub, std::size_t place, const std::string& key, const std::string& title,
               std::vector<std::string>& out) {
  const std::size_t half = (hub.hubs.size() + hub.features.size() + 1) / 2;
  switch (hub.kind) {
    case HubKind::list:
      out.push_back(fmt::format("tap entry \"{} ({})\"", title, key));
      return;
    case HubKind::drawer:
      out.push_back("tap \"Open navigation drawer\"");
      break;
    case HubKind::menu:
      out.push_back("menu");
      break;
    case HubKind::tabs:
      if (place >= half) out.push_back("tap \"More\"[0]");
      break;
    case HubKind::buttons:
      break;
  }
  out.push_back(fmt::format("tap go_{}", key));
}

void step_into(const Plan& plan, const Hub& hub, std::size_t feature, std::vector<std::string>& out) {
  const auto at = std::ranges::find(hub.features, feature) - hub.features.begin();
  const Feature& f = plan.features[feature];
  step_down(hub, hub.hubs.size() + static_cast<std::size_t>(at), f.key, f.title, out);
}

}  // namespace

bool clash(const BugTemplate& a, const BugTemplate& b) { return one_way_clash(a, b) || one_way_clash(b, a); }

Plan plan_app(std::uint64_t seed, int screens, double hidden) {
  Rng mix(seed);  // neighbouring seeds of one stream would give the same numbers, shifted
  Rng rng(mix.next() ^ (static_cast<std::uint64_t>(screens) << 32));
  Plan plan;
  plan.seed = seed, plan.hidden = hidden;
  const auto kinds = all_features();
  int made = 2;
  for (std::size_t number = 1; made < screens; ++number) {
    const FeatureTemplate& kind = *kinds[rng.below(kinds.size())];
    const bool first = number <= 2;  // even the smallest app has something to find
    const double p = screens <= 100 ? 0.6 : 0.35;
    plan.features.push_back(
        make_feature(kind, draw_bugs(kind, first ? 1 : p, first ? 1 : p * 0.7, rng), number, rng));
    made += kind.screens + (number % 5 == 0 ? 1 : 0);
  }
  grow_hubs(plan, rng);
  place_features(plan, rng);
  draw_gates(plan, rng);
  return plan;
}

Plan plan_single(const FeatureTemplate& kind, const std::vector<std::string_view>& names, std::uint64_t seed,
                 double hidden) {
  Rng mix(seed);
  Rng rng(mix.next());
  std::vector<const BugTemplate*> bugs;
  for (const BugTemplate& bug : kind.bugs) {
    if (std::ranges::count(names, bug.name) > 0) bugs.push_back(&bug);
  }
  Plan plan;
  plan.seed = seed, plan.hidden = hidden;
  plan.features.push_back(make_feature(kind, bugs, 1, rng));
  new_hub(plan, rng);
  plan.hubs[0].features.push_back(0);
  return plan;
}

std::size_t depth_of(const Plan& plan, std::size_t feature) {
  std::size_t depth = 1;
  for (std::size_t hub = hub_of(plan, feature); hub != 0; hub = plan.hubs[hub].parent) ++depth;
  return depth;
}

std::string manual_bug(const Hub& hub) {
  std::string id = hub.name + "_manual";
  id[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(id[0])));
  return id;
}

std::vector<std::string> way_to_hub(const Plan& plan, std::size_t hub) {
  std::vector<std::string> way;
  std::vector<std::size_t> up;
  for (; hub != 0; hub = plan.hubs[hub].parent) up.push_back(hub);
  std::size_t here = 0;
  for (const std::size_t next : up | std::views::reverse) {
    const Hub& from = plan.hubs[here];
    const auto place = std::ranges::find(from.hubs, next) - from.hubs.begin();
    step_down(from, static_cast<std::size_t>(place), plan.hubs[next].name, plan.hubs[next].title, way);
    here = next;
  }
  return way;
}

std::vector<std::string> way_to(const Plan& plan, std::size_t feature) {
  const Feature& f = plan.features[feature];
  std::vector<std::string> way;
  if (f.gate == Gate::flag) way = {"menu", "tap options", fmt::format("tap flag_{}", f.flag), "back"};
  const std::size_t at = hub_of(plan, feature);
  for (std::string& step : way_to_hub(plan, at)) way.push_back(std::move(step));
  const Hub& hub = plan.hubs[at];
  if (f.gate == Gate::visited) {
    step_into(plan, hub, hub.features.front(), way);
    way.push_back("back");
  }
  if (f.gate == Gate::count) {
    step_into(plan, hub, hub.features.front(), way);
    for (const char* step : {"tap add", "type new_title \"Kestrel\"", "tap save", "back"})
      way.emplace_back(step);
  }
  step_into(plan, hub, feature, way);
  if (f.gate == Gate::code) {
    way.push_back(fmt::format("type pass_code \"{}\"", f.code));
    way.push_back("tap android:id/button1");
  }
  return way;
}

}  // namespace norn::sim
