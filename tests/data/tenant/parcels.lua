-- Parcels: what is on its way, from whom, and where it was seen last.
--
-- A parcel: { id, name, number, carrier = id, group = id or nil, outgoing, muted, star, archived, note, stage,
-- events = { { at, text } }, checked = ms or nil }. The stage (0 to 4) comes from the server with the events.
-- The log tells every check that was made and is not changed by what happens to the parcels.

local DAY = 24 * 3600 * 1000
local STAGES = { [0] = "Not checked yet", "Announced", "In transit", "Out for delivery", "Delivered" }
local PLACES = { "Label made by the sender", "Left the sorting centre", "Loaded into the van", "Handed over" }
local SORTS = { "Order of adding", "Name", "Carrier" }
local MAX_PARCELS, MAX_GROUPS, MAX_CARRIERS, MAX_LOG = 60, 8, 10, 80

app {
  package = "org.sparrow.parcels",
  title = "Parcels",
  main = "Main",
  bugs = { "failed_check", "asks_delivered", "group_orphans", "tab_counts", "undo_last", "carrier_turned", "star_place",
    "log_dates" },
  -- Every question moves a parcel one stage on, until it is delivered.
  server = function(request, db)
    if request.path ~= "/track" then return nil, 404 end
    local number = request.query.number or ""
    if #number < 6 then return { error = "unknown number" }, 404 end
    db.first = db.first or now()
    db.stages = db.stages or { SP1002003 = 1, BL440120 = 2, SP7710450 = 4, NX771200 = 0 }
    local stage = math.min((db.stages[number] or 0) + 1, 4)
    db.stages[number] = stage
    local events = {}
    for i = stage, 1, -1 do table.insert(events, { at = db.first - (5 - i) * DAY, text = PLACES[i] }) end
    return { stage = stage, events = events }
  end,
  application = function()
    if storage.parcels then return end
    local first = now()
    local function seen(stage)
      local events = {}
      for i = stage, 1, -1 do table.insert(events, { at = first - (5 - i) * DAY, text = PLACES[i] }) end
      return events
    end
    storage.next_id = 20
    storage.groups = { { id = 11, name = "Home" }, { id = 12, name = "Work" } }
    storage.carriers = {
      { id = 1, name = "Swift Post", on = true }, { id = 2, name = "Blue Line", on = true },
      { id = 3, name = "Nordex", on = true }, { id = 4, name = "City Bike", on = false },
    }
    storage.parcels = {
      { id = 5, name = "Running shoes", number = "SP1002003", carrier = 1, group = 11, note = "", stage = 1, events = seen(1),
        checked = first - DAY },
      { id = 6, name = "Birthday book", number = "BL440120", carrier = 2, note = "Hide it from Tim", stage = 2, events = seen(2),
        checked = first - DAY, star = true },
      { id = 7, name = "Printer ink", number = "SP7710450", carrier = 1, group = 12, note = "", stage = 4, events = seen(4),
        checked = first - DAY },
      { id = 8, name = "Camera lens", number = "NX771200", carrier = 3, group = 11, note = "", stage = 0, events = {} },
    }
    storage.log = { { at = first - DAY, text = "Running shoes: Announced" }, { at = first - DAY, text = "Birthday book: In transit" },
      { at = first - DAY, text = "Printer ink: Delivered" } }
    prefs.sort = 1
    prefs.iso_dates = false
    prefs.notify = false
    prefs.confirm = true
  end,
}

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function parcel_of(id) return by_id(storage.parcels, id) end
local function group_of(id) return by_id(storage.groups, id) end
local function carrier_of(id) return by_id(storage.carriers, id) end

local function day(ms) return date(ms, prefs.iso_dates and "%Y-%m-%d" or "%d %b %Y") end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function log_line(text)
  table.insert(storage.log, 1, { at = now(), text = text })
  while #storage.log > MAX_LOG do table.remove(storage.log) end
end

