// Coverage: a set of ids that are stable for an app version (source lines, probes), on a roaring bitmap.
#pragma once

#include <cstdint>
#include <roaring/roaring.hh>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace norn {

class Coverage {
 public:
  Coverage() = default;
  explicit Coverage(std::span<const std::uint32_t> ids) { set_.addMany(ids.size(), ids.data()); }

  void add(std::uint32_t id) { set_.add(id); }
  bool contains(std::uint32_t id) const { return set_.contains(id); }
  std::uint64_t count() const { return set_.cardinality(); }
  bool empty() const { return set_.isEmpty(); }
  bool within(const Coverage& other) const { return set_.isSubset(other.set_); }
  std::vector<std::uint32_t> ids() const;

  Coverage& operator|=(const Coverage& o) {
    set_ |= o.set_;
    return *this;
  }
  Coverage& operator&=(const Coverage& o) {
    set_ &= o.set_;
    return *this;
  }
  Coverage& operator-=(const Coverage& o) {
    set_ -= o.set_;
    return *this;
  }
  friend Coverage operator|(Coverage a, const Coverage& b) { return a |= b; }
  friend Coverage operator&(Coverage a, const Coverage& b) { return a &= b; }
  friend Coverage operator-(Coverage a, const Coverage& b) { return a -= b; }
  /// Size of this minus other, without building it.
  std::uint64_t count_beyond(const Coverage& other) const {
    return count() - set_.and_cardinality(other.set_);
  }
  bool operator==(const Coverage& o) const { return set_ == o.set_; }

  std::uint64_t hash() const;
  std::string serialise() const;
  /// Refuses bytes that are no bitmap.
  static Result<Coverage> parse(std::string_view bytes);

 private:
  Roaring set_;
};

}  // namespace norn
