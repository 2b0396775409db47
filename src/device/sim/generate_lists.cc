// Features of generated apps that keep lists: a collection with details and an editor, a board with columns,
// folders in folders. Holes: ${A} prefix of activities, ${key} storage key, ${T} title, ${o} one of them,
// ${t1} ${t2} .. ${tl} first, second .. last title, ${items} the initial list, ${k1} ${k2} kinds, ${q} what
// is counted.
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

constexpr std::string_view kBoard = R"lua(
local COLUMNS = { "Waiting", "At work", "Finished" }

local function in_column(c) return filter(storage.${key}, function(x) return x.column == c end) end

starters[#starters + 1] = function()
  if storage.${key} then return end
  storage.${key} = ${items}
  for i, x in ipairs(storage.${key}) do x.column = i == #storage.${key} and 2 or 1 end
  ?old_count| storage.${key}_finished = 0
end

activity "${A}Board" {
  create = function(self, intent, saved)
    self.column = saved and saved.column or 1
    self.chosen = saved and saved.chosen
  end,
  save = function(self, out) out.column, out.chosen = self.column, self.chosen end,
  selected_item = function(self)
    if not self.chosen then return nil end
    ?moved_row| if bug("${bug:moved_row}") then return list_get(in_column(self.column), self.chosen) end
    return in_column(self.column)[self.chosen]
  end,
  move = function(self, item, step)
    item.column = item.column + step
    ?old_count| if step > 0 and item.column == 3 then storage.${key}_finished = storage.${key}_finished + 1 end
    ?old_count| if step < 0 and item.column == 2 and not bug("${bug:old_count}") then storage.${key}_finished = storage.${key}_finished - 1 end
    !moved_row| self.chosen = nil
    ?moved_row| if not bug("${bug:moved_row}") then self.chosen = nil end
  end,
  show = function(self, c)
    self.column = c
    !kept_row| self.chosen = nil
    ?kept_row| if not bug("${bug:kept_row}") or #in_column(c) == 0 then self.chosen = nil end
    ?kept_row| if self.chosen and not in_column(c)[self.chosen] then self.chosen = nil end
  end,
  +clear| ask_clear = function(self)
  +clear|   self:dialog { title = "Throw away what is finished?", cancel = "Cancel", ok = "Throw away",
  +clear|     on_ok = function()
  +clear!clear_all|       storage.${key} = filter(storage.${key}, function(x) return x.column ~= 3 end)
  +clear?clear_all|       local shown = self.column
  +clear?clear_all|       storage.${key} = filter(storage.${key}, function(x) return x.column ~= (bug("${bug:clear_all}") and shown or 3) end)
  +clear?old_count|       storage.${key}_finished = 0
  +clear|       self.chosen = nil
  +clear|     end }
  +clear| end,
  menu = function(self)
    return {
      +clear| { "Clear finished", id = "clear", on_click = function() self:ask_clear() end },
      { "Legend", id = "legend", on_click = function() self:dialog { title = "Legend", message = table.concat(COLUMNS, ", "), ok = "OK" } end },
    }
  end,
  finished = function(self)
    ?old_count| if bug("${bug:old_count}") then return storage.${key}_finished end
    return #in_column(3)
  end,
  view = function(self)
    local item = self:selected_item()
    return column {
      toolbar { "${T}", up = true, subtitle = self:finished() .. " finished" },
      tabs { id = "columns", titles = COLUMNS, selected = self.column, on_change = function(c) self:show(c) end },
      row {
        button { "Backward", id = "backward", enabled = item ~= nil and item.column > 1, on_click = function() self:move(item, -1) end },
        button { "Forward", id = "forward", enabled = item ~= nil and item.column < 3, on_click = function() self:move(item, 1) end },
        text { item and item.title .. " is chosen" or "Choose a ${o}", id = "chosen" },
      },
      list { id = "cards", items = in_column(self.column), empty = text { "Nothing here", id = "empty" },
        row = function(x) return text { x.title, id = "card" } end,
        on_item_click = function(i) self.chosen = i end,
        on_item_long_click = function(_, x) self:start("${A}Card", { id = x.id }) end },
    }
  end,
}

activity "${A}Card" {
  view = function(self)
    local item = find(storage.${key}, function(x) return x.id == self.intent.id end)
    if not item then return column { toolbar { "${T}", up = true }, text { "Gone", id = "gone" } } end
    return column {
      toolbar { item.title, up = true },
      text { "In " .. COLUMNS[item.column], id = "where" },
      text { item.amount .. " ${q}", id = "how_many" },
      button { "One more", id = "more", on_click = function() item.amount = item.amount + 1 end },
    }
  end,
}
)lua";

