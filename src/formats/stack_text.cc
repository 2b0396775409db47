#include "formats/stack_text.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "trace/frame_rules.h"

namespace norn {
namespace {

constexpr int most_message_lines = 40;
constexpr std::size_t most_frames = 20'000, most_message = 20'000;

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Length of the class name at the head of `text` if it could be an exception's: dotted or ending in
/// Exception or Error, followed by the end, ':' or (for "org.app.Oops message") nothing else.
std::size_t type_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_name_char(text[n])) ++n;
  const std::string_view name = text.substr(0, n);
  if (n == 0 || (n < text.size() && text[n] != ':') || name.ends_with('.') || name.starts_with('.')) return 0;
  const bool telling = name.ends_with("Exception") || name.ends_with("Error") || name.ends_with("Throwable");
  const std::string_view last = name.substr(name.rfind('.') + 1);
  const bool dotted = last.size() < name.size() && std::isupper(static_cast<unsigned char>(last[0])) != 0;
  return telling || dotted ? n : 0;
}

/// Where an exception begins in a line: at its start, or after words ("Exception in thread "x"
/// java.lang...").
std::optional<std::size_t> find_type(std::string_view line) {
  if (type_length(line) > 0) return 0;
  for (std::size_t at = line.find(' '); at != std::string_view::npos && at < 400;
       at = line.find(' ', at + 1)) {
    const std::string_view rest = line.substr(at + 1);
    const std::size_t n = type_length(rest);
    if (n == 0) continue;
    const std::string_view name = rest.substr(0, n);
    if (name.find('.') != std::string_view::npos &&
        (name.ends_with("Exception") || name.ends_with("Error") || name.ends_with("Throwable")))
      return at + 1;
  }
  return std::nullopt;
}

/// Android Studio marks the frames that "... n more" stood for with a no-break space behind them.
std::string_view trim_all(std::string_view text) {
  constexpr std::string_view no_break = "\xc2\xa0";
  for (text = trim(text); text.ends_with(no_break); text = trim(text)) text.remove_suffix(no_break.size());
  for (; text.starts_with(no_break); text = trim(text)) text.remove_prefix(no_break.size());
  return text;
}

std::optional<std::string_view> trimmed_after(std::string_view line, std::string_view head) {
  if (!line.starts_with(head)) return std::nullopt;
  return trim(line.substr(head.size()));
}

/// "ACRA caught a NullPointerException for org.app": the app's own reporter speaks.
std::optional<std::string_view> reporter_process(std::string_view line) {
  const auto caught = line.find(" caught a ");
  const auto target = line.rfind(" for ");
  if (caught == std::string_view::npos || target == std::string_view::npos || target < caught)
    return std::nullopt;
  return trim(line.substr(target + 5));
}

Thrown make_thrown(Thrown::Role role, std::string_view text) {
  Thrown out;
  out.role = role;
  std::size_t n = 0;
  while (n < text.size() && is_name_char(text[n])) ++n;
  if (n == 0 || (n < text.size() && text[n] != ':')) n = std::min(text.find(": "), text.size());
  out.type = trim(text.substr(0, n));
  if (out.type.ends_with(':')) out.type.pop_back();
  out.message = shorten(trim(text.substr(std::min(n + 1, text.size()))), most_message);
  return out;
}

}  // namespace

std::optional<Frame> parse_java_frame(std::string_view line) {
  const auto text = trimmed_after(trim_all(line), "at ");
  if (!text || !text->ends_with(')')) return std::nullopt;
  const auto open = text->rfind('(');
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  Frame out;
  out.function = trim(text->substr(0, open));
  if (out.function.find(' ') != std::string::npos) return std::nullopt;
  const std::string_view place = text->substr(open + 1, text->size() - open - 2);
  const auto colon = place.find(':');
  if (const auto line_number = colon == place.npos ? std::nullopt : to_int(place.substr(colon + 1));
      line_number && *line_number > 0 && *line_number <= 0x7fffffff)
    out.line = static_cast<std::int32_t>(*line_number);
  out.file = place.substr(0, colon);
  if (out.file == "Unknown Source") out.line = 0;  // a position in the bytecode, not a line
  if (out.file == "Unknown Source" || out.file == "Native Method") out.file.clear();
  return out;
}

std::optional<Frame> parse_native_frame(std::string_view line) {
  line = trim(line);
  if (line.size() < 4 || line[0] != '#' || std::isdigit(static_cast<unsigned char>(line[1])) == 0)
    return std::nullopt;
  const auto pc = line.find(" pc ");
  if (pc == std::string_view::npos || pc > 8) return std::nullopt;
  std::string_view rest = trim(line.substr(pc + 4));
  rest = trim(rest.substr(std::min(rest.find(' '), rest.size())));  // the address: it moves with every build
  Frame out;
  const auto bracket = rest.find(" (");
  const std::string_view path = trim(rest.substr(0, bracket));
  out.file = base_name(path.substr(path.rfind('!') + 1));
  if (out.file.empty()) out.file = path;
  for (auto at = bracket; at != std::string_view::npos && out.function.empty();) {
    const auto next = rest.find(" (", at + 2);
    std::string_view group = trim(rest.substr(at + 2, next == rest.npos ? next : next - at - 2));
    const bool about_file =
        group.starts_with("BuildId:") || group.starts_with("offset ") || group.starts_with("deleted");
    // A symbol may hold " (" itself: "foo(void (*)(int))+12" runs to the last bracket before "(BuildId".
    if (!about_file) {
      const auto build = rest.find(" (BuildId:", at + 2);
      group = trim(rest.substr(at + 2, build == rest.npos ? build : build - at - 2));
      if (group.ends_with(')')) group.remove_suffix(1);
      const auto plus = group.rfind('+');
      const bool offset = plus != group.npos && plus + 1 < group.size() &&
                          group.find_first_not_of("0123456789abcdefx", plus + 1) == group.npos;
      out.function = offset ? group.substr(0, plus) : group;
    }
    at = next;
  }
  return out;
}

