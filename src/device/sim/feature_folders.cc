// A generated feature: folders in folders, to go down into, cut, paste and delete.
#include "device/sim/generate_template.h"

namespace norn::sim {
namespace {

constexpr std::string_view kFolders = R"lua(
local function folder(id) return find(storage.${key}, function(f) return f.id == id end) end
local function inside(id) return filter(storage.${key}, function(f) return f.parent == id end) end

starters[#starters + 1] = function()
  if storage.${key} then return end
  storage.${key} = { { id = 1, name = "${T}" }, { id = 2, name = "${t1}", parent = 1 }, { id = 3, name = "${t2}", parent = 1 },
    { id = 4, name = "${k1}", parent = 2 } }
  storage.${key}_next = 5
end

activity "${A}Folder" {
  create = function(self, intent, saved)
    self.at = saved and saved.at or 1
    self.cut = saved and saved.cut
  end,
  save = function(self, out) out.at, out.cut = self.at, self.cut end,
  here = function(self)
    if not folder(self.at) then self.at = 1 end
    return folder(self.at)
  end,
  go_up = function(self)
    !deleted_here| local parent = self:here().parent
    ?deleted_here| local here = folder(self.at)
    ?deleted_here| if not here and not bug("${bug:deleted_here}") then here = self:here() end
    ?deleted_here| local parent = here.parent
    if parent then self.at = parent else self:finish() end
  end,
  remove = function(self, id)
    storage.${key} = filter(storage.${key}, function(f) return f.id ~= id end)
    local orphans = filter(storage.${key}, function(f) return f.parent and not folder(f.parent) end)
    for _, f in ipairs(orphans) do
      f.parent = 1
    end
  end,
  ask_remove_here = function(self)
    if self.at == 1 then return toast("The first folder stays") end
    self:dialog { title = "Delete this folder?", message = #inside(self.at) .. " inside", cancel = "Cancel", ok = "Delete",
      on_ok = function()
        local gone = self:here()
        self:remove(gone.id)
        !deleted_here| self.at = gone.parent or 1
        ?deleted_here| if not bug("${bug:deleted_here}") then self.at = gone.parent or 1 end
      end }
  end,
  ask_new = function(self)
    self:set_text("folder_name", "")
    self:dialog { title = "New folder", cancel = "Cancel", ok = "Create",
      view = function() return column { field { id = "folder_name", hint = "Name" } } end,
      on_ok = function()
        local name = trim(self:text("folder_name"))
        if name == "" then return true end
        !new_outside| table.insert(storage.${key}, { id = storage.${key}_next, name = name, parent = self.at })
        ?new_outside| local parent = self.at
        ?new_outside| if bug("${bug:new_outside}") and self:here().parent then parent = self:here().parent end
        ?new_outside| table.insert(storage.${key}, { id = storage.${key}_next, name = name, parent = parent })
        storage.${key}_next = storage.${key}_next + 1
      end }
  end,
  +paste| paste = function(self)
  +paste|   if not self.cut then return toast("Nothing to paste") end
  +paste|   local moved = folder(self.cut)
  +paste!paste_gone|   if not moved or moved.id == self.at then return toast("Nothing to paste") end
  +paste?paste_gone|   if (not moved or moved.id == self.at) and not bug("${bug:paste_gone}") then return toast("Nothing to paste") end
  +paste?paste_gone|   if moved and moved.id == self.at then return toast("Not into itself") end
  +paste|   local up = folder(self.at)
  +paste|   for _ = 1, 50 do
  +paste|     if not up or up.id == moved.id then break end
  +paste|     up = up.parent and folder(up.parent)
  +paste|   end
  +paste|   if up then return toast("Not into itself") end
  +paste|   moved.parent = self.at
  +paste|   self.cut = nil
  +paste| end,
  menu = function(self)
    return {
      { "New folder", id = "new_folder", on_click = function() self:ask_new() end },
      { "Delete this folder", id = "delete_here", on_click = function() self:ask_remove_here() end },
      +paste| { "Paste", id = "paste", on_click = function() self:paste() end },
    }
  end,
  back = function(self)
    if self.at == 1 then return false end
    self:go_up()
    return true
  end,
  options_of = function(self, f)
    self:popup {
      { "Open", id = "open", on_click = function() self.at = f.id end },
      +paste| { "Cut", id = "cut", on_click = function() self.cut = f.id end },
      { "Delete", id = "delete", on_click = function() self:remove(f.id) end },
    }
  end,
  path = function(self)
    !deleted_here| local f = self:here()
    ?deleted_here| local f = folder(self.at) or folder(1)
    local names = { f.name }
    while f.parent and #names < 20 do
      f = folder(f.parent) or folder(1)
      table.insert(names, 1, f.name)
    end
    return table.concat(names, " / ")
  end,
  view = function(self)
    return column {
      toolbar { "${T}", up = true },
      text { self:path(), id = "path", size = "small" },
      button { "Up", id = "go_up", on_click = function() self:go_up() end },
      list { id = "folders", items = inside(self.at), empty = text { "Empty folder", id = "empty" },
        row = function(f) return text { f.name, id = "folder" } end,
        on_item_click = function(_, f) self.at = f.id end,
        on_item_long_click = function(_, f) self:options_of(f) end },
    }
  end,
}
)lua";

}  // namespace

FeatureTemplate features::folders() {
  return {.name = "folders",
          .screens = 5,
          .entry = "${A}Folder",
          .options = "paste",
          .lua = kFolders,
          .bugs = {
              {.name = "deleted_here",
               .kind = "crash",
               .what = "Going up from a folder that was just deleted",
               .events = "tap folder \"${t1}\"\nmenu\ntap delete_here\ntap android:id/button1\ntap go_up"},
              {.name = "paste_gone",
               .kind = "crash",
               .what = "Pasting a folder that was deleted after it was cut",
               .events = "long folder \"${t2}\"\ntap cut\nlong folder \"${t2}\"\ntap delete\nmenu\ntap paste",
               .needs = "paste"},
              {.name = "new_outside",
               .kind = "functional",
               .what = "A new folder appears beside the open one instead of inside",
               .events = "tap folder \"${t2}\"\nmenu\ntap new_folder\ntype folder_name \"Zebra\"\ntap "
                         "android:id/button1"}}};
}

}  // namespace norn::sim
