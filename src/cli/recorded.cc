// {"origin": ..., "start": false (there was none), "at": [start, step 1, ...], "unsettled": [places],
//  "log": [[place, line ...], ...]}: place 0 is the start; what is usual is left out.
#include "cli/recorded.h"

#include <algorithm>

#include "formats/json_values.h"

namespace norn::cli {
namespace {

constexpr std::string_view recorded_kind = "recording";

/// The start (or nothing in its place) and what every step saw.
template <class Seen, class TraceType>
std::vector<Seen*> places_of(TraceType& trace) {
  std::vector<Seen*> out{trace.start ? &*trace.start : nullptr};
  for (auto& step : trace.steps) out.push_back(&step.seen);
  return out;
}

JsonOut recorded_json(const Trace& trace) {
  JsonOut out = JsonOut::object(), at = JsonOut::array(), log = JsonOut::array();
  const auto places = places_of<const Observation>(trace);
  Coverage unsettled;
  put_text(out, "origin", trace.origin);
  if (!trace.start) out["start"] = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    at.push_back(places[i] ? places[i]->at : 0);
    if (!places[i]) continue;
    if (!places[i]->settled) unsettled.add(static_cast<std::uint32_t>(i));
    if (places[i]->log.empty()) continue;
    log.push_back({i});
    for (const std::string& line : places[i]->log) log.back().push_back(line);
  }
  if (std::ranges::any_of(at, [](const JsonOut& seconds) { return seconds != 0; })) out["at"] = std::move(at);
  if (!unsettled.empty()) out["unsettled"] = to_json_value(unsettled);
  if (!log.empty()) out["log"] = std::move(log);
  return out;
}

void put_back_log(const JsonIn& entry, const std::vector<Observation*>& places) {
  if (!entry.is_array() || entry.empty() || !entry[0].is_number_unsigned()) return;
  const auto place = entry[0].get<std::size_t>();
  if (place >= places.size() || !places[place]) return;
  for (std::size_t i = 1; i < entry.size(); ++i)
    if (entry[i].is_string()) places[place]->log.push_back(entry[i].get<std::string>());
}

/// Leaves out what does not fit: norn wrote it itself.
void put_back(const JsonIn& recorded, Trace& trace) {
  bool start = true;
  Fields fields(recorded, "recording");
  fields.text("origin", trace.origin).flag("start", start);
  if (!start) trace.start.reset();
  const auto places = places_of<Observation>(trace);
  if (const JsonIn* at = fields.find("at"); at && at->is_array() && at->size() == places.size())
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] && (*at)[i].is_number()) places[i]->at = (*at)[i].get<double>();
  if (const JsonIn* unsettled = fields.find("unsettled"))
    if (const auto read = coverage_from(*unsettled))
      for (const std::uint32_t place : read->ids())
        if (place < places.size() && places[place]) places[place]->settled = false;
  if (const JsonIn* log = fields.find("log"); log && log->is_array())
    for (const JsonIn& entry : *log) put_back_log(entry, places);
}

}  // namespace

Status keep_recorded(Store& store, RunId run, const Trace& trace) {
  NORN_TRY(const ResultId kept,
           store.add_result(run, std::string(recorded_kind), dump_line(recorded_json(trace))));
  (void)kept;
  return {};
}

Result<Trace> stored_trace(Store& store, AppId app, NodeId node, RunId run) {
  NORN_TRY(const auto tree, store.load(app));
  Trace trace = tree->trace(node);
  if (!run) return trace;
  NORN_TRY(const auto results, store.results(run));
  for (const ResultInfo& result : results)
    if (result.kind == recorded_kind)
      if (const auto recorded = parse_json(result.json, result.kind)) put_back(*recorded, trace);
  return trace;
}

}  // namespace norn::cli
