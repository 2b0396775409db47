#include "diagnose/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/text.h"
#include "formats/log_line.h"

namespace norn {
namespace {

constexpr std::size_t batch_size = 4096;
constexpr std::size_t longest_line = 1 << 16;
constexpr std::string_view plain_gaps = " \t\r,;";
constexpr std::string_view head_of_buffer = "--------- beginning of ";
constexpr std::string_view handlers_tag = "Themis";

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// std::string_view::find is slow on long needles in long lines; libc's is not.
bool contains(std::string_view text, std::string_view needle) {
  return memmem(text.data(), text.size(), needle.data(), needle.size()) != nullptr;
}
std::size_t position(std::string_view text, std::string_view needle, std::size_t from = 0) {
  const void* at = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return at ? static_cast<std::size_t>(static_cast<const char*>(at) - text.data()) : std::string_view::npos;
}

/// `lower` is in small letters and spaces.
bool starts_with_no_case(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}
std::size_t find_no_case(std::string_view text, std::string_view lower) {
  for (std::size_t i = 0; i + lower.size() <= text.size(); ++i)
    if ((text[i] | 32) == lower[0] && starts_with_no_case(text.substr(i), lower)) return i;
  return std::string_view::npos;
}

/// Whether a label may end here: no word goes on, be it over a hyphen.
bool is_boundary(std::string_view text, std::size_t at) {
  if (at == text.size()) return true;
  return !is_word(text[at]) && !(text[at] == '-' && at + 1 < text.size() && is_word(text[at + 1]));
}

/// `n` digits at `at`, or -1.
int digits(std::string_view text, std::size_t at, std::size_t n) {
  int value = 0;
  for (std::size_t i = at; i < at + n; ++i) {
    if (i >= text.size() || !is_digit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

struct Stamp {
  double seconds;    ///< since some new year
  std::size_t size;  ///< characters it takes
};

/// "MM-DD hh:mm:ss.mmm", with or without a year before it.
std::optional<Stamp> time_stamp(std::string_view line) {
  const std::size_t at = digits(line, 0, 4) >= 0 && line.size() > 4 && line[4] == '-' ? 5 : 0;
  const int month = digits(line, at, 2), day = digits(line, at + 3, 2);
  const int hour = digits(line, at + 6, 2), minute = digits(line, at + 9, 2),
            second = digits(line, at + 12, 2);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || minute < 0 || second < 0)
    return std::nullopt;
  const int milli = line.size() > at + 14 && line[at + 14] == '.' ? digits(line, at + 15, 3) : -1;
  constexpr int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const double days = before[month - 1] + day;
  return Stamp{days * 86400 + hour * 3600 + minute * 60 + second + std::max(0, milli) / 1000.0,
               at + (milli >= 0 ? 18U : 14U)};
}

}  // namespace

Alphabet::Alphabet(const std::vector<std::string>& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) index_.emplace(labels[i], static_cast<Label>(i));
  // Event 10 is drawn as "a", event 35 as "z", where labels have one character.
  const bool drawn_so = std::ranges::all_of(labels, [](const auto& label) { return label.size() == 1; });
  for (int number = 10; drawn_so && number < 36; ++number)
    if (const auto letter =
            index_.find(std::string_view(std::string(1, static_cast<char>('a' + number - 10))));
        letter != index_.end())
      index_.emplace(std::to_string(number), letter->second);
  single_.fill(signal::unknown);
  for (const auto& [word, label] : index_) longest_ = std::max(longest_, word.size());
  for (const auto& [word, label] : index_)
    if (word.size() == 1) single_[static_cast<unsigned char>(word[0])] = label;
}

std::optional<Label> Alphabet::find(std::string_view word) const {
  if (word.size() == 1) {
    const Label label = single_[static_cast<unsigned char>(word[0])];
    return label == signal::unknown ? std::nullopt : std::optional(label);
  }
  const auto at = index_.find(word);
  if (at == index_.end()) return std::nullopt;
  return at->second;
}

std::optional<Label> Alphabet::at_the_head_of(std::string_view text) const {
  if (const auto whole = find(trim(text.substr(0, text.find(':'))))) return whole;
  for (std::size_t n = std::min(text.size(), longest_); n > 0; --n)
    if (is_boundary(text, n))
      if (const auto label = find(text.substr(0, n))) return label;
  return std::nullopt;
}

void Batcher::put(Label code, std::optional<double> seconds) {
  codes_.push_back(code);
  timed_ = timed_ || seconds.has_value();
  seconds_.push_back(seconds.value_or(seconds_.empty() ? 0 : seconds_.back()));
  if (codes_.size() >= batch_size) flush();
}

void Batcher::flush() {
  if (codes_.empty()) return;
  sink_({codes_, timed_ ? std::span<const double>(seconds_) : std::span<const double>()});
  codes_.clear();
  seconds_.clear();
}

LogParser::LogParser(const Alphabet& alphabet, LogOptions options, LabelSink sink)
    : alphabet_(alphabet),
      options_(std::move(options)),
      out_(std::move(sink)),
      crash_(options_.crash_signature) {}

void LogParser::feed(std::string_view bytes) {
  if (width_ != Width::undecided) return decoded(narrowed(bytes));
  head_ += bytes;
  if (head_.size() < 4) return;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(head_[i]); };
  std::size_t mark = 0;
  if (at(0) == 0xff && at(1) == 0xfe)
    mark = 2, width_ = Width::utf16_little;
  else if (at(0) == 0xfe && at(1) == 0xff)
    mark = 2, width_ = Width::utf16_big;
  else if (at(1) == 0 && at(3) == 0 && at(0) != 0)
    width_ = Width::utf16_little;
  else if (at(0) == 0 && at(2) == 0 && at(1) != 0)
    width_ = Width::utf16_big;
  else
    width_ = Width::bytes, mark = at(0) == 0xef && at(1) == 0xbb && at(2) == 0xbf ? 3 : 0;
  const std::string all = std::move(head_);
  head_.clear();
  decoded(narrowed(std::string_view(all).substr(mark)));
}

/// UTF-16 with every character above 255 as '?': labels and what surrounds them are ASCII.
std::string_view LogParser::narrowed(std::string_view bytes) {
  if (width_ == Width::bytes) return bytes;
  head_ += bytes;
  narrow_.clear();
  const std::size_t low = width_ == Width::utf16_little ? 0 : 1;
  const std::size_t even = head_.size() & ~std::size_t{1};
  for (std::size_t i = 0; i < even; i += 2) narrow_ += head_[i + 1 - low] == 0 ? head_[i + low] : '?';
  head_.erase(0, even);
  return narrow_;
}

/// The first line tells how lines end. Returns whose meaning is not clear yet are held back.
void LogParser::decoded(std::string_view text) {
  if (ends_ == Ends::undecided) {
    const std::size_t at = returns_ > 0 ? 0 : std::min(text.find_first_of("\r\n"), text.size());
    const std::size_t after = std::min(text.find_first_not_of('\r', at), text.size());
    returns_ += after - at;
    split(text.substr(0, at));
    if (after == text.size()) return;
    ends_ = text[after] == '\n' ? Ends::newlines : Ends::returns;
    split(std::string(std::min<std::size_t>(returns_, 2), ends_ == Ends::returns ? '\n' : '\r'));
    text.remove_prefix(after);
  }
  if (ends_ == Ends::newlines) return split(text);
  lines_ = text;
  std::ranges::replace(lines_, '\r', '\n');
  split(lines_);
}

/// The rest of the line before, the lines that are complete, and the beginning of the next.
void LogParser::split(std::string_view text) {
  if (!carry_.empty() || overlong_) {
    const std::size_t end = text.find('\n');
    go_on(text.substr(0, end));
    if (end == std::string_view::npos) return;
    if (!overlong_) line(carry_);
    carry_.clear();
    overlong_ = false;
    text.remove_prefix(end + 1);
  }
  const std::size_t last = text.rfind('\n');
  const std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
  whole_lines(text.substr(0, begin));
  go_on(text.substr(begin));
}

/// More of a line whose end has not come yet. A list may be one line of any length; of others only the
/// beginning matters.
void LogParser::go_on(std::string_view text) {
  while (!text.empty() && !overlong_) {
    const std::size_t some = std::min(text.size(), longest_line + 1 - carry_.size());
    carry_ += text.substr(0, some);
    text.remove_prefix(some);
    if (carry_.size() <= longest_line) return;
    if (options_.format == LogOptions::Format::automatic && !continued_) choose_format(carry_);
    continued_ = true;
    if (options_.format != LogOptions::Format::handler)
      carry_.erase(0, plain_piece(carry_));
    else
      line(carry_), carry_.clear(), overlong_ = true;
  }
}

/// Most lines of a logcat are other people's: where messages have tags, jump from one of ours to the next.
void LogParser::whole_lines(std::string_view text) {
  std::size_t ours = 0, system = 0, head = 0;  // the next of each kind, looked for when passed
  for (std::size_t at = 0; at < text.size();) {
    if (tagged_ && first_time_ && headed_ == Headed::not_at_all && options_.crash_signature.empty()) {
      if (ours != std::string_view::npos && ours <= at) ours = position(text, handlers_tag, at);
      if (system != std::string_view::npos && system <= at) system = position(text, "Activity", at);
      if (head != std::string_view::npos && head <= at) head = position(text, head_of_buffer, at);
      const std::size_t next = std::min({ours, system, head});
      if (next == std::string_view::npos) return;
      const std::size_t before = text.rfind('\n', next);
      at = before == std::string_view::npos ? at : std::max(at, before + 1);
    }
    const auto* end = static_cast<const char*>(std::memchr(text.data() + at, '\n', text.size() - at));
    const auto stop = static_cast<std::size_t>(end - text.data());
    line(text.substr(at, stop - at));
    at = stop + 1;
  }
}

void LogParser::finish() {
  if (width_ == Width::undecided) {
    width_ = Width::bytes;
    decoded(std::exchange(head_, {}));
  }
  if (!carry_.empty()) line(carry_);
  carry_.clear(), overlong_ = false;
  out_.flush();
}

void LogParser::line(std::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (options_.format == LogOptions::Format::automatic && !continued_) choose_format(text);
  continued_ = false;
  if (options_.format == LogOptions::Format::handler) return handler_line(text.substr(0, longest_line));
  while (text.size() > longest_line) text.remove_prefix(plain_piece(text));
  plain_line(text);
  commented_ = false;
}

/// The words in the beginning of a long line. Returns how long that was.
std::size_t LogParser::plain_piece(std::string_view text) {
  const std::size_t gap = text.substr(0, longest_line).find_last_of(plain_gaps);
  const std::size_t size = gap == std::string_view::npos || gap == 0 ? longest_line : gap;
  plain_line(text.substr(0, size));
  return size;
}

void LogParser::choose_format(std::string_view text) {
  const std::string_view inner = trim(text.substr(0, longest_line));
  if (inner.empty() || inner[0] == '#') return;
  tagged_ = inner.starts_with("----") || time_stamp(inner);
  const bool handler = contains(inner, handlers_tag) || contains(inner, ": ") || inner.starts_with("----") ||
                       time_stamp(inner) || find_no_case(inner, "event ") != std::string_view::npos ||
                       starts_with_no_case(inner, "crash!") || inner.ends_with(':');
  if (handler)
    options_.format = LogOptions::Format::handler;
  else if (inner[0] == '@' || alphabet_.find(inner.substr(0, inner.find_first_of(" \t,;"))))
    options_.format = LogOptions::Format::plain;  // else the next line may tell: "- waiting for device -"
}

void LogParser::plain_line(std::string_view text) {
  const auto gap = [](char c) { return plain_gaps.find(c) != std::string_view::npos; };
  for (std::size_t at = 0; at < text.size() && !commented_;) {
    std::size_t end = at;
    while (end < text.size() && !gap(text[end]) && text[end] != '#') ++end;
    if (end > at) plain_word(text.substr(at, end - at));
    commented_ = end < text.size() && text[end] == '#';
    at = end + 1;
  }
}

void LogParser::plain_word(std::string_view word) {
  if (const auto label = alphabet_.find(word)) return out_.put(*label);
  if (word == "@relaunch") return out_.put(signal::relaunch);
  if (word == "@clean") return out_.put(signal::clean_start);
  if (word == "@run") return out_.put(signal::next_run);
  if (word == "@crash" || word == "Crash!") return out_.put(signal::crash);
  if (word == "@other-crash") return out_.put(signal::other_crash);
  out_.put(signal::unknown);
}

void LogParser::put(Label code, std::string_view line) {
  if (const auto stamp = time_stamp(line)) {
    if (!first_time_) first_time_ = stamp->seconds;
    last_time_ = std::max(last_time_, stamp->seconds - *first_time_);
  }
  out_.put(code, first_time_ ? std::optional(last_time_) : std::nullopt);
}

void LogParser::handler_line(std::string_view text) {
  if (!first_time_)
    if (const auto stamp = time_stamp(text)) first_time_ = stamp->seconds;
  if (text.starts_with(head_of_buffer)) return buffer_head(text);
  if (crash_.line(text)) put(signal::crash, text);
  if (text.starts_with("[ ") && header(text)) return;
  if (headed_ != Headed::not_at_all && parse_log_line(text).level != 0) headed_ = Headed::not_at_all;
  if (headed_ == Headed::others) return;
  if (headed_ == Headed::ours) return trim(text).empty() ? void() : message(head_line_, text);
  if (headed_ == Headed::system) return system_line(text);
  if (contains(text, handlers_tag)) return tagged_line(text);
  if (contains(text, "ActivityManager") || contains(text, "ActivityTaskManager")) return system_line(text);
  if (tagged_) return;
  const std::string_view inner = trim(text);
  if (starts_with_no_case(inner, "event ") || starts_with_no_case(inner, "warning ") ||
      starts_with_no_case(inner, "crash!") || starts_with_no_case(inner, "clean start") ||
      starts_with_no_case(inner, "relaunch"))
    message(text, inner);
}

/// Of logcat -v long: what follows is the message. False: it is no header.
bool LogParser::header(std::string_view text) {
  const LogLine head = parse_log_line(text);
  if (!head.header_only) return false;
  head_line_ = trim(text.substr(1));  // begins with its time
  if (!first_time_)
    if (const auto stamp = time_stamp(head_line_)) first_time_ = stamp->seconds;
  const bool system = head.tag == "ActivityManager" || head.tag == "ActivityTaskManager";
  headed_ = head.tag == handlers_tag ? Headed::ours : system ? Headed::system : Headed::others;
  if (headed_ == Headed::ours) note_process(head.pid, head_line_);
  return true;
}

/// A line that names the handlers' tag: it is theirs if that is its own tag.
void LogParser::tagged_line(std::string_view text) {
  const LogLine line = parse_log_line(text);
  if (line.level != 0 && !line.tag.empty()) {
    if (line.tag != handlers_tag) return;
    note_process(line.pid, text);
    return message(text, line.message);
  }
  const std::string_view rest = trim(line.message);  // of a format that has no prefix, or one of its own
  const std::size_t tag = position(rest, handlers_tag), end = tag + handlers_tag.size();
  if (tag == std::string_view::npos || (tag > 0 && is_word(rest[tag - 1])) ||
      (end < rest.size() && is_word(rest[end])))
    return;
  message(text, rest.substr(end));
}

/// What a handler said: the first of "Event" and "Warning" counts, a warning may quote an event.
void LogParser::message(std::string_view line, std::string_view text) {
  const std::size_t event = find_no_case(text, "event ");
  const std::size_t warning = find_no_case(text.substr(0, event), "warning ");
  if (event != std::string_view::npos || warning != std::string_view::npos) {
    const bool is_event = warning == std::string_view::npos;
    const std::string_view rest = trim(text.substr(is_event ? event + 6 : warning + 8));
    const auto label = alphabet_.at_the_head_of(rest.substr(rest.starts_with('#') ? 1 : 0));
    if (label)
      put(is_event ? *label : static_cast<Label>(signal::warning + *label), line);
    else if (is_event)
      put(signal::unknown, line);
    return;
  }
  if (find_no_case(text, "crash!") != std::string_view::npos) return put(signal::crash, line);
  while (!text.empty() && !(std::isalpha(static_cast<unsigned char>(text[0])))) text.remove_prefix(1);
  if (starts_with_no_case(text, "clean")) return put(signal::clean_start, line);
  if (starts_with_no_case(text, "relaunch") || starts_with_no_case(text, "restart"))
    return put(signal::relaunch, line);
  if (starts_with_no_case(text, "run")) next_run(line);
}

void LogParser::next_run(std::string_view line) {
  first_time_.reset();
  last_time_ = 0;
  headed_ = Headed::not_at_all;
  processes_.clear();
  process_ = -1;
  put(signal::next_run, line);
}

void LogParser::buffer_head(std::string_view text) {
  headed_ = Headed::not_at_all;
  constexpr std::size_t most_buffers = 16;  // logcat has eight
  const std::string name(trim(text.substr(head_of_buffer.size())));
  if (!buffers_.contains(name)) {
    if (buffers_.size() < most_buffers) buffers_.insert(name);
    return;
  }
  buffers_ = {name};
  next_run(text);
}

/// The handlers' process is the app's: a new one means that the app was started again.
void LogParser::note_process(std::string_view process, std::string_view line) {
  const auto id = to_int(process);
  if (!id || *id == process_) return;
  process_ = *id;
  if (!processes_.insert(*id).second) return;
  if (processes_.size() > 1) put(signal::relaunch, line);
  if (processes_.size() > 100'000) processes_ = {*id};
}

/// "Start proc 5:org.app/u0a8 for activity" or, on old devices, "Start proc org.app for activity ...: pid=5":
/// the app is started, and what that process logs later says no more.
void LogParser::process_started(std::string_view text) {
  const std::size_t at = position(text, "Start proc ") + 11, pid = position(text, "pid=");
  const std::string_view number = pid == std::string_view::npos ? text.substr(at) : text.substr(pid + 4);
  if (const auto id = to_int(number.substr(0, number.find_first_not_of("0123456789")))) {
    process_ = *id;
    processes_.insert(*id);
  }
  put(signal::relaunch, text);
}

void LogParser::system_line(std::string_view text) {
  if (!options_.package.empty() && !contains(text, options_.package)) return;
  if (contains(text, "Force stopping") && contains(text, "clear data")) return put(signal::clean_start, text);
  if (!options_.package.empty() && contains(text, "Start proc ") && contains(text, "activity"))
    process_started(text);
}

Result<std::uint64_t> read_log(const std::filesystem::path& path, const Alphabet& alphabet,
                               const LogOptions& options, const LabelSink& sink) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail(Error::Kind::bad_input, "this is a folder, not a log", path.string());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file)
    return fail(Error::Kind::not_found, fmt::format("cannot be opened: {}", std::strerror(errno)),
                path.string());
  LogParser parser(alphabet, options, sink);
  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t bytes = 0;
  while (std::feof(file.get()) == 0 && std::ferror(file.get()) == 0) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get());
    parser.feed({buffer.data(), got});
    bytes += got;
  }
  if (std::ferror(file.get()) != 0)
    return fail(Error::Kind::io, fmt::format("reading failed after {} bytes", bytes), path.string());
  parser.finish();
  return bytes;
}

}  // namespace norn
