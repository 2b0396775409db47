-- Pantry: recipes, a plan for the week and the shopping list that follows from it.

app {
  package = "org.pantry.recipes",
  title = "Pantry",
  main = "Main",
  bugs = { "scaled_not_added", "merge_replaces", "clear_skips", "category_reset", "plan_next_week", "favourite_count",
    "imperial_shopping", "search_case" },
  application = function()
    if storage.recipes then return end
    storage.next_id = 100
    storage.categories = { "Breakfast", "Main dish", "Dessert" }
    storage.recipes = {
      { id = 1, name = "Pancakes", category = "Breakfast", minutes = 20, servings = 2, fav = true,
        parts = { { name = "Flour", amount = 200, unit = "g" }, { name = "Milk", amount = 300, unit = "ml" }, { name = "Eggs", amount = 2, unit = "" } },
        steps = { "Mix everything", "Let it rest", "Bake in a hot pan" } },
      { id = 2, name = "Lentil soup", category = "Main dish", minutes = 45, servings = 4,
        parts = { { name = "Lentils", amount = 400, unit = "g" }, { name = "Carrots", amount = 3, unit = "" }, { name = "Onions", amount = 2, unit = "" } },
        steps = { "Fry the onions", "Add the rest and cook" } },
      { id = 3, name = "Apple crumble", category = "Dessert", minutes = 50, servings = 4, fav = true,
        parts = { { name = "Apples", amount = 6, unit = "" }, { name = "Flour", amount = 150, unit = "g" }, { name = "Butter", amount = 100, unit = "g" } },
        steps = { "Slice the apples", "Crumble flour and butter", "Bake for half an hour" } },
      { id = 4, name = "Omelette", category = "Breakfast", minutes = 10, servings = 1,
        parts = { { name = "Eggs", amount = 3, unit = "" }, { name = "Butter", amount = 10, unit = "g" } },
        steps = { "Beat the eggs", "Fry in butter" } },
    }
    storage.shopping = {
      { id = 50, name = "Coffee", amount = 1, unit = "", bought = false },
      { id = 51, name = "Milk", amount = 500, unit = "ml", bought = false },
      { id = 52, name = "Bread", amount = 1, unit = "", bought = true },
    }
    storage.plan = {}
    prefs.imperial = false
    prefs.hide_bought = false
    prefs.by_time = false
  end,
}

local DAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function recipe_of(id) return (find(storage.recipes, function(r) return r.id == id end)) end

local function number_text(x)
  if x == math.floor(x) then return tostring(math.floor(x)) end
  local s = format("%.2f", x):gsub("%.?0+$", "")
  return s
end

local function amount_text(amount, unit, metric_only)
  if prefs.imperial and not metric_only then
    if unit == "g" then return format("%.1f oz", amount / 28.35) end
    if unit == "ml" then return format("%.1f fl oz", amount / 29.57) end
  end
  return unit == "" and number_text(amount) or number_text(amount) .. " " .. unit
end

local function sorted(recipes)
  local result = copy(recipes)
  table.sort(result, function(a, b)
    if prefs.by_time and a.minutes ~= b.minutes then return a.minutes < b.minutes end
    return a.name:lower() < b.name:lower()
  end)
  return result
end

local function several(n, one, many) return n == 1 and "1 " .. one or n .. " " .. many end

-- Puts something on the list; what is there already, and not bought yet, becomes more.
local function shop(name, amount, unit)
  local old = find(storage.shopping, function(i)
    return not i.bought and i.name:lower() == name:lower() and i.unit == unit
  end)
  if old then
    old.amount = bug("merge_replaces") and amount or old.amount + amount
  elseif #storage.shopping < 80 then
    table.insert(storage.shopping, { id = new_id(), name = name, amount = amount, unit = unit, bought = false })
  else
    toast("The list is full")
  end
end

