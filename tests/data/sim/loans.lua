-- Books lent and borrowed: two tabs with one count for both. With the bug, a book that is given back on its own page still counts.
app { package = "org.norn.loans", title = "Loans", main = "Main", bugs = { "count_stays" } }

local function take(id)
  local _, k = find(storage.books, function(b) return b.id == id end)
  if k then table.remove(storage.books, k) end
end

activity "Main" {
  create = function(self, intent, saved)
    storage.books = storage.books or { { id = 1, name = "Emma", tab = 1 }, { id = 2, name = "Faust", tab = 1 }, { id = 3, name = "Kim", tab = 2 } }
    storage.out, storage.next = storage.out or 3, storage.next or 4
    self.tab = saved and saved.tab or 1
  end,
  save = function(self, out) out.tab = self.tab end,
  copy = function(self, all)
    local book = all[#all] or { name = "Ulysses" }
    table.insert(storage.books, { id = storage.next, name = book.name .. "'", tab = self.tab })
    storage.next, storage.out = storage.next + 1, storage.out + 1
  end,
  view = function(self)
    local all = filter(storage.books, function(b) return b.tab == self.tab end)
    return column {
      toolbar { "Loans", subtitle = storage.out .. " books are out" },
      tabs { items = { "Lent", "Borrowed" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "books", items = all, empty = text { "Nothing", id = "none" }, row = function(b) return text { b.name, id = "name" } end,
        on_item_click = function(_, b) self:start("Book", { id = b.id }) end,
        on_item_long_click = function(_, b)
          take(b.id)
          storage.out = storage.out - 1
        end },
      row { button { "Copy", id = "copy", on_click = function() self:copy(all) end },
        button { "New", id = "new", on_click = function() self:start("New", { tab = self.tab }) end } },
    }
  end,
}

activity "Book" {
  create = function(self, intent) self.book = find(storage.books, function(b) return b.id == intent.id end) end,
  view = function(self)
    if not self.book then return column { toolbar { "Gone", up = true } } end
    return column {
      toolbar { self.book.name, up = true },
      button { "It is back", id = "back_again", on_click = function()
        take(self.book.id)
        if not bug("count_stays") then storage.out = storage.out - 1 end
        self:finish()
      end },
    }
  end,
}

activity "New" {
  view = function(self)
    return column {
      toolbar { "New book", up = true },
      field { id = "title", hint = "Title" },
      button { "Save", id = "save", on_click = function()
        local name = trim(self:text("title"))
        if name == "" then return toast("A title, please") end
        table.insert(storage.books, { id = storage.next, name = name, tab = self.intent.tab or 1 })
        storage.next, storage.out = storage.next + 1, storage.out + 1
        self:hide_keyboard()
        self:finish()
      end },
    }
  end,
}
