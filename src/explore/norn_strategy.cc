// norn's own strategy: widgets instead of coordinates, and always what is newest for its price in device
// seconds.
//
//   1. Every event is chosen by worth (novelty.h), with much luck: never done at all, never done in this
//      place, never on this very widget; or because it leads to a place where such things wait.
//   2. Forms are filled before they are sent; texts fit the field, come from the app itself, or hurt (texts.h).
//   3. Rotation, process death, waiting and the network are events like others, tried once per activity and
//      then as often as they pay.
//   4. When a session has run its length, or crashed, it goes to the start (saved once, since loading is
//      cheaper than starting) or to the best of the saved states: deep places with much left to try, pinned
//      while saving has cost less than a twentieth of the time. A session is not left early for a saved state
//      that promises more: bugs hide behind long histories.
//   5. A fresh session often begins with fragments that brought something before, one after another in an
//      order not tried yet: bugs hide where two features meet.
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "base/hash.h"
#include "explore/explore.h"
#include "explore/novelty.h"
#include "explore/texts.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t fragment_length = 5, most_fragments = 8;
constexpr std::uint32_t deep = 8;  ///< events from the start: nearer states are not worth a snapshot
constexpr double save_share = 0.05, save_guess = 4;
constexpr int patience_outside = 3;
constexpr double luck = 0.6;  ///< how far chance may raise or lower the worth of an event

class Norn final : public Strategy {
 public:
  explicit Norn(StrategyContext& context)
      : context_(context),
        options_(context.options.norn),
        rng_(context.options.seed),
        texts_(context.options.texts, context.options.seed),
        novelty_(options_.novelty) {
    if (options_.snapshots && context_.replay.keep(root())) saved_.push_back({root(), Novelty::nowhere});
    begin_session();
    remember(context_.replay.history());
  }
  /// What is asked after the exploration wants snapshots elsewhere.
  ~Norn() override {
    for (const Saved& saved : saved_) context_.replay.release(saved.node);
  }
  Norn(const Norn&) = delete;
  Norn& operator=(const Norn&) = delete;

  void saw(const Situation& now) override {
    look(now);
    if (acted_) learn(now);
    if (options_.snapshots && !now.outside()) consider_saving(now);
  }

  Decision next(const Situation& now) override {
    if (now.crashed) {
      if (acted_) learn_crash();
      return jump("crash");
    }
    if (!now.event) arrived(now);
    novelty_.improve(here_);
    if (now.outside()) return come_back();
    outside_ = 0;
    if (auto event = queued(now.screen())) return act(std::move(*event));
    if (session_ >= session_limit_) return jump("session over");
    const std::size_t best = choose();
    if (best == possible_.size()) return act({Key{key::back}, -1, 0});
    return act(dressed(now, possible_[best]));
  }

 private:
  struct Acted {
    Novelty::Place place;
    Possible what;
  };
  struct Fragment {
    std::vector<Possible> events;
    std::uint32_t uses = 0;
    std::uint64_t key = 0;
  };
  struct Saved {
    NodeId node;
    Novelty::Place place;
    std::uint32_t uses = 0;
  };

  NodeId root() const { return context_.replay.history().root(); }

  // ---- what is seen ----

  void look(const Situation& now) {
    possible_ = offered(now.screen(), now.seen.settled);
    here_ = novelty_.place_of(now.screen(), possible_);
    screen_hash_ = now.history.key(now.node);
    texts_.learn(now.screen());
  }

  /// The screen's events, and what the system and time can do.
  std::vector<Possible> offered(const Screen& screen, bool settled) const {
    auto out = context_.possible(screen, {.shade = options_.system && !context_.options.stay});
    if (screen.kind != Screen::Kind::app || !options_.system) return out;
    const auto add = [&](Event event, std::string_view name) {
      out.push_back({std::move(event), -1, Hasher().add(screen.activity).add(name).finish()});
    };
    add(Wait{settled ? 2500 : 5000}, settled ? "wait" : "wait, unsettled");
    if (!context_.options.system_events) return out;
    if (!context_.options.stay) add(System{"kill", {}}, "kill");
    add(System{online_ ? "network-off" : "network-on", {}}, "network");
    return out;
  }

  // ---- what earlier runs saw ----

