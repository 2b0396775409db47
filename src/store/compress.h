// zstd in the three ways a screen is stored: alone, with the file's trained dictionary, or as the difference
// to an earlier version of the same screen (which is then the "prefix" zstd may copy from). Every frame
// carries a checksum: damage is recognised.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace norn {

class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;

  std::string pack(std::string_view bytes, std::string_view prefix = {});
  /// Refuses damage and anything that would unpack to more than 64 MB.
  Result<std::string> unpack(std::string_view packed, std::string_view prefix = {});

 private:
  struct FreeC {
    void operator()(ZSTD_CCtx_s* c) const;
  };
  struct FreeD {
    void operator()(ZSTD_DCtx_s* d) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, FreeC> out_;
  std::unique_ptr<ZSTD_DCtx_s, FreeD> in_;
};

/// A dictionary of at most `size` bytes for things like these; empty where they are too few or too alike.
std::string train_dictionary(std::span<const std::string> samples, std::size_t size);

}  // namespace norn
