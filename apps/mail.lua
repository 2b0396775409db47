-- Mail: two accounts, folders, a message list, a composer with Cc, Bcc and attachments, drafts, search, sync.
--
-- A message: { id, account, folder, from, to = { ... }, cc = { ... } or nil, bcc = { ... } or nil, subject, body, read,
-- attachments = { ... } or nil }. New ones come from the server, which numbers them.

app {
  package = "org.norn.mail",
  title = "Mail",
  main = "Messages",
  bugs = { "reply_all_no_cc", "draft_attachment", "bcc_only", "delete_last", "sync_removed_account", "draft_loses_bcc",
    "swipe_in_results", "sync_failed" },
  themis = {
    { n = 1, activity = "Messages", id = "message_row", kind = "tap" },
    { n = 2, activity = "Message", id = "reply_all", kind = "tap" },
    { n = 3, activity = "Message", id = "delete", kind = "tap" },
    { n = 4, activity = "Messages", id = "compose", kind = "tap" },
    { n = 5, activity = "Compose", id = "attach", kind = "tap" },
    { n = 6, activity = "Compose", id = "save_draft", kind = "tap" },
    { n = 7, activity = "Messages", id = "folder", kind = "tap" },
    { n = 8, activity = "Compose", id = "attachment_row", kind = "tap" },
    { n = 9, activity = "Compose", id = "add_cc", kind = "tap" },
    { n = 10, activity = "Compose", id = "bcc", kind = "type" },
    { n = 11, activity = "Compose", id = "send", kind = "tap" },
    { n = 12, activity = "Accounts", id = "sync_all", kind = "tap" },
    { n = 13, activity = "Accounts", id = "remove", kind = "tap" },
  },
  server = function(request, db)
    if request.path ~= "/inbox" then return nil, 404 end
    db.sent = (db.sent or 0) + 1
    if db.sent > 20 then return {} end
    local who = { "bank@example.org", "carol@example.org", "shop@example.org" }
    return { { from = who[db.sent % 3 + 1], to = { request.query.account }, subject = "News no. " .. db.sent,
      body = "This is what is new today." } }
  end,
  application = function()
    if storage.accounts then return end
    storage.next_id = 100
    storage.accounts = { { address = "ann@example.org", name = "Private" }, { address = "ann@corp.example", name = "Work" } }
    storage.messages = {
      { id = 1, account = "ann@corp.example", folder = "Inbox", from = "boss@corp.example", to = { "ann@corp.example" },
        cc = { "team@corp.example" }, subject = "Meeting moved", body = "We meet at three.", read = false },
      { id = 2, account = "ann@example.org", folder = "Inbox", from = "bob@example.org", to = { "ann@example.org" },
        subject = "Lunch?", body = "Are you free on Friday?", read = false },
      { id = 3, account = "ann@example.org", folder = "Inbox", from = "shop@example.org", to = { "ann@example.org" },
        cc = {}, subject = "Invoice 4711", body = "Thank you for your order.", read = true },
      { id = 4, account = "ann@example.org", folder = "Spam", from = "win@example.net", to = { "ann@example.org" },
        cc = {}, subject = "You have won", body = "Click here.", read = false },
    }
    prefs.signature = "Sent from my phone"
    prefs.confirm_delete = false
  end,
}

local FOLDERS = { "Inbox", "Drafts", "Sent", "Spam", "Trash" }
local MAX_MESSAGES = 120

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function message_of(id) return (find(storage.messages, function(m) return m.id == id end)) end
local function account_of(address) return (find(storage.accounts, function(a) return a.address == address end)) end

local function messages_in(folder) return filter(storage.messages, function(m) return m.folder == folder end) end

local function unread_in(folder) return #filter(messages_in(folder), function(m) return not m.read end) end

-- Old messages make room for new ones.
local function keep(message)
  table.insert(storage.messages, 1, message)
  while #storage.messages > MAX_MESSAGES do table.remove(storage.messages) end
end

-- To the trash; from there for good.
local function delete_message(message)
  if message.folder ~= "Trash" then message.folder = "Trash" return end
  table.remove(storage.messages, index_of(storage.messages, message))
end

local function addresses(line)
  return filter(each(split(line or "", ","), trim), function(s) return contains(s, "@") end)
end

local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function receive(account, bodies)
  account.synced = now()
  for _, m in ipairs(bodies) do
    m.id, m.account, m.folder, m.read, m.cc = new_id(), account.address, "Inbox", false, m.cc or {}
    keep(m)
  end
  return #bodies
end

local function message_row(message)
  local who = message.folder == "Drafts" and "Draft" or message.from
  return column { id = "message_row",
    text { (message.read and "" or "● ") .. who, id = "from" },
    text { message.subject ~= "" and message.subject or "(no subject)", id = "subject", size = "small" },
  }
