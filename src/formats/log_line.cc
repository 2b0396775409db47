#include "formats/log_line.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace norn {
namespace {

bool is_level(char c) { return std::string_view("VDIWEFA").find(c) != std::string_view::npos; }
bool all_digits(std::string_view s) { return !s.empty() && std::all_of(s.begin(), s.end(), is_digit); }

/// Reads words off the front of a line.
struct Cursor {
  std::string_view rest;

  void blanks() { rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size())); }
  std::string_view peek() const { return rest.substr(0, rest.find(' ')); }
  std::string_view word() {
    const std::string_view out = peek();
    rest.remove_prefix(out.size());
    blanks();
    return out;
  }
};

/// "05-30" or "2022-05-30".
bool is_date(std::string_view w) {
  if (w.size() == 10 && all_digits(w.substr(0, 4)) && w[4] == '-') w.remove_prefix(5);
  return w.size() == 5 && all_digits(w.substr(0, 2)) && w[2] == '-' && all_digits(w.substr(3));
}
/// "11:24:05.803", any number of decimals.
bool is_time(std::string_view w) { return w.size() >= 8 && w[2] == ':' && w[5] == ':' && is_digit(w[0]); }

/// "1727619918.244": seconds since 1970, or since the device was started.
bool is_seconds(std::string_view w) {
  const auto dot = w.find('.');
  return dot != w.npos && all_digits(w.substr(0, dot)) && w.size() - dot > 3 && all_digits(w.substr(dot + 1));
}
/// Reads off when a line was written; false, and nothing read, if it does not say.
bool take_stamp(Cursor& c) {
  Cursor after = c;
  const std::string_view first = after.word();
  if (!is_seconds(first) && !(is_date(first) && is_time(after.word()))) return false;
  c = after;
  return true;
}

/// `logcat -v color` puts each line between escape sequences "\x1b[...m".
std::string_view without_colour(std::string_view line) {
  const auto end = line.starts_with("\x1b[") ? line.find('m') : line.npos;
  if (end == line.npos) return line;
  line.remove_prefix(end + 1);
  const auto reset = line.rfind("\x1b[");
  return reset != line.npos && line.ends_with('m') ? line.substr(0, reset) : line;
}

/// "1234-5678/org.app" or "1234-5678".
bool take_studio_ids(std::string_view w, LogLine& out) {
  const auto dash = w.find('-');
  const auto slash = w.find('/');
  if (dash == std::string_view::npos || !all_digits(w.substr(0, dash))) return false;
  out.pid = w.substr(0, dash);
  out.tid = w.substr(dash + 1, slash == std::string_view::npos ? slash : slash - dash - 1);
  if (slash != std::string_view::npos && w.substr(slash + 1) != "?") out.package = w.substr(slash + 1);
  return all_digits(out.tid);
}

/// "Tag: message" after the level; the tag may hold blanks and be padded, and may end in "(  123)".
bool take_tag(std::string_view text, LogLine& out) {
  const auto colon = text.find(": ");
  const auto end = colon != std::string_view::npos ? colon : text.ends_with(':') ? text.size() - 1 : colon;
  if (end == std::string_view::npos || end > 100) return false;
  std::string_view tag = trim(text.substr(0, end));
  out.message = text.substr(std::min(end + 2, text.size()));
  if (tag.ends_with(')')) {
    const auto open = tag.rfind('(');
    if (open != std::string_view::npos && all_digits(trim(tag.substr(open + 1, tag.size() - open - 2)))) {
      out.pid = trim(tag.substr(open + 1, tag.size() - open - 2));
      tag = trim(tag.substr(0, open));
    }
  }
  out.tag = tag;
  return true;
}

/// "E/Tag...: m" or "E Tag: m" at the head of `text`.
bool take_level_and_tag(std::string_view text, LogLine& out) {
  if (text.size() < 3 || !is_level(text[0]) || (text[1] != '/' && text[1] != ' ')) return false;
  if (!take_tag(text.substr(2), out)) return false;
  out.level = text[0];
  return true;
}

