#include "diagnose/learn/replay_teacher.h"

#include <algorithm>

namespace norn {

using lsharp::Input;
using lsharp::Output;
using lsharp::Word;

namespace {

bool failed(const Outcome& outcome) {
  return outcome.verdict == Verdict::unresolved && outcome.why && !is_spent(*outcome.why);
}

}  // namespace

/// One word under way.
struct ReplayTeacher::Job {
  Word word;
  std::vector<NodeId> path{};    ///< where each input led, as far as the last run went
  std::vector<EventKey> sent{};  ///< what was asked for in the last run
  int rounds = 0;
  std::uint32_t made = 0;  ///< fresh runs of what is sent now
  bool over = false;
};

ReplayTeacher::ReplayTeacher(Replay& replay, const std::vector<LearnInput>& inputs, IsBug is_bug,
                             Manner manner, std::stop_token stop)
    : replay_(replay), inputs_(inputs), is_bug_(std::move(is_bug)), manner_(manner), stop_(std::move(stop)) {}

std::optional<NodeId> ReplayTeacher::node(const Word& word) const {
  const auto at = nodes_.find(word);
  return at == nodes_.end() ? std::nullopt : std::optional(at->second);
}

/// The same for one node however often it is asked.
Output ReplayTeacher::output(NodeId node) {
  const auto known = outputs_.find(node);
  return known != outputs_.end() ? known->second : outputs_.emplace(node, read_output(node)).first->second;
}

Output ReplayTeacher::read_output(NodeId node) {
  if (const Crash* crash = replay_.history().crash(node)) {
    if (is_bug_(*crash)) return {Output::Kind::crash, 0};
    by_catch_.insert(node);
    return {Output::Kind::ended, 0};
  }
  Output out;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (said(node, static_cast<Input>(i))) out.enabled |= std::uint64_t{1} << i;
  return out;
}

Result<Output> ReplayTeacher::start() {
  const Outcome outcome = ask({Request{}}).front();
  if (outcome.verdict == Verdict::unresolved)
    return std::unexpected(
        outcome.why.value_or(Error{Error::Kind::device, "the app could not be started", {}, {}}));
  nodes_[{}] = replay_.history().root();
  return output(replay_.history().root());
}

std::optional<ReplayTeacher::Said> ReplayTeacher::said(NodeId node, Input input) {
  const auto [at, is_new] = said_.try_emplace(std::uint64_t{node.value} << 8 | input);
  if (!is_new) return at->second;
  if (const auto event = event_on(inputs_[input], replay_.history().screen(node)))
    at->second = Said{replay_.intern(*event), event_key(*event)};
  return at->second;
}

/// The events to send: on known screens as they must be said there, beyond them as they were recorded.
Request ReplayTeacher::request(Job& job) {
  Request request;
  Word prefix;
  job.sent.clear();
  for (const Input i : job.word) {
    const auto known = nodes_.find(prefix);
    std::optional<Said> here;
    if (known != nodes_.end() && !replay_.history().crash(known->second)) here = said(known->second, i);
    const Event& otherwise = inputs_[i].event;
    request.events.push_back(here ? here->id : replay_.intern(otherwise));
    job.sent.push_back(here ? here->key : event_key(otherwise));
    prefix.push_back(i);
  }
  if (manner_.fresh) {
    constexpr std::uint32_t at_once = 4;
    request.sure = Sure::certified, request.watch = AnyCrash{};
    request.first_repeat = job.made;
    request.repeats = job.made == 0 ? 1 : std::min(at_once, fresh_runs() - job.made);
  }
  if (manner_.tested) request.sure = Sure::tested, request.watch = AnyCrash{}, request.rate = manner_.rate;
  return request;
}

std::vector<Outcome> ReplayTeacher::ask(const std::vector<Request>& requests) {
  std::vector<Outcome> out = replay_.ask(requests, Until::all, stop_);
  for (Outcome& outcome : out)
    for (int again = 0; again < 3 && failed(outcome); ++again)
      outcome = replay_.ask(requests[static_cast<std::size_t>(&outcome - out.data())], stop_);
  return out;
}

Status ReplayTeacher::take(Job& job, const Outcome& outcome) {
  if (outcome.verdict == Verdict::unresolved || !outcome.end) {
    if (outcome.why) return std::unexpected(*outcome.why);
    return fail(Error::Kind::device, "a run could not be made");
  }
  const History& tree = replay_.history();
  job.path = tree.path(outcome.end);
  if (job.path.size() > job.word.size()) job.path.resize(job.word.size());
  Word prefix;
  for (std::size_t k = 0; k < job.path.size(); ++k) {
    const auto meant = said(tree.parent(job.path[k]), job.word[k]);
    if (!meant || meant->key != job.sent[k]) job.path.resize(k);  // sent blindly, and not what is meant there
    if (k == job.path.size()) break;
    prefix.push_back(job.word[k]);
    nodes_[prefix] = job.path[k];
  }
  return {};
}

bool ReplayTeacher::goes_on(Job& job) {
  const NodeId last = job.path.empty() ? replay_.history().root() : job.path.back();
  if (replay_.history().crash(last)) return false;
  if (job.path.size() == job.word.size()) return job.made < fresh_runs();
  if (job.rounds > static_cast<int>(job.word.size())) return false;
  const auto here = said(last, job.word[job.path.size()]);
  if (!here || here->key == job.sent[job.path.size()]) return false;
  job.made = 0;
  return true;
}

Result<std::vector<std::vector<Output>>> ReplayTeacher::run(std::span<const Word> words) {
  std::vector<Job> jobs;
  for (const Word& word : words) jobs.push_back({word});
  for (bool more = true; more;) {
    std::vector<Request> requests;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < jobs.size(); ++i)
      if (!jobs[i].over) requests.push_back(request(jobs[i])), of.push_back(i);
    const std::vector<Outcome> outcomes = ask(requests);
    more = false;
    for (std::size_t k = 0; k < of.size(); ++k) {
      Job& job = jobs[of[k]];
      NORN_CHECK(take(job, outcomes[k]));
      ++job.rounds;
      job.made += outcomes[k].yes.all() + outcomes[k].no.all();
      job.over = !goes_on(job);
      more = more || !job.over;
    }
  }
  std::vector<std::vector<Output>> out;
  for (const Job& job : jobs) {
    out.emplace_back();
    for (const NodeId node : job.path) out.back().push_back(output(node));
  }
  return out;
}

