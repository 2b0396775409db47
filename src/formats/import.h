// Whatever somebody has, as traces: recognised by content, never by name alone.
//
// A folder is taken as a whole where it is one recording (SimplyDroid, a DroidBot run), its screen dumps are
// one trace in the order of their names, every other file is looked at by itself, and sub-folders follow.
// What is not taken is named with the reason, so that nothing is lost in silence.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "trace/step.h"

namespace norn {

struct Taken {
  std::string file;    ///< or folder
  std::string format;  ///< one of import_formats()
  Trace trace;
  std::vector<std::string> notes;  ///< what is missing in it or was left out, in sentences
  std::vector<Crash> more;         ///< crashes that came with another one, before any further event
};
struct NotTaken {
  std::string file, why;
};
struct Imported {
  std::vector<Taken> taken;
  std::vector<NotTaken> skipped;
};

/// norn, simplydroid, droidbot, monkey, monkey-log, dumps, logcat.
std::vector<std::string> import_formats();

/// `format`: "auto", or one of import_formats(): then nothing else is tried. An Error only where the path
/// itself cannot be read or the format is unknown. Symbolic links to folders are not followed, what lies
/// beside a store is passed over. Asked to stop it
/// gives what it has: no recording in part, and nothing of what lies behind.
Result<Imported> import_path(const std::filesystem::path& path, std::string_view format = "auto",
                             const std::stop_token& stop = {});

/// What a file is that begins with these bytes, where it is surely no text that somebody logged: a database,
/// an archive, a picture, anything binary that is no UTF-16. Empty: it may be text.
std::string what_no_text_is(std::string_view bytes);

/// What norn and SQLite keep beside a store that is there: its lock, its log, its answers.
bool is_beside_a_store(const std::filesystem::path& path);

/// A crash ends a path: the paths in a recording, in order. What follows a crash begins anew, on the screen that
/// was seen after it, or on one that nobody looked at. Each of `more` is a path without events, at the end.
std::vector<Trace> paths_in(const Taken& recording);

/// The first crash anywhere in it (a Monkey run may have gone on after one), or null.
const Crash* first_crash(const Trace& trace);

}  // namespace norn
