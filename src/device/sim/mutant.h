// Automatic mutants of an app: small changes such as a programmer might have made by mistake, for measuring
// what a technique detects. They are found by tokens, never by running: mutant K of a text is the same
// everywhere, the lines keep their numbers, and every mutant compiles.
//
//   if c then        ->  if not (c) then        (also elseif, while)
//   not x            ->  x
//   and, or          ->  or, and
//   == < <= > >= ~=  ->  ~= <= < >= > ==
//   + -              ->  - +                    (between two operands)
//   7                ->  8, 6
//   true, false      ->  false, true
//   f(x)  a = b  return x  ->  nothing          (a whole statement)
//
// What stands in the declaration `app {...}` is left alone, and so is `bug(...)`: a switched-off bug stays off.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn::sim {

struct Mutant {
  std::string text;  ///< the whole source
  std::size_t line = 0;
  std::string what;  ///< `<` became `<=`
};

std::size_t mutant_count(std::string_view source);
/// REQUIRES: the source compiles. bad_input if there are not so many.
Result<Mutant> mutate(std::string_view source, std::size_t number);

}  // namespace norn::sim
