-- Kitchen Book: recipes with ingredients and steps, a shopping list, a plan of the week, categories, statistics.
-- Amounts are kept in grams, millilitres and pieces; the settings say how they are shown.

local OTHER = 1
local UNITS = { "g", "ml", "pcs" }
local SORTS = { "Title", "Time", "Newest" }
local DAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }
app {
  package = "org.late.recipes",
  title = "Kitchen Book",
  main = "Main",
  bugs = { "servings_rotate", "star_in_search", "shopping_servings", "rename_category", "undo_plan", "time_order", "shopping_units", "edit_star" },
  application = function()
    if storage.recipes then return end
    storage.categories = { { id = 1, name = "Other" }, { id = 2, name = "Soups" }, { id = 3, name = "Mains" }, { id = 4, name = "Desserts" } }
    storage.recipes = {
      { id = 11, title = "Lentil soup", category = 2, servings = 4, minutes = 45, veg = true, favourite = true, cooked = 3,
        ingredients = { { name = "Lentils", amount = 250, unit = "g" }, { name = "Water", amount = 900, unit = "ml" },
          { name = "Carrots", amount = 2, unit = "pcs" } }, steps = "Chop the carrots\nBoil everything\nSeason and serve" },
      { id = 12, title = "Apple crumble", category = 4, servings = 6, minutes = 60, veg = true, cooked = 1,
        ingredients = { { name = "Apples", amount = 6, unit = "pcs" }, { name = "Flour", amount = 180, unit = "g" } },
        steps = "Slice the apples\nRub the flour with butter\nBake until golden" },
      { id = 13, title = "Roast chicken", category = 3, servings = 4, minutes = 110, veg = false, cooked = 0,
        ingredients = { { name = "Chicken", amount = 1, unit = "pcs" }, { name = "Potatoes", amount = 800, unit = "g" } },
        steps = "Heat the oven\nRoast the chicken\nLet it rest" },
      { id = 14, title = "Pancakes", category = 4, servings = 2, minutes = 20, veg = true, cooked = 5,
        ingredients = { { name = "Flour", amount = 120, unit = "g" }, { name = "Milk", amount = 250, unit = "ml" } },
        steps = "Mix the batter\nFry the pancakes" },
      { id = 15, title = "Toast", category = 1, servings = 1, minutes = 5, veg = true, cooked = 0,
        ingredients = { { name = "Bread", amount = 2, unit = "pcs" } }, steps = "Toast the bread" },
    }
    storage.shopping = { { id = 16, name = "Salt", amount = 0, unit = "pcs", done = false } }
    storage.plan = { d1 = 11, d5 = 14 }
    storage.next_id = 20
    prefs.units, prefs.sort, prefs.show_time, prefs.confirm = "metric", 1, true, true
  end,
}
local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function recipe_of(id) return (find(storage.recipes, function(r) return r.id == id end)) end
local function category_of(id) return (find(storage.categories, function(c) return c.id == id end)) end
local function category_name(id) return (category_of(id) or category_of(OTHER)).name end
local function in_category(r, id) return r.category == id or id == OTHER and not category_of(r.category) end
local function plural(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end
local function number(x)
  local s = format("%.1f", x)
  return (s:gsub("%.0$", ""))
end
local function quantity(amount, unit, always_metric)
  if amount == 0 then return "" end
  if prefs.units == "imperial" and not always_metric then
    if unit == "g" then return number(amount / 28.35) .. " oz" end
    if unit == "ml" then return number(amount / 29.57) .. " fl oz" end
  end
  return unit == "pcs" and number(amount) or number(amount) .. " " .. unit
end
local function line(name, amount)
  return amount ~= "" and amount .. " " .. name or name
end
local function steps_of(recipe) return filter(each(split(recipe.steps, "\n"), trim), function(s) return s ~= "" end) end
local function add_to_shopping(name, amount, unit)
  local old = find(storage.shopping, function(s) return s.name:lower() == name:lower() and s.unit == unit and not s.done end)
  if old then
    old.amount = old.amount + amount
  else
    table.insert(storage.shopping, { id = new_id(), name = name, amount = amount, unit = unit, done = false })
  end
end
-- Takes a recipe out of the book and the plan; the message brings it back.
local function remove_recipe(self, id)
  local recipe = recipe_of(id)
  if not recipe then return end
  local at = index_of(storage.recipes, recipe)
  table.remove(storage.recipes, at)
  local planned = {}
  for i = 1, 7 do
    if storage.plan["d" .. i] == id then
      table.insert(planned, i)
      storage.plan["d" .. i] = nil
    end
  end
  self:snackbar(recipe.title .. " deleted", "Undo", function()
    table.insert(storage.recipes, math.min(at, #storage.recipes + 1), recipe)
    if bug("undo_plan") then return end       -- undo brings back the row but not what pointed to it (Tasks: subtasks and lists after undo)
    for _, i in ipairs(planned) do storage.plan["d" .. i] = storage.plan["d" .. i] or id end
  end)
end
activity "Main" {
  create = function(self, intent, saved)
    self.category, self.tab = saved and saved.category, saved and saved.tab or 1
    self.searching = saved and saved.searching or false
  end,
  save = function(self, out) out.category, out.tab, out.searching = self.category, self.tab, self.searching end,
  resume = function(self) if self.category and not category_of(self.category) then self.category = nil end end,
  result = function(self, request, data) if data and data.delete then remove_recipe(self, data.delete) end end,
  toggle_search = function(self)
    self.searching = not self.searching
    self:set_text("query", "")
    self:hide_keyboard()
  end,
  back = function(self)
    if self.searching then self:toggle_search() return true end
    return false
  end,
  sorted = function(self)
    local rows = copy(storage.recipes)
    if prefs.sort == 1 then table.sort(rows, function(a, b) return a.title:lower() < b.title:lower() end) end
    if prefs.sort == 2 then
      table.sort(rows, function(a, b)
        if bug("time_order") then return tostring(a.minutes) < tostring(b.minutes) end   -- numbers sorted as text (Amaze: sort by size)
        return a.minutes < b.minutes
      end)
    end
    if prefs.sort == 3 then table.sort(rows, function(a, b) return a.id > b.id end) end
    return filter(rows, function(r)
      return (self.tab == 1 or r.favourite) and (not self.category or in_category(r, self.category))
    end)
  end,
  shown = function(self)
    local query = self.searching and trim(self:text("query")):lower() or ""
    return filter(self:sorted(), function(r)
      if query == "" or contains(r.title:lower(), query) then return true end
      return find(r.ingredients, function(n) return contains(n.name:lower(), query) end) ~= nil
    end)
  end,
  star = function(self, i)
    local rows = bug("star_in_search") and self:sorted() or self:shown()    -- the place in the results taken in the whole list (NewPipe: wrong item)
    if rows[i] then rows[i].favourite = not rows[i].favourite end
  end,
  ask_category = function(self)
    local names = each(storage.categories, function(c) return c.name end)
    table.insert(names, 1, "All categories")
    self:dialog { title = "Show", items = names, on_item = function(i) self.category = i > 1 and storage.categories[i - 1].id or nil end }
  end,
  ask_sort = function(self)
    self:dialog { title = "Sort by", items = SORTS, checked = prefs.sort, on_item = function(i) prefs.sort = i end }
  end,
  menu = function(self)
    return {
      { "Sort by", id = "sort", on_click = function() self:ask_sort() end },
      { "Filter", id = "filter", on_click = function() self:ask_category() end },
      { "Shopping list", id = "shopping", on_click = function() self:start("Shopping") end },
      { "Week plan", id = "plan", on_click = function() self:start("Plan") end },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local rows = self:shown()
    return column {
      toolbar { self.category and category_name(self.category) or "Kitchen Book", subtitle = plural(#rows, "recipe"), actions = {
        { self.searching and "Close search" or "Search", id = "search", on_click = function() self:toggle_search() end } } },
      self.searching and field { id = "query", hint = "Title or ingredient", max = 30 },
      tabs { id = "tabs", titles = { "All", "Favourites" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "recipes", items = rows, empty = text { "No recipes", id = "empty" },
        row = function(r, i)
          return row { id = "recipe_row",
            column { weight = 1, text { r.title, id = "title" },
              text { category_name(r.category) .. (prefs.show_time and r.minutes > 0 and ", " .. r.minutes .. " min" or ""), id = "info", size = "small" } },
            button { r.favourite and "★" or "☆", id = "star", desc = r.favourite and "Favourite" or "Not a favourite",
              on_click = function() self:star(i) end },
          }
        end,
        on_item_click = function(_, r) self:start_for_result("Recipe", "recipe", { id = r.id }) end },
      fab { id = "add", desc = "New recipe", on_click = function() self:start("Edit", { category = self.category }) end },
    }
  end,
}
activity "Recipe" {
  create = function(self, intent, saved)
    self.tab = saved and saved.tab or 1
    self.servings = saved and saved.servings
  end,
  save = function(self, out)
    out.tab = self.tab
    if not bug("servings_rotate") then out.servings = self.servings end      -- a chosen number lost by rotation (AnkiDroid: custom study dialog)
  end,
  factor = function(self, recipe) return (self.servings or recipe.servings) / recipe.servings end,
  step = function(self, recipe, by) self.servings = math.max(1, math.min(20, (self.servings or recipe.servings) + by)) end,
  to_shopping = function(self, recipe)
    local factor = bug("shopping_servings") and 1 or self:factor(recipe)    -- takes the stored, not the chosen amount (MyExpenses: template with changed amount)
    for _, n in ipairs(recipe.ingredients) do add_to_shopping(n.name, n.amount * factor, n.unit) end
    toast(plural(#recipe.ingredients, "ingredient") .. " added")
  end,
  ask_delete = function(self, recipe)
    if not prefs.confirm then return self:finish { delete = recipe.id } end
    self:dialog { title = "Delete " .. recipe.title .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() self:finish { delete = recipe.id } end }
  end,
  menu = function(self)
    local recipe = recipe_of(self.intent.id)
    if not recipe then return {} end
    return {
      { "Add to shopping list", id = "to_shopping", on_click = function() self:to_shopping(recipe) end },
      { "Delete", id = "delete", on_click = function() self:ask_delete(recipe) end },
    }
  end,
  ingredients = function(self, recipe)
    return {
      row { button { "-", id = "fewer", desc = "Fewer servings", on_click = function() self:step(recipe, -1) end },
        text { plural(self.servings or recipe.servings, "serving"), id = "servings" },
        button { "+", id = "more", desc = "More servings", on_click = function() self:step(recipe, 1) end } },
      each(recipe.ingredients, function(n) return text { line(n.name, quantity(n.amount * self:factor(recipe), n.unit)), id = "ingredient" } end),
      #recipe.ingredients == 0 and text { "No ingredients", id = "none" },
    }
  end,
  steps = function(self, recipe)
    local steps = steps_of(recipe)
    if #steps == 0 then return { text { "No steps", id = "none" } } end
    local rows = {}
    for i, s in ipairs(steps) do rows[i] = text { i .. ". " .. s, id = "step" } end
    return { rows, button { "Cook", id = "cook", on_click = function() self:start("Cook", { id = recipe.id }) end } }
  end,
  view = function(self)
    local recipe = recipe_of(self.intent.id)
    if not recipe then return column { toolbar { "Recipe", up = true }, text { "This recipe was deleted", id = "gone" } } end
    return column {
      toolbar { recipe.title, up = true, actions = { { "Edit", id = "edit", on_click = function() self:start("Edit", { id = recipe.id }) end } } },
      tabs { id = "tabs", titles = { "Ingredients", "Steps" }, selected = self.tab, on_change = function(i) self.tab = i end },
      scroll {
        text { category_name(recipe.category) .. (recipe.minutes > 0 and ", " .. recipe.minutes .. " min" or "") ..
          (recipe.veg and ", vegetarian" or ""), id = "info" },
        text { "Cooked " .. plural(recipe.cooked, "time"), id = "cooked", size = "small" },
        self.tab == 1 and self:ingredients(recipe) or self:steps(recipe),
      },
    }
  end,
}
activity "Cook" {
  create = function(self, intent, saved) self.at = saved and saved.at or 1 end,
  save = function(self, out) out.at = self.at end,
  view = function(self)
    local recipe = recipe_of(self.intent.id)
    local steps = recipe and steps_of(recipe) or {}
    if #steps == 0 then return column { toolbar { "Cook", up = true }, text { "Nothing to do", id = "gone" } } end
    local at = math.min(self.at, #steps)
    return column {
      toolbar { recipe.title, up = true },
      text { "Step " .. at .. " of " .. #steps, id = "at" },
      text { steps[at], id = "step", size = "large" },
      row {
        button { "Previous", id = "previous", enabled = at > 1, on_click = function() self.at = at - 1 end },
        at < #steps and button { "Next", id = "next", on_click = function() self.at = at + 1 end },
        at == #steps and button { "Done", id = "done", on_click = function()
          recipe.cooked = recipe.cooked + 1
          self:finish()
        end },
      },
    }
  end,
}
activity "Edit" {
  create = function(self, intent, saved)
    local r = intent.id and recipe_of(intent.id) or {}
    self.category = saved and saved.category or r.category or intent.category or OTHER
    self.ingredients = saved and saved.ingredients or each(r.ingredients or {}, copy)
    if not category_of(self.category) then self.category = OTHER end
  end,
  save = function(self, out) out.category, out.ingredients = self.category, self.ingredients end,
  result = function(self, request, data)
    if not data then return end
    local i = tonumber(request)
    if data.remove and i then return table.remove(self.ingredients, i) end
    if data.name then self.ingredients[i or #self.ingredients + 1] = data end
  end,
  store = function(self)
    local title = trim(self:text("title"))
    local servings, minutes = tonumber(self:text("servings")), tonumber(self:text("minutes"))
    if title == "" then return toast("Give it a title") end
    if not servings or servings < 1 or servings > 20 then return toast("For 1 to 20 people") end
    local old = self.intent.id and recipe_of(self.intent.id)
    local r = { id = old and old.id or new_id(), title = title, category = self.category, servings = math.floor(servings),
      minutes = math.floor(minutes or 0), veg = self:checked("veg"), steps = self:text("steps"), ingredients = self.ingredients,
      cooked = old and old.cooked or 0, favourite = old and old.favourite }
    if bug("edit_star") then r.favourite = nil end        -- saving an edited row resets a flag the form does not show (Loop Habit Tracker, Tasks)
    if old then storage.recipes[index_of(storage.recipes, old)] = r else table.insert(storage.recipes, r) end
    self:finish()
  end,
  view = function(self)
    local r = self.intent.id and recipe_of(self.intent.id) or { title = "", servings = 4, minutes = 0, steps = "", veg = false }
    local names = each(storage.categories, function(c) return c.name end)
    local _, chosen = find(storage.categories, function(c) return c.id == self.category end)
    return column {
      toolbar { self.intent.id and "Edit recipe" or "New recipe", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll {
        field { id = "title", hint = "Title", text = r.title, max = 30 },
        spinner { id = "category", items = names, selected = chosen, on_change = function(i) self.category = storage.categories[i].id end },
        field { id = "servings", hint = "Servings", text = tostring(r.servings), input = "number", max = 2 },
        field { id = "minutes", hint = "Minutes", text = r.minutes > 0 and tostring(r.minutes) or "", input = "number", max = 3 },
        check { "Vegetarian", id = "veg", default = r.veg },
        each(self.ingredients, function(n, i)
          return button { line(n.name, quantity(n.amount, n.unit, true)), id = "ingredient_row",
            on_click = function() self:start_for_result("Ingredient", tostring(i), { name = n.name, amount = n.amount, unit = n.unit }) end }
        end),
        button { "Add ingredient", id = "add_ingredient", on_click = function() self:start_for_result("Ingredient", "new") end },
        field { id = "steps", hint = "Steps, one a line", text = r.steps, input = "multiline", max = 400 },
      },
    }
  end,
}
activity "Ingredient" {
  create = function(self, intent, saved) self.unit = saved and saved.unit or index_of(UNITS, intent.unit or "g") end,
  save = function(self, out) out.unit = self.unit end,
  view = function(self)
    local old = self.intent
    return column {
      toolbar { old.name and "Ingredient" or "New ingredient", up = true, actions = { { "OK", id = "ok", on_click = function()
        local name = trim(self:text("name"))
        if name == "" then return toast("What is it?") end
        self:finish { name = name, amount = tonumber(self:text("amount")) or 0, unit = UNITS[self.unit] }
      end } } },
      field { id = "name", hint = "Ingredient", text = old.name or "", max = 20 },
      field { id = "amount", hint = "Amount", text = old.amount and old.amount > 0 and number(old.amount) or "", input = "decimal", max = 6 },
      radios { id = "unit", items = { "Grams", "Millilitres", "Pieces" }, selected = self.unit, on_change = function(i) self.unit = i end },
      old.name and button { "Remove", id = "remove", on_click = function() self:finish { remove = true } end },
    }
  end,
}
activity "Shopping" {
  ask_add = function(self)
    self:dialog { title = "Add to the list", view = function() return column { field { id = "item", hint = "What", max = 20 } } end,
      cancel = "Cancel", ok = "Add", on_ok = function()
        local name = trim(self:text("item"))
        if name == "" then return true end
        add_to_shopping(name, 0, "pcs")
      end }
  end,
  remove_done = function(self)
    local before = copy(storage.shopping)
    storage.shopping = filter(storage.shopping, function(s) return not s.done end)
    if #before == #storage.shopping then return toast("Nothing is ticked") end
    self:snackbar(plural(#before - #storage.shopping, "item") .. " removed", "Undo", function()
      for _, s in ipairs(storage.shopping) do
        if not find(before, function(b) return b.id == s.id end) then table.insert(before, s) end
      end
      storage.shopping = before
    end)
  end,
  menu = function(self) return { { "Remove ticked", id = "remove_done", on_click = function() self:remove_done() end } } end,
  view = function(self)
    local open = #filter(storage.shopping, function(s) return not s.done end)
    return column {
      toolbar { "Shopping list", subtitle = open .. " to buy", up = true, actions = { { "Add", id = "add_item", on_click = function() self:ask_add() end } } },
      list { id = "items", items = storage.shopping, empty = text { "Nothing to buy", id = "empty" },
        row = function(s)
          local amount = quantity(s.amount, s.unit, bug("shopping_units"))    -- one page ignores the unit setting (OpenTracks: units in markers)
          return row { id = "item_row", check { line(s.name, amount), id = "done", checked = s.done, on_change = function(b) s.done = b end } }
        end },
    }
  end,
}
activity "Plan" {
  result = function(self, request, data) if data and data.delete then remove_recipe(self, data.delete) end end,
  choose = function(self, i)
    local recipes = copy(storage.recipes)
    table.sort(recipes, function(a, b) return a.title:lower() < b.title:lower() end)
    local names = each(recipes, function(r) return r.title end)
    table.insert(names, 1, "Nothing")
    self:dialog { title = DAYS[i], items = names, on_item = function(k) storage.plan["d" .. i] = k > 1 and recipes[k - 1].id or nil end }
  end,
  view = function(self)
    return column {
      toolbar { "Week plan", up = true },
      list { id = "days", items = DAYS,
        row = function(day, i)
          local recipe = storage.plan["d" .. i] and recipe_of(storage.plan["d" .. i])
          return row { id = "day_row", column { weight = 1, text { day, id = "day" }, text { recipe and recipe.title or "-", id = "planned", size = "small" } },
            recipe and button { "Open", id = "open", on_click = function() self:start_for_result("Recipe", "recipe", { id = recipe.id }) end } }
        end,
        on_item_click = function(i) self:choose(i) end },
    }
  end,
}
activity "Categories" {
  ask_name = function(self, title, first, fn)
    self:dialog { title = title, view = function() return column { field { id = "category_name", hint = "Name", text = first, max = 20 } } end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local name = trim(self:text("category_name"))
        local same = find(storage.categories, function(c) return c.name:lower() == name:lower() end)
        if name == "" or same and same.name ~= first then return true end
        fn(name)
      end }
  end,
  rename = function(self, category, name)
    category.name = name
    if bug("rename_category") then category.id = new_id() end     -- renaming makes a new one, its members are left behind (MyExpenses: categories)
  end,
  remove = function(self, category)
    for _, r in ipairs(storage.recipes) do
      if r.category == category.id then r.category = OTHER end
    end
    table.remove(storage.categories, index_of(storage.categories, category))
  end,
  view = function(self)
    return column {
      toolbar { "Categories", up = true, actions = { { "Add", id = "add_category", on_click = function()
        self:ask_name("New category", "", function(name) table.insert(storage.categories, { id = new_id(), name = name }) end)
      end } } },
      list { id = "categories", items = storage.categories,
        row = function(c)
          local n = #filter(storage.recipes, function(r) return in_category(r, c.id) end)
          return row { id = "category_row", text { c.name, id = "name", weight = 1 }, text { tostring(n), id = "count" } }
        end,
        on_item_click = function(_, c)
          if c.id == OTHER then return toast("This one stays as it is") end
          self:popup {
            { "Rename", id = "rename", on_click = function() self:ask_name("Rename", c.name, function(name) self:rename(c, name) end) end },
            { "Delete", id = "delete_category", on_click = function() self:remove(c) end },
          }
        end },
    }
  end,
}
activity "Statistics" {
  view = function(self)
    local favourites, veg, cooked, minutes, timed = 0, 0, 0, 0, 0
    for _, r in ipairs(storage.recipes) do
      favourites = favourites + (r.favourite and 1 or 0)
      veg = veg + (r.veg and 1 or 0)
      cooked = cooked + r.cooked
      if r.minutes > 0 then minutes, timed = minutes + r.minutes, timed + 1 end
    end
    return column {
      toolbar { "Statistics", up = true },
      scroll {
        text { "Recipes: " .. #storage.recipes, id = "recipes" },
        text { "Favourites: " .. favourites, id = "favourites" },
        text { "Vegetarian: " .. veg, id = "vegetarian" },
        text { "Meals cooked: " .. cooked, id = "cooked" },
        text { "Average time: " .. (timed > 0 and minutes // timed .. " min" or "-"), id = "average" },
      },
    }
  end,
}
activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text "Units",
        radios { id = "units", items = { "Metric", "Imperial" }, selected = prefs.units == "imperial" and 2 or 1,
          on_change = function(i) prefs.units = i == 2 and "imperial" or "metric" end },
        switch { "Show the time in the list", id = "show_time", checked = prefs.show_time, on_change = function(b) prefs.show_time = b end },
        switch { "Ask before deleting", id = "confirm", checked = prefs.confirm, on_change = function(b) prefs.confirm = b end },
      },
    }
  end,
}
