#include "device/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/hash.h"
#include "formats/json_values.h"

namespace norn {
namespace {

// ---- reading ----

/// Checks numbers of events as they are read.
class Reader {
 public:
  Reader(const std::filesystem::path& file, std::uint32_t events) : file_(file), events_(events) {}

  Result<OracleCase> read(const JsonIn& value, std::size_t index) const {
    OracleCase c;
    std::string name = fmt::format("case {}", index);
    NORN_CHECK(Fields(value, name)
                   .text("kind", c.kind)
                   .number("seed", c.seed)
                   .flag("machine", c.machine)
                   .number("rate", c.rate)
                   .status());
    if (!(c.rate >= 0 && c.rate <= 1)) return bad(name, "a rate is between 0 and 1");
    Fields fields(value, name);
    if (const JsonIn* need = fields.find("need")) {
      NORN_TRY(c.need, numbers(*need, name));
    }
    NORN_CHECK(read_any(fields.find("any"), name, c));
    NORN_CHECK(read_undo(fields.find("undo"), name, c));
    return c;
  }

  std::unexpected<Error> bad(std::string_view where, std::string what) const {
    return fail(Error::Kind::bad_input, std::move(what), fmt::format("{}: {}", file_.string(), where));
  }

 private:
  Status read_any(const JsonIn* list, const std::string& name, OracleCase& c) const {
    if (list == nullptr) return {};
    if (!list->is_array()) return bad(name, "`any` is not a list");
    for (const JsonIn& entry : *list) {
      if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_unsigned())
        return bad(name, "an entry of `any` is not [count, events]");
      OracleCase::AtLeast at_least;
      at_least.count =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(entry[0].get<std::uint64_t>(), 1u << 30));
      NORN_TRY(at_least.of, numbers(entry[1], name));
      c.any.push_back(std::move(at_least));
    }
    return {};
  }

  Status read_undo(const JsonIn* list, const std::string& name, OracleCase& c) const {
    if (list == nullptr) return {};
    if (!list->is_array()) return bad(name, "`undo` is not a list");
    for (const JsonIn& entry : *list) {
      NORN_TRY(std::vector<std::uint32_t> pair, numbers(entry, name));
      if (pair.size() != 2) return bad(name, "an entry of `undo` is not [event, undone event]");
      c.undo.emplace_back(pair[0], pair[1]);
    }
    return {};
  }

  Result<std::vector<std::uint32_t>> numbers(const JsonIn& list, const std::string& name) const {
    if (!list.is_array()) return bad(name, "a list of events was expected");
    std::vector<std::uint32_t> found;
    for (const JsonIn& n : list) {
      if (!n.is_number_unsigned() || n.get<std::uint64_t>() < 1 || n.get<std::uint64_t>() > events_)
        return bad(name, fmt::format("an event is a number from 1 to {}", events_));
      found.push_back(n.get<std::uint32_t>());
    }
    return found;
  }

  const std::filesystem::path& file_;
  std::uint32_t events_;
};

Status read_states(const JsonIn& json, const std::filesystem::path& file, Oracle& oracle) {
  const JsonIn* states = Fields(json, "oracle").find("states");
  auto bad = [&](std::string what) { return fail(Error::Kind::bad_input, std::move(what), file.string()); };
  if (states == nullptr || !states->is_array()) return bad("there is no list `states`: this is no oracle");
  for (const JsonIn& state : *states) {
    if (!state.is_number_integer()) return bad("a state is a whole number");
    oracle.states.push_back(state.get<std::int32_t>());
  }
  if (oracle.states.size() < 2) return bad("an oracle has a launch and at least one event");
  return {};
}

}  // namespace

