#include "formats/log_line.h"

#include <algorithm>
#include <optional>
#include <vector>

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

/// "+0200"
void take_zone(Cursor& c) {
  if (c.peek().starts_with('+') || c.peek().starts_with('-')) c.word();
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

/// "10012", "u0_a12", "system": who a process runs as, as -v uid tells it.
bool is_user(std::string_view w) {
  return !w.empty() && std::all_of(w.begin(), w.end(),
                                   [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_'; });
}

/// "123", or with -v uid "10012: 123": the process.
std::optional<std::string_view> pid_in(std::string_view ids) {
  const auto colon = ids.rfind(':');
  const std::string_view pid = trim(colon == ids.npos ? ids : ids.substr(colon + 1));
  if (!all_digits(pid) || (colon != ids.npos && !is_user(trim(ids.substr(0, colon))))) return std::nullopt;
  return pid;
}

/// Where the colon after the tag stands: not the one in "Tag(10012: 123): ".
std::size_t end_of_tag(std::string_view text) {
  const auto colon = text.find(": ");
  const auto open = text.substr(0, colon).rfind('('), close = text.find("):", std::min(open, text.size()));
  if (close != text.npos && pid_in(text.substr(open + 1, close - open - 1))) return close + 1;
  return colon != text.npos ? colon : text.ends_with(':') ? text.size() - 1 : colon;
}

/// "Tag: message" after the level; the tag may hold blanks and be padded, and may end in "(  123)".
bool take_tag(std::string_view text, LogLine& out) {
  const auto end = end_of_tag(text);
  if (end == std::string_view::npos || end > 100) return false;
  std::string_view tag = trim(text.substr(0, end));
  out.message = text.substr(std::min(end + 2, text.size()));
  if (tag.ends_with(')')) {
    const auto open = tag.rfind('(');
    const auto pid = open != tag.npos ? pid_in(tag.substr(open + 1, tag.size() - open - 2)) : std::nullopt;
    if (pid) {
      out.pid = *pid;
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

/// "E(  123) message  (Tag)" of -v process, "E(  123:  124) message" of -v thread; with -v uid "E(u0_a12:  123)".
bool take_process(std::string_view text, LogLine& out) {
  const auto close = text.find(") ");
  if (text.size() < 2 || !is_level(text[0]) || text[1] != '(' || close == text.npos) return false;
  std::vector<std::string_view> ids = split(text.substr(2, close - 2), ':');
  for (std::string_view& id : ids) id = trim(id);
  // -v uid puts the user before them; a number before one number is a process and its thread.
  if (ids.size() > 1 && is_user(ids[0]) && (ids.size() > 2 || !all_digits(ids[0]))) ids.erase(ids.begin());
  if (ids.size() > 2 || !std::all_of(ids.begin(), ids.end(), all_digits)) return false;
  const std::string_view message = text.substr(close + 2);
  out.level = text[0];
  out.pid = ids[0];
  out.message = message;
  if (ids.size() > 1) {
    out.tid = ids[1];
  } else if (const auto open = message.rfind("  ("); open != message.npos && message.ends_with(')')) {
    out.tag = trim(message.substr(open + 3, message.size() - open - 4));
    out.message = message.substr(0, open);
  }
  return true;
}

/// What follows date and time.
bool take_dated(Cursor c, LogLine& out) {
  take_zone(c);
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
  while (n < 3 && !c.rest.empty() && (all_digits(c.peek()) || (n == 0 && is_user(c.peek()))))
    words[n++] = c.word();
  if (n < 2 || !all_digits(words[n - 2]) || !take_level_and_tag(c.rest, out)) return false;
  out.pid = words[n - 2];
  out.tid = words[n - 1];
  return true;
}

/// "[ 05-30 11:24:05.803  2957: 2957 E/Tag ]", with -v uid "10012:2957: 2957".
bool take_long(std::string_view line, LogLine& out) {
  if (line.size() < 4 || !line.starts_with("[ ") || !line.ends_with(" ]")) return false;
  Cursor c{line.substr(2, line.size() - 4)};
  c.blanks();
  if (!take_stamp(c)) return false;
  take_zone(c);
  const auto slash = c.rest.find('/');
  if (slash == c.rest.npos || slash < 2 || !is_level(c.rest[slash - 1])) return false;
  const std::string_view ids = trim(c.rest.substr(0, slash - 1));
  const auto colon = ids.rfind(':');
  const auto pid = colon != ids.npos ? pid_in(ids.substr(0, colon)) : std::nullopt;
  if (!pid || !all_digits(trim(ids.substr(colon + 1)))) return false;
  out.pid = *pid;
  out.tid = trim(ids.substr(colon + 1));
  out.level = c.rest[slash - 1];
  out.tag = trim(c.rest.substr(slash + 1));
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
