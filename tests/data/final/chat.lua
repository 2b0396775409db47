-- Chat: conversations with contacts and groups; drafts, replies, edits, stars, forwarding, an archive, a search.

app {
  package = "org.norn.chat",
  title = "Chat",
  main = "Main",
  bugs = { "draft_elsewhere", "sent_stays_down", "reply_rotate", "edit_cancelled", "ticks_lost", "starred_ghost", "clock_in_list",
    "deleted_chat_back" },
  application = function()
    if storage.chats then return end
    local minute, t = 60 * 1000, now()
    storage.next_id = 100
    storage.contacts = {
      { id = 1, name = "Ann", about = "On the road" }, { id = 2, name = "Ben", about = "Available" },
      { id = 3, name = "Carla", about = "At work" }, { id = 4, name = "David", about = "" },
      { id = 5, name = "Emma", about = "Hello there" }, { id = 6, name = "Anita", about = "Busy" },
    }
    storage.chats = {
      { id = 11, members = { 1 }, unread = 0, last = t - 30 * minute },
      { id = 12, members = { 2 }, unread = 2, last = t - 90 * minute },
      { id = 13, members = { 2, 4 }, name = "Football", group = true, unread = 0, last = t - 200 * minute },
      { id = 14, members = { 5 }, unread = 0, archived = true, last = t - 400 * minute },
    }
    storage.messages = {      -- oldest first; from 0: me
      { id = 31, chat = 14, from = 5, text = "Thanks for the book", time = t - 400 * minute },
      { id = 32, chat = 13, from = 4, text = "Sunday at three?", time = t - 240 * minute },
      { id = 33, chat = 13, from = 0, text = "Count me in", time = t - 200 * minute },
      { id = 34, chat = 12, from = 2, text = "Did you get the tickets?", time = t - 95 * minute },
      { id = 35, chat = 12, from = 2, text = "Row five, I hope", time = t - 90 * minute },
      { id = 36, chat = 11, from = 1, text = "The code is 4711", time = t - 40 * minute, starred = true },
      { id = 37, chat = 11, from = 0, text = "Great, see you at eight", time = t - 30 * minute },
    }
    prefs.clock24 = true
    prefs.preview = true
    prefs.my_name, prefs.my_about = "Me", ""
  end,
}

local MAX_CHATS, MAX_MESSAGES = 20, 120

local unsent = ""       -- what was typed last and not sent

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function contact_of(id) return by_id(storage.contacts, id) end
local function chat_of(id) return by_id(storage.chats, id) end
local function message_of(id) return by_id(storage.messages, id) end
local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end

local function chat_name(chat) return chat.group and chat.name or contact_of(chat.members[1]).name end
local function sender(m) return m.from == 0 and "You" or contact_of(m.from).name end

local function twelve(time)
  local hour = tonumber(date(time, "%H"))
  return (hour + 11) % 12 + 1 .. date(time, ":%M") .. (hour < 12 and " am" or " pm")
end
local function clock(time) return prefs.clock24 and date(time, "%H:%M") or twelve(time) end

local function messages_of(chat)
  return filter(storage.messages, function(m) return m.chat == chat.id and not m.gone end)
end

-- Pinned chats first, then those with the newest messages.
local function in_order(chats)
  table.sort(chats, function(a, b)
    if (a.pinned == true) ~= (b.pinned == true) then return a.pinned == true end
    return a.last > b.last
  end)
  return chats
end

local function post(chat, text, reply)
  if #storage.messages >= MAX_MESSAGES then table.remove(storage.messages, 1) end
  table.insert(storage.messages, { id = new_id(), chat = chat.id, from = 0, text = text, time = now(), reply = reply })
  if not bug("sent_stays_down") then chat.last = now() end
  chat.archived = false
end

-- Deleted messages keep their place, so that answers to them can say so.
local function delete_message(m)
  m.gone, m.text = true, bug("starred_ghost") and m.text or ""
  if not bug("starred_ghost") then m.starred = false end
