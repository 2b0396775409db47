// A generated feature: a request made in three steps, whose draft outlives each of them.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kWizard = R"lua(
local CHOICES = { { "Plain", ${p1} }, { "Good", ${p2} }, { "Best", ${p3} } }

!lost_draft| local function draft() return storage.${key}_draft end
?lost_draft| ${key}_draft = nil
?lost_draft| local function draft()
?lost_draft|   if bug("${bug:lost_draft}") then return ${key}_draft end
?lost_draft|   return storage.${key}_draft
?lost_draft| end
?old_total| ${key}_total = nil

local function begin()
  storage.${key}_draft = { persons = 1 }
  ?lost_draft| ${key}_draft = storage.${key}_draft
  ?old_total| ${key}_total = nil
end

starters[#starters + 1] = function()
  storage.${key} = storage.${key} or {}
  storage.${key}_draft = storage.${key}_draft or { persons = 1 }
end

activity "${A}Start" {
  view = function(self)
    return column {
      toolbar { "${T}", up = true },
      button { "New request", id = "begin", on_click = function()
        begin()
        self:start("${A}Name")
      end },
      list { id = "requests", items = storage.${key}, empty = text { "No requests yet", id = "empty" },
        row = function(r) return text { r.name .. ": " .. r.total, id = "request" } end,
        on_item_long_click = function(i) table.remove(storage.${key}, i) end },
    }
  end,
}

activity "${A}Name" {
  next_step = function(self)
    local name = trim(self:text("name"))
    if name == "" then return toast("Who are you?") end
    draft().name = name
    self:hide_keyboard()
    self:start("${A}Choice")
  end,
  view = function(self)
    return column {
      toolbar { "${T}, 1 of 3", up = true },
      field { id = "name", hint = "Your name" },
      button { "Next", id = "to_choice", on_click = function() self:next_step() end },
    }
  end,
}

activity "${A}Choice" {
  create = function(self)
    !forgets_choice| self.choice = draft() and draft().choice
    ?forgets_choice| if not bug("${bug:forgets_choice}") then self.choice = draft() and draft().choice end
  end,
  next_step = function(self)
    !no_choice| if not draft().choice then return toast("Choose one") end
    ?no_choice| if not draft().choice and not bug("${bug:no_choice}") then return toast("Choose one") end
    local persons = math.tointeger(tonumber(self:text("persons"))) or 1
    !nobody| draft().persons = math.max(1, persons)
    ?nobody| draft().persons = bug("${bug:nobody}") and persons or math.max(1, persons)
    self:hide_keyboard()
    self:start("${A}Summary")
  end,
  view = function(self)
    return column {
      toolbar { "${T}, 2 of 3", up = true },
      each(CHOICES, function(c, i)
        return button { (self.choice == i and "* " or "") .. c[1], id = "choice_" .. i, on_click = function()
          self.choice = i
          draft().choice = i
        end }
      end),
      field { id = "persons", hint = "How many persons", input = "number", max = 3 },
      button { "Next", id = "to_summary", on_click = function() self:next_step() end },
    }
  end,
}

activity "${A}Summary" {
  create = function(self)
    local d = draft()
    !no_choice| if not d.choice then return end
    ?no_choice| if not d.choice and (not d.name or not bug("${bug:no_choice}")) then return end
    local price = CHOICES[d.choice]
    !no_choice| self.total = price[2] * d.persons
    ?no_choice| self.total = price[2] * d.persons
    ?old_total| if bug("${bug:old_total}") then
    ?old_total|   ${key}_total = ${key}_total or self.total       -- computed once is computed for ever
    ?old_total|   self.total = ${key}_total
    ?old_total| end
    !nobody| self.share = self.total // d.persons
    ?nobody| if d.persons > 0 or bug("${bug:nobody}") then self.share = self.total // d.persons end
  end,
  send = function(self)
    table.insert(storage.${key}, { name = draft().name or "?", total = self.total })
    begin()
    self:start("${A}Done")
    self:finish()
  end,
  view = function(self)
    if not self.total then return column { toolbar { "${T}", up = true }, text { "Nothing chosen", id = "gone" } } end
    return column {
      toolbar { "${T}, 3 of 3", up = true },
      text { "For " .. (draft().name or "?"), id = "for_whom" },
      text { "Total " .. self.total, id = "total", size = "large" },
      text { "Each pays " .. (self.share or 0), id = "share" },
      button { "Send", id = "send", on_click = function() self:send() end },
    }
  end,
}

activity "${A}Done" {
  view = function(self)
    return column { toolbar { "Thank you", up = true }, text { #storage.${key} .. " requests sent", id = "sent" } }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::wizard() {
  return {
      .name = "wizard",
      .screens = 5,
      .entry = "${A}Start",
      .lua = kWizard,
      .bugs = {{.name = "lost_draft",
                .kind = "crash",
                .what = "The draft lives in the process only and dies with it",
                .events = "tap begin\ntype name \"Ann\"\ntap to_choice\nsystem kill\nlaunch\ntap choice_2"},
               {.name = "no_choice",
                .kind = "crash",
                .what = "The summary of a request in which nothing was chosen",
                .events = "tap begin\ntype name \"Ann\"\ntap to_choice\ntap to_summary",
                .conflicts = "forgets_choice"},
               {.name = "nobody",
                .kind = "crash",
                .what = "Shared among nobody",
                .events = "tap begin\ntype name \"Ann\"\ntap to_choice\ntap choice_2\ntype persons "
                          "\"0\"\ntap to_summary"},
               {.name = "forgets_choice",
                .kind = "functional",
                .what = "The choice is not shown any more when one comes back to it",
                .events = "tap begin\ntype name \"Ann\"\ntap to_choice\ntap choice_2\nback\ntap to_choice"},
               {.name = "old_total",
                .kind = "functional",
                .what = "A total seen once stays when another choice is made",
                .events = "tap begin\ntype name \"Ann\"\ntap to_choice\ntap choice_1\ntap "
                          "to_summary\nback\ntap choice_3\ntap to_summary"}}};
}

}  // namespace norn::sim
