// Is a drawing right? The device says so, and nothing of the learner is used: words of the drawing's labels
// are run in every way there is, with each row that a label may mean and with any moves (Back, relaunch, Up,
// tabs, what dismisses a dialog) between them. A word is the bug's if one of these runs crashes as the bug
// does.
//
// Which words: all short ones, and those of the W-method for the drawing's own states: a way to a state, up
// to two more labels, a way to the crash from any state (of large drawings from some of them). Words share
// their beginnings, so they are walked as a tree; a branch ends where no run can go on.
#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "device/open.h"
#include "diagnose/analysis.h"
#include "diagnose/events.h"
#include "gui/difference.h"
#include "gui/target.h"
#include "replay/lowering.h"

namespace norn::testing {

using LabelWord = std::vector<Label>;

struct BruteOptions {
  std::size_t all_to = 4;        ///< every word up to this length
  std::size_t between = 2;       ///< labels between a way to a state and a way to the crash
  std::size_t states = 100;      ///< of the drawing's smallest deterministic form; of a larger one so many
  std::size_t rows = 4;          ///< of one list
  std::size_t situations = 200;  ///< kept for one word
  std::size_t events = 300'000;  ///< performed at most
};

struct BruteResult {
  std::size_t words = 0, crash = 0, events = 0;
  std::size_t undecided = 0;       ///< accepted, no way tried crashes, and not all ways could be tried
  bool whole = true;               ///< nothing was left out for want of events
  std::vector<LabelWord> lacking;  ///< crash, and the drawing rejects them; the shortest first
  std::vector<LabelWord> wrong;    ///< accepted, and no way of theirs crashes
};

class Brute {
 public:
  Brute(const Bug& bug, const EventFile& events, std::vector<Event> own, OpenedDevice& on,
        const BruteOptions& options)
      : bug_(bug),
        events_(events),
        own_(std::move(own)),
        on_(on),
        options_(options),
        alphabet_(bug.dfa.labels) {}

  Result<BruteResult> run() {
    plan();
    NORN_CHECK(see_own_crash());
    NORN_CHECK(on_.device->start(on_.app, 1));
    NORN_TRY(const Observation seen, on_.device->observe());
    std::vector<Situation> start(1);
    NORN_TRY(start[0].snapshot, on_.device->save());
    start[0].screen = seen.screen, start[0].key = content_hash(seen.screen);
    bool crash = false;
    NORN_CHECK(close(start, crash));
    NORN_CHECK(walk({}, start, false));
    const auto shorter = [](const LabelWord& a, const LabelWord& b) {
      return std::pair(a.size(), a) < std::pair(b.size(), b);
    };
    std::ranges::sort(out_.lacking, shorter), std::ranges::sort(out_.wrong, shorter);
    return std::move(out_);
  }

 private:
  struct Situation {
    SnapshotId snapshot = 0;
    Screen screen;
    std::uint64_t key = 0;   ///< of the screen
    std::uint64_t done = 0;  ///< the pivot events performed, as they were
  };
  struct Choice {
    Event event;
    std::optional<Label> label;  ///< none: a move
  };
  struct Seen {
    bool crash = false, other_end = false;
    Screen screen;
  };

  /// How the bug crashes: its own trace shows it.
  Status see_own_crash() {
    NORN_CHECK(on_.device->start(on_.app, 1));
    NORN_TRY(Observation seen, on_.device->observe());
    for (const Event& event : own_) {
      const auto lowered = lower(event, seen.screen, Missing::stop);
      if (!lowered) break;
      NORN_CHECK(on_.device->perform(lowered->action, Pace{}));
      NORN_TRY(seen, on_.device->observe());
    }
    if (!seen.crash) return fail(Error::Kind::bad_input, "the bug's own trace does not crash");
    wanted_ = signature(*seen.crash, Sameness::frames);
    return {};
  }

  // ---- which words ----

  void plan() {
    const Dfa dfa = minimise(bug_.dfa);
    std::vector<LabelWord> to, from, middle{{}};
    for (DfaState s = 1; s < dfa.size() && s <= options_.states; ++s) {
      if (auto word = shortest_word_to(dfa, s)) to.push_back(*word);
      if (auto word = shortest_word(dfa, s)) from.push_back(*word);
    }
    std::ranges::sort(from);
    from.erase(std::ranges::unique(from).begin(), from.end());
    for (std::size_t k = 0, first = 0; k < options_.between; ++k)
      for (const std::size_t end = middle.size(); first < end; ++first)
        for (const Label a : dfa.each_label()) {
          middle.push_back(middle[first]);
          middle.back().push_back(a);
        }
    for (const auto& a : to)
      for (const auto& b : middle)
        for (const auto& c : from) {
          LabelWord word = a;
          word.insert(word.end(), b.begin(), b.end());
          word.insert(word.end(), c.begin(), c.end());
          for (std::size_t n = 1; n <= word.size(); ++n)
            planned_.insert(LabelWord(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(n)));
        }
  }
  bool is_planned(const LabelWord& word) const {
    return word.size() <= options_.all_to || planned_.contains(word);
  }

  // ---- the tree of words ----

  Status walk(const LabelWord& word, std::vector<Situation>& here, bool cut) {
    for (const Label a : bug_.dfa.each_label()) {
      LabelWord next = word;
      next.push_back(a);
      if (!is_planned(next)) continue;
      bool crash = false;
      NORN_TRY(std::vector<Situation> there, step(here, a, crash));
      NORN_CHECK(close(there, crash));
      const bool some_left_out = cut || there.size() >= options_.situations;
      judge(next, crash, some_left_out);
      if (!there.empty() && next.size() < 40) NORN_CHECK(walk(next, there, some_left_out));
      for (const Situation& s : there) on_.device->forget(s.snapshot);
      if (out_.events > options_.events) return out_.whole = false, Status();
    }
    return {};
  }

