-- Pot Luck: a recipe box with a meal plan for the week and a shopping list.

app {
  package = "org.potluck.recipes",
  title = "Pot Luck",
  main = "Main",
  bugs = { "servings_stick", "shopping_unscaled", "clear_bought", "trash_in_plan", "select_all_hidden", "sort_on_return", "search_old_title",
    "rotate_ingredients" },
  application = function()
    if storage.recipes then return end
    storage.next_id = 100
    storage.recipes = {
      { id = 1, title = "Pancakes", cat = 1, serves = 4, minutes = 25, cooked = 3, fav = true, method = "Mix. Rest. Fry in butter.",
        items = { { name = "Flour", amount = 200, unit = "g" }, { name = "Milk", amount = 400, unit = "ml" }, { name = "Eggs", amount = 2, unit = "" } } },
      { id = 2, title = "Tomato soup", cat = 2, serves = 2, minutes = 40, cooked = 1, method = "Roast the tomatoes. Blend with stock.",
        items = { { name = "Tomatoes", amount = 800, unit = "g" }, { name = "Stock", amount = 300, unit = "ml" }, { name = "Onion", amount = 1, unit = "" } } },
      { id = 3, title = "Lentil stew", cat = 3, serves = 4, minutes = 50, cooked = 0, method = "Simmer all for 40 minutes.",
        items = { { name = "Lentils", amount = 300, unit = "g" }, { name = "Carrots", amount = 3, unit = "" } } },
      { id = 4, title = "Apple crumble", cat = 4, serves = 6, minutes = 60, cooked = 2, method = "Apples below, crumble on top, 180 °C.",
        items = { { name = "Apples", amount = 6, unit = "" }, { name = "Flour", amount = 180, unit = "g" }, { name = "Butter", amount = 120, unit = "g" } } },
      { id = 5, title = "Fried rice", cat = 3, serves = 2, minutes = 20, cooked = 5, fav = true, method = "Yesterday's rice, a very hot pan.",
        items = { { name = "Rice", amount = 250, unit = "g" }, { name = "Eggs", amount = 2, unit = "" } } },
    }
    storage.plan = { { 1 }, {}, { 3 }, {}, { 2 }, {}, {} }
    storage.shopping = {
      { id = 51, name = "Coffee", amount = 500, unit = "g" },
      { id = 52, name = "Bread", amount = 1, unit = "" },
      { id = 53, name = "Butter", amount = 250, unit = "g" },
    }
    prefs.serves = 4
    prefs.times = true
  end,
}

local CATS = { "Breakfast", "Soups", "Mains", "Sweets" }
local TABS = { "All", "Breakfast", "Soups", "Mains", "Sweets" }
local SORTS = { "Title", "Time", "Most cooked" }
local DAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }
local UNITS = { "", "g", "ml", "tbsp" }
local UNIT_NAMES = { "pieces", "g", "ml", "tbsp" }
local MAX_RECIPES = 80

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function recipe_of(id) return (find(storage.recipes, function(r) return r.id == id end)) end
local function kept() return filter(storage.recipes, function(r) return not r.trashed end) end

local function amount_text(amount)
  local rounded = math.floor(amount * 10 + 0.5) / 10
  return rounded == math.floor(rounded) and format("%d", math.floor(rounded)) or format("%.1f", rounded)
end

local function line(item, factor)
  local amount = amount_text(item.amount * (factor or 1))
  return amount .. (item.unit ~= "" and " " .. item.unit or "") .. " " .. item.name
end

local function matches(recipe, query)
  if contains(recipe.title:lower(), query) then return true end
  return find(recipe.items, function(item) return contains(item.name:lower(), query) end) ~= nil
end

-- What is on the list already and not yet bought grows.
local function put_on_list(name, amount, unit)
  local there = find(storage.shopping, function(s) return not s.done and s.unit == unit and s.name:lower() == name:lower() end)
  if there then
    there.amount = there.amount + amount
  else
    table.insert(storage.shopping, { id = new_id(), name = name, amount = amount, unit = unit })
  end
end

