--- Run: the kernel on the local GPU or the CPU executor, its report in a split.
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

--- Runs what `request` ({uri, kernel, device}) names; without a uri, the current buffer.
function M.run(request)
	local source = request.uri and vim.uri_to_bufnr(request.uri) or vim.api.nvim_get_current_buf()
	request.uri = vim.uri_from_bufnr(source)
	require("kernelscope").execute("kernelscope.run", request, source, function(result)
		show(result.report)
	end)
end

return M
