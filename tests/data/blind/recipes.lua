-- Recipes: a cook book with a shopping list. Amounts are kept in grams, millilitres or pieces for the recipe's own servings.
app {
  package = "org.example.recipes", title = "Recipes", main = "Main",
  bugs = { "sorted_edit", "search_last_letter", "scale_last", "edit_loses_notes", "badge_stale", "rename_category", "undo_first", "ticks_lost" },
  application = function()
    if storage.recipes then return end
    storage.categories = { "Bread", "Dessert", "Soup" }
    storage.recipes = {
      { id = 1, name = "Apple pie", category = "Dessert", minutes = 75, servings = 4, notes = "Use sour apples", favourite = true,
        ingredients = { { name = "Apples", amount = 800, unit = "g" }, { name = "Flour", amount = 300, unit = "g" }, { name = "Butter", amount = 150, unit = "g" } },
        steps = { "Peel the apples", "Make the dough", "Bake for 45 minutes" } },
      { id = 2, name = "Leek soup", category = "Soup", minutes = 30, servings = 2, notes = "Good on the second day",
        ingredients = { { name = "Leeks", amount = 3, unit = "pcs" }, { name = "Stock", amount = 700, unit = "ml" }, { name = "Cream", amount = 100, unit = "ml" } },
        steps = { "Cut the leeks", "Cook them in stock", "Stir in the cream" } },
      { id = 3, name = "Sourdough bread", category = "Bread", minutes = 240, servings = 8, notes = "",
        ingredients = { { name = "Flour", amount = 600, unit = "g" }, { name = "Water", amount = 400, unit = "ml" } },
        steps = { "Feed the starter", "Knead", "Let it rise", "Bake hot" } },
      { id = 4, name = "Pancakes", category = "Dessert", minutes = 20, servings = 2, notes = "Thin ones need more milk", favourite = true,
        ingredients = { { name = "Eggs", amount = 2, unit = "pcs" }, { name = "Milk", amount = 300, unit = "ml" }, { name = "Flour", amount = 150, unit = "g" } },
        steps = { "Mix", "Wait for a quarter of an hour", "Fry on both sides" } },
    }
    storage.trash = {}
    storage.next_id = 5
    storage.shopping = { { name = "Salt", bought = false }, { name = "Olive oil", bought = false }, { name = "Tea", bought = true } }
    prefs.sort = "name"
    prefs.units = "metric"
    prefs.show_minutes = true
    prefs.confirm = false
  end,
}

local function recipe(id) return (find(storage.recipes, function(r) return r.id == id end)) end

local function count(n, one, many) return n .. " " .. (n == 1 and one or many) end

local function number(x)
  local s = format("%.1f", x)
  return (s:gsub("%.0$", ""))
end

local function amount(x, unit)
  if unit == "pcs" then return number(x) end
  if prefs.units == "imperial" then
    if unit == "g" then return number(x / 28.35) .. " oz" end
    return number(x / 29.57) .. " fl oz"
  end
  return math.floor(x + 0.5) .. " " .. unit
end

local function sorted(list)
  local out = copy(list)
  table.sort(out, function(a, b)
    if prefs.sort == "time" and a.minutes ~= b.minutes then return a.minutes < b.minutes end
    return a.name:lower() < b.name:lower()
  end)
  return out
end

local function to_trash(id)
  local r, i = find(storage.recipes, function(x) return x.id == id end)
  if not r then return end
  table.remove(storage.recipes, i)
  table.insert(storage.trash, r)
end

local function restore(id)
  local r, i = find(storage.trash, function(x) return x.id == id end)
  if not r then return end
  table.remove(storage.trash, i)
  table.insert(storage.recipes, r)
end

local function to_buy() return #filter(storage.shopping, function(s) return not s.bought end) end

local function recipe_row(r)
  return row {
    column { weight = 1, text { r.name, id = "name" }, text { r.category .. (r.favourite and ", favourite" or ""), id = "category", size = "small" } },
    prefs.show_minutes and text { r.minutes .. " min", id = "minutes" },
  }
end

