// JaCoCo execution data (.exec, .ec): which probes of which classes were hit. A file is a row of blocks,
// big-endian, and two files one after the other are a file again:
//
//     01 C0C0 1007                        header: magic, version; may recur anywhere
//     10 utf id, i64 start, i64 dump      session
//     11 i64 id, utf name, probes         class; probes: how many (var-int), then bits, least significant
//     first
//
// Probe sets suffice for "the same coverage": class files would be needed only to name source lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "trace/coverage.h"

namespace norn {

struct JacocoSession {
  std::string id;
  std::int64_t start = 0, dump = 0;  ///< milliseconds since 1970
  auto operator<=>(const JacocoSession&) const = default;
};
struct JacocoClass {
  std::string name;  ///< org/app/Main$1
  std::vector<bool> probes;
  bool operator==(const JacocoClass&) const = default;
};
struct JacocoData {
  std::vector<JacocoSession> sessions;           ///< in file order
  std::map<std::uint64_t, JacocoClass> classes;  ///< by class id: a checksum of the class file
  bool operator==(const JacocoData&) const = default;
};

/// Versions 0x1006 and 0x1007. A class that occurs twice is merged. An EMMA file, another version, a cut-off
/// file and anything else is an Error that names the byte.
Result<JacocoData> parse_jacoco(std::string_view bytes, std::string_view file);
/// Version 0x1007. parse(write(d)) == d, as long as names are UTF-8 of at most 65,535 bytes (longer ones are
/// cut).
std::string write_jacoco(const JacocoData& data);
/// Adds `from` to `into`. A class with another name or number of probes under the same id is an Error, and
/// `into` is left as it was: the two come from different builds.
Status merge_jacoco(JacocoData& into, const JacocoData& from);

/// Gives every probe its coverage id: classes in the order in which they were first seen, probes within a
/// class one after another. The table only grows, so ids stay; it is kept with the app, and whoever reads it
/// from there gives the same ids in every process and on every device.
class ProbeTable {
 public:
  /// What was hit, as coverage ids; classes that are new are added (by name and id within one file). A class
  /// with another number of probes is an Error: the app was built anew.
  Result<Coverage> coverage(const JacocoData& data);

  struct Probe {
    std::string_view class_name;
    std::uint32_t probe = 0;
  };
  /// Whose id this is; nothing beyond the table.
  std::optional<Probe> probe_of(std::uint32_t id) const;
  std::uint32_t size() const { return next_; }  ///< ids given so far: 0 .. size() - 1

  /// Lines of text: a heading, then `class-id probes name` each, in order.
  std::string serialise() const;
  static Result<ProbeTable> parse(std::string_view text, std::string_view file);

 private:
  struct Entry {
    std::uint64_t id;
    std::string name;
    std::uint32_t first, probes;
  };
  Status add(std::uint64_t id, std::string name, std::uint64_t probes);
  Status check(const JacocoData& data) const;

  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::size_t> by_class_;
  std::uint32_t next_ = 0;
};

}  // namespace norn
