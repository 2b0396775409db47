#include "suite/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "base/text.h"

namespace norn {
namespace {

StateId look(const Screen& screen, Abstraction by, const Mask& mask) {
  return by == Abstraction::structure ? masked_structure(screen, mask) : abstract(screen, by);
}

/// What the text fields hold, which `structure` leaves out.
std::uint64_t typed(const Screen& screen) {
  Hasher hasher;
  for (const Widget& widget : screen.widgets)
    if (widget.is(Flag::editable) && !widget.is(Flag::password)) hasher.add(widget.text);
  return hasher.finish();
}

/// What a run saw, step by step: the samples whose counts have grown since.
class Newly {
 public:
  Newly(const History& tree, std::span<const Event> events) : tree_(tree) {
    if (tree.size() == 0) return;
    note(tree.root());
    for (const Walk& walk : tree.walks(tree.root(), events))
      for (const NodeId node : tree.path(walk.end)) note(node);
  }
  /// The most frequent one where it cannot be told.
  Sample at(NodeId node) const {
    const auto now = tree_.samples(node);
    const auto before = before_.find(node);
    for (const Sample& sample : now) {
      if (before == before_.end()) break;
      const auto same = std::find_if(before->second.begin(), before->second.end(), [&](const Sample& s) {
        return s.screen == sample.screen && s.hit == sample.hit && s.crash == sample.crash;
      });
      if (same == before->second.end() || same->count < sample.count) return sample;
    }
    return now.front();
  }

 private:
  void note(NodeId node) { before_.try_emplace(node, tree_.samples(node)); }

  const History& tree_;
  std::unordered_map<NodeId, std::vector<Sample>> before_;
};

/// One run compared with what was recorded, step by step.
class Comparing {
 public:
  Comparing(const SuiteCase& wanted, const History& tree, const Newly& newly, const RunSuiteOptions& options)
      : wanted_(wanted), tree_(tree), newly_(newly), options_(options), mask_(options.mask) {
    const Mask learnt = tree.mask();
    mask_.places.insert(learnt.places.begin(), learnt.places.end());
  }

  /// True: no difference; else `out` says which.
  bool same(const Outcome& outcome, CaseResult& out) const {
    const auto nodes = outcome.end ? tree_.path(outcome.end) : std::vector<NodeId>{};
    if (!screen(0, tree_.root(), "the start", out)) return false;
    for (std::size_t i = 0; i < nodes.size() && i < wanted_.events.size(); ++i)
      if (!step(i, nodes[i], out)) return false;
    if (nodes.size() < wanted_.events.size()) {
      const std::size_t i = nodes.size();
      out.event = i;
      out.why = name(i) + ", found no target";
      out.seen = seen(i == 0 ? tree_.root() : nodes.back());
      out.expected = wanted_.screens[i];
      return false;
    }
    return lines(nodes, out);
  }

 private:
  std::string name(std::size_t event) const {
    return fmt::format("event {} of {}, {}", event + 1, wanted_.events.size(),
                       describe(wanted_.events[event]));
  }
  const Screen& seen(NodeId node) const { return tree_.screen(newly_.at(node).screen); }

  bool step(std::size_t i, NodeId node, CaseResult& out) const {
    const Crash* crash = tree_.crash(node);
    const Crash* expected = i + 1 == wanted_.events.size() && wanted_.crash ? &*wanted_.crash : nullptr;
    if (crash && expected && signature(*crash, Sameness::frames) == signature(*expected, Sameness::frames))
      return true;
    out.event = i;
    if (!crash && !expected) {
      if (!screen(i + 1, node, name(i), out)) return false;
      out.event.reset();
      return true;
    }
    if (crash) {
      out.why = fmt::format("{}, crashed: {}", name(i), headline(*crash));
      out.crash = *crash;
    } else {
      out.why = fmt::format("{}, did not crash as it did: {}", name(i), headline(*expected));
      out.seen = seen(node);
    }
    if (!expected) out.expected = wanted_.screens[i + 1];
    return false;
  }

  bool screen(std::size_t i, NodeId node, const std::string& where, CaseResult& out) const {
    const Screen& now = seen(node);
    const Screen& then = wanted_.screens[i];
    if (look(now, options_.by, mask_) != look(then, options_.by, mask_))
      out.why = where + (i == 0 ? ", shows another screen" : ", led to another screen");
    else if (wanted_.typed[i] && typed(now) != typed(then))
      out.why = where + ", left other texts in the fields";
    else
      return true;
    out.expected = then;
    out.seen = now;
    return false;
  }

  bool lines(const std::vector<NodeId>& nodes, CaseResult& out) const {
    if (!options_.coverage) return true;
    Coverage hit;
    for (const NodeId node : nodes) hit |= tree_.coverage(newly_.at(node).hit);
    out.missing = wanted_.covered - hit;
    if (out.missing.empty()) return true;
    const std::uint64_t functions = options_.coverable.functions_of(out.missing);
    out.why = fmt::format("{} lines{} are not run any more", options_.coverable.lines_of(out.missing),
                          functions > 0 ? fmt::format(" and {} functions", functions) : "");
    return false;
  }

