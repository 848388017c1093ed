--- Run: runs the kernel on the local GPU or the CPU executor and shows its report in a split.
local M = {}

local name = "kernelscope://run"

local function show(report)
	local buffer = vim.fn.bufnr("^" .. name .. "$")
	if buffer == -1 then
		buffer = vim.api.nvim_create_buf(true, true)
		vim.api.nvim_buf_set_name(buffer, name)
	end
	vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(report, "\n", { plain = true }))
	if vim.fn.bufwinid(buffer) == -1 then
		local window = vim.api.nvim_get_current_win()
		vim.cmd("botright 12split | buffer " .. buffer)
		vim.api.nvim_set_current_win(window)
	end
end

--- The kernel that the cursor is in; before the first kernel, the first one.
local function kernel_at_cursor(source)
	local kernels = require("kernelscope").kernels(source)
	if #kernels < 2 then
		return nil
	end
	local line = require("kernelscope.preview").cursor_line(source) or 0
	local at = kernels[1]
	for _, kernel in ipairs(kernels) do
		if kernel.line <= line then
			at = kernel
		end
	end
	return at.name
end

--- Runs the kernel that `request` ({uri, kernel, device}) names; without a uri, the one under the cursor.
function M.run(request)
	local source = request.uri and vim.uri_to_bufnr(request.uri)
		or require("kernelscope.preview").source_of(vim.api.nvim_get_current_buf())
	request = vim.tbl_extend("keep", { uri = vim.uri_from_bufnr(source) }, request)
	request.kernel = request.kernel or kernel_at_cursor(source)
	request.line = request.line or require("kernelscope.preview").cursor_line(source)
	require("kernelscope").execute("kernelscope.run", request, source, function(result)
		show(result.report)
	end)
end

return M
