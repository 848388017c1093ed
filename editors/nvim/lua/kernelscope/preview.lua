--- A preview beside the source whose cursor follows the source's, and the other way round.
local M = {}

local namespace = vim.api.nvim_create_namespace("kernelscope_preview")
local filetypes = { ptx = "ptx", sass = "ptx", amdgcn = "amdgcn", llvm = "llvm", ttgir = "tritonir" }

--- The links of each preview, by the buffer that shows it: { to_output = {line -> lines}, to_source = ... }.
local previews = {}

vim.api.nvim_set_hl(0, "KernelscopeLinked", { default = true, link = "Visual" })

local function index(pairs_of_lines)
	local to_output, to_source = {}, {}
	for _, pair in ipairs(pairs_of_lines) do
		local ir, output = pair[1], pair[2]
		to_output[ir] = to_output[ir] or {}
		table.insert(to_output[ir], output)
		to_source[output] = to_source[output] or {}
		table.insert(to_source[output], ir)
	end
	return to_output, to_source
end

--- Marks `lines` (from zero) of `buffer` and brings the first into view.
local function mark(buffer, lines)
	vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
	for _, line in ipairs(lines or {}) do
		vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, { line_hl_group = "KernelscopeLinked" })
	end
	local window = vim.fn.bufwinid(buffer)
	if lines and lines[1] and window ~= -1 then
		vim.api.nvim_win_set_cursor(window, { lines[1] + 1, 0 })
	end
end

local function follow(from, to, lines_of)
	vim.api.nvim_create_autocmd("CursorMoved", {
		group = vim.api.nvim_create_augroup(("kernelscope_follow_%d_%d"):format(from, to), {}),
		buffer = from,
		callback = function()
			if not vim.api.nvim_buf_is_valid(to) then
				return true
			end
			mark(to, lines_of()[vim.api.nvim_win_get_cursor(0)[1] - 1])
		end,
	})
end

local function open(source, name)
	local buffer = vim.fn.bufnr("^" .. vim.fn.escape(name, "[]*?\\") .. "$")
	if buffer == -1 then
		buffer = vim.api.nvim_create_buf(true, true)
		vim.api.nvim_buf_set_name(buffer, name)
		vim.bo[buffer].bufhidden = "hide"
		previews[buffer] = { to_output = {}, to_source = {} }
		follow(source, buffer, function()
			return previews[buffer].to_output
		end)
		follow(buffer, source, function()
			return previews[buffer].to_source
		end)
	end
	if vim.fn.bufwinid(buffer) == -1 then
		local window = vim.api.nvim_get_current_win()
		vim.cmd("vertical rightbelow sbuffer " .. buffer)
		vim.api.nvim_set_current_win(window)
	end
	return buffer
end

--- Shows what `request` ({emit, arch, kernel, uri}) asks for; without a uri, of the current buffer.
function M.show(request)
	local source = request.uri and vim.uri_to_bufnr(request.uri) or vim.api.nvim_get_current_buf()
	request.uri = vim.uri_from_bufnr(source)
	require("kernelscope").execute("kernelscope.preview", request, source, function(result)
		local stem = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(source), ":t:r")
		local buffer = open(source, ("kernelscope://%s.%s"):format(stem, request.emit))
		vim.bo[buffer].modifiable = true
		vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(result.text, "\n", { plain = true }))
		vim.bo[buffer].modifiable = false
		vim.bo[buffer].filetype = filetypes[request.emit]
		local preview = previews[buffer]
		preview.to_output, preview.to_source = index(result.lines)
		mark(buffer, preview.to_output[vim.api.nvim_win_get_cursor(vim.fn.bufwinid(source))[1] - 1])
	end)
end

return M
