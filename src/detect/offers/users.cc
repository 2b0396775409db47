#include "detect/offers/users.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/row_actions.h"
#include "gui/difference.h"
#include "gui/popup.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

// Weights of what to do next, relative to a button that was never touched on this page.
constexpr double fill_empty = 3, change_filled = 0.7,
                 leave_form = 3;  ///< forms get filled in, then left by one of their buttons
constexpr double search = 0.5,
                 stop_search = 1.5;  ///< a field beside a list: used at times, and emptied again
constexpr double touch_row = 1.5, touch_fresh_row = 4, press_row = 1,
                 press_fresh_row = 1;  ///< what was just made is looked at
constexpr double swipe_row = 0.15;     ///< few lists take it
constexpr double go_back = 0.4, close_keyboard = 1;
constexpr double leave_home = 0.3;        ///< the page a walk is about is left backwards seldom
constexpr double numbers_share = 0.3;     ///< of the texts for fields that take any
constexpr double known_share = 0.6;       ///< beside a list: a part of what it shows, as for a search
constexpr double code_share = 0.15;       ///< of the texts: a code that some screen showed
constexpr double asked_code_share = 0.5;  ///< for a field that calls itself one for a code
constexpr double open_again = 4;       ///< a form that was just left by one of its buttons: did it keep it?
constexpr double time_share = 0.3;     ///< of the texts for an empty field beside a time
constexpr double large_times = 0.12;   ///< of the times: longer than a minute or an hour
constexpr double large_numbers = 0.2;  ///< of the numbers: three digits or more
constexpr double cents_share = 0.1;    ///< of the numbers: with two digits after the point
/// Half of those: they lose a cent to a program that multiplies them by a hundred and cuts off the rest.
constexpr std::string_view cut_cents[] = {"19.99", "8.29", "4.35", "16.08", "1.15", "9.95", "64.1", "2.01"};
constexpr double whole_words = 0.5;  ///< of what is looked for: the whole of a word, or more than that
constexpr double small_letters = 0.3;
constexpr double small_names = 0.3;  ///< written with no capital
constexpr double also_share = 0.25;  ///< of the walks: they begin where a setting was changed
constexpr double code_again = 0.5;   ///< of the codes: tried a second time
constexpr std::size_t codes_kept = 20;
constexpr double preferred_share = 0.5;
constexpr double long_share = 0.2;  ///< of the words: longer than a careless limit

bool filled(const ScreenData& d) {
  return std::ranges::any_of(
      d.values, [](const ShownValue& v) { return v.kind == ShownValue::Kind::field && !v.text.empty(); });
}

}  // namespace

double User::seldom(std::uint64_t key) const {
  const auto at = done_.find(key);
  return at == done_.end() ? 1 : 1 / std::sqrt(1.0 + at->second);
}

/// A pronounceable word that was not used before.
std::string User::word() {
  static constexpr std::string_view consonants = "bdfgklmnprst", vowels = "aeiou";
  std::string out;
  std::uint64_t n = 977 * ++words_ + 131;
  const std::size_t syllables = rng_.chance(long_share) ? 8 : 3;
  for (std::size_t k = 0; k < syllables; ++k, n = n / 60 + 7 * words_) {
    out += consonants[n % 12], out += vowels[n / 12 % 5];
    if (k == 3) out += ' ';
  }
  if (!rng_.chance(small_names)) out[0] = static_cast<char>(out[0] - 32);
  return out;
}

std::string User::text_for(const ScreenData& data, const ShownValue& field, bool asks_for_code) {
  for (const ShownTable& t : data.tables)
    if (t.rows.size() >= 2 && rng_.chance(known_share)) {
      const auto title = t.rows[rng_.below(t.rows.size())].title();
      if (title.size() >= 2) return query_for(title);
    }
  if (says_a_time(field.text) ||
      (field.text.empty() && data.is_form() && rng_.chance(time_share) &&
       std::ranges::any_of(data.values, [](const ShownValue& v) { return says_a_time(v.text); })))
    return ++words_,
           fmt::format("{}:{:02}", rng_.chance(large_times) ? 1 + words_ % 9 : 0, 1 + 7 * words_ % 59);
  if (field.text.empty() && !codes_.empty() && rng_.chance(asks_for_code ? asked_code_share : code_share))
    return codes_[rng_.below(codes_.size())];
  const bool takes_numbers =
      numeric_.contains(Hasher().add(data.page).add(field.name).finish()) || !numbers_in(field.text).empty();
  const bool number = takes_numbers || rng_.chance(numbers_share);
  return number ? some_number() : word();
}