end

local function delete_chat(chat)
  storage.messages = filter(storage.messages, function(m) return m.chat ~= chat.id end)
  table.remove(storage.chats, index_of(storage.chats, chat))
end

local function chat_with(contact)
  local chat = find(storage.chats, function(c) return not c.group and c.members[1] == contact.id end)
  if chat then return chat end
  if #storage.chats >= MAX_CHATS then return toast("Too many chats") end
  chat = { id = new_id(), members = { contact.id }, unread = 0, last = now() }
  table.insert(storage.chats, chat)
  return chat
end

local function by_name(contacts)
  contacts = copy(contacts)
  table.sort(contacts, function(a, b) return a.name:lower() < b.name:lower() end)
  return contacts
end

local function last_line(chat)
  if chat.draft and chat.draft ~= "" then return "Draft: " .. chat.draft end
  local messages = messages_of(chat)
  local m = messages[#messages]
  if not m then return "No messages" end
  return prefs.preview and sender(m) .. ": " .. m.text or plural(#messages, "message")
end

local function list_time(chat)
  local messages = messages_of(chat)
  local m = messages[#messages]
  if not m then return "" end
  return bug("clock_in_list") and date(m.time, "%H:%M") or clock(m.time)
end

local function chat_row(chat)
  return column { id = "chat_row",
    row { text { chat_name(chat), id = "name", size = "large", weight = 1 }, text { list_time(chat), id = "time", size = "small" } },
    row { text { last_line(chat), id = "last", size = "small", weight = 1 },
      chat.pinned and text { "pinned", id = "pinned", size = "small" },
      chat.muted and text { "muted", id = "muted", size = "small" },
      chat.unread > 0 and text { tostring(chat.unread), id = "badge" } },
  }
end

local function chat_menu(self, chat)
  self:popup {
    { "Pin", id = "pin", checked = chat.pinned == true, on_click = function() chat.pinned = not chat.pinned end },
    { "Mute", id = "mute", checked = chat.muted == true, on_click = function() chat.muted = not chat.muted end },
    { chat.archived and "Take out of the archive" or "Archive", id = "archive",
      on_click = function() chat.archived = not chat.archived end },
    { chat.unread > 0 and "Mark as read" or "Mark as unread", id = "mark",
      on_click = function() chat.unread = chat.unread > 0 and 0 or 1 end },
    { "Delete", id = "delete_chat", on_click = function()
      self:dialog { title = "Delete the chat with " .. chat_name(chat) .. "?", ok = "Delete", cancel = "Cancel",
        on_ok = function() delete_chat(chat) end }
    end },
  }
end

activity "Main" {
  chats = function(self) return in_order(filter(storage.chats, function(c) return not c.archived end)) end,

  menu = function(self)
    return {
      { "New group", id = "new_group", on_click = function() self:start("NewGroup") end },
      { "Mark all as read", id = "read_all", on_click = function()
        for _, c in ipairs(self:chats()) do c.unread = 0 end
      end },
      { "Starred messages", id = "starred", on_click = function() self:start("Starred") end },
      { "Archive", id = "open_archive", on_click = function() self:start("Archive") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local unread = 0
    for _, c in ipairs(self:chats()) do unread = unread + c.unread end
    return column {
      toolbar { "Chats", actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      text { unread > 0 and plural(unread, "unread message") or "Nothing new", id = "unread", size = "small" },
      list { id = "chats", items = self:chats(), empty = text { "No chats yet", id = "empty" }, row = chat_row,
        on_item_click = function(_, c) self:start("Chat", { id = c.id, name = chat_name(c) }) end,
        on_item_long_click = function(_, c) chat_menu(self, c) end },
      fab { id = "new_chat", desc = "New chat", on_click = function() self:start("NewChat") end },
    }
  end,
}

activity "Chat" {
  create = function(self, intent, saved)
    local chat = chat_of(intent.id)
    saved = saved or {}
    self.editing, self.before = saved.editing, saved.before
    if not bug("reply_rotate") then self.reply = saved.reply end
    self.first = chat and chat.draft or ""
    if bug("draft_elsewhere") and self.first == "" then self.first = unsent end
    if chat then chat.unread = 0 end
  end,
  save = function(self, out) out.reply, out.editing, out.before = self.reply, self.editing, self.before end,
  pause = function(self)
    local chat = chat_of(self.intent.id)
    if not chat then return end
    chat.draft = trim(self.editing and self.before or self:text("input"))
    unsent = chat.draft
  end,
  back = function(self)
    if self.editing then
      self:end_edit()
      return true
    end
    if not self.reply then return false end
    self.reply = nil
    return true
  end,
  result = function(self, request, data)
    if request == "info" and data and data.deleted and not bug("deleted_chat_back") then self:finish() end
  end,

  send = function(self)
    local chat, text = chat_of(self.intent.id), trim(self:text("input"))
    if not chat then return toast("This chat was deleted") end
    if text == "" then return end
    if self.editing then
      local m = message_of(self.editing)
      if m.text ~= text then m.text, m.edited = text, true end
      return self:end_edit()
    end
    post(chat, text, self.reply)
    self.reply = nil
    self:set_text("input", "")
  end,

  begin_edit = function(self, m)
    if not self.editing then self.before = self:text("input") end
    self.editing, self.reply = m.id, nil
    self:set_text("input", m.text)
  end,

  end_edit = function(self)
    self.editing = nil
    self:set_text("input", self.before or "")
    self.before = nil
  end,

  cancel_edit = function(self)
    if not bug("edit_cancelled") then return self:end_edit() end
    self.editing, self.before = nil, nil
  end,

  delete = function(self, m)
    if self.editing == m.id then self:end_edit() end
    if self.reply == m.id then self.reply = nil end
    delete_message(m)
  end,

  message_menu = function(self, m)
    self:popup {
      { "Reply", id = "reply", on_click = function()
        if self.editing then self:end_edit() end
        self.reply = m.id
      end },
      m.from == 0 and { "Edit", id = "edit", on_click = function() self:begin_edit(m) end } or nil,
      { "Star", id = "star", checked = m.starred == true, on_click = function() m.starred = not m.starred end },
      { "Forward", id = "forward", on_click = function() self:start("Forward", { id = m.id }) end },
      { "Delete", id = "delete", on_click = function() self:delete(m) end },
    }
  end,

  message_row = function(self, m, chat)
    local answered = m.reply and message_of(m.reply)
    return column { id = "message_row",
      chat.group and text { sender(m), id = "from", size = "small" },
      m.reply and text { "» " .. (answered and not answered.gone and answered.text or "Deleted message"), id = "quoted", size = "small" },
      text { m.text, id = "text" },
      text { (m.starred and "★ " or "") .. (m.from == 0 and "You, " or "") .. clock(m.time) .. (m.edited and ", edited" or ""),
        id = "time", size = "small" },
    }
  end,

  bar = function(self)
    local m = message_of(self.editing or self.reply or 0)
    if not m then return nil end
    return row { text { (self.editing and "Editing: " or "Reply to: ") .. m.text, id = "bar", size = "small", weight = 1 },
      image_button { id = "cancel", desc = "Cancel", on_click = function()
        if self.editing then self:cancel_edit() else self.reply = nil end
      end } }
  end,

  view = function(self)
    local chat = chat_of(self.intent.id)
    return column {
      toolbar { chat and chat_name(chat) or self.intent.name or "Chat", up = true, actions = { { "Info", id = "info", on_click = function()
        if chat then self:start_for_result("Info", "info", { id = chat.id }) end
      end } } },
      self:bar(),
      row { field { id = "input", hint = "Message", max = 200, weight = 1, text = self.first, on_submit = function() self:send() end },
        button { self.editing and "Save" or "Send", id = "send", on_click = function() self:send() end } },
      list { id = "messages", weight = 1, items = chat and messages_of(chat) or {}, empty = text { "No messages", id = "empty" },
        row = function(m) return self:message_row(m, chat) end,
        on_item_long_click = function(_, m) self:message_menu(m) end },
    }
  end,
}

activity "Info" {
  ask_delete = function(self, chat)
    self:dialog { title = "Delete this chat?", message = plural(#messages_of(chat), "message") .. " will be deleted",
      ok = "Delete", cancel = "Cancel",
      on_ok = function()
        delete_chat(chat)
        self:finish { deleted = true }
      end }
  end,

  ask_name = function(self, chat)
    self:dialog { title = "Name of the group",
      view = function() return column { field { id = "group_name", text = chat.name, max = 30 } } end,
      ok = "Rename", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("group_name"))
        if name == "" then return toast("Give it a name") end
        chat.name = name
      end }
  end,

  view = function(self)
    local chat = chat_of(self.intent.id)
    if not chat then return column { toolbar { "Info", up = true } } end
    local stars = #filter(messages_of(chat), function(m) return m.starred end)
    return column {
      toolbar { chat_name(chat), up = true },
      text { plural(#messages_of(chat), "message") .. ", " .. stars .. " starred", id = "count" },
      switch { "Mute", id = "mute", checked = chat.muted == true, on_change = function(b) chat.muted = b end },
      text { plural(#chat.members, "member"), id = "members", size = "small" },
      list { id = "people", weight = 1, items = each(chat.members, contact_of),
        row = function(c) return column { id = "member_row", text { c.name, id = "name" } } end,
        on_item_click = function(_, c) self:start("Contact", { id = c.id }) end },
      row {
        chat.group and button { "Rename", id = "rename", on_click = function() self:ask_name(chat) end },
        button { "Delete chat", id = "delete_this", on_click = function() self:ask_delete(chat) end },
      },
    }
  end,
}

activity "Contact" {
  view = function(self)
    local c = contact_of(self.intent.id)
    local groups = filter(storage.chats, function(x) return x.group and index_of(x.members, c.id) end)
    return column {
      toolbar { c.name, up = true },
      text { c.about ~= "" and c.about or "No status", id = "about" },
      text { "In " .. plural(#groups, "group"), id = "groups", size = "small" },
      field { id = "new_name", hint = "Name", text = c.name, max = 20 },
      button { "Change the name", id = "change", on_click = function()
        local name = trim(self:text("new_name"))
        if name == "" then return toast("Give a name") end
        c.name = name
        self:hide_keyboard()
        toast("Changed")
      end },
    }
  end,
}

activity "NewChat" {
  view = function(self)
    return column {
      toolbar { "New chat", up = true },
      list { id = "contacts", items = by_name(storage.contacts),
        row = function(c) return column { id = "contact_row", text { c.name, id = "name", size = "large" }, text { c.about, id = "about", size = "small" } } end,
        on_item_click = function(_, c)
          local chat = chat_with(c)
          if not chat then return end
          self:start("Chat", { id = chat.id, name = c.name })
          self:finish()
        end },
    }
  end,
}

activity "NewGroup" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self.picked = saved and saved.picked or {}
  end,
  save = function(self, out) out.query, out.picked = self.query, self.picked end,

  toggle = function(self, c)
    local i = index_of(self.picked, c.id)
    if i then table.remove(self.picked, i) else table.insert(self.picked, c.id) end
  end,

  make = function(self)
    local name = trim(self:text("group_name"))
    if #self.picked < 2 then return toast("Choose two at least") end
    if name == "" then return toast("Give it a name") end
    if #storage.chats >= MAX_CHATS then return toast("Too many chats") end
    local chat = { id = new_id(), members = self.picked, name = name, group = true, unread = 0, last = now() }
    table.insert(storage.chats, chat)
    self:start("Chat", { id = chat.id, name = name })
    self:finish()
  end,

  view = function(self)
    local shown = filter(by_name(storage.contacts), function(c) return contains(c.name:lower(), trim(self.query):lower()) end)
    return column {
      toolbar { "New group", up = true, subtitle = #self.picked .. " chosen",
        actions = { { "Create", id = "create_group", on_click = function() self:make() end } } },
      field { id = "group_name", hint = "Name of the group", max = 30 },
      field { id = "find_contact", hint = "Find a contact", max = 20, on_change = function(s)
        self.query = s
        if bug("ticks_lost") then self.picked = {} end
      end },
      scroll { each(shown, function(c)
        return check { c.name, id = "pick", checked = index_of(self.picked, c.id) ~= nil, on_change = function() self:toggle(c) end }
      end) },
    }
  end,
}

activity "Archive" {
  view = function(self)
    return column {
      toolbar { "Archive", up = true },
      list { id = "archived", items = in_order(filter(storage.chats, function(c) return c.archived end)),
        empty = text { "The archive is empty", id = "empty" }, row = chat_row,
        on_item_click = function(_, c) self:start("Chat", { id = c.id, name = chat_name(c) }) end,
        on_item_long_click = function(_, c) chat_menu(self, c) end },
    }
  end,
}

local function found_row(m)
  return column { id = "found_row", text { m.text, id = "text" },
    text { sender(m) .. ", " .. chat_name(chat_of(m.chat)) .. ", " .. clock(m.time), id = "where", size = "small" } }
end

local function open_found(self, m)
  self:start("Chat", { id = m.chat, name = chat_name(chat_of(m.chat)) })
end

activity "Starred" {
  view = function(self)
    local starred = filter(storage.messages, function(m) return m.starred end)
    return column {
      toolbar { "Starred messages", up = true },
      list { id = "starred_list", items = starred, empty = text { "No starred messages", id = "empty" }, row = found_row,
        on_item_click = function(_, m) open_found(self, m) end,
        on_item_long_click = function(_, m)
          self:popup { { "Take the star away", id = "unstar", on_click = function() m.starred = false end } }
        end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local query = trim(self.query):lower()
    local found = query == "" and {} or filter(storage.messages, function(m) return not m.gone and contains(m.text:lower(), query) end)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Find in messages", max = 40, on_change = function(s) self.query = s end },
      text { #found .. " found", id = "found", size = "small" },
      list { id = "results", items = found, row = found_row, on_item_click = function(_, m) open_found(self, m) end },
    }
  end,
}

activity "Forward" {
  view = function(self)
    return column {
      toolbar { "Forward to", up = true },
      list { id = "targets", items = in_order(copy(storage.chats)),
        row = function(c) return column { id = "target_row", text { chat_name(c), id = "name", size = "large" } } end,
        on_item_click = function(_, c)
          local m = message_of(self.intent.id)
          if m then post(c, m.text) end
          toast("Forwarded to " .. chat_name(c))
          self:finish()
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      button { "Profile", id = "profile", on_click = function() self:start("Profile") end },
      switch { "24-hour clock", id = "clock24", checked = prefs.clock24, on_change = function(b) prefs.clock24 = b end },
      switch { "Show the last message in the list", id = "preview", checked = prefs.preview, on_change = function(b) prefs.preview = b end },
    }
  end,
}

activity "Profile" {
  view = function(self)
    return column {
      toolbar { "Profile", up = true, actions = { { "Save", id = "save_profile", on_click = function()
        local name = trim(self:text("my_name"))
        if name == "" then return toast("Give a name") end
        prefs.my_name, prefs.my_about = name, trim(self:text("my_about"))
        self:finish()
      end } } },
      text { prefs.my_name, id = "shown_name", size = "large" },
      text { prefs.my_about ~= "" and prefs.my_about or "No status", id = "shown_about", size = "small" },
      field { id = "my_name", hint = "Your name", text = prefs.my_name, max = 20 },
      field { id = "my_about", hint = "Status", text = prefs.my_about, max = 40 },
    }
  end,
}
