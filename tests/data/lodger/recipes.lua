-- Ladle: recipes, what is cooked this week, and what has to be bought for it.
--
-- The bar at the bottom changes between the recipes, the week and the shopping list. Recipes can be scaled to more or fewer
-- people; their ingredients go to the shopping list, except for what is always at hand.

app {
  package = "org.norn.lodger.recipes",
  title = "Ladle",
  main = "Main",
  bugs = { "unscaled_list", "copy_shares", "bin_search", "cancel_keeps", "plan_binned", "bought_skipped", "time_as_text",
    "week_at_hand" },
  application = function()
    if storage.recipes then return end
    storage.next_id = 50
    storage.cats = { { id = 1, name = "Breakfast" }, { id = 2, name = "Dinner" }, { id = 3, name = "Baking" } }
    storage.recipes = {
      { id = 11, title = "Pancakes", cat = 1, servings = 2, minutes = 20, fav = true,
        steps = "Mix everything. Fry in hot oil.",
        ingredients = {
          { id = 12, name = "Flour", qty = 150, unit = 1 }, { id = 13, name = "Milk", qty = 300, unit = 2 },
          { id = 14, name = "Egg", qty = 2, unit = 3 }, { id = 15, name = "Oil", qty = 20, unit = 2 },
        } },
      { id = 16, title = "Bean chili", cat = 2, servings = 4, minutes = 120, fav = false,
        steps = "Fry the onion, add the rest, wait.",
        ingredients = {
          { id = 17, name = "Beans", qty = 500, unit = 1 }, { id = 18, name = "Onion", qty = 2, unit = 3 },
          { id = 19, name = "Salt", qty = 5, unit = 1 },
        } },
      { id = 20, title = "White bread", cat = 3, servings = 8, minutes = 90, fav = false,
        steps = "Knead, let it rise, bake.",
        ingredients = {
          { id = 21, name = "Flour", qty = 500, unit = 1 }, { id = 22, name = "Yeast", qty = 7, unit = 1 },
          { id = 23, name = "Salt", qty = 10, unit = 1 },
        } },
      { id = 24, title = "Omelette", cat = 1, servings = 1, minutes = 10, fav = false, steps = "Beat and fry.",
        ingredients = { { id = 25, name = "Egg", qty = 3, unit = 3 }, { id = 26, name = "Cheese", qty = 40, unit = 1 } } },
    }
    storage.shop = {
      { id = 31, name = "Coffee", bought = true }, { id = 32, name = "Butter", qty = 250, unit = 1, bought = true },
      { id = 33, name = "Apples", qty = 6, unit = 3, bought = false },
    }
    storage.plan = { false, 16, false, false, false, 11, false }
    storage.at_hand = { "Oil", "Salt", "Water" }
    prefs.units = "metric"
    prefs.order = 1
    prefs.times = true
  end,
}

local UNITS = { "g", "ml", "pcs" }
local DAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }
local ORDERS = { "Title", "Time", "Newest first" }
local MAX_SERVINGS = 24

-- Above the page, with the keyboard out of the way.
local function tell(self, text)
  self:hide_keyboard()
  self:snackbar(text)
end

local function new_id()
  storage.next_id = storage.next_id + 1
  return storage.next_id
end

local function by_id(list, id) return (find(list, function(x) return x.id == id end)) end
local function cat_of(id) return by_id(storage.cats, id) end
local function cat_name(id) return cat_of(id) and cat_of(id).name or "Other" end
local function without(list, id) return filter(list, function(x) return x.id ~= id end) end

local function any_recipe(id) return id and by_id(storage.recipes, id) or nil end
local function recipe_of(id)
  local r = any_recipe(id)
  return r and not r.binned and r or nil
end
local function recipes() return filter(storage.recipes, function(r) return not r.binned end) end

local function is_at_hand(name)
  return find(storage.at_hand, function(n) return n:lower() == name:lower() end) ~= nil
end

-- Amounts are kept in grams and millilitres and always rounded up, so that there is enough.
local function up(n, d) return (n + d - 1) // d end

local function amount_text(qty, unit)
  if not qty then return "" end
  if prefs.units == "imperial" and unit == 1 then return up(qty, 28) .. " oz" end
  if prefs.units == "imperial" and unit == 2 then return up(qty, 30) .. " fl oz" end
  return qty .. " " .. UNITS[unit]
