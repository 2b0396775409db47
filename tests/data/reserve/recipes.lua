-- Cookbook: recipes in categories, a weekly meal plan, a shopping list, a cooking mode.
--
-- A recipe: { id, title, category = id or nil, minutes or nil, servings, ingredients = { { amount or nil, unit, name }, ... },
-- steps = { ... }, favourite, cooked }. A planned meal: { id, day, meal, recipe, servings }; days are counted from 1970.

local UNITS = { g = true, kg = true, ml = true, l = true, tbsp = true, tsp = true }
-- "200 g flour", "3 eggs", "salt"
local function parse_ingredient(line)
  local amount, rest = line:match("^(%d+%.?%d*)%s+(.+)$")
  amount = amount and math.floor(tonumber(amount) * 100 + 0.5) / 100
  if not amount or amount < 0.01 or amount > 99999 then return { unit = "", name = line } end
  local unit, name = rest:match("^(%a+)%s+(.+)$")
  if unit and UNITS[unit] then return { amount = amount, unit = unit, name = name } end
  return { amount = amount, unit = "", name = rest }
end

app {
  package = "org.norn.recipes",
  title = "Cookbook",
  main = "Recipes",
  bugs = { "shopping_not_scaled", "orphaned_recipes", "edit_drops_favourite", "undo_without_plan", "ingredient_case", "sunday_week_day",
    "step_rotated", "select_all_filtered" },
  application = function()
    if storage.recipes then return end
    local today = now() // 86400000
    storage.next_id = 100
    storage.categories = { { id = 1, name = "Breakfast" }, { id = 2, name = "Main dishes" }, { id = 3, name = "Soups" }, { id = 4, name = "Desserts" } }
    local function recipe(id, title, category, minutes, servings, cooked, favourite, ingredients, steps)
      return { id = id, title = title, category = category, minutes = minutes, servings = servings, cooked = cooked, favourite = favourite,
        ingredients = each(split(ingredients, "|"), parse_ingredient), steps = split(steps, "|") }
    end
    storage.recipes = {
      recipe(11, "Pancakes", 1, 25, 4, 3, true, "250 g flour|500 ml milk|3 eggs|Salt",
        "Whisk flour, milk and eggs.|Let the batter rest for ten minutes.|Fry thin cakes in a hot pan."),
      recipe(12, "Porridge", 1, 10, 1, 5, false, "50 g oats|200 ml milk|1 tbsp honey", "Boil oats and milk.|Stir in the honey."),
      recipe(13, "Spaghetti carbonara", 2, 30, 2, 2, false, "200 g spaghetti|100 g pancetta|2 eggs|40 g Parmesan",
        "Boil the spaghetti.|Fry the pancetta.|Mix eggs and cheese.|Stir everything together off the heat."),
      recipe(14, "Vegetable curry", 2, 45, 4, 1, false, "400 ml coconut milk|2 tbsp curry paste|300 g carrots|1 cauliflower",
        "Fry the paste.|Add vegetables and coconut milk.|Simmer for half an hour."),
      recipe(15, "Tomato soup", 3, 35, 4, 0, true, "1 kg tomatoes|1 onion|500 ml stock|Basil",
        "Soften the onion.|Add tomatoes and stock, cook for twenty minutes.|Blend."),
      recipe(16, "Leek and potato soup", 3, 40, 4, 0, false, "3 leeks|500 g potatoes|1 l stock", "Sweat the leeks.|Add potatoes and stock.|Cook until soft."),
      recipe(17, "Chocolate mousse", 4, 20, 6, 1, false, "200 g dark chocolate|4 eggs|50 g sugar",
        "Melt the chocolate.|Beat the egg whites with the sugar.|Fold together and chill."),
    }
    storage.plan = {
      { id = 31, day = today, meal = 3, recipe = 13, servings = 2 },
      { id = 32, day = today + 1, meal = 1, recipe = 11, servings = 4 },
      { id = 33, day = today - 2, meal = 3, recipe = 15, servings = 4 },
    }
    storage.shopping = { { id = 41, name = "Coffee", unit = "", done = false }, { id = 42, name = "apples", amount = 6, unit = "", done = true } }
    prefs.sort, prefs.monday, prefs.household, prefs.show_time, prefs.done_last = 1, true, 2, true, true
  end,
}

