-- Run by try.py, with Neovim 0.7 or later, under the page's configuration, with kernel.py open. Asks what a user would,
-- prints what came.
local file = vim.env.KERNEL

local function say(what, value) io.stdout:write(what .. ": " .. value:gsub("\n", " | ") .. "\n") end
local function params(line, column)
  return { textDocument = { uri = vim.uri_from_fname(file) }, position = { line = line, character = column } }
end
local function ask(method, parameters)
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 5000) or {}
  for _, answer in pairs(answers) do return answer.result, answer.err end
end

if not vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20) then
  say("diagnostics", "none came")
  vim.cmd("cquit 1")
end
for _, each in ipairs(vim.diagnostic.get(0)) do say("diagnostic", (each.lnum + 1) .. " " .. each.message) end
local function lineOf(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then return number - 1, column - 1 end
  end
end
local line, column = lineOf("values =")
local hover = ask("textDocument/hover", params(line, column))
say("hover", hover and hover.contents.value or "nothing")
line, column = lineOf("double(gl")
local definition = ask("textDocument/definition", params(line, column))
say("definition", definition and definition[1] and tostring((definition[1].range or definition[1].targetSelectionRange).start.line + 1) or "nothing")
line, column = lineOf("gl.stor(")
local completion = ask("textDocument/completion", params(line, column + 5))
local labels = {}
for _, item in ipairs(completion and completion.items or {}) do
  if item.label:sub(1, 3) == "sto" then table.insert(labels, item.label) end
end
say("completion", table.concat(labels, " "))
vim.lsp.stop_client((vim.lsp.get_clients or vim.lsp.get_active_clients)())
vim.wait(2000, function() return vim.lsp.get_client_by_id(client) == nil end, 20)
vim.cmd("qall!")
