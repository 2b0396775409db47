#include "formats/jacoco.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "formats/screen_text.h"

namespace norn {
namespace {

using Kind = Error::Kind;

constexpr unsigned char header_block = 0x01, session_block = 0x10, class_block = 0x11;
constexpr std::uint64_t magic = 0xc0c0, newest = 0x1007, oldest = 0x1006;

/// Takes numbers and texts off the front; after the first one that is not there, everything is zero.
class JacocoReader {
 public:
  explicit JacocoReader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  bool ok() const { return ok_; }
  std::size_t offset() const { return at_; }

  std::uint64_t number(std::size_t width) {
    if (!have(width)) return 0;
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < width; ++i) n = (n << 8) | byte();
    return n;
  }
  std::string text() {
    const std::size_t size = number(2);
    if (!have(size)) return {};
    at_ += size;
    std::string out = join_surrogates(bytes_.substr(at_ - size, size));
    ok_ = ok_ && is_utf8(out);
    return out;
  }
  std::vector<bool> probes() {
    const std::uint64_t count = var_int();
    if (!have((count + 7) / 8)) return {};
    std::vector<bool> out(count);
    unsigned buffer = 0;
    for (std::size_t i = 0; i < count; ++i, buffer >>= 1) {
      if (i % 8 == 0) buffer = byte();
      out[i] = (buffer & 1) != 0;
    }
    return out;
  }

