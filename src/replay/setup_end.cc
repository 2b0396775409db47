#include "replay/setup_end.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "trace/volatile.h"

namespace norn {
namespace {

constexpr std::size_t most_ends = 8;  ///< kept to see what changes by itself

/// What a person would call the screen: its activity and its first texts, never what a field holds.
std::string in_words(const Screen& screen) {
  constexpr std::size_t most_texts = 4;
  if (screen.kind == Screen::Kind::nothing) return "no window";
  std::string words = screen.package + (screen.activity.empty() ? "" : " " + screen.activity), texts;
  std::size_t told = 0;
  for (const Widget& w : screen.widgets) {
    if (w.text.empty() || w.is(Flag::editable) || w.is(Flag::password)) continue;
    texts += (told == 0 ? "" : ", ") + quoted(w.text, 40);
    if (++told == most_texts) break;
  }
  if (words.empty()) words = "a screen without a name";
  return printable(words) + (texts.empty() ? "" : " (" + texts + ")");
}

StateId activity_of(const Screen& screen) {
  Screen place;
  place.package = screen.package, place.activity = screen.activity;
  return abstract(place, Abstraction::activity);
}

std::set<std::string_view> ids_on(const Screen& screen) {
  std::set<std::string_view> out;
  for (const Widget& w : screen.widgets)
    if (!w.id.empty()) out.insert(w.id);
  return out;
}

/// The same activity, and at least half of the ids on either are on both: what the page lists, and whether it
/// lists anything, may be another matter every day.
bool is_same_page(const Screen& a, const Screen& b) {
  if (a.kind != b.kind || activity_of(a) != activity_of(b)) return false;
  const auto x = ids_on(a), y = ids_on(b);
  const auto both = std::ranges::count_if(x, [&](std::string_view id) { return y.contains(id); });
  return both > 0 && 2 * both >= std::max(std::ssize(x), std::ssize(y));
}

}  // namespace

SetupEnd::SetupEnd(std::optional<Screen> recorded) {
  if (!recorded) return;
  const bool away = recorded->kind == Screen::Kind::outside || recorded->kind == Screen::Kind::nothing;
  if (away || !recorded->activity.empty() || !recorded->widgets.empty())
    ends_.push_back(*std::move(recorded));
}

Status SetupEnd::check(const Screen& seen, const Mask& mask) {
  if (ends_.empty() || equal(seen, mask)) return {};
  if (ends_.size() < most_ends) ends_.push_back(seen);
  if (equal(seen, mask)) return {};
  return fail(Error::Kind::device,
              "the set-up does not end where it was recorded: " + in_words(seen) + " is in front, it was " +
                  in_words(ends_.front()),
              {}, "record the set-up again with norn record");
}

bool SetupEnd::equal(const Screen& seen, const Mask& mask) const {
  const Screen& recorded = ends_.front();
  if (recorded.widgets.empty() && !recorded.activity.empty())
    return seen.kind == Screen::Kind::app && activity_of(seen) == activity_of(recorded);
  if (is_same_page(recorded, seen)) return true;
  Mask wider = mask;
  wider.places.merge(volatile_places(ends_));
  return masked_structure(seen, wider) == masked_structure(recorded, wider);
}

}  // namespace norn