  /// Every step in the tree counts as tried: a second exploration goes on where the first one stopped.
  void remember(const History& tree) {
    std::unordered_map<std::uint32_t, Novelty::Place> places;  // by screen
    std::unordered_map<std::uint64_t, std::uint64_t> types;    // (place, event without text) -> type
    const auto place_of = [&](NodeId node) {
      const ScreenId id = tree.samples(node).front().screen;
      if (const auto at = places.find(id.value); at != places.end()) return at->second;
      const Screen screen = tree.copy_screen(id);
      const auto possible = offered(screen, true);
      texts_.learn(screen);
      const Novelty::Place place = novelty_.place_of(screen, possible);
      for (const Possible& p : possible) types[Hasher().add(place).add(textless(p.event)).finish()] = p.type;
      return places[id.value] = place;
    };
    for (std::uint32_t i = 1; i < tree.size(); ++i) {
      const NodeId node{i}, parent = tree.parent(node);
      const Novelty::Place from = place_of(parent);
      const Event& event = tree.event(tree.event_id(node));
      const auto type = types.find(Hasher().add(from).add(textless(event)).finish());
      if (type == types.end()) continue;
      Novelty::Result result;
      result.crashed = tree.crash(node) != nullptr;
      if (!result.crashed) result.to = place_of(node);
      result.behaviour = tree.hit(node).hash();
      novelty_.learn(from, type->second, result);
      novelty_.first(tree.key(parent), event_key(event));
    }
  }
  static EventKey textless(Event event) {
    if (auto* type = std::get_if<Type>(&event)) type->text.clear();
    return event_key(event);
  }

  void arrived(const Situation& now) {
    begin_session();
    look(now);
    for (Saved& s : saved_)
      if (s.node == now.node && s.place == Novelty::nowhere) s.place = here_;
    queue_.clear();
    if (options_.recombination && !starts_.empty() && rng_.chance(0.4)) replay_fragment(starts_);
  }

  void begin_session() {
    session_ = 0;
    session_limit_ = std::uint32_t{50} << rng_.below(3);
    done_.clear();
    acted_.reset();
    online_ = true;
    outside_ = 0;
  }

  void learn(const Situation& now) {
    Novelty::Result result;
    result.to = here_;
    result.gained = now.gained;
    result.behaviour = now.seen.hit.hash();
    const double reward = novelty_.learn(acted_->place, acted_->what.type, result);
    if (reward >= 1 && options_.recombination) remember_fragment();
    if (const auto* system = std::get_if<System>(&acted_->what.event))
      online_ = system->name == "network-off" ? false : system->name == "network-on" || online_;
  }

  void learn_crash() {
    Novelty::Result result;
    result.crashed = true;
    novelty_.learn(acted_->place, acted_->what.type, result);
  }

  // ---- what to do ----

  /// The most worthwhile event here, with some luck.
  std::size_t choose() {
    std::size_t best = possible_.size();
    double most = -1;
    for (std::size_t i = 0; i < possible_.size(); ++i) {
      const Possible& p = possible_[i];
      const double prior = prior_of(p.event);
      const double own = novelty_.worth(here_, p.type, prior) + particular(p, prior);
      const double behind = options_.navigation ? novelty_.beyond(here_, p.type) : 0;
      const double q = std::max(own, behind) * (1 + luck * (2 * rng_.unit() - 1));
      if (q > most) most = q, best = i;
    }
    return best;
  }

  /// What is new about this widget on this very screen.
  double particular(const Possible& p, double prior) const {
    if (!options_.novelty) return 0;
    const std::uint64_t key = event_key(p.event);
    if (novelty_.known(screen_hash_, key)) return std::holds_alternative<Type>(p.event) ? 0.2 * prior : 0;
    const double on_widget =
        novelty_.known(p.type, key) ? 0 : 0.8 / (1 + 0.2 * novelty_.tries(here_, p.type));
    return (0.5 + on_widget) * prior;
  }

  /// What a saved state promises; less each time it was gone to.
  double value_of(const Saved& s) const {
    if (s.place == Novelty::nowhere) return 0;
    return novelty_.value(s.place) / (1 + 0.2 * s.uses / (s.node == root() ? 10.0 : 1.0));
  }

  Decision jump(std::string why) {
    acted_.reset();
    queue_.clear();
    if (saved_.empty()) return {Restart{}, std::move(why)};
    std::size_t best = 0;
    for (std::size_t i = 1; i < saved_.size(); ++i)
      if (value_of(saved_[i]) > value_of(saved_[best])) best = i;
    if (rng_.chance(0.5)) best = 0;  // clean data are worth something by themselves
    ++saved_[best].uses;
    return {GoTo{saved_[best].node}, std::move(why)};
  }

  Decision act(Possible what) {
    const std::uint64_t key = event_key(what.event);
    novelty_.first(screen_hash_, key);
    novelty_.first(what.type, key);
    ++session_;
    acted_ = Acted{here_, what};
    done_.emplace_back(here_, what);
    return {Do{std::move(what.event)}};
  }

  /// Texts filled in; a button of a form waits until its empty fields are filled.
  Possible dressed(const Situation& now, Possible chosen) {
    texts_.fill(chosen, now.screen());
    if (!options_.forms || !std::holds_alternative<Tap>(chosen.event) || !rng_.chance(0.4)) return chosen;
    std::deque<Possible> fields;
    for (const Possible& p : possible_) {
      if (!std::holds_alternative<Type>(p.event)) continue;
      if (!now.screen().widgets[static_cast<std::size_t>(p.widget)].text.empty()) continue;
      fields.push_back(p);
      texts_.fill(fields.back(), now.screen());
    }
    if (fields.empty()) return chosen;
    fields.push_back(std::move(chosen));
    Possible first = std::move(fields.front());
    fields.pop_front();
    queue_ = std::move(fields);
    return first;
  }

