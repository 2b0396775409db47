// A user's own expectations, in a text file:
//
//     # what must hold, one block each
//     when    activity Archive
//     then    tap id/entry_row "empty"
//     expect  in-app
//
// when: `activity NAME`, `text "..."`, `id NAME`, `anywhere`; several lines must all hold. then: a kind of
// event (tap, long-press, swipe, type, key, rotate ...), then an id and a label, either may be left out. It
//       is looked for among the events seen on such screens.
// expect: `in-app`, `outside`, `activity NAME`, `text "..."`, `no text "..."`, `unchanged`; several must all
// hold.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/oracles.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t tries = 10;  ///< inputs each property is tried on

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

bool shows(const Screen& s, std::string_view text) {
  return std::ranges::any_of(s.widgets, [&](const Widget& w) {
    return w.text.find(text) != std::string::npos || w.desc.find(text) != std::string::npos;
  });
}
bool has_id(const Screen& s, std::string_view id) {
  return std::ranges::any_of(
      s.widgets, [&](const Widget& w) { return w.id == id || w.id.ends_with("/" + std::string(id)); });
}

/// Nothing: the condition is not understood.
std::optional<bool> holds(std::string_view condition, const Screen& now, const Screen* before) {
  const auto rest = [&](std::string_view word) -> std::optional<std::string_view> {
    if (!condition.starts_with(word)) return std::nullopt;
    return unquoted(condition.substr(word.size()));
  };
  if (condition == "anywhere") return true;
  if (condition == "in-app") return now.kind == Screen::Kind::app;
  if (condition == "outside") return now.kind != Screen::Kind::app;
  if (condition == "unchanged" && before)
    return HashedScreen(now).tree().hash() == HashedScreen(*before).tree().hash();
  if (const auto text = rest("no text ")) return !shows(now, *text);
  if (const auto text = rest("text ")) return shows(now, *text);
  if (const auto id = rest("id ")) return has_id(now, *id);
  if (const auto activity = rest("activity ")) return names_activity(now.activity, *activity);
  return std::nullopt;
}

bool all_hold(const std::vector<std::string>& conditions, const Screen& now, const Screen* before) {
  return std::ranges::all_of(conditions,
                             [&](const std::string& one) { return holds(one, now, before).value_or(false); });
}

struct Property {
  std::vector<std::string> when, expect;
  std::string then;
  std::size_t line = 0;
};

std::unexpected<Error> unknown(std::string_view condition, const std::string& where) {
  return fail(
      Error::Kind::bad_input, fmt::format("\"{}\" is not understood", printable(shorten(condition, 60))),
      where,
      "activity NAME, text \"...\", no text \"...\", id NAME, in-app, outside, unchanged (to be expected), "
      "anywhere");
}

Result<std::vector<Property>> parse(const std::string& name, const std::string& text) {
  std::vector<Property> out;
  std::size_t number = 0;
  for (const std::string_view raw : lines(text)) {
    ++number;
    const std::string_view line = trim(raw);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, space), rest = trim(line.substr(space));
    const std::string where = fmt::format("{}:{}", name, number);
    const auto wrong = [&](std::string what) {
      return fail(Error::Kind::bad_input, std::move(what), where,
                  "write when, then and expect, in this order");
    };
    if (rest.empty()) return wrong(fmt::format("nothing follows \"{}\"", printable(shorten(word, 40))));
    const Screen any;
    if ((word == "when" || word == "expect") && !holds(rest, any, word == "expect" ? &any : nullptr))
      return unknown(rest, where);
    if (word == "when") {
      if (out.empty() || !out.back().then.empty()) out.push_back({{}, {}, {}, number});
      out.back().when.emplace_back(rest);
    } else if (word == "then") {
      if (out.empty() || !out.back().then.empty()) return wrong("\"then\" without its \"when\"");
      out.back().then = rest;
    } else if (word == "expect") {
      if (out.empty() || out.back().then.empty()) return wrong("\"expect\" without its \"then\"");
      out.back().expect.emplace_back(rest);
    } else {
      return wrong(fmt::format("\"{}\" is none of when, then, expect", printable(shorten(word, 40))));
    }
  }
  for (const Property& p : out)
    if (p.then.empty() || p.expect.empty())
      return fail(Error::Kind::bad_input, "has no \"then\" or no \"expect\"",
                  fmt::format("{}:{}", name, p.line), {});
  if (out.empty())
    return fail(Error::Kind::bad_input, "holds no property", name, "write when, then and expect");
  return out;
}

