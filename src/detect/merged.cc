#include "detect/merged.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "detect/pairs.h"

namespace norn {
namespace {

template <class Kind>
bool has_any(const std::vector<Event>& events) {
  return std::ranges::any_of(events, [](const Event& e) { return std::holds_alternative<Kind>(e); });
}

auto how_many(const Screen& screen, const std::pair<std::string, std::string>& kind) {
  return std::ranges::count_if(screen.widgets,
                               [&](const Widget& w) { return w.cls == kind.first && w.id == kind.second; });
}

std::uint64_t cause_of(const std::vector<Event>& deviant, const Screen& expected, const Screen& seen) {
  Hasher out;
  out.add(has_any<System>(deviant)).add(has_any<Rotate>(deviant)).add(expected.activity).add(seen.activity);
  for (const auto& kind : kinds_that_differ(expected, seen)) {
    const auto before = how_many(expected, kind), now = how_many(seen, kind);
    out.add(kind.first).add(kind.second).add(now < before).add(now > before);
  }
  return out.finish();
}

}  // namespace

namespace {

/// What it is about: two ways that should end alike by what differs, others by the input.
std::uint64_t cause_of(const Report& r) {
  if (r.ends_should_agree) return cause_of(r.deviant, r.expected, r.seen);
  Hasher out;
  out.add(r.oracle).add(r.kind);
  for (const Event& event : r.deviant) out.add(describe(event));
  return out.finish();
}

}  // namespace

void merge_reports(std::vector<Report>& reports) {
  std::map<std::uint64_t, std::size_t> known;  // where the first is kept
  std::vector<Report> out;
  for (Report& r : reports) {
    const std::uint64_t cause = cause_of(r);
    const bool may_be_known = r.ends_should_agree || !r.kind.empty();
    const auto at = may_be_known ? known.find(cause) : known.end();
    const bool all_known = std::ranges::all_of(r.more, [&](const ReportPart& part) {
      return known.contains(cause_of(part.deviant, part.expected, part.seen));
    });
    if (at != known.end() && all_known) {
      Report& first = out[at->second];
      const std::uint32_t others = 1 + first.duplicates + r.duplicates;
      if (first.more.empty() && r.deviant.size() < first.deviant.size()) first = std::move(r);
      first.duplicates = others;
      continue;
    }
    known.try_emplace(cause, out.size());
    out.push_back(std::move(r));
  }
  reports = std::move(out);
}

}  // namespace norn
