#include "trace/codec.h"

#include <unordered_map>

#include "trace/bytes.h"

namespace norn {
namespace {

constexpr std::uint64_t version = 1;

std::unexpected<Error> refused(const char* what) {
  return fail(Error::Kind::bad_input, std::string("a stored ") + what + " is damaged or of a newer version",
              {}, "run the norn that wrote it, or salvage the file");
}

// ---- screens ----

/// Each distinct string once, numbered in the order of first use. 0 is the empty string.
class StringTable {
 public:
  std::uint64_t add(std::string_view text) {
    if (text.empty()) return 0;
    const auto [it, fresh] = numbers_.try_emplace(text, list_.size() + 1);
    if (fresh) list_.push_back(text);
    return it->second;
  }
  void write(ByteWriter& out) const {
    out.number(list_.size());
    for (const std::string_view text : list_) out.text(text);
  }

 private:
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
  std::vector<std::string_view> list_;
};

std::vector<std::string_view> read_strings(ByteReader& in) {
  std::vector<std::string_view> list(in.count() + 1);
  for (std::size_t i = 1; i < list.size(); ++i) list[i] = in.text();
  return list;
}

constexpr std::string Widget::* string_fields[] = {&Widget::cls,  &Widget::id,   &Widget::text,
                                                   &Widget::desc, &Widget::hint, &Widget::package};

void write_bounds(ByteWriter& out, const Rect& r, const Rect& outer) {
  const auto far = [](std::int32_t a, std::int32_t b) { return std::int64_t{a} - std::int64_t{b}; };
  out.signed_number(far(r.left, outer.left));
  out.signed_number(far(r.top, outer.top));
  out.signed_number(far(r.right, r.left));
  out.signed_number(far(r.bottom, r.top));
}

Rect read_bounds(ByteReader& in, const Rect& outer) {
  const auto near = [&in](std::int32_t from) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(from) +
                                     static_cast<std::uint32_t>(in.signed_number()));
  };
  Rect r;
  r.left = near(outer.left);
  r.top = near(outer.top);
  r.right = near(r.left);
  r.bottom = near(r.top);
  return r;
}

Rect outer_bounds(const std::vector<Widget>& widgets, const Widget& w) {
  return w.parent < 0 ? Rect{} : widgets[static_cast<std::size_t>(w.parent)].bounds;
}

bool links_hold(const std::vector<Widget>& widgets) {
  const auto n = static_cast<std::int64_t>(widgets.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const Widget& w = widgets[static_cast<std::size_t>(i)];
    if (w.parent < -1 || w.parent >= i || w.subtree < 1 || w.subtree > n - i) return false;
  }
  return true;
}

bool read_widgets(ByteReader& in, const std::vector<std::string_view>& strings,
                  std::vector<Widget>& widgets) {
  for (const auto field : string_fields)
    for (Widget& w : widgets) {
      const std::uint64_t number = in.number();
      if (number >= strings.size()) return false;
      w.*field = strings[static_cast<std::size_t>(number)];
    }
  for (Widget& w : widgets) w.flags = static_cast<std::uint16_t>(in.number());
  for (std::size_t i = 0; i < widgets.size(); ++i) {
    const std::uint64_t up = in.number();
    widgets[i].parent =
        up == 0 ? -1
                : static_cast<std::int32_t>(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(up));
  }
  for (Widget& w : widgets) w.subtree = static_cast<std::int32_t>(in.number());
  if (in.bad() || !links_hold(widgets)) return false;
  for (Widget& w : widgets) w.bounds = read_bounds(in, outer_bounds(widgets, w));
  return in.done();
}

// ---- events ----