Result<Oracle> read_oracle(const std::filesystem::path& file) {
  NORN_TRY(std::string text, read_file(file));
  NORN_TRY(JsonIn json, parse_json(text, file.string()));
  Oracle oracle;
  NORN_CHECK(Fields(json, "oracle").text("trace", oracle.trace).status());
  NORN_CHECK(read_states(json, file, oracle));
  const JsonIn* cases = Fields(json, "oracle").find("cases");
  Reader reader(file, oracle.events());
  if (cases == nullptr || !cases->is_array()) return reader.bad("oracle", "there is no list `cases`");
  for (const JsonIn& value : *cases) {
    NORN_TRY(OracleCase c, reader.read(value, oracle.cases.size()));
    oracle.cases.push_back(std::move(c));
  }
  return oracle;
}

// ---- running ----

OracleRun::OracleRun(const Oracle& oracle, const OracleCase& the_case)
    : oracle_(&oracle), case_(&the_case), state_(oracle.states[1]), done_(oracle.events() + 1) {
  done_[1] = true;
}

bool OracleRun::perform(std::uint32_t event) {
  if (event < 2 || event > oracle_->events()) return false;
  if (case_->machine && state_ != oracle_->states[event - 1]) return false;
  if (event < oracle_->events()) state_ = oracle_->states[event];
  done_[event] = true;
  for (auto [undoes, undone] : case_->undo)
    if (undoes == event) done_[undone] = false;
  return event == oracle_->events() && complete();
}

bool OracleRun::complete() const {
  auto is_done = [this](std::uint32_t e) { return e == 1 || e == oracle_->events() || done_[e]; };
  return std::ranges::all_of(case_->need, is_done) && std::ranges::all_of(case_->any, [&](const auto& any) {
           return std::ranges::count_if(any.of, is_done) >= static_cast<std::ptrdiff_t>(any.count);
         });
}

// ---- the device ----

namespace {

constexpr std::int32_t kWidth = 1000;  // a point's x and y are the event's number modulo and divided by this
constexpr std::int32_t kHeight = 2000;

Point point_of(std::uint32_t event) {
  auto n = static_cast<std::int32_t>(event);
  return {n % kWidth, n / kWidth};
}

Screen screen_of(const Oracle& oracle, std::int32_t state) {
  Screen screen;
  screen.package = oracle.trace;
  screen.activity = fmt::format("State{}", state);
  screen.width = kWidth;
  screen.height = kHeight;
  Widget canvas;
  canvas.cls = "android.view.View";
  canvas.package = oracle.trace;
  canvas.bounds = {0, 0, kWidth, kHeight};
  for (Flag flag : {Flag::clickable, Flag::enabled, Flag::visible}) canvas.set(flag);
  screen.widgets.push_back(std::move(canvas));
  return screen;
}

Crash crash_of(const Oracle& oracle) {
  Thrown thrown;
  thrown.type = "java.lang.IllegalStateException";
  thrown.message = fmt::format("event {} of {}", oracle.events(), oracle.trace);
  thrown.frames.push_back({"oracle.Trace.crash", "Trace.java", 1});
  Crash crash;
  crash.process = oracle.trace;
  crash.chain.push_back(std::move(thrown));
  return crash;
}

class OracleDevice final : public Device {
 public:
  OracleDevice(Oracle oracle, std::size_t index, const Costs& costs, bool snapshots)
      : oracle_(std::move(oracle)), case_(oracle_.cases[index]), costs_(costs), snapshots_(snapshots) {}

  DeviceInfo info() const override {
    DeviceInfo info;
    info.name = "oracle:" + oracle_.trace;
    info.kind = "oracle";
    info.width = kWidth;
    info.height = kHeight;
    info.snapshots = snapshots_;
    info.virtual_time = true;
    info.guess = costs_;
    info.snapshot_bytes = oracle_.events() / 8 + sizeof(Moment);
    return info;
  }

  Status start(const App&, Nonce nonce) override {
    meter_ += costs_.restart;
    now_ = {OracleRun(oracle_, case_), chance_of(nonce), false};
    crash_.reset();
    return {};
  }