  const SuiteCase& wanted_;
  const History& tree_;
  const Newly& newly_;
  const RunSuiteOptions& options_;
  Mask mask_;
};

CaseResult run_case(Replay& replay, const SuiteCase& wanted, const RunSuiteOptions& options,
                    const std::stop_token& stop) {
  CaseResult out;
  out.name = wanted.name;
  const double begin = replay.spent().device_seconds;
  Request request{.events = replay.intern(wanted.events)};
  request.watch = Completes{};
  request.sure = Sure::certified;
  request.repeats = 1;
  for (std::uint32_t i = 0; i < std::max(options.times, 1U); ++i) {
    request.first_repeat = i;
    const Newly newly(replay.history(), wanted.events);
    const Outcome outcome = replay.ask(request, stop);
    if (outcome.verdict == Verdict::unresolved) {
      if (out.runs == 0) out.why = outcome.why ? outcome.why->message() : "it was not run";
      break;
    }
    ++out.runs;
    if (Comparing(wanted, replay.history(), newly, options).same(outcome, out)) ++out.passed;
  }
  out.seconds = replay.spent().device_seconds - begin;
  if (out.runs > 0)
    out.verdict = out.passed == out.runs ? CaseResult::Verdict::pass : CaseResult::Verdict::fail;
  return out;
}

}  // namespace

SuiteCase suite_case(const History& tree, NodeId end, std::string name) {
  SuiteCase out;
  out.name = std::move(name);
  const auto look_at = [&](NodeId node) {
    const auto samples = tree.samples(node);
    out.screens.push_back(tree.screen(samples.front().screen));
    const bool same = std::all_of(samples.begin(), samples.end(), [&](const Sample& sample) {
      return typed(tree.screen(sample.screen)) == typed(out.screens.back());
    });
    out.typed.push_back(same ? 1 : 0);
  };
  look_at(tree.root());
  for (const NodeId node : tree.path(end)) {
    out.events.push_back(tree.event(tree.event_id(node)));
    look_at(node);
    const auto samples = tree.samples(node);
    Coverage hit = tree.coverage(samples.front().hit);
    for (const Sample& sample : samples) hit &= tree.coverage(sample.hit);
    out.covered |= hit;
  }
  if (const Crash* crash = tree.crash(end)) out.crash = *crash;
  return out;
}

std::vector<CaseResult> run_suite(Replay& replay, std::span<const SuiteCase> cases,
                                  const RunSuiteOptions& options, Progress& progress,
                                  const std::stop_token& stop) {
  std::vector<CaseResult> out;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress.status(fmt::format("trace {} of {}: {}", i + 1, cases.size(), cases[i].name));
    out.push_back(run_case(replay, cases[i], options, stop));
  }
  return out;
}

// ---- JUnit ----

namespace {

bool xml_may_hold(std::string_view c) {
  if (c.size() == 1) return static_cast<unsigned char>(c[0]) >= 0x20 || c == "\t" || c == "\n" || c == "\r";
  return c != "\xef\xbf\xbe" && c != "\xef\xbf\xbf";  // U+FFFE, U+FFFF
}

std::string escaped(std::string_view raw) {
  const std::string text = is_utf8(raw) ? std::string(raw) : to_utf8(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    const std::string_view c = std::string_view(text).substr(i, end - i);
    i = end;
    if (!xml_may_hold(c))
      out += "\xef\xbf\xbd";
    else if (c == "&")
      out += "&amp;";
    else if (c == "<")
      out += "&lt;";
    else if (c == ">")
      out += "&gt;";
    else if (c == "\"")
      out += "&quot;";
    else if (c == "'")
      out += "&apos;";
    else if (c == "\n")
      out += "&#10;";
    else if (c == "\r")
      out += "&#13;";
    else if (c == "\t")
      out += "&#9;";
    else
      out += c;
  }
  return out;
}

std::string details(const CaseResult& r) {
  std::string out = fmt::format("{}\n{} of {} runs passed\n", r.why, r.passed, r.runs);
  if (r.expected) out += "expected:\n" + outline(*r.expected);
  if (r.seen) out += "seen:\n" + outline(*r.seen);
  return out;
}

}  // namespace

std::string junit_xml(std::string_view suite, std::span<const CaseResult> results) {
  using V = CaseResult::Verdict;
  const auto number = [&](V v) {
    return std::count_if(results.begin(), results.end(), [&](const CaseResult& r) { return r.verdict == v; });
  };
  double seconds = 0;
  for (const CaseResult& r : results) seconds += r.seconds;
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format(
      "<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n",
      escaped(suite), results.size(), number(V::fail), number(V::unresolved), seconds);
  for (const CaseResult& r : results) {
    out += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(suite),
                       escaped(r.name), r.seconds);
    if (r.verdict == V::pass) {
      out += "/>\n";
      continue;
    }
    const char* element = r.verdict == V::fail ? "failure" : "error";
    out += fmt::format(">\n    <{} message=\"{}\">{}</{}>\n  </testcase>\n", element, escaped(r.why),
                       escaped(details(r)), element);
  }
  return out + "</testsuite>\n</testsuites>\n";
}

}  // namespace norn