end

local function plural(n, word) return n .. " " .. word .. (n == 1 and "" or "s") end

-- What is on the list already and not bought yet is added up.
local function put_on_list(name, qty, unit)
  local there = find(storage.shop, function(s)
    return not s.bought and s.name:lower() == name:lower() and s.unit == unit
  end)
  if there then
    there.qty = there.qty and there.qty + qty
  else
    table.insert(storage.shop, { id = new_id(), name = name, qty = qty, unit = unit, bought = false })
  end
end

-- Returns how many ingredients went to the list, and how many are at hand.
local function shop_for(recipe, servings, everything)
  local put, left = 0, 0
  for _, i in ipairs(recipe.ingredients) do
    if is_at_hand(i.name) and not everything then
      left = left + 1
    else
      put_on_list(i.name, up(i.qty * servings, recipe.servings), i.unit)
      put = put + 1
    end
  end
  return put, left
end

local function listed_text(put, left)
  return plural(put, "ingredient") .. " put on the list" .. (left > 0 and ", " .. left .. " at hand" or "")
end

local function sorted(list)
  local result = copy(list)
  table.sort(result, function(a, b)
    if prefs.order == 3 then return a.id > b.id end
    if prefs.order == 2 then
      if bug("time_as_text") then return tostring(a.minutes) < tostring(b.minutes) end
      if a.minutes ~= b.minutes then return a.minutes < b.minutes end
    end
    return a.title:lower() < b.title:lower()
  end)
  return result
end

