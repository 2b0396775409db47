#include "formats/trace_json.h"

#include <fmt/core.h>

#include "base/json_depth.h"
#include "base/text.h"
#include "formats/json_values.h"

namespace norn {
namespace {

Error at_line(Error error, std::string_view file, std::size_t line) {
  error.where = fmt::format("{}:{}", file, line);
  return error;
}

/// Reads lines one after another into a trace.
class TraceReader {
 public:
  explicit TraceReader(std::string_view file) : file_(file) {}

  Result<ReadTrace> read(std::string_view bytes) {
    const std::string text = to_utf8(bytes);
    const bool whole_lines = text.ends_with('\n') || text.ends_with('\r');
    const std::vector<std::string_view> all = lines(text);
    for (line_ = 1; line_ <= all.size(); ++line_) {
      const std::string_view line = trim(all[line_ - 1]);
      if (line.empty()) continue;
      if (ended_) {
        warn(fmt::format("line {} and what follows stand after the end line and were left out", line_));
        break;
      }
      NORN_CHECK(check_json_depth(line, fmt::format("{}:{}", file_, line_)));
      const JsonIn value = JsonIn::parse(line.begin(), line.end(), nullptr, false);
      if (value.is_discarded()) {
        if (!seen_header_) return std::unexpected(no_trace());
        warn(fmt::format("line {} is no JSON{}; it and the {} lines after it were left out", line_,
                         line_ == all.size() && !whole_lines ? " (cut off)" : "", all.size() - line_));
        break;
      }
      if (auto status = take(value); !status) return std::unexpected(at_line(status.error(), file_, line_));
    }
    if (!seen_header_) return std::unexpected(no_trace());
    if (!ended_ && out_.complete) warn("there is no end line: the file may have been cut off");
    return std::move(out_);
  }

 private:
  Error no_trace() const {
    return {Error::Kind::bad_input, "this is no norn trace: the first line is not its header",
            std::string(file_), "a trace begins with {\"norn\":\"trace\",\"version\":1}"};
  }

  void warn(std::string what) {
    out_.complete = false;
    out_.warnings.push_back(fmt::format("{}: {}", file_, what));
  }

  Status take(const JsonIn& value) {
    Fields line(value, "line");
    NORN_CHECK(line.status());
    if (!seen_header_) return header(line);
    if (const JsonIn* start = line.find("start")) {
      if (out_.trace.start || !out_.trace.steps.empty())
        return fail(Error::Kind::bad_input, "a start must be the first line after the header");
      NORN_TRY(out_.trace.start, observation(*start));
      return {};
    }
    if (const JsonIn* event = line.find("event")) return step(*event, line.find("seen"));
    if (line.find("kind") != nullptr) return step(value, nullptr);
    if (line.find("end") != nullptr) return end(line);
    return {};  // a line of a kind that a later norn adds
  }

  Status header(Fields& line) {
    std::string what;
    std::int32_t version = 0;
    NORN_CHECK(line.text("norn", what).number("version", version).text("origin", out_.trace.origin).status());
    if (what != "trace") return std::unexpected(no_trace());
    if (version < 1 || version > trace_version)
      return fail(Error::Kind::unsupported,
                  fmt::format("a trace of version {}; this build reads up to {}", version, trace_version), {},
                  "use a newer norn");
    seen_header_ = true;
    return {};
  }

  Status step(const JsonIn& event, const JsonIn* seen) {
    Step step;
    NORN_TRY(step.event, event_from(event));
    step.seen.screen.kind = Screen::Kind::unseen;
    if (seen != nullptr) {
      NORN_TRY(step.seen, observation(*seen));
    }
    out_.trace.steps.push_back(std::move(step));
    return {};
  }

  Result<Observation> observation(const JsonIn& value) {
    NORN_TRY(Observation out, observation_without_screen_from(value));
    const JsonIn* screen = Fields(value, "observation").find("screen");
    if (screen == nullptr) return out;
    if (screen->is_number_unsigned()) {
      const auto number = screen->get<std::uint64_t>();
      if (number >= screens_.size())
        return fail(Error::Kind::bad_input, fmt::format("screen {} is not in the lines before", number));
      out.screen = screens_[number];
      return out;
    }
    NORN_TRY(out.screen, screen_from(*screen));
    screens_.push_back(out.screen);
    return out;
  }

  Status end(Fields& line) {
    std::int32_t count = 0;
    NORN_CHECK(line.number("end", count).status());
    ended_ = true;
    if (static_cast<std::size_t>(count) != out_.trace.steps.size())
      warn(fmt::format("the end line tells of {} steps, {} are there", count, out_.trace.steps.size()));
    return {};
  }

  std::string_view file_;
  ReadTrace out_;
  std::vector<Screen> screens_;
  std::size_t line_ = 0;
  bool seen_header_ = false, ended_ = false;
};

template <class T>
Result<T> from_text(std::string_view text, Result<T> (*read)(const JsonIn&)) {
  NORN_TRY(const JsonIn value, parse_json(text, ""));
  return read(value);
}

}  // namespace

std::string TraceWriter::header(std::string_view origin) {
  JsonOut line{{"norn", "trace"}, {"version", trace_version}};
  if (!origin.empty()) line["origin"] = origin;
  return dump_line(line) + "\n";
}

std::string TraceWriter::observation(const Observation& seen) {
  const auto [at, fresh] = screens_.try_emplace(content_hash(seen.screen), screens_.size());
  return dump_line(to_json_value(seen, fresh ? to_json_value(seen.screen) : JsonOut(at->second)));
}

std::string TraceWriter::start(const Observation& seen) {
  return fmt::format("{{\"start\":{}}}\n", observation(seen));
}

std::string TraceWriter::step(const Step& step) {
  ++steps_;
  return fmt::format("{{\"event\":{},\"seen\":{}}}\n", event_to_json(step.event), observation(step.seen));
}

std::string TraceWriter::end() { return fmt::format("{{\"end\":{}}}\n", steps_); }

std::string write_trace(const Trace& trace) {
  TraceWriter writer;
  std::string out = writer.header(trace.origin);
  if (trace.start) out += writer.start(*trace.start);
  for (const Step& step : trace.steps) out += writer.step(step);
  return out + writer.end();
}

Result<ReadTrace> read_trace(std::string_view bytes, std::string_view file) {
  return TraceReader(file).read(bytes);
}

bool is_trace_json(std::string_view bytes) {
  const std::string head = to_utf8(bytes.substr(0, 512));
  const std::string_view line = trim(head);
  return line.starts_with('{') && line.substr(0, line.find('\n')).find("\"norn\"") != std::string_view::npos;
}

std::string event_to_json(const Event& event) { return dump_line(to_json_value(event)); }
std::string screen_to_json(const Screen& screen) { return dump_line(to_json_value(screen)); }
std::string observation_to_json(const Observation& seen) { return dump_line(to_json_value(seen)); }
std::string crash_to_json(const Crash& crash) { return dump_line(to_json_value(crash)); }
Result<Event> event_from_json(std::string_view text) { return from_text<Event>(text, event_from); }
Result<Screen> screen_from_json(std::string_view text) { return from_text<Screen>(text, screen_from); }
Result<Observation> observation_from_json(std::string_view text) {
  return from_text<Observation>(text, observation_from);
}
Result<Crash> crash_from_json(std::string_view text) { return from_text<Crash>(text, crash_from); }

}  // namespace norn
