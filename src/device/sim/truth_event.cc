// The event notation, read in two steps: a line becomes words (plain, or quoted texts, each with an optional
// [2] behind it), and the first word says what the others must be.
#include "device/sim/truth_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "base/text.h"

namespace norn::sim {
namespace {

struct Word {
  std::string text;
  bool quoted = false;
  std::optional<std::int32_t> ordinal;
};

std::unexpected<Error> bad(std::string what) {
  return fail(Error::Kind::bad_input, std::move(what), {}, "docs/sim-apps.md lists the events");
}

std::optional<std::int32_t> small_int(std::string_view text) {
  const auto n = to_int(text);
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (!n || *n < least || *n > most) return std::nullopt;
  return static_cast<std::int32_t>(*n);
}

/// "540,300"
std::optional<Point> point(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto x = small_int(text.substr(0, comma)), y = small_int(text.substr(comma + 1));
  if (!x || !y) return std::nullopt;
  return Point{*x, *y};
}

// ---- words ----

class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  Result<std::vector<Word>> all() {
    std::vector<Word> words;
    for (skip_blanks(); !rest_.empty(); skip_blanks()) {
      NORN_TRY(Word word, rest_.front() == '"' ? quoted() : plain());
      words.push_back(std::move(word));
    }
    return words;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  Result<Word> quoted() {
    Word word{.text = {}, .quoted = true, .ordinal = {}};
    for (take(); !rest_.empty();) {
      char c = take();
      if (c == '"') return with_ordinal(std::move(word));
      if (c == '\\' && !rest_.empty()) c = unescaped(take());
      word.text += c;
    }
    return bad("a quoted text has no end");
  }
  static char unescaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c; }

  Result<Word> plain() {
    const std::size_t end = std::min(rest_.find_first_of(" \t[\""), rest_.size());
    Word word{.text = std::string(rest_.substr(0, end)), .quoted = false, .ordinal = {}};
    rest_.remove_prefix(end);
    return with_ordinal(std::move(word));
  }

  Result<Word> with_ordinal(Word word) {
    if (rest_.empty() || rest_.front() != '[') return word;
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) return bad("a '[' has no ']'");
    word.ordinal = small_int(rest_.substr(1, end - 1));
    if (!word.ordinal || *word.ordinal < 0)
      return bad("between '[' and ']' belongs a number, counted from 0");
    rest_.remove_prefix(end + 1);
    return word;
  }

  std::string_view rest_;
};

// ---- events ----

/// The words behind the first one, taken one after the other.
struct Reader {
  std::string_view package;
  std::vector<Word> words;
  std::size_t at = 1;

  bool more() const { return at < words.size(); }
  const Word* peek() const { return more() ? &words[at] : nullptr; }

  std::string full_id(const std::string& id) const {
    return id.find(':') != std::string::npos ? id : fmt::format("{}:id/{}", package, id);
  }

  /// ID, "Label" or both; `keep` words at the end are for somebody else.
  Target target(std::size_t keep = 0) {
    Target t;
    const auto here = [&] { return at + keep < words.size(); };
    if (here() && !words[at].quoted) {
      t.id = full_id(words[at].text);
      t.ordinal = words[at++].ordinal;
    }
    if (here() && words[at].quoted) {
      t.label = words[at].text;
      if (words[at].ordinal) t.ordinal = words[at].ordinal;
      ++at;
    }
    return t;
  }

  std::optional<Point> take_point() {
    const auto p = more() && !words[at].quoted ? point(words[at].text) : std::nullopt;
    if (p) ++at;
    return p;
  }
  std::optional<std::int32_t> take_int() {
    const auto n = more() && !words[at].quoted ? small_int(words[at].text) : std::nullopt;
    if (n) ++at;
    return n;
  }
};

template <class E>
Result<Event> touch(Reader& r) {
  E e;
  if (const auto p = r.take_point()) {
    e.at = *p;
    return e;
  }
  e.target = r.target();
  if (e.target.empty()) return bad("an id, a \"label\" or a point x,y must follow");
  return e;
}

