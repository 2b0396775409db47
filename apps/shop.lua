-- Corner Shop: a feed that is never the same twice (content=random), search with filters, a cart, coupons, orders.

local PRODUCTS = {
  { id = "lamp1", title = "Desk lamp", group = "Home", cents = 2490 },
  { id = "lamp2", title = "Garden lamp", group = "Garden", cents = 1290 },
  { id = "mug", title = "Blue mug", group = "Kitchen", cents = 790 },
  { id = "pan", title = "Iron pan", group = "Kitchen", cents = 3490 },
  { id = "seeds", title = "Sunflower seeds", group = "Garden", cents = 290 },
  { id = "rug", title = "Wool rug", group = "Home", cents = 8900 },
  { id = "spade", title = "Small spade", group = "Garden", cents = 1590 },
  { id = "clock", title = "Wall clock", group = "Home", cents = 1990 },
}
local COUPONS = { SPRING10 = 10, FRIEND25 = 25, GIFT100 = 100 }
local PRICES = { { "Any price" }, { "Under 5.00", 500 }, { "Under 15.00", 1500 }, { "Under 30.00", 3000 } }
local DEAL_PLACE = 6

app {
  package = "org.norn.shop",
  title = "Corner Shop",
  main = "Home",
  bugs = { "free_order", "zero_pieces", "cheapest_of_none", "letters_in_zip", "discontinued", "price_outlives_search", "coupon_twice", "wrong_wish",
    "short_feed" },
  themis = {
    { n = 1, activity = "Product", id = "add_to_cart", kind = "tap" },
    { n = 2, activity = "Cart", id = "coupon", kind = "tap" },
    { n = 3, activity = "Cart", id = "code", kind = "type" },
    { n = 4, activity = "Cart", id = "checkout", kind = "tap" },
    { n = 5, activity = "Checkout", id = "zip", kind = "type" },
    { n = 6, activity = "Checkout", id = "continue", kind = "tap" },
    { n = 7, activity = "Search", id = "filter", kind = "tap" },
    { n = 8, activity = "Search", id = "cheapest", kind = "tap" },
  },
  server = function(request, db)
    if request.path == "/feed" then
      local feed, length = {}, 4 + random(4)
      for i, product in ipairs(shuffle(PRODUCTS)) do
        if i <= length then table.insert(feed, product) end
      end
      return feed
    end
    if request.path == "/search" then
      local query = (request.query.q or ""):lower()
      return filter(PRODUCTS, function(p) return contains(p.title:lower(), query) or contains(p.group:lower(), query) end)
    end
    if request.path == "/order" then
      db.orders = (db.orders or 1000) + 1
      return { number = db.orders }
    end
    return nil, 404
  end,
  application = function()
    if storage.cart then return end
    storage.cart, storage.wishes, storage.coupons = {}, {}, {}
    storage.orders = {
      { number = 871, day = "2023-11-04", cents = 2780, lines = { { id = "kettle", title = "Tin kettle", cents = 1990, pieces = 1 },
        { id = "mug", title = "Blue mug", cents = 790, pieces = 1 } } },
      { number = 902, day = "2024-02-17", cents = 290, lines = { { id = "seeds", title = "Sunflower seeds", cents = 290, pieces = 1 } } },
    }
  end,
}

