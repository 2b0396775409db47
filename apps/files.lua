-- Files: a file manager. Folders and files live in a tree in storage; a path is a text such as "/Download/song.mp3".
-- Archives are browsed like folders: a zip holds a flat list of entries, folders among them end in "/".

app {
  package = "org.norn.files",
  title = "Files",
  main = "Browser",
  bugs = { "empty_zip_folder", "move_into_child", "sort_no_extension", "stale_result", "back_after_jump",
    "copy_overwrites", "bookmark_renamed", "late_checksum" },
  themis = {
    { n = 1, activity = "Browser", id = "cut", kind = "tap" },
    { n = 2, activity = "Browser", id = "file_row", kind = "tap" },
    { n = 3, activity = "Browser", id = "paste", kind = "tap" },
    { n = 4, activity = "Browser", id = "rename", kind = "tap" },
    { n = 5, activity = "Browser", id = "new_name", kind = "type" },
    { n = 6, activity = "Browser", id = "sort_type", kind = "tap" },
    { n = 7, activity = "Search", id = "result_row", kind = "tap" },
    { n = 8, activity = "Properties", id = "delete", kind = "tap" },
    { n = 9, activity = "Browser", id = "bookmark", kind = "tap" },
    { n = 10, activity = "Browser", kind = "back" },
  },
  application = function()
    if storage.root then return end
    local function file(name, size, extra)
      local f = extra or {}
      f.name, f.size = name, size
      return f
    end
    local function dir(name, ...) return { name = name, dir = true, children = { ... } } end
    storage.root = dir("",
      dir(".cache", file("index.db", 4096)),
      dir("Documents", file("report.pdf", 88211), file("todo.txt", 120, { body = "Buy stamps\nCall the bank" })),
      dir("Download", file("app.apk", 5120000),
        file("backup.zip", 73220, { entries = { "readme.txt", "photos/", "photos/cat.jpg", "photos/dog.jpg", "empty/" } }),
        file("song.mp3", 3140000)),
      dir("Pictures", file("beach.jpg", 245000), file("map.png", 98000)),
      dir("foo", dir("foo", dir("foo", file("one.jpg", 52000), file("two.jpg", 53000)))))
    storage.bookmarks = { "/Download" }
    prefs.sort, prefs.descending, prefs.hidden = "name", false, false
  end,
}

local MAX_NODES, MAX_DEPTH, MAX_BOOKMARKS = 200, 10, 8

-- Paths and the tree ------------------------------------------------------------------------------------

local function join(path, name) return path == "/" and "/" .. name or path .. "/" .. name end
local function parent_of(path) return path:match("^(.+)/[^/]+$") or "/" end
local function name_of(path) return path == "/" and "Internal storage" or path:match("[^/]+$") end
local function depth_of(path) return #split(path, "/") end
local function is_below(path, folder) return path == folder or starts_with(path, folder .. "/") end

local function child_of(folder, name)
  return find(folder.children, function(c) return c.name == name end)
end

local function resolve(path)
  local node = storage.root
  for name in path:gmatch("[^/]+") do
    node = node and node.dir and child_of(node, name)
  end
  return node or nil
end

local function remove(path)
  local folder = resolve(parent_of(path))
  local _, i = child_of(folder, name_of(path))
  return table.remove(folder.children, i)
end

local function clone(node)
  local new = copy(node)
  if node.dir then new.children = each(node.children, clone) end
  return new
end

local function extension(name) return name:match("%.(%w+)$") end

local function size_of(node)
  if not node.dir then return node.size end
  local sum = 0
  for _, child in ipairs(node.children) do sum = sum + size_of(child) end
  return sum
end

local function height_of(node)
  local height = 0
  for _, child in ipairs(node.children or {}) do height = math.max(height, 1 + height_of(child)) end
  return height
end

local function count_of(node)
  local count = 1
  for _, child in ipairs(node.children or {}) do count = count + count_of(child) end
  return count
end

local function fits(path, node)
  return depth_of(path) + height_of(node) < MAX_DEPTH and count_of(storage.root) + count_of(node) <= MAX_NODES
end

local function nice_size(bytes)
  if bytes >= 1000000 then return format("%.1f MB", bytes / 1000000) end
  if bytes >= 1000 then return format("%.1f kB", bytes / 1000) end
  return bytes .. " bytes"
