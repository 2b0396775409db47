// What texts say, and what widgets call themselves: words, numbers, units, and the few names by which apps of
// all kinds call the same thing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gui/screen.h"

namespace norn {

/// The text says it in capitals or small letters; `small`: in small letters.
bool says_in_any_case(std::string_view text, std::string_view small);
/// It stands in the text with no letter or digit beside it: "Food" in "Food, Bank", not in "Foods".
bool says_word(std::string_view text, std::string_view word);
/// It says one of them so.
bool says_one_of(std::string_view text, std::span<const char* const> words);
/// There is an address of mail in it: "ann@example.org".
bool says_an_address(std::string_view text);
/// It says that something is left out: "not in the total", "excluded".
bool says_left_out(std::string_view text);
/// The sign of money it shows, "$"; none where there is none.
std::string_view sign_of_money(std::string_view text);
std::string in_small_letters(std::string_view text);
/// It says a time of day, or how long: "1:05".
bool says_a_time(std::string_view text);
/// It says when something was: a time, a date ("3 May", "2024-05-03"), "yesterday", "2 days ago".
bool says_when(std::string_view text);
/// Dots or stars in the place of what it says: "••••".
bool is_masked(std::string_view text);

/// Words that somebody may be meant to type: "GIFT79" in "Voucher: GIFT79", not "OK" and not "Total".
std::vector<std::string_view> codes_in(std::string_view text);

/// The widget's label or id contains this word (in small letters).
bool calls_itself(const Screen& screen, std::size_t i, std::string_view word);

/// It calls itself Cancel and no more: "Cancel walk" does something to a walk, "Cancelled" is a state.
bool says_cancel(const Screen& screen, std::size_t i);

/// It calls itself deleting something.
bool says_deleting(const Screen& screen, std::size_t i);

/// It calls itself undoing something: what was done last, wherever it is touched.
bool says_undoing(const Screen& screen, std::size_t i);

/// It calls itself copying something: what comes up then is about something new, whatever it holds.
bool says_copying(const Screen& screen, std::size_t i);

/// It calls itself making something new ("New card", "Add a set"): what comes up then is about nothing that
/// exists.
bool says_making(const Screen& screen, std::size_t i);

/// It calls itself showing or hiding something.
bool says_showing(const Screen& screen, std::size_t i);

/// It calls itself starting or stopping something that goes on by itself (Play, Pause): no setting, as what
/// can be checked is, and there is one at a time.
bool says_running(const Screen& screen, std::size_t i);

/// What it says after the signs it begins with: "☑ Book" is Book, "★★" nothing.
std::string_view without_signs(std::string_view text);

/// The arrow in the bar of a page that leads to the one above.
bool leads_up(const Widget& w);

/// The numbers in a text, in order: "3 of 12, 4.50 left" has three. A sign counts only where nothing but a
/// space stands before it and nothing but a sign of money behind it; "1:30" is 90.
std::vector<double> numbers_in(std::string_view text);
/// Those that two values of a page may add up to: none where there are times, which begin and end with the
/// thing they belong to.
std::vector<double> amounts_in(std::string_view text);

/// What one more in the last digit of the last number means: 1 for "12", 0.01 for "3.50 kg".
double last_digit(std::string_view text);

/// What a text says beside its numbers: "3 entries" and "1 entry" say the same, "2.50 a litre" and "9.50 a
/// gallon" do not. Of each word the first four letters, since some of its end goes with the number.
std::string words_beside_numbers(std::string_view text);

/// What a number is a number of: "12.5 kg" is in "kg", "3 days" and "1 day" in "day", "To pay: 3" in nothing.
std::string_view unit_of(std::string_view text);

}  // namespace norn
