// A bug automaton taken as a device, for tests and tables: an app that behaves exactly like it. Screens show
// what is possible and nothing else, so two states with the same events look alike.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "device/device.h"
#include "diagnose/automaton.h"
#include "gui/target.h"
#include "trace/automaton.h"

namespace norn::testing {

/// One state at a time: labels lead to one state; epsilon moves are Back and, where there are more, Close,
/// Later, Dismiss.
struct OneWay {
  bool moves = false;  ///< the automaton as it was drawn; else its deterministic form, without moves
  Nfa nfa;
};

inline Nfa as_nfa(const Dfa& dfa) {
  Nfa out;
  out.states.resize(dfa.live());
  for (DfaState s = 1; s < dfa.size(); ++s) {
    out.states[s - 1] = {
        .name = fmt::format("d{}", s), .initial = s == dfa.start, .final = dfa.final[s] != 0};
    for (const Label a : dfa.each_label())
      if (dfa.step(s, a) != dead) out.transitions.push_back({s - 1, dfa.step(s, a) - 1, dfa.labels[a]});
  }
  return out;
}

/// Accepted words without epsilon that together have every label of the automaton in them; empty where that
/// is impossible.
inline std::vector<std::vector<std::string>> covering_words(const Nfa& nfa) {
  Nfa plain = nfa;
  std::erase_if(plain.transitions, [](const auto& t) { return t.label.empty(); });
  const auto dfa = determinise(plain);
  if (!dfa || dfa->start == dead) return {};
  std::vector<std::vector<std::string>> out;
  std::set<std::string> missing;
  const auto all = determinise(nfa);
  if (!all) return {};
  for (DfaState s = 1; s < all->size(); ++s)
    for (const Label a : all->each_label())
      if (all->step(s, a) != dead) missing.insert(all->labels[a]);
  const auto add = [&](const std::vector<Label>& word) {
    out.emplace_back();
    for (const Label a : word) out.back().push_back(dfa->labels[a]), missing.erase(dfa->labels[a]);
  };
  add(*shortest_word(*dfa, dfa->start));
  for (bool found = true; found && !missing.empty();) {
    found = false;
    for (DfaState s = 1; s < dfa->size() && !found; ++s)
      for (Label a = 0; a < dfa->labels.size() && !found; ++a) {
        const DfaState to = dfa->step(s, a);
        if (to == dead || dfa->final[s] != 0 || !missing.contains(dfa->labels[a])) continue;
        auto word = *shortest_word_to(*dfa, s);
        word.push_back(a);
        const auto rest = *shortest_word(*dfa, to);
        word.insert(word.end(), rest.begin(), rest.end());
        add(word);
        found = true;
      }
  }
  if (!missing.empty()) out.clear();
  return out;
}

/// A crash ends everything: what a drawing lets happen after it is left out.
inline void end_at_crash(Nfa& nfa) {
  std::erase_if(nfa.transitions, [&](const auto& t) { return nfa.states[t.from].final; });
}

/// The automaton in a form a device can have.
inline Result<OneWay> one_way(Nfa nfa) {
  end_at_crash(nfa);
  std::set<std::pair<std::uint32_t, std::string>> used;
  std::map<std::uint32_t, int> silent;
  bool single = std::ranges::count_if(nfa.states, [](const auto& s) { return s.initial; }) == 1;
  bool any = false;
  for (const auto& t : nfa.transitions) {
    if (!t.label.empty() && !used.emplace(t.from, t.label).second) single = false;
    if (t.label.empty() && (++silent[t.from] > 4 || nfa.states[t.to].final)) single = false;
    any = any || t.label.empty();
  }
  if (single && any && !covering_words(nfa).empty()) return OneWay{true, nfa};
  NORN_TRY(const Dfa dfa, determinise(nfa));
  Nfa plain = as_nfa(minimise(dfa));
  end_at_crash(plain);
  return OneWay{false, std::move(plain)};
}

class AutomatonDevice final : public Device {
 public:
  explicit AutomatonDevice(Nfa nfa) : nfa_(std::move(nfa)) {
    for (std::uint32_t s = 0; s < nfa_.states.size(); ++s)
      if (nfa_.states[s].initial) first_ = state_ = s;
    for (std::uint32_t s = 0; s < nfa_.states.size(); ++s) moves_ = std::max(moves_, silent(s).size());
  }

