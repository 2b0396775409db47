// Inputs like a person's: fills forms in and saves them, opens again what was just saved, changes it, deletes
// one of several, looks for what is there. Exploring seeks what is new and tries what programs stumble over;
// expectations about values need many ordinary runs through the same pages with different values, each of
// which can be told from the others: every text that is typed is used once.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/rng.h"
#include "detect/reading/data.h"
#include "replay/replay.h"

namespace norn {

class User {
 public:
  User(Replay& replay, std::uint64_t seed)
      : replay_(replay), rng_(seed), words_(replay.history().size()) {}  // another user, other words
  /// One walk of at most `length` events, begun on the page on which least was done so far. Error::budget:
  /// nothing is left.
  Status walk(std::size_t length, std::stop_token stop);
  /// Every other walk begins on one of these activities: something about them is nearly known.
  void prefer(std::vector<std::string> activities) { preferred_ = std::move(activities); }
  /// Some walks begin at one of these: a setting was changed there.
  void begin_also_at(std::vector<NodeId> nodes) { also_ = std::move(nodes); }

 private:
  friend class UserChooser;
  struct Option {
    Event event;
    double weight = 0;
    std::uint64_t done = 0;  ///< counted under this
  };
  void find_pages();
  NodeId beginning();
  std::vector<Option> options(const Screen& screen, const std::string& fresh, std::uint64_t home,
                              std::uint64_t again);
  void learn_codes(const Screen& screen);
  void fields(const Screen& screen, const ScreenData& data, std::vector<Option>& out);
  void touches(const Screen& screen, const ScreenData& data, const std::string& fresh,
               std::vector<Option>& out);
  void favour_seldom(std::vector<Option>& touches) const;
  std::string text_for(const ScreenData& data, const ShownValue& field, bool asks_for_code);
  std::string word();
  std::string some_number();
  std::string query_for(std::string_view title);
  double seldom(std::uint64_t key) const;  ///< 1 for what was never done, less for what was done often

  Replay& replay_;
  Rng rng_;
  std::size_t next_ = 0;  ///< nodes looked at for pages
  struct Start {
    NodeId node;             ///< the shallowest of the page
    std::uint64_t done = 0;  ///< events of walks on it
  };
  std::map<std::uint64_t, Start> pages_;
  std::vector<std::string> preferred_;
  std::vector<NodeId> also_;
  std::uint64_t words_;
  std::vector<std::string>
      codes_;  ///< words in capitals or with digits that screens showed: somebody may be meant to type them
  std::unordered_map<std::uint64_t, std::uint32_t> done_;  ///< by page and role
  std::unordered_set<std::uint64_t> numeric_;              ///< fields that do not take words
};

}  // namespace norn
