#include "device/sim/options.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "device/sim/bundled.h"
#include "device/sim/generate.h"
#include "device/sim/mutant.h"

namespace norn::sim {
namespace {

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys = {"profile", "event",  "unsettled", "restart", "save", "load",
                                                "bugs",    "flaky",  "timing",    "content", "seed", "mutant",
                                                "size",    "locale", "screens",   "hidden"};
  return keys;
}

std::unexpected<Error> bad(const std::string& what, const std::string& advice) {
  return fail(Error::Kind::bad_input, what, "sim", advice);
}

Status set_profile(Options& o, std::string_view value) {
  if (value == "emulator") {
    o.costs = Costs{};
  } else if (value == "phone") {
    o.costs = Costs{.event = 2, .unsettled = 0.2, .restart = 8, .save = 0, .load = 0};
    o.snapshots = false;
  } else if (value == "instant") {
    o.costs = Costs{.event = 0, .unsettled = 0, .restart = 0, .save = 0, .load = 0};
    o.instant = true;
  } else {
    return bad("unknown profile \"" + std::string(value) + "\"", "emulator, phone or instant");
  }
  return {};
}

Status set_cost(double& cost, std::string_view key, std::string_view value) {
  const auto n = to_double(value);
  if (!n || *n < 0 || *n > 1e6)
    return bad(std::string(key) + "=" + std::string(value) + " is no number of seconds", "write 0.65");
  cost = *n;
  return {};
}

Status set_random(bool& flag, std::string_view key, std::string_view value) {
  if (value != "random" && value != "fixed")
    return bad(std::string(key) + "=" + std::string(value) + " is not known", "fixed or random");
  flag = value == "random";
  return {};
}

Status set_size(Options& o, std::string_view value) {
  const auto parts = split(value, 'x');
  const auto w = parts.size() == 2 ? to_int(parts[0]) : std::nullopt,
             h = parts.size() == 2 ? to_int(parts[1]) : std::nullopt;
  if (!w || !h || *w < 200 || *h < 200 || *w > 10'000 || *h > 10'000)
    return bad("size=" + std::string(value) + " is no screen size", "write 1080x1920 (200 to 10000 each)");
  o.width = static_cast<std::int32_t>(*w);
  o.height = static_cast<std::int32_t>(*h);
  return {};
}

Status set_number(std::int64_t& out, std::string_view key, std::string_view value) {
  const auto n = to_int(value);
  if (!n || *n < 0)
    return bad(std::string(key) + "=" + std::string(value) + " is no number", "write 0 or more");
  out = *n;
  return {};
}

Status set_option(Options& o, std::string_view key, std::string_view value) {
  if (key == "profile") return {};  // read first
  if (key == "event") return set_cost(o.costs.event, key, value);
  if (key == "unsettled") return set_cost(o.costs.unsettled, key, value);
  if (key == "restart") return set_cost(o.costs.restart, key, value);
  if (key == "save") return set_cost(o.costs.save, key, value);
  if (key == "load") return set_cost(o.costs.load, key, value);
  if (key == "timing") return set_random(o.random_timing, key, value);
  if (key == "content") return set_random(o.random_content, key, value);
  if (key == "size") return set_size(o, value);
  if (key == "mutant") return set_number(o.mutant, key, value);
  if (key == "bugs") {
    o.bugs = value.empty() ? "all" : std::string(value);
    return {};
  }
  if (key == "flaky") {
    const auto p = to_double(value);
    if (!p || *p < 0 || *p > 1)
      return bad("flaky=" + std::string(value) + " is no probability", "write 0.05");
    o.flaky = *p;
    return {};
  }
  if (key == "locale") {
    if (value.empty() || value.size() > 20) return bad("locale is empty or too long", "write en_US");
    o.locale = std::string(value);
    return {};
  }
  if (key == "seed") {
    std::int64_t n = 0;
    NORN_CHECK(set_number(n, key, value));
    o.seed = static_cast<std::uint64_t>(n);
  }
  if (key == "seed" || key == "screens" || key == "hidden") {
    o.generator.emplace_back(key, value);
    return {};
  }
  const auto near = did_you_mean(key, known_keys());
  return bad("unknown option \"" + std::string(key) + "\"",
             near ? "did you mean \"" + *near + "\"?" : "see docs/sim-apps.md");
}

/// "a,b" -> sorted, without doubles.
std::string canonical_list(std::string_view list) {
  std::vector<std::string_view> parts = split(list, ',');
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::string out;
  for (const std::string_view p : parts) out += (out.empty() ? "" : ",") + std::string(p);
  return out;
}

std::string number_text(double value) {
  std::string text = std::to_string(value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

bool Options::has_bug(std::string_view id) const {
  if (bugs == "all") return true;
  if (bugs == "none") return false;
  const auto parts = split(bugs, ',');
  const bool but = bugs.starts_with('-');
  const bool named = std::any_of(parts.begin(), parts.end(), [&](std::string_view p) {
    return (p.starts_with('-') ? p.substr(1) : p) == id;
  });
  return named != but;
}

std::string Options::behaviour() const {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "&") + text; };
  if (bugs != "all") add("bugs=" + canonical_list(bugs));
  if (random_content) add("content=random");
  if (flaky > 0) add("flaky=" + number_text(flaky));
  if (mutant >= 0) add("mutant=" + std::to_string(mutant));
  if (random_timing) add("timing=random");
  return out;
}

Result<Options> parse_options(std::string_view spec) {
  if (spec.starts_with("sim:")) spec.remove_prefix(4);
  Options o;
  const std::size_t mark = spec.find('?');
  o.name = std::string(spec.substr(0, mark));
  if (o.name.empty()) return bad("no app is named", "write sim:NAME or sim:path/to/app.lua");
  if (mark == std::string_view::npos) return o;
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  for (const std::string_view part : split(spec.substr(mark + 1), '&')) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      return bad("option \"" + std::string(part) + "\" has no value", "write key=value");
    pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  for (const auto& [key, value] : pairs)
    if (key == "profile") NORN_CHECK(set_profile(o, value));
  for (const auto& [key, value] : pairs) NORN_CHECK(set_option(o, key, value));
  return o;
}

std::vector<std::string> bundled_apps() {
  std::vector<std::string> out;
  for (const BundledFile& file : bundled_sources())
    out.emplace_back(file.name.substr(0, file.name.rfind('.')));
  return out;
}

namespace {

/// File name and text.
using NamedText = std::pair<std::string, std::string>;

Result<NamedText> generated(const Options& o) {
  std::int64_t seed = 1, screens = 40;
  double hidden = 0;
  for (const auto& [key, value] : o.generator) {
    if (key != "hidden") {
      NORN_CHECK(set_number(key == "seed" ? seed : screens, key, value));
    } else if (const auto share = to_double(value)) {
      hidden = *share;
    } else {
      return bad("hidden=" + value + " is no number", "write 0.3: the share of pages with hidden state");
    }
  }
  NORN_TRY(std::string text, generate_source(static_cast<std::uint64_t>(seed), screens, hidden));
  return NamedText{"generated.lua", std::move(text)};
}

Result<NamedText> bundled(const std::string& name) {
  for (const BundledFile& file : bundled_sources())
    if (file.name == name + ".lua") return NamedText{file.name, file.text};
  const auto near = did_you_mean(name, bundled_apps());
  return fail(Error::Kind::not_found, "there is no bundled app \"" + name + "\"", "sim",
              near ? "did you mean \"" + *near + "\"?"
                   : "norn apps lists them; a file is written sim:path/to/app.lua");
}

/// Without what Lua's own loader passes over: a byte order mark, and a first line for a shell. The lines
/// after it keep their numbers.
void drop_head(std::string& text) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  if (text.starts_with('#')) text.erase(0, std::min(text.find('\n'), text.size()));
}

Result<NamedText> from_file(const std::string& path) {
  NORN_TRY(std::string text, read_file(path, std::uintmax_t{4} << 20));
  drop_head(text);
  return NamedText{std::filesystem::path(path).filename().string(), std::move(text)};
}

}  // namespace

Result<Source> find_source(const Options& o) {
  const bool is_file = o.name.ends_with(".lua") || o.name.find('/') != std::string::npos;
  auto found = o.name == "generated" ? generated(o) : is_file ? from_file(o.name) : bundled(o.name);
  if (!found) return std::unexpected(std::move(found).error());
  NORN_TRY(Source source, read_source(std::move(found->first), std::move(found->second)));
  if (o.mutant < 0) return source;
  NORN_TRY(Mutant mutant, mutate(source.text, static_cast<std::size_t>(o.mutant)));
  return read_source(std::move(source.file), std::move(mutant.text));
}

}  // namespace norn::sim
