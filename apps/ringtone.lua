-- Ringtone Maker: choose a sound, cut a piece out of its waveform, save it, give it to a contact.
-- The waveform is a canvas: a tap moves the nearer marker, a drag moves the marker it begins at, a pinch zooms.

local KINDS = { "All", "Music", "Alarms", "Ringtones" }
local ZOOM = { 1, 2, 4, 8, 16 }           -- how much of the sound is seen: 1/ZOOM[level]
local GRAB = 120                          -- how near to a marker a drag must begin, in pixels

app {
  package = "org.norn.ringtone",
  title = "Ringtone Maker",
  main = "Files",
  permissions = { "READ_CONTACTS", "RECORD_AUDIO" },
  bugs = { "pinch_too_far", "toneless_contact", "nameless_file", "crossed_markers", "lost_recording", "search_outlives_tab", "minutes_ignored",
    "filtered_contact", "late_player" },
  themis = {
    { n = 1, activity = "Editor", id = "save", kind = "tap" },
    { n = 2, activity = "Contacts", id = "new_contact", kind = "tap" },
    { n = 3, activity = "Recorder", id = "stop", kind = "tap" },
    { n = 4, activity = "Editor", kind = "rotate" },
    { n = 5, activity = "Editor", id = "play", kind = "tap" },
    { n = 6, activity = "Editor", id = "filename", kind = "type" },
  },
  application = function()
    storage.sounds = storage.sounds or {
      { title = "Blue Danube", artist = "Strauss", kind = "Music", seconds = 180 },
      { title = "Morning Bell", artist = "System", kind = "Alarms", seconds = 12 },
      { title = "Marimba March", artist = "The Mallets", kind = "Music", seconds = 96 },
      { title = "Old Phone", artist = "System", kind = "Ringtones", seconds = 6 },
      { title = "Rooster", artist = "Farmyard", kind = "Alarms", seconds = 4 },
      { title = "Summer Rain", artist = "Nature", kind = "Music", seconds = 240 },
    }
    storage.contacts = storage.contacts or {
      { name = "Ada Byron", tone = "Default" }, { name = "Carl Gauss", tone = "Default" }, { name = "Emmy Noether", tone = "Default" },
      { name = "Leonhard Euler", tone = "Default" } }
    prefs.format = prefs.format or "mp3"
  end,
}

recorded = nil              -- what the recorder hands to the editor