local function forget_for_ever(recipe)
  local i = index_of(storage.recipes, recipe)
  if i then table.remove(storage.recipes, i) end
  for day, ids in ipairs(storage.plan) do
    storage.plan[day] = filter(ids, function(id) return id ~= recipe.id end)
  end
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.tab = saved.tab or 1
    self.sort = saved.sort or prefs.sort or 1
    self.picked = saved.picked
    self.favs = saved.favs or false
  end,
  save = function(self, out) out.tab, out.sort, out.picked, out.favs = self.tab, self.sort, self.picked, self.favs end,
  restart = function(self)
    if bug("sort_on_return") then self.sort = 1 end
  end,

  back = function(self)
    if not self.picked then return false end
    self.picked = nil
    return true
  end,

  shown = function(self)
    local result = filter(kept(), function(r)
      return (self.tab == 1 or r.cat == self.tab - 1) and (not self.favs or r.fav)
    end)
    table.sort(result, function(a, b)
      if self.sort == 2 and a.minutes ~= b.minutes then return a.minutes < b.minutes end
      if self.sort == 3 and a.cooked ~= b.cooked then return a.cooked > b.cooked end
      return a.title:lower() < b.title:lower()
    end)
    return result
  end,

  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = self.sort, on_item = function(i) self.sort, prefs.sort = i, i end }
  end,

  menu = function(self)
    if self.picked then return {} end
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_sort() end },
      { "Only favourites", id = "only_favs", checked = self.favs, on_click = function() self.favs = not self.favs end },
    }
  end,

  -- Selection: picked maps ids to true.
  selection = function(self) return filter(kept(), function(r) return self.picked[r.id] end) end,

  toggle = function(self, recipe)
    self.picked[recipe.id] = not self.picked[recipe.id] or nil
    if not next(self.picked) then self.picked = nil end
  end,

  select_all = function(self)
    for _, r in ipairs(bug("select_all_hidden") and kept() or self:shown()) do self.picked[r.id] = true end
  end,

  trash_selection = function(self)
    local ids = {}
    for _, r in ipairs(self:selection()) do
      r.trashed = true
      table.insert(ids, r.id)
    end
    self.picked = nil
    self:snackbar(#ids .. " moved to the trash", "Undo", function()
      for _, id in ipairs(ids) do
        local r = recipe_of(id)
        if r then r.trashed = nil end
      end
    end)
  end,

  fav_selection = function(self)
    for _, r in ipairs(self:selection()) do r.fav = true end
    self.picked = nil
  end,

  bar = function(self)
    if not self.picked then
      return toolbar { "Pot Luck", subtitle = self.favs and "Favourites" or nil,
        actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } }
    end
    return toolbar { #self:selection() .. " selected", actions = {
      { "Select all", id = "select_all", on_click = function() self:select_all() end },
      { "Favourite", id = "fav_selected", on_click = function() self:fav_selection() end },
      { "Delete", id = "delete_selected", on_click = function() self:trash_selection() end },
    } }
  end,

  view = function(self)
    return column {
      self:bar(),
      drawer { id = "drawer", header = "Pot Luck", items = {
        { "Meal plan", id = "go_plan", on_click = function() self:start("Plan") end },
        { "Shopping list", id = "go_shopping", on_click = function() self:start("Shopping") end },
        { "Trash", id = "go_trash", on_click = function() self:start("Trash") end },
        { "Settings", id = "go_settings", on_click = function() self:start("Settings") end },
      } },
      tabs { id = "cats", titles = TABS, selected = self.tab, on_change = function(i) self.tab, self.picked = i, nil end },
      list { id = "recipes", items = self:shown(), empty = text { "No recipes here", id = "empty" },
        row = function(r)
          local mark = self.picked and (self.picked[r.id] and "☑ " or "☐ ") or ""
          return column { id = "recipe_row", text { mark .. r.title .. (r.fav and " ♥" or ""), id = "title" },
            prefs.times and text { r.minutes .. " min · cooked " .. r.cooked .. "×", id = "info", size = "small" } }
        end,
        on_item_click = function(_, r)
          if self.picked then self:toggle(r) else self:start("Recipe", { id = r.id }) end
        end,
        on_item_long_click = function(_, r)
          self.picked = self.picked or {}
          self:toggle(r)
        end },
      not self.picked and fab { id = "add", desc = "New recipe", on_click = function()
        if #storage.recipes >= MAX_RECIPES then return toast("The box is full") end
        self:start("Edit", { cat = self.tab > 1 and self.tab - 1 or 1 })
      end },
    }
  end,
}