local function clear_bought()
  if bug("clear_skips") then
    for i = 1, #storage.shopping do
      local item = storage.shopping[i]
      if item and item.bought then table.remove(storage.shopping, i) end
    end
  else
    for i = #storage.shopping, 1, -1 do
      if storage.shopping[i].bought then table.remove(storage.shopping, i) end
    end
  end
end

local function delete_recipe(r)
  storage.recipes = filter(storage.recipes, function(x) return x.id ~= r.id end)
  storage.plan = filter(storage.plan, function(e) return e.recipe ~= r.id end)
end

local function meals(week, day)
  return filter(storage.plan, function(e) return e.week == week and e.day == day end)
end

local function gone(title)
  return column { toolbar { title, up = true }, text { "This recipe is gone", id = "gone" } }
end

local function recipe_row(r)
  return column { id = "recipe_row",
    text { (r.fav and "♥ " or "") .. r.name, id = "name", size = "large" },
    text { r.category .. ", " .. r.minutes .. " min", id = "about", size = "small" },
  }
end

activity "Main" {
  create = function(self, intent, saved) self.tab = saved and saved.tab or 1 end,
  save = function(self, out) out.tab = self.tab end,

  shown = function(self)
    return filter(storage.recipes, function(r)
      if self.tab == 2 then return r.fav end
      if self.tab == 3 then return r.minutes <= 20 end
      return true
    end)
  end,

  row_menu = function(self, r)
    self:popup {
      { "Favourite", id = "favourite", checked = r.fav == true, on_click = function() r.fav = not r.fav end },
      { "Edit", id = "edit", on_click = function() self:start("Edit", { id = r.id }) end },
      { "Delete", id = "delete", on_click = function()
        self:dialog { title = "Delete " .. r.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function() delete_recipe(r) end }
      end },
    }
  end,

  menu = function(self)
    return {
      { "Sort by time", id = "by_time", checked = prefs.by_time, on_click = function() prefs.by_time = not prefs.by_time end },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,

  view = function(self)
    local shown = self:shown()
    local count = bug("favourite_count") and #storage.recipes or #shown
    return column {
      toolbar { "Pantry", subtitle = several(count, "recipe", "recipes"),
        actions = { { "Search", id = "search", on_click = function() self:start("Search") end } } },
      tabs { id = "tabs", titles = { "All", "Favourites", "Quick" }, selected = self.tab, on_change = function(i) self.tab = i end },
      list { id = "recipes", items = sorted(shown), empty = text { "No recipes", id = "empty" }, row = recipe_row,
        on_item_click = function(_, r) self:start("Recipe", { id = r.id }) end,
        on_item_long_click = function(_, r) self:row_menu(r) end },
      fab { id = "add", desc = "New recipe", on_click = function() self:start("Edit") end },
      bottom_bar { items = {
        { "Recipes", id = "nav_recipes", selected = true, on_click = function() end },
        { "Plan", id = "nav_plan", on_click = function() self:start("Plan") end },
        { "Shopping", id = "nav_shopping", on_click = function() self:start("Shopping") end },
      } },
    }
  end,
}

activity "Recipe" {
  create = function(self, intent, saved) self.servings = saved and saved.servings end,
  save = function(self, out) out.servings = self.servings end,

  -- As many as the recipe is for, until something else is chosen.
  wanted = function(self, r) return self.servings or r.servings end,

  scaled = function(self, r, part) return part.amount * self:wanted(r) / r.servings end,

  add_all = function(self, r)
    self:dialog { title = "Add to the shopping list?", message = several(#r.parts, "ingredient", "ingredients") .. " for " .. self:wanted(r),
      cancel = "Cancel", ok = "Add", on_ok = function()
        for _, part in ipairs(r.parts) do
          shop(part.name, bug("scaled_not_added") and part.amount or self:scaled(r, part), part.unit)
        end
        toast("Added")
      end }
  end,

  menu = function(self)
    local r = recipe_of(self.intent.id)
    if not r then return {} end
    return {
      { "Edit", id = "edit", on_click = function() self:start("Edit", { id = r.id }) end },
      { "Share", id = "share", on_click = function() self:start_implicit { action = "SEND", type = "text/plain" } end },
      { "Delete", id = "delete", on_click = function()
        self:dialog { title = "Delete " .. r.name .. "?", cancel = "Cancel", ok = "Delete", on_ok = function()
          delete_recipe(r)
          self:finish()
        end }
      end },
    }
  end,

  view = function(self)
    local r = recipe_of(self.intent.id)
    if not r then return gone("Recipe") end
    return column {
      toolbar { r.name, up = true, subtitle = r.category,
        actions = { { r.fav and "Unmark" or "Mark", id = "fav", on_click = function() r.fav = not r.fav end } } },
      text { r.minutes .. " minutes" .. (r.fav and ", a favourite" or ""), id = "minutes" },
      row {
        button { "−", id = "fewer", desc = "Fewer servings", on_click = function() self.servings = math.max(self:wanted(r) - 1, 1) end },
        text { several(self:wanted(r), "serving", "servings"), id = "servings" },
        button { "+", id = "more", desc = "More servings", on_click = function() self.servings = math.min(self:wanted(r) + 1, 20) end },
      },
      list { id = "parts", items = r.parts, empty = text { "No ingredients", id = "empty" },
        row = function(part)
          return row { id = "part_row", text { part.name, id = "part_name", weight = 1 },
            text { amount_text(self:scaled(r, part), part.unit), id = "part_amount" } }
        end,
        on_item_click = function(_, part)
          shop(part.name, self:scaled(r, part), part.unit)
          toast(part.name .. " is on the list")
        end },
      row {
        button { "Add all", id = "add_all", enabled = #r.parts > 0, on_click = function() self:add_all(r) end },
        button { "Cook", id = "cook", enabled = #r.steps > 0, on_click = function() self:start("Cook", { id = r.id }) end },
      },
    }
  end,
}

activity "Cook" {
  create = function(self, intent, saved) self.step = saved and saved.step or 1 end,
  save = function(self, out) out.step = self.step end,

  view = function(self)
    local r = recipe_of(self.intent.id)
    if not r or not r.steps[self.step] then return gone("Cook") end
    local last = self.step == #r.steps
    return column {
      toolbar { r.name, up = true, subtitle = "Step " .. self.step .. " of " .. #r.steps },
      text { r.steps[self.step], id = "step", size = "large" },
      row {
        button { "Previous", id = "previous", enabled = self.step > 1, on_click = function() self.step = self.step - 1 end },
        button { last and "Finish" or "Next", id = "next", on_click = function()
          if last then self:finish() else self.step = self.step + 1 end
        end },
      },
    }
  end,
}

activity "Edit" {
  create = function(self, intent, saved)
    local r = intent.id and recipe_of(intent.id)
    if saved then
      self.draft = saved.draft
    elseif r then
      self.draft = { category = r.category, minutes = r.minutes, servings = r.servings, parts = {} }
      for _, p in ipairs(r.parts) do table.insert(self.draft.parts, { name = p.name, amount = p.amount, unit = p.unit }) end
      if bug("category_reset") then self.draft.category = storage.categories[1] or "Other" end
    else
      self.draft = { category = storage.categories[1] or "Other", minutes = 30, servings = 2, parts = {} }
    end
  end,
  save = function(self, out) out.draft = self.draft end,

  ask_part = function(self, part)
    local units = { "pieces", "g", "ml" }
    self.unit = part and (part.unit == "g" and 2 or part.unit == "ml" and 3) or 1
    self:dialog { title = part and "Ingredient" or "New ingredient",
      view = function()
        return column {
          field { id = "part_name", hint = "Ingredient", text = part and part.name or "", max = 24 },
          field { id = "part_amount", hint = "Amount", input = "decimal", text = part and number_text(part.amount) or "", max = 6 },
          radios { id = "part_unit", items = units, selected = self.unit, on_change = function(i) self.unit = i end },
        }
      end,
      cancel = "Cancel", ok = "OK", on_ok = function()
        local name, amount = trim(self:text("part_name")), tonumber(self:text("part_amount"))
        if name == "" or not amount or amount <= 0 then
          toast("What, and how much?")
          return true
        end
        local unit = ({ "", "g", "ml" })[self.unit]
        if part then
          part.name, part.amount, part.unit = name, amount, unit
        elseif #self.draft.parts < 20 then
          table.insert(self.draft.parts, { name = name, amount = amount, unit = unit })
        end
      end }
  end,

  store = function(self)
    local name, d = trim(self:text("name")), self.draft
    if name == "" then return toast("A recipe needs a name") end
    local r = self.intent.id and recipe_of(self.intent.id)
    if not r then
      if #storage.recipes >= 60 then return toast("Too many recipes") end
      r = { id = new_id(), steps = {} }
      table.insert(storage.recipes, r)
    end
    if not index_of(storage.categories, d.category) then d.category = "Other" end
    r.name, r.category, r.minutes, r.servings, r.parts = name, d.category, d.minutes, d.servings, d.parts
    self:finish()
  end,

  view = function(self)
    local r = self.intent.id and recipe_of(self.intent.id)
    if self.intent.id and not r then return gone("Edit recipe") end
    local d = self.draft
    local categories = copy(storage.categories)
    if not index_of(categories, d.category) then table.insert(categories, d.category) end
    return column {
      toolbar { r and "Edit recipe" or "New recipe", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      field { id = "name", hint = "Name", text = r and r.name or "", max = 30 },
      spinner { id = "category", items = categories, selected = index_of(categories, d.category), on_change = function(_, c) d.category = c end },
      text { d.minutes .. " minutes", id = "minutes" },
      slider { id = "minutes_slider", min = 5, max = 120, step = 5, value = d.minutes, on_change = function(v) d.minutes = math.floor(v) end },
      row {
        button { "−", id = "fewer", desc = "Fewer servings", on_click = function() d.servings = math.max(d.servings - 1, 1) end },
        text { "For " .. d.servings, id = "servings" },
        button { "+", id = "more", desc = "More servings", on_click = function() d.servings = math.min(d.servings + 1, 20) end },
      },
      list { id = "parts", items = d.parts, empty = text { "No ingredients", id = "empty" },
        row = function(p) return row { id = "part_row", text { p.name, id = "row_name", weight = 1 }, text { amount_text(p.amount, p.unit, true), id = "row_amount" } } end,
        on_item_click = function(_, p) self:ask_part(p) end,
        on_item_long_click = function(i) table.remove(d.parts, i) end },
      button { "Add ingredient", id = "add_part", on_click = function() self:ask_part() end },
    }
  end,
}

activity "Plan" {
  create = function(self, intent, saved)
    self.week = saved and saved.week or 0
    self.day = saved and saved.day
  end,
  save = function(self, out) out.week, out.day = self.week, self.day end,

  result = function(self, request, data)
    if not data or not self.day then return end
    if #meals(self.week, self.day) >= 4 then return toast("Enough for a day") end
    table.insert(storage.plan, { id = new_id(), week = bug("plan_next_week") and 0 or self.week, day = self.day, recipe = data.recipe })
  end,

  pick = function(self, day)
    self.day = day
    self:start_for_result("Pick", "recipe")
  end,

  day_menu = function(self, day)
    local items = each(meals(self.week, day), function(e)
      local r = recipe_of(e.recipe)
      return { "Remove " .. (r and r.name or "?"), id = "remove_meal", on_click = function()
        storage.plan = filter(storage.plan, function(x) return x.id ~= e.id end)
      end }
    end)
    if #items == 0 then return toast("Nothing planned") end
    self:popup(items)
  end,

  to_list = function(self)
    local n = 0
    for day = 1, 7 do
      for _, e in ipairs(meals(self.week, day)) do
        local r = recipe_of(e.recipe)
        if r then
          n = n + 1
          for _, p in ipairs(r.parts) do shop(p.name, p.amount, p.unit) end
        end
      end
    end
    toast(n == 0 and "Nothing planned" or "Shopping for " .. several(n, "meal", "meals"))
  end,

  view = function(self)
    local title = self.week == 0 and "This week" or self.week == 1 and "Next week" or self.week == -1 and "Last week"
      or (self.week > 0 and "In " .. self.week .. " weeks" or -self.week .. " weeks ago")
    return column {
      toolbar { "Plan", up = true, subtitle = title,
        actions = { { "Shop for it", id = "shop_week", on_click = function() self:to_list() end } } },
      row {
        button { "‹", id = "week_before", desc = "Week before", on_click = function() self.week = math.max(self.week - 1, -4) end },
        text { title, id = "week", weight = 1 },
        button { "›", id = "week_after", desc = "Week after", on_click = function() self.week = math.min(self.week + 1, 4) end },
      },
      list { id = "days", items = DAYS,
        row = function(name, day)
          local names = each(meals(self.week, day), function(e) local r = recipe_of(e.recipe) return r and r.name or "?" end)
          return column { id = "day_row", text { name, id = "day" }, text { #names > 0 and table.concat(names, ", ") or "–", id = "meals", size = "small" } }
        end,
        on_item_click = function(day) self:pick(day) end,
        on_item_long_click = function(day) self:day_menu(day) end },
    }
  end,
}

activity "Pick" {
  view = function(self)
    return column {
      toolbar { "Choose a recipe", up = true },
      list { id = "choices", items = sorted(storage.recipes), empty = text { "No recipes", id = "empty" }, row = recipe_row,
        on_item_click = function(_, r) self:finish { recipe = r.id } end },
    }
  end,
}

activity "Shopping" {
  items = function(self)
    return filter(storage.shopping, function(i) return not (prefs.hide_bought and i.bought) end)
  end,

  ask_new = function(self)
    self:dialog { title = "Add item",
      view = function()
        return column { field { id = "item_name", hint = "What", max = 24 }, field { id = "item_amount", hint = "How many", input = "number", max = 3 } }
      end,
      cancel = "Cancel", ok = "Add", on_ok = function()
        local name = trim(self:text("item_name"))
        if name == "" then return toast("Nothing added") end
        shop(name, math.max(tonumber(self:text("item_amount")) or 1, 1), "")
      end }
  end,

  menu = function(self)
    return {
      { "Hide bought", id = "hide_bought", checked = prefs.hide_bought, on_click = function() prefs.hide_bought = not prefs.hide_bought end },
      { "Clear bought", id = "clear_bought", on_click = function() clear_bought() end },
      { "Clear all", id = "clear_all", on_click = function()
        self:dialog { title = "Clear the whole list?", cancel = "Cancel", ok = "Clear", on_ok = function() storage.shopping = {} end }
      end },
    }
  end,

  remove = function(self, item)
    local i = index_of(storage.shopping, item)
    if not i then return end
    table.remove(storage.shopping, i)
    self:snackbar(item.name .. " removed", "Undo", function()
      table.insert(storage.shopping, math.min(i, #storage.shopping + 1), item)
    end)
  end,

  view = function(self)
    local open = #filter(storage.shopping, function(i) return not i.bought end)
    return column {
      toolbar { "Shopping", up = true, subtitle = open .. " to buy" },
      list { id = "items", items = self:items(), empty = text { "Nothing to buy", id = "empty" },
        row = function(item)
          return row { id = "item_row", text { (item.bought and "✓ " or "") .. item.name, id = "item", weight = 1 },
            text { amount_text(item.amount, item.unit, bug("imperial_shopping")), id = "amount" } }
        end,
        on_item_click = function(_, item) item.bought = not item.bought end,
        on_item_long_click = function(_, item) self:remove(item) end },
      fab { id = "add_item", desc = "Add item", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Search" {
  create = function(self, intent, saved)
    self.query = saved and saved.query or ""
    self.inside = saved and saved.inside or false
  end,
  save = function(self, out) out.query, out.inside = self.query, self.inside end,

  matches = function(self, r, q)
    if contains(r.name:lower(), q) then return true end
    if not self.inside then return false end
    return find(r.parts, function(p)
      local name = bug("search_case") and p.name or p.name:lower()
      return contains(name, q)
    end) ~= nil
  end,

  view = function(self)
    local q = trim(self.query):lower()
    local found = q == "" and {} or filter(sorted(storage.recipes), function(r) return self:matches(r, q) end)
    return column {
      toolbar { "Search", up = true },
      field { id = "query", hint = "Find a recipe", max = 30, on_change = function(s) self.query = s end },
      check { "Also in ingredients", id = "inside", checked = self.inside, on_change = function(b) self.inside = b end },
      text { #found .. " found", id = "found", size = "small" },
      list { id = "results", items = found, row = recipe_row,
        on_item_click = function(_, r) self:start("Recipe", { id = r.id }) end },
    }
  end,
}

activity "Categories" {
  ask_new = function(self)
    self:dialog { title = "New category", view = function() return column { field { id = "category_name", hint = "Name", max = 20 } } end,
      cancel = "Cancel", ok = "Add", on_ok = function()
        local name = trim(self:text("category_name"))
        if name == "" or name == "Other" or index_of(storage.categories, name) or #storage.categories >= 10 then return toast("Cannot add it") end
        table.insert(storage.categories, name)
      end }
  end,

  ask_delete = function(self, i, name)
    self:dialog { title = "Delete " .. name .. "?", message = "Its recipes become Other", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        table.remove(storage.categories, i)
        for _, r in ipairs(storage.recipes) do
          if r.category == name then r.category = "Other" end
        end
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Categories", up = true },
      list { id = "categories", items = storage.categories, empty = text { "No categories", id = "empty" },
        row = function(name)
          local n = #filter(storage.recipes, function(r) return r.category == name end)
          return row { id = "category_row", text { name, id = "name", weight = 1 }, text { several(n, "recipe", "recipes"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, name) self:start("Category", { name = name }) end,
        on_item_long_click = function(i, name) self:ask_delete(i, name) end },
      fab { id = "add", desc = "New category", on_click = function() self:ask_new() end },
    }
  end,
}

activity "Category" {
  view = function(self)
    local name = self.intent.name or "Other"
    local found = sorted(filter(storage.recipes, function(r) return r.category == name end))
    return column {
      toolbar { name, up = true, subtitle = several(#found, "recipe", "recipes") },
      list { id = "recipes", items = found, empty = text { "No recipes", id = "empty" }, row = recipe_row,
        on_item_click = function(_, r) self:start("Recipe", { id = r.id }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      switch { "Imperial units", id = "imperial", checked = prefs.imperial, on_change = function(b) prefs.imperial = b end },
      switch { "Hide bought items", id = "hide", checked = prefs.hide_bought, on_change = function(b) prefs.hide_bought = b end },
      button { "Remove all plans", id = "clear_plan", enabled = #storage.plan > 0, on_click = function()
        self:dialog { title = "Remove all plans?", cancel = "Cancel", ok = "Remove", on_ok = function() storage.plan = {} end }
      end },
      button { "About", id = "about", on_click = function()
        self:dialog { title = "Pantry 3.0", message = several(#storage.recipes, "recipe", "recipes"), ok = "OK" }
      end },
    }
  end,
}
