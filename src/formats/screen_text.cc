#include "formats/screen_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.h"

namespace norn {
namespace {

using Kind = Error::Kind;

struct KnownMessage {
  std::string_view sign, what, advice;
};
/// What is saved instead of a screen when taking it failed.
constexpr KnownMessage messages[] = {
    {"could not get idle state", "the device said \"could not get idle state\" instead of a screen",
     "the screen never came to rest; switch animations off and take the dump again"},
    {"null root node", "the device said \"null root node\" instead of a screen",
     "no window was there at that moment; take the dump again"},
    {"already registered", "the device said that another tool holds UiAutomation, instead of a screen",
     "end the other tool and take the dump again"},
    {"hierchary dumped to", "only the message that a dump was written on the device, not the dump",
     "pull the file that it names"},
    {"hierarchy dumped to", "only the message that a dump was written on the device, not the dump",
     "pull the file that it names"},
    {"Permission denied", "the device said \"Permission denied\" instead of a screen",
     "dump to another folder"},
    {"INJECT_EVENTS", "the device refused UiAutomation", "allow USB debugging (Security settings)"},
    {"no devices/emulators found", "adb found no device, this is its message", "connect one"},
    {"device offline", "adb's device was offline, this is its message", "connect it again"},
    {"Killed", "the dump was killed on the device", "take it again"},
};

std::unexpected<Error> refuse_text(std::string_view text, std::string_view file) {
  const std::string_view head = trim(text);
  if (head.empty())
    return fail(Kind::bad_input, "the file is empty", std::string(file), "take the dump again");
  for (const KnownMessage& m : messages)
    if (const std::size_t at = text.find(m.sign); at != std::string_view::npos)
      return fail(Kind::bad_input, std::string(m.what), place_in(file, text, at), std::string(m.advice));
  const std::string_view looks = head.front() == '{' || head.front() == '[' ? "looks like JSON" : "not XML";
  return fail(Kind::bad_input, fmt::format("{}: begins with \"{}\"", looks, printable(shorten(head, 40))),
              place_in(file, text, static_cast<std::size_t>(head.data() - text.data())),
              "a screen is a uiautomator dump or an Appium page source");
}

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) {
  return c != '>' && c != '/' && c != '<' && !std::isspace(static_cast<unsigned char>(c));
}

/// The first tag at or after `from`.
std::size_t first_tag(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('<', from); at != std::string_view::npos; at = text.find('<', at + 1))
    if (at + 1 < text.size() && starts_name(text[at + 1])) return at;
  return std::string_view::npos;
}

/// Where the screen begins, past whatever a log put before it.
std::size_t first_sign(std::string_view text) {
  std::size_t best = std::string_view::npos;
  for (const std::string_view sign : {"<?xml", "<hierarchy", "<node", "<display", "<window"})
    best = std::min(best, text.find(sign));
  return best != std::string_view::npos ? best : first_tag(text, 0);
}

std::string_view name_at(std::string_view text, std::size_t tag) {
  std::size_t end = tag + 1;
  while (end < text.size() && in_name(text[end])) ++end;
  return text.substr(tag + 1, end - tag - 1);
}

std::optional<std::size_t> after_last_end_tag(std::string_view text, std::size_t tag, std::string_view name) {
  const std::string close = fmt::format("</{}", name);
  for (std::size_t at = text.rfind(close); at != std::string_view::npos && at > tag;
       at = text.rfind(close, at - 1)) {
    const std::size_t gt = text.find_first_not_of(" \t\r\n", at + close.size());
    if (gt != std::string_view::npos && text[gt] == '>') return gt + 1;
  }
  return std::nullopt;
}

/// The end of a start tag, or nothing: '>' may stand within quotes.
std::optional<std::size_t> after_start_tag(std::string_view text, std::size_t tag) {
  char quote = 0;
  for (std::size_t i = tag; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return i + 1;
    }
  }
  return std::nullopt;
}

void append_utf8(std::string& out, unsigned c) {
  for (const unsigned byte :
       {0xf0 | (c >> 18), 0x80 | ((c >> 12) & 0x3f), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f)})
    out += static_cast<char>(byte);
}

/// The surrogate written as three bytes at `i`, or 0.
unsigned surrogate_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (i + 2 >= text.size() || byte(i) != 0xed || byte(i + 1) < 0xa0 || (byte(i + 2) & 0xc0) != 0x80) return 0;
  return 0xd000u | (static_cast<unsigned>(byte(i + 1) & 0x3f) << 6) | (byte(i + 2) & 0x3fu);
}

}  // namespace

std::string place_in(std::string_view file, std::string_view text, std::size_t at) {
  const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
  return fmt::format("{}:{}", file, line);
}

Result<XmlPart> find_xml(std::string_view text, std::string_view file) {
  const std::size_t begin = first_sign(text);
  const std::size_t tag = begin == std::string_view::npos ? begin : first_tag(text, begin);
  if (tag == std::string_view::npos) return refuse_text(text, file);
  const std::string_view name = name_at(text, tag);
  if (const auto end = after_last_end_tag(text, tag, name)) return XmlPart{begin, *end, std::string(name)};
  const auto end = after_start_tag(text, tag);
  if (end && text[*end - 2] == '/') return XmlPart{begin, *end, std::string(name)};
  return fail(Kind::bad_input,
              fmt::format("the XML is cut off: <{}> is never closed", printable(shorten(name, 60))),
              place_in(file, text, text.size()), "the dump was cut while it was written; take it again");
}

std::string join_surrogates(std::string_view text) {
  if (text.find('\xed') == std::string_view::npos) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned high = surrogate_at(text, i);
    if (high == 0) {
      out += text[i++];
      continue;
    }
    const unsigned low = high < 0xdc00 ? surrogate_at(text, i + 3) : 0;
    if (low >= 0xdc00) {
      append_utf8(out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
      i += 6;
    } else {
      out += "\xef\xbf\xbd";
      i += 3;
    }
  }
  return out;
}

}  // namespace norn
