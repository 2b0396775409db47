#include "explore/avoid.h"

#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t longest = 500;  ///< characters looked at: std::regex recurses over its input

}  // namespace

Result<Avoid> Avoid::parse(const std::string& pattern) {
  Avoid out;
  if (pattern.empty()) return out;
  try {
    out.pattern_ = std::regex(pattern, std::regex::ECMAScript | std::regex::icase);
  } catch (const std::regex_error& e) {
    return fail(Error::Kind::bad_input, std::string("is no regular expression: ") + e.what(),
                "--avoid " + pattern);
  }
  out.some_ = true;
  return out;
}

bool Avoid::matches(const std::string& text) const {
  if (text.empty()) return false;
  try {
    return std::regex_search(text.size() > longest ? text.substr(0, longest) : text, pattern_);
  } catch (const std::regex_error&) {
    return true;  // too complex to decide: leave it alone
  }
}

bool Avoid::widget(const Screen& screen, std::size_t i) const {
  const Widget& w = screen.widgets[i];
  return matches(w.id) || matches(label(screen, i)) || matches(w.desc);
}

bool Avoid::touches(const Event& event, const Screen& screen) const {
  if (!some_) return false;
  if (const auto* launch = std::get_if<Launch>(&event)) return matches(launch->activity);
  if (const auto* type = std::get_if<Type>(&event); type && matches(type->text)) return true;
  if (const Target* target = target_of(event)) {
    if (!screen.activity.empty() && matches(screen.activity)) return true;
    if (!target->empty()) {
      if (matches(target->id) || matches(target->label)) return true;
      const auto found = resolve(*target, screen);
      const auto* f = std::get_if<Found>(&found);
      return f != nullptr && widget(screen, f->widget);
    }
    const Point* at = point_of(event);
    const auto under = at == nullptr ? std::nullopt : widget_at(screen, *at);
    if (under) return widget(screen, *under);
  }
  return false;
}

}  // namespace norn
