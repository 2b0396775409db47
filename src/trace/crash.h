// A crash, and the one definition of "the same crash".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace norn {

struct Frame {
  std::string function;   ///< org.app.Main.onClick; a native symbol; a Lua function
  std::string file;       ///< Main.java, libc.so, notes.lua; may be empty
  std::int32_t line = 0;  ///< 0: unknown (native: the offset is not kept, it moves with every build)
  bool operator==(const Frame&) const = default;
};

/// One exception of a chain.
struct Thrown {
  enum class Role : std::uint8_t { top, cause, suppressed };
  Role role = Role::top;
  std::string type;  ///< java.lang.NullPointerException, SIGSEGV, ANR
  std::string message;
  std::vector<Frame> frames;
  std::int32_t more = 0;  ///< "... n more": frames shared with the enclosing one
  bool operator==(const Thrown&) const = default;
};

struct Crash {
  enum class Kind : std::uint8_t { exception, native, anr };
  Kind kind = Kind::exception;
  std::string process;        ///< may be empty
  std::vector<Thrown> chain;  ///< outermost first; never empty
  bool handled = false;  ///< reported by the app itself (ACRA, System.err), the process may have lived on
  bool operator==(const Crash&) const = default;

  const Thrown& top() const { return chain.front(); }
  /// The innermost cause: what went wrong first.
  const Thrown& root() const;
};

/// How alike two crashes must be to be the same.
enum class Sameness : std::uint8_t {
  exact,   ///< types, messages and every frame with its line, of the whole chain (SimplyDroid's rule)
  frames,  ///< types and every frame without messages, line numbers, synthetic suffixes and system plumbing:
           ///< the default
  top_frames,  ///< type of the innermost cause and its first three frames
};
std::optional<Sameness> sameness_by_name(std::string_view name);
std::string_view name_of(Sameness sameness);

/// Equal iff the crashes are the same at that level. docs/crashes.md lists what each level normalises.
std::uint64_t signature(const Crash& crash, Sameness sameness);
/// For people: "NullPointerException at MessageCompose.onAddCcBcc (MessageCompose.java:2016)".
std::string headline(const Crash& crash);

}  // namespace norn
