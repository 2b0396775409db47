#include "device/exec/exec.h"

#include <chrono>
#include <map>
#include <optional>

#include "base/json_depth.h"
#include "base/process.h"
#include "base/text.h"
#include "formats/json_values.h"

namespace norn {
namespace {

JsonOut action_json(const Action& action) {
  struct Visitor {
    JsonOut operator()(const Touch& a) const {
      return {{"kind", "touch"}, {"x", a.at.x}, {"y", a.at.y}, {"ms", a.ms}};
    }
    JsonOut operator()(const Move& a) const {
      return {{"kind", "move"}, {"x", a.from.x},  {"y", a.from.y},
              {"to_x", a.to.x}, {"to_y", a.to.y}, {"ms", a.ms}};
    }
    JsonOut operator()(const TwoFingers& a) const {
      return {{"kind", "two-fingers"}, {"x", a.at.x}, {"y", a.at.y}, {"from", a.from}, {"to", a.to}};
    }
    JsonOut operator()(const Text& a) const {
      JsonOut out = {{"kind", "text"}, {"text", a.text}};
      if (a.at) {
        out["x"] = a.at->x;
        out["y"] = a.at->y;
      }
      return out;
    }
    JsonOut operator()(const Press& a) const { return {{"kind", "press"}, {"key", a.key}}; }
    JsonOut operator()(const Open& a) const {
      return {{"kind", "open"}, {"package", a.package}, {"activity", a.activity}};
    }
    JsonOut operator()(const Turn& a) const { return {{"kind", "turn"}, {"rotation", a.rotation}}; }
    JsonOut operator()(const Signal& a) const {
      return {{"kind", "signal"}, {"name", a.what.name}, {"extras", a.what.extras}};
    }
    JsonOut operator()(const Sleep& a) const { return {{"kind", "sleep"}, {"ms", a.ms}}; }
  };
  return std::visit(Visitor{}, action);
}

Error::Kind kind_named(const std::string& name) {
  if (name == "timeout") return Error::Kind::timeout;
  if (name == "unsupported") return Error::Kind::unsupported;
  if (name == "bad-input") return Error::Kind::bad_input;
  return Error::Kind::device;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Exec final : public Device {
 public:
  Exec(std::string command, ExecOptions options) : command_(std::move(command)), options_(options) {}

  /// Starts the process and learns what it is.
  Status connect() {
    process_.reset();
    NORN_TRY(Process process, Process::spawn(command_));
    process_ = std::move(process);
    ++generation_;
    calls_ = 0;
    NORN_TRY(const JsonIn reply, call({{"call", "info"}, {"version", exec_protocol_version}}));
    return learn(reply);
  }
  const App& app() const { return app_; }

  DeviceInfo info() const override { return info_; }

  Status start(const App& app, Nonce nonce) override {
    if (!process_) NORN_CHECK(connect());
    return done(call({{"call", "start"},
                      {"app", {{"name", app.name}, {"version", app.version}, {"options", app.options}}},
                      {"nonce", nonce}}));
  }

  Result<Observation> observe() override {
    NORN_TRY(const JsonIn reply, call({{"call", "observe"}}));
    auto seen = observation_from(reply);
    if (!seen) return given_up(std::move(seen).error());
    seen->at = meter();
    return seen;
  }

  Status perform(const Action& action, Pace pace) override {
    JsonOut request = {{"call", "perform"}, {"action", action_json(action)}};
    if (!pace.settled()) request["after_ms"] = pace.after_ms;
    return done(call(std::move(request)));
  }

  Result<SnapshotId> save() override {
    NORN_CHECK(need_snapshots());
    NORN_TRY(const JsonIn reply, call({{"call", "save"}}));
    if (!reply.contains("snapshot") || !reply["snapshot"].is_string())
      return given_up(Error{Error::Kind::device, "the reply to save has no text \"snapshot\"", command_, ""});
    snapshots_[++last_] = Saved{generation_, reply["snapshot"].get<std::string>()};
    return last_;
  }

  Status restore(SnapshotId snapshot, Nonce nonce) override {
    NORN_CHECK(need_snapshots());
    const auto at = snapshots_.find(snapshot);
    if (at == snapshots_.end())
      return fail(Error::Kind::not_found, "there is no snapshot " + std::to_string(snapshot), command_);
    if (at->second.generation != generation_ || !process_)
      return fail(Error::Kind::device, "the process ended since, and its snapshots with it", command_,
                  "start again");
    return done(call({{"call", "restore"}, {"snapshot", at->second.name}, {"nonce", nonce}}));
  }

  void forget(SnapshotId snapshot) override {
    const auto at = snapshots_.find(snapshot);
    if (at == snapshots_.end()) return;
    const Saved saved = at->second;
    snapshots_.erase(at);
    if (saved.generation == generation_ && process_)
      (void)call({{"call", "forget"}, {"snapshot", saved.name}});
  }

  double meter() const override { return own_meter_ ? base_ + *own_meter_ : wall_; }

 private:
  struct Saved {
    std::uint64_t generation = 0;
    std::string name;
  };

  Status need_snapshots() const {
    if (info_.snapshots) return {};
    return fail(Error::Kind::unsupported, "this device has no snapshots", command_);
  }

  /// The process cannot be trusted any more: it is ended, the next start() begins a new one.
  std::unexpected<Error> given_up(Error why) {
    process_.reset();
    if (own_meter_) base_ += std::exchange(own_meter_, 0.0).value_or(0.0);
    if (why.where.empty()) why.where = "exec:" + command_;
    if (why.kind != Error::Kind::timeout) why.kind = Error::Kind::device;
    return std::unexpected(std::move(why));
  }

  /// A reply of which nothing but its coming is wanted.
  static Status done(const Result<JsonIn>& reply) {
    if (!reply) return std::unexpected(reply.error());
    return {};
  }

  Result<JsonIn> call(JsonOut request) {
    if (!process_)
      return fail(Error::Kind::device, "the process has ended", "exec:" + command_, "start again");
    const std::uint64_t id = ++calls_;
    request["id"] = id;
    const auto begin = std::chrono::steady_clock::now();
    const Status sent = process_->write_line(dump_line(request), options_.timeout);
    auto line = sent ? process_->read_line(options_.timeout) : std::unexpected(sent.error());
    wall_ += seconds_since(begin);
    if (!line) return given_up(std::move(line).error());
    return understood(*line, id);
  }

  Result<JsonIn> understood(const std::string& line, std::uint64_t id) {
    const auto babble = [&](const std::string& what) {
      return given_up(
          Error{Error::Kind::device, what + ": " + shorten(printable(line), 120), "exec:" + command_,
                "docs/exec-device.md says what a reply looks like; print nothing else on stdout"});
    };
    const Status shallow = check_json_depth(line, "exec");
    if (!shallow) return babble("the reply cannot be read: " + shallow.error().what);
    auto reply = parse_json(line, "exec");
    if (!reply || !reply->is_object()) return babble("the reply is no JSON object");
    const auto number = reply->find("id");
    if (number == reply->end() || !number->is_number_unsigned() || number->get<std::uint64_t>() != id)
      return babble("the reply is not to request " + std::to_string(id));
    if (const auto m = reply->find("meter"); m != reply->end() && m->is_number()) {
      const double seconds = m->get<double>();
      if (!(seconds >= own_meter_.value_or(0.0))) return babble("the meter went back");
      own_meter_ = seconds;
    }
    if (const auto error = reply->find("error"); error != reply->end() && !error->is_null()) {
      std::string kind, what = "it failed", advice;
      Fields(*error, "error").text("kind", kind).text("what", what).text("advice", advice);
      return fail(kind_named(kind), what, "exec:" + command_, advice);
    }
    const auto ok = reply->find("ok");
    if (ok == reply->end()) return babble("the reply has neither \"ok\" nor \"error\"");
    return *ok;
  }

  Status learn(const JsonIn& reply) {
    std::int32_t version = 0;
    DeviceInfo info;
    info.kind = "exec";
    info.name = "exec:" + command_;
    Fields fields(reply, "info");
    fields.number("version", version).number("width", info.width).number("height", info.height);
    fields.text("kind", info.kind).text("locale", info.locale);
    fields.flag("snapshots", info.snapshots)
        .flag("coverage", info.coverage)
        .flag("virtual_time", info.virtual_time);
    fields.texts("activities", info.activities);
    learn_parts(fields, info);
    if (fields.status() && version != exec_protocol_version)
      return given_up(
          Error{Error::Kind::device, "it speaks version " + std::to_string(version) + ", not 1", "", ""});
    if (auto status = fields.status(); !status) {
      status.error().advice = "docs/exec-device.md says what the fields of info are";
      return given_up(std::move(status).error());
    }
    if (app_.name.empty())
      return given_up(Error{Error::Kind::device, "its info names no app", "", "give \"app\":{\"name\":...}"});
    info_ = std::move(info);
    return {};
  }

  /// What is an object or a large number in the reply to info.
  void learn_parts(Fields& fields, DeviceInfo& info) {
    if (const JsonIn* costs = fields.find("costs"))
      fields.keep(Fields(*costs, "costs")
                      .number("event", info.guess.event)
                      .number("unsettled", info.guess.unsettled)
                      .number("restart", info.guess.restart)
                      .number("save", info.guess.save)
                      .number("load", info.guess.load)
                      .status());
    if (const JsonIn* total = fields.find("coverage_total")) {
      if (total->is_number_unsigned())
        info.coverable.lines = total->get<std::uint64_t>();
      else
        fields.refuse("coverage_total", "a whole number from 0 on");
    }
    if (const JsonIn* app = fields.find("app"))
      fields.keep(Fields(*app, "app")
                      .text("name", app_.name)
                      .text("version", app_.version)
                      .text("options", app_.options)
                      .status());
  }

  std::string command_;
  ExecOptions options_;
  std::optional<Process> process_;
  DeviceInfo info_;
  App app_;
  std::map<SnapshotId, Saved> snapshots_;
  SnapshotId last_ = 0;
  std::uint64_t calls_ = 0, generation_ = 0;
  std::optional<double> own_meter_;
  double base_ = 0, wall_ = 0;
};

}  // namespace

Result<ExecDevice> open_exec(const std::string& command, ExecOptions options) {
  auto device = std::make_unique<Exec>(command, options);
  NORN_CHECK(device->connect());
  App app = device->app();
  return ExecDevice{std::move(device), std::move(app)};
}

}  // namespace norn