  static std::string id_of(const std::string& label) { return "org.automaton:id/e" + label; }
  static Event event_of(const std::string& label) {
    Tap tap;
    tap.target.id = id_of(label);
    tap.target.cls = "android.widget.Button";
    return tap;
  }

  DeviceInfo info() const override {
    DeviceInfo info;
    info.name = info.kind = "automaton";
    info.width = info.height = 1000;
    info.snapshots = info.virtual_time = true;
    return info;
  }
  Status start(const App&, Nonce) override {
    meter_ += costs_.restart;
    state_ = first_;
    return {};
  }
  Result<Observation> observe() override {
    Observation out;
    out.at = meter_;
    out.screen = screen();
    if (nfa_.states[state_].final) {
      Crash crash;
      crash.chain.push_back({Thrown::Role::top, "java.lang.IllegalStateException", "boom", {}, 0});
      crash.chain[0].frames.push_back({"org.automaton.Main.onClick", "Main.java", 1});
      out.crash = crash;
    }
    return out;
  }
  Status perform(const Action& action, Pace) override {
    meter_ += costs_.event;
    if (nfa_.states[state_].final) return {};
    if (const auto* press = std::get_if<Press>(&action); press != nullptr && press->key == key::back) move(0);
    if (const auto* touch = std::get_if<Touch>(&action)) {
      const Screen now = screen();
      if (const auto widget = widget_at(now, touch->at)) tap(now.widgets[*widget]);
    }
    return {};
  }
  Result<SnapshotId> save() override {
    meter_ += costs_.save;
    saved_[++last_] = state_;
    return last_;
  }
  Status restore(SnapshotId id, Nonce) override {
    meter_ += costs_.load;
    if (!saved_.contains(id)) return fail(Error::Kind::device, "no such snapshot");
    state_ = saved_.at(id);
    return {};
  }
  void forget(SnapshotId id) override { saved_.erase(id); }
  double meter() const override { return meter_; }

 private:
  static constexpr const char* names_[] = {"Back", "Close", "Later", "Dismiss"};

  std::vector<std::uint32_t> silent(std::uint32_t s) const {
    std::vector<std::uint32_t> out;
    for (const auto& t : nfa_.transitions)
      if (t.from == s && t.label.empty()) out.push_back(t.to);
    return out;
  }
  void move(std::size_t k) {
    if (const auto to = silent(state_); k < to.size()) state_ = to[k];
  }
  void tap(const Widget& w) {
    for (std::size_t k = 1; k < moves_; ++k)
      if (w.id.empty() && w.text == names_[k]) return move(k);
    for (const auto& t : nfa_.transitions)
      if (t.from == state_ && !t.label.empty() && id_of(t.label) == w.id) {
        state_ = t.to;
        return;
      }
  }
  Screen screen() const {
    Screen out;
    out.package = "org.automaton";
    out.activity = "Main";
    out.width = out.height = 1000;
    std::vector<std::int32_t> depths{0};
    Widget root;
    root.cls = "android.widget.FrameLayout";
    root.bounds = {0, 0, 1000, 1000};
    root.set(Flag::enabled);
    out.widgets.push_back(root);
    const auto add = [&](std::string id, std::string text) {
      Widget w;
      w.cls = "android.widget.Button";
      w.id = std::move(id), w.text = std::move(text);
      const auto top = static_cast<std::int32_t>(out.widgets.size()) * 20;
      w.bounds = {0, top, 1000, top + 18};
      w.set(Flag::clickable), w.set(Flag::enabled), w.set(Flag::visible);
      out.widgets.push_back(std::move(w));
      depths.push_back(1);
    };
    std::set<std::string> labels;
    for (const auto& t : nfa_.transitions)
      if (t.from == state_ && !t.label.empty()) labels.insert(t.label);
    for (const std::string& label : labels) add(id_of(label), "");
    for (std::size_t k = 1; k < moves_; ++k) add("", names_[k]);
    link_by_depth(out.widgets, depths);
    return out;
  }

  Nfa nfa_;
  std::uint32_t first_ = 0, state_ = 0;
  std::size_t moves_ = 0;
  Costs costs_;
  std::map<SnapshotId, std::uint32_t> saved_;
  SnapshotId last_ = 0;
  double meter_ = 0;
};

/// A shortest word that one of them accepts and the other does not; nothing: they are the same language.
inline std::optional<std::vector<std::string>> difference(const Nfa& a, const Nfa& b) {
  return norn::difference(a, b).value();
}

}  // namespace norn::testing
