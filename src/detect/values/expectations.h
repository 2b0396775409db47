// The expectations about values, each in a file of its own with its idea at the top.
#pragma once

#include <memory>

#include "detect/values/expect.h"

namespace norn {

std::unique_ptr<Expectation> expect_formats(const History& tree, DataCache& data);      ///< formats.cc
std::unique_ptr<Expectation> expect_counts(const History& tree, DataCache& data);       ///< counts.cc
std::unique_ptr<Expectation> expect_across(const History& tree, DataCache& data);       ///< across.cc
std::unique_ptr<Expectation> expect_rows(const History& tree, DataCache& data);         ///< rows.cc
std::unique_ptr<Expectation> expect_deleted(const History& tree, DataCache& data);      ///< rows.cc
std::unique_ptr<Expectation> expect_saved(const History& tree, DataCache& data);        ///< saved.cc
std::unique_ptr<Expectation> expect_appears(const History& tree, DataCache& data);      ///< appears.cc
std::unique_ptr<Expectation> expect_once(const History& tree, DataCache& data);         ///< once.cc
std::unique_ptr<Expectation> expect_siblings(const History& tree, DataCache& data);     ///< siblings.cc
std::unique_ptr<Expectation> expect_leaves(const History& tree, DataCache& data);       ///< named.cc
std::unique_ptr<Expectation> expect_chosen(const History& tree, DataCache& data);       ///< named.cc
std::unique_ptr<Expectation> expect_codes(const History& tree, DataCache& data);        ///< codes.cc
std::unique_ptr<Expectation> expect_converted(const History& tree, DataCache& data);    ///< converted.cc
std::unique_ptr<Expectation> expect_follows(const History& tree, DataCache& data);      ///< follows.cc
std::unique_ptr<Expectation> expect_flips(const History& tree, DataCache& data);        ///< flips.cc
std::unique_ptr<Expectation> expect_picked(const History& tree, DataCache& data);       ///< picked.cc
std::unique_ptr<Expectation> expect_search(const History& tree, DataCache& data);       ///< search.cc
std::unique_ptr<Expectation> expect_selected(const History& tree, DataCache& data);     ///< selected.cc
std::unique_ptr<Expectation> expect_in_view(const History& tree, DataCache& data);      ///< in_view.cc
std::unique_ptr<Expectation> expect_filters(const History& tree, DataCache& data);      ///< filters.cc
std::unique_ptr<Expectation> expect_only(const History& tree, DataCache& data);         ///< filters.cc
std::unique_ptr<Expectation> expect_ordered(const History& tree, DataCache& data);      ///< ordered.cc
std::unique_ptr<Expectation> expect_as_texts(const History& tree, DataCache& data);     ///< ordered.cc
std::unique_ptr<Expectation> expect_as_coded(const History& tree, DataCache& data);     ///< as_coded.cc
std::unique_ptr<Expectation> expect_entries(const History& tree, DataCache& data);      ///< entries.cc
std::unique_ptr<Expectation> expect_signs(const History& tree, DataCache& data);        ///< signs.cc
std::unique_ptr<Expectation> expect_edited(const History& tree, DataCache& data);       ///< edited.cc
std::unique_ptr<Expectation> expect_swept(const History& tree, DataCache& data);        ///< swept.cc
std::unique_ptr<Expectation> expect_moved_whole(const History& tree, DataCache& data);  ///< moved_whole.cc

using MakeExpectation = std::unique_ptr<Expectation> (*)(const History&, DataCache&);
/// All of them, in the order they are looked at.
inline constexpr MakeExpectation all_expectations[] = {
    expect_formats, expect_counts, expect_follows,   expect_across,      expect_rows,     expect_saved,
    expect_appears, expect_once,   expect_siblings,  expect_leaves,      expect_chosen,   expect_flips,
    expect_picked,  expect_codes,  expect_converted, expect_search,      expect_selected, expect_filters,
    expect_ordered, expect_edited, expect_as_texts,  expect_in_view,     expect_entries,  expect_as_coded,
    expect_deleted, expect_signs,  expect_swept,     expect_moved_whole, expect_only};

}  // namespace norn
