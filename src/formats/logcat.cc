// Each stream has four readers, one for every way in which a crash is told; each says when what it has is
// complete. What they found is put in the order of the lines on which it began.
#include "formats/logcat.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "formats/log_line.h"
#include "formats/stack_text.h"
#include "formats/tombstone_text.h"

namespace norn {
namespace {

constexpr std::size_t most_streams =
    4096;  ///< beyond it the oldest is closed: a log may hold any number of threads

/// "ANR in org.app (org.app/.Main)" ... "Reason: ..."
class AnrText {
 public:
  std::optional<Crash> line(std::string_view text) {
    text = trim(text);
    if (text.starts_with("ANR in ")) {
      auto done = finish();
      begin(text.substr(7));
      return done;
    }
    if (!open_) return std::nullopt;
    if (text.starts_with("Reason: ")) {
      open_->chain[0].message = trim(text.substr(8));
      return finish();
    }
    return ++lines_ > 20 ? finish() : std::nullopt;
  }

  std::optional<Crash> finish() {
    std::optional<Crash> out = std::move(open_);
    open_.reset();
    return out;
  }

  bool open() const { return open_.has_value(); }

 private:
  void begin(std::string_view what) {
    open_.emplace().kind = Crash::Kind::anr;
    open_->process = trim(what.substr(0, what.find_first_of(" (")));
    open_->chain.emplace_back().type = "ANR";
    lines_ = 0;
  }

  std::optional<Crash> open_;
  int lines_ = 0;
};

/// The VM's dump of all threads after an ANR: the main thread of the first process. It lies between
/// "----- pid" and "----- end"; cut off anywhere, it ends where something else is surely told.
class VmTraceText {
 public:
  std::optional<Crash> line(std::string_view text) {
    text = trim(text);
    if (text.starts_with("----- pid ")) {
      auto done = finish();
      open_ = true;
      return done;
    }
    if (!open_) return std::nullopt;
    if (ends(text)) return finish();
    if (text.starts_with("Cmd line: ")) process_ = trim(text.substr(10));
    if (text.starts_with("\"main\" ")) in_main_ = true;
    if (auto frame = in_main_ ? parse_java_frame(text) : std::nullopt) frames_.push_back(*std::move(frame));
    return std::nullopt;
  }

  /// Of a main thread without frames nothing is known, and no later process is the one that hung.
  std::optional<Crash> finish() {
    if (!open_) return std::nullopt;
    std::optional<Crash> out;
    if (!told_ && !frames_.empty()) {
      out.emplace().kind = Crash::Kind::anr;
      out->process = process_;
      out->chain.push_back({Thrown::Role::top, "ANR", "", std::move(frames_), 0});
    }
    *this = {};
    told_ = true;
    return out;
  }
  bool open() const { return open_; }

 private:
  bool ends(std::string_view text) const {
    return text.starts_with("----- end ") || text.starts_with("FATAL EXCEPTION") ||
           TombstoneText::begins(text) || (in_main_ && text.empty());
  }

  bool open_ = false, in_main_ = false;
  bool told_ = false;  ///< the first process is over
  std::string process_;
  std::vector<Frame> frames_;
};

/// One thread's lines of one tag.
struct Stream {
  explicit Stream(bool fatal) : java(fatal) {}
  StackText java;
  TombstoneText native;
  AnrText anr;
  VmTraceText vm;
  std::size_t java_line = 0, native_line = 0, anr_line = 0, vm_line = 0;  ///< where the open one began
};

class LogcatReader {
 public:
  std::vector<LogcatCrash> read(std::string_view text) {
    for (const std::string_view line : lines(text)) {
      ++number_;
      take(line);
    }
    for (auto& [key, stream] : streams_) close(stream);
    std::stable_sort(found_.begin(), found_.end(), [](auto& a, auto& b) { return a.line < b.line; });
    return std::move(found_);
  }

 private:
  void take(std::string_view line) {
    const LogLine log = parse_log_line(line);
    if (log.level != 0) {
      last_ = &stream_of(log);
      // Below warning a stack is something the system tells in passing, not a crash.
      quiet_ = log.level == 'V' || log.level == 'D' || log.level == 'I';
      if (!log.package.empty()) last_->java.process_hint(log.package);
      long_ = log.header_only;
      if (long_) return;
    } else if (line.starts_with("--------- ")) {
      return;
    } else if (last_ == nullptr) {
      last_ = &streams_.try_emplace("", true).first->second;
    }
    const bool between = long_ && trim(log.message).empty();     // the blank line that ends each message
    if (!between) feed(last_->vm, last_->vm_line, log.message);  // of any level
    if (!quiet_ && !last_->vm.open()) feed(*last_, log.message);
    if (log.tag == "libc") fatal_signal(log);
  }

  Stream& stream_of(const LogLine& log) {
    std::string key;
    for (const auto part : {log.pid, log.tid, log.tag}) key.append(part).push_back('\n');
    if (streams_.size() >= most_streams && !streams_.contains(key)) {
      for (auto& [k, stream] : streams_) close(stream);
      streams_.clear();
    }
    const bool fatal = log.tag == "AndroidRuntime";
    return streams_.try_emplace(key, fatal).first->second;
  }

