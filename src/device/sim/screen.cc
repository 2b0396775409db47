// The window in front as the values a device reports.
#include "device/sim/runtime.h"

namespace norn::sim {
namespace {

Widget to_widget(const Node& n, const View& view) {
  Widget w;
  w.cls = n.cls;
  if (!n.id.empty()) w.id = n.id.find(':') != std::string::npos ? n.id : view.package + ":id/" + n.id;
  w.text = n.is(Flag::password) ? std::string(n.text.size(), '*') : n.text;
  w.desc = n.desc;
  w.hint = n.hint;
  w.package = view.package;
  w.bounds = n.seen;
  w.flags = n.flags;
  if (n.handler(On::click) != 0) w.set(Flag::clickable);
  if (n.handler(On::long_click) != 0 || n.handler(On::long_tap) != 0) w.set(Flag::long_clickable);
  return w;
}

}  // namespace

Screen to_screen(const View& view, const Metrics& m, std::int32_t rotation) {
  Screen s;
  s.kind = view.nodes.empty() ? Screen::Kind::nothing : view.kind;
  s.package = view.package;
  s.activity = view.activity;
  s.rotation = rotation;
  s.keyboard = view.keyboard;
  s.width = m.width;
  s.height = m.height;
  std::vector<std::int32_t> place(view.nodes.size(),
                                  -1);  // where the nearest reported ancestor (or itself) went
  std::size_t reported = 0;
  for (const Node& n : view.nodes) reported += n.seen.empty() ? 0U : 1U;
  s.widgets.reserve(reported);
  for (std::size_t i = 0; i < view.nodes.size(); ++i) {
    const Node& n = view.nodes[i];
    if (n.seen.empty()) continue;  // and so is everything below it
    Widget w = to_widget(n, view);
    w.parent = n.parent < 0 ? -1 : place[static_cast<std::size_t>(n.parent)];
    place[i] = static_cast<std::int32_t>(s.widgets.size());
    s.widgets.push_back(std::move(w));
  }
  for (std::size_t i = s.widgets.size(); i-- > 1;)
    if (s.widgets[i].parent >= 0)
      s.widgets[static_cast<std::size_t>(s.widgets[i].parent)].subtree += s.widgets[i].subtree;
  return s;
}

Screen Runtime::screen() const {
  static const View none;
  return to_screen(world_.view ? *world_.view : none, metrics(), world_.rotation);
}

Metrics Runtime::metrics() const {
  const bool turned = world_.rotation % 2 == 1;
  Metrics m;
  m.width = turned ? options_.height : options_.width;
  m.height = turned ? options_.width : options_.height;
  m.dp = std::max(1, std::min(options_.width, options_.height) / 360);
  return m;
}

}  // namespace norn::sim