void put(ByteWriter& out, const Point& p) {
  out.signed_number(p.x);
  out.signed_number(p.y);
}
void put(ByteWriter& out, const Target& t) {
  for (const std::string* s : {&t.cls, &t.id, &t.label, &t.path}) out.text(*s);
  out.number(t.ordinal ? 1 : 0);
  if (t.ordinal) out.signed_number(*t.ordinal);
}
void put(ByteWriter& out, std::int32_t n) { out.signed_number(n); }
void put(ByteWriter& out, const std::string& text) { out.text(text); }
void put(ByteWriter& out, Direction d) { out.number(static_cast<std::uint64_t>(d)); }
void put(ByteWriter& out, const std::map<std::string, std::string>& m) {
  out.number(m.size());
  for (const auto& [name, value] : m) {
    out.text(name);
    out.text(value);
  }
}

void get(ByteReader& in, Point& p) {
  p.x = in.small();
  p.y = in.small();
}
void get(ByteReader& in, Target& t) {
  for (std::string* s : {&t.cls, &t.id, &t.label, &t.path}) *s = in.text();
  if (in.number() != 0) t.ordinal = in.small();
}
void get(ByteReader& in, std::int32_t& n) { n = in.small(); }
void get(ByteReader& in, std::string& text) { text = in.text(); }
void get(ByteReader& in, Direction& d) { d = static_cast<Direction>(in.number() & 3); }
void get(ByteReader& in, std::map<std::string, std::string>& m) {
  for (std::size_t n = in.count(); n-- > 0 && !in.bad();) {
    std::string name(in.text());
    m.insert_or_assign(std::move(name), std::string(in.text()));
  }
}

/// One list of fields per kind, used in both directions: `f` is called with each in turn.
template <class E, class F>
void each_field(E& event, F f) {
  using K = std::remove_const_t<E>;
  if constexpr (std::is_same_v<K, Tap> || std::is_same_v<K, LongPress>)
    f(event.target), f(event.at);
  else if constexpr (std::is_same_v<K, Swipe>)
    f(event.target), f(event.direction), f(event.from), f(event.to);
  else if constexpr (std::is_same_v<K, Drag>)
    f(event.target), f(event.from), f(event.to);
  else if constexpr (std::is_same_v<K, Pinch>)
    f(event.target), f(event.at), f(event.from), f(event.to);
  else if constexpr (std::is_same_v<K, Type>)
    f(event.target), f(event.at), f(event.text);
  else if constexpr (std::is_same_v<K, Key>)
    f(event.code);
  else if constexpr (std::is_same_v<K, Launch>)
    f(event.package), f(event.activity);
  else if constexpr (std::is_same_v<K, Rotate>)
    f(event.rotation);
  else if constexpr (std::is_same_v<K, System>)
    f(event.name), f(event.extras);
  else if constexpr (std::is_same_v<K, Wait>)
    f(event.ms);
  else {
    static_assert(std::is_same_v<K, Raw>, "a new kind of event: list its fields here");
    f(event.format), f(event.text);
  }
}

/// The kinds by their stored number: the variant's order, which must only ever grow at its end.
template <std::size_t I = 0>
bool choose_kind(std::uint64_t number, Event& event) {
  if constexpr (I < std::variant_size_v<Event>) {
    if (number != I) return choose_kind<I + 1>(number, event);
    event.emplace<I>();
    return true;
  }
  return false;
}

void put_event(ByteWriter& out, const Event& event) {
  out.number(event.index());
  std::visit([&](const auto& e) { each_field(e, [&](const auto& field) { put(out, field); }); }, event);
}

bool get_event(ByteReader& in, Event& event) {
  if (!choose_kind(in.number(), event)) return false;
  std::visit([&](auto& e) { each_field(e, [&](auto& field) { get(in, field); }); }, event);
  return !in.bad();
}

// ---- crashes ----

void put_thrown(ByteWriter& out, const Thrown& t) {
  out.number(static_cast<std::uint64_t>(t.role));
  out.text(t.type);
  out.text(t.message);
  out.signed_number(t.more);
  out.number(t.frames.size());
  for (const Frame& f : t.frames) {
    out.text(f.function);
    out.text(f.file);
    out.signed_number(f.line);
  }
}

