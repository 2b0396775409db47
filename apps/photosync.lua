-- Photo Sync: albums on the phone, an upload queue, a server. Uploads go on while screens come and go.

local SERVER = "https://sync.example.org"
local MEGABYTE = 1024 * 1024
local QUALITIES = { "Original", "High", "Small" }

app {
  package = "org.norn.photosync",
  title = "Photo Sync",
  main = "Albums",
  permissions = { "ACCESS_MEDIA_LOCATION" },
  bugs = { "late_albums", "cancelled_upload", "album_gone", "signed_out", "photo_after_death", "selection_survives", "held_for_ever", "late_info" },
  themis = {
    { n = 1, activity = "Albums", id = "refresh", kind = "tap" },
    { n = 2, activity = "Albums", kind = "rotate" },
    { n = 3, activity = "Photo", id = "upload", kind = "tap" },
    { n = 4, activity = "Queue", id = "cancel", kind = "tap" },
    { n = 5, activity = "Albums", id = "delete_album", kind = "tap" },
    { n = 6, activity = "Queue", id = "retry", kind = "tap" },
    { n = 7, activity = "Account", id = "sign_out", kind = "tap" },
  },
  server = function(request, db)
    db.uploaded = db.uploaded or {}
    if request.path == "/login" then
      local body = request.body or {}
      if body.password ~= "secret" then return nil, 403 end
      return { token = "token-" .. tostring(body.user) }
    end
    if not starts_with(request.query.token or "", "token-") then return nil, 401 end
    if request.path == "/albums" then return { albums = { "Holidays", "Garden", "Whiteboard" }, photos = #db.uploaded } end
    if request.path == "/info" then return { id = request.query.id, camera = "Camera of " .. (request.query.id or "?") } end
    if request.path == "/upload" then
      if request.body.bytes > 20 * MEGABYTE then return nil, 413 end
      table.insert(db.uploaded, request.body.photo)
      return { count = #db.uploaded }
    end
    return nil, 404
  end,
  application = function()
    for _, entry in ipairs(storage.queue or {}) do
      if entry.state == "uploading" then entry.state = "waiting" end       -- it died with the process
    end
    if storage.albums then return end
    storage.account = { user = "demo", token = "token-demo" }
    storage.queue = {}
    storage.next_id = 1
    storage.uploaded = {}
    storage.albums = {
      { id = "a1", name = "Holidays", photos = { { id = "beach", bytes = 3 * MEGABYTE }, { id = "harbour", bytes = 4 * MEGABYTE },
        { id = "panorama", bytes = 25 * MEGABYTE } } },
      { id = "a2", name = "Garden", photos = { { id = "roses", bytes = 2 * MEGABYTE }, { id = "pond", bytes = 2 * MEGABYTE } } },
      { id = "a3", name = "Whiteboard", photos = { { id = "sketch", bytes = MEGABYTE } } },
    }
    prefs.wifi_only, prefs.metered, prefs.quality = false, false, 1
  end,
}

open_album = nil            -- the album whose photo is being looked at
selection = {}              -- places of the selected photos in the open album

local function url(path, query)
  return SERVER .. path .. "?token=" .. (storage.account.token or "") .. (query and "&" .. query or "")
end

local function album_by_id(id) return find(storage.albums, function(album) return album.id == id end) end

local function size_text(bytes) return format("%.1f MB", bytes / MEGABYTE) end

-- ---- the upload queue: one at a time, oldest first ----

uploading = nil             -- id of the entry that is on its way

local pump

local function finish_upload(entry, reply)
  if reply.ok then
    entry.state = "done"
    storage.uploaded[entry.photo] = true
  elseif reply.status == 413 then
    entry.state = "too large"
  else
    entry.state = "failed"
  end
end

local function send(entry, place)
  local album = album_by_id(entry.album)
  entry.state = "uploading"
  uploading = entry.id
  local id = entry.id
  local body = { photo = entry.photo, bytes = entry.bytes, album = album and album.name }
  net.post { url = url("/upload"), body = body, latency = 3000, on_reply = function(reply)
    uploading = nil
    local mine
    if bug("cancelled_upload") then
      mine = list_get(storage.queue, place)                   -- the queue may be shorter by now
    else
      mine = find(storage.queue, function(e) return e.id == id end)
    end
    if mine then finish_upload(mine, reply) end
    pump()
  end }
end

pump = function()
  if uploading or storage.hold then return end
  local entry, place = find(storage.queue, function(e) return e.state == "waiting" end)
  if entry then send(entry, place) end
end

local function enqueue(album, photo)
  local bytes = prefs.quality == 3 and photo.bytes // 8 or prefs.quality == 2 and photo.bytes // 2 or photo.bytes
  table.insert(storage.queue, { id = storage.next_id, photo = photo.id, album = album.id, bytes = bytes, state = "waiting" })
  storage.next_id = storage.next_id + 1
  pump()
end

local function retry(entry)
  local album = album_by_id(entry.album)
  if not album and not bug("album_gone") then
    entry.state = "album deleted"
    return
  end
  log("again to " .. album.name)
  entry.state = "waiting"
  pump()
end

-- Wi-Fi only holds the queue back while the network is metered
local function check_network()
  if prefs.wifi_only then
    storage.hold = prefs.metered
  elseif not bug("held_for_ever") then
    storage.hold = false
  end
  pump()
end

-- ---- screens ----

activity "Albums" {
  create = function(self, intent, saved)
    self.remote = saved and saved.remote
    self.status = self.remote and "Synchronised" or "Not synchronised yet"
  end,
  save = function(self, out) out.remote = self.remote end,
  refresh = function(self)
    self.status = "Synchronising"
    net.get { url = url("/albums"), latency = 2500, on_reply = function(reply)
      if not bug("late_albums") and self:is_finishing() then return end
      if reply.status == 0 then
        self.status = "Offline"
        return self:dialog { title = "No connection", message = reply.error, ok = "OK" }
      end
      if reply.status == 401 and not bug("signed_out") then
        self.status = "Please sign in"
        return
      end
      self.remote = reply.body.albums
      self.status = reply.body.photos .. " photos on the server"
    end }
  end,
  ask_new = function(self)
    self:dialog { title = "New album", cancel = "Cancel", ok = "Create",
      view = function() return column { field { id = "album_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("album_name"))
        if name == "" then return true end
        table.insert(storage.albums, { id = "n" .. storage.next_id, name = name, photos = {} })
        storage.next_id = storage.next_id + 1
      end }
  end,
  ask_delete = function(self, album)
    self:dialog { title = "Delete " .. album.name .. "?", message = #album.photos .. " photos", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local _, i = album_by_id(album.id)
        if i then table.remove(storage.albums, i) end
      end }
  end,
  options_of = function(self, album)
    self:popup {
      { "Open", id = "open_album", on_click = function() self:start("Album", { album = album.id }) end },
      { "Upload all", id = "upload_all", on_click = function()
        for _, photo in ipairs(album.photos) do enqueue(album, photo) end
        toast(#album.photos .. " photos queued")
      end },
      { "Delete", id = "delete_album", on_click = function() self:ask_delete(album) end },
    }
  end,
  menu = function(self)
    return {
      { "New album", id = "new_album", on_click = function() self:ask_new() end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
      { "Account", id = "account", on_click = function() self:start("Account") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Photo Sync", actions = {
        { "Refresh", id = "refresh", on_click = function() self:refresh() end },
        { "Queue", id = "queue", on_click = function() self:start("Queue") end } } },
      text { self.status, id = "status", size = "small" },
      list { id = "albums", items = storage.albums, empty = text { "No albums", id = "empty" },
        row = function(album)
          local synced = self.remote and index_of(self.remote, album.name)
          return column { text { album.name, id = "album" },
            text { #album.photos .. " photos" .. (synced and ", on the server" or ""), id = "count", size = "small" } }
        end,
        on_item_click = function(_, album) self:start("Album", { album = album.id }) end,
        on_item_long_click = function(_, album) self:options_of(album) end },
    }
  end,
}

activity "Album" {
  create = function(self, intent, saved)
    if not saved and not bug("selection_survives") then selection = {} end
  end,
  selecting = function(self) return next(selection) ~= nil end,
  count = function(self)
    local n = 0
    for _ in pairs(selection) do n = n + 1 end
    return n
  end,
  toggle = function(self, i) selection[i] = not selection[i] or nil end,
  open = function(self, album, i)
    if self:selecting() then return self:toggle(i) end
    open_album = album
    self:start("Photo", { album = album.id, place = i })
  end,
  upload_selected = function(self, album)
    for i, photo in ipairs(album.photos) do
      if selection[i] then enqueue(album, photo) end
    end
    selection = {}
    toast("Queued")
  end,
  delete_selected = function(self, album)
    self:dialog { title = "Delete " .. self:count() .. " photos?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        for i = #album.photos, 1, -1 do
          if selection[i] then table.remove(album.photos, i) end
        end
        selection = {}
      end }
  end,
  back = function(self)
    if not self:selecting() then return false end
    selection = {}
    return true
  end,
  view = function(self)
    local album = album_by_id(self.intent.album)
    if not album then return column { toolbar { "Album", up = true }, text { "This album was deleted", id = "gone" } } end
    local selecting = self:selecting()
    return column {
      toolbar { selecting and self:count() .. " selected" or album.name, up = true, actions = selecting and {
        { "Upload", id = "upload_selected", on_click = function() self:upload_selected(album) end },
        { "Delete", id = "delete_selected", on_click = function() self:delete_selected(album) end } } or nil },
      grid { id = "photos", items = album.photos, columns = 3, empty = text { "No photos", id = "empty" },
        row = function(photo, i)
          return column { image { desc = photo.id, height = 200 },
            text { (selection[i] and "✓ " or "") .. photo.id, id = "photo" } }
        end,
        on_item_click = function(i) self:open(album, i) end,
        on_item_long_click = function(i) self:toggle(i) end },
    }
  end,
}

activity "Photo" {
  create = function(self, intent, saved)
    if bug("photo_after_death") and intent.album then
      self.album = open_album                                  -- forgotten when the process dies
    else
      self.album = album_by_id(intent.album)
    end
    self.place = saved and saved.place or intent.place or 1
    self.info = ""
    self:load_info()
  end,
  save = function(self, out) out.place = self.place end,
  photo = function(self)
    if not self.album and not bug("photo_after_death") then return nil end
    if not self.intent.album then return nil end
    return self.album.photos[self.place]
  end,
  load_info = function(self)
    local photo = self:photo()
    if not photo then return end
    self.info = "Reading"
    net.get { url = url("/info", "id=" .. photo.id), latency = 2000, on_reply = function(reply)
      local now_shown = self:photo()
      if not bug("late_info") and (not now_shown or now_shown.id ~= photo.id) then return end
      self.info = reply.ok and reply.body.camera or "No information"
    end }
  end,
  go = function(self, step)
    self.place = self.place + step
    self:load_info()
  end,
  upload = function(self, photo)
    if not storage.uploaded[photo.id] then
      enqueue(self.album, photo)
      return toast("Queued")
    end
    self:dialog { title = photo.id .. " is already there", items = { "Replace", "Skip" },
      on_item = function(i)
        if i == 1 then enqueue(self.album, photo) end
      end }
  end,
  view = function(self)
    local photo = self:photo()
    if not photo then return column { toolbar { "Photo", up = true }, text { "This photo was deleted", id = "gone" } } end
    return column {
      toolbar { photo.id, up = true, subtitle = self.place .. " of " .. #self.album.photos },
      image { id = "picture", desc = photo.id, height = 700 },
      text { size_text(photo.bytes), id = "size" },
      text { self.info, id = "info", size = "small" },
      row {
        button { "Previous", id = "previous", enabled = self.place > 1, on_click = function() self:go(-1) end },
        button { "Next", id = "next", enabled = self.place < #self.album.photos, on_click = function() self:go(1) end },
      },
      row {
        button { "Upload", id = "upload", on_click = function() self:upload(photo) end },
        button { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "image/*" } end },
        button { "Queue", id = "show_queue", on_click = function() self:start("Queue") end },
      },
    }
  end,
}

activity "Queue" {
  resume = function(self) pump() end,
  cancel = function(self, entry)
    local _, i = find(storage.queue, function(e) return e.id == entry.id end)
    if i then table.remove(storage.queue, i) end
  end,
  clear = function(self)
    storage.queue = filter(storage.queue, function(entry) return entry.state == "waiting" or entry.state == "uploading" end)
  end,
  row_of = function(self, entry)
    local again = entry.state == "failed" or entry.state == "too large"
    return row {
      column { weight = 1, text { entry.photo, id = "entry" },
        text { (storage.hold and entry.state == "waiting" and "waiting for Wi-Fi" or entry.state) .. ", " .. size_text(entry.bytes),
          id = "state", size = "small" } },
      again and button { "Retry", id = "retry", on_click = function() retry(entry) end },
      button { "Cancel", id = "cancel", on_click = function() self:cancel(entry) end },
    }
  end,
  menu = function(self)
    return {
      { "Clear finished", id = "clear", on_click = function() if not uploading then self:clear() end end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Uploads", up = true, subtitle = #storage.queue .. " in the queue" },
      list { id = "queue_list", items = storage.queue, empty = text { "Nothing to upload", id = "empty" },
        row = function(entry) return self:row_of(entry) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Wi-Fi only", id = "wifi_only", checked = prefs.wifi_only,
        on_change = function(on)
          prefs.wifi_only = on
          check_network()
        end },
      switch { "This network is metered", id = "metered", checked = prefs.metered,
        on_change = function(on)
          prefs.metered = on
          check_network()
        end },
      text { storage.hold and "Uploads wait for Wi-Fi" or "Uploads run", id = "hold" },
      text "Quality",
      spinner { id = "quality", items = QUALITIES, selected = prefs.quality, on_change = function(i) prefs.quality = i end },
    }
  end,
}

activity "Account" {
  sign_in = function(self)
    local user, password = trim(self:text("user")), self:text("password")
    if user == "" then return toast("Your name, please") end
    net.post { url = SERVER .. "/login", body = { user = user, password = password }, latency = 1000, on_reply = function(reply)
      if not reply.ok then return toast(reply.status == 403 and "Wrong password" or "No connection") end
      storage.account = { user = user, token = reply.body.token }
    end }
  end,
  ask_sign_out = function(self)
    self:dialog { title = "Sign out?", message = "Uploads stop", cancel = "Cancel", ok = "Sign out",
      on_ok = function() storage.account = {} end }
  end,
  view = function(self)
    local user = storage.account.user
    if user then
      return column {
        toolbar { "Account", up = true },
        text { "Signed in as " .. user, id = "signed_in" },
        button { "Sign out", id = "sign_out", on_click = function() self:ask_sign_out() end },
      }
    end
    return column {
      toolbar { "Account", up = true },
      field { id = "user", hint = "User" },
      field { id = "password", hint = "Password", input = "password" },
      button { "Sign in", id = "sign_in", on_click = function() self:sign_in() end },
      button { "Forgot password", id = "forgot", on_click = function() self:start_implicit { action = "VIEW", uri = SERVER .. "/forgot" } end },
    }
  end,
}
