// A generated feature: a list with search and tabs, a screen for one of its things, and an editor.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kCollection = R"lua(
local function by_id(id) return find(storage.${key}, function(x) return x.id == id end) end

local function add(title, amount, kind)
  local id = storage.${key}_next
  storage.${key}_next = id + 1
  table.insert(storage.${key}, { id = id, title = title, amount = amount, kind = kind })
end

local function remove(item)
  local _, i = by_id(item.id)
  if i then table.remove(storage.${key}, i) end
end

starters[#starters + 1] = function()
  if storage.${key} then return end
  storage.${key} = ${items}
  storage.${key}_next = #storage.${key} + 1
end

?lost_edit| ${key}_edited = nil           -- handed to the editor

+pin| pin_titles.${key} = function(id)
+pin|   local item = by_id(id)
+pin!pinned_gone|   if not item then return "(gone)" end
+pin?pinned_gone|   if not item and not bug("${bug:pinned_gone}") then return "(gone)" end
+pin|   return item.title
+pin| end

activity "${A}List" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.large_only, self.chip = saved.large_only or false, saved.chip
    self.query = saved.query or ""
    self.sorted = saved.sorted or false
  end,
  save = function(self, out)
    out.tab, out.large_only, out.chip, out.query, out.sorted = self.tab, self.large_only, self.chip, self.query, self.sorted
  end,
  shown = function(self)
    local items = filter(storage.${key}, function(x)
      +tabs| if self.tab > 1 and x.kind ~= (${kinds})[self.tab - 1] then return false end
      +tabs| if self.large_only and x.amount < ${large} then return false end
      +search| if not contains(x.title:lower(), self.query:lower()) then return false end
      return true
    end)
    +sort!sort_back| if self.sorted then table.sort(items, function(a, b) return a.title < b.title end) end
    +sort?sort_back| if self.sorted then
    +sort?sort_back|   local list = bug("${bug:sort_back}") and storage.${key} or items
    +sort?sort_back|   table.sort(list, function(a, b) return a.title < b.title end)
    +sort?sort_back|   if list == storage.${key} then items = copy(list) end
    +sort?sort_back| end
    return items
  end,
  +tabs| change_tab = function(self, i)
  +tabs|   self.tab = i
  +tabs|   self.chip = nil
  +tabs!filter_stays|   self.large_only = false
  +tabs?filter_stays|   if not bug("${bug:filter_stays}") then self.large_only = false end
  +tabs| end,
  open = function(self, i, item)
    +last| storage.${key}_last = item.id
    ?lost_edit| ${key}_edited = item
    self:start("${A}Show", { id = item.id, index = i })
  end,
  ask_remove = function(self, i, item)
    self:dialog { title = "Delete " .. item.title .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        !wrong_row| remove(item)
        ?wrong_row| if bug("${bug:wrong_row}") then item = storage.${key}[i] end      -- a row's place is not its place in the list
        ?wrong_row| remove(item)
      end }
  end,
  +summary| summary = function(self)
  +summary|   local sum, n = 0, #storage.${key}
  +summary|   for _, x in ipairs(storage.${key}) do sum = sum + x.amount end
  +summary!empty_mean|   if n == 0 then return toast("Nothing there") end
  +summary?empty_mean|   if n == 0 and not bug("${bug:empty_mean}") then return toast("Nothing there") end
  +summary|   self:dialog { title = "${T}", message = sum .. " ${q}, " .. sum // n .. " on average", ok = "OK" }
  +summary| end,
  +last| last_title = function(self)
  +last|   local item = by_id(storage.${key}_last)
  +last!last_opened|   if not item then return "the last one" end
  +last?last_opened|   if not item and not bug("${bug:last_opened}") then return "the last one" end
  +last|   return item.title
  +last| end,
  menu = function(self)
    return {
      +summary| { "Summary", id = "summary", on_click = function() self:summary() end },
      +sort| { "Sort by title", id = "sort", checked = self.sorted, on_click = function() self.sorted = not self.sorted end },
      { "About ${T}", id = "about", on_click = function() self:dialog { title = "${T}", message = "Everything about ${q}", ok = "OK" } end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "${T}", up = true, subtitle = #storage.${key} .. " ${q}" },
      +search| field { id = "search", hint = "Search", on_change = function(s) self.query = s end },
      +tabs| tabs { id = "kinds", titles = { "All", "${k1}", "${k2}" }, selected = self.tab, on_change = function(i) self:change_tab(i) end },
      +tabs| row {
      +tabs|   button { "Large only", id = "large_only", on_click = function() self.large_only, self.chip = true, true end },
      +tabs|   self.chip and text { "At least ${large}", id = "chip" },
      +tabs| },
      +last| storage.${key}_last and button { "Back to " .. self:last_title(), id = "last", on_click = function()
      +last|   local item, i = by_id(storage.${key}_last)
      +last|   if item then self:open(i, item) end
      +last| end },
      list { id = "${key}_list", items = self:shown(), empty = text { "No ${q}", id = "empty" },
        row = function(x) return column { text { x.title, id = "title" }, text { x.amount .. " ${q}", id = "amount", size = "small" } } end,
        on_item_click = function(i, x) self:open(i, x) end,
        on_item_long_click = function(i, x) self:ask_remove(i, x) end },
      fab { id = "add", desc = "New ${o}", on_click = function() self:start("${A}Edit") end },
    }
  end,
}

activity "${A}Show" {
  item = function(self)
    ?stale_row| if bug("${bug:stale_row}") and self.intent.index then return list_get(storage.${key}, self.intent.index) end
    return by_id(self.intent.id)
  end,
  ask_remove = function(self, item)
    self:dialog { title = "Delete it?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        remove(item)
        !stale_row| self:finish()
        ?stale_row| if not bug("${bug:stale_row}") then self:finish() end
      end }
  end,
  +last| copy_it = function(self, item)
  +last|   clipboard.set(item.title)
  +last|   toast("Copied")
  +last| end,
  view = function(self)
    local item = self:item()
    if not item then return column { toolbar { "${T}", up = true }, text { "This ${o} is gone", id = "gone" } } end
    return column {
      toolbar { item.title, up = true },
      text { item.amount .. " ${q}", id = "how_many" },
      !no_kind| text { "Kind: " .. (item.kind or "none"):upper(), id = "kind" },
      ?no_kind| text { "Kind: " .. (bug("${bug:no_kind}") and item.kind:upper() or (item.kind or "none"):upper()), id = "kind" },
      row {
        button { "Edit", id = "edit", on_click = function() self:start("${A}Edit", { id = item.id }) end },
        button { "Delete", id = "delete", on_click = function() self:ask_remove(item) end },
        +pin| button { "Pin", id = "pin", on_click = function()
        +pin|   if #storage.pins < 3 then table.insert(storage.pins, { of = "${key}", id = item.id }) end
        +pin| end },
        +last| button { "Copy", id = "copy", on_click = function() self:copy_it(item) end },
      },
    }
  end,
}

activity "${A}Edit" {
  create = function(self, intent, saved)
    self.kind = saved and saved.kind
    !lost_edit| self.item = intent.id and by_id(intent.id)
    ?lost_edit| if bug("${bug:lost_edit}") and intent.id then
    ?lost_edit|   self.item, ${key}_edited = ${key}_edited, nil
    ?lost_edit| else
    ?lost_edit|   self.item = intent.id and by_id(intent.id)
    ?lost_edit| end
    if self.item and not self.kind then self.kind = self.item.kind end
  end,
  save = function(self, out) out.kind = self.kind end,
  read_amount = function(self)
    local s = trim(self:text("new_amount"))
    !bad_number| return math.tointeger(tonumber(s:match("^%d%d?%d?%d?$"))) or 1
    ?bad_number| if bug("${bug:bad_number}") and s ~= "" then return parse_int(s) end
    ?bad_number| return math.tointeger(tonumber(s:match("^%d%d?%d?%d?$"))) or 1
  end,
  store = function(self)
    local title = trim(self:text("new_title"))
    if title == "" then return toast("A title, please") end
    local amount = self:read_amount()
    if self.intent.id then
      local item = self.item
      !lost_edit| if not item then return self:finish() end
      ?lost_edit| if not item and not bug("${bug:lost_edit}") then return self:finish() end
      !lost_amount| item.title, item.amount, item.kind = title, amount, self.kind
      ?lost_amount| if title ~= item.title or not bug("${bug:lost_amount}") then item.title, item.amount = title, amount end
      ?lost_amount| item.kind = self.kind
    else
      add(title, amount, self.kind)
    end
    self:hide_keyboard()
    self:finish()
  end,
  view = function(self)
    local item = self.item
    return column {
      toolbar { self.intent.id and "Edit" or "New ${o}", up = true },
      field { id = "new_title", hint = "Title", text = item and item.title or "" },
      field { id = "new_amount", hint = "How many ${q}", text = item and tostring(item.amount) or "" },
      button { self.kind or "Choose a kind", id = "choose_kind", on_click = function()
        self:dialog { title = "Kind", items = ${kinds}, on_item = function(_, kind) self.kind = kind end }
      end },
      button { "Save", id = "save", on_click = function() self:store() end },
    }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::collection() {
  return {
      .name = "collection",
      .screens = 7,
      .entry = "${A}List",
      .options = "tabs search sort summary last pin",
      .lua = kCollection,
      .bugs = {
          {.name = "stale_row",
           .kind = "crash",
           .what = "Deleting the last ${o} on its own screen leaves that screen with a place that is gone",
           .events = "tap title \"${tl}\"\ntap delete\ntap android:id/button1",
           .conflicts = "last_opened"},
          {.name = "empty_mean",
           .kind = "crash",
           .what = "The average over no ${T} at all",
           .events = "long title \"${t1}\"\ntap android:id/button1\nlong title \"${t2}\"\ntap "
                     "android:id/button1\nmenu\ntap summary",
           .needs = "summary",
           .items = 2},
          {.name = "no_kind",
           .kind = "crash",
           .what = "A new ${o} without a kind cannot be shown",
           .events = "tap add\ntype new_title \"Zebra\"\ntap save\ntap title \"Zebra\"",
           .items = 3},
          {.name = "lost_edit",
           .kind = "crash",
           .what = "The editor gets its ${o} only once and has none after a rotation",
           .events = "tap title \"${t1}\"\ntap edit\nrotate 1\ntap save"},
          {.name = "last_opened",
           .kind = "crash",
           .what = "The way back to the last ${o} is offered although it was deleted",
           .events = "tap title \"${t2}\"\nback\nlong title \"${t2}\"\ntap android:id/button1",
           .needs = "last"},
          {.name = "pinned_gone",
           .kind = "crash",
           .what = "A deleted ${o} is still pinned to the first screen",
           .events =
               "tap title \"${t2}\"\ntap pin\nback\nlong title \"${t2}\"\ntap android:id/button1\n${home}",
           .needs = "pin",
           .conflicts = "last_opened stale_row"},
          {.name = "bad_number",
           .kind = "crash",
           .what = "How many ${q}, in words",
           .events = "tap add\ntype new_title \"Zebra\"\ntype new_amount \"two\"\ntap save"},
          {.name = "filter_stays",
           .kind = "functional",
           .what = "Changing the tab hides the filter but goes on filtering",
           .events = "tap large_only\ntap \"${k1}\"[0]",
           .needs = "tabs",
           .items = 4},
          {.name = "lost_amount",
           .kind = "functional",
           .what = "A new number is stored only if the title changed, too",
           .events = "tap title \"${t1}\"\ntap edit\ntype new_amount \"77\"\ntap save"},
          {.name = "sort_back",
           .kind = "functional",
           .what = "Sorting by title, switched on and off, keeps the new order",
           .events = "menu\ntap sort\nmenu\ntap sort",
           .needs = "sort",
           .items = 3},
          {.name = "wrong_row",
           .kind = "functional",
           .what = "With a search, another ${o} is deleted",
           .events = "type search \"${tl}\"\nlong title \"${tl}\"\ntap android:id/button1",
           .needs = "search",
           .items = 3}}};
}

}  // namespace norn::sim
