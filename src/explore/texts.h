// What to type. Three sources: texts that fit what the field seems to want (by its words: a mail address, a
// number ...), words the app itself has shown (search and names work on those), and texts that programs
// stumble over (nothing, zero, brackets, very long). A user's own pool is taken as fitting.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/rng.h"
#include "explore/events.h"
#include "gui/screen.h"

namespace norn {

class Texts {
 public:
  Texts(std::vector<std::string> own, std::uint64_t seed)
      : own_(std::move(own)), rng_(seed ^ 0x7465787473ULL) {}

  /// Remembers the words of a screen of the app.
  void learn(const Screen& screen);
  /// A text for this field. REQUIRES: `field` is a widget of the screen.
  std::string choose(const Screen& screen, std::size_t field);
  /// Fills the text of a Type event in.
  void fill(Possible& possible, const Screen& screen);

 private:
  std::vector<std::string> own_;
  std::vector<std::string> words_;
  std::unordered_set<std::string> known_;
  Rng rng_;
};

/// What a field seems to want, by its own words.
enum class FieldKind : std::uint8_t { text, number, email, phone, url, date, password };
FieldKind field_kind(const Screen& screen, std::size_t field);

}  // namespace norn