ReplayTeacher::Ended ReplayTeacher::ended(const Word& word) {
  const History& tree = replay_.history();
  Ended out;
  std::vector<std::pair<NodeId, std::size_t>> todo{{tree.root(), 0}};
  while (!todo.empty()) {
    const auto [node, done] = todo.back();
    todo.pop_back();
    const Counts runs = tree.counts(node);
    if (const Crash* crash = tree.crash(node); crash != nullptr && is_bug_(*crash))
      out.bug += runs.all(), out.crash = node;
    else if (crash != nullptr)
      out.other += runs.all(), out.elsewhere = node;
    else if (done == word.size())
      out.calm += runs.cold;
    else if (const auto next = said(node, word[done]))
      for (const NodeId kid : tree.children(node, next->key)) todo.emplace_back(kid, done + 1);
  }
  return out;
}

Status ReplayTeacher::repeat(const Word& word, std::uint32_t times) {
  Job job{word};
  Request again = request(job);
  again.sure = Sure::certified, again.watch = AnyCrash{};
  again.repeats = times, again.first_repeat = ended(word).all();
  const Outcome outcome = ask({again}).front();
  if (outcome.verdict == Verdict::unresolved && outcome.why) return std::unexpected(*outcome.why);
  return {};
}

std::vector<Word> remembered_words(const History& tree, const std::vector<LearnInput>& inputs,
                                   std::size_t most) {
  struct At {
    NodeId node;
    Word word;
  };
  std::vector<Word> out;
  std::vector<At> todo{{tree.root(), {}}};
  while (!todo.empty() && out.size() < most) {
    At here = std::move(todo.back());
    todo.pop_back();
    bool leaf = true;
    if (!tree.crash(here.node))
      for (std::size_t i = 0; i < inputs.size() && here.word.size() < 200; ++i) {
        const auto event = event_on(inputs[i], tree.screen(here.node));
        const auto kids = event ? tree.children(here.node, event_key(*event)) : std::vector<NodeId>{};
        if (kids.empty()) continue;
        Word longer = here.word;
        longer.push_back(static_cast<Input>(i));
        todo.push_back({kids.front(), std::move(longer)});
        leaf = false;
      }
    if (leaf && !here.word.empty()) out.push_back(std::move(here.word));
  }
  return out;
}

}  // namespace norn
