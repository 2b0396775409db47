// "The same crash" has three meanings, from strict to loose. Each is a list of words that is hashed; two
// crashes are the same iff the lists are equal.
//
//   exact       type, message, every frame with file and line, of the whole chain. Only object addresses are
//               masked: they differ in every run, and a crash must at least be the same as itself.
//   frames      type and normal frames of the top and of each cause; no messages, lines, plumbing, synthetic
//               frames, suppressed exceptions, nor the library code that called the app; recursion folded.
//   top_frames  type of the innermost cause and its first three normal frames.
//
// "... n more" is expanded first, so a stack that a tool printed in full equals the shortened one. A stack of
// plumbing only keeps it (it would be empty otherwise), and one without any frame falls back to the process
// and the shape of its message.
#include "trace/crash.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/text.h"
#include "trace/frame_rules.h"

namespace norn {
namespace {

constexpr std::array<std::string_view, 3> names{"exact", "frames", "top-frames"};
constexpr std::size_t top_count = 3;
constexpr std::size_t most_frames = 100'000;  ///< a bound on what "... n more" can expand to

/// The chain with each "... n more" replaced by the frames it stands for. The enclosing one of a cause is the
/// top or cause before it.
std::vector<std::vector<Frame>> expanded(const Crash& crash) {
  std::vector<std::vector<Frame>> out;
  std::size_t enclosing = 0, total = 0;
  for (const Thrown& thrown : crash.chain) {
    std::vector<Frame> frames = thrown.frames;
    if (thrown.more > 0 && !out.empty()) {
      const std::vector<Frame>& outer = out[enclosing];
      const auto shared = std::min<std::size_t>(static_cast<std::size_t>(thrown.more), outer.size());
      if (total + shared <= most_frames)
        frames.insert(frames.end(), outer.end() - static_cast<std::ptrdiff_t>(shared), outer.end());
    }
    total += frames.size();
    out.push_back(std::move(frames));
    if (thrown.role != Thrown::Role::suppressed) enclosing = out.size() - 1;
  }
  return out;
}

/// The frames that tell one bug from another: no plumbing, nothing synthetic, and not the library code below
/// the app's first frame (how an event was delivered differs between versions and kinds of input).
std::vector<std::string> telling_frames(const std::vector<Frame>& frames) {
  std::vector<std::string> kept;
  std::size_t own = 0;  // one past the last frame that is the app's
  for (const Frame& frame : frames) {
    std::string normal = normal_function(frame);
    const bool in_art = frame.line == 0 && base_name(frame.file) == "libart.so";
    if (is_synthetic(frame.function) || is_plumbing(normal) || in_art) continue;
    const bool app = !is_library(normal);
    kept.push_back(std::move(normal));
    if (app) own = kept.size();
  }
  if (own > 0) kept.resize(own);
  return kept;
}

using Stacks = std::vector<std::vector<std::string>>;

/// Of each of the chain; if nothing at all would be left, all frames.
Stacks normal_stacks(const std::vector<std::vector<Frame>>& stacks) {
  Stacks out;
  for (const auto& stack : stacks) out.push_back(telling_frames(stack));
  if (std::all_of(out.begin(), out.end(), [](auto& s) { return s.empty(); }))
    for (std::size_t i = 0; i < stacks.size(); ++i)
      for (const Frame& frame : stacks[i]) out[i].push_back(normal_function(frame));
  for (auto& stack : out) stack = fold_repeats(stack);
  return out;
}

void add_exact(Hasher& hasher, const Crash& crash) {
  const auto stacks = expanded(crash);
  for (std::size_t i = 0; i < crash.chain.size(); ++i) {
    const Thrown& thrown = crash.chain[i];
    hasher.add(static_cast<std::uint64_t>(thrown.role))
        .add(thrown.type)
        .add(without_addresses(thrown.message));
    hasher.add(stacks[i].size());
    for (const Frame& frame : stacks[i])
      hasher.add(frame.function).add(frame.file).add(static_cast<std::uint32_t>(frame.line));
  }
}

void add_normal(Hasher& hasher, const Thrown& thrown, const std::vector<std::string>& frames,
                std::size_t most) {
  const std::size_t n = std::min(frames.size(), most);
  hasher.add(thrown.type).add(n);
  for (std::size_t i = 0; i < n; ++i) hasher.add(frames[i]);
}

std::size_t root_index(const Crash& crash) {
  std::size_t root = 0;
  for (std::size_t i = 0; i < crash.chain.size(); ++i)
    if (crash.chain[i].role != Thrown::Role::suppressed) root = i;
  return root;
}

std::string short_type(std::string_view type) {
  const auto dot = type.rfind('.');
  return std::string(dot == std::string_view::npos ? type : type.substr(dot + 1));
}

/// Class and method of a Java function; anything else as it is.
std::string short_function(std::string_view function) {
  if (function.find_first_of(":( ") != std::string_view::npos) return std::string(function);
  const auto method = function.rfind('.');
  if (method == std::string_view::npos || method == 0) return std::string(function);
  const auto cls = function.rfind('.', method - 1);
  return std::string(cls == std::string_view::npos ? function : function.substr(cls + 1));
}

/// Where a person would look first: the app's own code, else the first frame that does something.
const Frame* telling_frame(const Thrown& thrown) {
  const auto find = [&](auto good) -> const Frame* {
    const auto it = std::find_if(thrown.frames.begin(), thrown.frames.end(), good);
    return it == thrown.frames.end() ? nullptr : &*it;
  };
  const auto works = [](const Frame& f) {
    return !is_synthetic(f.function) && !is_plumbing(normal_function(f));
  };
  if (const Frame* own = find([&](const Frame& f) { return works(f) && !is_library(normal_function(f)); }))
    return own;
  if (const Frame* any = find(works)) return any;
  return thrown.frames.empty() ? nullptr : &thrown.frames.front();
}

}  // namespace

const Thrown& Crash::root() const { return chain[root_index(*this)]; }

std::optional<Sameness> sameness_by_name(std::string_view name) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<Sameness>(it - names.begin());
}

