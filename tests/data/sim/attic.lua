-- Attic: boxes with labels, a bin, copies, a selection, stars.
-- Each bug shows only when something is put away and brought back, copied, selected under a search, filtered after it was archived, or taken back.
app { package = "org.norn.attic", title = "Attic", main = "Main",
  bugs = { "restore_room", "bin_counts", "shared_labels", "lost_note", "select_hidden", "archive_found", "most_stays", "draft_short" },
  application = function()
    if storage.boxes then return end
    storage.next_id = 5
    storage.most = 1
    storage.drafts = {}
    storage.boxes = {
      { id = 1, name = "Lamps", room = "North", kilos = 4, labels = { "Glass" }, items = { { "Shade", "torn" }, { "Bulb", "" } }, star = true },
      { id = 2, name = "Books", room = "South", kilos = 19, labels = {}, items = { { "Atlas", "heavy" }, { "Novel", "" } } },
      { id = 3, name = "Tools", room = "North", kilos = 11, labels = { "Metal" }, items = { { "Hammer", "" }, { "Saw", "blunt" } } },
      { id = 4, name = "Linen", room = "South", kilos = 6, labels = {}, items = { { "Sheet", "white" }, { "Towel", "" } } },
    }
  end }

local function box_of(id) return (find(storage.boxes, function(b) return b.id == id end)) end
local function kept() return filter(storage.boxes, function(b) return not b.binned and not b.archived end) end
local function clone(value)
  if type(value) ~= "table" then return value end
  local out = {}
  for key, one in pairs(value) do out[key] = clone(one) end
  return out
end
local function copied(box)
  local out = clone(box)
  storage.next_id = storage.next_id + 1
  out.id, out.name, out.star = storage.next_id, box.name .. " (copy)", nil
  if bug("shared_labels") then out.labels = box.labels end
  if bug("lost_note") then for _, item in ipairs(out.items) do item[2] = "" end end
  table.insert(storage.boxes, out)
end

activity "Main" {
  create = function(self) self.chosen, self.query = {}, "" end,
  shown = function(self)
    local from = bug("archive_found") and self.query ~= "" and filter(storage.boxes, function(b) return not b.binned end) or kept()
    return filter(from, function(b) return contains(b.name:lower(), self.query:lower()) end)
  end,
  count = function(self) return #filter(storage.boxes, function(b) return self.chosen[b.id] end) end,
  back = function(self)
    if self:count() == 0 then return false end
    self.chosen = {}
    return true
  end,
  all = function(self)
    for _, b in ipairs(bug("select_hidden") and kept() or self:shown()) do self.chosen[b.id] = true end
  end,
  star = function(self, box)
    box.star = not box.star
    local stars = #filter(storage.boxes, function(b) return b.star end)
    storage.most = bug("most_stays") and math.max(storage.most, stars) or stars
  end,
  menu = function(self)
    return { { "Bin", id = "bin", on_click = function() self:start("Bin") end },
      { "Rooms", id = "rooms", on_click = function() self:start("Rooms") end },
      { "Drafts", id = "drafts", on_click = function() self:start("Drafts") end } }
  end,
  view = function(self)
    local chosen = self:count()
    return column {
      toolbar { chosen > 0 and chosen .. " selected" or "Attic", actions = chosen > 0 and { { "Select all", id = "select_all", on_click = function() self:all() end } } or nil },
      field { id = "query", hint = "Find", text = self.query, max = 20, on_change = function(s) self.query = s end },
      list { id = "boxes", weight = 1, items = self:shown(), empty = text { "Nothing", id = "empty" },
        row = function(b)
          return row { text { (self.chosen[b.id] and "✓ " or "") .. b.name, id = "name", weight = 1 }, text { b.room, id = "room" },
            button { b.star and "★" or "☆", id = "star", on_click = function() self:star(b) end },
            button { "…", id = "more", desc = "More", on_click = function()
              self:popup { { "Delete", id = "delete", on_click = function() b.binned = true end },
                { "Archive", id = "archive", on_click = function() b.archived = true end },
                { "Duplicate", id = "duplicate", on_click = function() copied(b) end } }
            end } }
        end,
        on_item_click = function(_, b)
          if chosen > 0 then self.chosen[b.id] = not self.chosen[b.id] or nil else self:start("Box", { id = b.id }) end
        end,
        on_item_long_click = function(_, b) self.chosen[b.id] = true end },
      fab { id = "add", desc = "New box", on_click = function() self:start("New") end },
    }
  end,
}

