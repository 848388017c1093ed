--- A preview beside the source, recompiled after each edit. The cursors of the two follow each other.
local M = {}

local age_namespace = vim.api.nvim_create_namespace("kernelscope_age")
local linked = require("kernelscope.linked")
local filetypes = { ptx = "ptx", sass = "nvidia-sass", amdgcn = "amdgcn", llvm = "llvm", ttgir = "tritonir" }
--- Edits within this many milliseconds share one compile.
local quiet_time = 250

--- Lines of assembly that say nothing about instructions: places in the source, sections, labels that nothing jumps to.
local noise = {
	ptx = {
		"^%s*%.loc%s",
		"^%s*%.file%s",
		"^%s*//",
		"^%$L__tmp%d+:",
		"^%$L__func_%w+:",
		"^%s*%.b%d+%s",
		"^%s*%.section%s+%.debug_%w+%s*{%s*}",
		"^%s*$",
	},
	amdgcn = { "^%s*%.loc%s", "^%s*%.file%s", "^%.Ltmp%d+:", "^%.Lfunc_%w+:", "^%s*%.cfi_", "^%s*%.p2align", "^%s*$" },
}

--- Whether previews leave the noise out; :KernelscopeNoise changes it.
M.is_quiet = true

--- `lines` without the noise of `emit`, and for each line of `lines` its new number, from zero.
local function quiet_lines(lines, emit)
	if not M.is_quiet or not noise[emit] then
		return lines, nil
	end
	local kept, numbers = {}, {}
	for number, line in ipairs(lines) do
		local is_noise = false
		for _, pattern in ipairs(noise[emit]) do
			is_noise = is_noise or line:find(pattern) ~= nil
		end
		if not is_noise then
			table.insert(kept, line)
			numbers[number - 1] = #kept - 1
		end
	end
	return kept, numbers
end

--- By the buffer that shows it: {source, request, to_output = {line -> lines}, to_source = ...}.
local previews = {}

--- Compiles the source as it is now; `shown` is called once the text is in `buffer`.
local function compile(buffer, shown)
	local preview = previews[buffer]
	require("kernelscope").execute("kernelscope.preview", preview.request, preview.source, function(result)
		if not vim.api.nvim_buf_is_loaded(buffer) then
			return
		end
		vim.bo[buffer].modifiable = true
		local lines, numbers = quiet_lines(vim.split(result.text, "\n", { plain = true }), preview.request.emit)
		vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
		vim.bo[buffer].modifiable = false
		local links = {}
		for _, pair in ipairs(result.lines) do
			local output = numbers and numbers[pair[2]] or (not numbers and pair[2])
			if output then
				table.insert(links, { pair[1], output })
			end
		end
		preview.to_output, preview.to_source = linked.index(links)
		if shown then
			shown()
		end
		local window = vim.fn.bufwinid(preview.source)
		if window ~= -1 then
			linked.mark(buffer, preview.to_output[vim.api.nvim_win_get_cursor(window)[1] - 1])
		end
	end)
end

--- Says in the first line of `buffer` that its text is of the source before its errors, or no longer.
local function show_age(buffer, is_old)
	vim.api.nvim_buf_clear_namespace(buffer, age_namespace, 0, -1)
	if is_old then
		local text = { { "(compiled before the errors in the source)", "WarningMsg" } }
		vim.api.nvim_buf_set_extmark(buffer, age_namespace, 0, 0, { virt_text = text })
	end
end

--- Moves the links of `preview` as an edit moves lines: what began in line `first` and ended in `last` now ends in
--- `new_last`. With `is_whole` it began before the first word of its line, which is now in the line where it ends.
local function move_links(preview, first, last, new_last, is_whole)
	local links = {}
	for line, outputs in pairs(preview.to_output) do
		local is_after = line > last or line == last and (last > first or is_whole)
		local moved = line < first and line or is_after and line + new_last - last or math.min(line, new_last)
		for _, output in ipairs(outputs) do
			table.insert(links, { moved, output })
		end
	end
	preview.to_output, preview.to_source = linked.index(links)
end