local function product_by_id(id) return find(PRODUCTS, function(p) return p.id == id end) end
local function money(cents) return format("%d.%02d", cents // 100, cents % 100) end

local function add_to_cart(product, pieces)
  local line = find(storage.cart, function(l) return l.id == product.id end)
  if line then
    line.pieces = line.pieces + pieces
  else
    table.insert(storage.cart, { id = product.id, title = product.title, cents = product.cents, pieces = pieces })
  end
end

local function goods_total()
  local total = 0
  for _, line in ipairs(storage.cart) do total = total + line.cents * line.pieces end
  return total
end

local function discount()
  local percent = 0
  for _, code in ipairs(storage.coupons) do percent = percent + COUPONS[code] end
  return goods_total() * math.min(100, percent) // 100
end

-- ---- the feed ----

local function bottom(self, here)
  local function item(title, id, name)
    return { title, id = id, selected = here == name, on_click = function()
      if here == name then return end
      if name ~= "Home" then self:start(name) end
      if here ~= "Home" then self:finish() end                 -- the feed stays at the bottom, the others replace each other
    end }
  end
  return bottom_bar { items = { item("Shop", "nav_home", "Home"), item("Search", "nav_search", "Search"), item("Cart", "nav_cart", "Cart"),
    item("Orders", "nav_orders", "Orders") } }
end

activity "Home" {
  create = function(self, intent, saved)
    self.feed = saved and saved.feed
    if not self.feed then self:load() end
  end,
  save = function(self, out) out.feed = self.feed end,
  load = function(self)
    self.feed = nil
    self.problem = nil
    net.get("https://shop.example.org/feed", function(reply)
      if not reply.ok then
        self.problem = "The shop cannot be reached"
        return
      end
      self.feed = reply.body
    end)
  end,
  open_deal = function(self)
    local deal = self.feed[DEAL_PLACE]
    if not deal and not bug("short_feed") then return toast("No deal today") end
    self:start("Product", { id = deal.id })
  end,
  menu = function(self)
    return {
      { "Refresh", id = "refresh", on_click = function() self:load() end },
      { "Wish list", id = "wishes", on_click = function() self:start("Wishes") end },
      { "My coupons", id = "coupons", on_click = function() self:start("Coupons") end },
    }
  end,
  content = function(self)
    if self.problem then
      return column { text { self.problem, id = "problem" }, button { "Try again", id = "again", on_click = function() self:load() end } }
    end
    if not self.feed then return progress { id = "loading", spinning = true } end
    return column {
      button { "Deal of the day", id = "deal", on_click = function() self:open_deal() end },
      list { id = "feed", items = self.feed,
        row = function(p) return row { text { p.title, id = "product", weight = 1 }, text { money(p.cents), id = "price" } } end,
        on_item_click = function(_, p) self:start("Product", { id = p.id }) end },
    }
  end,
  view = function(self)
    return column {
      toolbar { "Corner Shop", subtitle = #storage.cart > 0 and #storage.cart .. " in the cart" or nil },
      self:content(),
      bottom(self, "Home"),
    }
  end,
}

activity "Coupons" {
  view = function(self)
    return column {
      toolbar { "My coupons", up = true },
      text { "SPRING10: 10 % off", id = "coupon_line" },
      text { "FRIEND25: 25 % off", id = "coupon_line" },
      text { "GIFT100: one order for free", id = "coupon_line" },
      button { "Copy gift code", id = "copy", on_click = function()
        clipboard.set("GIFT100")
        toast("Copied")
      end },
    }
  end,
}

-- ---- search ----

activity "Search" {
  create = function(self, intent, saved)
    saved = saved or {}
    self.results = saved.results
    self.price = saved.price or 1
    self.limit = saved.limit
  end,
  save = function(self, out) out.results, out.price, out.limit = self.results, self.price, self.limit end,
  go = function(self)
    local query = trim(self:text("query"))
    if query == "" then return toast("Search for what?") end
    self:hide_keyboard()
    self.results, self.loading = nil, true
    self.price = 1
    if not bug("price_outlives_search") then self.limit = nil end
    net.get("https://shop.example.org/search?q=" .. query:gsub("[^%w]", "+"), function(reply)
      self.loading = false
      self.results = reply.ok and reply.body or {}
    end)
  end,
  shown = function(self)
    return filter(self.results or {}, function(p) return not self.limit or p.cents < self.limit end)
  end,
  ask_price = function(self)
    self:dialog { title = "Price", items = each(PRICES, function(p) return p[1] end), checked = self.price,
      on_item = function(i)
        self.price = i
        self.limit = PRICES[i][2]
      end }
  end,
  cheapest = function(self)
    local shown = copy(self:shown())
    table.sort(shown, function(a, b) return a.cents < b.cents end)
    if #shown == 0 and not bug("cheapest_of_none") then return toast("Nothing found") end
    self:start("Product", { id = list_get(shown, 1).id })
  end,
  view = function(self)
    return column {
      toolbar { "Search", up = true },
      row {
        field { id = "query", hint = "What are you looking for?", weight = 1, on_submit = function() self:go() end },
        button { "Go", id = "go", on_click = function() self:go() end },
      },
      self.results and row {
        button { PRICES[self.price][1], id = "filter", on_click = function() self:ask_price() end },
        button { "Cheapest", id = "cheapest", on_click = function() self:cheapest() end },
      },
      self.loading and progress { id = "loading", spinning = true },
      list { id = "results", items = self:shown(), empty = text { self.results and "Nothing found" or "", id = "empty" },
        row = function(p) return row { text { p.title, id = "product", weight = 1 }, text { money(p.cents), id = "price" } } end,
        on_item_click = function(_, p) self:start("Product", { id = p.id }) end },
      bottom(self, "Search"),
    }
  end,
}

-- ---- one product ----

activity "Product" {
  create = function(self, intent, saved)
    self.product = product_by_id(intent.id)
    self.pieces = saved and saved.pieces or 1
  end,
  save = function(self, out) out.pieces = self.pieces end,
  open_cart = function(self)
    self:start("Cart")
    self:finish()
  end,
  wished = function(self) return index_of(storage.wishes, self.product.id) end,
  toggle_wish = function(self)
    local place = self:wished()
    if not place then return table.insert(storage.wishes, self.product.id) end
    if bug("wrong_wish") then return table.remove(storage.wishes) end     -- the newest wish, whoever's it is
    table.remove(storage.wishes, place)
  end,
  view = function(self)
    local p = self.product
    if not p then return column { toolbar { "Product", up = true }, text { "We no longer sell this", id = "gone" } } end
    return column {
      toolbar { p.title, up = true, subtitle = p.group,
        actions = { { "Cart", id = "open_cart", on_click = function() self:open_cart() end } } },
      image { id = "picture", desc = p.title, height = 400 },
      text { money(p.cents), id = "price", size = "large" },
      row {
        button { "-", id = "fewer", enabled = self.pieces > 1, on_click = function() self.pieces = self.pieces - 1 end },
        text { tostring(self.pieces), id = "pieces" },
        button { "+", id = "more", enabled = self.pieces < 9, on_click = function() self.pieces = self.pieces + 1 end },
      },
      button { "Add to cart", id = "add_to_cart", on_click = function() add_to_cart(p, self.pieces) end },
      button { self:wished() and "Remove from wish list" or "Wish for it", id = "wish", on_click = function() self:toggle_wish() end },
    }
  end,
}

activity "Wishes" {
  view = function(self)
    return column {
      toolbar { "Wish list", up = true },
      list { id = "wish_list", items = storage.wishes, empty = text { "No wishes", id = "empty" },
        row = function(id) return text { product_by_id(id).title, id = "wish_row" } end,
        on_item_click = function(_, id) self:start("Product", { id = id }) end },
    }
  end,
}

-- ---- the cart ----

activity "Cart" {
  change_pieces = function(self, i, pieces)
    if pieces > 0 then
      storage.cart[i].pieces = pieces
    else
      table.remove(storage.cart, i)
      if not bug("zero_pieces") then return end
    end
    toast(list_get(storage.cart, i).title .. ": " .. pieces)
  end,
  ask_pieces = function(self, i, line)
    self:set_text("new_pieces", "")
    self:dialog { title = line.title, cancel = "Cancel", ok = "Change",
      view = function() return column { field { id = "new_pieces", hint = "Pieces", input = "number", max = 2 } } end,
      on_ok = function()
        local pieces = tonumber(self:text("new_pieces"))
        if pieces then self:change_pieces(i, pieces) end
      end }
  end,
  redeem = function(self, code)
    if not COUPONS[code] then return toast("This coupon is not valid") end
    if not bug("coupon_twice") and index_of(storage.coupons, code) then return toast("Already used") end
    table.insert(storage.coupons, code)
  end,
  ask_coupon = function(self)
    self:set_text("code", "")
    self:dialog { title = "Coupon", cancel = "Cancel", ok = "Redeem",
      view = function() return column { field { id = "code", hint = "Code" } } end,
      on_ok = function() self:redeem(trim(self:text("code")):upper()) end }
  end,
  menu = function(self)
    return { { "Empty cart", id = "empty_cart", on_click = function() storage.cart, storage.coupons = {}, {} end } }
  end,
  view = function(self)
    local total = goods_total() - discount()
    return column {
      toolbar { "Cart", up = true },
      list { id = "cart_list", items = storage.cart, empty = text { "Your cart is empty", id = "empty" },
        row = function(line)
          return row { text { line.pieces .. " x " .. line.title, id = "line", weight = 1 }, text { money(line.cents * line.pieces), id = "line_price" } }
        end,
        on_item_click = function(_, line) toast(money(line.cents) .. " each") end,
        on_item_long_click = function(i, line) self:ask_pieces(i, line) end },
      text { "Discount: " .. money(discount()), id = "discount" },
      text { "Total: " .. money(total), id = "total", size = "large" },
      row {
        button { "Coupon", id = "coupon", on_click = function() self:ask_coupon() end },
        button { "Checkout", id = "checkout", enabled = #storage.cart > 0, on_click = function() self:start("Checkout") end },
      },
      bottom(self, "Cart"),
    }
  end,
}

-- ---- checkout ----

local function delivery_days(zip)
  if bug("letters_in_zip") then return parse_int(zip) < 50000 and 2 or 3 end
  local number = tonumber(zip:match("^%d+$"))
  return number and number < 50000 and 2 or 3
end

activity "Checkout" {
  create = function(self)
    local goods, off = goods_total(), discount()
    local pays = goods - off
    if pays == 0 and not bug("free_order") then
      self.saves = 100
    else
      self.saves = pays > 0 and off * 100 // goods or off * 100 // pays     -- of what is paid, as the cart shows it
    end
  end,
  continue = function(self)
    local name, street, zip = trim(self:text("name")), trim(self:text("street")), trim(self:text("zip"))
    if name == "" or street == "" or zip == "" then return toast("Please fill in everything") end
    if #storage.cart == 0 then return toast("Your cart is empty") end
    self:start("Payment", { name = name, days = delivery_days(zip), express = self:checked("express") })
    self:finish()
  end,
  view = function(self)
    return column {
      toolbar { "Delivery", up = true, subtitle = "You save " .. self.saves .. " %" },
      scroll {
        field { id = "name", hint = "Name" },
        field { id = "street", hint = "Street" },
        field { id = "zip", hint = "Zip code" },
        check { "Express", id = "express", default = false },
        button { "Continue", id = "continue", on_click = function() self:continue() end },
      },
    }
  end,
}

activity "Payment" {
  pay = function(self)
    if #storage.cart == 0 then return toast("Your cart is empty") end
    if self.paying then return end
    self.paying = true
    local order = { lines = storage.cart, cents = goods_total() - discount() + (self.intent.express and 990 or 490), day = date(now(), "%Y-%m-%d") }
    net.post("https://shop.example.org/order", { lines = #order.lines }, function(reply)
      self.paying = false
      if not reply.ok then return toast("The shop cannot be reached") end
      order.number = reply.body.number
      table.insert(storage.orders, order)
      storage.cart, storage.coupons = {}, {}
      if self:is_finishing() then return end
      self:start("Thanks", { number = order.number, days = self.intent.days })
      self:finish()
    end)
  end,
  view = function(self)
    return column {
      toolbar { "Payment", up = true },
      text { "For " .. (self.intent.name or "nobody"), id = "for_whom" },
      radios { id = "method", items = { "Card", "Invoice", "Cash on delivery" } },
      text { "To pay: " .. money(goods_total() - discount() + (self.intent.express and 990 or 490)), id = "to_pay" },
      self.paying and progress { id = "paying", spinning = true } or button { "Pay", id = "pay", on_click = function() self:pay() end },
    }
  end,
}

activity "Thanks" {
  view = function(self)
    return column {
      toolbar { "Thank you", up = true },
      text { "Order " .. (self.intent.number or "?"), id = "number", size = "large" },
      text { "It comes in " .. (self.intent.days or 3) .. " days", id = "days" },
      button { "My orders", id = "orders", on_click = function()
        self:start("Orders")
        self:finish()
      end },
    }
  end,
}

-- ---- orders ----

activity "Orders" {
  view = function(self)
    return column {
      toolbar { "Orders", up = true },
      list { id = "order_list", items = storage.orders, empty = text { "No orders", id = "empty" },
        row = function(order) return text { "Order " .. order.number .. ", " .. order.day .. ", " .. money(order.cents), id = "order" } end,
        on_item_click = function(_, order) self:start("Order", { number = order.number }) end },
      bottom(self, "Orders"),
    }
  end,
}

activity "Order" {
  buy_again = function(self, order)
    local missing = 0
    for _, line in ipairs(order.lines) do
      local product = product_by_id(line.id)
      if not product and not bug("discontinued") then
        missing = missing + 1
      else
        add_to_cart(product, line.pieces)
      end
    end
    toast(missing > 0 and missing .. " no longer sold" or "In your cart")
  end,
  view = function(self)
    local order = find(storage.orders, function(o) return o.number == self.intent.number end)
    if not order then return column { toolbar { "Order", up = true }, text { "Unknown order", id = "gone" } } end
    return column {
      toolbar { "Order " .. order.number, up = true, subtitle = order.day },
      each(order.lines, function(line) return text { line.pieces .. " x " .. line.title, id = "order_line" } end),
      text { "Total: " .. money(order.cents), id = "order_total" },
      button { "Buy again", id = "buy_again", on_click = function() self:buy_again(order) end },
      button { "Return it", id = "return_it", on_click = function()
        self:start_implicit { action = "SENDTO", uri = "mailto:returns@shop.example.org" }
      end },
    }
  end,
}
