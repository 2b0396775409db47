// The expectations about values, each in a file of its own with its idea at the top.
#pragma once

#include <memory>

#include "detect/expect.h"

namespace norn {

std::unique_ptr<Expectation> expect_formats(const History& tree, DataCache& data);   ///< formats.cc
std::unique_ptr<Expectation> expect_counts(const History& tree, DataCache& data);    ///< counts.cc
std::unique_ptr<Expectation> expect_across(const History& tree, DataCache& data);    ///< across.cc
std::unique_ptr<Expectation> expect_derived(const History& tree, DataCache& data);   ///< derived.cc
std::unique_ptr<Expectation> expect_rows(const History& tree, DataCache& data);      ///< rows.cc
std::unique_ptr<Expectation> expect_saved(const History& tree, DataCache& data);     ///< saved.cc
std::unique_ptr<Expectation> expect_appears(const History& tree, DataCache& data);   ///< appears.cc
std::unique_ptr<Expectation> expect_cancel(const History& tree, DataCache& data);    ///< cancel.cc
std::unique_ptr<Expectation> expect_once(const History& tree, DataCache& data);      ///< once.cc
std::unique_ptr<Expectation> expect_siblings(const History& tree, DataCache& data);  ///< siblings.cc
std::unique_ptr<Expectation> expect_sorted(const History& tree, DataCache& data);    ///< sorted.cc
std::unique_ptr<Expectation> expect_leaves(const History& tree, DataCache& data);    ///< named.cc
std::unique_ptr<Expectation> expect_chosen(const History& tree, DataCache& data);    ///< named.cc

}  // namespace norn
