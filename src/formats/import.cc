// Every format is an attempt at a file or a folder: it looks for the mark of its own kind, and says whether the
// thing is dealt with. The first attempt that says so ends the question, so they are tried from the surest mark
// to the vaguest; what none of them took is named and skipped.
#include "formats/import.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "formats/droidbot_run.h"
#include "formats/logcat.h"
#include "formats/monkey.h"
#include "formats/natural_order.h"
#include "formats/screen_reader.h"
#include "formats/simplydroid.h"
#include "formats/trace_json.h"

namespace norn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 200'000;

/// A bracket, and then something that may stand in it: "[INFO] done" is no JSON.
bool looks_like_json(std::string_view head) {
  if (!head.starts_with('{') && !head.starts_with('[')) return false;
  const auto next = head.find_first_not_of(" \t\r\n", 1);
  return next == head.npos ||
         std::string_view("\"{}[]-0123456789tfn").find(head[next]) != std::string_view::npos;
}

/// A device of the kernel at the start of a line, maybe behind the time; with -p and -i a list of them.
bool looks_like_getevent(std::string_view head) {
  const std::vector<std::string_view> all = lines(head.substr(0, 4096));
  return std::ranges::any_of(all, [](std::string_view line) {
    if (line.starts_with('[')) line = trim(line.substr(std::min(line.size(), line.find(']')) + 1));
    return line.starts_with("/dev/input/event") || line.starts_with("add device ");
  });
}

/// UTF-16 has a mark, or every other byte of its beginning is nought.
bool is_utf16(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return true;
  return bytes.size() > 3 && (bytes[0] == 0) != (bytes[1] == 0) && (bytes[2] == 0) == (bytes[0] == 0) &&
         (bytes[3] == 0) == (bytes[1] == 0);
}

/// Noughts, and what is left is no text either: a log that was written across a power loss may have a hole of
/// them.
bool is_binary(std::string_view head) {
  std::size_t noughts = 0, text = 0;
  for (const char c : head) {
    const auto byte = static_cast<unsigned char>(c);
    noughts += byte == 0;
    text += byte == '\n' || byte == '\r' || byte == '\t' || (byte >= 0x20 && byte < 0x7f);
  }
  return noughts > 0 && !is_utf16(head) && 10 * text < 9 * (head.size() - noughts) + 1;
}

/// What a file that holds no trace is: the reason for not taking it.
std::string what_else(std::string_view bytes, std::string_view head) {
  if (bytes.empty()) return "an empty file";
  if (std::string what = what_no_text_is(bytes); !what.empty()) return what;
  if (head.find("<automaton") != head.npos ||
      (head.find("<structure") != head.npos && head.find("<type>") != head.npos))
    return "a JFLAP automaton: give it to norn diagnose";
  if (head.find("ACTIVITY MANAGER") != head.npos || head.find("WINDOW MANAGER") != head.npos)
    return "dumpsys output: it holds no event and no whole screen";
  if (looks_like_getevent(head))
    return "getevent output: what the screen's sensor said, without a screen; record with norn record "
           "instead";
  if (looks_like_json(head)) return "JSON of a kind that norn does not know";
  if (head.starts_with('<')) return "XML of a kind that norn does not know";
  return "text of a kind that norn does not know";
}

bool looks_like_screen(std::string_view head) {
  // At the start of a line: a text that merely speaks of <hierarchy> is none.
  for (auto at = head.find("<hierarchy"); at != head.npos; at = head.find("<hierarchy", at + 1))
    if (at == 0 || head[at - 1] == '\n' || head[at - 1] == '\r' || head[at - 1] == '>') return true;
  if (head.starts_with('{'))
    return head.find("\"views\"") != head.npos && head.find("\"foreground_activity\"") != head.npos;
  if (head.starts_with("<automaton") || head.find("<structure") != head.npos) return false;
  return head.starts_with('<') && head.find("bounds=\"[") != head.npos;
}

