// A text in its parts: phrases between commas, brackets and dots, how each is written, and in what its numbers
// are.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace norn {

bool has_digit(std::string_view text);
/// What numbers of a text are numbers of: the sign of money, and the word right behind each.
std::set<std::string> units_in(std::string_view text);
/// "Next: 6 Mar (in 5 days)" has three.
std::vector<std::string> phrases_of(std::string_view text);
/// How a phrase is written, whatever its words and numbers: "a 9 a" of "in 5 days".
std::string shape_of(std::string_view phrase);

}  // namespace norn
