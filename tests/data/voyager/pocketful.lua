-- Pocketful: loyalty cards and vouchers, with groups, balances, expiry dates and an archive.
-- Groups show as tabs; a card may be in several of them.

local DAY = 24 * 60 * 60 * 1000
local CODES = { "No barcode", "QR code", "EAN 13", "Code 128", "Aztec" }
local UNITS = { "Points", "EUR", "USD" }
local SORTS = { "Name", "Last used", "Expiry" }
local LASTING = { "Never", "Today", "In a week", "In a month", "In a year" }

app {
  package = "org.voyager.pocketful",
  title = "Pocketful",
  main = "Cards",
  permissions = { "CAMERA" },
  bugs = { "next_ignores_tab", "duplicate_shares_groups", "spend_rounds", "delete_group_cards", "select_all_hidden",
    "sort_upper_case", "number_resets_code", "expires_a_day_early" },
  application = function()
    if storage.cards then return end
    local t = now()
    storage.next_id = 50
    storage.groups = { { id = 1, name = "Food" }, { id = 2, name = "Clothes" }, { id = 3, name = "Travel" } }
    storage.cards = {
      { id = 1, name = "Corner Bakery", number = "40011", code = 2, balance = 700, unit = 1, groups = { 1 }, used = t - 2 * DAY },
      { id = 2, name = "Thread & Needle", number = "5901234123457", code = 3, groups = { 2 }, used = t - 20 * DAY, starred = true },
      { id = 3, name = "airBus Lounge", number = "LH-88210", code = 5, expiry = t + 40 * DAY, groups = { 3 }, used = t - 90 * DAY },
      { id = 4, name = "Green Market", number = "7711-02", code = 4, balance = 1850, unit = 2, groups = { 1 }, used = t - 1 * DAY },
      { id = 5, name = "Museum Pass", number = "MP 2024 17", code = 2, expiry = t - 12 * DAY, groups = { 3 }, used = t - 300 * DAY },
      { id = 6, name = "Pizza Due", number = "", code = 1, balance = 600, unit = 1, groups = { 1, 3 }, used = t - 8 * DAY,
        note = "Ten stamps: one pizza" },
      { id = 7, name = "Book Nook", number = "9780306406157", code = 3, expiry = t + 5 * DAY, groups = {}, used = t - 33 * DAY },
      { id = 8, name = "Old Gym", number = "G-17", code = 4, groups = {}, used = t - 500 * DAY, archived = true },
    }
    prefs.sort, prefs.reverse, prefs.details, prefs.bright = 2, false, true, true
  end,
}