/// Its first letters, its first word, or that and a letter more, which nothing has; at times in small
/// letters, as people look for names.
std::string User::query_for(std::string_view title) {
  const std::string name = rng_.chance(small_letters) ? in_small_letters(title) : std::string(title);
  const std::string word = name.substr(0, name.find(' '));
  if (word.size() < 3 || !rng_.chance(whole_words)) return first_characters(name, 2 + rng_.below(2));
  return word + (rng_.chance(0.5) ? "q" : "");
}

std::string User::some_number() {
  ++words_;
  const bool cents = rng_.chance(cents_share);
  if (cents && words_ % 2 == 0) return std::string(cut_cents[words_ / 2 % std::size(cut_cents)]);
  if (cents) return fmt::format("{}.{:02}", 2 + words_ % 97, 1 + 7 * words_ % 98);
  return std::to_string(rng_.chance(large_numbers) ? 101 + 37 * words_ % 1890 : 2 + words_ % 97);
}

void User::learn_codes(const Screen& screen) {
  for (const Widget& w : screen.widgets)
    if (!w.is(Flag::editable))
      for (const std::string_view code : codes_in(w.text))
        if (codes_.size() < codes_kept && std::ranges::find(codes_, code) == codes_.end())
          codes_.emplace_back(code);
}

void User::fields(const Screen& screen, const ScreenData& data, std::vector<Option>& out) {
  for (const ShownValue& v : data.values) {
    const Widget& w = screen.widgets[v.widget];
    if (v.kind != ShownValue::Kind::field || (accepted_by(w) & accepts_text) == 0) continue;
    const std::uint64_t key = Hasher().add(data.page).add(v.name).add("type").finish();
    const std::string text = text_for(data, v, calls_itself(screen, v.widget, "code"));
    const auto type = [&](std::string what, double weight) {
      out.push_back({Type{make_target(screen, v.widget), w.bounds.center(), std::move(what)}, weight, key});
    };
    const bool beside_list = !data.tables.empty();
    type(text, !v.text.empty() ? change_filled : beside_list ? search : fill_empty);
    if (beside_list && !v.text.empty()) type("", stop_search);
  }
}

void User::touches(const Screen& screen, const ScreenData& data, const std::string& fresh,
                   std::vector<Option>& out) {
  const bool form = filled(data);
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    const std::uint8_t can = accepted_by(w);
    if ((can & (accepts_tap | accepts_long)) == 0 || (can & accepts_text) != 0) continue;
    const RowPlace place = row_of(data, i);
    const double rows = place.table ? static_cast<double>(place.table->rows.size()) : 1;
    const Target target = make_target(screen, i);
    const auto key = [&](const Event& e) {
      return Hasher().add(data.page).add(deed_of(e, screen, data)).finish();
    };
    if ((can & accepts_tap) != 0) {
      const Event tap = Tap{target, w.bounds.center()};
      double weight = place.row ? touch_row / rows : form ? leave_form : 1;
      if (place.row && !fresh.empty() && place.row->says(fresh)) weight += touch_fresh_row;
      out.push_back({tap, weight, key(tap)});
    }
    if (place.row && place.row->widget == i && (can & accepts_tap) != 0)
      for (const auto& [direction, by] : {std::pair{Direction::left, -1}, std::pair{Direction::right, 1}}) {
        const Point at = w.bounds.center();
        const Event swipe = Swipe{target, direction, at, {at.x + by * swipe_length, at.y}};
        out.push_back({swipe, swipe_row / rows, key(swipe)});
      }
    if ((can & accepts_long) != 0) {
      const Event press = LongPress{target, w.bounds.center()};
      const bool just_made = place.row && !fresh.empty() && place.row->says(fresh);
      out.push_back({press, press_row / rows + (just_made ? press_fresh_row : 0), key(press)});
    }
  }
}

