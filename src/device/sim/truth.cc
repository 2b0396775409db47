// The JSON is small and ours, but read as carefully as any other: a mistake in it is told with its file and
// place.
#include "device/sim/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/json_depth.h"
#include "base/text.h"
#include "device/sim/bundled.h"

namespace norn::sim {

std::span<const BundledFile> bundled_truths();  // of the generated table; on purpose in no header

namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<std::string_view, KnownBug::Kind>, 3> kinds{
    {{"crash", KnownBug::Kind::crash},
     {"functional", KnownBug::Kind::functional},
     {"flaky", KnownBug::Kind::flaky}}};

struct Parser {
  std::string_view package, where;

  std::unexpected<Error> bad(std::string what) const {
    return fail(Error::Kind::bad_input, std::move(what), std::string(where),
                "docs/sim-apps.md, Ground truth, says what belongs there");
  }

  Result<std::string> text(const Json& object, const char* key, bool required = true) const {
    const auto it = object.find(key);
    if (it == object.end() && !required) return std::string();
    if (it == object.end() || !it->is_string()) return bad(fmt::format("\"{}\" must be a text", key));
    return it->get<std::string>();
  }

  Result<KnownBug::Kind> kind(const std::string& name) const {
    for (const auto& [known, value] : kinds)
      if (known == name) return value;
    return bad(fmt::format("\"{}\" is no kind of bug", printable(name)));
  }

  /// One way: a list of events, as texts.
  Result<KnownBug::Way> way(const Json& list, const std::string& id) const {
    KnownBug::Way out;
    if (!list.is_array() || list.empty())
      return bad(fmt::format("bug \"{}\": a way is a list of events", id));
    for (const Json& line : list) {
      if (!line.is_string()) return bad(fmt::format("an event of bug \"{}\" is no text", id));
      out.text.push_back(line.get<std::string>());
      auto event = parse_event(out.text.back(), package);
      if (!event) return bad(fmt::format("bug \"{}\": {}", id, event.error().message()));
      out.events.push_back(std::move(*event));
    }
    return out;
  }

  Status ways(const Json& json, KnownBug& bug) const {
    const auto events = json.find("events");
    if (events == json.end()) return bad(fmt::format("bug \"{}\" must have a list \"events\"", bug.id));
    NORN_TRY(KnownBug::Way first, way(*events, bug.id));
    bug.text = std::move(first.text), bug.events = std::move(first.events);
    const auto others = json.find("others");
    if (others == json.end()) return {};
    if (bug.kind != KnownBug::Kind::crash || !others->is_array())
      return bad(fmt::format("bug \"{}\": \"others\" is a list of ways into a crash", bug.id));
    for (const Json& other : *others) {
      NORN_TRY(KnownBug::Way known, way(other, bug.id));
      bug.others.push_back(std::move(known));
    }
    return {};
  }

  Result<KnownBug> bug(const Json& json) const {
    if (!json.is_object()) return bad("a bug must be an object");
    KnownBug bug;
    NORN_TRY(bug.id, text(json, "id"));
    NORN_TRY(bug.what, text(json, "what"));
    NORN_TRY(bug.device, text(json, "device", false));
    NORN_TRY(const std::string name, text(json, "kind"));
    NORN_TRY(bug.kind, kind(name));
    NORN_CHECK(ways(json, bug));
    return bug;
  }

  Result<Truth> truth(const Json& json) const {
    if (!json.is_object()) return bad("the file must hold an object");
    Truth truth;
    NORN_TRY(truth.app, text(json, "app"));
    NORN_TRY(truth.what, text(json, "what"));
    const auto list = json.find("bugs");
    if (list == json.end() || !list->is_array()) return bad("\"bugs\" must be a list");
    for (const Json& entry : *list) {
      NORN_TRY(KnownBug known, bug(entry));
      truth.bugs.push_back(std::move(known));
    }
    return truth;
  }
};

/// What follows `package =` in an app's source.
std::string_view package_in(std::string_view source) {
  const std::size_t key = source.find("package");
  const std::size_t open = source.find('"', std::min(key, source.size()));
  if (open == std::string_view::npos) return {};
  return source.substr(open + 1, source.find('"', open + 1) - open - 1);
}

const BundledFile* file_named(std::span<const BundledFile> files, std::string_view name) {
  const auto it = std::ranges::find(files, name, &BundledFile::name);
  return it == files.end() ? nullptr : &*it;
}

}  // namespace

std::string_view name_of(KnownBug::Kind kind) {
  for (const auto& [name, value] : kinds)
    if (value == kind) return name;
  return "?";
}

Result<Truth> parse_truth(std::string_view json, std::string_view package, std::string_view where) {
  const Parser parser{.package = package, .where = where};
  NORN_CHECK(check_json_depth(json, where));
  const Json parsed = Json::parse(json, nullptr, false);
  if (parsed.is_discarded()) return parser.bad("this is not JSON");
  return parser.truth(parsed);
}

Result<Truth> load_truth(std::string_view name) {
  const std::string file = fmt::format("{}.bugs.json", name);
  const BundledFile* json = file_named(bundled_truths(), file);
  const BundledFile* source = file_named(bundled_sources(), fmt::format("{}.lua", name));
  if (!json || !source)
    return fail(Error::Kind::not_found, "nothing is known about the bugs of this app", std::string(name),
                "only bundled apps have a ground truth: see `norn apps`");
  return parse_truth(json->text, package_in(source->text), file);
}

}  // namespace norn::sim
