-- Neovim, headless, against the real server. From the root of the project, the program in $KERNELSCOPE:
--   nvim --headless -u NONE -c "luafile test/editors/nvim.lua"

local root = vim.fn.getcwd()
vim.opt.runtimepath:prepend(root .. "/editors/nvim")
vim.cmd("filetype plugin on | syntax on")
vim.cmd("runtime! ftdetect/*.vim plugin/*.lua")
require("kernelscope").setup({ cmd = { os.getenv("KERNELSCOPE"), "lsp" } })

local demo = root .. "/docs/demo/"
local passed, failed = 0, 0

local function eventually(what, condition)
	if vim.wait(30000, condition, 50) then
		passed = passed + 1
	else
		failed = failed + 1
		io.stderr:write("nvim: not seen: " .. what .. "\n")
	end
end

local function text_of(buffer)
	return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

local function buffer_named(pattern)
	for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
		if vim.api.nvim_buf_get_name(buffer):match(pattern) then
			return buffer
		end
	end
end

local function line_of(pattern)
	return vim.fn.search(pattern, "nw")
end

local function body()
	-- A broken dump: an error on each broken line.
	vim.cmd("edit " .. demo .. "broken.ttgir")
	eventually("the file type", function()
		return vim.bo.filetype == "tritonir"
	end)
	eventually("two errors", function()
		return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 2
	end)
	local lines = vim.tbl_map(function(diagnostic)
		return diagnostic.lnum + 1
	end, vim.diagnostic.get(0))
	table.sort(lines)
	eventually("the errors on their lines", function()
		return vim.deep_equal(lines, { line_of("end = 1000"), line_of("tt.splatt") })
	end)

	-- The repaired one: none, and hover.
	vim.cmd("edit " .. demo .. "softmax.ttgir")
	local source = vim.api.nvim_get_current_buf()
	local at = line_of("tt\\.load")
	vim.api.nvim_win_set_cursor(0, { at, (vim.fn.getline(at):find("tt.load", 1, true)) })
	local hover
	eventually("the hover of tt.load", function()
		local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(), 2000)
		for _, answer in pairs(answers or {}) do
			hover = answer.result and answer.result.contents.value
		end
		return hover and hover:find("tt.load", 1, true)
	end)
	eventually("no errors", function()
		return #vim.diagnostic.get(source) == 0
	end)

	-- PTX beside it, the cursors following each other.
	vim.cmd("KernelscopePtx sm_90a")
	local ptx
	eventually("the PTX", function()
		ptx = buffer_named("softmax%.ptx$")
		return ptx and text_of(ptx):find(".target sm_90a", 1, true)
	end)
	vim.api.nvim_win_set_cursor(0, { at, 0 })
	vim.cmd("doautocmd CursorMoved")
	eventually("the load's instruction under the preview's cursor", function()
		local window = vim.fn.bufwinid(ptx)
		local row = vim.api.nvim_win_get_cursor(window)[1]
		local marks = vim.api.nvim_buf_get_extmarks(ptx, vim.api.nvim_get_namespaces().kernelscope_preview, 0, -1, {})
		return #marks > 0 and row > 1
	end)

	-- Run on the CPU executor.
	vim.cmd("KernelscopeRun cpu")
	eventually("the report", function()
		local report = buffer_named("kernelscope://run$")
		return report and text_of(report):find("softmax", 1, true)
	end)
end

local ok, message = pcall(body)
if not ok then
	failed = failed + 1
	io.stderr:write(message .. "\n")
end
print(("%d passed, %d failed\n"):format(passed, failed))
vim.cmd(failed == 0 and "qall!" or "cquit!")