activity "Main" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.badge = to_buy()
  end,
  save = function(self, out) out.tab = self.tab end,
  resume = function(self)
    if not bug("badge_stale") then self.badge = to_buy() end
  end,
  menu = function(self)
    return {
      { "Sort by name", id = "sort_name", checked = prefs.sort == "name", on_click = function() prefs.sort = "name" end },
      { "Sort by time", id = "sort_time", checked = prefs.sort == "time", on_click = function() prefs.sort = "time" end },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Trash", id = "trash", on_click = function() self:start("Trash") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  shown = function(self)
    return sorted(filter(storage.recipes, function(r)
      return (self.tab == 1 or r.favourite) and (not prefs.category or r.category == prefs.category)
    end))
  end,
  delete = function(self, r)
    to_trash(r.id)
    self:snackbar(r.name .. " deleted", "Undo", function()
      local id = r.id
      if bug("undo_first") and storage.trash[1] then id = storage.trash[1].id end
      restore(id)
    end)
  end,
  ask_delete = function(self, r)
    if not prefs.confirm then return self:delete(r) end
    self:dialog { title = "Delete " .. r.name .. "?", cancel = "Keep", ok = "Delete", on_ok = function() self:delete(r) end }
  end,
  context = function(self, i, r)
    self:popup {
      { "Edit", id = "edit_recipe", on_click = function()
        local target = r
        if bug("sorted_edit") and prefs.sort == "time" then target = storage.recipes[i] or r end
        self:start("Edit", { id = target.id })
      end },
      { r.favourite and "Not a favourite" or "Make it a favourite", id = "mark", on_click = function() r.favourite = not r.favourite end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(r) end },
    }
  end,
  view = function(self)
    local names = { "All categories" }
    for _, c in ipairs(storage.categories) do table.insert(names, c) end
    local chosen = prefs.category and index_of(storage.categories, prefs.category)
    local shown = self:shown()
    return column {
      toolbar { "Recipes", subtitle = count(#shown, "recipe", "recipes"), actions = {
        { "Search", id = "search", on_click = function() self:start("Search") end },
        { "Shopping list", id = "shopping", on_click = function() self:start("Shopping") end },
      } },
      tabs { id = "tabs", titles = { "All", "Favourites" }, selected = self.tab, on_change = function(i) self.tab = i end },
      row {
        spinner { id = "category_filter", items = names, selected = chosen and chosen + 1 or 1, weight = 1,
          on_change = function(i) prefs.category = i > 1 and storage.categories[i - 1] or nil end },
        text { self.badge .. " to buy", id = "badge" },
      },
      list { id = "recipes", items = shown, row = recipe_row, empty = text { "No recipes here", id = "no_recipes" },
        on_item_click = function(_, r) self:start("Recipe", { id = r.id }) end,
        on_item_long_click = function(i, r) self:context(i, r) end },
      fab { id = "add", desc = "New recipe", on_click = function() self:start("Edit") end },
    }
  end,
}