  void judge(const LabelWord& word, bool crash, bool cut) {
    ++out_.words, out_.crash += crash;
    if (crash == bug_.dfa.accepts(word)) return;
    if (!crash && cut) return void(++out_.undecided);
    (crash ? out_.lacking : out_.wrong).push_back(word);
  }

  /// Every way to do this label in one of the situations.
  Result<std::vector<Situation>> step(const std::vector<Situation>& here, Label label, bool& crash) {
    std::vector<Situation> out;
    for (const Situation& s : here)
      for (const Choice& choice : choices(s)) {
        if (choice.label != label) continue;
        NORN_CHECK(add(s, choice, out, crash));
      }
    return out;
  }

  /// With any moves after them.
  Status close(std::vector<Situation>& here, bool& crash) {
    for (std::size_t i = 0; i < here.size() && here.size() < options_.situations; ++i)
      for (const Choice& choice : std::vector<Choice>(choices(here[i])))
        if (!choice.label) NORN_CHECK(add(Situation(here[i]), choice, here, crash));
    return {};
  }

  Status add(const Situation& from, const Choice& choice, std::vector<Situation>& out, bool& crash) {
    NORN_TRY(Seen seen, perform(from, choice.event));
    crash = crash || seen.crash;
    if (seen.crash || seen.other_end || out.size() >= options_.situations) return {};
    Situation next;
    next.done = choice.label ? Hasher().add(from.done).add(event_key(choice.event)).finish() : from.done;
    next.key = content_hash(seen.screen);
    for (const Situation& s : out)
      if (s.done == next.done && s.key == next.key) return {};
    NORN_TRY(next.snapshot, on_.device->save());
    next.screen = std::move(seen.screen);
    out.push_back(std::move(next));
    return {};
  }

  Result<Seen> perform(const Situation& from, const Event& event) {
    ++out_.events;
    const auto lowered = lower(event, from.screen, Missing::stop);
    if (!lowered) return Seen{false, true, {}};
    NORN_CHECK(on_.device->restore(from.snapshot, 0));
    NORN_CHECK(on_.device->perform(lowered->action, Pace{}));
    NORN_TRY(Observation after, on_.device->observe());
    if (after.crash) return Seen{signature(*after.crash, Sameness::frames) == wanted_, true, {}};
    return Seen{false, false, std::move(after.screen)};
  }

  // ---- what can be done on a screen ----

  const std::vector<Choice>& choices(const Situation& here) {
    const auto [at, fresh] = known_.try_emplace(here.key);
    if (!fresh) return at->second;
    const Screen& screen = here.screen;
    std::vector<Event> all{Key{key::back}, Key{key::menu}, Launch{}};
    std::map<std::string, std::size_t> rows;
    std::set<std::size_t> moves;
    for (std::size_t w = 0; w < screen.widgets.size(); ++w) {
      const Widget& widget = screen.widgets[w];
      const std::uint8_t can = accepted_by(widget);
      if (can == 0 || (!widget.id.empty() && rows[widget.id]++ >= options_.rows)) continue;
      const Target target = make_target(screen, w);
      const Point point = widget.bounds.center();
      if (is_move(screen, widget)) moves.insert(all.size());
      if (can & accepts_tap) all.emplace_back(Tap{target, point});
      if (can & accepts_long) all.emplace_back(LongPress{target, point});
      if (can & accepts_text)
        for (const std::string& text : texts(target)) all.emplace_back(Type{target, point, text});
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto label = label_of(all[i], screen);
      if (label || i == 0 || i == 2 || moves.contains(i)) at->second.push_back({all[i], label});
    }
    return at->second;
  }

  /// What the bug's trace types there, and a word and a number that it does not.
  std::set<std::string> texts(const Target& target) const {
    std::set<std::string> out{"norn", "41"};
    for (const Event& event : own_)
      if (const auto* typed = std::get_if<Type>(&event); typed != nullptr && typed->target.id == target.id)
        out.insert(typed->text);
    return out;
  }

  static bool is_move(const Screen& screen, const Widget& widget) {
    const auto is_tab = [](const Widget& w) { return w.cls.find("Tab") != std::string::npos; };
    return widget.desc == "Navigate up" || widget.text == "Cancel" || widget.text == "Close" ||
           widget.id == "android:id/button2" || widget.id == "android:id/button3" || is_tab(widget) ||
           (widget.parent >= 0 && is_tab(screen.widgets[static_cast<std::size_t>(widget.parent)]));
  }

  std::optional<Label> label_of(const Event& event, const Screen& screen) const {
    Trace one;
    one.start.emplace().screen = screen;
    one.steps.push_back({event, {}});
    std::optional<Label> out;
    label_trace(one, alphabet_, events_, [&](const LabelBatch& batch) {
      for (const Label code : batch.codes)
        if (code < bug_.labels()) out = code;
    });
    return out;
  }

  const Bug& bug_;
  const EventFile& events_;
  std::vector<Event> own_;
  OpenedDevice& on_;
  BruteOptions options_;
  Alphabet alphabet_;
  std::uint64_t wanted_ = 0;
  std::set<LabelWord> planned_;
  std::map<std::uint64_t, std::vector<Choice>> known_;
  BruteResult out_;
};

}  // namespace norn::testing
