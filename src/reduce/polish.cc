#include "reduce/polish.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "gui/target.h"

namespace norn {
namespace {

/// The event aimed at the widget under its point instead of at the point; nothing where there is none to aim
/// at.
std::optional<Event> aimed(const Event& event, const Screen& screen) {
  const auto at = [&]() -> std::optional<Point> {
    if (const auto* tap = std::get_if<Tap>(&event)) return tap->at;
    if (const auto* press = std::get_if<LongPress>(&event)) return press->at;
    return std::nullopt;
  }();
  const Target* target = target_of(event);
  if (!at || !target || !target->empty()) return std::nullopt;
  const auto widget = widget_at(screen, *at);
  if (!widget) return std::nullopt;
  Event lifted = event;
  *target_of(lifted) = make_target(screen, *widget);
  return lifted;
}

}  // namespace

bool Polisher::works(const std::vector<Event>& events) {
  if (stop_.stop_requested()) return false;
  Request request = like_;
  request.events = replay_.intern(events);
  return replay_.ask(request, stop_).verdict == Verdict::yes;
}

bool Polisher::make_plain(std::vector<Event>& events) {
  bool changed = lift(events);
  for (std::size_t i = 0; i < events.size(); ++i) {
    changed = shorten_wait(events, i) || changed;
    changed = shorten_text(events, i) || changed;
  }
  return changed;
}

/// All at once where that works, else one by one.
bool Polisher::lift(std::vector<Event>& events) {
  Request request = like_;
  request.events = replay_.intern(events);
  const auto way = replay_.likely_way(request);
  std::vector<Event> lifted = events;
  std::vector<std::size_t> places;
  for (std::size_t k = 1; k < way.size(); ++k) {
    const std::size_t i = way[k].second - 1;
    const Screen& before = replay_.history().screen(way[k - 1].first);
    if (auto event = aimed(events[i], before)) {
      lifted[i] = std::move(*event);
      places.push_back(i);
    }
  }
  if (places.empty()) return false;
  if (works(lifted)) {
    events = std::move(lifted);
    return true;
  }
  bool any = false;
  for (const std::size_t i : places) {
    std::vector<Event> one = events;
    one[i] = lifted[i];
    if (works(one)) events = std::move(one), any = true;
  }
  return any;
}

bool Polisher::shorten_wait(std::vector<Event>& events, std::size_t i) {
  const auto* wait = std::get_if<Wait>(&events[i]);
  if (!wait || wait->ms <= 1) return false;
  std::int32_t works_at = wait->ms, fails_at = 0;
  bool changed = false;
  while (works_at - fails_at > std::max(50, works_at / 10)) {  // a tenth is near enough
    const std::int32_t middle = fails_at + (works_at - fails_at) / 2;
    std::vector<Event> shorter = events;
    shorter[i] = Wait{middle};
    const bool ok = works(shorter);
    (ok ? works_at : fails_at) = middle;
    if (ok) events = std::move(shorter), changed = true;
    if (stop_.stop_requested()) break;
  }
  return changed;
}

bool Polisher::shorten_text(std::vector<Event>& events, std::size_t i) {
  const auto* type = std::get_if<Type>(&events[i]);
  if (!type || type->text.size() <= 1) return false;
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("1"), first_characters(type->text, 1)}) {
    if (text.size() >= type->text.size()) continue;
    std::vector<Event> shorter = events;
    std::get<Type>(shorter[i]).text = text;
    if (!works(shorter)) continue;
    events = std::move(shorter);
    return true;
  }
  return false;
}

Polisher::Seen Polisher::sample(const std::vector<Event>& events, std::uint32_t runs, std::uint32_t first) {
  constexpr std::uint32_t apart =
      1U << 20;  // a certificate of the same events must not repeat what it was chosen by
  Request request = like_;
  request.events = replay_.intern(events);
  request.sure = Sure::certified;
  request.repeats = runs;
  request.first_repeat = apart + first;
  const Outcome seen = replay_.ask(request, stop_);
  return {seen.yes.all(), seen.yes.all() + seen.no.all()};
}

/// Fisher's exact test, one-sided: the chance that so many or more of all the yes fall to `after`, if both
/// have one rate.
double Polisher::by_chance(Seen before, Seen after) {
  const std::uint32_t yes = before.yes + after.yes, all = before.all + after.all;
  const auto choose = [](std::uint32_t n, std::uint32_t k) {
    return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
  };
  double sum = 0;
  for (std::uint32_t k = after.yes; k <= std::min(yes, after.all); ++k)
    if (yes - k <= before.all)
      sum += std::exp(choose(after.all, k) + choose(before.all, yes - k) - choose(all, yes));
  return sum;
}

Amplified Polisher::amplify(std::vector<Event>& events, std::uint32_t runs) {
  constexpr double sure = 0.99;
  Amplified out;
  Seen best = sample(events, 2 * runs, 0);
  out.before = best.rate();
  for (std::size_t i = events.size(); i > 0 && best.rate() < loud_enough; --i) {
    for (const std::int32_t ms : {500, 1500, 4000}) {
      if (stop_.stop_requested()) return out;
      std::vector<Event> waiting = events;
      waiting.insert(waiting.begin() + static_cast<std::ptrdiff_t>(i - 1), Wait{ms});
      ++out.tried;
      const Seen looks = sample(waiting, runs, 0);
      if (looks.all == 0 || rate_at_least(looks.yes, looks.all, sure) <= best.rate()) continue;
      const Seen is = sample(waiting, 2 * runs, runs);  // many are tried, one looks good by chance
      if (by_chance(best, is) > 1 - sure) continue;
      best = is;
      events = std::move(waiting);
      ++out.waits;
      break;
    }
  }
  return out;
}

}  // namespace norn