/// A dump that failed says so in words.
bool looks_like_failed_dump(std::string_view head) {
  return head.size() < 2000 &&
         (head.find("could not get idle state") != head.npos || head.find("null root node") != head.npos ||
          head.find("UI hierchary dumped to") != head.npos ||
          head.find("UI hierarchy dumped to") != head.npos);
}

/// An error of a line of `file`, with that line; what is wrong with the first one is wrong with the whole
/// file.
std::string with_line(const Error& error, const std::string& file) {
  if (!error.where.starts_with(file + ":")) return error.what;
  const std::string line = error.where.substr(file.size() + 1);
  return line == "1" ? error.what : fmt::format("line {}: {}", line, error.what);
}

struct FoundFile {
  std::string name;  ///< for reports
  std::string_view bytes;
  std::string head;  ///< the first bytes as text, trimmed
};

class Importer {
 public:
  Importer(std::string_view format, std::stop_token stop) : format_(format), stop_(std::move(stop)) {}

  void folder(const fs::path& top) {
    std::vector<fs::path> waiting{top};
    while (!waiting.empty() && !stop_.stop_requested()) {
      const fs::path folder = std::move(waiting.back());
      waiting.pop_back();
      std::vector<fs::path> inner = one_folder(folder);
      std::move(inner.rbegin(), inner.rend(), std::back_inserter(waiting));
    }
  }

  void file(const fs::path& path) {
    const auto bytes = read_recorded(path);
    if (!bytes) return skip(path.string(), bytes.error().what);
    FoundFile source{path.string(), *bytes,
                     std::string(trim(to_utf8(std::string_view(*bytes).substr(0, 64 * 1024))))};
    if (!take(source)) skip(source.name, what_else(source.bytes, source.head));
  }

  Imported finish() { return std::move(out_); }

 private:
  bool wants(std::string_view format) const { return format_ == "auto" || format_ == format; }
  void skip(std::string file, std::string why) { out_.skipped.push_back({std::move(file), std::move(why)}); }
  /// Whether a trace holds anything; one that does not is not taken.
  bool holds_something(const Trace& trace, const std::string& file) {
    const bool something = !trace.steps.empty() || trace.crash() != nullptr;
    if (!something) skip(file, "holds no events and no crash");
    return something;
  }
  Taken& keep(std::string file, std::string format, Trace trace) {
    if (trace.origin.empty()) trace.origin = file;
    return out_.taken.emplace_back(Taken{std::move(file), std::move(format), std::move(trace), {}, {}});
  }

  // ---- folders ----