constexpr std::string_view kFolders = R"lua(
local function folder(id) return find(storage.${key}, function(f) return f.id == id end) end
local function inside(id) return filter(storage.${key}, function(f) return f.parent == id end) end

starters[#starters + 1] = function()
  if storage.${key} then return end
  storage.${key} = { { id = 1, name = "${T}" }, { id = 2, name = "${t1}", parent = 1 }, { id = 3, name = "${t2}", parent = 1 },
    { id = 4, name = "${k1}", parent = 2 } }
  storage.${key}_next = 5
end

activity "${A}Folder" {
  create = function(self, intent, saved)
    self.at = saved and saved.at or 1
    self.cut = saved and saved.cut
  end,
  save = function(self, out) out.at, out.cut = self.at, self.cut end,
  here = function(self)
    if not folder(self.at) then self.at = 1 end
    return folder(self.at)
  end,
  go_up = function(self)
    !deleted_here| local parent = self:here().parent
    ?deleted_here| local here = folder(self.at)
    ?deleted_here| if not here and not bug("${bug:deleted_here}") then here = self:here() end
    ?deleted_here| local parent = here.parent
    if parent then self.at = parent else self:finish() end
  end,
  remove = function(self, id)
    storage.${key} = filter(storage.${key}, function(f) return f.id ~= id end)
    local orphans = filter(storage.${key}, function(f) return f.parent and not folder(f.parent) end)
    for _, f in ipairs(orphans) do
      f.parent = 1
    end
  end,
  ask_remove_here = function(self)
    if self.at == 1 then return toast("The first folder stays") end
    self:dialog { title = "Delete this folder?", message = #inside(self.at) .. " inside", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local gone = self:here()
        self:remove(gone.id)
        !deleted_here| self.at = gone.parent or 1
        ?deleted_here| if not bug("${bug:deleted_here}") then self.at = gone.parent or 1 end
      end }
  end,
  ask_new = function(self)
    self:set_text("folder_name", "")
    self:dialog { title = "New folder", cancel = "Cancel", ok = "Create",
      view = function() return column { field { id = "folder_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("folder_name"))
        if name == "" then return true end
        !new_outside| table.insert(storage.${key}, { id = storage.${key}_next, name = name, parent = self.at })
        ?new_outside| local parent = self.at
        ?new_outside| if bug("${bug:new_outside}") and self:here().parent then parent = self:here().parent end
        ?new_outside| table.insert(storage.${key}, { id = storage.${key}_next, name = name, parent = parent })
        storage.${key}_next = storage.${key}_next + 1
      end }
  end,
  +paste| paste = function(self)
  +paste|   if not self.cut then return toast("Nothing to paste") end
  +paste|   local moved = folder(self.cut)
  +paste!paste_gone|   if not moved or moved.id == self.at then return toast("Nothing to paste") end
  +paste?paste_gone|   if (not moved or moved.id == self.at) and not bug("${bug:paste_gone}") then return toast("Nothing to paste") end
  +paste?paste_gone|   if moved and moved.id == self.at then return toast("Not into itself") end
  +paste|   local up = folder(self.at)
  +paste|   for _ = 1, 50 do
  +paste|     if not up or up.id == moved.id then break end
  +paste|     up = up.parent and folder(up.parent)
  +paste|   end
  +paste|   if up then return toast("Not into itself") end
  +paste|   moved.parent = self.at
  +paste|   self.cut = nil
  +paste| end,
  menu = function(self)
    return {
      { "New folder", id = "new_folder", on_click = function() self:ask_new() end },
      { "Delete this folder", id = "delete_here", on_click = function() self:ask_remove_here() end },
      +paste| { "Paste", id = "paste", on_click = function() self:paste() end },
    }
  end,
  back = function(self)
    if self.at == 1 then return false end
    self:go_up()
    return true
  end,
  options_of = function(self, f)
    self:popup {
      { "Open", id = "open", on_click = function() self.at = f.id end },
      +paste| { "Cut", id = "cut", on_click = function() self.cut = f.id end },
      { "Delete", id = "delete", on_click = function() self:remove(f.id) end },
    }
  end,
  path = function(self)
    !deleted_here| local f = self:here()
    ?deleted_here| local f = folder(self.at) or folder(1)
    local names = { f.name }
    while f.parent and #names < 20 do
      f = folder(f.parent) or folder(1)
      table.insert(names, 1, f.name)
    end
    return table.concat(names, " / ")
  end,
  view = function(self)
    return column {
      toolbar { "${T}", up = true },
      text { self:path(), id = "path", size = "small" },
      button { "Up", id = "go_up", on_click = function() self:go_up() end },
      list { id = "folders", items = inside(self.at), empty = text { "Empty folder", id = "empty" },
        row = function(f) return text { f.name, id = "folder" } end,
        on_item_click = function(_, f) self.at = f.id end,
        on_item_long_click = function(_, f) self:options_of(f) end },
    }
  end,
}
)lua";

}  // namespace

std::span<const FeatureTemplate> list_features() {
  static const std::vector<FeatureTemplate> features = {
      {"collection",
       7,
       "${A}List",
       "tabs search sort summary last pin",
       kCollection,
       "",
       {{"stale_row", "crash",
         "Deleting the last ${o} on its own screen leaves that screen with a place that is gone",
         "tap title \"${tl}\"\ntap delete\ntap android:id/button1", "", 0, "last_opened"},
        {"empty_mean", "crash", "The average over no ${T} at all",
         "long title \"${t1}\"\ntap android:id/button1\nlong title \"${t2}\"\ntap "
         "android:id/button1\nmenu\ntap summary",
         "summary", 2},
        {"no_kind", "crash", "A new ${o} without a kind cannot be shown",
         "tap add\ntype new_title \"Zebra\"\ntap save\ntap title \"Zebra\"", "", 3},
        {"lost_edit", "crash", "The editor gets its ${o} only once and has none after a rotation",
         "tap title \"${t1}\"\ntap edit\nrotate 1\ntap save", ""},
        {"last_opened", "crash", "The way back to the last ${o} is offered although it was deleted",
         "tap title \"${t2}\"\nback\nlong title \"${t2}\"\ntap android:id/button1", "last"},
        {"pinned_gone", "crash", "A deleted ${o} is still pinned to the first screen",
         "tap title \"${t2}\"\ntap pin\nback\nlong title \"${t2}\"\ntap android:id/button1\n${home}", "pin",
         0, "last_opened stale_row"},
        {"bad_number", "crash", "How many ${q}, in words",
         "tap add\ntype new_title \"Zebra\"\ntype new_amount \"two\"\ntap save", ""},
        {"filter_stays", "functional", "Changing the tab hides the filter but goes on filtering",
         "tap large_only\ntap \"${k1}\"[0]", "tabs", 4},
        {"lost_amount", "functional", "A new number is stored only if the title changed, too",
         "tap title \"${t1}\"\ntap edit\ntype new_amount \"77\"\ntap save", ""},
        {"sort_back", "functional", "Sorting by title, switched on and off, keeps the new order",
         "menu\ntap sort\nmenu\ntap sort", "sort", 3},
        {"wrong_row", "functional", "With a search, another ${o} is deleted",
         "type search \"${tl}\"\nlong title \"${tl}\"\ntap android:id/button1", "search", 3}}},
      {"board",
       4,
       "${A}Board",
       "clear",
       kBoard,
       "",
       {{"moved_row", "crash", "The chosen place stays when its only card has gone to the next column",
         "tap \"At work\"[0]\ntap card \"${tl}\"\ntap forward", "", 3},
        {"old_count", "functional", "Taking a ${o} back from the finished ones still counts it",
         "tap \"At work\"[0]\ntap card \"${tl}\"\ntap forward\ntap \"Finished\"[0]\ntap card \"${tl}\"\ntap "
         "backward",
         "", 0, "moved_row"},
        {"kept_row", "functional", "Changing the column chooses the card at the same place there",
         "tap card \"${t1}\"\ntap \"At work\"[0]", ""},
        {"clear_all", "functional", "Clearing what is finished clears the column that is shown",
         "menu\ntap clear\ntap android:id/button1", "clear"}}},
      {"folders",
       5,
       "${A}Folder",
       "paste",
       kFolders,
       "",
       {{"deleted_here", "crash", "Going up from a folder that was just deleted",
         "tap folder \"${t1}\"\nmenu\ntap delete_here\ntap android:id/button1\ntap go_up", ""},
        {"paste_gone", "crash", "Pasting a folder that was deleted after it was cut",
         "long folder \"${t2}\"\ntap cut\nlong folder \"${t2}\"\ntap delete\nmenu\ntap paste", "paste"},
        {"new_outside", "functional", "A new folder appears beside the open one instead of inside",
         "tap folder \"${t2}\"\nmenu\ntap new_folder\ntype folder_name \"Zebra\"\ntap android:id/button1",
         ""}}},
  };
  return features;
}

}  // namespace norn::sim