local function card_of(id) return (find(storage.cards, function(c) return c.id == id end)) end
local function group_of(id) return (find(storage.groups, function(g) return g.id == id end)) end
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function amount_text(amount, unit)
  if unit == 1 then return amount // 100 .. " points" end
  return format("%d.%02d %s", amount // 100, amount % 100, UNITS[unit])
end

-- A card is good until the end of its last day.
local function expired(card)
  if not card.expiry then return false end
  local last, today = card.expiry // DAY, now() // DAY
  if bug("expires_a_day_early") then return last <= today end
  return last < today
end

local function expiry_text(card)
  if not card.expiry then return "Never expires" end
  return (expired(card) and "Expired " or "Valid until ") .. date(card.expiry, "%Y-%m-%d")
end

local function group_names(card)
  local names = filter(each(card.groups, function(id) return (group_of(id) or {}).name or "" end), function(n) return n ~= "" end)
  return #names > 0 and table.concat(names, ", ") or "No group"
end

local function name_key(card) return bug("sort_upper_case") and card.name or card.name:lower() end

local function in_order(cards)
  local list = copy(cards)
  table.sort(list, function(a, b)
    if (a.starred or false) ~= (b.starred or false) then return a.starred or false end     -- starred ones always first
    if prefs.sort == 2 and a.used ~= b.used then return (a.used > b.used) ~= prefs.reverse end
    if prefs.sort == 3 and a.expiry ~= b.expiry then
      if not a.expiry or not b.expiry then return a.expiry ~= nil end              -- those without a date at the end
      return (a.expiry < b.expiry) ~= prefs.reverse
    end
    local x, y = name_key(a), name_key(b)
    if x == y then return false end
    return (x < y) ~= (prefs.reverse and prefs.sort == 1)
  end)
  return list
end

local function cards_in(group, archived)
  return in_order(filter(storage.cards, function(c)
    if (c.archived or false) ~= (archived or false) then return false end
    return not group or index_of(c.groups, group) ~= nil
  end))
end

local function delete_cards(ids)
  storage.cards = filter(storage.cards, function(c) return not index_of(ids, c.id) end)
end

local function card_row(card, chosen)
  local lines = { text { (chosen and "☑ " or "") .. (card.starred and "★ " or "") .. card.name, id = "card_name" } }
  if prefs.details then
    if card.balance then table.insert(lines, text { "Balance: " .. amount_text(card.balance, card.unit), id = "card_balance", size = "small" }) end
    if card.expiry then table.insert(lines, text { expiry_text(card), id = "card_expiry", size = "small" }) end
  end
  return column { id = "card_row", selected = chosen, lines }
end

-- ---- the cards ----

activity "Cards" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab, self.query, self.chosen = saved.tab or 1, saved.query, saved.chosen or {}
  end,
  save = function(self, out) out.tab, out.query, out.chosen = self.tab, self.query, self.chosen end,
  resume = function(self)
    if self.tab > #storage.groups + 1 then self.tab = 1 end
    self.chosen = filter(self.chosen, function(id) return card_of(id) ~= nil end)
  end,
  back = function(self)
    if #self.chosen > 0 then self.chosen = {} return true end
    if self.query then self.query = nil return true end
    return false
  end,
  group = function(self) return self.tab > 1 and storage.groups[self.tab - 1].id or nil end,
  shown = function(self)
    local cards = cards_in(self:group())
    if not self.query or self.query == "" then return cards end
    return filter(cards, function(c)
      return contains(c.name:lower(), self.query:lower()) or contains((c.note or ""):lower(), self.query:lower())
    end)
  end,
  choose = function(self, card)
    local at = index_of(self.chosen, card.id)
    if at then table.remove(self.chosen, at) else table.insert(self.chosen, card.id) end
  end,
  choose_all = function(self)
    local cards = bug("select_all_hidden") and cards_in(nil) or self:shown()
    self.chosen = each(cards, function(c) return c.id end)
  end,
  archive_chosen = function(self)
    for _, id in ipairs(self.chosen) do card_of(id).archived = true end
    toast(plural(#self.chosen, "card") .. " archived")
    self.chosen = {}
  end,
  delete_chosen = function(self)
    self:dialog { title = "Delete " .. plural(#self.chosen, "card") .. "?", message = "This cannot be undone.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        delete_cards(self.chosen)
        self.chosen = {}
      end }
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", cancel = "Close",
      view = function()
        return column {
          radios { id = "sort_by", items = SORTS, selected = prefs.sort, on_change = function(i) prefs.sort = i end },
          check { "Reverse order", id = "reverse", checked = prefs.reverse, on_change = function(on) prefs.reverse = on end },
        }
      end }
  end,
  menu = function(self)
    return {
      { "Sort", id = "sort", on_click = function() self:ask_sort() end },
      { "Groups", id = "groups", on_click = function() self:start("Groups") end },
      { "Archive", id = "archive", on_click = function() self:start("Archive") end },
      { "Import/export", id = "backup", on_click = function() self:start("Backup") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  chosen_bar = function(self)
    return row {
      button { "All", id = "choose_all", on_click = function() self:choose_all() end },
      button { "Archive", id = "archive_chosen", on_click = function() self:archive_chosen() end },
      button { "Delete", id = "delete_chosen", on_click = function() self:delete_chosen() end },
    }
  end,
  view = function(self)
    local titles = each(storage.groups, function(g) return g.name end)
    table.insert(titles, 1, "All")
    local choosing = #self.chosen > 0
    return column {
      toolbar { choosing and #self.chosen .. " selected" or "Pocketful", actions = {
        { "Search", id = "search", on_click = function() self.query = not self.query and "" or nil end } } },
      self.query and field { id = "query", hint = "Name or note", text = self.query, on_change = function(s) self.query = s end },
      tabs { id = "group_tabs", titles = titles, selected = self.tab, on_change = function(i) self.tab, self.chosen = i, {} end },
      choosing and self:chosen_bar(),
      list { id = "cards", items = self:shown(), row = function(c) return card_row(c, index_of(self.chosen, c.id) ~= nil) end,
        empty = text { self.query and "No card matches" or "No cards here. Press + to add one.", id = "empty" },
        on_item_click = function(_, c)
          if choosing then return self:choose(c) end
          self:start("Card", { id = c.id, group = self:group() })
        end,
        on_item_long_click = function(_, c) self:choose(c) end },
      not choosing and fab { id = "add", desc = "Add card", on_click = function() self:start("EditCard", { group = self:group() }) end },
    }
  end,
}

-- ---- one card ----

activity "Card" {
  create = function(self, intent, saved)
    self.id = saved and saved.id or intent.id
    local card = card_of(self.id)
    if card and not saved then card.used = now() end
  end,
  save = function(self, out) out.id = self.id end,
  resume = function(self) if not card_of(self.id) then self:finish() end end,
  ring = function(self)
    local card = card_of(self.id)
    local cards = cards_in(self.intent.group, card.archived)
    local _, at = find(cards, function(c) return c.id == self.id end)
    return cards, at or 1
  end,
  step = function(self, by)
    local cards, at = self:ring()
    if bug("next_ignores_tab") then
      cards = cards_in(nil, card_of(self.id).archived)
      local _, place = find(cards, function(c) return c.id == self.id end)
      at = place or 1
    end
    local other = cards[at + by]
    if other then self.id = other.id else toast(by > 0 and "This is the last card" or "This is the first card") end
  end,
  ask_amount = function(self, card, title, sign)
    self:dialog { title = title, cancel = "Cancel", ok = title,
      view = function()
        return column { text { "Balance: " .. amount_text(card.balance, card.unit) },
          field { id = "amount", hint = "Amount", input = "decimal" } }
      end,
      on_ok = function()
        local amount = tonumber((self:text("amount"):gsub(",", ".")))
        if not amount or amount <= 0 or amount > 100000 then toast("Not an amount") return true end
        local cents = math.floor(amount * 100 + 0.5)
        if card.unit == 1 then cents = math.floor(amount + 0.5) * 100 end
        if bug("spend_rounds") then cents = cents // 100 * 100 end
        if sign < 0 and cents > card.balance then toast("The balance is too low") return true end
        card.balance = card.balance + sign * cents
      end }
  end,
  duplicate = function(self, card)
    local twin = copy(card)
    twin.id, twin.name, twin.starred, twin.used = new_id(), card.name .. " (copy)", nil, now()
    if not bug("duplicate_shares_groups") then twin.groups = copy(card.groups) end
    table.insert(storage.cards, twin)
    toast("Duplicated")
    self.id = twin.id
  end,
  ask_delete = function(self, card)
    self:dialog { title = "Delete " .. card.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function()
      delete_cards { card.id }
      self:finish()
    end }
  end,
  menu = function(self)
    local card = card_of(self.id)
    if not card then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("EditCard", { id = card.id }) end },
      { "Choose groups", id = "card_groups", on_click = function() self:start("CardGroups", { id = card.id }) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(card) end },
      { card.archived and "Unarchive" or "Archive", id = "archive", on_click = function()
        card.archived = not card.archived or nil
        toast(card.archived and "Archived" or "Back among your cards")
      end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(card) end },
    }
  end,
  view = function(self)
    local card = card_of(self.id)
    if not card then return column { toolbar { "Card", up = true } } end
    local cards, at = self:ring()
    return column {
      toolbar { card.name, up = true, subtitle = card.archived and "Archived" or nil, actions = {
        { card.starred and "Remove star" or "Add star", id = "star", on_click = function() card.starred = not card.starred or nil end } } },
      scroll {
        card.code > 1 and image { desc = CODES[card.code] .. " " .. card.number, id = "barcode", height = 220 },
        text { card.number ~= "" and card.number or "No number", id = "number", size = "large" },
        text { CODES[card.code], id = "code", size = "small" },
        text { expiry_text(card), id = "expiry" },
        text { group_names(card), id = "groups" },
        card.note and text { card.note, id = "note" },
        card.balance and text { "Balance: " .. amount_text(card.balance, card.unit), id = "balance" },
        card.balance and row {
          button { "Spend", id = "spend", on_click = function() self:ask_amount(card, "Spend", -1) end },
          button { "Receive", id = "receive", on_click = function() self:ask_amount(card, "Receive", 1) end },
        },
      },
      row {
        button { "Previous", id = "previous", on_click = function() self:step(-1) end },
        text { "Card " .. at .. " of " .. #cards, id = "place", weight = 1 },
        button { "Next", id = "next", on_click = function() self:step(1) end },
      },
    }
  end,
}

activity "EditCard" {
  create = function(self, intent, saved)
    local card = intent.id and card_of(intent.id)
    self.draft = saved and saved.draft or card and { code = card.code, unit = card.unit or 1, expiry = card.expiry }
      or { code = 2, unit = 1 }
  end,
  save = function(self, out) out.draft = self.draft end,
  ask_expiry = function(self)
    self:dialog { title = "Valid until", items = LASTING, on_item = function(i)
      local days = ({ false, 0, 7, 30, 365 })[i]
      self.draft.expiry = days and now() + days * DAY or nil
    end }
  end,
  scan = function(self)
    self:ask_permission("CAMERA", function(granted)
      if self:is_finishing() then return end
      if not granted then return toast("The camera is needed to scan a code") end
      self:set_text("number", "4006381333931")
      self.draft.code = 3
    end)
  end,
  store = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("The card needs a name") end
    local card = self.intent.id and card_of(self.intent.id)
    if not card then
      card = { id = new_id(), groups = self.intent.group and { self.intent.group } or {}, used = now() }
      table.insert(storage.cards, card)
    end
    local number = trim(self:text("number"))
    if bug("number_resets_code") and card.number and card.number ~= number then self.draft.code = 2 end
    card.name, card.number, card.code, card.expiry, card.unit = name, number, self.draft.code, self.draft.expiry, self.draft.unit
    local note = trim(self:text("note"))
    card.note = note ~= "" and note or nil
    if self:checked("has_balance") then card.balance = card.balance or 0 else card.balance = nil end
    self:finish()
  end,
  view = function(self)
    local card = self.intent.id and card_of(self.intent.id) or nil
    return column {
      toolbar { card and "Edit card" or "Add card", up = true,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = card and card.name or "" },
        field { id = "number", hint = "Card number", text = card and card.number or "" },
        button { "Scan a code", id = "scan", on_click = function() self:scan() end },
        spinner { id = "code", items = CODES, selected = self.draft.code, on_change = function(i) self.draft.code = i end },
        button { self.draft.expiry and "Valid until " .. date(self.draft.expiry, "%Y-%m-%d") or "Never expires", id = "expiry",
          on_click = function() self:ask_expiry() end },
        check { "Has a balance", id = "has_balance", default = card ~= nil and card.balance ~= nil },
        spinner { id = "unit", items = UNITS, selected = self.draft.unit, on_change = function(i) self.draft.unit = i end },
        field { id = "note", hint = "Note", text = card and card.note or "", input = "multiline" },
      },
    }
  end,
}

activity "CardGroups" {
  view = function(self)
    local card = card_of(self.intent.id)
    if not card then return column { toolbar { "Groups", up = true } } end
    return column {
      toolbar { "Groups of " .. card.name, up = true },
      list { id = "choices", items = storage.groups, empty = text { "There are no groups yet", id = "empty" },
        row = function(g)
          return check { g.name, id = "choice", checked = index_of(card.groups, g.id) ~= nil, on_change = function(on)
            local at = index_of(card.groups, g.id)
            if on and not at then table.insert(card.groups, g.id) elseif not on and at then table.remove(card.groups, at) end
          end }
        end },
    }
  end,
}

-- ---- groups ----

activity "Groups" {
  ask_name = function(self, group)
    self:dialog { title = group and "Rename group" or "New group", cancel = "Cancel", ok = group and "Rename" or "Add",
      view = function() return column { field { id = "group_name", hint = "Name", text = group and group.name or "" } } end,
      on_ok = function()
        local name = trim(self:text("group_name"))
        if name == "" then return true end
        if find(storage.groups, function(g) return g.name == name and g ~= group end) then toast("That group exists") return true end
        if group then group.name = name else table.insert(storage.groups, { id = new_id(), name = name }) end
      end }
  end,
  ask_delete = function(self, group)
    self:dialog { title = "Delete group " .. group.name .. "?", message = "The cards in it are kept.", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        if bug("delete_group_cards") then
          storage.cards = filter(storage.cards, function(c) return not (#c.groups == 1 and c.groups[1] == group.id) end)
        end
        for _, c in ipairs(storage.cards) do
          c.groups = filter(c.groups, function(id) return id ~= group.id end)
        end
        table.remove(storage.groups, index_of(storage.groups, group))
      end }
  end,
  raise = function(self, i)
    if i == 1 then return toast("Already the first") end
    storage.groups[i - 1], storage.groups[i] = storage.groups[i], storage.groups[i - 1]
  end,
  view = function(self)
    return column {
      toolbar { "Groups", up = true },
      list { id = "group_list", items = storage.groups, empty = text { "No groups", id = "empty" },
        row = function(g, i)
          return row {
            text { g.name .. " (" .. #cards_in(g.id) .. ")", id = "group_name_row", weight = 1 },
            image_button { id = "raise", desc = "Move up", on_click = function() self:raise(i) end },
            image_button { id = "rename", desc = "Rename", on_click = function() self:ask_name(g) end },
            image_button { id = "remove", desc = "Delete", on_click = function() self:ask_delete(g) end },
          }
        end },
      fab { id = "add_group", desc = "Add group", on_click = function() self:ask_name() end },
    }
  end,
}

-- ---- archive, backup, settings ----

activity "Archive" {
  view = function(self)
    return column {
      toolbar { "Archive", up = true, subtitle = plural(#cards_in(nil, true), "card") },
      list { id = "archived", items = cards_in(nil, true), empty = text { "The archive is empty", id = "empty" },
        row = function(c) return card_row(c, false) end,
        on_item_click = function(_, c) self:start("Card", { id = c.id }) end },
    }
  end,
}

activity "Backup" {
  view = function(self)
    local saved = storage.backup
    return column {
      toolbar { "Import/export", up = true },
      text { saved and "Last export: " .. date(saved.at, "%Y-%m-%d") .. ", " .. plural(#saved.cards, "card") or "Never exported", id = "last_export" },
      button { "Export", id = "export", on_click = function()
        storage.backup = { at = now(), groups = each(storage.groups, copy), cards = each(storage.cards, function(c)
          local twin = copy(c)
          twin.groups = copy(c.groups)
          return twin
        end) }
        toast("Exported")
      end },
      button { "Import", id = "import", enabled = saved ~= nil, on_click = function()
        self:dialog { title = "Import?", message = "What you have now is replaced by the export.", cancel = "Cancel", ok = "Import",
          on_ok = function()
            storage.groups = each(saved.groups, copy)
            storage.cards = each(saved.cards, function(c)
              local twin = copy(c)
              twin.groups = copy(c.groups)
              return twin
            end)
            toast(plural(#storage.cards, "card") .. " imported")
          end }
      end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show balance and expiry in the list", id = "details", checked = prefs.details, on_change = function(on) prefs.details = on end },
      switch { "Bright screen while a card is shown", id = "bright", checked = prefs.bright, on_change = function(on) prefs.bright = on end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Pocketful 2.31", message = "Starred cards come first. " .. plural(#storage.cards, "card") .. " stored on this device.", ok = "OK" }
      end },
    }
  end,
}
