// What a page says in numbers: those it shows beside its lists, and what can be counted in a list.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "detect/reading/data.h"

namespace norn {

struct Number {
  std::uint64_t name = 0;
  double is = 0;
  const ShownValue* shown = nullptr;
  bool time =
      false;  ///< hours and minutes: those of a list may be added up, but two of them end with the thing they belong to
};

struct Aggregate {
  std::uint64_t name = 0;
  double is = 0;
  std::string words;
  double slack = 0;      ///< by how much it may be off, since what was added up is rounded
  bool expected = true;  ///< else it only explains numbers that something else seems to explain
};

bool same_number(double a, double b);

/// Of the values beside the lists, those of checks left out; not more than a few, which would make equations
/// by chance.
std::vector<Number> numbers_of(const ScreenData& data);
/// One that both show is another one.
bool numbers_differ(const ScreenData& was, const ScreenData& now);

/// What can be said about a table's rows in one number. `marks`: names of cells that rows of this table have
/// had.
std::vector<Aggregate> aggregates_of(const ShownTable& table, const std::set<std::uint64_t>& marks);

/// Somebody typed this on the way, if with more digits: it is no result.
bool somebody_typed(const History& tree, NodeId node, std::string_view text);

/// The cells that rows of a table have had so far.
class Marks {
 public:
  const std::set<std::uint64_t>& of(const ScreenData& here, const ShownTable& table);

 private:
  std::map<std::uint64_t, std::set<std::uint64_t>> known_;  ///< by page and table
};

}  // namespace norn
