#include "formats/tombstone_text.h"

#include "base/text.h"
#include "formats/stack_text.h"

namespace norn {
namespace {

constexpr std::string_view unknown_signal = "unknown signal";

}  // namespace

std::string_view without_comma(std::string_view text) {
  if (text.starts_with(',')) text.remove_prefix(1);
  return trim(text);
}

bool TombstoneText::begins(std::string_view text) { return trim(text).starts_with("*** *** ***"); }

std::optional<Crash> TombstoneText::line(std::string_view text) {
  if (begins(text)) {
    auto done = finish();
    begin();
    return done;
  }
  return open_ ? inside(trim(text)) : std::nullopt;
}

std::optional<Crash> TombstoneText::finish() {
  std::optional<Crash> out = std::move(open_);
  open_.reset();
  if (out && out->top().frames.empty() && out->top().type == unknown_signal) return std::nullopt;
  return out;
}

void TombstoneText::begin() {
  open_.emplace().kind = Crash::Kind::native;
  open_->chain.emplace_back().type = unknown_signal;
  in_trace_ = false;
}

void TombstoneText::add_message(std::string_view text) {
  std::string& message = open_->chain[0].message;
  message += (message.empty() ? "" : "; ") + shorten(text, 2000);
}

std::optional<Crash> TombstoneText::inside(std::string_view text) {
  Thrown& thrown = open_->chain[0];
  if (auto frame = parse_native_frame(text)) {
    thrown.frames.push_back(*std::move(frame));
    in_trace_ = true;
  } else if (in_trace_ || text.starts_with("--- ---")) {
    return finish();
  } else if (const auto name = text.find(">>> "); text.starts_with("pid: ") && name != text.npos) {
    open_->process = trim(text.substr(name + 4, text.find(" <<<") - name - 4));
  } else if (text.starts_with("signal ")) {
    const auto a = text.find('('), b = text.find(')');
    thrown.type = a < b && b != text.npos ? std::string(text.substr(a + 1, b - a - 1)) : shorten(text, 20);
    if (b != text.npos && b + 1 < text.size()) add_message(without_comma(text.substr(b + 1)));
  } else if (text.starts_with("Abort message: ") || text.starts_with("Cause: ")) {
    add_message(text);
  }
  return std::nullopt;
}

}  // namespace norn