  Result<Observation> observe() override {
    if (!now_) return not_started();
    Observation seen;
    seen.screen = screen_of(oracle_, now_->run.state());
    if (now_->dead) {
      seen.screen = Screen{};
      seen.screen.kind = Screen::Kind::nothing;
    }
    seen.crash = std::exchange(crash_, std::nullopt);
    seen.at = meter_;
    return seen;
  }

  Status perform(const Action& action, Pace pace) override {
    if (!now_) return not_started();
    meter_ += pace.settled() ? costs_.event : costs_.unsettled;
    const auto* touch = std::get_if<Touch>(&action);
    if (touch == nullptr || now_->dead) return {};
    std::int64_t number = std::int64_t{touch->at.y} * kWidth + touch->at.x;
    if (number < 2 || number > oracle_.events()) return {};
    bool crashes = now_->run.perform(static_cast<std::uint32_t>(number));
    if (crashes && now_->chance.chance(case_.rate)) {
      now_->dead = true;
      crash_ = crash_of(oracle_);
    }
    return {};
  }

  Result<SnapshotId> save() override {
    if (!snapshots_) return fail(Error::Kind::unsupported, "this oracle takes no snapshots", info().name);
    if (!now_) return not_started();
    meter_ += costs_.save;
    saved_.emplace(++last_id_, *now_);
    return last_id_;
  }

  Status restore(SnapshotId snapshot, Nonce nonce) override {
    auto found = saved_.find(snapshot);
    if (found == saved_.end())
      return fail(Error::Kind::not_found, fmt::format("there is no snapshot {}", snapshot), info().name);
    meter_ += costs_.load;
    now_ = found->second;
    if (nonce != 0) now_->chance = chance_of(nonce);
    crash_.reset();
    return {};
  }

  void forget(SnapshotId snapshot) override { saved_.erase(snapshot); }
  double meter() const override { return meter_; }

 private:
  struct Moment {
    OracleRun run;
    Rng chance;
    bool dead = false;
  };

  /// Apart for each case, so that equal nonces do not make equal luck.
  Rng chance_of(Nonce nonce) const {
    return Rng(Hasher().add(oracle_.trace).add(static_cast<std::uint64_t>(case_.seed)).add(nonce).finish());
  }
  std::unexpected<Error> not_started() const {
    return fail(Error::Kind::device, "the app was not started", info().name,
                "call start() or restore() first");
  }

  const Oracle oracle_;
  const OracleCase& case_;
  Costs costs_;
  bool snapshots_;
  double meter_ = 0;
  std::optional<Moment> now_;
  std::optional<Crash> crash_;
  std::map<SnapshotId, Moment> saved_;
  SnapshotId last_id_ = 0;
};

}  // namespace

std::vector<Event> oracle_events(const Oracle& oracle) {
  std::vector<Event> events;
  for (std::uint32_t i = 2; i <= oracle.events(); ++i) events.push_back(Tap{{}, point_of(i)});
  return events;
}

App oracle_app(const Oracle& oracle, std::size_t case_index) {
  App app;
  app.name = oracle.trace;
  Hasher version;
  for (std::int32_t s : oracle.states) version.add(static_cast<std::uint64_t>(s));
  app.version = hex(version.finish());
  app.options = fmt::format("case={}", case_index);
  return app;
}

std::unique_ptr<Device> oracle_device(Oracle oracle, std::size_t case_index, const Costs& costs,
                                      bool snapshots) {
  return std::make_unique<OracleDevice>(std::move(oracle), case_index, costs, snapshots);
}

Result<std::unique_ptr<Device>> open_oracle(const std::filesystem::path& file, std::size_t case_index,
                                            const Costs& costs, bool snapshots) {
  NORN_TRY(Oracle oracle, read_oracle(file));
  if (case_index >= oracle.cases.size())
    return fail(Error::Kind::not_found, fmt::format("there is no case {}", case_index), file.string(),
                fmt::format("it has {} cases, counted from 0", oracle.cases.size()));
  return oracle_device(std::move(oracle), case_index, costs, snapshots);
}

}  // namespace norn