local function carrier_name(parcel)
  local carrier = carrier_of(parcel.carrier)
  return carrier and carrier.name or "Unknown carrier"
end

local function sorted(parcels)
  local result = copy(parcels)
  if prefs.sort == 2 then
    table.sort(result, function(a, b) return a.name:lower() < b.name:lower() end)
  elseif prefs.sort == 3 then
    table.sort(result, function(a, b)
      local x, y = carrier_name(a):lower(), carrier_name(b):lower()
      if x ~= y then return x < y end
      return a.name:lower() < b.name:lower()
    end)
  end
  return result
end

local function remove_parcel(parcel)
  local at = index_of(storage.parcels, parcel)
  if at then table.remove(storage.parcels, at) end
end

local waiting = 0   -- questions without an answer yet

-- Asks the server about one parcel; `done(ok)` comes when it has answered.
local function check_parcel(id, done)
  local parcel = parcel_of(id)
  if not parcel then return end
  local number = parcel.number
  waiting = waiting + 1
  net.get("https://track.example.org/track?number=" .. number, function(reply)
    waiting = waiting - 1
    local p = parcel_of(id)
    if not p or p.number ~= number then return end
    if not reply.ok then
      if bug("failed_check") then p.events = reply.body and reply.body.events or {} end
      if reply.status == 404 then log_line(p.name .. ": unknown number") end
      if done then done(false, reply.status == 404 and "The carrier does not know this number" or "No connection") end
      return
    end
    local before = p.stage
    p.stage, p.events, p.checked = reply.body.stage, reply.body.events, now()
    log_line(p.name .. ": " .. STAGES[p.stage])
    if prefs.notify and not p.muted and p.stage ~= before then
      notify { id = "parcel" .. p.id, title = p.name, text = STAGES[p.stage], activity = "Parcel", extras = { id = p.id } }
    end
    if done then done(true) end
  end)
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.group = saved.group           -- nil: all; 0: without a group
    self.chosen = saved.chosen or {}   -- ids
  end,
  save = function(self, out) out.tab, out.group, out.chosen = self.tab, self.group, self.chosen end,

  resume = function(self)
    if self.group and self.group ~= 0 and not group_of(self.group) then self.group = nil end
    self.chosen = filter(self.chosen, function(id) local p = parcel_of(id) return p and not p.archived end)
  end,

  back = function(self)
    if #self.chosen > 0 then self.chosen = {} return true end
    if self.group then self.group = nil return true end
    return false
  end,

  -- The list ------------------------------------------------------------------------------------------

  in_group = function(self, parcel)
    if not self.group then return true end
    if self.group == 0 then return parcel.group == nil end
    return parcel.group == self.group
  end,

  matching = function(self, tab)
    return filter(storage.parcels, function(p)
      return not p.archived and (p.stage == 4) == (tab == 2) and self:in_group(p)
    end)
  end,

  tab_title = function(self, tab, name)
    local count = #self:matching(tab)
    if bug("tab_counts") then
      count = #filter(storage.parcels, function(p) return not p.archived and (p.stage == 4) == (tab == 2) end)
    end
    return format("%s (%d)", name, count)
  end,

  toggle_star = function(self, i, parcel)
    if bug("star_place") then parcel = self:matching(self.tab)[i] or parcel end
    parcel.star = not parcel.star
  end,

  check_all = function(self)
    local due = filter(storage.parcels, function(p)
      return not p.archived and (p.stage < 4 or bug("asks_delivered"))
    end)
    if #due == 0 then return toast("Nothing to check") end
    local open, failed = #due, 0
    toast("Checking all parcels")
    for _, p in ipairs(due) do
      check_parcel(p.id, function(ok)
        open = open - 1
        if not ok then failed = failed + 1 end
        if open == 0 then
          toast(failed == 0 and "All parcels are checked" or "Some parcels could not be checked")
        end
      end)
    end
  end,

  -- Selection -----------------------------------------------------------------------------------------

  choose = function(self, parcel)
    local at = index_of(self.chosen, parcel.id)
    if at then table.remove(self.chosen, at) else table.insert(self.chosen, parcel.id) end
  end,

  archive_chosen = function(self)
    local ids = self.chosen
    self.chosen = {}
    for _, id in ipairs(ids) do
      local p = parcel_of(id)
      if p then p.archived = true end
    end
    self:snackbar(plural(#ids, "parcel") .. " archived", "Undo", function()
      if bug("undo_last") then ids = { ids[#ids] } end
      for _, id in ipairs(ids) do
        local p = parcel_of(id)
        if p then p.archived = nil end
      end
    end)
  end,

  delete_chosen = function(self)
    local function delete()
      local ids = self.chosen
      self.chosen = {}
      for _, id in ipairs(ids) do
        local p = parcel_of(id)
        if p then remove_parcel(p) end
      end
      toast(plural(#ids, "parcel") .. " deleted")
    end
    if not prefs.confirm then return delete() end
    self:dialog { title = "Delete " .. plural(#self.chosen, "parcel") .. "?", message = "The log keeps its lines about them.",
      ok = "Delete", on_ok = delete, cancel = "Cancel" }
  end,

  -- View ----------------------------------------------------------------------------------------------

  menu = function(self)
    if #self.chosen > 0 then
      return { { "Choose all", id = "choose_all", on_click = function()
        self.chosen = each(self:matching(self.tab), function(p) return p.id end)
      end } }
    end
    return {
      { "Check all", id = "check_all", on_click = function() self:check_all() end },
      { "Sort by", id = "sort", items = each(SORTS, function(name, i)
        return { name, id = "sort_by", checked = prefs.sort == i, on_click = function() prefs.sort = i end }
      end) },
      { "Search", id = "search", on_click = function() self:start("Search") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  drawer_items = function(self)
    local items = { { "All parcels", id = "all_parcels", selected = self.group == nil, on_click = function() self.group = nil self.chosen = {} end } }
    for _, g in ipairs(storage.groups) do
      table.insert(items, { g.name, id = "group", selected = self.group == g.id,
        on_click = function() self.group = g.id self.chosen = {} end })
    end
    table.insert(items, { "No group", id = "no_group", selected = self.group == 0, on_click = function() self.group = 0 self.chosen = {} end })
    for _, page in ipairs { "Groups", "Carriers", "Archive", "Log", "Statistics" } do
      table.insert(items, { page == "Groups" and "Edit groups" or page, id = "open_" .. page:lower(), on_click = function() self:start(page) end })
    end
    return items
  end,

  row = function(self, parcel, i)
    local line = carrier_name(parcel) .. " · " .. STAGES[parcel.stage]
    if parcel.group then
      local group = group_of(parcel.group)
      line = line .. " · " .. (group and group.name or "?")
    end
    return row { id = "parcel_row", selected = index_of(self.chosen, parcel.id) ~= nil,
      #self.chosen > 0 and check { "", id = "chosen", desc = parcel.name, checked = index_of(self.chosen, parcel.id) ~= nil,
        on_change = function() self:choose(parcel) end },
      column { weight = 1,
        text { parcel.name .. (parcel.outgoing and " (outgoing)" or ""), id = "name" },
        text { line, id = "line", size = "small" } },
      #self.chosen == 0 and image_button { id = "star", desc = parcel.star and "Starred" or "Not starred",
        on_click = function() self:toggle_star(i, parcel) end },
    }
  end,

  title = function(self)
    if self.group == 0 then return "No group" end
    local group = self.group and group_of(self.group)
    return group and group.name or "Parcels"
  end,

  view = function(self)
    local choosing = #self.chosen > 0
    return column {
      choosing and toolbar { #self.chosen .. " chosen", up = function() self.chosen = {} end, actions = {
          { "Archive", id = "archive", on_click = function() self:archive_chosen() end },
          { "Delete", id = "delete", on_click = function() self:delete_chosen() end } } }
        or toolbar { self:title() },
      not choosing and drawer { id = "places", header = "Parcels", items = self:drawer_items() },
      tabs { id = "stage_tabs", titles = { self:tab_title(1, "On the way"), self:tab_title(2, "Delivered") }, selected = self.tab,
        on_change = function(i) self.tab = i self.chosen = {} end },
      waiting > 0 and progress { id = "waiting", spinning = true },
      list { id = "parcels", items = sorted(self:matching(self.tab)), row = function(p, i) return self:row(p, i) end,
        empty = text { self.tab == 1 and "Nothing is on its way" or "Nothing was delivered", id = "empty" },
        on_item_click = function(_, p)
          if #self.chosen > 0 then self:choose(p) else self:start("Parcel", { id = p.id }) end
        end,
        on_item_long_click = function(_, p) self:choose(p) end },
      not choosing and fab { id = "add", desc = "Add a parcel",
        on_click = function() self:start("Edit", { group = self.group ~= 0 and self.group or nil }) end },
    }
  end,
}

activity "Parcel" {
  check = function(self, parcel)
    check_parcel(parcel.id, function(ok, why)
      toast(ok and "Checked" or why)
    end)
  end,

  ask_delete = function(self, parcel)
    local function delete()
      remove_parcel(parcel)
      self:finish()
    end
    if not prefs.confirm then return delete() end
    self:dialog { title = "Delete " .. parcel.name .. "?", message = "The log keeps its lines about it.", ok = "Delete",
      on_ok = delete, cancel = "Cancel" }
  end,

  menu = function(self)
    local parcel = parcel_of(self.intent.id)
    if not parcel then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("Edit", { id = parcel.id }) end },
      { "Mute", id = "mute", checked = parcel.muted == true, on_click = function() parcel.muted = not parcel.muted end },
      { "Copy number", id = "copy_number", on_click = function() clipboard.set(parcel.number) toast("Copied") end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { parcel.archived and "Bring back" or "Archive", id = "archive", on_click = function()
        parcel.archived = not parcel.archived or nil
        toast(parcel.archived and "Archived" or "Brought back")
      end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(parcel) end },
    }
  end,

  view = function(self)
    local p = parcel_of(self.intent.id)
    if not p then return column { toolbar { "Parcel", up = true }, text { "This parcel is gone", id = "gone" } } end
    local group = p.group and group_of(p.group)
    return column {
      toolbar { p.name, up = true },
      scroll { id = "page",
        text { STAGES[p.stage], id = "stage", size = "large" },
        text { carrier_name(p) .. ", " .. p.number, id = "number" },
        text { (p.outgoing and "I sent it" or "Comes to me") .. (p.group and ", " .. (group and group.name or "?") or ""), id = "direction" },
        p.archived and text { "In the archive: it is not checked any more", id = "archived" },
        p.muted and text { "Muted: no notifications", id = "muted" },
        p.note ~= "" and text { p.note, id = "note" },
        text { p.checked and "Last checked " .. day(p.checked) or "Not checked yet", id = "checked", size = "small" },
        not p.archived and button { "Check now", id = "check", enabled = waiting == 0, on_click = function() self:check(p) end },
        waiting > 0 and progress { id = "waiting", spinning = true },
        divider {},
        #p.events == 0 and text { "No events yet", id = "no_events" },
        each(p.events, function(e) return row { text { day(e.at), id = "event_day", size = "small" }, text { e.text, id = "event_text", weight = 1 } } end),
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    saved = saved or {}
    local p = intent.id and parcel_of(intent.id)
    self.id = p and p.id
    self.first = p and { name = p.name, number = p.number, note = p.note, carrier = p.carrier, group = p.group or 0, outgoing = p.outgoing == true }
      or { name = "", number = self:offered(), note = "", carrier = self:carriers(nil)[1].id, group = intent.group or 0, outgoing = false }
    self.group, self.carrier, self.outgoing = self.first.group, self.first.carrier, self.first.outgoing
    if saved.group then self.group, self.outgoing = saved.group, saved.outgoing end
    if saved.carrier and not bug("carrier_turned") then self.carrier = saved.carrier end
  end,
  save = function(self, out) out.carrier, out.group, out.outgoing = self.carrier, self.group, self.outgoing end,

  -- A number that was copied somewhere is what one wants to add.
  offered = function(self)
    local copied = trim(clipboard.get() or "")
    if #copied >= 6 and #copied <= 20 and copied:match("^%u+%d+$") then return copied end
    return ""
  end,

  -- Carriers that are switched off are not offered, but the parcel keeps the one it has.
  carriers = function(self, current)
    local offered = filter(storage.carriers, function(c) return c.on or c.id == current end)
    return #offered > 0 and offered or storage.carriers
  end,

  groups = function(self)
    local all = { { id = 0, name = "No group" } }
    for _, g in ipairs(storage.groups) do table.insert(all, g) end
    return all
  end,

  place_of = function(self, list, id)
    local _, at = find(list, function(x) return x.id == id end)
    return at or 1
  end,

  changed = function(self)
    local f = self.first
    return self:text("name") ~= f.name or self:text("number") ~= f.number or self:text("note") ~= f.note or self.carrier ~= f.carrier
      or self.group ~= f.group or self.outgoing ~= f.outgoing
  end,

  leave = function(self)
    if not self:changed() then return self:finish() end
    self:dialog { title = "Discard the changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,
  back = function(self) self:leave() return true end,

  store = function(self)
    local name, number = trim(self:text("name")), trim(self:text("number")):upper()
    if name == "" then return toast("Give the parcel a name") end
    if number == "" then return toast("Which number does it have?") end
    local same = find(storage.parcels, function(p) return p.number == number and p.id ~= self.id end)
    if same then return toast("You are tracking this number already: " .. same.name) end
    local p = self.id and parcel_of(self.id)
    if not p then
      if #storage.parcels >= MAX_PARCELS then return toast("Too many parcels") end
      p = { id = new_id(), stage = 0, events = {}, number = number }
      table.insert(storage.parcels, p)
    elseif p.number ~= number then   -- another parcel as far as the carrier is concerned
      p.stage, p.events, p.checked = 0, {}, nil
    end
    p.name, p.number, p.note, p.carrier, p.outgoing = name, number, trim(self:text("note")), self.carrier, self.outgoing
    p.group = group_of(self.group) and self.group
    self:finish()
  end,

  view = function(self)
    local carriers, groups = self:carriers(self.first.carrier), self:groups()
    local function names(list) return each(list, function(x) return x.name end) end
    return column {
      toolbar { self.id and "Edit parcel" or "New parcel", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "name", hint = "What is in it", text = self.first.name, max = 30 },
        field { id = "number", hint = "Tracking number", text = self.first.number, max = 20 },
        not self.id and self.first.number ~= "" and text { "The number was taken from the clipboard", id = "offered", size = "small" },
        text { "Carrier", size = "small" },
        spinner { id = "carrier", items = names(carriers), selected = self:place_of(carriers, self.carrier),
          on_change = function(i) self.carrier = carriers[i].id end },
        text { "Group", size = "small" },
        spinner { id = "group_of_parcel", items = names(groups), selected = self:place_of(groups, self.group),
          on_change = function(i) self.group = groups[i].id end },
        radios { id = "direction", items = { "Comes to me", "I sent it" }, selected = self.outgoing and 2 or 1,
          on_change = function(i) self.outgoing = i == 2 end },
        field { id = "note", hint = "Note", text = self.first.note, input = "multiline", max = 200 },
      },
    }
  end,
}

activity "Archive" {
  archived = function(self) return sorted(filter(storage.parcels, function(p) return p.archived end)) end,

  item_menu = function(self, parcel)
    self:popup {
      { "Open", id = "open", on_click = function() self:start("Parcel", { id = parcel.id }) end },
      { "Bring back", id = "bring_back", on_click = function() parcel.archived = nil end },
      { "Delete", id = "delete", on_click = function()
        if not prefs.confirm then return remove_parcel(parcel) end
        self:dialog { title = "Delete " .. parcel.name .. "?", ok = "Delete", on_ok = function() remove_parcel(parcel) end, cancel = "Cancel" }
      end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = self:archived(), empty = text { "The archive is empty", id = "empty" },
        row = function(p) return column { id = "archived_row", text { p.name, id = "name" },
          text { carrier_name(p) .. " · " .. STAGES[p.stage], id = "line", size = "small" } } end,
        on_item_click = function(_, p) self:item_menu(p) end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  results = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    return sorted(filter(storage.parcels, function(p)
      return contains((p.name .. "\n" .. p.number .. "\n" .. p.note .. "\n" .. carrier_name(p)):lower(), query)
    end))
  end,

  view = function(self)
    local results = self:results()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Name, number, carrier or note", max = 30, on_change = function(s) self.query = s end },
      text { plural(#results, "parcel") .. " found, archived ones among them", id = "found", size = "small" },
      list { id = "results", items = results,
        row = function(p) return column { id = "result_row", text { p.name, id = "name" },
          text { p.number .. " · " .. STAGES[p.stage] .. (p.archived and " · archived" or ""), id = "line", size = "small" } } end,
        on_item_click = function(_, p) self:start("Parcel", { id = p.id }) end },
    }
  end,
}

activity "Groups" {
  ask_name = function(self, group)
    self:dialog {
      title = group and "Rename group" or "New group",
      view = function() return column { field { id = "group_name", hint = "Name", text = group and group.name or "", max = 20 } } end,
      ok = group and "Rename" or "Add",
      on_ok = function()
        local name = trim(self:text("group_name"))
        if name == "" then toast("A group needs a name") return true end
        local same = find(storage.groups, function(g) return g.name:lower() == name:lower() end)
        if same and same ~= group then toast("There is such a group") return true end
        if group then group.name = name return end
        if #storage.groups >= MAX_GROUPS then return toast("Too many groups") end
        table.insert(storage.groups, { id = new_id(), name = name })
      end,
      cancel = "Cancel",
    }
  end,

  delete = function(self, group)
    self:dialog { title = "Delete " .. group.name .. "?", message = "Its parcels stay, without a group.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        table.remove(storage.groups, index_of(storage.groups, group))
        if bug("group_orphans") then return end
        for _, p in ipairs(storage.parcels) do
          if p.group == group.id then p.group = nil end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Groups", up = true, actions = { { "Add group", id = "add_group", on_click = function() self:ask_name(nil) end } } },
      list { id = "groups", items = storage.groups, empty = text { "No groups", id = "empty" },
        row = function(g)
          local count = #filter(storage.parcels, function(p) return p.group == g.id and not p.archived end)
          return row { id = "group_row", column { weight = 1, text { g.name, id = "name" }, text { plural(count, "parcel"), id = "count", size = "small" } },
            button { "Delete", id = "delete_group", on_click = function() self:delete(g) end } }
        end,
        on_item_click = function(_, g) self:ask_name(g) end },
      text { "Archived parcels are not counted here", id = "hint", size = "small" },
    }
  end,
}

activity "Carriers" {
  uses = function(self, carrier) return #filter(storage.parcels, function(p) return p.carrier == carrier.id end) end,

  ask_new = function(self)
    self:dialog {
      title = "New carrier",
      view = function() return column { field { id = "carrier_name", hint = "Name", max = 20 } } end,
      ok = "Add",
      on_ok = function()
        local name = trim(self:text("carrier_name"))
        if name == "" then toast("A carrier needs a name") return true end
        if find(storage.carriers, function(c) return c.name:lower() == name:lower() end) then toast("There is such a carrier") return true end
        if #storage.carriers >= MAX_CARRIERS then return toast("Too many carriers") end
        table.insert(storage.carriers, { id = new_id(), name = name, on = true, own = true })
      end,
      cancel = "Cancel",
    }
  end,

  delete = function(self, carrier)
    if not carrier.own then return toast("This carrier came with the app: switch it off") end
    local uses = self:uses(carrier)
    if uses > 0 then return toast("Still used by " .. plural(uses, "parcel")) end
    table.remove(storage.carriers, index_of(storage.carriers, carrier))
    toast(carrier.name .. " deleted")
  end,

  switched = function(self, carrier, on)
    local others = filter(storage.carriers, function(c) return c.on and c ~= carrier end)
    if not on and #others == 0 then return toast("One carrier has to stay on") end
    carrier.on = on
  end,

  view = function(self)
    return column {
      toolbar { "Carriers", up = true, actions = { { "Add carrier", id = "add_carrier", on_click = function() self:ask_new() end } } },
      text { "Carriers that are off are not offered for new parcels. A long touch deletes your own.", id = "hint", size = "small" },
      list { id = "carriers", items = storage.carriers,
        row = function(c) return row { id = "carrier_row",
          column { weight = 1, text { c.name, id = "name" }, text { plural(self:uses(c), "parcel"), id = "uses", size = "small" } },
          switch { "", id = "carrier_on", desc = c.name, checked = c.on, on_change = function(on) self:switched(c, on) end } } end,
        on_item_long_click = function(_, c) self:delete(c) end },
    }
  end,
}

activity "Log" {
  view = function(self)
    return column {
      toolbar { "Log", up = true, actions = { { "Clear", id = "clear_log", on_click = function() storage.log = {} end } } },
      list { id = "log", items = storage.log, empty = text { "Nothing was checked yet", id = "empty" },
        row = function(line)
          local when = bug("log_dates") and date(line.at, "%d %b %Y") or day(line.at)
          return column { id = "log_row", text { line.text, id = "what" }, text { when, id = "when", size = "small" } }
        end },
      text { "Deleted parcels stay in the log, under the name they had", id = "hint", size = "small" },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local shown = filter(storage.parcels, function(p) return not p.archived end)
    local rows = each(storage.carriers, function(c)
      local mine = filter(shown, function(p) return p.carrier == c.id end)
      local done = #filter(mine, function(p) return p.stage == 4 end)
      return { name = c.name, all = #mine, done = done }
    end)
    local delivered = #filter(shown, function(p) return p.stage == 4 end)
    return column {
      toolbar { "Statistics", up = true },
      text { plural(#shown, "parcel") .. ", " .. delivered .. " delivered", id = "total", size = "large" },
      text { #filter(shown, function(p) return p.outgoing end) .. " outgoing, " .. #filter(shown, function(p) return p.star end) .. " starred", id = "more" },
      list { id = "per_carrier", items = filter(rows, function(r) return r.all > 0 end), empty = text { "Nothing to count", id = "empty" },
        row = function(r) return column { id = "carrier_stat", text { r.name, id = "name" },
          text { r.done .. " of " .. r.all .. " delivered", id = "counts", size = "small" } } end },
      text { "Archived parcels are left out", id = "hint", size = "small" },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local function option(name, title, about)
      return { switch { title, id = name, checked = prefs[name], on_change = function(b) prefs[name] = b end }, text { about, size = "small" } }
    end
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "options",
        option("iso_dates", "Dates as 2023-12-31", "On every page that shows dates"),
        option("notify", "Notify me", "When a check finds that a parcel moved on, unless it is muted"),
        option("confirm", "Ask before deleting", "Archiving never asks"),
        text { "Sort parcels by", size = "small" },
        spinner { id = "sort_setting", items = SORTS, selected = prefs.sort, on_change = function(i) prefs.sort = i end },
        text { "Check all leaves out what is delivered or archived. A delivered parcel can still be checked on its own page.", id = "rule", size = "small" },
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Parcels 1.8", message = "Made for people who wait.", ok = "OK" }
        end },
      },
    }
  end,
}
