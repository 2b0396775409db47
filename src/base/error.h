// Errors are values. A function that can fail returns Result<T>; the Error says what failed, on what, and
// what to do about it. Library code never prints, exits or throws for bad input.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace norn {

struct Error {
  enum class Kind : std::uint8_t {
    bad_input,    ///< a file, an argument, a message: somebody must change it
    not_found,    ///< named, but not there
    unsupported,  ///< this device or build cannot do it
    device,       ///< the rig failed: lost, refused, babbling
    timeout,      ///< the rig did not answer in time
    io,           ///< disk or pipe
    busy,         ///< somebody else holds it
    budget,       ///< what may be spent is spent
    cancelled,    ///< asked to stop
  };

  Kind kind = Kind::bad_input;
  std::string what;    ///< a sentence without a full stop
  std::string where;   ///< file, line, device, id; may be empty
  std::string advice;  ///< what to do; may be empty

  /// "where: what (advice)", the parts that are there.
  std::string message() const;
};

/// No failure: what may be spent is spent, or somebody asked to stop.
inline bool is_spent(const Error& error) {
  return error.kind == Error::Kind::budget || error.kind == Error::Kind::cancelled;
}
/// The device or its driver failed: another try may go better, and nothing is known of the app by it.
inline bool rig_failed(const Error& error) {
  return error.kind == Error::Kind::device || error.kind == Error::Kind::timeout;
}

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(Error::Kind kind, std::string what, std::string where = {},
                                   std::string advice = {}) {
  return std::unexpected(Error{kind, std::move(what), std::move(where), std::move(advice)});
}

}  // namespace norn

#define NORN_CONCAT_(a, b) a##b
#define NORN_CONCAT(a, b) NORN_CONCAT_(a, b)
/// NORN_TRY(auto x, f()); declares x from f()'s value, or returns f()'s error.
#define NORN_TRY(declaration, expression)                                           \
  auto NORN_CONCAT(norn_result_, __LINE__) = (expression);                          \
  if (!NORN_CONCAT(norn_result_, __LINE__))                                         \
    return std::unexpected(std::move(NORN_CONCAT(norn_result_, __LINE__)).error()); \
  declaration = std::move(*NORN_CONCAT(norn_result_, __LINE__))
/// NORN_CHECK(f()); returns f()'s error, if it has one.
#define NORN_CHECK(expression) \
  if (auto norn_status = (expression); !norn_status) return std::unexpected(std::move(norn_status).error())