 private:
  unsigned char byte() { return static_cast<unsigned char>(bytes_[at_++]); }
  bool have(std::size_t n) { return ok_ = ok_ && bytes_.size() - at_ >= n; }
  std::uint64_t var_int() {
    std::uint64_t n = 0;
    for (int shift = 0; shift < 35 && have(1); shift += 7) {
      const unsigned char b = byte();
      n |= static_cast<std::uint64_t>(b & 0x7f) << shift;
      if ((b & 0x80) == 0) return n;
    }
    ok_ = false;
    return 0;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

std::string at_byte(std::string_view file, std::size_t offset) {
  return fmt::format("{}: byte {}", file, offset);
}

Status check_start(std::string_view bytes, std::string_view file) {
  const std::string where(file);
  if (bytes.empty()) return fail(Kind::bad_input, "the file is empty", where, "the app wrote no coverage");
  if (bytes.starts_with("EMMA"))
    return fail(Kind::unsupported, "an EMMA coverage file, not JaCoCo's", where,
                "only JaCoCo writes .exec/.ec files that can be read; build with JaCoCo");
  if (static_cast<unsigned char>(bytes.front()) == header_block) return {};
  return fail(Kind::bad_input,
              fmt::format("not JaCoCo execution data: begins with \"{}\"",
                          printable(shorten(to_utf8(bytes.substr(0, 32)), 40))),
              where, "a .exec or .ec file begins with the bytes 01 C0 C0");
}

Status check_header(JacocoReader& in, std::string_view file) {
  const std::size_t start = in.offset();
  const std::uint64_t found = in.number(2), version = in.number(2);
  if (!in.ok()) return {};
  if (found != magic)
    return fail(Kind::bad_input, "not JaCoCo execution data: wrong magic number", at_byte(file, start));
  if (version >= oldest && version <= newest) return {};
  return fail(Kind::unsupported, fmt::format("execution data of version {:#x}", version),
              at_byte(file, start), "versions 0x1006 and 0x1007 can be read");
}

Status merge_class(JacocoData& into, std::uint64_t id, const JacocoClass& from) {
  const auto [it, is_new] = into.classes.try_emplace(id, from);
  JacocoClass& known = it->second;
  if (is_new) return {};
  if (known.name != from.name || known.probes.size() != from.probes.size())
    return fail(Kind::bad_input,
                fmt::format("class {} has {} probes here, {} with {} before", printable(from.name),
                            from.probes.size(), printable(known.name), known.probes.size()),
                {}, "the files come from different builds of the app");
  for (std::size_t i = 0; i < from.probes.size(); ++i)
    if (from.probes[i]) known.probes[i] = true;
  return {};
}

Status read_class(JacocoReader& in, JacocoData& data) {
  const std::uint64_t id = in.number(8);
  JacocoClass found{in.text(), {}};
  found.probes = in.probes();
  return in.ok() ? merge_class(data, id, found) : Status{};
}

Status read_block(JacocoReader& in, JacocoData& data, std::string_view file) {
  const std::size_t start = in.offset();
  const auto kind = in.number(1);
  if (kind == header_block) return check_header(in, file);
  if (kind == class_block) return read_class(in, data);
  if (kind != session_block)
    return fail(Kind::bad_input, fmt::format("unknown block {:#04x}", kind), at_byte(file, start),
                "the file is damaged, or text was appended to it");
  JacocoSession session{in.text(), 0, 0};
  session.start = static_cast<std::int64_t>(in.number(8)),
  session.dump = static_cast<std::int64_t>(in.number(8));
  data.sessions.push_back(std::move(session));
  return {};
}

class JacocoWriter {
 public:
  void number(std::uint64_t n, std::size_t width) {
    for (std::size_t i = width; i-- > 0;) out += static_cast<char>(n >> (8 * i));
  }
  /// Java's modified UTF-8: a character beyond the basic plane is two surrogates of three bytes each.
  void text(std::string_view utf8) {
    std::string bytes;
    for (std::size_t i = 0; i < utf8.size();) {
      const auto lead = static_cast<unsigned char>(utf8[i]);
      const std::size_t width = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      const std::string piece = encode(utf8.substr(i, width));
      if (bytes.size() + piece.size() > 0xffff) break;
      bytes += piece;
      i += width;
    }
    number(bytes.size(), 2);
    out += bytes;
  }
  void probes(const std::vector<bool>& bits) {
    std::uint64_t n = bits.size();
    for (; n >= 0x80; n >>= 7) number((n & 0x7f) | 0x80, 1);
    number(n, 1);
    for (std::size_t i = 0; i < bits.size(); i += 8) {
      unsigned buffer = 0;
      for (std::size_t k = 0; k < 8 && i + k < bits.size(); ++k)
        buffer |= static_cast<unsigned>(bits[i + k]) << k;
      number(buffer, 1);
    }
  }
  std::string out;

 private:
  static std::string encode(std::string_view c) {
    if (c.size() < 4) return std::string(c);
    const auto low = [&](std::size_t i) { return static_cast<unsigned>(c[i]) & 0x3f; };
    const unsigned point =
        ((static_cast<unsigned>(c[0]) & 7) << 18 | low(1) << 12 | low(2) << 6 | low(3)) - 0x10000;
    std::string out;
    for (const unsigned half : {0xd800 + (point >> 10), 0xdc00 + (point & 0x3ff)})
      for (const unsigned byte : {0xe0 | (half >> 12), 0x80 | ((half >> 6) & 0x3f), 0x80 | (half & 0x3f)})
        out += static_cast<char>(byte);
    return out;
  }
};

}  // namespace

Result<JacocoData> parse_jacoco(std::string_view bytes, std::string_view file) {
  NORN_CHECK(check_start(bytes, file));
  JacocoData data;
  JacocoReader in(bytes);
  while (!in.at_end()) {
    const std::size_t start = in.offset();
    if (Status status = read_block(in, data, file); !status) {
      if (status.error().where.empty()) status.error().where = at_byte(file, start);
      return std::unexpected(std::move(status).error());
    }
    if (!in.ok())
      return fail(Kind::bad_input, "the execution data is cut off or damaged in this block",
                  at_byte(file, start), "the app may have been killed while it wrote");
  }
  return data;
}

std::string write_jacoco(const JacocoData& data) {
  JacocoWriter w;
  w.number(header_block, 1), w.number(magic, 2), w.number(newest, 2);
  for (const JacocoSession& s : data.sessions) {
    w.number(session_block, 1), w.text(s.id);
    w.number(static_cast<std::uint64_t>(s.start), 8), w.number(static_cast<std::uint64_t>(s.dump), 8);
  }
  for (const auto& [id, c] : data.classes) {
    w.number(class_block, 1), w.number(id, 8);
    w.text(c.name), w.probes(c.probes);
  }
  return std::move(w.out);
}

Status merge_jacoco(JacocoData& into, const JacocoData& from) {
  JacocoData merged = into;
  for (const auto& [id, c] : from.classes) NORN_CHECK(merge_class(merged, id, c));
  merged.sessions.insert(merged.sessions.end(), from.sessions.begin(), from.sessions.end());
  into = std::move(merged);
  return {};
}

}  // namespace norn