--- Recompiles after an edit that leaves no error.
local function watch(source, buffer)
	vim.api.nvim_buf_attach(source, false, {
		on_bytes = function(_, _, _, first, column, _, old_rows, _, _, new_rows)
			if not previews[buffer] or not vim.api.nvim_buf_is_valid(buffer) then
				return true
			end
			local before = vim.api.nvim_buf_get_lines(source, first, first + 1, false)[1] or ""
			local is_whole = not before:sub(1, column):find("%S")
			move_links(previews[buffer], first, first + old_rows, first + new_rows, is_whole)
		end,
	})
	vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, {
		group = vim.api.nvim_create_augroup(("kernelscope_edit_%d_%d"):format(source, buffer), {}),
		buffer = source,
		callback = function()
			if not previews[buffer] or not vim.api.nvim_buf_is_valid(buffer) then
				return true
			end
			local tick = vim.api.nvim_buf_get_changedtick(source)
			vim.defer_fn(function()
				local is_newest = vim.api.nvim_buf_is_loaded(source)
					and vim.api.nvim_buf_get_changedtick(source) == tick
				local errors = { severity = vim.diagnostic.severity.ERROR }
				if is_newest and vim.fn.bufwinid(buffer) ~= -1 then
					local is_broken = #vim.diagnostic.get(source, errors) > 0
					show_age(buffer, is_broken)
					if not is_broken then
						compile(buffer)
					end
				end
			end, quiet_time)
		end,
	})
end

--- The buffer of the preview that `request` names, created on first use.
local function buffer_for(source, request)
	local name = request.kernel
	if not name or #require("kernelscope").kernels(source) < 2 then
		name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(source), ":t:r")
		name = name ~= "" and name or "untitled"
	end
	name = ("kernelscope://%d/%s.%s"):format(source, name, request.emit)
	local buffer = vim.fn.bufnr("^" .. vim.fn.escape(name, "[]*?\\") .. "$")
	if buffer == -1 then
		buffer = vim.api.nvim_create_buf(true, true)
		vim.api.nvim_buf_set_name(buffer, name)
		vim.bo[buffer].bufhidden = "hide"
		vim.bo[buffer].filetype = filetypes[request.emit]
		local preview = { source = source, to_output = {}, to_source = {} }
		previews[buffer] = preview
		linked.follow(source, buffer, function()
			return preview.to_output
		end)
		linked.follow(buffer, source, function()
			return preview.to_source
		end)
		watch(source, buffer)
	end
	previews[buffer].request = request
	return buffer
end

--- Shows or leaves out what says nothing about instructions, in all previews.
function M.toggle_noise()
	M.is_quiet = not M.is_quiet
	for buffer in pairs(previews) do
		if vim.api.nvim_buf_is_loaded(buffer) then
			compile(buffer)
		end
	end
end

--- The source of a preview; any other buffer is its own.
function M.source_of(buffer)
	return previews[buffer] and previews[buffer].source or buffer
end

--- The cursor's line in `source`, from zero; nil if no window shows it.
function M.cursor_line(source)
	local window = vim.fn.bufwinid(source)
	return window ~= -1 and vim.api.nvim_win_get_cursor(window)[1] - 1 or nil
end

--- Shows the preview for `request` ({emit, arch, kernel, uri}); without a uri, of the current buffer.
function M.show(request)
	local kernelscope = require("kernelscope")
	if not kernelscope.client() then
		return kernelscope.report_no_server()
	end
	local source = request.uri and vim.uri_to_bufnr(request.uri) or M.source_of(vim.api.nvim_get_current_buf())
	request = vim.tbl_extend("keep", { uri = vim.uri_from_bufnr(source) }, request)
	request.line = request.line or M.cursor_line(source)
	request.archs = kernelscope.config().arch
	local buffer = buffer_for(source, request)
	compile(buffer, function()
		if vim.fn.bufwinid(buffer) == -1 then
			local window = vim.api.nvim_get_current_win()
			vim.cmd("vertical rightbelow sbuffer " .. buffer)
			vim.api.nvim_set_current_win(window)
		end
	end)
end

return M
