-- A password safe. Nothing inside is reached without the right words at the door, so that exploring it needs a set-up or a
-- pool of texts; one button inside must never be pressed, another leaves the app.
app { package = "org.example.vault", title = "Vault", main = "Door",
      bugs = { "short_secret", "copied_nothing", "erased" } }

activity "Door" {
  view = function(self)
    return column {
      toolbar { "Vault" },
      field { id = "words", hint = "Words" },
      button { "Open", id = "open", on_click = function()
        if self:text("words") == "open sesame" then self:start("Inside") else toast("No") end
      end },
    }
  end,
}

activity "Inside" {
  create = function() storage.secrets = storage.secrets or {} end,
  view = function(self)
    return column {
      toolbar { "Secrets", actions = {
        { "Add", id = "add", on_click = function() self:start("Add") end },
        { "Copy last", id = "copy", on_click = function()
          local last = storage.secrets[#storage.secrets]
          if not last and not bug("copied_nothing") then return toast("Nothing yet") end
          clipboard.set(last.text)
        end },
      } },
      button { "Website", id = "website", on_click = function()
        self:start_implicit { action = "VIEW", uri = "https://example.org" }
      end },
      button { "Delete account", id = "delete_account", on_click = function()
        if bug("erased") then throw("java.lang.IllegalStateException", "account deleted") end
      end },
      list { id = "secrets", items = storage.secrets,
             row = function(s) return row { text { s.text, id = "secret" } } end,
             on_item_long_click = function(i) table.remove(storage.secrets, i) end },
    }
  end,
}

activity "Add" {
  view = function(self)
    return column {
      toolbar { "New secret", up = true },
      field { id = "secret_text", hint = "Secret" },
      button { "Save", id = "save", on_click = function()
        local text = self:text("secret_text")
        if #text < 2 and not bug("short_secret") then return toast("Too short") end
        if #text < 2 then throw("java.lang.StringIndexOutOfBoundsException", "length=" .. #text) end
        table.insert(storage.secrets, { text = text })
        self:finish()
      end },
    }
  end,
}
