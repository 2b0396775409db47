// The table is a list of classes with running sums; everything else is derived from it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/hash.h"
#include "base/text.h"
#include "formats/jacoco.h"

namespace norn {
namespace {

using Kind = Error::Kind;
constexpr std::string_view heading = "norn probes 1";

struct Line {
  std::uint64_t id = 0, probes = 0;
  std::string name;
};
/// `0123456789abcdef 12 org/app/Main`
std::optional<Line> parse_line(std::string_view line) {
  Line out;
  const std::size_t first = line.find(' '), second = line.find(' ', std::min(first, line.size() - 1) + 1);
  if (first != 16 || second == std::string_view::npos) return std::nullopt;
  const std::string_view id = line.substr(0, first);
  const auto [end, error] = std::from_chars(id.begin(), id.end(), out.id, 16);
  const auto probes = to_int(line.substr(first + 1, second - first - 1));
  if (error != std::errc() || end != id.end() || !probes || *probes < 0) return std::nullopt;
  out.probes = static_cast<std::uint64_t>(*probes), out.name = line.substr(second + 1);
  return out;
}

std::unexpected<Error> too_many() {
  return fail(Kind::bad_input, "more probes than coverage ids: over 4 billion");
}

}  // namespace

Status ProbeTable::add(std::uint64_t id, std::string name, std::uint64_t probes) {
  if (probes > std::numeric_limits<std::uint32_t>::max() - next_) return too_many();
  if (!by_class_.emplace(id, entries_.size()).second)
    return fail(Kind::bad_input, fmt::format("class id {} occurs twice", hex(id)));
  entries_.push_back({id, std::move(name), next_, static_cast<std::uint32_t>(probes)});
  next_ += static_cast<std::uint32_t>(probes);
  return {};
}

Status ProbeTable::check(const JacocoData& data) const {
  for (const auto& [id, c] : data.classes) {
    const auto known = by_class_.find(id);
    if (known == by_class_.end() || entries_[known->second].probes == c.probes.size()) continue;
    return fail(Kind::bad_input,
                fmt::format("class {} has {} probes here, {} in the app's table", printable(c.name),
                            c.probes.size(), entries_[known->second].probes),
                {}, "the app was built anew: give it a new version");
  }
  return {};
}

Result<Coverage> ProbeTable::coverage(const JacocoData& data) {
  NORN_CHECK(check(data));
  std::vector<std::pair<std::string_view, std::uint64_t>> fresh;
  for (const auto& [id, c] : data.classes)
    if (!by_class_.contains(id)) fresh.emplace_back(c.name, id);
  std::ranges::sort(fresh);
  for (const auto& [name, id] : fresh)
    NORN_CHECK(add(id, std::string(name), data.classes.at(id).probes.size()));
  Coverage hit;
  for (const auto& [id, c] : data.classes) {
    const std::uint32_t first = entries_[by_class_.at(id)].first;
    for (std::size_t i = 0; i < c.probes.size(); ++i)
      if (c.probes[i]) hit.add(first + static_cast<std::uint32_t>(i));
  }
  return hit;
}

std::optional<ProbeTable::Probe> ProbeTable::probe_of(std::uint32_t id) const {
  if (id >= next_) return std::nullopt;
  // The last class that begins at or before the id; classes without probes begin where the next one does.
  const auto after = std::ranges::upper_bound(entries_, id, {}, &Entry::first);
  const Entry& e = *std::prev(after);
  return Probe{e.name, id - e.first};
}

std::string ProbeTable::serialise() const {
  std::string out = fmt::format("{}\n", heading);
  for (const Entry& e : entries_) out += fmt::format("{} {} {}\n", hex(e.id), e.probes, printable(e.name));
  return out;
}

Result<ProbeTable> ProbeTable::parse(std::string_view text, std::string_view file) {
  ProbeTable table;
  const std::vector<std::string_view> all = lines(text);
  if (all.empty() || all[0] != heading)
    return fail(Kind::bad_input, fmt::format("not a table of probes: it begins with \"{}\"", heading),
                std::string(file));
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string where = fmt::format("{}:{}", file, i + 1);
    std::optional<Line> line = parse_line(all[i]);
    if (!line) return fail(Kind::bad_input, "not a line of a table of probes", where);
    if (Status added = table.add(line->id, std::move(line->name), line->probes); !added) {
      added.error().where = where;
      return std::unexpected(std::move(added).error());
    }
  }
  return table;
}

}  // namespace norn