  std::optional<Possible> queued(const Screen& screen) {
    while (!queue_.empty()) {
      Possible p = std::move(queue_.front());
      queue_.pop_front();
      const Target* target = target_of(p.event);
      if (!target || target->empty() || std::holds_alternative<Found>(resolve(*target, screen))) return p;
      queue_.clear();
    }
    if (!options_.recombination || !rng_.chance(0.06)) return std::nullopt;
    if (const auto at = fragments_.find(here_); at != fragments_.end()) replay_fragment(at->second);
    if (queue_.empty()) return std::nullopt;
    Possible p = std::move(queue_.front());
    queue_.pop_front();
    return p;
  }

  /// Outside: what is offered there may be what the app waits for (a picker); then back, then by force.
  Decision come_back() {
    queue_.clear();
    if (++outside_ >= patience_outside || context_.options.stay) return act({Launch{}, -1, 1});
    std::vector<std::size_t> fresh;
    for (std::size_t i = 0; i < possible_.size(); ++i)
      if (possible_[i].widget >= 0 && std::holds_alternative<Tap>(possible_[i].event) &&
          novelty_.tries(here_, possible_[i].type) < 2)
        fresh.push_back(i);
    if (!fresh.empty() && outside_ == 1) return act(possible_[fresh[rng_.below(fresh.size())]]);
    return act(outside_ == 1 ? Possible{Key{key::back}, -1, 2} : Possible{Launch{}, -1, 1});
  }

  // ---- fragments ----

  /// The last events, which brought something: for the place they began in; and the whole session, while it
  /// is short.
  void remember_fragment() {
    const std::size_t take = std::min(done_.size(), fragment_length);
    if (take < 2) return;
    keep(fragments_[done_[done_.size() - take].first], done_.size() - take);
    if (done_.size() <= 2 * fragment_length) keep(starts_, 0);
  }
  void keep(std::vector<Fragment>& into, std::size_t from) {
    Fragment f;
    Hasher h;
    for (std::size_t i = from; i < done_.size(); ++i) {
      f.events.push_back(done_[i].second);
      h.add(done_[i].second.type);
    }
    f.key = h.finish();
    for (const Fragment& old : into)
      if (old.key == f.key) return;
    const std::size_t most = &into == &starts_ ? 5 * most_fragments : most_fragments;
    if (into.size() >= most)
      into.erase(std::max_element(into.begin(), into.end(),
                                  [](const Fragment& a, const Fragment& b) { return a.uses < b.uses; }));
    into.push_back(std::move(f));
  }
  void replay_fragment(std::vector<Fragment>& from) {
    if (from.empty()) return;
    auto least = std::min_element(from.begin(), from.end(),
                                  [](const Fragment& a, const Fragment& b) { return a.uses < b.uses; });
    if (rng_.chance(0.5)) least = from.begin() + static_cast<std::ptrdiff_t>(rng_.below(from.size()));
    ++least->uses;
    queue_.assign(least->events.begin(), least->events.end());
  }

  // ---- snapshots ----

  /// Pins the node where the walk stands if much is left to try here and the way is long.
  void consider_saving(const Situation& now) {
    if (novelty_.visits(here_) > 1 || now.history.depth(now.node) < deep || novelty_.untried(here_) < 6)
      return;
    if (saving_ + save_guess > save_share * now.seconds) return;
    if (!context_.replay.keep(now.node)) {
      if (saved_.size() < 2) return;
      const auto least =
          std::min_element(saved_.begin() + 1, saved_.end(),
                           [&](const Saved& a, const Saved& b) { return value_of(a) < value_of(b); });
      context_.replay.release(least->node);
      saved_.erase(least);
      if (!context_.replay.keep(now.node)) return;
    }
    saving_ += save_guess;
    saved_.push_back({now.node, here_});
  }

  StrategyContext& context_;
  NornOptions options_;
  Rng rng_;
  Texts texts_;
  Novelty novelty_;
  std::vector<Possible> possible_;
  Novelty::Place here_ = Novelty::nowhere;
  std::uint64_t screen_hash_ = 0;
  std::optional<Acted> acted_;
  std::vector<std::pair<Novelty::Place, Possible>> done_;  ///< of this session
  std::deque<Possible> queue_;
  std::unordered_map<Novelty::Place, std::vector<Fragment>> fragments_;
  std::vector<Fragment> starts_;
  std::vector<Saved> saved_;
  double saving_ = 0;
  std::uint32_t session_ = 0, session_limit_ = 40;
  int outside_ = 0;
  bool online_ = true;
};

}  // namespace

std::unique_ptr<Strategy> make_norn(StrategyContext& context) { return std::make_unique<Norn>(context); }

}  // namespace norn