activity "Search" {
  found = function(self)
    local q = trim(self:text("query")):lower()
    if q == "" then return {} end
    if bug("search_last_letter") and #q > 3 then q = q:sub(1, -2) end
    return sorted(filter(storage.recipes, function(r) return contains(r.name:lower(), q) or contains(r.notes:lower(), q) end))
  end,
  view = function(self)
    local found = self:found()
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Name or notes", max = 40 },
      text { trim(self:text("query")) == "" and "Type to search" or count(#found, "match", "matches"), id = "matches" },
      list { id = "found", items = found, row = recipe_row, on_item_click = function(_, r) self:start("Recipe", { id = r.id }) end },
    }
  end,
}

activity "Recipe" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.servings = saved and saved.servings or nil     -- nil: as the recipe says
    self.done = saved and saved.done or {}
  end,
  save = function(self, out)
    out.tab, out.servings = self.tab, self.servings
    if not bug("ticks_lost") then out.done = self.done end
  end,
  result = function(self, request, data)
    if data then self.servings = nil end
  end,
  menu = function(self)
    local r = recipe(self.intent.id)
    if not r then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start_for_result("Edit", "edit", { id = r.id }) end },
      { "Favourite", id = "favourite", checked = r.favourite or false, on_click = function() r.favourite = not r.favourite end },
      { "Add ingredient", id = "add_ingredient", on_click = function() self:ask_ingredient(r) end },
      { "Delete", id = "delete", on_click = function() to_trash(r.id) self:finish() end },
    }
  end,
  ask_ingredient = function(self, r)
    self:dialog { title = "New ingredient",
      view = function() return column { field { id = "ingredient_name", hint = "Name", max = 30 }, field { id = "ingredient_grams", hint = "Grams", input = "number", max = 5 } } end,
      cancel = "Cancel", ok = "Add", on_ok = function()
        local n, g = trim(self:text("ingredient_name")), tonumber(self:text("ingredient_grams"))
        if n == "" or not g or g <= 0 then toast("Name and grams, please") return true end
        table.insert(r.ingredients, { name = n, amount = g * r.servings / (self.servings or r.servings), unit = "g" })
      end }
  end,
  scaled = function(self, r, i)
    local ing = r.ingredients[i]
    local factor = (self.servings or r.servings) / r.servings
    if bug("scale_last") and i > 1 and i == #r.ingredients then factor = 1 end
    return amount(ing.amount * factor, ing.unit)
  end,
  buy = function(self, r)
    local added = 0
    for _, ing in ipairs(r.ingredients) do
      local there = find(storage.shopping, function(s) return s.name == ing.name end)
      if there and there.bought then there.bought = false added = added + 1 end
      if not there then table.insert(storage.shopping, { name = ing.name, bought = false }) added = added + 1 end
    end
    toast(count(added, "thing", "things") .. " put on the shopping list")
  end,
  view = function(self)
    local r = recipe(self.intent.id)
    if not r then return column { toolbar { "Recipe", up = true }, text { "This recipe is not here", id = "gone" } } end
    local servings = self.servings or r.servings
    return column {
      toolbar { r.name, up = true, subtitle = r.category .. (prefs.show_minutes and ", " .. r.minutes .. " min" or "") },
      tabs { id = "tabs", titles = { "Ingredients", "Steps" }, selected = self.tab, on_change = function(i) self.tab = i end },
      r.notes ~= "" and text { r.notes, id = "notes", size = "small" },
      self.tab == 1 and row {
        button { "Less", id = "less", enabled = servings > 1, on_click = function() self.servings = servings - 1 end },
        text { count(servings, "serving", "servings"), id = "servings", weight = 1 },
        button { "More", id = "more", enabled = servings < 24, on_click = function() self.servings = servings + 1 end },
        button { "Buy", id = "buy", enabled = #r.ingredients > 0, on_click = function() self:buy(r) end },
      },
      self.tab == 1 and list { id = "ingredients", items = r.ingredients, empty = text { "No ingredients yet", id = "no_ingredients" },
        row = function(ing, i) return row { text { ing.name, id = "ingredient", weight = 1 }, text { self:scaled(r, i), id = "amount" } } end },
      self.tab == 2 and list { id = "steps", items = r.steps, empty = text { "No steps yet", id = "no_steps" },
        row = function(s, i)
          return check { i .. ". " .. s, id = "step", checked = index_of(self.done, i) ~= nil, on_change = function(on)
            if on then table.insert(self.done, i) else table.remove(self.done, index_of(self.done, i)) end
          end }
        end },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local r = recipe(intent.id)
    self.category = saved and saved.category or r and r.category or storage.categories[1]
  end,
  save = function(self, out) out.category = self.category end,
  store = function(self)
    local name, minutes, servings = trim(self:text("name")), tonumber(self:text("time")), tonumber(self:text("for_people"))
    if name == "" then return toast("Give it a name") end
    if not minutes or minutes < 1 or minutes > 999 then return toast("Minutes from 1 to 999, please") end
    if not servings or servings < 1 or servings > 24 then return toast("Servings from 1 to 24, please") end
    local r = recipe(self.intent.id)
    local notes = trim(self:text("notes_field"))
    if not r then
      r = { id = storage.next_id, ingredients = {}, steps = {} }
      storage.next_id = storage.next_id + 1
      table.insert(storage.recipes, r)
    elseif bug("edit_loses_notes") and notes == r.notes then
      notes = ""
    end
    r.name, r.minutes, r.servings, r.notes, r.category = name, minutes, servings, notes, self.category
    self:finish { saved = true }
  end,
  view = function(self)
    local r = recipe(self.intent.id)
    return column {
      toolbar { r and "Edit recipe" or "New recipe", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "name", hint = "Name", text = r and r.name or "", max = 30 },
        row { text { "Category", weight = 1 },
          spinner { id = "category", items = storage.categories, selected = index_of(storage.categories, self.category) or 1,
            on_change = function(_, c) self.category = c end } },
        field { id = "time", hint = "Minutes", input = "number", text = r and tostring(r.minutes) or "", max = 3 },
        field { id = "for_people", hint = "Servings", input = "number", text = r and tostring(r.servings) or "2", max = 2 },
        field { id = "notes_field", hint = "Notes", input = "multiline", text = r and r.notes or "", max = 80 },
      },
    }
  end,
}

