// The same input with other texts: every word and number that was typed is replaced by another of the same
// shape (letters by letters, digits by digits), also where a later step means what it named. A failure that
// depends on one text in particular does not come back.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/history.h"

namespace norn {

/// The input that ends at `end`; other salts, other texts. What a list showed when it was typed stays: it
/// looks for what is there.
std::vector<Event> with_other_texts(const History& tree, NodeId end, std::uint32_t salt);

/// Another text of the same shape: words stay words, numbers numbers.
std::string other_text(std::string text, std::uint32_t salt);

/// The event touches no row, or one whose label no other row of its list bears: it is found again wherever it
/// stands then.
bool names_one_row(const Event& event, const Screen& screen);

/// The same event on each other row of the list that the touched one is in; `like_it`: only those that
/// consist of as many widgets.
std::vector<Event> on_other_rows(const Event& event, const Screen& screen, bool like_it);

/// The input that ends at `end`, each time with another row touched instead of the last one that was: the
/// rows of that list that look like it, at most so many.
std::vector<std::vector<Event>> with_other_rows(const History& tree, NodeId end, std::size_t most);

}  // namespace norn