Result<Event> type(Reader& r) {
  if (r.words.size() < 2 || !r.words.back().quoted) return bad("a quoted text must stand at the end");
  Type e;
  e.target = r.target(1);
  if (!r.more()) return bad("too few words");
  e.text = r.words[r.at++].text;
  return e;
}

Result<Event> swipe(Reader& r) {
  static constexpr std::array<std::pair<std::string_view, Direction>, 4> names{{{"up", Direction::up},
                                                                                {"down", Direction::down},
                                                                                {"left", Direction::left},
                                                                                {"right", Direction::right}}};
  Swipe e;
  e.target = r.target(1);
  if (e.target.empty() || !r.more()) return bad("an id or a \"label\" and a direction must follow");
  for (const auto& [name, direction] : names)
    if (r.words[r.at].text == name) {
      e.direction = direction;
      ++r.at;
      return e;
    }
  return bad("the direction must be up, down, left or right");
}

Result<Event> drag(Reader& r) {
  const auto from = r.take_point(), to = r.take_point();
  if (!from || !to) return bad("two points x,y must follow");
  return Drag{.target = {}, .from = *from, .to = *to};
}

Result<Event> pinch(Reader& r) {
  const auto at = r.take_point();
  const auto from = r.take_int(), to = r.take_int();
  if (!at || !from || !to) return bad("a point x,y and two distances must follow");
  return Pinch{.target = {}, .at = *at, .from = *from, .to = *to};
}

Result<Event> launch(Reader& r) {
  Launch e;
  e.package = r.package;
  if (r.more()) e.activity = r.words[r.at++].text;
  return e;
}

Result<Event> system(Reader& r) {
  if (!r.more()) return bad("the name of a system event must follow");
  System e;
  e.name = r.words[r.at++].text;
  for (; r.more(); ++r.at) {
    std::string text = r.words[r.at].text;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return bad("extras are written key=value");
    std::string value = text.substr(equals + 1);
    if (value.empty() && r.at + 1 < r.words.size() && r.words[r.at + 1].quoted) value = r.words[++r.at].text;
    e.extras.emplace(text.substr(0, equals), std::move(value));
  }
  return e;
}

template <class E, std::int32_t E::* field>
Result<Event> with_number(Reader& r) {
  const auto n = r.take_int();
  if (!n) return bad("a whole number must follow");
  E e;
  e.*field = *n;
  return e;
}

template <std::int32_t code>
Result<Event> fixed_key(Reader&) {
  return Key{code};
}

using Parse = Result<Event> (*)(Reader&);
constexpr std::array<std::pair<std::string_view, Parse>, 15> verbs{
    {{"tap", touch<Tap>},
     {"long", touch<LongPress>},
     {"type", type},
     {"swipe", swipe},
     {"drag", drag},
     {"pinch", pinch},
     {"back", fixed_key<key::back>},
     {"home", fixed_key<key::home>},
     {"menu", fixed_key<key::menu>},
     {"enter", fixed_key<key::enter>},
     {"key", with_number<Key, &Key::code>},
     {"launch", launch},
     {"rotate", with_number<Rotate, &Rotate::rotation>},
     {"wait", with_number<Wait, &Wait::ms>},
     {"system", system}}};

Parse verb_named(std::string_view word) {
  for (const auto& [name, parse] : verbs)
    if (name == word) return parse;
  return nullptr;
}

}  // namespace

Result<Event> parse_event(std::string_view line, std::string_view package) {
  const auto named = [&](Error e) {
    e.where = printable(shorten(line, 80));
    return std::unexpected(std::move(e));
  };
  auto words = Words(line).all();
  if (!words) return named(std::move(words).error());
  const Parse parse = words->empty() || words->front().quoted ? nullptr : verb_named(words->front().text);
  if (!parse) return named(bad("this is no event").error());
  Reader reader{.package = package, .words = std::move(*words)};
  auto event = parse(reader);
  if (!event) return named(std::move(event).error());
  if (reader.more()) return named(bad(fmt::format("\"{}\" is too much", reader.peek()->text)).error());
  return event;
}

}  // namespace norn::sim