Thrown get_thrown(ByteReader& in) {
  Thrown t;
  t.role = static_cast<Thrown::Role>(std::min<std::uint64_t>(in.number(), 2));
  t.type = in.text();
  t.message = in.text();
  t.more = in.small();
  t.frames.resize(in.count());
  for (Frame& f : t.frames) {
    f.function = in.text();
    f.file = in.text();
    f.line = in.small();
  }
  return t;
}

}  // namespace

std::string encode(const Screen& s) {
  StringTable strings;
  ByteWriter columns;
  for (const auto field : string_fields)
    for (const Widget& w : s.widgets) columns.number(strings.add(w.*field));
  for (const Widget& w : s.widgets) columns.number(w.flags);
  for (std::size_t i = 0; i < s.widgets.size(); ++i)
    columns.number(s.widgets[i].parent < 0 ? 0 : i - static_cast<std::size_t>(s.widgets[i].parent));
  for (const Widget& w : s.widgets) columns.number(static_cast<std::uint64_t>(w.subtree));
  for (const Widget& w : s.widgets) write_bounds(columns, w.bounds, outer_bounds(s.widgets, w));

  ByteWriter out;
  out.number(version);
  out.number(static_cast<std::uint64_t>(s.kind));
  out.text(s.package);
  out.text(s.activity);
  for (const std::int32_t n : {s.rotation, s.width, s.height}) out.signed_number(n);
  out.number(s.keyboard ? 1 : 0);
  out.number(s.widgets.size());
  strings.write(out);
  return std::move(out).bytes() + columns.bytes();
}

Result<Screen> decode_screen(std::string_view bytes) {
  ByteReader in(bytes);
  if (in.number() != version) return refused("screen");
  Screen s;
  const std::uint64_t kind = in.number();
  if (kind > static_cast<std::uint64_t>(Screen::Kind::unseen)) return refused("screen");
  s.kind = static_cast<Screen::Kind>(kind);
  s.package = in.text();
  s.activity = in.text();
  for (std::int32_t* n : {&s.rotation, &s.width, &s.height}) *n = in.small();
  s.keyboard = in.number() != 0;
  const std::size_t widgets = in.count();
  const std::vector<std::string_view> strings = read_strings(in);
  if (in.bad() || widgets > in.left() / 13) return refused("screen");
  s.widgets.resize(widgets);
  if (!read_widgets(in, strings, s.widgets)) return refused("screen");
  return s;
}

std::string encode(const Event& event) {
  ByteWriter out;
  put_event(out, event);
  return std::move(out).bytes();
}

Result<Event> decode_event(std::string_view bytes) {
  ByteReader in(bytes);
  Event event;
  if (!get_event(in, event) || !in.done()) return refused("event");
  return event;
}

std::string encode(const std::vector<Event>& events) {
  ByteWriter out;
  out.number(events.size());
  for (const Event& event : events) put_event(out, event);
  return std::move(out).bytes();
}

Result<std::vector<Event>> decode_events(std::string_view bytes) {
  ByteReader in(bytes);
  std::vector<Event> events(in.count());
  for (Event& event : events)
    if (!get_event(in, event)) return refused("list of events");
  if (!in.done()) return refused("list of events");
  return events;
}

std::string encode(const Crash& crash) {
  ByteWriter out;
  out.number(version);
  out.number(static_cast<std::uint64_t>(crash.kind));
  out.number(crash.handled ? 1 : 0);
  out.text(crash.process);
  out.number(crash.chain.size());
  for (const Thrown& t : crash.chain) put_thrown(out, t);
  return std::move(out).bytes();
}

Result<Crash> decode_crash(std::string_view bytes) {
  ByteReader in(bytes);
  Crash crash;
  const bool known = in.number() == version;
  crash.kind = static_cast<Crash::Kind>(std::min<std::uint64_t>(in.number(), 2));
  crash.handled = in.number() != 0;
  crash.process = in.text();
  for (std::size_t n = in.count(); n-- > 0 && !in.bad();) crash.chain.push_back(get_thrown(in));
  if (!known || !in.done() || crash.chain.empty()) return refused("crash");
  return crash;
}

}  // namespace norn
