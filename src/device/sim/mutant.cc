// One pass makes tokens, a second keeps a stack of what is open (blocks, brackets) and writes down every
// place that can be changed. A statement to drop is recognised by its neighbours: where a block is the
// innermost open thing, a name that follows the end of an expression or the beginning of a block can only
// begin a statement, and the next such name or keyword ends it.
#include "device/sim/mutant.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"

namespace norn::sim {
namespace {

enum class Kind : std::uint8_t { name, keyword, number, text, mark, end };

struct Lexeme {
  Kind kind = Kind::end;
  std::size_t at = 0, size = 0;
};

constexpr std::array<std::string_view, 22> keywords{
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
// ---- tokens ----

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Lexeme> all() {
    std::vector<Lexeme> out;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      const std::size_t from = at_;
      const Kind kind = take();
      out.push_back({kind, from, at_ - from});
    }
    out.push_back({Kind::end, text_.size(), 0});
    return out;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  /// `[[`, `[=[` ...: how long the opening is, 0 if it is none.
  std::size_t long_open() const {
    if (peek() != '[') return 0;
    std::size_t n = 1;
    while (peek(n) == '=') ++n;
    return peek(n) == '[' ? n + 1 : 0;
  }
  void skip_long(std::size_t open) {
    const std::string close = "]" + std::string(open - 2, '=') + "]";
    const std::size_t end = text_.find(close, at_ + open);
    at_ = end == text_.npos ? text_.size() : end + close.size();
  }
  void skip_space() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(peek()))) {
        ++at_;
      } else if (peek() == '-' && peek(1) == '-') {
        at_ += 2;
        if (const std::size_t open = long_open()) {
          skip_long(open);
        } else {
          at_ = std::min(text_.find('\n', at_), text_.size());
        }
      } else {
        return;
      }
    }
  }
  Kind take() {
    const char c = peek();
    if (c == '"' || c == '\'') return take_text(c);
    if (const std::size_t open = long_open()) {
      skip_long(open);
      return Kind::text;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return take_number();
    if (is_word(c)) return take_word();
    static constexpr std::array<std::string_view, 10> marks{
        "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};
    const auto rest = text_.substr(at_);
    const auto* const mark =
        std::ranges::find_if(marks, [&](std::string_view m) { return rest.starts_with(m); });
    at_ += mark == marks.end() ? 1 : mark->size();
    return Kind::mark;
  }
  Kind take_text(char quote) {
    for (++at_; at_ < text_.size() && peek() != quote; ++at_) {
      if (peek() == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
    return Kind::text;
  }
  Kind take_number() {
    while (is_word(peek()) || (peek() == '.' && peek(1) != '.')) ++at_;
    return Kind::number;
  }
  Kind take_word() {
    const std::size_t from = at_;
    while (is_word(peek())) ++at_;
    const auto word = text_.substr(from, at_ - from);
    return std::ranges::find(keywords, word) != keywords.end() ? Kind::keyword : Kind::name;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// ---- places ----

/// Replace `size` bytes at `at` by `with`; a second change (the closing bracket of a flipped condition) may
/// follow.
struct Change {
  std::size_t at = 0, size = 0;
  std::string with;
  std::size_t close_at = 0;  ///< where a `)` goes in; 0: nowhere
};

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text), tokens_(Lexer(text).all()) {}

  std::vector<Change> all() {
    for (at_ = 0; tokens_[at_].kind != Kind::end; ++at_) {
      if (is("app") && open_.empty() && (is("{", at_ + 1) || is("(", at_ + 1))) skip_call();
      if (is("bug") && is("(", at_ + 1)) skip_call();
      if (tokens_[at_].kind == Kind::end) break;
      if (begins_statement()) statement();
      token();
      nest();
    }
    std::ranges::stable_sort(changes_, {}, &Change::at);
    return std::move(changes_);
  }

 private:
  std::string_view word(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].at, tokens_[i].size) : "";
  }
  bool is(std::string_view what, std::size_t i) const {
    return word(i) == what && tokens_[i].kind != Kind::text;
  }
  bool is(std::string_view what) const { return is(what, at_); }
  bool one_of(std::size_t i, std::initializer_list<std::string_view> words) const {
    return tokens_[i].kind != Kind::text && std::ranges::find(words, word(i)) != words.end();
  }

  void replace(std::string with) {
    changes_.push_back({tokens_[at_].at, tokens_[at_].size, std::move(with), 0});
  }

  /// Steps over `name (...)` or `name {...}`.
  void skip_call() {
    std::size_t depth = 0;
    for (++at_; tokens_[at_].kind != Kind::end; ++at_) {
      if (one_of(at_, {"(", "{", "["})) ++depth;
      if (one_of(at_, {")", "}", "]"}) && --depth == 0) break;
    }
    if (tokens_[at_].kind != Kind::end) ++at_;
  }

  // what is open: blocks end with `end` or `until`, brackets with brackets
  void nest() {
    if (one_of(at_, {"(", "{", "["})) open_.push_back(false);
    if (one_of(at_, {"function", "if", "do", "repeat"})) open_.push_back(true);
    if (one_of(at_, {")", "}", "]", "end", "until"}) && !open_.empty()) open_.pop_back();
  }
  bool in_block() const { return open_.empty() || open_.back(); }

  /// May an expression end with this token?
  bool ends_value(std::size_t i) const {
    const Kind kind = tokens_[i].kind;
    return kind == Kind::name || kind == Kind::number || kind == Kind::text ||
           one_of(i, {")", "]", "}", "end", "nil", "true", "false", "..."});
  }
  bool begins_statement() const {
    if (at_ == 0 || open_.empty() || !in_block()) return false;
    if (is("return")) return true;
    if (tokens_[at_].kind != Kind::name) return false;
    return ends_value(at_ - 1) || one_of(at_ - 1, {"then", "do", "else", "repeat", ";", "break"});
  }
  /// The token behind the statement that begins here.
  std::size_t statement_end() const {
    std::size_t depth = 0;
    for (std::size_t i = at_; tokens_[i].kind != Kind::end; ++i) {
      const bool closes = one_of(i, {")", "}", "]", "end", "until"});
      if (depth == 0 && i > at_) {
        if (closes || one_of(i, {"else", "elseif", ";", "local", "if", "for", "while", "repeat", "return",
                                 "break", "goto", "do", "::"}))
          return i;
        if (tokens_[i].kind == Kind::name && ends_value(i - 1)) return i;
        if (is("function", i) && ends_value(i - 1)) return i;
      }
      if (one_of(i, {"(", "{", "[", "function", "if", "do", "repeat"})) ++depth;
      if (closes) --depth;
    }
    return tokens_.size() - 1;
  }
  void statement() {
    const std::size_t from = tokens_[at_].at;
    const Lexeme& last = tokens_[statement_end() - 1];
    std::string blank;  // as many lines as there were
    for (const char c : text_.substr(from, last.at + last.size - from)) {
      if (c == '\n') blank += '\n';
    }
    changes_.push_back({from, last.at + last.size - from, std::move(blank), 0});
  }

  /// `if`, `elseif`, `while`: the matching `then` or `do`.
  std::optional<std::size_t> condition_end() const {
    std::size_t depth = 0;
    for (std::size_t i = at_ + 1; tokens_[i].kind != Kind::end; ++i) {
      if (depth == 0 && one_of(i, {"then", "do"})) return i;
      if (one_of(i, {"(", "{", "[", "function", "if", "do", "repeat"})) ++depth;
      if (one_of(i, {")", "}", "]", "end", "until"})) --depth;
    }
    return std::nullopt;
  }
  void condition() {
    const auto end = condition_end();
    if (!end) return;
    const Lexeme& last = tokens_[*end - 1];
    changes_.push_back({tokens_[at_ + 1].at, 0, "not (", last.at + last.size});
  }

  void number() {
    const auto digits = word(at_);
    if (digits.size() > 9 || !std::ranges::all_of(digits, is_digit)) return;
    const long value = std::stol(std::string(digits));
    replace(fmt::format("{}", value + 1));
    if (value > 0) replace(fmt::format("{}", value - 1));
  }
  void token() {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> swaps{{{"and", "or"},
                                                                                          {"or", "and"},
                                                                                          {"==", "~="},
                                                                                          {"~=", "=="},
                                                                                          {"<", "<="},
                                                                                          {"<=", "<"},
                                                                                          {">", ">="},
                                                                                          {">=", ">"},
                                                                                          {"true", "false"},
                                                                                          {"false", "true"}}};
    if (tokens_[at_].kind == Kind::number) return number();
    if (one_of(at_, {"if", "elseif", "while"})) return condition();
    if (is("not")) return replace("");
    if (at_ > 0 && ends_value(at_ - 1) && one_of(at_, {"+", "-"})) return replace(is("+") ? "-" : "+");
    if (tokens_[at_].kind == Kind::text) return;
    for (const auto& [from, to] : swaps) {
      if (word(at_) == from && !attribute()) return replace(std::string(to));
    }
  }
  /// `local x <const>` has no comparison.
  bool attribute() const {
    return one_of(at_ + 1, {"const", "close"}) || (at_ > 0 && one_of(at_ - 1, {"const", "close"}));
  }

  std::string_view text_;
  std::vector<Lexeme> tokens_;
  std::size_t at_ = 0;
  std::vector<bool> open_;  ///< true: a block
  std::vector<Change> changes_;
};

std::string_view shown(std::string_view text) {
  return text.substr(0, std::min<std::size_t>(text.find('\n'), 60));
}

}  // namespace

std::size_t mutant_count(std::string_view source) { return Finder(source).all().size(); }

Result<Mutant> mutate(std::string_view source, std::size_t number) {
  const auto changes = Finder(source).all();
  if (number >= changes.size())
    return fail(Error::Kind::bad_input, fmt::format("there are only {} mutants", changes.size()),
                fmt::format("mutant={}", number), "they are counted from 0");
  const Change& c = changes[number];
  Mutant out;
  out.line = 1 + static_cast<std::size_t>(std::ranges::count(source.substr(0, c.at), '\n'));
  out.text = std::string(source.substr(0, c.at)) + c.with;
  const std::size_t rest = c.at + c.size;
  if (c.close_at > 0) {
    out.text +=
        std::string(source.substr(rest, c.close_at - rest)) + ")" + std::string(source.substr(c.close_at));
    out.what = "the condition is turned round";
  } else {
    out.text += source.substr(rest);
    out.what = fmt::format("`{}` became `{}`", shown(source.substr(c.at, c.size)), shown(c.with));
  }
  return out;
}

}  // namespace norn::sim
