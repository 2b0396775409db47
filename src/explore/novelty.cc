#include "explore/novelty.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace norn {
namespace {

constexpr double new_kind = 10, new_slot = 4, least = 0.3, most = 3, learning_rate = 0.4;
constexpr int backups = 24;  ///< places looked at per event

}  // namespace

double prior_of(const Event& event) {
  struct Prior {
    double operator()(const Tap&) const { return 1; }
    double operator()(const LongPress&) const { return 0.8; }
    double operator()(const Swipe&) const { return 0.4; }
    double operator()(const Drag&) const { return 0.4; }
    double operator()(const Pinch&) const { return 0.4; }
    double operator()(const Type&) const { return 0.9; }
    double operator()(const Key& e) const { return e.code == key::menu ? 0.6 : 0.35; }
    double operator()(const Launch&) const { return 0.2; }
    double operator()(const Rotate&) const { return 0.35; }
    double operator()(const System& e) const { return e.name == "kill" ? 0.2 : 0.12; }
    double operator()(const Wait&) const { return 0.12; }
    double operator()(const Raw&) const { return 0; }
  };
  return std::visit(Prior{}, event);
}

Novelty::Place Novelty::place_of(const Screen& screen, const std::vector<Possible>& possible) {
  std::vector<std::uint64_t> types;
  types.reserve(possible.size());
  for (const Possible& p : possible)
    if (p.widget >= 0) types.push_back(p.type);
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  Hasher h;
  h.add(static_cast<std::uint64_t>(screen.kind)).add(screen.package).add(screen.activity).add(types.size());
  for (const std::uint64_t t : types) h.add(t);
  const auto [at, fresh] = index_.try_emplace(h.finish(), static_cast<Place>(places_.size()));
  if (fresh) {
    places_.emplace_back();
    places_.back().outside = screen.kind != Screen::Kind::app;
    for (const Possible& p : possible) (void)slot(at->second, p.type, prior_of(p.event));
    back_up(at->second);
  }
  ++places_[at->second].visits;
  return at->second;
}

const Novelty::Slot* Novelty::find(Place place, std::uint64_t type) const {
  if (place >= places_.size()) return nullptr;
  const auto& slots = places_[place].slots;
  const auto at = std::lower_bound(slots.begin(), slots.end(), type,
                                   [](const Slot& s, std::uint64_t t) { return s.type < t; });
  return at != slots.end() && at->type == type ? &*at : nullptr;
}

Novelty::Slot& Novelty::slot(Place place, std::uint64_t type, double prior) {
  auto& slots = places_[place].slots;
  auto at = std::lower_bound(slots.begin(), slots.end(), type,
                             [](const Slot& s, std::uint64_t t) { return s.type < t; });
  if (at != slots.end() && at->type == type) return *at;
  const auto [kind, fresh] = kind_of_.try_emplace(type, static_cast<std::uint32_t>(kinds_.size()));
  if (fresh) kinds_.emplace_back();
  return *slots.insert(at, {.type = type, .prior = prior, .kind = kind->second});
}

std::size_t Novelty::untried(Place place) const {
  const auto& slots = places_[place].slots;
  return static_cast<std::size_t>(
      std::count_if(slots.begin(), slots.end(), [](const Slot& s) { return s.tries == 0; }));
}

std::uint32_t Novelty::tries(Place place, std::uint64_t type) const {
  const Slot* s = find(place, type);
  return s ? s->tries : 0;
}

double Novelty::learn(Place from, std::uint64_t type, const Result& result) {
  Slot& s = slot(from, type, 0.5);
  Kind& kind = kinds_[s.kind];
  double reward = result.gained > 0 ? 1 + std::log1p(static_cast<double>(result.gained)) : 0;
  if (first(type, result.behaviour)) reward += 0.3;
  if (result.to != nowhere && places_[result.to].visits <= 1) reward += 1;
  s.gain += learning_rate * (reward - s.gain);
  kind.gain += learning_rate * (reward - kind.gain);
  if (s.leads_to == result.to) ++s.as_expected;
  s.leads_to = result.to;
  ++s.tries, ++kind.tries;
  s.crashes += result.crashed ? 1 : 0;
  return reward;
}

double Novelty::worth(const Slot& s) const {
  if (!enabled_) return s.prior;
  const Kind& kind = kinds_[s.kind];
  double v = least + std::min(most, s.gain + 0.5 * kind.gain);
  if (s.tries == 0) v = kind.tries == 0 ? new_kind : new_slot;
  if (s.crashes > 0) v *= 0.02;
  if (s.leads_to != nowhere && places_[s.leads_to].outside) v *= 0.1;
  return v * s.prior;
}

double Novelty::worth(Place place, std::uint64_t type, double prior) const {
  if (const Slot* s = find(place, type)) return worth(*s);
  return new_slot * prior;
}

double Novelty::beyond(Place place, std::uint64_t type) const {
  const Slot* s = find(place, type);
  return s ? beyond(place, *s) : 0;
}

double Novelty::beyond(Place place, const Slot& s) const {
  if (s.leads_to == nowhere || s.leads_to == place || places_[s.leads_to].outside) return 0;
  const double sure = (1.0 + s.as_expected) / (1.0 + s.tries);
  return discount * sure * places_[s.leads_to].value;
}

void Novelty::back_up(Place place) {
  Known& known = places_[place];
  double best = 0;
  if (!known.outside)
    for (const Slot& s : known.slots) best = std::max({best, worth(s), beyond(place, s)});
  known.value = best;
}

void Novelty::improve(Place here) {
  back_up(here);
  for (int i = 0; i < backups && i < static_cast<int>(places_.size()); ++i) {
    turn_ = turn_ == 0 ? static_cast<Place>(places_.size() - 1) : turn_ - 1;
    if (turn_ >= places_.size()) turn_ = static_cast<Place>(places_.size() - 1);
    back_up(turn_);
  }
}

}  // namespace norn