std::string_view name_of(Sameness sameness) { return names[static_cast<std::size_t>(sameness)]; }

std::uint64_t signature(const Crash& crash, Sameness sameness) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(crash.kind)).add(static_cast<std::uint64_t>(sameness));
  if (sameness == Sameness::exact) {
    add_exact(hasher, crash);
    return hasher.finish();
  }
  const Stacks stacks = normal_stacks(expanded(crash));
  const std::size_t root = root_index(crash);
  const bool top_only = sameness == Sameness::top_frames;
  for (std::size_t i = 0; i < crash.chain.size(); ++i) {
    if (top_only ? i != root : crash.chain[i].role == Thrown::Role::suppressed) continue;
    add_normal(hasher, crash.chain[i], stacks[i], top_only ? top_count : most_frames);
  }
  if (!crash.chain.empty() && std::all_of(stacks.begin(), stacks.end(), [](auto& s) { return s.empty(); }))
    hasher.add(crash.process).add(message_shape(crash.chain[root].message));
  return hasher.finish();
}

std::string headline(const Crash& crash) {
  if (crash.chain.empty()) return "crash";
  const Thrown& root = crash.root();
  std::string out = short_type(root.type);
  if (out.empty()) out = "crash";  // a type such as "." has no short name
  if (const Frame* frame = telling_frame(root)) {
    out += fmt::format(" at {}", short_function(frame->function.empty() ? base_name(frame->file)
                                                                        : std::string_view(frame->function)));
    if (frame->line > 0)
      out += fmt::format(" ({}:{})", frame->file, frame->line);
    else if (!frame->file.empty() && !frame->function.empty())
      out += fmt::format(" ({})", base_name(frame->file));
  } else {
    if (!crash.process.empty()) out += " in " + crash.process;
    if (!root.message.empty()) out += ": " + shorten(root.message, 80);
  }
  return shorten(printable(out), 200);
}

}  // namespace norn
