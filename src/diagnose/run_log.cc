#include "diagnose/run_log.h"

#include <map>

namespace norn {

RunLog::RunLog(const History& tree, const Bug& bug, const EventFile& events)
    : tree_(tree), events_(events), alphabet_(bug.dfa.labels) {}

void RunLog::put(const Screen& before, const Event& event, const Observation& seen) {
  Trace one;
  one.start.emplace();
  one.start->screen = before;
  one.steps.push_back({event, seen});
  label_trace(one, alphabet_, events_, [&](const LabelBatch& batch) {
    for (const Label code : batch.codes) {
      if (code == signal::unknown || code == signal::undecided) continue;
      codes_.push_back(code);
      if (code == signal::crash && !found_ && begin_) found_ = seen.at - *begin_;
    }
  });
}

void RunLog::note(const Appended& what, const Observation& seen) {
  if (!begin_) begin_ = seen.at;
  if (what.node == tree_.root()) {
    codes_.push_back(signal::clean_start);
    last_ = what.node;
    return;
  }
  const NodeId parent = tree_.parent(what.node);
  if (parent != last_) {
    codes_.push_back(signal::clean_start);
    for (const NodeId node : tree_.path(parent)) {
      Observation there;
      there.screen = tree_.screen(node);
      put(tree_.screen(tree_.parent(node)), tree_.event(tree_.event_id(node)), there);
    }
  }
  put(tree_.screen(parent), tree_.event(what.event), seen);
  last_ = what.node;
}

std::string plain_log(const Bug& bug, const std::vector<Label>& codes) {
  const std::map<Label, std::string_view> signals{{signal::relaunch, "@relaunch"},
                                                  {signal::clean_start, "@clean"},
                                                  {signal::crash, "@crash"},
                                                  {signal::other_crash, "@other-crash"},
                                                  {signal::next_run, "@run"}};
  std::string out;
  for (const Label code : codes) {
    const auto at = signals.find(code);
    if (at == signals.end() && code >= bug.labels()) continue;
    if (!out.empty()) out += ' ';
    out += at != signals.end() ? at->second : std::string_view(bug.dfa.labels[code]);
  }
  return out;
}

RunResult match_plain(const Bug& bug, std::string_view text) {
  const Alphabet alphabet(bug.dfa.labels);
  Analyser analyser(bug);
  LogOptions options;
  options.format = LogOptions::Format::plain;
  LogParser parser(alphabet, options, [&](const LabelBatch& batch) { analyser.feed(batch); });
  parser.feed(text);
  parser.finish();
  const std::vector<RunResult> runs = analyser.finish();
  if (runs.size() == 1) return runs.front();
  std::vector<const RunResult*> all;
  for (const RunResult& run : runs) all.push_back(&run);
  return unite(bug, all);
}

}  // namespace norn