std::optional<Crash> StackText::head(std::string_view line) {
  std::optional<Crash> done;
  const bool fatal = line.find("FATAL EXCEPTION") != line.npos;
  if (fatal || line.starts_with("Process: ") || line.starts_with("CRASH: ") || reporter_process(line) ||
      line.starts_with("App has crashed")) {
    done = finish();
    headed_ = true;
    handled_ = !(fatal || line.starts_with("Process: ") || line.starts_with("CRASH: "));
  }
  if (const auto process = trimmed_after(line, "Process: "))
    process_ = process->substr(0, process->find_first_of(", "));
  if (const auto process = trimmed_after(line, "CRASH: "))
    process_ = process->substr(0, process->find_first_of(" ("));
  if (const auto process = reporter_process(line)) process_ = *process;
  return done;
}

void StackText::begin_thrown(Thrown::Role role, std::string_view text) {
  if (!open_) {
    open_.emplace();
    open_->process = process_.empty() ? hint_ : process_;
    open_->handled = handled_.value_or(!fatal_);
    role = Thrown::Role::top;
  }
  open_->chain.push_back(make_thrown(role, text));
  waiting_ = 0;
  headed_ = component_stack_ = false;
  partial_.clear();
}

/// A line outside a crash, or one that ends it: does an exception begin here?
bool StackText::begin(std::string_view line) {
  if (const auto cause = trimmed_after(line, "Caused by: "))
    return begin_thrown(Thrown::Role::cause, *cause), true;
  if (headed_ && !line.starts_with("PID:")) {
    const auto at = find_type(line);
    begin_thrown(Thrown::Role::top, line.substr(at.value_or(0)));
    return true;
  }
  const auto at = find_type(line);
  if (at) begin_thrown(Thrown::Role::top, line.substr(*at));
  return at.has_value();
}

/// The second half of a frame that was wrapped.
bool StackText::joins_partial(std::string_view line) {
  const auto frame = partial_.empty() ? std::nullopt : parse_java_frame(partial_ + std::string(line));
  partial_.clear();
  if (frame) open_->chain.back().frames.push_back(*frame);
  return frame.has_value();
}

/// A line inside a crash: true if it belongs to it.
bool StackText::more(std::string_view line, std::size_t indent) {
  if (joins_partial(line)) return true;
  Thrown& last = open_->chain.back();
  auto frame = parse_java_frame(line);
  if (!frame && component_stack_ && line.starts_with("in "))
    frame = Frame{std::string(line.substr(3)), {}, 0};
  if (frame) {
    if (last.frames.size() < most_frames) last.frames.push_back(*std::move(frame));
    return true;
  }
  if (line.starts_with("at ") && line.find(' ', 3) == line.npos && line.size() < 1000 &&
      !last.frames.empty()) {
    partial_ = line;
    return true;
  }
  for (const std::string_view head : {"Caused by: ", "Caused by "}) {
    // What caused a suppressed one is printed as deep as that one; it is not what went wrong first.
    const bool inner = last.role == Thrown::Role::suppressed && indent > 0 && indent >= suppressed_indent_;
    if (const auto cause = trimmed_after(line, head))
      return begin_thrown(inner ? Thrown::Role::suppressed : Thrown::Role::cause, *cause), true;
  }
  if (const auto text = trimmed_after(line, "Suppressed: ")) {
    suppressed_indent_ = indent;
    return begin_thrown(Thrown::Role::suppressed, *text), true;
  }
  if (line.starts_with("... ") && line.ends_with(" more")) {
    const auto n = to_int(trim(line.substr(4, line.size() - 9)));
    if (n && *n > 0 && *n < 1'000'000) last.more = static_cast<std::int32_t>(*n);
    return true;
  }
  if (line.starts_with("[CIRCULAR REFERENCE") || line.starts_with("This error is located at")) {
    component_stack_ = line.starts_with("This");
    return true;
  }
  // Before the first frame the message goes on: unless another exception begins.
  if (!last.frames.empty() || ++waiting_ > most_message_lines) return false;
  if (type_length(line) > 0 && line.find(':') != line.npos && open_->chain.size() == 1) return false;
  if (last.message.size() < most_message) last.message += '\n' + std::string(line);
  return true;
}

std::optional<Crash> StackText::line(std::string_view text) {
  const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
  text = trim_all(text);
  if (text.empty()) return std::nullopt;
  const bool was_headed = headed_;
  if (auto done = head(text)) return done;
  if (headed_ && (!was_headed || text.starts_with("Process: "))) return std::nullopt;
  if (open_ && more(text, indent)) return std::nullopt;
  std::optional<Crash> done = finish();
  headed_ = was_headed && !done;
  begin(text);
  return done;
}

std::optional<Crash> StackText::finish() {
  std::optional<Crash> out = std::move(open_);
  open_.reset();
  // Without frames only a head makes it a crash: many lines merely read like an exception.
  const bool framed = out && std::any_of(out->chain.begin(), out->chain.end(),
                                         [](const Thrown& t) { return !t.frames.empty(); });
  const bool headed = handled_ == false;
  if (framed || (out && headed)) {
    process_.clear();
    handled_.reset();
    for (Thrown& thrown : out->chain)
      if (!thrown.frames.empty()) thrown.message = trim(thrown.message);
    return out;
  }
  return std::nullopt;
}

}  // namespace norn