void User::find_pages() {
  const History& tree = replay_.history();
  for (; next_ < tree.size(); ++next_) {
    const NodeId node{static_cast<std::uint32_t>(next_)};
    const Screen& screen = tree.screen(node);
    if (tree.crash(node) || screen.kind != Screen::Kind::app || screen.keyboard || screen.rotation != 0 ||
        is_popup(screen))
      continue;
    const auto [at, fresh] = pages_.try_emplace(Hasher().add(screen.activity).finish(), Start{node});
    if (!fresh && tree.depth(node) < tree.depth(at->second.node)) at->second.node = node;
  }
}

NodeId User::beginning() {
  find_pages();
  if (pages_.empty()) return NodeId{0};
  if (!also_.empty() && rng_.chance(also_share)) return also_[rng_.below(also_.size())];
  if (!preferred_.empty() && rng_.chance(preferred_share))
    if (const auto at = pages_.find(Hasher().add(preferred_[rng_.below(preferred_.size())]).finish());
        at != pages_.end())
      return at->second.node;
  return std::ranges::min_element(pages_, {}, [](const auto& p) { return p.second.done; })->second.node;
}

/// What was done seldom gets more weight, relative to what was done least on this screen: typing and going
/// back keep theirs.
void User::favour_seldom(std::vector<Option>& touches) const {
  double most = 0;
  for (const Option& o : touches) most = std::max(most, seldom(o.done));
  for (Option& o : touches) o.weight *= seldom(o.done) / most;
}

std::vector<User::Option> User::options(const Screen& screen, const std::string& fresh, std::uint64_t home,
                                        std::uint64_t again) {
  const ScreenData data = data_of(screen);
  std::vector<Option> out, touched;
  fields(screen, data, out);
  touches(screen, data, fresh, touched);
  favour_seldom(touched);
  std::ranges::move(touched, std::back_inserter(out));
  for (Option& o : out)
    if (again != 0 && o.done == again) {
      const auto i = receiver_of(o.event, screen);
      const RowPlace place = i ? row_of(data, *i) : RowPlace{};
      if (!place.row || (!fresh.empty() && place.row->says(fresh))) o.weight += open_again;
    }
  const bool at_home = Hasher().add(screen.activity).finish() == home && !data.popup;
  if (at_home)
    for (Option& o : out)
      if (const auto i = receiver_of(o.event, screen); i && leads_up(screen.widgets[*i]))
        o.weight *= leave_home;
  out.push_back({Key{key::back},
                 screen.keyboard ? close_keyboard
                 : at_home       ? go_back * leave_home
                                 : go_back,
                 Hasher().add(data.page).add("back").finish()});
  return out;
}

class UserChooser final : public Chooser {
 public:
  UserChooser(User& user, std::size_t length, std::uint64_t home)
      : user_(user), length_(length), home_(home) {}

  Choice next(const Place& here) override {
    if (here.crashed || here.events >= length_ || outside_ > 3) return Enough{};
    const Screen& screen = here.seen.screen;
    learn(screen);
    user_.learn_codes(screen);
    follow(screen);
    if (const auto at = user_.pages_.find(Hasher().add(screen.activity).finish()); at != user_.pages_.end())
      ++at->second.done;
    last_ = nullptr;
    if (screen.kind != Screen::Kind::app)
      return Do{outside_++ % 2 == 0 ? Event(Key{key::back}) : Event(Launch{})};
    if (const auto event = code_once_more(screen)) return chosen(screen, *event);
    const auto all = user_.options(screen, fresh_, home_, again_);
    double sum = 0;
    for (const auto& o : all) sum += o.weight;
    double at = user_.rng_.unit() * sum;
    std::size_t k = 0;
    while (k + 1 < all.size() && (at -= all[k].weight) > 0) ++k;
    ++user_.done_[all[k].done];
    if (all[k].done == again_) again_ = 0;
    did_ = all[k].done, went_back_ = std::holds_alternative<Key>(all[k].event);
    note_code(screen, all[k].event);
    return chosen(screen, all[k].event);
  }

