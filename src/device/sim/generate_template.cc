#include "device/sim/generate_template.h"

#include <cctype>
#include <optional>

#include "base/text.h"

namespace norn::sim {
namespace {

bool holds(char mark, std::string_view name, const Choice& choice) {
  if (mark == '+') return choice.options.contains(name);
  if (mark == '-') return !choice.options.contains(name);
  if (mark == '?') return choice.bugs.contains(name);
  return !choice.bugs.contains(name);
}

bool is_name(char c) {
  return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) ||
         c == '_';
}

/// The code of a line whose conditions hold; nothing if they do not.
std::optional<std::string> decide(std::string_view line, const Choice& choice) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::size_t at = indent;
  bool keep = true;
  while (at + 1 < line.size() && std::string_view("+-?!").contains(line[at]) && is_name(line[at + 1])) {
    std::size_t end = at + 1;
    while (end < line.size() && is_name(line[end])) ++end;
    keep = keep && holds(line[at], line.substr(at + 1, end - at - 1), choice);
    at = end;
  }
  if (at == indent) return std::string(line);
  if (at >= line.size() || line[at] != '|') return std::string(line);  // no condition after all
  if (!keep) return std::nullopt;
  at += line.substr(at).starts_with("| ") ? 2 : 1;
  return std::string(line.substr(0, indent)) + std::string(line.substr(at));
}

std::string fill_holes(std::string_view line, const Words& words) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t open = line.find("${", at);
    const std::size_t close = open == line.npos ? line.npos : line.find('}', open);
    if (close == line.npos) return out.append(line.substr(at));
    out.append(line.substr(at, open - at));
    const auto word = words.find(line.substr(open + 2, close - open - 2));
    out.append(word == words.end() ? line.substr(open, close - open + 1) : std::string_view(word->second));
    at = close + 1;
  }
  return out;
}

}  // namespace

std::string fill(std::string_view text, const Words& words, const Choice& choice) {
  std::string out;
  for (const std::string_view line : lines(text)) {
    if (const auto code = decide(line, choice)) out += fill_holes(*code, words) + '\n';
  }
  return out;
}

std::vector<const FeatureTemplate*> all_features() {
  static const std::vector<FeatureTemplate> catalogue = {
      features::collection(), features::board(),  features::folders(), features::wizard(),
      features::picker(),     features::basket(), features::safe(),    features::settings(),
      features::feed(),       features::counter()};
  std::vector<const FeatureTemplate*> out;
  for (const FeatureTemplate& feature : catalogue) out.push_back(&feature);
  return out;
}

}  // namespace norn::sim