end

-- A name that is still free in the folder: "todo.txt", "todo (1).txt", ...
local function free_name(folder, name)
  if not child_of(folder, name) then return name end
  local stem, ext = name:match("^(.+)(%.%w+)$")
  for i = 1, MAX_NODES do
    local candidate = (stem or name) .. " (" .. i .. ")" .. (ext or "")
    if not child_of(folder, candidate) then return candidate end
  end
  return name
end

local sort_keys = {
  name = function(node) return node.name:lower() end,
  size = function(node) return format("%012d", size_of(node)) end,
  type = function(node)
    if node.dir then return "" end
    if bug("sort_no_extension") then return extension(node.name):lower() end
    return (extension(node.name) or ""):lower()
  end,
}

local function listing(folder)
  local key = sort_keys[prefs.sort]
  local nodes = filter(folder.children, function(c) return prefs.hidden or not starts_with(c.name, ".") end)
  table.sort(nodes, function(a, b)
    if (a.dir or false) ~= (b.dir or false) then return a.dir or false end
    local x, y = key(a), key(b)
    if prefs.descending then return x > y end
    return x < y
  end)
  return nodes
end

-- Bookmarks follow a folder that is renamed or moved.
local function moved(old, new)
  for i, path in ipairs(storage.bookmarks) do
    if is_below(path, old) and not bug("bookmark_renamed") then storage.bookmarks[i] = new .. path:sub(#old + 1) end
  end
end

local types = { pdf = "application/pdf", jpg = "image/jpeg", png = "image/png", mp3 = "audio/mpeg",
  apk = "application/vnd.android.package-archive" }

local function open_file(self, path)
  local node = resolve(path)
  if node.entries then return self:start("Archive", { path = path, inside = "" }) end
  local ext = (extension(node.name) or ""):lower()
  if types[ext] then return self:start_implicit { action = "VIEW", uri = "file://" .. path, type = types[ext] } end
  self:start("Viewer", { path = path })
end

local clip = nil   -- what was cut or copied: { path =, cut = }

activity "Browser" {
  create = function(self, intent, saved)
    self.path = saved and saved.path or intent.path or "/"
    self.history = saved and saved.history or {}
  end,
  save = function(self, out) out.path, out.history = self.path, self.history end,
  resume = function(self)
    if not resolve(self.path) then self.path, self.history = "/", {} end
  end,

  back = function(self)
    if self.path == "/" then return false end
    local last = table.remove(self.history)
    if not last and not bug("back_after_jump") then last = { path = parent_of(self.path) } end
    self.path = last.path
    if not resolve(self.path) then self.path, self.history = "/", {} end
    return true
  end,

  enter = function(self, path)
    table.insert(self.history, { path = self.path })
    self.path = path
  end,

  -- From the drawer: a new beginning, what was visited before does not matter.
  jump = function(self, path)
    if not resolve(path) then return toast("This folder is gone") end
    self.history = {}
    self.path = path
  end,

  paste = function(self)
    local node = resolve(clip.path)
    if not node then clip = nil return toast("The file is gone") end
    if not fits(self.path, node) then return toast("No space left here") end
    local inside = self.path == clip.path
    if not bug("move_into_child") then inside = is_below(self.path, clip.path) end
    if node.dir and inside then return toast("Cannot put a folder into itself") end
    if clip.cut then self:move_here(node) else self:copy_here(node) end
  end,

  move_here = function(self, node)
    if parent_of(clip.path) == self.path then clip = nil return toast("It is already here") end
    remove(clip.path)
    local folder = resolve(self.path)
    node.name = free_name(folder, node.name)
    table.insert(folder.children, node)
    moved(clip.path, join(self.path, node.name))
    clip = nil
    toast("Moved")
  end,

  copy_here = function(self, node)
    local folder = resolve(self.path)
    local new = clone(node)
    if bug("copy_overwrites") then
      if child_of(folder, new.name) then remove(join(self.path, new.name)) end
    else
      new.name = free_name(folder, new.name)
    end
    table.insert(folder.children, new)
    toast("Copied")
  end,

  ask_name = function(self, title, name, fn)
    self:dialog {
      title = title,
      view = function() return column { field { id = "new_name", text = name, max = 40 } } end,
      ok = "OK",
      on_ok = function()
        local new = trim(self:text("new_name"))
        if new == "" or contains(new, "/") then return toast("Not a good name") end
        if child_of(resolve(self.path), new) then return toast("There is already " .. new) end
        fn(new)
      end,
      cancel = "Cancel",
    }
  end,

  ask_rename = function(self, node)
    local old = join(self.path, node.name)
    self:ask_name("Rename", node.name, function(new)
      node.name = new
      moved(old, join(self.path, new))
    end)
  end,

  ask_new_folder = function(self)
    local new = { dir = true, children = {} }
    if not fits(self.path, new) then return toast("No space left here") end
    self:ask_name("New folder", "", function(name)
      new.name = name
      table.insert(resolve(self.path).children, new)
    end)
  end,

  ask_delete = function(self, node)
    self:dialog { title = "Delete " .. node.name .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function() remove(join(self.path, node.name)) end }
  end,

  add_bookmark = function(self, path)
    if index_of(storage.bookmarks, path) then return toast("Already in the bookmarks") end
    if #storage.bookmarks >= MAX_BOOKMARKS then return toast("Too many bookmarks") end
    table.insert(storage.bookmarks, path)
  end,

  file_menu = function(self, node)
    local path = join(self.path, node.name)
    self:popup {
      { "Copy", id = "copy", on_click = function() clip = { path = path } end },
      { "Cut", id = "cut", on_click = function() clip = { path = path, cut = true } end },
      { "Rename", id = "rename", on_click = function() self:ask_rename(node) end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(node) end },
      { "Bookmark", id = "bookmark", enabled = node.dir == true, on_click = function() self:add_bookmark(path) end },
      { "Properties", id = "properties", on_click = function() self:start("Properties", { path = path }) end },
    }
  end,

  sort_menu = function(self)
    local function by(name, what)
      return { name, id = "sort_" .. what, checked = prefs.sort == what, on_click = function() prefs.sort = what end }
    end
    self:popup { by("Name", "name"), by("Size", "size"), by("Type", "type"),
      { "Descending", id = "descending", checked = prefs.descending, on_click = function() prefs.descending = not prefs.descending end } }
  end,

  menu = function(self)
    return {
      { "New folder", id = "new_folder", on_click = function() self:ask_new_folder() end },
      { "Show hidden files", id = "hidden", checked = prefs.hidden, on_click = function() prefs.hidden = not prefs.hidden end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  file_row = function(self, node)
    local info = node.dir and (#node.children .. (#node.children == 1 and " item" or " items")) or nice_size(node.size)
    return column { id = "file_row", text { node.name, id = "name" }, text { info, id = "info", size = "small" } }
  end,

  view = function(self)
    local marks = each(storage.bookmarks, function(path)
      return { name_of(path), id = "place", on_click = function() self:jump(path) end }
    end)
    table.insert(marks, 1, { "Internal storage", id = "home", on_click = function() self:jump("/") end })
    return column {
      drawer { id = "places", header = "Places", items = marks },
      toolbar { name_of(self.path), actions = {
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Sort", id = "sort", on_click = function() self:sort_menu() end } } },
      list { id = "files", items = listing(resolve(self.path)), empty = text { "Empty folder", id = "empty" },
        row = function(node) return self:file_row(node) end,
        on_item_click = function(_, node)
          local path = join(self.path, node.name)
          if node.dir then self:enter(path) else open_file(self, path) end
        end,
        on_item_long_click = function(_, node) self:file_menu(node) end },
      clip and row {
        button { "Paste " .. name_of(clip.path), id = "paste", on_click = function() self:paste() end },
        button { "Cancel", id = "cancel_paste", on_click = function() clip = nil end },
      },
    }
  end,
}

-- What lies directly below `inside` ("" or "photos/") in a list of archive entries.
local function entries_below(entries, inside)
  local result = {}
  for _, entry in ipairs(entries) do
    local rest = starts_with(entry, inside) and entry:sub(#inside + 1) or ""
    local name = rest:match("^([^/]+)/?$")
    if name then
      local path = inside .. name .. "/"
      local below = find(entries, function(e) return starts_with(e, path) and #e > #path end)
      local folder = entry:sub(-1) == "/"
      if bug("empty_zip_folder") then folder = below ~= nil end
      table.insert(result, { name = name, folder = folder, path = folder and path or inside .. name })
    end
  end
  return result
end

activity "Archive" {
  open = function(self, entry)
    if entry.folder then return self:start("Archive", { path = self.intent.path, inside = entry.path }) end
    local ext = extension(entry.name)
    if ext == "txt" then return toast("Extract the archive to read " .. entry.name) end
    local type = types[ext] or "application/vnd.android.package-archive"
    self:start_implicit { action = "VIEW", uri = "file://" .. self.intent.path .. "!/" .. entry.path, type = type }
  end,

  view = function(self)
    local zip = resolve(self.intent.path)
    local inside = self.intent.inside
    return column {
      toolbar { inside == "" and name_of(self.intent.path) or inside:match("([^/]+)/$"), up = true },
      list { id = "entries", items = zip and entries_below(zip.entries, inside) or {},
        empty = text { "Empty folder", id = "empty" },
        row = function(entry)
          return column { id = "entry_row", text { entry.name, id = "name" } }
        end,
        on_item_click = function(_, entry) self:open(entry) end },
    }
  end,
}

activity "Viewer" {
  view = function(self)
    local node = resolve(self.intent.path)
    return column {
      toolbar { name_of(self.intent.path), up = true },
      scroll { text { node and node.body or "(binary file)", id = "body" } },
    }
  end,
}

-- Everything below a folder whose name contains the query, as paths. Folders wait in a list: no recursion.
local function search(query)
  local found, waiting = {}, { "/" }
  while #waiting > 0 and #found < 50 do
    local path = table.remove(waiting, 1)
    for _, node in ipairs(listing(resolve(path))) do
      local at = join(path, node.name)
      if contains(node.name:lower(), query:lower()) then table.insert(found, at) end
      if node.dir then table.insert(waiting, at) end
    end
  end
  return found
end

activity "Search" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self:run()
  end,
  save = function(self, out) out.query = self.query end,
  resume = function(self) if not bug("stale_result") then self:run() end end,
  run = function(self) self.results = self.query == "" and {} or search(self.query) end,

  view = function(self)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "File name", max = 40, on_change = function(s) self.query = s self:run() end },
      list { id = "results", items = self.results, empty = text { "No results", id = "empty" },
        row = function(path)
          return column { id = "result_row", text { name_of(path), id = "name" }, text { parent_of(path), id = "where", size = "small" } }
        end,
        on_item_click = function(_, path) self:start("Properties", { path = path }) end },
    }
  end,
}

activity "Properties" {
  create = function(self, intent)
    local node = resolve(intent.path)
    self.size = size_of(node)
    self.kind = node.dir and "Folder" or (extension(node.name) or "Unknown"):upper()
  end,

  checksum = function(self)
    local function done()
      self:dialog { title = "Checksum", message = format("%08x", (self.size * 2654435761 + #self.intent.path) % 4294967296), ok = "OK" }
    end
    if bug("late_checksum") then after(450, done) else self:after(450, done) end
  end,

  ask_delete = function(self)
    self:dialog { title = "Delete " .. name_of(self.intent.path) .. "?", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        if resolve(self.intent.path) then remove(self.intent.path) end
        self:finish()
      end }
  end,

  view = function(self)
    local path = self.intent.path
    return column {
      toolbar { "Properties", up = true },
      text { name_of(path), id = "name", size = "large" },
      text { "Folder: " .. parent_of(path), id = "folder" },
      text { "Type: " .. self.kind, id = "type" },
      text { "Size: " .. nice_size(self.size), id = "size" },
      button { "Checksum", id = "checksum", on_click = function() self:checksum() end },
      button { "Delete", id = "delete", on_click = function() self:ask_delete() end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Show hidden files", id = "show_hidden", checked = prefs.hidden, on_change = function(b) prefs.hidden = b end },
      switch { "Sort descending", id = "sort_descending", checked = prefs.descending, on_change = function(b) prefs.descending = b end },
      button { "Clear bookmarks", id = "clear_bookmarks", on_click = function() storage.bookmarks = {} end },
      text { "Used: " .. nice_size(size_of(storage.root)), id = "used" },
    }
  end,
}