 private:
  /// A code that was typed and offered by touching something is offered once more in the same way, from the
  /// button on that asked for it.
  void note_code(const Screen& screen, const Event& event) {
    const auto* type = std::get_if<Type>(&event);
    if (type && std::ranges::find(user_.codes_, type->text) != user_.codes_.end()) {
      code_.clear(), offered_ = false;
      if (is_popup(screen) && asked_by_) code_.push_back(*asked_by_);
      code_.push_back(event);
    } else if (!code_.empty() && !offered_ && std::holds_alternative<Tap>(event)) {
      code_.push_back(event);
      offered_ = true, once_more_ = user_.rng_.chance(code_again) ? 0 : code_.size();
    }
    if (!is_popup(screen)) asked_by_ = event;
  }
  std::optional<Event> code_once_more(const Screen& screen) {
    if (!offered_) return std::nullopt;
    if (once_more_ < code_.size() && receiver_of(code_[once_more_], screen)) return code_[once_more_++];
    code_.clear(), offered_ = false;
    return std::nullopt;
  }
  /// How each page was opened last; `again_` opens the form that was left by one of its buttons for this
  /// page, if it was filled when it was opened: the same button opens an empty one for something new.
  void follow(const Screen& screen) {
    const ScreenData data = data_of(screen);
    if (!data.popup && data.page != page_) {
      again_ = form_ && !went_back_ && opened_.contains(page_) ? opened_[page_] : 0;
      form_ = filled(data);
      if (did_ != 0) opened_[data.page] = did_;
      page_ = data.page;
    }
  }
  Choice chosen(const Screen& screen, const Event& event) {
    if (const auto* type = std::get_if<Type>(&event)) {
      typed_ = type->text;
      const ScreenData data = data_of(screen);
      field_ = Hasher().add(data.page).finish();
      if (const auto i = receiver_of(event, screen))
        for (const ShownValue& v : data.values)
          if (v.widget == *i)
            target_ = v.name, field_ = Hasher().add(data.page).add(v.name).finish(), last_ = &typed_;
      // What was made is looked at again: by its name, or, if only a number was changed, by the row it was
      // opened from.
      if (typed_.size() >= 4)
        fresh_ = typed_;
      else if (!row_.empty())
        fresh_ = row_;
    } else if (const auto i = receiver_of(event, screen)) {
      const ScreenData data = data_of(screen);
      if (const RowPlace place = row_of(data, *i); place.row && !data.popup) row_ = place.row->title();
    }
    return Do{event};
  }
  /// A field that did not take the word it was given takes numbers.
  void learn(const Screen& screen) {
    if (!last_) return;
    const ScreenData data = data_of(screen);
    if (const ShownValue* v = data.value(target_); v && v->text != typed_) user_.numeric_.insert(field_);
  }

  User& user_;
  std::size_t length_;
  std::uint64_t home_;  ///< the page it is about
  std::size_t outside_ = 0;
  std::string fresh_, typed_;  ///< what was made or changed last, the last text
  std::string row_;            ///< the last row that was touched
  const std::string* last_ = nullptr;
  std::uint64_t field_ = 0, target_ = 0;
  std::map<std::uint64_t, std::uint64_t> opened_;  ///< by page: what was done (Option::done)
  std::uint64_t page_ = 0, did_ = 0, again_ = 0;
  std::vector<Event> code_;  ///< a code that was typed, what asked for it before and what was touched then
  bool offered_ = false;     ///< all of that was done
  std::size_t once_more_ = 0;
  std::optional<Event> asked_by_;  ///< the last event on a page: a question may have been its answer
  bool form_ = false;              ///< the page was opened with something filled in
  bool went_back_ = false;
};

Status User::walk(std::size_t length, std::stop_token stop) {
  const NodeId from = beginning();
  const std::uint64_t home = Hasher().add(replay_.history().screen(from).activity).finish();
  if (const auto at = pages_.find(home); at != pages_.end()) ++at->second.done;  // even if it is not reached
  UserChooser chooser(*this, length, home);
  const auto end = replay_.walk(from, chooser, {.events = length}, std::move(stop));
  if (!end) return std::unexpected(end.error());
  return {};
}

}  // namespace norn
