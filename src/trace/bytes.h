// Small numbers in few bytes: LEB128 variable-length integers, zigzag for signed ones, length-prefixed text.
// The reader never reads past its end: a damaged record makes it `bad()`, and everything read after that is 0
// or empty.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace norn {

class ByteWriter {
 public:
  void number(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) out_.push_back(static_cast<char>(0x80 | (n & 0x7f)));
    out_.push_back(static_cast<char>(n));
  }
  void signed_number(std::int64_t n) {
    number((static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63));
  }
  void fixed64(std::uint64_t n) {
    for (int i = 0; i < 8; ++i) out_.push_back(static_cast<char>(n >> (8 * i)));
  }
  void text(std::string_view t) {
    number(t.size());
    out_.append(t);
  }
  const std::string& bytes() const& { return out_; }
  std::string bytes() && { return std::move(out_); }
  void clear() { out_.clear(); }

 private:
  std::string out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t n = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      n |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return n;
    }
    return spoil();
  }
  std::int64_t signed_number() {
    const std::uint64_t n = number();
    return static_cast<std::int64_t>((n >> 1) ^ (0 - (n & 1)));
  }
  std::int32_t small() { return static_cast<std::int32_t>(signed_number()); }
  std::uint64_t fixed64() {
    if (rest_.size() < 8) return spoil();
    std::uint64_t n = 0;
    for (int i = 0; i < 8; ++i)
      n |= std::uint64_t{static_cast<unsigned char>(rest_[static_cast<std::size_t>(i)])} << (8 * i);
    rest_.remove_prefix(8);
    return n;
  }
  std::string_view text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) {
      spoil();
      return {};
    }
    const std::string_view t = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return t;
  }
  /// A count of things that take at least one byte each: never more than there are bytes left.
  std::size_t count() {
    const std::uint64_t n = number();
    return n <= rest_.size() ? static_cast<std::size_t>(n) : static_cast<std::size_t>(spoil());
  }
  bool bad() const { return bad_; }
  bool done() const { return !bad_ && rest_.empty(); }
  std::size_t left() const { return rest_.size(); }

 private:
  std::uint64_t spoil() {
    bad_ = true;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool bad_ = false;
};

}  // namespace norn
