#include "store/compress.h"

#include <zdict.h>
#include <zstd.h>

#include <vector>

#include "store/sqlite.h"

namespace norn {
namespace {

constexpr int level = 3;
constexpr unsigned long long most = 64ULL << 20;

std::unexpected<Error> damaged() {
  return fail(Error::Kind::bad_input, "a stored screen is damaged", {}, advice_if_damaged);
}

}  // namespace

void Compressor::FreeC::operator()(ZSTD_CCtx_s* c) const { ZSTD_freeCCtx(c); }
void Compressor::FreeD::operator()(ZSTD_DCtx_s* d) const { ZSTD_freeDCtx(d); }

Compressor::Compressor() : out_(ZSTD_createCCtx()), in_(ZSTD_createDCtx()) {
  ZSTD_CCtx_setParameter(out_.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(out_.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(out_.get(), ZSTD_c_dictIDFlag, 0);
}
Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;

std::string Compressor::pack(std::string_view bytes, std::string_view prefix) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx_refPrefix(out_.get(), prefix.data(), prefix.size());
  const std::size_t size = ZSTD_compress2(out_.get(), out.data(), out.size(), bytes.data(), bytes.size());
  out.resize(ZSTD_isError(size) ? 0 : size);
  return out;
}

Result<std::string> Compressor::unpack(std::string_view packed, std::string_view prefix) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > most) return damaged();  // the two error values are larger still
  std::string out(static_cast<std::size_t>(size), '\0');
  ZSTD_DCtx_refPrefix(in_.get(), prefix.data(), prefix.size());
  const std::size_t got =
      ZSTD_decompressDCtx(in_.get(), out.data(), out.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) || got != size) return damaged();
  return out;
}

std::string train_dictionary(std::span<const std::string> samples, std::size_t size) {
  std::string all, out(size, '\0');
  std::vector<std::size_t> sizes;
  for (const std::string& sample : samples) {
    all += sample;
    sizes.push_back(sample.size());
  }
  const std::size_t made = ZDICT_trainFromBuffer(out.data(), out.size(), all.data(), sizes.data(),
                                                 static_cast<unsigned>(sizes.size()));
  out.resize(ZDICT_isError(made) ? 0 : made);
  return out;
}

}  // namespace norn