activity "Shopping" {
  menu = function(self)
    return { { "Remove what is bought", id = "clear_bought", on_click = function()
      storage.shopping = filter(storage.shopping, function(s) return not s.bought end)
    end } }
  end,
  add = function(self)
    local n = trim(self:text("thing"))
    if n == "" then return toast("What do you need?") end
    if find(storage.shopping, function(s) return s.name:lower() == n:lower() end) then return toast("It is on the list") end
    table.insert(storage.shopping, { name = n, bought = false })
    self:set_text("thing", "")
  end,
  view = function(self)
    return column {
      toolbar { "Shopping list", up = true, subtitle = count(to_buy(), "thing", "things") .. " to buy" },
      row { field { id = "thing", hint = "Something else", max = 30, weight = 1 }, button { "Add", id = "add_thing", on_click = function() self:add() end } },
      list { id = "things", items = storage.shopping, empty = text { "Nothing to buy", id = "nothing" },
        row = function(s) return check { s.name, id = "bought", checked = s.bought, on_change = function(on) s.bought = on end } end },
    }
  end,
}

activity "Categories" {
  uses = function(self, c)
    local function of(r) return r.category == c end
    return #filter(storage.recipes, of), #filter(storage.trash, of)
  end,
  ask = function(self, i)
    local old = storage.categories[i]
    self:dialog { title = old and "Rename " .. old or "New category",
      view = function() return column { field { id = "category_name", hint = "Name", text = old or "", max = 20 } } end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local n = trim(self:text("category_name"))
        if n == "" then toast("Give it a name") return true end
        if n == old then return end
        if index_of(storage.categories, n) then toast("There is one already") return true end
        if not old then table.insert(storage.categories, n) return end
        storage.categories[i] = n
        if prefs.category == old then prefs.category = n end
        for _, r in ipairs(storage.trash) do if r.category == old then r.category = n end end
        if bug("rename_category") then return end
        for _, r in ipairs(storage.recipes) do if r.category == old then r.category = n end end
      end }
  end,
  remove = function(self, i, c)
    local live, thrown = self:uses(c)
    if live + thrown > 0 then return toast(c .. " is in use") end
    if #storage.categories == 1 then return toast("One category must stay") end
    self:dialog { title = "Remove " .. c .. "?", cancel = "Keep", ok = "Remove", on_ok = function()
      table.remove(storage.categories, i)
      if prefs.category == c then prefs.category = nil end
    end }
  end,
  view = function(self)
    return column {
      toolbar { "Categories", up = true },
      list { id = "category_list", items = storage.categories,
        row = function(c) return row { text { c, id = "category_row", weight = 1 }, text { count(self:uses(c), "recipe", "recipes"), id = "uses" } } end,
        on_item_click = function(i) self:ask(i) end,
        on_item_long_click = function(i, c) self:remove(i, c) end },
      fab { id = "new_category", desc = "New category", on_click = function() self:ask() end },
    }
  end,
}

activity "Trash" {
  menu = function(self)
    return { { "Empty the trash", id = "empty_trash", enabled = #storage.trash > 0, on_click = function()
      self:dialog { title = "Empty the trash?", message = "The recipes are lost for ever", cancel = "Cancel", ok = "Empty", on_ok = function() storage.trash = {} end }
    end } }
  end,
  view = function(self)
    return column {
      toolbar { "Trash", up = true, subtitle = count(#storage.trash, "recipe", "recipes") },
      list { id = "thrown", items = storage.trash, empty = text { "The trash is empty", id = "trash_empty" },
        row = function(r) return row { text { r.name, id = "thrown_name", weight = 1 }, button { "Restore", id = "restore", on_click = function() restore(r.id) end } } end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Units", size = "small" },
        radios { id = "units", items = { "Metric", "Imperial" }, selected = prefs.units == "imperial" and 2 or 1,
          on_change = function(i) prefs.units = i == 2 and "imperial" or "metric" end },
        switch { "Show minutes", id = "show_minutes", checked = prefs.show_minutes, on_change = function(on) prefs.show_minutes = on end },
        switch { "Ask before deleting", id = "confirm", checked = prefs.confirm, on_change = function(on) prefs.confirm = on end },
      },
    }
  end,
}