activity "Box" {
  view = function(self)
    local b = box_of(self.intent.id)
    if not b then return column { toolbar { "Gone", up = true } } end
    local function toggle(label)
      local at = index_of(b.labels, label)
      if at then table.remove(b.labels, at) else table.insert(b.labels, label) end
    end
    return column { toolbar { b.name, up = true },
      text { "Labels: " .. (#b.labels > 0 and table.concat(b.labels, ", ") or "none"), id = "labels" },
      button { "Glass", id = "glass", on_click = function() toggle("Glass") end },
      button { "Metal", id = "metal", on_click = function() toggle("Metal") end },
      list { id = "items", weight = 1, items = b.items,
        row = function(item) return row { text { item[1], id = "item", weight = 1 }, item[2] ~= "" and text { item[2], id = "note" } or nil } end } }
  end,
}

activity "Bin" {
  view = function(self)
    return column { toolbar { "Bin", up = true },
      list { id = "binned", weight = 1, items = filter(storage.boxes, function(b) return b.binned end), empty = text { "Empty", id = "no_bin" },
        row = function(b) return row { text { b.name, id = "binned_name", weight = 1 } } end,
        on_item_click = function(_, b)
          self:popup { { "Restore", id = "restore", on_click = function()
              b.binned = nil
              if bug("restore_room") then b.room = "North" end
            end },
            { "Delete for good", id = "purge", on_click = function() table.remove(storage.boxes, index_of(storage.boxes, b)) end } }
        end } }
  end,
}

activity "Rooms" {
  view = function(self)
    local function kilos(room)
      local out = 0
      for _, b in ipairs(storage.boxes) do
        if b.room == room and (bug("bin_counts") or not b.binned) then out = out + b.kilos end
      end
      return out
    end
    return column { toolbar { "Rooms", up = true },
      text { "North: " .. kilos("North") .. " kg", id = "north" }, text { "South: " .. kilos("South") .. " kg", id = "south" },
      text { "Most stars: " .. storage.most, id = "most" } }
  end,
}

-- A box that is not made yet is kept as a draft; who goes back is asked, and what was entered beside the name comes up when it is wanted.
activity "New" {
  save = function(self, out) out.more = self.more end,
  create = function(self, intent, saved)
    self.more = saved and saved.more
    self.draft = intent.at and storage.drafts[intent.at] or { name = "", owner = "", hint = "" }
  end,
  keep = function(self)
    local made = { name = self:text("new_name"), owner = self:text("owner"), hint = self.more and self:text("hint") or self.draft.hint }
    if bug("draft_short") then made.hint = "" end
    if self.intent.at then storage.drafts[self.intent.at] = made else table.insert(storage.drafts, made) end
    self:finish()
  end,
  leave = function(self)
    if self:text("new_name") == self.draft.name then return false end
    self:dialog { title = "Keep a draft?", ok = "Keep", on_ok = function() self:keep() end, neutral = "Discard", on_neutral = function() self:finish() end }
    return true
  end,
  back = function(self) return self:leave() end,
  view = function(self)
    local more = self.more or self.draft.hint ~= "" or self.intent.at
    self.more = more
    return column { toolbar { "Box", up = function() if not self:leave() then self:finish() end end },
      field { id = "new_name", hint = "Name", text = self.draft.name },
      field { id = "owner", hint = "Owner", text = self.draft.owner },
      more and field { id = "hint", hint = "Hint", text = self.draft.hint } or nil,
      not more and button { "More", id = "more_fields", on_click = function() self.more = true end } or nil,
      button { "Keep as draft", id = "keep", on_click = function() self:keep() end } }
  end,
}

activity "Drafts" {
  view = function(self)
    return column { toolbar { "Drafts", up = true },
      list { id = "draft_list", weight = 1, items = storage.drafts, empty = text { "None", id = "no_draft" },
        row = function(d) return row { text { d.name, id = "draft_name" } } end,
        on_item_click = function(i) self:start("New", { at = i }) end } }
  end,
}