/// `tap id/row "empty"`: kind, id, label.
bool matches(const Event& event, std::string_view then) {
  const std::size_t space = std::min(then.find(' '), then.size());
  if (kind_name(event) != then.substr(0, space)) return false;
  std::string_view rest = trim(then.substr(space));
  if (rest.empty()) return true;
  const Target* target = target_of(event);
  if (!target) return describe(event).find(rest) != std::string::npos;
  const std::size_t quote = rest.find('"');
  const std::string_view label = quote == std::string_view::npos ? "" : unquoted(rest.substr(quote));
  std::string_view id = trim(rest.substr(0, std::min(quote, rest.size())));
  if (id.starts_with("id/")) id.remove_prefix(3);
  return (id.empty() || target->id == id || target->id.ends_with("/" + std::string(id))) &&
         (label.empty() || target->label == label);
}

/// Where the property applies: a node, and the event to perform there.
std::vector<std::pair<NodeId, Event>> applications(OracleContext& c, const Property& p) {
  const History& tree = c.replay.history();
  std::vector<std::pair<NodeId, Event>> out;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId node = tree.parent({n});
    const Event& event = tree.event(tree.event_id({n}));
    if (matches(event, p.then) && all_hold(p.when, tree.screen(node), nullptr)) out.emplace_back(node, event);
  }
  std::ranges::stable_sort(out, {}, [&](const auto& a) { return tree.depth(a.first); });
  if (out.size() > tries) out.resize(tries);
  return out;
}

/// A report of the input that ends here, which the property forbids.
Status report(OracleContext& c, const Property& p, const PropertyTried& tried, NodeId node, NodeId end) {
  const History& tree = c.replay.history();
  Report r;
  r.oracle = tried.file, r.place = tree.screen(node).activity, r.event = tree.event(tree.event_id(end));
  r.words = fmt::format("{}:{}: after \"{}\" not \"{}\"", tried.file, p.line, p.then, p.expect.front());
  r.deviant = tree.events_to(end);
  r.before = r.expected = tree.screen(node), r.seen = tree.screen(end);
  r.deviant_end = end, r.normal_end = node;
  Request again{.events = c.replay.intern(r.deviant), .sure = Sure::certified, .repeats = c.options.repeats};
  again.watch = Reaches{abstract(r.seen, Abstraction::structure), Abstraction::structure};
  const Outcome cold = c.replay.ask(again, c.stop);
  if (cold.why) return std::unexpected(*cold.why);
  r.came_back = cold.yes.all(), r.runs = cold.yes.all() + cold.no.all() + cold.not_staged;
  (2 * r.came_back > r.runs ? c.out.reports : c.out.flaky).push_back(std::move(r));
  return {};
}

}  // namespace

Status check_properties(const std::string& name, const std::string& text) {
  NORN_TRY(const auto properties, parse(name, text));
  (void)properties;
  return {};
}

/// One report a property at most.
Status property_oracle(OracleContext& c, const std::string& name, const std::string& text) {
  const History& tree = c.replay.history();
  NORN_TRY(const auto properties, parse(name, text));
  for (const Property& p : properties) {
    PropertyTried& tried = c.out.properties.emplace_back(PropertyTried{name, p.line, p.then});
    for (const auto& [node, event] : applications(c, p)) {
      const Outcome o = c.replay.ask({.from = node, .events = {c.replay.intern(event)}}, c.stop);
      if (o.verdict != Verdict::yes) continue;
      ++tried.times;
      if (all_hold(p.expect, tree.screen(o.end), &tree.screen(node))) continue;
      NORN_CHECK(report(c, p, tried, node, o.end));
      break;
    }
  }
  return {};
}

}  // namespace norn
