// Other views of a list: sorted, filtered or searched, it shows the same rows in another order, or some of
// them. They are found by trying what stands beside the list: entries of menus and choices, however deep,
// whatever can be touched, and fields in which something can be looked for. What has a way back, by which the
// page looks as before, is a view; what deletes rows has none.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "detect/oracles.h"
#include "detect/reading/data.h"

namespace norn {

struct ListView {
  std::vector<Event> there, back;
  NodeId shown;  ///< where the first leads
};

/// Pages with a list of at least two rows: one input for each way in which such a page was opened, those of
/// few events first, then another of each.
std::vector<NodeId> pages_with_lists(const History& tree, DataCache& data);

/// Those of them on which nothing was done since the page was opened but turning to another list of it, by a
/// tab or a drawer: each list once.
std::vector<NodeId> untouched_lists(const History& tree, DataCache& data);

/// The beginning of a word of the row's name that some other row of the list does not say; empty: there is
/// none.
std::string query_for(const ShownTable& table, const ShownRow& row);

/// What stands beside the lists; of texts, what they say beside numbers, which may count the rows.
std::map<std::uint64_t, std::string> beside_lists(const ScreenData& d);
/// The rows of all lists, by what they say: what is ticked or selected in them does not matter, as it does in
/// rows_shown (remembered.h).
std::multiset<std::uint64_t> rows_by_texts(const ScreenData& d);

class ListViews {
 public:
  ListViews(OracleContext& c, DataCache& data);
  /// Those of the lists of this page.
  std::vector<ListView> of(NodeId page);
  /// Searches of the page that was asked for last which were closed again, by which it looks as before beside
  /// its lists, and lists what was found: a bug.
  const std::vector<ListView>& left_behind() const { return left_behind_; }

 private:
  /// A way to a view, with ways that may lead back.
  struct Candidate {
    std::vector<Event> there;
    std::vector<std::vector<Event>> backs;
  };
  void learn_menus();
  void entries(NodeId page, const std::vector<Event>& open, std::vector<Candidate>& out);
  void buttons(NodeId page, std::vector<Candidate>& out);
  void searches(NodeId page, const Screen& screen, const std::vector<Event>& before,
                const std::vector<std::vector<Event>>& after, std::vector<Candidate>& out);
  void add_what_closes(NodeId page, NodeId found, Candidate& search);
  bool left_filtered(NodeId page, const std::vector<Event>& search, NodeId found, NodeId after);
  bool shows_otherwise(NodeId page, NodeId other);

  OracleContext& c_;
  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, std::vector<std::vector<Event>>> menus_;  ///< what opens them, by page
  std::vector<ListView> left_behind_;
  std::set<std::uint64_t> without_;  ///< layouts of pages, with their tabs, that have no view
};

}  // namespace norn