activity "Recipe" {
  create = function(self, intent, saved)
    local recipe = intent.id and recipe_of(intent.id)
    self.tab = saved and saved.tab or 1
    self.serves = saved and saved.serves or recipe and recipe.serves or 1
    self.base = recipe and recipe.serves
  end,
  save = function(self, out) out.tab, out.serves = self.tab, self.serves end,
  pause = function(self)
    local recipe = recipe_of(self.intent.id)
    if recipe and bug("servings_stick") then recipe.serves = self.serves end
  end,
  result = function(self, request, data)
    local recipe = recipe_of(self.intent.id)
    if request == "edit" and data and recipe then self.serves = recipe.serves end
  end,

  ask_day = function(self, recipe)
    self:dialog { title = "Cook it on", items = DAYS, on_item = function(i)
      if index_of(storage.plan[i], recipe.id) then return toast("Planned already") end
      table.insert(storage.plan[i], recipe.id)
      toast("Planned for " .. DAYS[i])
    end }
  end,

  menu = function(self)
    local recipe = recipe_of(self.intent.id)
    if not recipe or recipe.trashed then return {} end
    return {
      { "Cooked it", id = "cooked", on_click = function() recipe.cooked = recipe.cooked + 1 end },
      { "Plan", id = "plan", on_click = function() self:ask_day(recipe) end },
      { "Delete", id = "delete", on_click = function()
        recipe.trashed = true
        toast(recipe.title .. " is in the trash")
        self:finish()
      end },
    }
  end,

  shop = function(self, recipe)
    local factor = bug("shopping_unscaled") and 1 or self.serves / recipe.serves
    for _, item in ipairs(recipe.items) do put_on_list(item.name, item.amount * factor, item.unit) end
    toast("Added " .. #recipe.items .. " things")
  end,

  view = function(self)
    local recipe = recipe_of(self.intent.id)
    if not recipe then return column { toolbar { "Recipe", up = true }, text { "This recipe is gone", id = "gone" } } end
    if recipe.trashed then return column { toolbar { recipe.title, up = true }, text { "This recipe is in the trash", id = "gone" } } end
    return column {
      toolbar { recipe.title, up = true, subtitle = CATS[recipe.cat], actions = {
        { recipe.fav and "No favourite" or "Favourite", id = "fav", on_click = function() recipe.fav = not recipe.fav end },
        { "Edit", id = "edit", on_click = function() self:start_for_result("Edit", "edit", { id = recipe.id }) end } } },
      tabs { id = "parts", titles = { "Ingredients", "Method" }, selected = self.tab, on_change = function(i) self.tab = i end },
      self.tab == 1 and scroll {
        row {
          button { "−", id = "fewer", desc = "Fewer servings", on_click = function() self.serves = math.max(1, self.serves - 1) end },
          text { "Serves " .. self.serves, id = "serves", weight = 1 },
          button { "+", id = "more", desc = "More servings", on_click = function() self.serves = math.min(24, self.serves + 1) end },
        },
        each(recipe.items, function(item) return text { line(item, self.serves / recipe.serves), id = "ingredient" } end),
        #recipe.items > 0 and button { "Add to shopping list", id = "shop", on_click = function() self:shop(recipe) end },
      } or scroll {
        text { recipe.method ~= "" and recipe.method or "No method written", id = "method" },
        text { recipe.minutes .. " minutes, cooked " .. recipe.cooked .. " times", id = "facts", size = "small" },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local recipe = intent.id and recipe_of(intent.id)
    self.cat = saved and saved.cat or recipe and recipe.cat or intent.cat or 1
    self.serves = saved and saved.serves or recipe and recipe.serves or prefs.serves
    self.items = saved and saved.items or each(recipe and recipe.items or {}, copy)
    self.dirty = saved and saved.dirty or false
  end,
  save = function(self, out)
    out.cat, out.serves, out.dirty = self.cat, self.serves, self.dirty
    if not bug("rotate_ingredients") then out.items = self.items end
  end,

  back = function(self)
    if not self.dirty then return false end
    self:dialog { title = "Discard changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
    return true
  end,

  change = function(self) self.dirty = true end,

  ask_item = function(self)
    self.unit = 1
    self:dialog { title = "Ingredient", cancel = "Cancel", ok = "Add",
      view = function()
        return column {
          field { id = "item_name", hint = "Name", max = 30 },
          field { id = "item_amount", hint = "Amount", input = "decimal", max = 5 },
          spinner { id = "item_unit", items = UNIT_NAMES, selected = self.unit, on_change = function(i) self.unit = i end },
        }
      end,
      on_ok = function()
        local name, amount = trim(self:text("item_name")), tonumber(self:text("item_amount"))
        if name == "" or not amount or amount <= 0 then toast("Name and amount, please") return true end
        table.insert(self.items, { name = name, amount = amount, unit = UNITS[self.unit] })
        self:change()
      end }
  end,

  store = function(self)
    local title = trim(self:text("title_field"))
    local minutes = tonumber(self:text("minutes"))
    if title == "" then return toast("The recipe needs a title") end
    if not minutes or minutes < 1 then return toast("How many minutes?") end
    local recipe = self.intent.id and recipe_of(self.intent.id)
    if not recipe then
      recipe = { id = new_id(), cooked = 0 }
      table.insert(storage.recipes, recipe)
    end
    recipe.title, recipe.minutes, recipe.method = title, math.floor(minutes), trim(self:text("method_field"))
    recipe.cat, recipe.serves, recipe.items = self.cat, self.serves, each(self.items, copy)
    self:finish { id = recipe.id }
  end,

  view = function(self)
    local recipe = self.intent.id and recipe_of(self.intent.id)
    return column {
      toolbar { recipe and "Edit recipe" or "New recipe", up = function() if not self:back() then self:finish() end end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title_field", hint = "Title", text = recipe and recipe.title or "", max = 40, on_change = function() self:change() end },
        field { id = "minutes", hint = "Minutes", input = "number", text = recipe and tostring(recipe.minutes) or "30", max = 3,
          on_change = function() self:change() end },
        spinner { id = "category", items = CATS, selected = self.cat, on_change = function(i) self.cat = i self:change() end },
        row {
          button { "−", id = "fewer", desc = "Fewer", on_click = function() self.serves = math.max(1, self.serves - 1) self:change() end },
          text { "Serves " .. self.serves, id = "serves", weight = 1 },
          button { "+", id = "more", desc = "More", on_click = function() self.serves = math.min(24, self.serves + 1) self:change() end },
        },
        text { "Ingredients: " .. #self.items, id = "item_count" },
        each(self.items, function(item, i)
          return row { text { line(item), id = "item_line", weight = 1 },
            image_button { id = "remove_item", desc = "Remove " .. item.name, on_click = function() table.remove(self.items, i) self:change() end } }
        end),
        button { "Add ingredient", id = "add_item", on_click = function() self:ask_item() end },
        field { id = "method_field", hint = "Method", input = "multiline", text = recipe and recipe.method or "", max = 500,
          on_change = function() self:change() end },
      },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    if bug("search_old_title") then self.hits = self:look() end
  end,
  save = function(self, out) out.query = self.query end,
  look = function(self)
    local query = trim(self.query):lower()
    if query == "" then return {} end
    return each(filter(kept(), function(r) return matches(r, query) end), function(r) return { id = r.id, title = r.title, cat = r.cat } end)
  end,
  view = function(self)
    local hits = self.hits or self:look()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Title or ingredient", on_change = function(s)
        self.query = s
        if bug("search_old_title") then self.hits = self:look() end
      end },
      text { trim(self.query) == "" and "Type something" or #hits .. " found", id = "found" },
      list { id = "hits", items = hits,
        row = function(h) return column { id = "hit", text { h.title, id = "hit_title" }, text { CATS[h.cat], id = "hit_cat", size = "small" } } end,
        on_item_click = function(_, h) self:start("Recipe", { id = h.id }) end },
    }
  end,
}

activity "Plan" {
  result = function(self, request, data)
    if not data then return end
    local ids = storage.plan[request]
    if index_of(ids, data.id) then return toast("Planned already") end
    table.insert(ids, data.id)
  end,
  menu = function(self)
    return { { "Clear the week", id = "clear_plan", on_click = function()
      self:dialog { title = "Clear the week?", cancel = "Cancel", ok = "Clear",
        on_ok = function() storage.plan = { {}, {}, {}, {}, {}, {}, {} } end }
    end } }
  end,
  view = function(self)
    local rows = {}
    for day, ids in ipairs(storage.plan) do
      table.insert(rows, row { text { DAYS[day], id = "day", weight = 1 },
        button { "Add", id = "add_day", desc = "Add to " .. DAYS[day], on_click = function() self:start_for_result("Pick", day) end } })
      for _, id in ipairs(ids) do
        local r = recipe_of(id)
        if r and (not r.trashed or bug("trash_in_plan")) then
          table.insert(rows, row { 
            text { r.title, id = "planned", weight = 1, on_click = function() self:start("Recipe", { id = id }) end },
            image_button { id = "unplan", desc = "Remove " .. r.title .. " from " .. DAYS[day],
              on_click = function() storage.plan[day] = filter(storage.plan[day], function(x) return x ~= id end) end } })
        end
      end
    end
    return column { toolbar { "Meal plan", up = true }, scroll { rows } }
  end,
}

activity "Pick" {
  view = function(self)
    local recipes = kept()
    table.sort(recipes, function(a, b) return a.title:lower() < b.title:lower() end)
    return column {
      toolbar { "Choose a recipe", up = true },
      list { id = "choices", items = recipes, empty = text { "No recipes", id = "empty" },
        row = function(r) return text { r.title, id = "choice" } end,
        on_item_click = function(_, r) self:finish { id = r.id } end },
    }
  end,
}

activity "Shopping" {
  clear_bought = function(self)
    if bug("clear_bought") then
      local i = 1
      for _ = 1, #storage.shopping do
        if storage.shopping[i] and storage.shopping[i].done then table.remove(storage.shopping, i) end
        i = i + 1
      end
      return
    end
    storage.shopping = filter(storage.shopping, function(s) return not s.done end)
  end,
  add = function(self)
    local name = trim(self:text("new_thing"))
    if name == "" then return toast("What do you need?") end
    put_on_list(name, 1, "")
    self:set_text("new_thing", "")
  end,
  menu = function(self)
    return {
      { "Remove bought", id = "clear_bought", on_click = function() self:clear_bought() end },
      { "Nothing bought yet", id = "uncheck", on_click = function()
        for _, s in ipairs(storage.shopping) do s.done = nil end
      end },
    }
  end,
  view = function(self)
    local open = #filter(storage.shopping, function(s) return not s.done end)
    return column {
      toolbar { "Shopping list", up = true, subtitle = open .. " to buy" },
      row { field { id = "new_thing", hint = "Something else", weight = 1, max = 30, on_submit = function() self:add() end },
        button { "Add", id = "add_thing", on_click = function() self:add() end } },
      list { id = "things", items = storage.shopping, empty = text { "Nothing to buy", id = "empty" },
        row = function(s)
          return check { line(s), id = "thing", checked = s.done == true, on_change = function(b) s.done = b or nil end }
        end },
    }
  end,
}

activity "Trash" {
  view = function(self)
    local trashed = filter(storage.recipes, function(r) return r.trashed end)
    return column {
      toolbar { "Trash", up = true, actions = { { "Empty", id = "empty_trash", on_click = function()
        if #trashed == 0 then return toast("Nothing in it") end
        self:dialog { title = "Delete all for ever?", cancel = "Cancel", ok = "Delete",
          on_ok = function() for _, r in ipairs(trashed) do forget_for_ever(r) end end }
      end } } },
      list { id = "trash", items = trashed, empty = text { "The trash is empty", id = "empty" },
        row = function(r) return column { id = "trash_row", text { r.title, id = "title" }, text { CATS[r.cat], id = "cat", size = "small" } } end,
        on_item_click = function(_, r)
          self:popup {
            { "Restore", id = "restore", on_click = function() r.trashed = nil end },
            { "Delete for ever", id = "forget", on_click = function() forget_for_ever(r) end },
          }
        end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    local choices = { 1, 2, 4, 6, 8 }
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "New recipes serve",
        spinner { id = "new_serves", items = each(choices, tostring), selected = index_of(choices, prefs.serves),
          on_change = function(i) prefs.serves = choices[i] end },
        switch { "Show times in the list", id = "times", checked = prefs.times, on_change = function(b) prefs.times = b end },
        text { "Recipes: " .. #kept(), id = "box_count" },
      },
    }
  end,
}
