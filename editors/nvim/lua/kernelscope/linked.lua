--- Buffers whose cursors follow each other through links between their lines. Links are transitive: from Python to IR, and
--- from there to PTX.
local M = {}

local namespace = vim.api.nvim_create_namespace("kernelscope_preview")
--- By buffer, the buffers that follow it, each with a function that returns {line -> lines}, from zero.
local followers = {}

vim.api.nvim_set_hl(0, "KernelscopeLinked", { default = true, link = "Visual" })

--- Pairs of lines as two maps, {line -> lines} there and back.
function M.index(pairs_of_lines)
	local there, back = {}, {}
	for _, pair in ipairs(pairs_of_lines) do
		local first, second = pair[1], pair[2]
		there[first] = there[first] or {}
		table.insert(there[first], second)
		back[second] = back[second] or {}
		table.insert(back[second], first)
	end
	return there, back
end

--- Marks `lines` (from zero) of `buffer` and brings the first into view.
function M.mark(buffer, lines)
	vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
	local count = vim.api.nvim_buf_line_count(buffer)
	-- An edit may have removed lines since.
	lines = vim.tbl_filter(function(line)
		return line < count
	end, lines or {})
	for _, line in ipairs(lines) do
		vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, { line_hl_group = "KernelscopeLinked" })
	end
	local window = vim.fn.bufwinid(buffer)
	if lines[1] and window ~= -1 then
		vim.api.nvim_win_set_cursor(window, { lines[1] + 1, 0 })
	end
end

--- Marks what `lines` of `buffer` lead to, in each buffer that `seen` does not have.
local function spread(buffer, lines, seen)
	for to, lines_of in pairs(followers[buffer] or {}) do
		if not vim.api.nvim_buf_is_valid(to) then
			followers[buffer][to] = nil
		elseif not seen[to] and vim.api.nvim_buf_is_loaded(to) then
			seen[to] = true
			local map, found, known = lines_of(), {}, {}
			for _, line in ipairs(lines) do
				for _, linked in ipairs(map[line] or {}) do
					if not known[linked] then
						known[linked] = true
						table.insert(found, linked)
					end
				end
			end
			table.sort(found)
			M.mark(to, found)
			spread(to, found, seen)
		end
	end
end

--- Lets `to` follow the cursor in `from`; `lines_of` returns {line -> lines}.
function M.follow(from, to, lines_of)
	if not followers[from] then
		followers[from] = {}
		vim.api.nvim_create_autocmd("CursorMoved", {
			group = vim.api.nvim_create_augroup("kernelscope_follow_" .. from, {}),
			buffer = from,
			callback = function()
				spread(from, { vim.api.nvim_win_get_cursor(0)[1] - 1 }, { [from] = true })
			end,
		})
	end
	followers[from][to] = lines_of
end

--- Shows `other` beside the IR, unless a window has it, and lets their cursors follow each other; `side` is "leftabove" or
--- "rightbelow", `to_other` and `to_ir` are {line -> lines}.
function M.beside(ir, other, side, to_other, to_ir)
	local window = vim.fn.bufwinid(ir)
	if vim.fn.bufwinid(other) == -1 then
		vim.api.nvim_set_current_win(window)
		vim.cmd("vertical " .. side .. " sbuffer " .. other)
		vim.api.nvim_set_current_win(window)
	end
	M.follow(ir, other, function()
		return to_other
	end)
	M.follow(other, ir, function()
		return to_ir
	end)
	M.mark(other, to_other[vim.api.nvim_win_get_cursor(window)[1] - 1])
end

return M