local MEALS = { "Breakfast", "Lunch", "Dinner" }
local SORTS = { "Title", "Cooking time", "Newest first" }
local MAX = 120

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end
local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function recipe_of(id) return by_id(storage.recipes, id) end
local function category_of(id) return by_id(storage.categories, id) end
local function category_name(recipe) return (category_of(recipe.category) or { name = "Uncategorised" }).name end
local function forget(list, item)
  local i = index_of(list, item)
  if i then table.remove(list, i) end
end
local function counted(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

local function number(x)
  x = math.floor(x * 100 + 0.5) / 100
  if x == math.floor(x) then return format("%d", math.floor(x)) end
  return (format("%.2f", x):gsub("0$", ""))
end
local function ingredient_line(i, factor)
  if not i.amount then return i.name end
  return number(i.amount * (factor or 1)) .. " " .. (i.unit ~= "" and i.unit .. " " or "") .. i.name
end
local function lines_of(s) return filter(each(split(s, "\n"), trim), function(line) return line ~= "" end) end

-- Days and weeks. Day 0, the first of January 1970, was a Thursday.
local function today() return now() // 86400000 end
local function day_name(day) return date(day * 86400000, "%a %d %b") end
local function monday_of(day) return day - (day + 3) % 7 end
local function week_of(day) return prefs.monday and monday_of(day) or day - (day + 4) % 7 end
local function meals_on(day)
  local meals = filter(storage.plan, function(m) return m.day == day end)
  table.sort(meals, function(a, b) return a.meal < b.meal or a.meal == b.meal and a.id < b.id end)
  return meals
end
local function sorted(recipes)
  local result = copy(recipes)
  table.sort(result, function(a, b)
    if prefs.sort == 3 then return a.id > b.id end
    local x, y = a.minutes or 9999, b.minutes or 9999
    if prefs.sort == 2 and x ~= y then return x < y end
    return a.title:lower() < b.title:lower()
  end)
  return result
end
local function insert_by_id(list, item)
  local at = #list + 1
  while at > 1 and list[at - 1].id > item.id do at = at - 1 end
  table.insert(list, at, item)
end
-- Takes recipes out, with the meals planned of them; the answer is what brings them back.
local function delete_recipes(recipes)
  local meals = {}
  for _, recipe in ipairs(recipes) do
    forget(storage.recipes, recipe)
    for _, m in ipairs(filter(storage.plan, function(m) return m.recipe == recipe.id end)) do
      table.insert(meals, m)
      forget(storage.plan, m)
    end
  end
  return function()
    for _, recipe in ipairs(recipes) do
      if not category_of(recipe.category) then recipe.category = nil end
      insert_by_id(storage.recipes, recipe)
    end
    if bug("undo_without_plan") then return end
    for _, m in ipairs(meals) do insert_by_id(storage.plan, m) end
  end
end
-- The same thing is bought once: amounts of one unit are added up.
local function buy(ingredient, factor)
  local amount = ingredient.amount and ingredient.amount * (factor or 1)
  local item = find(storage.shopping, function(s)
    return not s.done and s.name:lower() == ingredient.name:lower() and s.unit == ingredient.unit and (s.amount ~= nil) == (amount ~= nil)
  end)
  if item then
    if amount then item.amount = item.amount + amount end
  elseif #storage.shopping < MAX then
    table.insert(storage.shopping, { id = new_id(), name = ingredient.name, unit = ingredient.unit, amount = amount, done = false })
  end
end
local function recipe_row(recipe, mark)
  return column { id = "recipe_row", selected = mark,
    text { (recipe.favourite and "★ " or "") .. recipe.title, id = "title" },
    text { category_name(recipe) .. (prefs.show_time and recipe.minutes and " · " .. recipe.minutes .. " min" or ""), id = "details", size = "small" } }
end

-- The list of recipes: all, the favourites, one category (its id) or those without. ------------------------------

activity "Recipes" {
  create = function(self, intent, saved) self.filter, self.picked = saved and saved.filter or "all", saved and saved.picked or {} end,
  save = function(self, out) out.filter, out.picked = self.filter, self.picked end,
  resume = function(self)
    if type(self.filter) == "number" and not category_of(self.filter) then self.filter = "all" end
    self.picked = filter(self.picked, recipe_of)
  end,
  back = function(self)
    if #self.picked > 0 then self.picked = {} return true end
    if self.filter ~= "all" then self.filter = "all" return true end
  end,
  choices = function(self)
    local choices = { { "all", "All recipes" }, { "favourites", "Favourites" } }
    for _, c in ipairs(storage.categories) do table.insert(choices, { c.id, c.name }) end
    table.insert(choices, { "none", "Uncategorised" })
    return choices
  end,
  shown = function(self)
    return sorted(filter(storage.recipes, function(r)
      if self.filter == "all" then return true end
      if self.filter == "favourites" then return r.favourite end
      if self.filter == "none" then return r.category == nil end
      return r.category == self.filter
    end))
  end,
  choose_filter = function(self)
    local choices = self:choices()
    local _, at = find(choices, function(c) return c[1] == self.filter end)
    self:dialog { title = "Show", items = each(choices, function(c) return c[2] end), checked = at, cancel = "Cancel",
      on_item = function(i) self.filter = choices[i][1] end }
  end,
  toggle = function(self, recipe)
    if index_of(self.picked, recipe.id) then forget(self.picked, recipe.id) else table.insert(self.picked, recipe.id) end
  end,
  select_all = function(self)
    local all = bug("select_all_filtered") and storage.recipes or self:shown()
    self.picked = each(all, function(r) return r.id end)
  end,
  delete_selected = function(self)
    self:snackbar(counted(#self.picked, "recipe") .. " deleted", "Undo", delete_recipes(each(self.picked, recipe_of)))
    self.picked = {}
  end,
  menu = function(self)
    if #self.picked > 0 then return { { "Select all", id = "select_all", on_click = function() self:select_all() end } } end
    return {
      { "Sort by", id = "sort", items = each(SORTS, function(name, i)
        return { name, id = "sort_by", checked = prefs.sort == i, on_click = function() prefs.sort = i end }
      end) },
      { "Categories", id = "categories", on_click = function() self:start("Categories") end },
      { "Statistics", id = "statistics", on_click = function() self:start("Statistics") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
  end,
  view = function(self)
    local selecting = #self.picked > 0
    local choice = find(self:choices(), function(c) return c[1] == self.filter end)
    local bar = selecting and toolbar { #self.picked .. " selected", up = function() self.picked = {} end,
      actions = { { "Delete", id = "delete", on_click = function() self:delete_selected() end } } }
    bar = bar or toolbar { "Cookbook", actions = { { "Search", id = "search", on_click = function() self:start("Search") end },
      { "Meal plan", id = "plan", on_click = function() self:start("MealPlan") end },
      { "Shopping list", id = "shopping", on_click = function() self:start("Shopping") end } } }
    return column {
      bar,
      not selecting and button { choice and choice[2] or "All recipes", id = "filter", on_click = function() self:choose_filter() end },
      list { id = "recipes", items = self:shown(), empty = text { "No recipes here", id = "empty" },
        row = function(r) return recipe_row(r, index_of(self.picked, r.id) ~= nil) end,
        on_item_click = function(_, r) if #self.picked > 0 then self:toggle(r) else self:start("Recipe", { id = r.id }) end end,
        on_item_long_click = function(_, r) self:toggle(r) end },
      not selecting and fab { id = "add", desc = "New recipe", on_click = function()
        self:start("EditRecipe", { category = type(self.filter) == "number" and self.filter or nil })
      end },
    }
  end,
}

activity "Recipe" {
  create = function(self, intent, saved) self.servings = saved and saved.servings end,     -- nil: those of the recipe
  save = function(self, out) out.servings = self.servings end,
  resume = function(self) if not recipe_of(self.intent.id) then self:finish() end end,
  change = function(self, recipe, by) self.servings = math.max(1, math.min(99, (self.servings or recipe.servings) + by)) end,
  shop = function(self, recipe, factor)
    if bug("shopping_not_scaled") then factor = 1 end
    for _, i in ipairs(recipe.ingredients) do buy(i, factor) end
    toast("On the shopping list")
  end,
  ask_delete = function(self, recipe)
    self:dialog { title = "Delete this recipe?", message = "Planned meals are removed, too.", cancel = "Cancel", ok = "Delete",
      on_ok = function() delete_recipes { recipe } self:finish() end }
  end,
  view = function(self)
    local recipe = recipe_of(self.intent.id)
    if not recipe then return column { toolbar { "Recipe", up = true } } end
    local servings = self.servings or recipe.servings
    local factor = servings / recipe.servings
    return column {
      toolbar { "Recipe", up = true, actions = {
        { recipe.favourite and "Remove from favourites" or "Add to favourites", id = "favourite", on_click = function() recipe.favourite = not recipe.favourite end },
        { "Edit", id = "edit", on_click = function() self:start("EditRecipe", { id = recipe.id }) end },
        { "Delete", id = "delete", on_click = function() self:ask_delete(recipe) end } } },
      scroll { id = "page",
        text { (recipe.favourite and "★ " or "") .. recipe.title, id = "title", size = "large" },
        text { category_name(recipe) .. (recipe.minutes and " · " .. recipe.minutes .. " min" or ""), id = "details", size = "small" },
        text { recipe.cooked == 0 and "Never cooked" or "Cooked " .. counted(recipe.cooked, "time"), id = "cooked", size = "small" },
        row { button { "−", id = "fewer", desc = "Fewer servings", on_click = function() self:change(recipe, -1) end },
          text { counted(servings, "serving"), id = "servings", weight = 1 },
          button { "+", id = "more", desc = "More servings", on_click = function() self:change(recipe, 1) end } },
        each(recipe.ingredients, function(i) return text { "• " .. ingredient_line(i, factor), id = "ingredient" } end),
        row { button { "To shopping list", id = "shop", weight = 1, on_click = function() self:shop(recipe, factor) end },
          button { "Plan", id = "plan", weight = 1, on_click = function() self:start("PlanEntry", { recipe = recipe.id, servings = self.servings }) end },
          button { "Cook", id = "cook", weight = 1, enabled = #recipe.steps > 0, on_click = function() self:start("Cook", { id = recipe.id }) end } },
        each(recipe.steps, function(step, i) return text { i .. ". " .. step, id = "step" } end),
      },
    }
  end,
}

activity "EditRecipe" {
  create = function(self, intent, saved)
    local r = recipe_of(intent.id)
    self.first = { title = r and r.title or "", minutes = r and r.minutes and tostring(r.minutes) or "", servings = tostring(r and r.servings or prefs.household),
      ingredients = r and table.concat(each(r.ingredients, function(i) return ingredient_line(i) end), "\n") or "",
      steps = r and table.concat(r.steps, "\n") or "" }
    self.old_category = (r or intent).category
    self.category = (saved or r or intent).category
  end,
  save = function(self, out) out.category = self.category end,
  store = function(self)
    local title, servings = trim(self:text("title")), tonumber(self:text("servings"))
    if title == "" then return toast("A recipe needs a title") end
    if not servings or servings < 1 then return toast("For how many?") end
    local minutes = tonumber(self:text("minutes"))
    local record = { id = self.intent.id or new_id(), title = title, category = category_of(self.category) and self.category or nil,
      minutes = minutes and minutes > 0 and minutes or nil, servings = servings,
      ingredients = each(lines_of(self:text("ingredients")), parse_ingredient), steps = lines_of(self:text("steps")), cooked = 0 }
    local old = recipe_of(self.intent.id)
    if old then
      record.cooked = old.cooked
      if not bug("edit_drops_favourite") then record.favourite = old.favourite end
      storage.recipes[index_of(storage.recipes, old)] = record
    elseif #storage.recipes >= MAX then
      return toast("The book is full")
    else
      table.insert(storage.recipes, record)
    end
    self:finish()
  end,
  leave = function(self)
    local changed = self.category ~= self.old_category
    for id, was in pairs(self.first) do changed = changed or self:text(id) ~= was end
    if not changed then return self:finish() end
    self:dialog { title = "Discard your changes?", cancel = "Keep editing", ok = "Discard", on_ok = function() self:finish() end }
  end,
  back = function(self) self:leave() return true end,
  choose_category = function(self)
    local items, at = { "Uncategorised" }, 1
    for i, c in ipairs(storage.categories) do
      items[i + 1] = c.name
      if c.id == self.category then at = i + 1 end
    end
    self:dialog { title = "Category", items = items, checked = at, cancel = "Cancel",
      on_item = function(i) self.category = i > 1 and storage.categories[i - 1].id or nil end }
  end,
  view = function(self)
    local first = self.first
    return column {
      toolbar { self.intent.id and "Edit recipe" or "New recipe", up = function() self:leave() end,
        actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        field { id = "title", hint = "Title", text = first.title, max = 100 },
        button { "Category: " .. category_name { category = self.category }, id = "category", on_click = function() self:choose_category() end },
        row { field { id = "minutes", hint = "Minutes", text = first.minutes, input = "number", max = 3, weight = 1 },
          field { id = "servings", hint = "Servings", text = first.servings, input = "number", max = 2, weight = 1 } },
        field { id = "ingredients", hint = "Ingredients, one a line", text = first.ingredients, input = "multiline", max = 800 },
        field { id = "steps", hint = "Steps, one a line", text = first.steps, input = "multiline", max = 2000 },
      },
    }
  end,
}

-- One step after the other, in large letters.
activity "Cook" {
  create = function(self, intent, saved)
    self.step = 1
    if saved and not bug("step_rotated") then self.step = saved.step end
  end,
  save = function(self, out) out.step = self.step end,
  resume = function(self) if not recipe_of(self.intent.id) then self:finish() end end,
  done = function(self, recipe) recipe.cooked = recipe.cooked + 1 self:finish() end,
  view = function(self)
    local recipe = recipe_of(self.intent.id)
    if not recipe then return column { toolbar { "Cooking", up = true } } end
    local last = self.step >= #recipe.steps
    return column {
      toolbar { "Cooking", up = true },
      text { recipe.title, id = "title" },
      text { "Step " .. self.step .. " of " .. #recipe.steps, id = "place", size = "small" },
      text { recipe.steps[self.step] or "", id = "step", size = "large" },
      row { button { "Previous", id = "previous", enabled = self.step > 1, weight = 1, on_click = function() self.step = self.step - 1 end },
        button { last and "Done" or "Next", id = "next", weight = 1,
          on_click = function() if last then self:done(recipe) else self.step = self.step + 1 end end } },
    }
  end,
}

-- The plan ---------------------------------------------------------------------------------------------------

activity "MealPlan" {
  create = function(self, intent, saved) self.week = saved and saved.week or 0 end,
  save = function(self, out) out.week = self.week end,
  first_day = function(self) return week_of(today()) + 7 * self.week end,
  rows = function(self)
    local rows, first = {}, self:first_day()
    for day = first, first + 6 do
      table.insert(rows, { day = day })
      for _, m in ipairs(meals_on(day)) do table.insert(rows, m) end
    end
    return rows
  end,
  shop = function(self)
    local n, first = 0, self:first_day()
    for day = first, first + 6 do
      for _, m in ipairs(meals_on(day)) do
        local recipe = recipe_of(m.recipe)
        for _, i in ipairs(recipe.ingredients) do buy(i, m.servings / recipe.servings) end
        n = n + 1
      end
    end
    toast(n == 0 and "Nothing planned" or counted(n, "meal") .. " on the shopping list")
  end,
  ask = function(self, m)
    self:popup {
      { "Open recipe", id = "open_recipe", on_click = function() self:start("Recipe", { id = m.recipe }) end },
      { "Remove", id = "remove", on_click = function()
        forget(storage.plan, m)
        self:snackbar("Removed", "Undo", function() if recipe_of(m.recipe) then insert_by_id(storage.plan, m) end end)
      end },
    }
  end,
  view = function(self)
    local first = self:first_day()
    return column {
      toolbar { "Meal plan", up = true, actions = { { "Shop for this week", id = "shop_week", on_click = function() self:shop() end },
        { "Shopping list", id = "shopping", on_click = function() self:start("Shopping") end } } },
      row { button { "◀", id = "previous", desc = "Previous week", on_click = function() self.week = self.week - 1 end },
        text { day_name(first) .. " – " .. day_name(first + 6), id = "week", weight = 1 },
        button { "▶", id = "next", desc = "Next week", on_click = function() self.week = self.week + 1 end } },
      list { id = "days", items = self:rows(),
        row = function(m)
          if not m.recipe then return text { day_name(m.day) .. (m.day == today() and " (today)" or ""), id = "day_row" } end
          return column { id = "meal_row", text { MEALS[m.meal] .. ": " .. recipe_of(m.recipe).title, id = "meal" },
            text { counted(m.servings, "serving"), id = "servings", size = "small" } }
        end,
        on_item_click = function(_, m) self:start("PlanEntry", m.recipe and { id = m.id } or { day = m.day }) end,
        on_item_long_click = function(_, m) if m.recipe then self:ask(m) end end },
    }
  end,
}

-- A meal of the plan: an old one (id), on a given day, or of a given recipe.
activity "PlanEntry" {
  create = function(self, intent, saved)
    local old = by_id(storage.plan, intent.id)
    self.day = old and old.day or intent.day or today()
    self.base = week_of(self.day)
    local from = saved or old or { recipe = intent.recipe, meal = 3, servings = intent.servings or prefs.household }
    self.recipe, self.meal, self.servings = from.recipe, from.meal, from.servings
    self.place = saved and saved.place or self.day - self.base + 1
  end,
  save = function(self, out) out.recipe, out.meal, out.servings, out.place = self.recipe, self.meal, self.servings, self.place end,
  resume = function(self) if self.intent.id and not by_id(storage.plan, self.intent.id) then self:finish() end end,
  result = function(self, request, data) if data then self.recipe = data.id end end,
  store = function(self)
    if not recipe_of(self.recipe) then return toast("Choose a recipe") end
    local first = bug("sunday_week_day") and monday_of(self.day) or self.base
    local entry = by_id(storage.plan, self.intent.id)
    if not entry then
      if #storage.plan >= MAX then return toast("The plan is full") end
      entry = { id = new_id() }
      table.insert(storage.plan, entry)
    end
    entry.day, entry.meal, entry.recipe, entry.servings = first + self.place - 1, self.meal, self.recipe, self.servings
    toast("Planned")
    self:finish()
  end,
  view = function(self)
    local recipe = recipe_of(self.recipe)
    local days = {}
    for i = 1, 7 do days[i] = day_name(self.base + i - 1) end
    return column {
      toolbar { "Plan a meal", up = true, actions = { { "Save", id = "save", on_click = function() self:store() end } } },
      scroll { id = "form",
        button { recipe and recipe.title or "Choose a recipe", id = "pick", on_click = function() self:start_for_result("Search", "pick", { pick = true }) end },
        spinner { id = "day", items = days, selected = self.place, on_change = function(i) self.place = i end },
        spinner { id = "meal", items = MEALS, selected = self.meal, on_change = function(i) self.meal = i end },
        row { button { "−", id = "fewer", desc = "Fewer servings", on_click = function() self.servings = math.max(1, self.servings - 1) end },
          text { counted(self.servings, "serving"), id = "servings", weight = 1 },
          button { "+", id = "more", desc = "More servings", on_click = function() self.servings = math.min(99, self.servings + 1) end } },
      },
    }
  end,
}

-- Title or ingredients contain the query.
local function found(query)
  query = trim(query):lower()
  return sorted(filter(storage.recipes, function(r)
    if contains(r.title:lower(), query) then return true end
    return find(r.ingredients, function(i) return contains(bug("ingredient_case") and i.name or i.name:lower(), query) end) ~= nil
  end))
end

-- Also where a recipe is picked for the plan.
activity "Search" {
  create = function(self, intent, saved) self.query = saved and saved.query or "" end,
  save = function(self, out) out.query = self.query end,
  view = function(self)
    local pick = self.intent.pick
    local typed = trim(self.query) ~= ""
    local results = (typed or pick) and found(self.query) or {}
    return column {
      toolbar { pick and "Choose a recipe" or "Search", up = true },
      field { id = "query", hint = "Title or ingredient", max = 30, on_change = function(s) self.query = s end },
      typed and text { counted(#results, "recipe"), id = "count", size = "small" },
      list { id = "results", items = results, row = function(r) return recipe_row(r) end,
        empty = text { (typed or pick) and "Nothing found" or "What would you like to eat?", id = "empty" },
        on_item_click = function(_, r) if pick then self:finish { id = r.id } else self:start("Recipe", { id = r.id }) end end },
    }
  end,
}

activity "Shopping" {
  items = function(self)
    if not prefs.done_last then return storage.shopping end
    local result = filter(storage.shopping, function(s) return not s.done end)
    for _, s in ipairs(storage.shopping) do if s.done then table.insert(result, s) end end
    return result
  end,
  add = function(self)
    local line = trim(self:text("new_item"))
    if line == "" then return end
    buy(parse_ingredient(line))
    self:set_text("new_item", "")
  end,
  remove = function(self, item)
    forget(storage.shopping, item)
    self:snackbar("Removed", "Undo", function() insert_by_id(storage.shopping, item) end)
  end,
  menu = function(self)
    return {
      { "Remove bought", id = "remove_done", on_click = function() storage.shopping = filter(storage.shopping, function(s) return not s.done end) end },
      { "Clear list", id = "clear", on_click = function()
        self:dialog { title = "Clear the whole list?", cancel = "Cancel", ok = "Clear", on_ok = function() storage.shopping = {} end }
      end },
    }
  end,
  view = function(self)
    local open = #filter(storage.shopping, function(s) return not s.done end)
    return column {
      toolbar { "Shopping list", up = true },
      row { field { id = "new_item", hint = "What to buy", max = 40, weight = 1, on_submit = function() self:add() end },
        button { "Add", id = "add_item", on_click = function() self:add() end } },
      text { counted(open, "thing") .. " to buy", id = "open", size = "small" },
      list { id = "items", items = self:items(), empty = text { "Nothing to buy", id = "empty" },
        row = function(s) return text { (s.done and "☑ " or "☐ ") .. ingredient_line(s), id = "item_row" } end,
        on_item_click = function(_, s) s.done = not s.done end,
        on_item_swipe = function(i, direction) if direction == "left" or direction == "right" then self:remove(self:items()[i]) end end },
    }
  end,
}

-- Categories, statistics, settings ---------------------------------------------------------------------------

activity "Categories" {
  ask_name = function(self, category)
    self:dialog {
      title = category and "Rename category" or "New category",
      view = function() return column { field { id = "name", hint = "Name", text = category and category.name or "", max = 20 } } end,
      cancel = "Cancel", ok = "OK",
      on_ok = function()
        local name = trim(self:text("name"))
        if name == "" then toast("A name, please") return true end
        local same = find(storage.categories, function(c) return c ~= category and c.name:lower() == name:lower() end)
        if same or name:lower() == "uncategorised" then toast("There is one of this name") return true end
        if category then category.name = name else table.insert(storage.categories, { id = new_id(), name = name }) end
      end,
    }
  end,
  delete = function(self, category)
    forget(storage.categories, category)
    if bug("orphaned_recipes") then return end
    for _, r in ipairs(storage.recipes) do if r.category == category.id then r.category = nil end end
  end,
  view = function(self)
    local function count(id) return #filter(storage.recipes, function(r) return r.category == id end) end
    return column {
      toolbar { "Categories", up = true },
      text { "Uncategorised: " .. counted(count(nil), "recipe"), id = "uncategorised", size = "small" },
      list { id = "categories", items = storage.categories, empty = text { "No categories", id = "empty" },
        row = function(c) return column { id = "category_row", text { c.name, id = "name" }, text { counted(count(c.id), "recipe"), id = "count", size = "small" } } end,
        on_item_click = function(_, c) self:ask_name(c) end,
        on_item_long_click = function(_, c)
          self:dialog { title = "Delete " .. c.name .. "?", message = "Its recipes become uncategorised.", cancel = "Cancel", ok = "Delete", on_ok = function() self:delete(c) end }
        end },
      fab { id = "add", desc = "New category", on_click = function()
        if #storage.categories < 15 then self:ask_name() else toast("Too many categories") end
      end },
    }
  end,
}

activity "Statistics" {
  view = function(self)
    local cooked, favourites = 0, 0
    for _, r in ipairs(storage.recipes) do
      cooked = cooked + r.cooked
      if r.favourite then favourites = favourites + 1 end
    end
    local first = week_of(today())
    local planned = #filter(storage.plan, function(m) return m.day >= first and m.day < first + 7 end)
    local most = filter(storage.recipes, function(r) return r.cooked > 0 end)
    table.sort(most, function(a, b) return a.cooked > b.cooked or a.cooked == b.cooked and a.title < b.title end)
    return column {
      toolbar { "Statistics", up = true },
      text { counted(#storage.recipes, "recipe") .. " in " .. (#storage.categories == 1 and "1 category" or #storage.categories .. " categories"), id = "recipes" },
      text { counted(favourites, "favourite"), id = "favourites" },
      text { counted(planned, "meal") .. " planned this week", id = "planned" },
      text { "Cooked " .. counted(cooked, "time"), id = "cooked" },
      list { id = "most", items = most, empty = text { "Nothing cooked yet", id = "empty" },
        row = function(r) return row { id = "most_row", text { r.title, id = "title", weight = 1 }, text { tostring(r.cooked), id = "times" } } end,
        on_item_click = function(_, r) self:start("Recipe", { id = r.id }) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll { id = "page",
        switch { "Show cooking time in lists", id = "show_time", checked = prefs.show_time, on_change = function(b) prefs.show_time = b end },
        switch { "Bought things at the end", id = "done_last", checked = prefs.done_last, on_change = function(b) prefs.done_last = b end },
        text "The week begins on",
        radios { id = "week_start", items = { "Monday", "Sunday" }, selected = prefs.monday and 1 or 2, on_change = function(i) prefs.monday = i == 1 end },
        text { "Household: " .. counted(prefs.household, "person"), id = "household" },
        slider { id = "household_size", min = 1, max = 8, step = 1, value = prefs.household, on_change = function(v) prefs.household = math.floor(v) end },
        button { "About", id = "about", on_click = function() self:dialog { title = "Cookbook 2.4", message = "Free software, no advertisements", ok = "OK" } end },
      },
    }
  end,
}