end

activity "Messages" {
  create = function(self, intent, saved) self.folder = saved and saved.folder or "Inbox" end,
  save = function(self, out) out.folder = self.folder end,

  back = function(self)
    if self.folder == "Inbox" then return false end
    self.folder = "Inbox"
    return true
  end,

  -- Asks the server for news of the first account.
  refresh = function(self)
    if not device.online() then return toast("You are offline") end
    local account = storage.accounts[1]
    if not account then return toast("No account") end
    net.get { url = "https://mail.example.org/inbox?account=" .. account.address, latency = 400, on_reply = function(reply)
      if not reply.ok and not bug("sync_failed") then return toast("Could not reach the server") end
      account = account_of(account.address)
      if account then toast(plural(receive(account, reply.body), "new message")) end
    end }
  end,

  swiped = function(self, i)
    delete_message(messages_in(self.folder)[i])
    toast("Deleted")
  end,

  open = function(self, message)
    if message.folder == "Drafts" then return self:start("Compose", { draft = message.id }) end
    self:start("Message", { id = message.id, folder = self.folder })
  end,

  menu = function(self)
    return {
      { "Mark all read", id = "mark_all", on_click = function()
        for _, m in ipairs(messages_in(self.folder)) do m.read = true end
      end },
      { "Accounts", id = "accounts", on_click = function() self:start("Accounts") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local unread = unread_in(self.folder)
    return column {
      drawer { id = "folders", header = "Folders", items = each(FOLDERS, function(name)
        return { name, id = "folder", on_click = function() self.folder = name end }
      end) },
      toolbar { self.folder, subtitle = unread > 0 and unread .. " unread" or nil, actions = {
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Refresh", id = "refresh", on_click = function() self:refresh() end } } },
      list { id = "messages", items = messages_in(self.folder), row = message_row,
        empty = text { "No messages", id = "empty" },
        on_item_click = function(_, message) self:open(message) end,
        on_item_swipe = function(i, direction)
          if direction == "left" then self:swiped(i) end
        end },
      fab { id = "compose", desc = "Compose", on_click = function() self:start("Compose") end },
    }
  end,
}

-- Shows one message of a folder; newer and older ones are a step away.
activity "Message" {
  create = function(self, intent, saved) self:show(saved and saved.id or intent.id) end,
  save = function(self, out) out.id = self.id end,
  resume = function(self) if not message_of(self.id) then self:finish() end end,

  messages = function(self) return messages_in(self.intent.folder) end,

  place = function(self)
    local _, at = find(self:messages(), function(m) return m.id == self.id end)
    return at
  end,

  show = function(self, id)
    self.id = id
    local message = message_of(id)
    if message then message.read = true end
  end,

  step = function(self, by)
    local next_one = self:messages()[(self:place() or 0) + by]
    if next_one then self:show(next_one.id) else toast("No more messages") end
  end,

  -- After a deletion the next message moves up to this place.
  delete = function(self, message)
    local at = self:place() or 1
    delete_message(message)
    toast("Deleted")
    local rest = self:messages()
    if not bug("delete_last") then
      if #rest == 0 then return self:finish() end
      at = math.min(at, #rest)
    end
    self:show(list_get(rest, at).id)
  end,

  ask_delete = function(self, message)
    if not prefs.confirm_delete then return self:delete(message) end
    self:dialog { title = "Delete this message?", cancel = "Cancel", ok = "Delete",
      on_ok = function() self:delete(message) end }
  end,

  reply = function(self, message, to, cc)
    self:start("Compose", { to = to, cc = cc, subject = "Re: " .. message.subject, account = message.account })
  end,

  reply_all = function(self, message)
    local cc = message.cc
    if not bug("reply_all_no_cc") then cc = cc or {} end
    self:reply(message, message.from, #cc > 0 and table.concat(cc, ", ") or nil)
  end,

  menu = function(self)
    local message = message_of(self.id)
    if not message then return {} end
    return {
      { "Reply to all", id = "reply_all", on_click = function() self:reply_all(message) end },
      { "Forward", id = "forward", on_click = function()
        self:start("Compose", { subject = "Fwd: " .. message.subject, body = message.body, account = message.account })
      end },
      { "Mark unread", id = "mark_unread", on_click = function() message.read = false self:finish() end },
    }
  end,

  view = function(self)
    local message = message_of(self.id)
    if not message then return column { toolbar { "Message", up = true }, text { "This message is gone", id = "gone" } } end
    return column {
      toolbar { "Message", up = true, actions = {
        { "Delete", id = "delete", on_click = function() self:ask_delete(message) end },
        { "Reply", id = "reply", on_click = function() self:reply(message, message.from) end } } },
      text { message.subject ~= "" and message.subject or "(no subject)", id = "subject", size = "large" },
      text { "From: " .. message.from, id = "from" },
      text { "To: " .. table.concat(message.to, ", "), id = "to", size = "small" },
      message.cc and #message.cc > 0 and text { "Cc: " .. table.concat(message.cc, ", "), id = "cc", size = "small" },
      text { message.body, id = "body" },
      row {
        button { "Newer", id = "newer", on_click = function() self:step(-1) end },
        button { "Older", id = "older", on_click = function() self:step(1) end },
      },
    }
  end,
}

activity "Compose" {
  create = function(self, intent, saved)
    self.draft = intent.draft and message_of(intent.draft) or nil
    self.attachments = saved and saved.attachments or self.draft and copy(self.draft.attachments or {}) or {}
    local draft = self.draft or {}
    self.first = {
      to = table.concat(draft.to or {}, ", "), cc = table.concat(draft.cc or {}, ", "), bcc = table.concat(draft.bcc or {}, ", "),
      subject = draft.subject or intent.subject or "", body = draft.body or intent.body or "\n-- \n" .. prefs.signature,
    }
    if intent.to then self.first.to = intent.to end
    if intent.cc then self.first.cc = intent.cc end
    self.more = saved and saved.more or self.first.cc ~= "" or self.first.bcc ~= ""
    self.count = saved and saved.count or self:count_of(self.first)
  end,
  save = function(self, out) out.attachments, out.more, out.count = self.attachments, self.more, self.count end,

  count_of = function(self, lines) return #addresses(lines.to) + #addresses(lines.cc) + #addresses(lines.bcc) end,

  line = function(self, id)
    if not self.more and id ~= "to" then return self.first[id] end
    return self:text(id)
  end,
  lines = function(self) return { to = self:line("to"), cc = self:line("cc"), bcc = self:line("bcc") } end,
  changed = function(self) self.count = self:count_of(self:lines()) end,

  result = function(self, request, data)
    if request == "attach" and data and #self.attachments < 5 then
      table.insert(self.attachments, { name = data.uri:match("[^/]+$") or "file", uri = data.uri })
    end
  end,

  message = function(self, folder)
    local lines = self:lines()
    local account = self.intent.account or (storage.accounts[1] or {}).address or "me"
    return { id = new_id(), account = account, folder = folder, from = account, to = addresses(lines.to), cc = addresses(lines.cc),
      bcc = addresses(lines.bcc), subject = trim(self:text("subject")), body = self:text("body"), read = true,
      attachments = self.attachments }
  end,

  store = function(self, message)
    local old = self.draft and message_of(self.draft.id)
    if old then table.remove(storage.messages, index_of(storage.messages, old)) end
    keep(message)
    self:finish()
  end,

  save_draft = function(self)
    local message = self:message("Drafts")
    if bug("draft_loses_bcc") then message.bcc = nil end
    if bug("draft_attachment") then
      message.attachments = each(self.attachments, function(a) return { name = a.name } end)
    end
    self:store(message)
    toast("Draft saved")
  end,

  send = function(self)
    local message = self:message("Sent")
    if #message.to + #message.cc + #message.bcc == 0 then return toast("Who should get this?") end
    local first = message.to[1]
    if not bug("bcc_only") then first = first or message.cc[1] or message.bcc[1] end
    self:store(message)
    toast("Sent to " .. first:lower())
  end,

  open_attachment = function(self, attachment)
    local size = #attachment.uri * 37
    self:dialog { title = attachment.name, message = size .. " kB", ok = "OK", neutral = "Remove",
      on_neutral = function()
        local i = index_of(self.attachments, attachment)
        if i then table.remove(self.attachments, i) end
      end }
  end,

  ask_discard = function(self)
    self:dialog { title = "Save as draft?", ok = "Save", on_ok = function() self:save_draft() end,
      neutral = "Discard", on_neutral = function() self:finish() end, cancel = "Cancel" }
  end,

  back = function(self)
    local same = self:text("subject") == self.first.subject and self:text("body") == self.first.body
    if same and self.count == 0 and #self.attachments == 0 then return false end
    self:ask_discard()
    return true
  end,

  menu = function(self)
    return {
      { "Attach file", id = "attach", on_click = function()
        self:start_implicit { action = "GET_CONTENT", type = "*/*", request = "attach" }
      end },
      { "Save draft", id = "save_draft", on_click = function() self:save_draft() end },
    }
  end,

  view = function(self)
    local function address(id, hint)
      return field { id = id, hint = hint, input = "email", text = self.first[id], max = 120, on_change = function() self:changed() end }
    end
    return column {
      toolbar { self.draft and "Edit draft" or "Compose", up = function() self:ask_discard() end,
        actions = { { "Send", id = "send", on_click = function() self:send() end } } },
      row { text { plural(self.count, "recipient"), id = "recipients", size = "small" },
        not self.more and button { "Cc/Bcc", id = "add_cc", on_click = function() self.more = true end } },
      address("to", "To"),
      self.more and address("cc", "Cc"),
      self.more and address("bcc", "Bcc"),
      each(self.attachments, function(a)
        return button { a.name, id = "attachment_row", on_click = function() self:open_attachment(a) end }
      end),
      field { id = "subject", hint = "Subject", text = self.first.subject, max = 80 },
      field { id = "body", hint = "Message", text = self.first.body, input = "multiline", max = 2000 },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,

  everything = function(self) return filter(storage.messages, function(m) return m.folder ~= "Trash" end) end,

  results = function(self)
    local query = self.query:lower()
    if query == "" then return self:everything() end
    return filter(self:everything(), function(m) return contains((m.from .. " " .. m.subject .. " " .. m.body):lower(), query) end)
  end,

  swiped = function(self, i)
    local shown = bug("swipe_in_results") and self:everything() or self:results()
    delete_message(shown[i])
    toast("Deleted")
  end,

  view = function(self)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Search mail", max = 40, on_change = function(s) self.query = s end },
      list { id = "results", items = self:results(), row = message_row, empty = text { "Nothing found", id = "empty" },
        on_item_click = function(_, message)
          if message.folder == "Drafts" then return self:start("Compose", { draft = message.id }) end
          self:start("Message", { id = message.id, folder = message.folder })
        end,
        on_item_swipe = function(i, direction) if direction == "left" then self:swiped(i) end end },
    }
  end,
}

activity "Accounts" {
  -- One after the other; a slow server may take its time.
  sync_all = function(self)
    if not device.online() then return toast("You are offline") end
    for _, a in ipairs(storage.accounts) do
      net.get { url = "https://mail.example.org/inbox?account=" .. a.address, latency = 1300, on_reply = function(reply)
        if not reply.ok then return end
        local account = account_of(a.address)
        if account or bug("sync_removed_account") then receive(account, reply.body) end
      end }
    end
    toast("Syncing")
  end,

  ask_remove = function(self, account)
    self:popup {
      { "Remove", id = "remove", on_click = function()
        table.remove(storage.accounts, index_of(storage.accounts, account))
        storage.messages = filter(storage.messages, function(m) return m.account ~= account.address end)
      end },
    }
  end,

  view = function(self)
    return column {
      toolbar { "Accounts", up = true, actions = {
        { "Sync all", id = "sync_all", on_click = function() self:sync_all() end },
        { "Add account", id = "add_account", on_click = function() self:start("Setup") end } } },
      list { id = "accounts", items = storage.accounts, empty = text { "No accounts", id = "empty" },
        row = function(account)
          local synced = account.synced and "Synced " .. date(account.synced, "%H:%M") or "Not synced yet"
          return column { id = "account_row", text { account.name, id = "name" }, text { account.address, id = "address" },
            text { synced, id = "synced", size = "small" } }
        end,
        on_item_long_click = function(_, account) self:ask_remove(account) end },
    }
  end,
}

activity "Setup" {
  add = function(self)
    local address, name = trim(self:text("address")), trim(self:text("account_name"))
    if not address:match("^[^@%s]+@[^@%s]+$") then return toast("This is no address") end
    if account_of(address) then return toast("You have this account already") end
    if #storage.accounts >= 5 then return toast("Too many accounts") end
    table.insert(storage.accounts, { address = address, name = name ~= "" and name or address })
    self:finish()
  end,

  view = function(self)
    return column {
      toolbar { "Add account", up = true, actions = { { "Add", id = "add", on_click = function() self:add() end } } },
      field { id = "address", hint = "E-mail address", input = "email", max = 40 },
      field { id = "password", hint = "Password", input = "password", max = 40 },
      field { id = "account_name", hint = "Name of the account", max = 20 },
    }
  end,
}

activity "Settings" {
  ask_signature = function(self)
    self:dialog {
      title = "Signature",
      view = function() return column { field { id = "signature", text = prefs.signature, max = 80 } } end,
      ok = "OK",
      on_ok = function() prefs.signature = self:text("signature") end,
      cancel = "Cancel",
    }
  end,

  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Confirm deletion", id = "confirm_delete", checked = prefs.confirm_delete, on_change = function(b) prefs.confirm_delete = b end },
      text { "Signature: " .. prefs.signature, id = "current_signature" },
      button { "Change signature", id = "change_signature", on_click = function() self:ask_signature() end },
      button { "Empty trash", id = "empty_trash", on_click = function()
        storage.messages = filter(storage.messages, function(m) return m.folder ~= "Trash" end)
      end },
    }
  end,
}
