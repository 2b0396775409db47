// Coverage: a set of ids that are stable for an app version (source lines, functions, probes), on a roaring
// bitmap. The bitmap's own header stays out of this one: it is read by nearly every file, and would be a
// third of what most of them cost to compile.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

class Roaring;

namespace norn {

class Coverage {
 public:
  Coverage();
  explicit Coverage(std::span<const std::uint32_t> ids);
  Coverage(const Coverage& other);
  Coverage(Coverage&& other) noexcept;
  Coverage& operator=(const Coverage& other);
  Coverage& operator=(Coverage&& other) noexcept;
  ~Coverage();

  void add(std::uint32_t id);
  bool contains(std::uint32_t id) const;
  std::uint64_t count() const;
  std::uint64_t count_below(std::uint32_t id) const;
  bool empty() const;
  bool within(const Coverage& other) const;
  std::vector<std::uint32_t> ids() const;

  Coverage& operator|=(const Coverage& o);
  Coverage& operator&=(const Coverage& o);
  Coverage& operator-=(const Coverage& o);
  friend Coverage operator|(Coverage a, const Coverage& b) { return std::move(a |= b); }
  friend Coverage operator&(Coverage a, const Coverage& b) { return std::move(a &= b); }
  friend Coverage operator-(Coverage a, const Coverage& b) { return std::move(a -= b); }
  /// Size of this minus other, without building it.
  std::uint64_t count_beyond(const Coverage& other) const;
  bool operator==(const Coverage& o) const;

  std::uint64_t hash() const;
  std::string serialise() const;
  /// Refuses bytes that are no bitmap.
  static Result<Coverage> parse(std::string_view bytes);

 private:
  Roaring& own();  ///< the set, made when there is none yet

  std::unique_ptr<Roaring> set_;  ///< null: empty
};

/// What the ids of one app stand for: lines of its source (or probes), and from `first_function` on its
/// functions.
struct Coverable {
  std::uint64_t lines = 0, functions = 0;  ///< how many there are; 0 where unknown
  std::uint32_t first_function = UINT32_MAX;

  std::uint64_t total() const { return lines + functions; }
  std::uint64_t lines_of(const Coverage& hit) const { return hit.count_below(first_function); }
  std::uint64_t functions_of(const Coverage& hit) const { return hit.count() - lines_of(hit); }
};

}  // namespace norn