  void feed(Stream& s, std::string_view text) {
    feed(s.java, s.java_line, text);
    feed(s.native, s.native_line, text);
    feed(s.anr, s.anr_line, text);
  }

  /// `began` is the line on which what is open in `part` began.
  template <class Part>
  void feed(Part& part, std::size_t& began, std::string_view text) {
    const bool was_open = part.open();
    auto done = part.line(text);
    const bool fresh = !was_open || done;
    keep(std::move(done), began);
    if (fresh) began = number_;
  }

  void close(Stream& s) {
    keep(s.java.finish(), s.java_line);
    keep(s.native.finish(), s.native_line);
    keep(s.anr.finish(), s.anr_line);
    keep(s.vm.finish(), s.vm_line);
  }

  /// "Fatal signal 11 (SIGSEGV), code 1 ... in tid 7 (x), pid 7 (org.app)": kept only if no tombstone
  /// follows.
  void fatal_signal(const LogLine& log) {
    if (!log.message.starts_with("Fatal signal ")) return;
    Crash crash;
    crash.kind = Crash::Kind::native;
    const std::string_view text = log.message;
    const auto a = text.find('('), b = text.find(')');
    if (a >= b || b == text.npos) return;
    const auto open = text.rfind('('), close = text.rfind(')');
    if (open != a && close != text.npos && close > open)
      crash.process = text.substr(open + 1, close - open - 1);
    crash.chain.push_back({Thrown::Role::top,
                           std::string(text.substr(a + 1, b - a - 1)),
                           std::string(without_comma(text.substr(b + 1))),
                           {},
                           0});
    signals_.push_back(found_.size());
    keep(std::move(crash), number_);
  }

  void keep(std::optional<Crash> crash, std::size_t line) {
    if (!crash) return;
    if (crash->kind == Crash::Kind::native && !crash->top().frames.empty() && !signals_.empty()) {
      found_[signals_.back()] = {*std::move(crash), found_[signals_.back()].line};
      signals_.pop_back();
    } else {
      found_.push_back({*std::move(crash), line});
    }
  }

  std::map<std::string, Stream, std::less<>> streams_;
  Stream* last_ = nullptr;
  bool quiet_ = false;
  bool long_ = false;  ///< the last prefix was one of -v long
  std::vector<LogcatCrash> found_;
  std::vector<std::size_t> signals_;  ///< of found_: signals whose tombstone has not come yet
  std::size_t number_ = 0;
};

/// "Event 3: opened the menu" after its keyword.
std::optional<ThemisLine> numbered(ThemisLine::Kind kind, std::string_view text, std::string_view keyword) {
  if (!text.starts_with(keyword)) return std::nullopt;
  text.remove_prefix(keyword.size());
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = to_int(text.substr(0, end));
  if (!number || *number > 1'000'000 || (end < text.size() && text[end] != ':')) return std::nullopt;
  const std::string_view rest = end < text.size() ? trim(text.substr(end + 1)) : std::string_view{};
  return ThemisLine{kind, static_cast<std::int32_t>(*number), std::string(rest), 0};
}

std::optional<ThemisLine> themis_line(std::string_view text) {
  text = trim(text);
  if (auto event = numbered(ThemisLine::Kind::event, text, "Event ")) return event;
  if (auto warning = numbered(ThemisLine::Kind::warning, text, "Warning ")) return warning;
  if (text.starts_with("Crash!"))
    return ThemisLine{ThemisLine::Kind::crash, 0, std::string(trim(text.substr(6))), 0};
  return std::nullopt;
}

}  // namespace

std::vector<LogcatCrash> parse_logcat(std::string_view bytes) {
  const std::string text = to_utf8(bytes);
  return LogcatReader().read(text);
}

bool is_logcat(std::string_view bytes) {
  const std::string text = to_utf8(bytes.substr(0, 64 * 1024));
  std::size_t prefixed = 0, all = 0;
  for (const std::string_view line : lines(text)) {
    if (trim(line).empty()) continue;
    if (line.starts_with("--------- beginning of") || line.starts_with("*** *** ***") ||
        parse_java_frame(line))
      return true;
    ++all;
    prefixed += parse_log_line(line).level != 0;
    if (all >= 200) break;
  }
  return prefixed * 2 > all;
}

std::vector<ThemisLine> themis_lines(std::string_view bytes) {
  const std::string text = to_utf8(bytes);
  std::vector<ThemisLine> tagged, others;
  std::size_t number = 0;
  for (const std::string_view line : lines(text)) {
    ++number;
    const LogLine log = parse_log_line(line);
    auto read = themis_line(log.message);
    if (!read) continue;
    read->line = number;
    (log.tag == "Themis" ? tagged : others).push_back(*std::move(read));
  }
  return tagged.empty() ? others : tagged;
}

}  // namespace norn