  /// Returns the sub-folders that are still to be looked at, in order.
  std::vector<fs::path> one_folder(const fs::path& folder) {
    if (wants("simplydroid") && simplydroid(folder)) return {};
    if (wants("droidbot") && droidbot(folder)) return {};
    std::vector<fs::path> files, folders;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      if (it->is_directory(ignored) && !it->is_symlink(ignored))
        folders.push_back(it->path());
      else if (it->is_directory(ignored))
        skip(it->path().string(), "a link to a folder: it is not followed");
      else if (!is_beside_a_store(it->path()))
        files.push_back(it->path());
    }
    if (error) skip(folder.string(), "cannot be listed: " + error.message());
    const auto by_name = [](const fs::path& a, const fs::path& b) {
      return natural_less(a.string(), b.string());
    };
    std::sort(files.begin(), files.end(), by_name);
    std::sort(folders.begin(), folders.end(), by_name);
    const std::size_t before = dumps_.size();
    for (const fs::path& path : files) {
      if (stop_.stop_requested()) return dumps_.resize(before), std::vector<fs::path>{};
      if (++seen_ > most_files) {
        skip(folder.string(), fmt::format("more than {} files: import a part of it", most_files));
        return {};
      }
      file(path);
    }
    if (dumps_.size() > before) keep_dumps(folder.string());
    return folders;
  }

  bool simplydroid(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_regular_file(folder / "script.log", ignored) ||
        !fs::is_regular_file(folder / "execute.log", ignored))
      return false;
    const auto script = read_recorded(folder / "script.log"),
               execution = read_recorded(folder / "execute.log");
    if (!script || !execution || !is_simplydroid_execution(*execution)) return false;
    auto trace = parse_simplydroid(*script, *execution, folder.string());
    if (!trace) return skip(folder.string(), trace.error().what), true;
    const std::size_t events = parse_monkey_script(*script, "").value_or(MonkeyScript{}).events.size();
    const std::size_t taken = trace->steps.size();
    Taken& kept = keep(folder.string(), "simplydroid", *std::move(trace));
    if (events != taken)
      kept.notes.push_back(fmt::format("the script has {} events, {} were executed", events, taken));
    return true;
  }

  bool droidbot(const fs::path& folder) {
    if (!is_droidbot_run(folder)) return false;
    auto run = read_droidbot_run(folder, stop_);
    if (!run) return skip(folder.string(), run.error().what), true;
    Taken& kept = keep(folder.string(), "droidbot", std::move(run->trace));
    kept.more = std::move(run->more);
    if (run->missing_states > 0)
      kept.notes.push_back(fmt::format("{} references to states that have no file", run->missing_states));
    if (run->unreadable > 0)
      kept.notes.push_back(
          fmt::format("{} files that cannot be read, the first: {}", run->unreadable, run->first_unreadable));
    if (run->graph_only)
      kept.notes.push_back("only the transition graph: screens without widgets, views by their hash");
    for (const Crash& crash : run->crashes)
      kept.notes.push_back("in logcat.txt, step unknown: " + headline(crash));
    return true;
  }

  // ---- dumps: collected while the files of a folder are read ----

  struct Dump {
    std::string file;
    Screen screen;
  };

  void keep_dumps(const std::string& folder) {
    Trace trace;
    for (Dump& dump : dumps_) {
      if (!trace.start) {
        trace.start.emplace().screen = std::move(dump.screen);
        continue;
      }
      Step step{Raw{"dumps", fs::path(dump.file).filename().string()}, {}};
      step.seen.screen = std::move(dump.screen);
      trace.steps.push_back(std::move(step));
    }
    const std::string name = dumps_.size() == 1 ? dumps_[0].file : folder;
    const std::size_t n = dumps_.size();
    dumps_.clear();
    Taken& kept = keep(name, "dumps", std::move(trace));
    if (n > 1)
      kept.notes.push_back(fmt::format(
          "{} screens in the order of their names; what led from one to the next is not known", n));
  }

  // ---- files: each tries one format and says whether the file is dealt with ----

  bool take(const FoundFile& s) {
    using Try = bool (Importer::*)(const FoundFile&);
    constexpr Try all[] = {&Importer::norn_trace, &Importer::execution_alone,
                           &Importer::monkey_log, &Importer::monkey_script,
                           &Importer::dump,       &Importer::logcat};
    return std::any_of(std::begin(all), std::end(all), [&](Try attempt) { return (this->*attempt)(s); });
  }

  bool norn_trace(const FoundFile& s) {
    if (!wants("norn") || !is_trace_json(s.bytes)) return false;
    auto read = read_trace(s.bytes, s.name);
    if (!read) return skip(s.name, with_line(read.error(), s.name)), true;
    if (!holds_something(read->trace, s.name)) return true;
    keep(s.name, "norn", std::move(read->trace)).notes = std::move(read->warnings);
    return true;
  }

  bool execution_alone(const FoundFile& s) {
    if (format_ != "auto" || !is_simplydroid_execution(s.bytes)) return false;
    skip(s.name,
         "an execution log of SimplyDroid: its script.log must lie beside it, and the folder be imported");
    return true;
  }

  bool monkey_log(const FoundFile& s) {
    if (!wants("monkey-log") || !is_monkey_log(s.bytes)) return false;
    auto runs = parse_monkey_log(s.bytes, s.name, stop_);
    if (!runs) return skip(s.name, runs.error().what), true;
    for (MonkeyRun& run : *runs) {
      if (!holds_something(run.trace, s.name)) continue;
      Taken& kept = keep(s.name, "monkey-log", std::move(run.trace));
      kept.more = std::move(run.more);
      if (run.seed) kept.notes.push_back(fmt::format("seed {}", *run.seed));
      for (const auto& [what, n] : run.left_out)
        kept.notes.push_back(fmt::format("left out: {} {}", n, what));
      if (!run.finished && !run.aborted) kept.notes.emplace_back("it ends before Monkey had finished");
      if (run.aborted && run.crashes == 0)
        kept.notes.emplace_back("Monkey aborted, but the log holds no crash");
    }
    return true;
  }

  bool monkey_script(const FoundFile& s) {
    if (!wants("monkey") || !is_monkey_script(s.bytes)) return false;
    auto script = parse_monkey_script(s.bytes, s.name);
    if (!script) return skip(s.name, script.error().what), true;
    Trace trace;
    for (Event& event : script->events) {
      Step step{std::move(event), {}};
      step.seen.screen.kind = Screen::Kind::unseen;
      trace.steps.push_back(std::move(step));
    }
    Taken& kept = keep(s.name, "monkey", std::move(trace));
    if (!script->skipped.empty())
      kept.notes.push_back(
          fmt::format("{} lines are no command, the first: {}", script->skipped.size(), script->skipped[0]));
    return true;
  }

  bool dump(const FoundFile& s) {
    if (!wants("dumps")) return false;
    const bool failed = looks_like_failed_dump(s.head);
    if (!looks_like_screen(s.head) && !failed) return false;
    auto screen = parse_screen(s.bytes, s.name);
    if (screen)
      dumps_.push_back({s.name, *std::move(screen)});
    else
      skip(s.name, screen.error().what);
    return true;
  }

  bool logcat(const FoundFile& s) {
    if (!wants("logcat") || !is_logcat(s.bytes)) return false;
    const auto found = parse_logcat(s.bytes);
    if (found.empty()) {
      const std::size_t themis = themis_lines(s.bytes).size();
      skip(s.name,
           themis > 0
               ? fmt::format("a log without a crash, with {} Themis lines: give it to norn diagnose", themis)
               : "a log without a crash");
      return true;
    }
    // What the app caught itself counts only where nothing worse is in the log.
    const bool fatal = std::any_of(found.begin(), found.end(), [](auto& f) { return !f.crash.handled; });
    std::map<std::uint64_t, std::pair<const LogcatCrash*, std::size_t>> distinct;
    std::vector<std::uint64_t> order;
    std::size_t handled = 0;
    for (const LogcatCrash& f : found) {
      if (fatal && f.crash.handled) {
        ++handled;
        continue;
      }
      auto [at, fresh] = distinct.try_emplace(signature(f.crash, Sameness::frames), &f, 0);
      ++at->second.second;
      if (fresh) order.push_back(at->first);
    }
    for (const std::uint64_t hash : order)
      keep_crash(s.name, *distinct[hash].first, distinct[hash].second, handled);
    return true;
  }

  void keep_crash(const std::string& file, const LogcatCrash& found, std::size_t times, std::size_t handled) {
    Trace trace;
    trace.start.emplace().screen.kind = Screen::Kind::unseen;
    trace.start->screen.package = found.crash.process;
    trace.start->crash = found.crash;
    Taken& kept = keep(file, "logcat", std::move(trace));
    kept.notes.push_back(fmt::format("line {}: a crash without its events", found.line));
    if (times > 1) kept.notes.push_back(fmt::format("{} times in this log", times));
    if (handled > 0)
      kept.notes.push_back(fmt::format("{} exceptions that were caught were left out", handled));
  }

 public:
  /// A dump that was given by itself.
  void flush_dumps() {
    if (!dumps_.empty()) keep_dumps(dumps_[0].file);
  }

 private:
  std::string_view format_;
  std::stop_token stop_;
  Imported out_;
  std::vector<Dump> dumps_;
  std::size_t seen_ = 0;
};

}  // namespace