local function clock(seconds) return format("%d:%02d", seconds // 60, seconds % 60) end

-- "75" or "1:15" in seconds; nil if it is neither
local function parse_time(s)
  local minutes, seconds = s:match("^(%d%d?%d?):(%d%d?)$")
  if minutes and bug("minutes_ignored") then return tonumber(minutes) end       -- takes the first number it finds
  if minutes then return tonumber(minutes) * 60 + tonumber(seconds) end
  if s:match("^%d%d?%d?%d?$") then return tonumber(s) end
  return nil
end

local function file_name(title)
  local plain = title:gsub("[^%w]", "")
  if plain == "" and not bug("nameless_file") then plain = "tone" end
  local first = plain:sub(1, 1)
  return format("%c%s.%s", first:upper():byte(), plain:sub(2), prefs.format)
end

-- ---- the list of sounds ----

activity "Files" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.query = saved.query or ""
    self.searching = saved.searching or false
  end,
  save = function(self, out) out.tab, out.query, out.searching = self.tab, self.query, self.searching end,
  shown = function(self)
    return filter(storage.sounds, function(s)
      local kind_fits = self.tab == 1 or s.kind == KINDS[self.tab]
      return kind_fits and contains(s.title:lower(), self.query:lower())
    end)
  end,
  toggle_search = function(self)
    self.searching = not self.searching
    self.query = ""
    self:set_text("query", "")
  end,
  change_tab = function(self, i)
    self.tab = i
    self.searching = false
    self:set_text("query", "")
    if not bug("search_outlives_tab") then self.query = "" end
  end,
  delete = function(self, sound)
    self:dialog { title = "Delete " .. sound.title .. "?", message = "The file is gone for good", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = find(storage.sounds, function(s) return s.title == sound.title end)
        if i then table.remove(storage.sounds, i) end
        toast("Deleted")
      end }
  end,
  options_of = function(self, sound)
    self:popup {
      { "Edit", id = "edit", on_click = function() self:start("Editor", { title = sound.title }) end },
      { "Details", id = "details", on_click = function() self:start("Details", { title = sound.title }) end },
      { "Delete", id = "delete", on_click = function() self:delete(sound) end },
    }
  end,
  menu = function(self)
    return {
      { "Record new", id = "record_new", on_click = function() self:start("Recorder") end },
      { "Contacts", id = "contacts", on_click = function() self:start("Contacts") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "About", id = "about", on_click = function()
        self:dialog { title = "About", message = "Ringtone Maker cuts sounds into ringtones.", ok = "OK" }
      end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Ringtone Maker", actions = { { "Search", id = "search", on_click = function() self:toggle_search() end } } },
      self.searching and field { id = "query", hint = "Search sounds", on_change = function(s) self.query = s end },
      tabs { id = "kinds", titles = KINDS, selected = self.tab, on_change = function(i) self:change_tab(i) end },
      list { id = "sounds", items = self:shown(), empty = text { "No sounds", id = "empty" },
        row = function(s)
          return column { text { s.title, id = "sound" }, text { s.artist .. ", " .. clock(s.seconds), id = "artist", size = "small" } }
        end,
        on_item_click = function(i, s) self:start("Editor", { title = s.title }) end,
        on_item_long_click = function(i, s) self:options_of(s) end },
    }
  end,
}

activity "Details" {
  view = function(self)
    local sound = find(storage.sounds, function(s) return s.title == self.intent.title end)
    if not sound then return column { toolbar { "Details", up = true }, text { "This sound was deleted", id = "gone" } } end
    return column {
      toolbar { "Details", up = true },
      text { sound.title, id = "title", size = "large" },
      text { "Artist: " .. sound.artist, id = "artist" },
      text { "Kind: " .. sound.kind, id = "kind" },
      text { "Length: " .. clock(sound.seconds), id = "length" },
      button { "Play elsewhere", id = "play_elsewhere", on_click = function() self:start_implicit { action = "VIEW", type = "audio/*" } end },
    }
  end,
}

-- ---- recording ----

activity "Recorder" {
  create = function(self, intent, saved)
    self.recording = saved and saved.recording or false
    self.begun = saved and saved.begun or 0
  end,
  save = function(self, out) out.recording, out.begun = self.recording, self.begun end,
  begin = function(self)
    self:ask_permission("RECORD_AUDIO", function(granted)
      if self:is_finishing() then return end
      if not granted then return toast("Without the microphone nothing can be recorded") end
      self.recording = true
      self.begun = now()
    end)
  end,
  stop_recording = function(self)
    self.recording = false
    recorded = { title = "Recording", artist = "You", kind = "Ringtones", seconds = math.max(2, (now() - self.begun) // 1000) }
    self:start("Editor", { recording = true })
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "Record", up = true },
      text { self.recording and "Recording" or "Ready", id = "state", size = "large" },
      not self.recording and button { "Record", id = "record", on_click = function() self:begin() end },
      self.recording and button { "Stop", id = "stop", on_click = function() self:stop_recording() end },
    }
  end,
}

-- ---- the editor ----

activity "Editor" {
  create = function(self, intent, saved)
    saved = saved or {}
    if intent.recording then
      self.sound = recorded
      recorded = nil
      if not bug("lost_recording") then self.sound = self.sound or saved.sound end
    else
      self.sound = find(storage.sounds, function(s) return s.title == intent.title end)
    end
    self.level = saved.level or 2
    self.from = saved.from or 0
    self.to = saved.to or self:length()
    self.playing = false
  end,
  save = function(self, out) out.sound, out.level, out.from, out.to = self.sound, self.level, self.from, self.to end,
  length = function(self)
    if not self.sound and not (bug("lost_recording") and self.intent.recording) then return 1 end
    return self.sound.seconds
  end,

  -- pixels and seconds: the view begins at 0 and shows length / zoom seconds
  seen = function(self) return self:length() / list_get(ZOOM, self.level) end,
  seconds_at = function(self, x)
    local width = self:size("waveform")
    return math.min(self:length(), math.floor(x / width * self:seen() + 0.5))
  end,
  pixel_of = function(self, seconds)
    local width = self:size("waveform")
    return seconds / self:seen() * width
  end,
  set_from = function(self, seconds)
    self.from = seconds
    if not bug("crossed_markers") then self.to = math.max(self.to, seconds) end
  end,
  set_to = function(self, seconds)
    self.to = seconds
    if not bug("crossed_markers") then self.from = math.min(self.from, seconds) end
  end,
  tap = function(self, x)
    local seconds = self:seconds_at(x)
    if math.abs(seconds - self.from) <= math.abs(seconds - self.to) then
      self.from = math.min(seconds, self.to)
    else
      self.to = math.max(seconds, self.from)
    end
  end,
  drag = function(self, x1, x2)
    local seconds = self:seconds_at(x2)
    if math.abs(self:pixel_of(self.from) - x1) < GRAB then return self:set_from(seconds) end
    if math.abs(self:pixel_of(self.to) - x1) < GRAB then return self:set_to(seconds) end
  end,
  pinch = function(self, factor)
    local level = factor > 1 and self.level + 1 or self.level - 1
    if not bug("pinch_too_far") then level = math.max(1, math.min(#ZOOM, level)) end
    self.level = math.max(1, level)
  end,

  play = function(self)
    if self.playing then
      self.playing = false
      return
    end
    local length = self.to - self.from
    if length < 0 then throw("java.lang.IllegalArgumentException", "end before start: " .. self.from .. " > " .. self.to) end
    self.playing = true
    after(1500, function()
      if not self.playing then return end
      self.playing = false
      if not bug("late_player") and self:is_finishing() then return end
      self:snackbar("Played " .. clock(length))
    end)
  end,
  set_times = function(self)
    local from, to = parse_time(self:text("start_time")), parse_time(self:text("end_time"))
    if from then self.from = math.min(from, self:length()) end
    if to then self.to = math.min(to, self:length()) end
    if self.to < self.from then self.from, self.to = self.to, self.from end
    if not from and not to then toast("Times look like 0:30") end
  end,
  store = function(self, title)
    local file = file_name(title)
    table.insert(storage.sounds, { title = title, artist = file, kind = "Ringtones", seconds = self.to - self.from })
    self:dialog { title = "Saved as " .. file, items = { "Close", "Make default", "Assign to contact", "Share" },
      on_item = function(i)
        if i == 1 then self:finish() end
        if i == 2 then
          prefs.default_tone = title
          toast("Default ringtone set")
        end
        if i == 3 then self:start("Contacts", { tone = title }) end
        if i == 4 then self:start_implicit { action = "SEND", type = "audio/*" } end
      end }
  end,
  ask_save = function(self)
    if self.to <= self.from then return toast("Nothing is selected") end
    self:dialog { title = "Save as", cancel = "Cancel", ok = "Save",
      view = function()
        return column { field { id = "filename", hint = "Name", text = self.sound.title .. " Ringtone" },
          spinner { id = "format", items = { "mp3", "wav", "ogg" }, selected = index_of({ "mp3", "wav", "ogg" }, prefs.format),
            on_change = function(i, s) prefs.format = s end } }
      end,
      on_ok = function()
        local name = trim(self:text("filename"))
        if name == "" then
          toast("A name, please")
          return true
        end
        self:store(name)
      end }
  end,
  menu = function(self)
    return {
      { "Reset markers", id = "reset", on_click = function() self.from, self.to = 0, self:length() end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local length = self:length()
    if not self.sound then return column { toolbar { "Editor", up = true }, text { "This sound was deleted", id = "gone" } } end
    return column {
      toolbar { self.sound.title, up = true, subtitle = clock(length) },
      canvas { id = "waveform", height = 500,
        desc = format("Waveform, zoom %d, from %s to %s", list_get(ZOOM, self.level), clock(self.from), clock(self.to)),
        on_tap = function(x) self:tap(x) end,
        on_drag = function(x1, _, x2) self:drag(x1, x2) end,
        on_pinch = function(_, _, factor) self:pinch(factor) end },
      row {
        button { "Zoom in", id = "zoom_in", enabled = self.level < #ZOOM, on_click = function() self.level = self.level + 1 end },
        button { "Zoom out", id = "zoom_out", enabled = self.level > 1, on_click = function() self.level = self.level - 1 end },
        button { self.playing and "Pause" or "Play", id = "play", on_click = function() self:play() end },
        button { "Save", id = "save", on_click = function() self:ask_save() end },
      },
      row {
        field { id = "start_time", hint = "Start", weight = 1, max = 6 },
        field { id = "end_time", hint = "End", weight = 1, max = 6 },
        button { "Set", id = "set_times", on_click = function() self:set_times() end },
      },
      text { "Selected: " .. clock(math.abs(self.to - self.from)), id = "selection" },
    }
  end,
}

-- ---- contacts ----

activity "Contacts" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self.allowed = has_permission("READ_CONTACTS")
  end,
  save = function(self, out) out.query = self.query end,
  ask = function(self)
    self:ask_permission("READ_CONTACTS", function(granted)
      if not self:is_finishing() then self.allowed = granted end
    end)
  end,
  shown = function(self)
    return filter(storage.contacts, function(c) return contains(c.name:lower(), self.query:lower()) end)
  end,
  assign = function(self, i, contact)
    local tone = self.intent.tone
    if not tone then return self:start("Contact", { name = contact.name }) end
    if bug("filtered_contact") then contact = storage.contacts[i] end       -- the row's place among all, not among the found
    contact.tone = tone
    toast(tone .. " is now the ringtone of " .. contact.name)
  end,
  add = function(self)
    self:dialog { title = "New contact", cancel = "Cancel", ok = "Add",
      view = function() return column { field { id = "contact_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("contact_name"))
        if name == "" then return true end
        table.insert(storage.contacts, { name = name })
      end }
  end,
  subtitle_of = function(self, contact)
    if bug("toneless_contact") then return contact.tone:upper() end
    return (contact.tone or "Default"):upper()
  end,
  view = function(self)
    if not self.allowed then
      return column {
        toolbar { "Contacts", up = true },
        text { "Your contacts are needed to give them ringtones", id = "why" },
        button { "Allow", id = "allow", on_click = function() self:ask() end },
      }
    end
    return column {
      toolbar { self.intent.tone and "Choose a contact" or "Contacts", up = true,
        actions = { { "New contact", id = "new_contact", on_click = function() self:add() end } } },
      field { id = "contact_query", hint = "Search", on_change = function(s) self.query = s end },
      list { id = "contact_list", items = self:shown(), empty = text { "Nobody", id = "empty" },
        row = function(c) return column { text { c.name, id = "contact" }, text { self:subtitle_of(c), id = "tone", size = "small" } } end,
        on_item_click = function(i, c) self:assign(i, c) end },
    }
  end,
}

activity "Contact" {
  view = function(self)
    local contact = find(storage.contacts, function(c) return c.name == self.intent.name end)
    if not contact then return column { toolbar { "Contact", up = true }, text { "Unknown", id = "gone" } } end
    return column {
      toolbar { contact.name, up = true },
      text { "Ringtone: " .. (contact.tone or "Default"), id = "tone" },
      button { "Use default", id = "use_default", on_click = function() contact.tone = "Default" end },
      button { "Call", id = "call", on_click = function() self:start_implicit { action = "DIAL", uri = "tel:100" } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      text "Format of new files",
      radios { id = "format", items = { "mp3", "wav", "ogg" }, selected = index_of({ "mp3", "wav", "ogg" }, prefs.format),
        on_change = function(_, s) prefs.format = s end },
      text { "Default ringtone: " .. (prefs.default_tone or "none"), id = "default_tone" },
      button { "Forget default ringtone", id = "forget", enabled = prefs.default_tone ~= nil, on_click = function() prefs.default_tone = nil end },
    }
  end,
}
