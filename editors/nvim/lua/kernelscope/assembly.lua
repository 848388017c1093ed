--- Assembly as LLVM writes it, PTX or AMDGCN: where its lines come from, and what two of it have in common.
--- VS Code's extension has the same in src/assembly.ts.
local M = {}

local function base_name(file)
	return (file:gsub("^.*/", ""))
end

--- Places as they are compared: `std.py:170:27 k.py:19:16`, lines and columns from zero.
local function chain_of(places)
	return table.concat(
		vim.tbl_map(function(place)
			return ("%s:%d:%d"):format(base_name(place[1]), place[2], place[3])
		end, places),
		" "
	)
end

local function outer_of(places)
	local last = places[#places]
	return ("%s:%d"):format(base_name(last[1]), last[2])
end

--- For each instruction of `lines`, by its number from zero, the calls that it comes from: {{file, line, column}, ...}, the
--- innermost first. The comment of a `.loc` has them all; without one, the file's number and line are the only place.
function M.places(lines)
	local files = {}
	for _, line in ipairs(lines) do
		local number, rest = line:match("^%s*%.file%s+(%d+)%s+(.*)$")
		local name = rest and (rest:match('^"[^"]*"%s+"([^"]*)"') or rest:match('^"([^"]*)"'))
		if name then
			files[number] = base_name(name)
		end
	end
	local result, places = {}, {}
	local function add(file, line, column)
		if file and file ~= "" and tonumber(line) > 0 then
			table.insert(places, { base_name(file), line - 1, math.max(column - 1, 0) })
		end
	end
	for number, line in ipairs(lines) do
		local code = vim.trim(line)
		local file, at, column, rest = code:match("^%.loc%s+(%d+)%s+(%d+)%s+(%d+)(.*)$")
		if file then
			places = {}
			for name, place_line, place_column in rest:gmatch("([^%s:%[%]]+):(%d+):(%d+)") do
				add(name, place_line, place_column)
			end
			if not rest:find(":%d+:%d+") then
				add(files[file], at, column)
			end
		elseif code:find("^%.Lfunc_end") or code:find("^}") or code:find("^%.section") or code:find("^-- End") then
			places = {}
		elseif #places > 0 and code:find("^[%a@]") and not code:find("^[%w_$.]+:") then
			result[number - 1] = places
		end
	end
	return result
end

--- Pairs of lines of IR and of assembly with the same chain of calls; for assembly whose chain no op has, with the same line of
--- the outermost file. `sources` is the answer to kernelscope/sourceLines, `places` is of `M.places`.
function M.links(sources, places)
	local by_chain, by_line = {}, {}
	local function add(map, key, line)
		map[key] = map[key] or {}
		table.insert(map[key], line)
	end
	for _, op in ipairs(sources.lines) do
		local chain = vim.tbl_map(function(place)
			return { sources.files[place[1] + 1].name, place[2], place[3] }
		end, op.places)
		add(by_chain, chain_of(chain), op.line)
		add(by_line, outer_of(chain), op.line)
	end
	local links = {}
	for output, chain in pairs(places) do
		for _, line in ipairs(by_chain[chain_of(chain)] or by_line[outer_of(chain)] or {}) do
			table.insert(links, { line, output })
		end
	end
	return links
end

--- The chip that assembly is for, such as `sm_90a`; nil where it does not say.
function M.arch(text)
	return text:match("%.target%s+(sm_%w+)") or text:match('%.amdgcn_target%s+"[^"]-(gfx%w+)')
end

--- Directives and labels that say nothing about instructions.
local noise = {
	"^%.version",
	"^%.loc",
	"^%.file",
	"^%.cfi_",
	"^%.p2align",
	"^%.ident",
	"^%.addrsig",
	"^%.globl",
	"^%.type",
	"^%.size",
	"^%.set",
	"^%.weak",
	"^%.hidden",
	"^%.protected",
	"^%.text",
	"^%$L__tmp",
	"^%$L__func_",
	"^%$L__info",
	"^%.Ltmp",
	"^%.Lfunc_",
	"^%.Linfo",
}

local function is_noise(code)
	for _, pattern in ipairs(noise) do
		if code:find(pattern) then
			return true
		end
	end
	return false
end

local function plain_ptx(code)
	code = code:gsub("(%%%a+)<%d+>", "%1<n>"):gsub("(%%%a+)%d+", "%1"):gsub("%$L__BB%d+_%d+", "$L__BB")
	code = code:gsub("%[%s*([^%]]-)%s*%+%s*0%s*%]", "[%1]"):gsub("%[%s*([^%]]-)%s*%]", "[%1]")
	return (code:gsub("{%s*([^}]-)%s*}", "{%1}"))
end

local function plain_amdgcn(code)
	code = code:gsub("%f[%w_]([vsa])%[(%d+):(%d+)%]", function(file, first, last)
		return ("%s[%d]"):format(file, last - first + 1)
	end)
	return (code:gsub("%f[%w_]([vsa])%d+%f[^%w_]", "%1"):gsub("%.LBB%d+_%d+", ".LBB"))
end

--- The instructions and directives alone, so that a diff of two shows what they do differently: no places, comments, debug
--- sections and labels that nothing jumps to. Registers have their class and width but no number, labels no number.
function M.normalized(text)
	local is_amd = text:find("amdgcn", 1, true) ~= nil
	local result, is_data = {}, false
	for _, line in ipairs(vim.split(text, "\n", { plain = true })) do
		local code = vim.trim((line:gsub("%s*//.*$", "")))
		if is_amd then
			code = vim.trim((code:gsub("%s*;.*$", "")))
		end
		if code:find("^%.section") then
			is_data = not code:find(".text", 1, true)
		elseif code:find("^%.text") or code:find("^%.visible") or code:find("^%.entry") or code:find("^%.func") then
			is_data = false
		elseif code:find("^%.amdgpu_metadata") then
			is_data = true
		end
		if not is_data and code ~= "" and not is_noise(code) then
			local plain = (is_amd and plain_amdgcn(code) or plain_ptx(code)):gsub("%s+", " ")
			table.insert(result, plain:find("^[.{}()]") and plain or plain:find(":$") and plain or "  " .. plain)
		end
	end
	return result
end

return M