/// "E(  123) message  (Tag)" of -v process, "E(  123:  124) message" of -v thread.
bool take_process(std::string_view text, LogLine& out) {
  const auto close = text.find(") ");
  if (text.size() < 2 || !is_level(text[0]) || text[1] != '(' || close == text.npos) return false;
  const std::string_view ids = text.substr(2, close - 2), message = text.substr(close + 2);
  const auto colon = ids.find(':');
  if (!all_digits(trim(ids.substr(0, colon)))) return false;
  out.level = text[0];
  out.pid = trim(ids.substr(0, colon));
  out.message = message;
  if (colon != ids.npos) {
    out.tid = trim(ids.substr(colon + 1));
  } else if (const auto open = message.rfind("  ("); open != message.npos && message.ends_with(')')) {
    out.tag = trim(message.substr(open + 3, message.size() - open - 4));
    out.message = message.substr(0, open);
  }
  return true;
}

/// What follows date and time.
bool take_dated(Cursor c, LogLine& out) {
  if (c.peek().starts_with('+') || c.peek().starts_with('-')) c.word();  // a time zone
  if (take_level_and_tag(c.rest, out)) return true;
  if (take_studio_ids(c.peek(), out)) {
    c.word();
    if (take_level_and_tag(c.rest, out)) return true;
    out.tag = c.word();  // Android Studio since 2022: tag, package, level, message
    out.package = c.word();
    if (c.rest.empty() || !is_level(c.rest[0]) || (c.rest.size() > 1 && c.rest[1] != ' ')) return false;
    out.level = c.rest[0];
    out.message = c.rest.substr(1);
    for (int i = 0; i < 2 && out.message.starts_with(' '); ++i) out.message.remove_prefix(1);
    return true;
  }
  std::string_view words[3];
  std::size_t n = 0;
  while (n < 3 && !c.rest.empty() && (all_digits(c.peek()) || (n == 0 && c.peek().starts_with("u0_"))))
    words[n++] = c.word();
  if (n < 2 || !take_level_and_tag(c.rest, out)) return false;
  out.pid = words[n - 2];
  out.tid = words[n - 1];
  return true;
}

/// "[ 05-30 11:24:05.803  2957: 2957 E/Tag ]"
bool take_long(std::string_view line, LogLine& out) {
  if (!line.starts_with("[ ") || !line.ends_with(" ]")) return false;
  Cursor c{line.substr(2, line.size() - 4)};
  if (!is_date(c.word()) || !is_time(c.word())) return false;
  const auto colon = c.rest.find(':');
  if (colon == std::string_view::npos) return false;
  out.pid = trim(c.rest.substr(0, colon));
  c.rest.remove_prefix(colon + 1);
  c.blanks();
  out.tid = c.word();
  if (c.rest.size() < 2 || !is_level(c.rest[0]) || c.rest[1] != '/') return false;
  out.level = c.rest[0];
  out.tag = trim(c.rest.substr(2));
  out.header_only = true;
  return true;
}

bool is_package(std::string_view w) {
  return w.find('.') != std::string_view::npos && w.find_first_of(":/(") == std::string_view::npos;
}

}  // namespace

LogLine parse_log_line(std::string_view line) {
  LogLine out;
  line = without_colour(line);
  Cursor c{line};
  c.blanks();
  if (take_long(c.rest, out) || take_process(c.rest, out)) return out;
  if (Cursor stamped = c; take_stamp(stamped)) {
    if (take_dated(stamped, out)) return out;
    out = {};
  }
  Cursor bare = c;  // "0E AndroidRuntime: ..." lost the head of its date
  bare.rest.remove_prefix(std::min(bare.rest.find_first_not_of("0123456789"), bare.rest.size()));
  if (take_level_and_tag(bare.rest, out)) return out;
  if (is_package(c.peek())) {  // "org.app E/Tag: ..."
    const std::string_view package = c.word();
    if (c.rest.size() > 1 && c.rest[1] == '/' && take_level_and_tag(c.rest, out)) {
      out.package = package;
      return out;
    }
  }
  out = {};
  out.message = line;
  return out;
}

}  // namespace norn