activity "Main" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.page = saved.page or "recipes"
    self.cat = saved.cat
    self.query = saved.query or ""
    self.only_favs = saved.only_favs or false
  end,

  save = function(self, out) out.page, out.cat, out.query, out.only_favs = self.page, self.cat, self.query, self.only_favs end,

  resume = function(self)
    if self.cat and not cat_of(self.cat) then self.cat = nil end
  end,

  back = function(self)
    if self.page == "recipes" then return false end
    self.page = "recipes"
    return true
  end,

  result = function(self, request, data)
    if not data then return end
    self:snackbar("Moved to the bin", "Undo", function()
      local r = any_recipe(data.binned)
      if r then r.binned = nil end
    end)
  end,

  open = function(self, id) self:start_for_result("Recipe", "recipe", { id = id }) end,

  -- Recipes -------------------------------------------------------------------------------------------

  found = function(self)
    local q = trim(self.query):lower()
    local from = recipes()
    if bug("bin_search") and q ~= "" then from = storage.recipes end
    return filter(sorted(from), function(r)
      if self.only_favs and not r.fav then return false end
      if self.cat and r.cat ~= self.cat then return false end
      if q == "" or contains(r.title:lower(), q) then return true end
      return find(r.ingredients, function(i) return contains(i.name:lower(), q) end) ~= nil
    end)
  end,

  recipes_page = function(self)
    local names, selected = { "All categories" }, 1
    for i, c in ipairs(storage.cats) do
      table.insert(names, c.name)
      if c.id == self.cat then selected = i + 1 end
    end
    local items = self:found()
    return {
      field { id = "query", hint = "Title or ingredient", text = self.query, max = 30, on_change = function(s) self.query = s end },
      row {
        spinner { id = "cat_filter", weight = 1, items = names, selected = selected, on_change = function(i)
          self.cat = i > 1 and storage.cats[i - 1].id or nil
        end },
        check { "Only ★", id = "only_favs", checked = self.only_favs, on_change = function(b) self.only_favs = b end },
      },
      list { id = "recipes", weight = 1, items = items, empty = text { "No recipes found", id = "empty" },
        row = function(r)
          return column { id = "recipe_row",
            text { (r.fav and "★ " or "") .. r.title, id = "title", size = "large" },
            text { cat_name(r.cat) .. (prefs.times and " · " .. r.minutes .. " min" or ""), id = "line", size = "small" } }
        end,
        on_item_click = function(_, r) self:open(r.id) end },
    }
  end,

  -- The week ------------------------------------------------------------------------------------------

  planned = function(self, day)
    local id = storage.plan[day]
    if bug("plan_binned") then return any_recipe(id) end
    return recipe_of(id)
  end,

  choose = function(self, day)
    local list = recipes()
    if #list == 0 then return tell(self, "There are no recipes") end
    table.sort(list, function(a, b) return a.title:lower() < b.title:lower() end)
    self:dialog { title = DAYS[day], items = each(list, function(r) return r.title end), cancel = "Cancel",
      on_item = function(i) storage.plan[day] = list[i].id end }
  end,

  day_tapped = function(self, day)
    local r = self:planned(day)
    if not r then return self:choose(day) end
    self:popup {
      { "Open recipe", id = "open_planned", on_click = function() self:open(r.id) end },
      { "Choose another", id = "change_planned", on_click = function() self:choose(day) end },
      { "Nothing", id = "clear_day", on_click = function() storage.plan[day] = false end },
    }
  end,

  shop_week = function(self)
    local put, left = 0, 0
    for day in ipairs(DAYS) do
      local r = self:planned(day)
      if r then
        local p, l = shop_for(r, r.servings, bug("week_at_hand"))
        put, left = put + p, left + l
      end
    end
    tell(self, listed_text(put, left))
    self.page = "shopping"
  end,

  plan_page = function(self)
    return {
      list { id = "week", weight = 1, items = DAYS,
        row = function(name, day)
          local r = self:planned(day)
          return row { id = "day_row", text { name, id = "day", weight = 1 }, text { r and r.title or "–", id = "dish" } }
        end,
        on_item_click = function(day) self:day_tapped(day) end },
      button { "Shop for the week", id = "shop_week", on_click = function() self:shop_week() end },
    }
  end,

  -- Shopping ------------------------------------------------------------------------------------------

  add_item = function(self)
    local name = trim(self:text("new_item"))
    if name == "" then return tell(self, "What do you need?") end
    if find(storage.shop, function(s) return not s.bought and s.name:lower() == name:lower() end) then
      tell(self, name .. " is on the list already")
    else
      table.insert(storage.shop, { id = new_id(), name = name, bought = false })
    end
    self:set_text("new_item", "")
    self:hide_keyboard()
  end,

  remove_bought = function(self)
    local before = #storage.shop
    if bug("bought_skipped") then
      for i = 1, #storage.shop do
        if storage.shop[i] and storage.shop[i].bought then table.remove(storage.shop, i) end
      end
    else
      storage.shop = filter(storage.shop, function(s) return not s.bought end)
    end
    local count = before - #storage.shop
    if count == 0 then return tell(self, "Nothing is ticked off") end
    tell(self, plural(count, "thing") .. " removed")
  end,

  shopping_page = function(self)
    local items = filter(storage.shop, function(s) return not s.bought end)
    local open = #items
    for _, s in ipairs(storage.shop) do
      if s.bought then table.insert(items, s) end
    end
    return {
      row {
        field { id = "new_item", weight = 1, hint = "Add something", max = 30, on_submit = function() self:add_item() end },
        button { "Add", id = "add_item", on_click = function() self:add_item() end },
      },
      text { plural(open, "thing") .. " to buy", id = "to_buy", size = "small" },
      list { id = "shopping", weight = 1, items = items, empty = text { "The list is empty", id = "empty" },
        row = function(s)
          return row { id = "shop_row",
            check { s.name, id = "bought", weight = 1, checked = s.bought, on_change = function(b) s.bought = b end },
            text { amount_text(s.qty, s.unit), id = "amount" } }
        end,
        on_item_long_click = function(_, s)
          self:popup { { "Remove " .. s.name, id = "remove_item", on_click = function()
            local at = index_of(storage.shop, s)
            storage.shop = without(storage.shop, s.id)
            self:snackbar(s.name .. " removed", "Undo", function()
              table.insert(storage.shop, math.min(at, #storage.shop + 1), s)
            end)
          end } }
        end },
    }
  end,

  menu = function(self)
    local common = {
      { "Always at hand", id = "at_hand", on_click = function() self:start("AtHand") end },
      { "Categories", id = "cats", on_click = function() self:start("Categories") end },
      { "Bin", id = "bin", on_click = function() self:start("Bin") end },
      { "Settings", id = "settings", on_click = function() self:start("Settings") end },
    }
    if self.page == "recipes" then
      table.insert(common, 1, { "Sort by", id = "sort", on_click = function()
        self:dialog { title = "Sort by", items = ORDERS, checked = prefs.order, cancel = "Cancel",
          on_item = function(i) prefs.order = i end }
      end })
    elseif self.page == "plan" then
      table.insert(common, 1, { "Clear the week", id = "clear_week", on_click = function()
        self:dialog { title = "Clear the week?", cancel = "Cancel", ok = "Clear",
          on_ok = function() storage.plan = each(DAYS, function() return false end) end }
      end })
    else
      table.insert(common, 1, { "Remove bought", id = "remove_bought", on_click = function() self:remove_bought() end })
      table.insert(common, 2, { "Share", id = "share", on_click = function()
        self:start_implicit { action = "SEND", type = "text/plain" }
      end })
    end
    return common
  end,

  view = function(self)
    local titles = { recipes = "Ladle", plan = "This week", shopping = "Shopping list" }
    local function place(label, page)
      return { label, id = "nav_" .. page, selected = self.page == page, on_click = function() self.page = page end }
    end
    return column {
      toolbar { titles[self.page], actions = self.page == "recipes" and {
        { "New recipe", id = "add", on_click = function() self:start("RecipeForm") end } } or nil },
      self.page == "recipes" and self:recipes_page() or nil,
      self.page == "plan" and self:plan_page() or nil,
      self.page == "shopping" and self:shopping_page() or nil,
      bottom_bar { items = { place("Recipes", "recipes"), place("Week", "plan"), place("Shopping", "shopping") } },
    }
  end,
}

activity "Recipe" {
  create = function(self, intent, saved)
    local r = recipe_of(intent.id)
    self.servings = saved and saved.servings or r and r.servings or 1
  end,

  save = function(self, out) out.servings = self.servings end,

  result = function(self, request, data)
    local r = recipe_of(self.intent.id)
    if request == "edit" and data and r then self.servings = r.servings end
  end,

  duplicate = function(self, r)
    local function taken(t) return find(recipes(), function(x) return x.title == t end) ~= nil end
    local title, n = r.title .. " (copy)", 2
    while taken(title) do
      title, n = r.title .. " (copy " .. n .. ")", n + 1
    end
    local twin = { id = new_id(), title = title, cat = r.cat, servings = r.servings, minutes = r.minutes, fav = false, steps = r.steps }
    if bug("copy_shares") then
      twin.ingredients = r.ingredients
    else
      twin.ingredients = each(r.ingredients, function(i) return { id = new_id(), name = i.name, qty = i.qty, unit = i.unit } end)
    end
    table.insert(storage.recipes, twin)
    toast("Copied as " .. title)
    self:finish()
  end,

  ask_day = function(self, r)
    local items = each(DAYS, function(name, day)
      local other = recipe_of(storage.plan[day])
      return name .. (other and " (" .. other.title .. ")" or "")
    end)
    self:dialog { title = "Cook it on", items = items, cancel = "Cancel", on_item = function(day)
      storage.plan[day] = r.id
      tell(self, "Planned for " .. DAYS[day])
    end }
  end,

  items = function(self, r)
    return {
      { "Edit", id = "edit", on_click = function() self:start_for_result("RecipeForm", "edit", { id = r.id }) end },
      { "Plan for a day", id = "plan_day", on_click = function() self:ask_day(r) end },
      { "Duplicate", id = "duplicate", on_click = function() self:duplicate(r) end },
      { "Delete", id = "delete", on_click = function()
        r.binned = true
        self:finish { binned = r.id }
      end },
    }
  end,

  view = function(self)
    local r = recipe_of(self.intent.id)
    if not r then return column { toolbar { "Recipe", up = true }, text { "This recipe is gone", id = "gone" } } end
    return column {
      toolbar { r.title, up = true, actions = { { r.fav and "Remove from favourites" or "Add to favourites", id = "fav",
        on_click = function() r.fav = not r.fav end } }, menu = self:items(r) },
      scroll {
        text { cat_name(r.cat) .. " · " .. r.minutes .. " min" .. (r.fav and " · ★" or ""), id = "line", size = "small" },
        row {
          text { "For " .. self.servings, id = "servings", weight = 1 },
          button { "−", id = "fewer", enabled = self.servings > 1, on_click = function() self.servings = self.servings - 1 end },
          button { "+", id = "more", enabled = self.servings < MAX_SERVINGS, on_click = function() self.servings = self.servings + 1 end },
        },
        self.servings ~= r.servings and text { "For now only; the recipe is for " .. r.servings, id = "scaled", size = "small" },
        #r.ingredients == 0 and text { "No ingredients yet", id = "empty" },
        each(r.ingredients, function(i)
          return row { text { i.name .. (is_at_hand(i.name) and " (at hand)" or ""), id = "ingredient", weight = 1 },
            text { amount_text(up(i.qty * self.servings, r.servings), i.unit), id = "amount" } }
        end),
        r.steps ~= "" and text { r.steps, id = "steps" },
        button { "Edit ingredients", id = "ingredients", on_click = function() self:start("Ingredients", { id = r.id }) end },
        button { "Put on shopping list", id = "to_list", enabled = #r.ingredients > 0, on_click = function()
          tell(self, listed_text(shop_for(r, bug("unscaled_list") and r.servings or self.servings)))
        end },
      },
    }
  end,
}

-- A new recipe that is left without being saved is kept as a draft for the next time.
activity "RecipeForm" {
  create = function(self, intent, saved)
    local r = recipe_of(intent.id)
    if saved then
      self.cat, self.servings, self.before = saved.cat, saved.servings, saved.before
    else
      local b = r or storage.draft or { title = "", minutes = "", steps = "", servings = 4 }
      self.before = { title = b.title, minutes = tostring(b.minutes), steps = b.steps, cat = b.cat, servings = b.servings }
      self.cat, self.servings = b.cat, b.servings
    end
  end,

  save = function(self, out) out.cat, out.servings, out.before = self.cat, self.servings, self.before end,

  is_new = function(self) return recipe_of(self.intent.id) == nil end,

  now_is = function(self)
    return { title = self:text("form_title"), minutes = self:text("minutes"), steps = self:text("steps"), cat = self.cat,
      servings = self.servings }
  end,

  leave = function(self)
    local n, b = self:now_is(), self.before
    local same = n.title == b.title and n.minutes == b.minutes and n.steps == b.steps and n.cat == b.cat and n.servings == b.servings
    if same then return self:finish() end
    if self:is_new() then
      local empty = n.title .. n.minutes .. n.steps == ""
      storage.draft = not empty and n or nil
      toast(empty and "Nothing to keep" or "Kept as a draft")
      return self:finish()
    end
    self:dialog { title = "Discard changes?", ok = "Discard", on_ok = function() self:finish() end, cancel = "Keep editing" }
  end,

  back = function(self)
    self:leave()
    return true
  end,

  clear = function(self)
    storage.draft = nil
    self:set_text("form_title", "")
    self:set_text("minutes", "")
    self:set_text("steps", "")
    self.cat, self.servings = nil, 4
    self.before = { title = "", minutes = "", steps = "", servings = 4 }
  end,

  store = function(self)
    local n = self:now_is()
    local title, minutes = trim(n.title), tonumber(n.minutes)
    if title == "" then return tell(self, "A recipe needs a title") end
    if not minutes or minutes < 1 then return tell(self, "How many minutes does it take?") end
    local r = recipe_of(self.intent.id)
    if not r then
      r = { id = new_id(), fav = false, ingredients = {} }
      table.insert(storage.recipes, r)
      storage.draft = nil
    end
    r.title, r.minutes, r.steps, r.cat, r.servings = title, math.tointeger(minutes) or 1, n.steps, n.cat, n.servings
    self:finish { id = r.id }
  end,

  view = function(self)
    local names, selected = { "Other" }, 1
    for i, c in ipairs(storage.cats) do
      table.insert(names, c.name)
      if c.id == self.cat then selected = i + 1 end
    end
    local new = self:is_new()
    return column {
      toolbar { new and "New recipe" or "Edit recipe", up = function() self:leave() end, actions = {
        new and { "Clear", id = "clear", on_click = function() self:clear() end } or nil,
        { "Save", id = "save", on_click = function() self:store() end },
      } },
      scroll {
        new and storage.draft and text { "Your draft", id = "draft", size = "small" },
        field { id = "form_title", hint = "Title", text = self.before.title, max = 40 },
        field { id = "minutes", hint = "Minutes", input = "number", text = self.before.minutes, max = 3 },
        spinner { id = "cat", items = names, selected = selected, on_change = function(i)
          self.cat = i > 1 and storage.cats[i - 1].id or nil
        end },
        row {
          text { "For " .. self.servings, id = "servings", weight = 1 },
          button { "−", id = "fewer", enabled = self.servings > 1, on_click = function() self.servings = self.servings - 1 end },
          button { "+", id = "more", enabled = self.servings < MAX_SERVINGS, on_click = function() self.servings = self.servings + 1 end },
        },
        field { id = "steps", hint = "What to do", input = "multiline", text = self.before.steps, max = 500 },
      },
    }
  end,
}

activity "Ingredients" {
  ask = function(self, r, item)
    local unit, problem = item and item.unit or 1, nil
    local function apply()
      local name, qty = trim(self:text("ingredient_name")), tonumber(self:text("ingredient_qty"))
      if name == "" or not qty or qty < 1 then
        problem = "A name and an amount, please"
        return true
      end
      qty = math.tointeger(qty) or 1
      if item then
        item.name, item.qty, item.unit = name, qty, unit
      else
        table.insert(r.ingredients, { id = new_id(), name = name, qty = qty, unit = unit })
      end
    end
    self:dialog {
      title = item and "Edit ingredient" or "New ingredient",
      view = function()
        return column {
          field { id = "ingredient_name", hint = "Name", text = item and item.name or "", max = 30 },
          field { id = "ingredient_qty", hint = "Amount", input = "number", text = item and tostring(item.qty) or "", max = 4 },
          radios { id = "ingredient_unit", items = UNITS, selected = unit, on_change = function(i) unit = i end },
          problem and text { problem, id = "problem", size = "small" },
        }
      end,
      ok = "OK", on_ok = apply, cancel = "Cancel",
      on_cancel = function()
        if item and bug("cancel_keeps") then apply() end
      end,
    }
  end,

  remove = function(self, r, item)
    local at = index_of(r.ingredients, item)
    if not at then return end
    table.remove(r.ingredients, at)
    self:snackbar(item.name .. " removed", "Undo", function()
      table.insert(r.ingredients, math.min(at, #r.ingredients + 1), item)
    end)
  end,

  view = function(self)
    local r = recipe_of(self.intent.id)
    if not r then return column { toolbar { "Ingredients", up = true }, text { "This recipe is gone", id = "gone" } } end
    return column {
      toolbar { "Ingredients", subtitle = r.title, up = true,
        actions = { { "Add ingredient", id = "add_ingredient", on_click = function() self:ask(r) end } } },
      text { "For " .. r.servings, id = "servings", size = "small" },
      list { id = "ingredients", weight = 1, items = r.ingredients, empty = text { "No ingredients yet", id = "empty" },
        row = function(i)
          return row { id = "ingredient_row", text { i.name, id = "name", weight = 1 }, text { i.qty .. " " .. UNITS[i.unit], id = "amount" },
            image_button { id = "remove", desc = "Remove " .. i.name, on_click = function() self:remove(r, i) end } }
        end,
        on_item_click = function(_, i) self:ask(r, i) end },
      text { "Amounts are written in grams and millilitres here", id = "tip", size = "small" },
    }
  end,
}

activity "AtHand" {
  ask = function(self)
    self:dialog {
      title = "Always at hand",
      view = function() return column { field { id = "at_hand_name", hint = "Name", max = 30 } } end,
      ok = "Add", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("at_hand_name"))
        if name == "" then return tell(self, "Nothing was added") end
        if is_at_hand(name) then return tell(self, name .. " is here already") end
        table.insert(storage.at_hand, name)
        table.sort(storage.at_hand, function(a, b) return a:lower() < b:lower() end)
      end,
    }
  end,

  view = function(self)
    return column {
      toolbar { "Always at hand", up = true, actions = { { "Add", id = "add_at_hand", on_click = function() self:ask() end } } },
      text { "Recipes do not put these on the shopping list", id = "hint", size = "small" },
      list { id = "at_hand", weight = 1, items = storage.at_hand, empty = text { "Nothing", id = "empty" },
        row = function(name, i)
          return row { text { name, id = "name", weight = 1 },
            image_button { id = "remove", desc = "Remove " .. name, on_click = function() table.remove(storage.at_hand, i) end } }
        end },
    }
  end,
}

activity "Categories" {
  ask_name = function(self, cat)
    self:dialog {
      title = cat and "Rename category" or "New category",
      view = function() return column { field { id = "cat_name", hint = "Name", text = cat and cat.name or "", max = 24 } } end,
      ok = cat and "Rename" or "Add", cancel = "Cancel",
      on_ok = function()
        local name = trim(self:text("cat_name"))
        if name == "" then return tell(self, "A category needs a name") end
        if find(storage.cats, function(c) return c ~= cat and c.name:lower() == name:lower() end) or name:lower() == "other" then
          return tell(self, "There is such a category already")
        end
        if cat then cat.name = name else table.insert(storage.cats, { id = new_id(), name = name }) end
      end,
    }
  end,

  ask_delete = function(self, cat)
    self:dialog { title = "Delete " .. cat.name .. "?", message = "Its recipes will be under Other", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        for _, r in ipairs(storage.recipes) do
          if r.cat == cat.id then r.cat = nil end
        end
        if storage.draft and storage.draft.cat == cat.id then storage.draft.cat = nil end
        storage.cats = without(storage.cats, cat.id)
      end }
  end,

  view = function(self)
    return column {
      toolbar { "Categories", up = true, actions = { { "New category", id = "add_cat", on_click = function() self:ask_name() end } } },
      list { id = "cats", weight = 1, items = storage.cats, empty = text { "No categories", id = "empty" },
        row = function(c)
          local count = #filter(recipes(), function(r) return r.cat == c.id end)
          return column { id = "cat_row", text { c.name, id = "name" }, text { plural(count, "recipe"), id = "count", size = "small" } }
        end,
        on_item_click = function(_, c)
          self:popup {
            { "Rename", id = "rename_cat", on_click = function() self:ask_name(c) end },
            { "Delete", id = "delete_cat", on_click = function() self:ask_delete(c) end },
          }
        end },
    }
  end,
}

activity "Bin" {
  purge = function(self, keep)
    storage.recipes = filter(storage.recipes, function(r) return not r.binned or keep(r) end)
    for day = 1, #DAYS do
      if not any_recipe(storage.plan[day]) then storage.plan[day] = false end
    end
  end,

  ask = function(self, r)
    self:popup {
      { "Restore", id = "restore", on_click = function()
        r.binned = nil
        tell(self, r.title .. " restored")
      end },
      { "Delete for ever", id = "delete_forever", on_click = function() self:purge(function(x) return x.id ~= r.id end) end },
    }
  end,

  view = function(self)
    local binned = filter(storage.recipes, function(r) return r.binned end)
    return column {
      toolbar { "Bin", up = true, menu = {
        { "Empty the bin", id = "empty_bin", enabled = #binned > 0, on_click = function()
          self:dialog { title = "Empty the bin?", message = plural(#binned, "recipe") .. " will be gone for ever", cancel = "Cancel",
            ok = "Empty", on_ok = function() self:purge(function() return false end) end }
        end } } },
      text { "A restored recipe is back in the week, on days not planned anew", id = "hint", size = "small" },
      list { id = "binned", weight = 1, items = binned, empty = text { "The bin is empty", id = "empty" },
        row = function(r) return column { id = "bin_row", text { r.title, id = "name" }, text { cat_name(r.cat), id = "line", size = "small" } } end,
        on_item_click = function(_, r) self:ask(r) end },
    }
  end,
}

activity "Settings" {
  view = function(self)
    return column {
      toolbar { "Settings", up = true },
      scroll {
        text { "Amounts", size = "small" },
        radios { id = "units", items = { "Metric", "Ounces, rounded up" }, selected = prefs.units == "metric" and 1 or 2,
          on_change = function(i) prefs.units = i == 1 and "metric" or "imperial" end },
        switch { "Times in the list", id = "times", checked = prefs.times, on_change = function(b) prefs.times = b end },
        button { "About", id = "about", on_click = function()
          self:dialog { title = "Ladle 3.0", message = plural(#recipes(), "recipe"), ok = "OK" }
        end },
      },
    }
  end,
}