std::string what_no_text_is(std::string_view bytes) {
  if (bytes.starts_with(std::string_view("\x01\xc0\xc0", 3)))
    return "JaCoCo execution data: coverage without events";
  if (bytes.starts_with("\x89PNG") || bytes.starts_with("\xff\xd8\xff")) return "a picture";
  if (bytes.starts_with("PK\x03\x04")) return "an archive (zip, jar, apk): unpack it first";
  if (bytes.starts_with("\x1f\x8b") ||
      bytes.starts_with("\xfd"
                        "7zXZ") ||
      bytes.starts_with("\x28\xb5\x2f\xfd"))
    return "compressed: unpack it first";
  if (bytes.starts_with("SQLite format 3")) return "a database: open it with --store";
  if (is_binary(bytes.substr(0, 4096))) return "a binary file of a kind that norn does not know";
  return {};
}

bool is_beside_a_store(const fs::path& path) {
  const std::string name = path.string();
  return std::ranges::any_of(std::array{"-lock", "-wal", "-shm", "-answers"}, [&](std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    std::ifstream store(name.substr(0, name.size() - ending.size()), std::ios::binary);
    std::array<char, database_mark.size()> head{};
    store.read(head.data(), head.size());
    return std::string_view(head.data(), head.size()) == database_mark;
  });
}

