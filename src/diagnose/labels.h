// Logs in: from text to a stream of small codes.
//
// A testing tool may log for hours, so nothing here keeps a log: text goes in by chunks, batches of codes
// come out, and memory stays the same. A code is the index of a label of the automaton, or a signal: the app
// was started anew, it crashed, another run begins.
//
// Three kinds of text are understood:
//   handler logs   logcat (any -v format) with lines of tag Themis: `Event 3: ...`, `Warning 2: ...`,
//   `Crash!`;
//                  also `Relaunch`, `Clean start`, `Run ...` for whoever writes such logs. A new process id
//                  on Themis lines is a relaunch; "clear data" of the activity manager is a clean start. logcat heads
//                  each of its buffers once (`--------- beginning of main`): a second such head is another run.
//   bare messages  the same without tag (logcat -v raw).
//   plain lists    labels between white space and commas; `@relaunch`, `@clean`, `@crash`, `@other-crash`,
//   `@run`; # comments.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "diagnose/automaton.h"
#include "diagnose/crash_check.h"

namespace norn {

/// Codes that are no labels. Labels are below DfaLimits::labels; `warning + label` is a warning for that
/// label.
namespace signal {
inline constexpr Label warning = 0x8000;
inline constexpr Label relaunch = 0xff00;     ///< started again, data kept
inline constexpr Label clean_start = 0xff01;  ///< started with clean data
inline constexpr Label crash = 0xff02;
inline constexpr Label next_run = 0xff03;     ///< what follows is another run
inline constexpr Label unknown = 0xff04;      ///< an event that is no label of this automaton: no pivot event
inline constexpr Label undecided = 0xff05;    ///< may have been a pivot event; the record cannot prove it
inline constexpr Label other_crash = 0xff06;  ///< a crash, but not the bug's
}  // namespace signal

struct LabelBatch {
  std::span<const Label> codes;
  std::span<const double> seconds;  ///< since the run's first line; empty where unknown, else one per code
};
using LabelSink = std::function<void(const LabelBatch&)>;

/// Finds labels by what logs call them: event 10 is label "10", or "a" where labels are single characters.
class Alphabet {
 public:
  explicit Alphabet(const std::vector<std::string>& labels);
  std::optional<Label> find(std::string_view word) const;
  /// What a handler says ("tap x: the row was tapped"): all of it up to a colon, else the longest label that it
  /// begins with and that ends where a word does.
  std::optional<Label> at_the_head_of(std::string_view text) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, Label, Hash, std::equal_to<>> index_;
  std::size_t longest_ = 0;        ///< characters
  std::array<Label, 256> single_;  ///< words of one character; signal::unknown where there is none
};

struct LogOptions {
  enum class Format : std::uint8_t { automatic, handler, plain };
  Format format = Format::automatic;  ///< automatic: by the first line that shows which
  std::string package;                ///< when given, its process starts count as relaunches
  /// Themis' crash check: a stack in the log is the bug's crash when each of these occurs in some line of it.
  std::vector<std::string> crash_signature;
};

/// Gathers codes into batches for a sink.
class Batcher {
 public:
  explicit Batcher(LabelSink sink) : sink_(std::move(sink)) {}
  void put(Label code, std::optional<double> seconds = {});
  void flush();

 private:
  LabelSink sink_;
  std::vector<Label> codes_;
  std::vector<double> seconds_;
  bool timed_ = false;
};

/// Takes text in pieces of any size; what comes out does not depend on where they were cut.
class LogParser {
 public:
  LogParser(const Alphabet& alphabet, LogOptions options, LabelSink sink);
  void feed(std::string_view bytes);
  /// The last line, if it had no end, and the last batch.
  void finish();

 private:
  enum class Width : std::uint8_t { undecided, bytes, utf16_little, utf16_big };
  enum class Ends : std::uint8_t { undecided, newlines, returns };  ///< of lines; "\r\n" is a newline
  /// Lines that belong to a header of -v long.
  enum class Headed : std::uint8_t { not_at_all, ours, system, others };

  std::string_view narrowed(std::string_view bytes);
  void decoded(std::string_view text);
  void split(std::string_view text);
  void go_on(std::string_view text);
  void whole_lines(std::string_view text);
  void line(std::string_view text);
  void choose_format(std::string_view text);
  void plain_line(std::string_view text);
  std::size_t plain_piece(std::string_view text);
  void plain_word(std::string_view word);
  void handler_line(std::string_view text);
  bool header(std::string_view text);
  void tagged_line(std::string_view text);
  void message(std::string_view line, std::string_view text);
  void system_line(std::string_view text);
  void buffer_head(std::string_view text);
  void next_run(std::string_view line);
  void note_process(std::string_view process, std::string_view line);
  void process_started(std::string_view text);
  void put(Label code, std::string_view line);

  const Alphabet& alphabet_;
  LogOptions options_;
  Batcher out_;
  CrashCheck crash_;
  Width width_ = Width::undecided;
  std::string head_, narrow_;  ///< bytes before the encoding is known; UTF-16 made narrow
  Ends ends_ = Ends::undecided;
  std::size_t returns_ = 0;  ///< held back: a lone one ends a line, before a newline they are part of its end
  std::string lines_;        ///< text whose lines ended in returns
  std::string carry_;        ///< the line that is not complete yet
  bool overlong_ = false;    ///< the rest of this line is dropped
  bool continued_ = false;   ///< the beginning of this line is done with
  bool commented_ = false;   ///< a # came: the rest of this list's line is a comment
  bool tagged_ = false;      ///< every message has a tag: lines without one of ours need no look
  Headed headed_ = Headed::not_at_all;
  std::string head_line_;  ///< the last header, from its time on
  std::optional<double> first_time_;
  double last_time_ = 0;
  std::set<std::int64_t> processes_;
  std::int64_t process_ = -1;                   ///< the last one
  std::set<std::string, std::less<>> buffers_;  ///< of logcat, seen in this run
};

/// Reads a file through a LogParser, a megabyte at a time. Returns how many bytes there were.
Result<std::uint64_t> read_log(const std::filesystem::path& path, const Alphabet& alphabet,
                               const LogOptions& options, const LabelSink& sink);

}  // namespace norn