std::vector<std::string> import_formats() {
  return {"norn", "simplydroid", "droidbot", "monkey", "monkey-log", "dumps", "logcat"};
}

Result<Imported> import_path(const fs::path& path, std::string_view format, const std::stop_token& stop) {
  const auto known = import_formats();
  if (format != "auto" && std::find(known.begin(), known.end(), format) == known.end()) {
    const auto near = did_you_mean(format, known);
    return fail(Error::Kind::bad_input, fmt::format("there is no format called {}", std::string(format)), "",
                near ? "did you mean " + *near + "?" : "");
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return fail(Error::Kind::not_found, "no such file or folder", path.string());
  Importer importer(format, stop);
  if (fs::is_directory(status))
    importer.folder(path);
  else
    importer.file(path);
  importer.flush_dumps();
  return importer.finish();
}

std::vector<Trace> paths_in(const Taken& recording) {
  std::vector<Trace> out;
  Trace path{recording.trace.origin, recording.trace.start, {}};
  const auto end_at = [&](const Observation& crashed) {
    out.push_back(std::move(path));
    path = {recording.trace.origin, std::nullopt, {}};
    if (crashed.screen.kind == Screen::Kind::unseen) return;
    path.start.emplace().screen = crashed.screen;
    path.start->at = crashed.at;
  };
  if (path.start && path.start->crash) end_at(*recording.trace.start);
  for (const Step& step : recording.trace.steps) {
    path.steps.push_back(step);
    if (step.seen.crash) end_at(step.seen);
  }
  if (!path.steps.empty() || out.empty()) out.push_back(std::move(path));
  for (const Crash& crash : recording.more) {
    Trace& alone = out.emplace_back(Trace{recording.trace.origin, Observation{}, {}});
    alone.start->screen.kind = Screen::Kind::unseen;
    alone.start->screen.package = crash.process;
    alone.start->crash = crash;
  }
  return out;
}

const Crash* first_crash(const Trace& trace) {
  if (trace.start && trace.start->crash) return &*trace.start->crash;
  for (const Step& step : trace.steps)
    if (step.seen.crash) return &*step.seen.crash;
  return nullptr;
}

}  // namespace norn
