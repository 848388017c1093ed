-- Neovim, headless, against the real server. From the root of the project, the program in $KERNELSCOPE:
--   nvim --headless -u NONE -c "luafile test/editors/nvim.lua"

local root = vim.fn.getcwd()
vim.opt.runtimepath:prepend(root .. "/editors/nvim")
vim.cmd("filetype plugin on | syntax on")
vim.cmd("runtime! ftdetect/*.vim plugin/*.lua")
local program = os.getenv("KERNELSCOPE")
local kernelscope = require("kernelscope")
kernelscope.setup({ cmd = { program, "lsp" } })
vim.o.hidden = true

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

--- What the user was told since the last look.
local told = ""
vim.notify = function(message)
	told = told .. message .. "\n"
end

local function told_of(what)
	eventually(("the message %q"):format(what), function()
		return told:find(what, 1, true)
	end)
	told = ""
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

local function line_of_buffer(buffer, pattern)
	return vim.fn.match(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), pattern) + 1
end

local function move_to(line)
	vim.api.nvim_win_set_cursor(0, { line, 0 })
	vim.cmd("doautocmd CursorMoved")
end

--- The lines (from one) that the preview's marks are on.
local function marked(buffer)
	local space = vim.api.nvim_get_namespaces().kernelscope_preview
	return vim.tbl_map(function(extmark)
		return extmark[2] + 1
	end, vim.api.nvim_buf_get_extmarks(buffer, space, 0, -1, {}))
end

--- A kernel that stores a number 128 times.
local function kernel(name, number)
	return ([[
  tt.func public @%s(%%out: !tt.ptr<f32>) {
    %%at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %%value = arith.constant dense<%d.0> : tensor<128xf32, #blocked>
    %%base = tt.splat %%out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %%to = tt.addptr %%base, %%at : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %%to, %%value : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }]]):format(name, number)
end

local function errors_on_their_lines()
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
	vim.cmd("KernelscopePtx")
	told_of(("line %d: 'tt.make_range' op needs"):format(line_of("end = 1000")))
	eventually("no window of a preview that failed", function()
		return #vim.api.nvim_tabpage_list_wins(0) == 1
	end)
end

local function hover()
	vim.cmd("edit " .. demo .. "softmax.ttgir")
	local at = line_of("tt\\.load")
	vim.api.nvim_win_set_cursor(0, { at, (vim.fn.getline(at):find("tt.load", 1, true)) })
	local text
	eventually("the hover of tt.load", function()
		local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(), 2000)
		for _, answer in pairs(answers or {}) do
			text = answer.result and answer.result.contents.value
		end
		return text and text:find("tt.load", 1, true)
	end)
	eventually("no errors", function()
		return #vim.diagnostic.get(0) == 0
	end)
end

--- Completion, rename and formatting, as the editor itself asks for them.
local function typing()
	local folder = vim.fn.tempname()
	vim.fn.mkdir(folder)
	local text = {
		"module {",
		"tt.func @f(%n: i32) {",
		"    %a=arith.addi %n,%n : i32",
		"    tt.get_prog",
		"    tt.return",
		"  }",
		"}",
	}
	vim.fn.writefile(text, folder .. "/typing.ttgir")
	vim.cmd("edit " .. folder .. "/typing.ttgir")
	eventually("the server for the file to type in", function()
		return #vim.lsp.get_active_clients({ bufnr = 0 }) > 0
	end)
	vim.api.nvim_win_set_cursor(0, { 4, 14 })
	vim.cmd("startinsert!")
	local params = vim.lsp.util.make_position_params()
	params.position.character = #text[4]
	eventually("the snippet of tt.get_program_id", function()
		for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/completion", params, 2000) or {}) do
			for _, item in ipairs(answer.result and answer.result.items or {}) do
				if item.label == "tt.get_program_id" then
					vim.lsp.util.apply_text_edits({ item.textEdit }, 0, "utf-16")
					return true
				end
			end
		end
	end)
	vim.cmd("stopinsert")
	eventually("its text without stops", function()
		return text_of(0):find("    %result = tt.get_program_id x : i32", 1, true)
	end)
	vim.api.nvim_win_set_cursor(0, { 2, 12 })
	vim.lsp.buf.rename("count")
	eventually("the new name at each use", function()
		return text_of(0):find("%a=arith.addi %count,%count", 1, true)
	end);
	(vim.lsp.buf.format or vim.lsp.buf.formatting_sync)()
	eventually("the formatted file", function()
		return text_of(0):find("\n  tt.func @f(%count: i32) {\n    %a = arith.addi %count, %count : i32\n", 1, true)
	end)
	eventually("no errors in what was typed", function()
		return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
	end)
	vim.cmd("edit! " .. demo .. "softmax.ttgir")
end

local function usual_keys()
	for _, keys in ipairs({ "K", "gd", "gr" }) do
		eventually("the key " .. keys, function()
			return vim.fn.maparg(keys, "n", false, true).buffer == 1
		end)
	end
end

local function only_mlir_of_triton()
	local folder = vim.fn.tempname()
	vim.fn.mkdir(folder)
	local texts = { other = "stablehlo.constant", own = "module {\n  tt.func @f() {\n    tt.return\n  }\n}" }
	for name, text in pairs(texts) do
		vim.fn.writefile(vim.split(text, "\n"), folder .. "/" .. name .. ".mlir")
		vim.cmd("edit " .. folder .. "/" .. name .. ".mlir")
		eventually(name .. ".mlir as it should be", function()
			return (vim.bo.filetype == "tritonir") == (name == "own")
		end)
	end
	vim.cmd("edit " .. demo .. "softmax.ttgir")
end

--- Each file that Triton writes has its language, and other languages keep theirs.
local function languages()
	local folder = vim.fn.tempname()
	vim.fn.mkdir(folder)
	local files = {
		{ "kernel.source", "tt.func @f() {", "tritonir" },
		{ "kernel.glir", "tt.func @f() {", "tritonir" },
		{ "kernel.ptx", "ld.global.b32 %r1, [%rd1];", "ptx" },
		{ "kernel.amdgcn", "s_endpgm", "amdgcn" },
		{ "kernel.llir", "define void @f() {", "llvm" },
		{ "nvdisasm.sass", "        /*0000*/                   LDC R1, c[0x0][0x28] ;", "nvidia-sass" },
		{ "kernel.sass", "Function:kernel", "nvidia-sass" },
		{ "style.sass", "$x: 1px", "sass" },
	}
	for _, file in ipairs(files) do
		vim.fn.writefile({ file[2] }, folder .. "/" .. file[1])
		vim.cmd("edit " .. folder .. "/" .. file[1])
		eventually(file[1] .. " as " .. file[3], function()
			return vim.bo.filetype == file[3] and vim.b.current_syntax == file[3]
		end)
	end
	vim.cmd("edit " .. demo .. "softmax.ttgir")
end

local function rewriting()
	local folder = vim.fn.tempname()
	vim.fn.mkdir(folder)
	local text = { "tt.func @f() {", "  ttg.local_barrier", "  tt.return", "}" }
	vim.fn.writefile(text, folder .. "/old.ttgir")
	vim.cmd("edit " .. folder .. "/old.ttgir")
	eventually("the server for the old file", function()
		return #vim.lsp.get_active_clients({ bufnr = 0 }) > 0
	end)
	vim.cmd("KernelscopeRewrite 3.8")
	eventually("3.8's barrier", function()
		return text_of(0):find("ttg.barrier local", 1, true)
	end)
	vim.cmd("edit! " .. demo .. "softmax.ttgir")
end

local function assembly_hover()
	for _, case in ipairs({
		{ ".ptx", "\tldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];", "loads 8 x 8 matrices" },
		{ ".amdgcn", "\tds_read_b128 v[8:11], v2", "Each lane loads from LDS" },
	}) do
		local file = vim.fn.tempname() .. case[1]
		vim.fn.writefile({ case[2] }, file)
		vim.cmd("edit " .. file)
		vim.api.nvim_win_set_cursor(0, { 1, 4 })
		eventually("the hover of " .. case[2], function()
			local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(), 2000)
			local _, answer = next(answers or {})
			return answer and answer.result and answer.result.contents.value:find(case[3], 1, true)
		end)
		vim.cmd("bdelete | edit " .. demo .. "softmax.ttgir")
	end
end

--- On, and off again.
local function what_the_compiler_does()
	local buffer = vim.api.nvim_get_current_buf()
	local load = line_of("tt\\.load") - 1
	local function beside_the_load()
		local space = vim.api.nvim_get_namespaces().kernelscope_emitted
		local marks = vim.api.nvim_buf_get_extmarks(buffer, space, { load, 0 }, { load, -1 }, { details = true })
		return marks[1] and marks[1][4].virt_text[1][1]
	end
	vim.cmd("KernelscopeEmitted")
	if not vim.lsp.inlay_hint then
		eventually("the load's instructions", function()
			return beside_the_load() == " 2 x ld.global.v4.b32, coalesced, 8 elements predicated"
		end)
	end
	eventually("what the kernel takes", function()
		for _, lens in ipairs(vim.lsp.codelens.get(buffer)) do
			if lens.command and lens.command.title:find("16 bytes shared", 1, true) then
				return true
			end
		end
	end)
	vim.cmd("KernelscopeEmitted")
	eventually("nothing beside the load", function()
		return not beside_the_load()
	end)
end

local function preview_follows()
	local source = vim.api.nvim_get_current_buf()
	local source_window = vim.api.nvim_get_current_win()
	local at = line_of("tt\\.load")
	vim.cmd("KernelscopePtx sm_90a")
	local ptx
	eventually("the PTX", function()
		ptx = buffer_named("softmax%.ptx$")
		return ptx and text_of(ptx):find(".target sm_90a", 1, true)
	end)
	eventually("no places in the PTX", function()
		return not text_of(ptx):find("\n%s*%.loc%s")
	end)
	vim.cmd("KernelscopeNoise")
	eventually("the places, once they are asked for", function()
		return text_of(ptx):find("\n%s*%.loc%s")
	end)
	vim.cmd("KernelscopeNoise")
	eventually("the PTX without places again", function()
		return not text_of(ptx):find("\n%s*%.loc%s")
	end)
	move_to(at)
	local load
	eventually("the load's instruction under the preview's cursor", function()
		load = vim.api.nvim_win_get_cursor(vim.fn.bufwinid(ptx))[1]
		return #marked(ptx) > 0 and load > 1
	end)
	move_to(1)
	vim.api.nvim_set_current_win(vim.fn.bufwinid(ptx))
	move_to(load)
	eventually("the source line of the instruction", function()
		return vim.deep_equal(marked(source), { at }) and vim.api.nvim_win_get_cursor(source_window)[1] == at
	end)

	-- Python on the left: its line marks its ops, and their instructions.
	vim.api.nvim_set_current_win(source_window)
	vim.cmd("KernelscopePython")
	local python
	eventually("the Python file", function()
		python = buffer_named("softmax%.py$")
		return python and vim.fn.bufwinid(python) ~= -1
	end)
	vim.api.nvim_set_current_win(vim.fn.bufwinid(python))
	move_to(line_of("tl\\.load"))
	eventually("the load's op and instruction, from Python", function()
		return vim.tbl_contains(marked(source), at) and vim.tbl_contains(marked(ptx), load)
	end)
	vim.api.nvim_set_current_win(vim.fn.bufwinid(ptx))
	move_to(1)
	move_to(load)
	eventually("the line of Python of an instruction", function()
		return #marked(python) == 1
	end)
	vim.api.nvim_win_close(vim.fn.bufwinid(python), true)

	-- Two broken lines above: the marks stay with their lines, and the preview says that it is older.
	vim.api.nvim_set_current_win(source_window)
	vim.fn.append(at - 2, { "    tt.broken", "    tt.brken" })
	eventually("the errors", function()
		return #vim.diagnostic.get(source, { severity = vim.diagnostic.severity.ERROR }) > 0
	end)
	vim.cmd("doautocmd TextChanged")
	eventually("the preview's age", function()
		local space = vim.api.nvim_get_namespaces().kernelscope_age
		return #vim.api.nvim_buf_get_extmarks(ptx, space, 0, -1, {}) == 1
	end)
	move_to(at + 2)
	eventually("the load's instruction below the broken lines", function()
		return vim.api.nvim_win_get_cursor(vim.fn.bufwinid(ptx))[1] == load
	end)
	-- A line break before a line's first word takes its mark along.
	local indent = #vim.fn.getline(at + 2):match("^%s*")
	vim.api.nvim_buf_set_text(source, at + 1, indent, at + 1, indent, { "", "      " })
	move_to(at + 2)
	move_to(at + 3)
	eventually("the load's instruction below a line break before it", function()
		return vim.api.nvim_win_get_cursor(vim.fn.bufwinid(ptx))[1] == load and #marked(ptx) > 0
	end)
	vim.api.nvim_buf_set_text(source, at + 1, indent, at + 2, 6, { "" })
	vim.api.nvim_buf_set_lines(source, at - 2, at, true, {})
	eventually("no errors any more", function()
		return #vim.diagnostic.get(source, { severity = vim.diagnostic.severity.ERROR }) == 0
	end)
	vim.cmd("%s/@softmax/@renamed/ | doautocmd TextChanged")
	eventually("the edit in the preview", function()
		return text_of(ptx):find(".entry renamed", 1, true)
	end)
	vim.cmd("undo")
	vim.api.nvim_buf_delete(ptx, { force = true })
	move_to(at)
end

--- The other kinds of previews, each in a window of its own.
local function other_previews()
	for command, preview in pairs({
		["KernelscopeAmdgcn gfx1201"] = { "softmax%.amdgcn$", "amdhsa--gfx1201" },
		KernelscopeLlvm = { "softmax%.llvm$", "define ptx_kernel void @softmax" },
		KernelscopeTtgir = { "softmax%.ttgir$", "tt.load" },
	}) do
		local pattern, wanted = unpack(preview)
		vim.cmd(command)
		local shown
		eventually("what " .. command .. " shows", function()
			for _, window in ipairs(vim.api.nvim_list_wins()) do
				local buffer = vim.api.nvim_win_get_buf(window)
				local name = vim.api.nvim_buf_get_name(buffer)
				if name:match("^kernelscope:") and name:match(pattern) and text_of(buffer):find(wanted, 1, true) then
					shown = buffer
					return true
				end
			end
		end)
		vim.api.nvim_buf_delete(shown, { force = true })
	end
	-- Without NVIDIA's tools a message says what is missing.
	if vim.fn.executable("ptxas") == 0 then
		vim.cmd("KernelscopeSass")
		told_of("'ptxas' was not found")
	end
end

--- Definition, references, and the fix that an error offers.
local function from_place_to_place()
	vim.cmd("edit! " .. demo .. "softmax.ttgir")
	vim.fn.search("tt\\.load %x_3")
	vim.fn.search("%x_3")
	vim.lsp.buf.definition()
	local defined = line_of("%x_3 =")
	eventually("the definition of the pointer", function()
		return vim.fn.line(".") == defined
	end)
	vim.lsp.buf.references()
	eventually("its references", function()
		return #vim.fn.getqflist() == 2
	end)
	vim.cmd("cclose")
	vim.cmd("edit! " .. demo .. "broken.ttgir")
	eventually("the errors to fix", function()
		return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 2
	end)
	vim.fn.search("tt\\.splatt")
	local select = vim.ui.select
	vim.ui.select = function(items, _, choose)
		choose(items[1], 1)
	end
	vim.lsp.buf.code_action()
	eventually("the op by its right name", function()
		return not text_of(0):find("tt.splatt", 1, true)
	end)
	vim.ui.select = select
	vim.cmd("edit! " .. demo .. "softmax.ttgir")
end

--- The example of VS Code's test, in a folder: its Python, IR and PTX.
local function write_example()
	local folder = vim.fn.tempname()
	vim.fn.mkdir(folder)
	local all = table.concat(vim.fn.readfile(root .. "/test/editors/panes.mjs"), "\n")
	for _, name in ipairs({ "twice.ttgir", "twice.ptx" }) do
		local _, first = all:find(('"%s": `'):format(name), 1, true)
		local text = all:sub(first + 1, all:find("`", first + 1, true) - 1)
		vim.fn.writefile(vim.split(text, "\n", { plain = true }), folder .. "/" .. name)
	end
	return folder
end

local function tritons_assembly()
	vim.cmd("edit " .. demo .. "softmax.ttgir | KernelscopeTriton")
	told_of("Triton wrote no assembly beside the dump")
	vim.cmd("edit " .. write_example() .. "/twice.ttgir")
	local source, at = vim.api.nvim_get_current_buf(), line_of("tt\\.load")
	eventually("the server for the example", function()
		return #vim.lsp.get_active_clients({ bufnr = 0 }) > 0
	end)
	vim.cmd("KernelscopeTriton")
	local ptx
	eventually("Triton's PTX", function()
		ptx = buffer_named("twice%.ptx$")
		return ptx and vim.fn.bufwinid(ptx) ~= -1
	end)
	local load = line_of_buffer(ptx, "ld.global")
	move_to(at)
	eventually("the load's instruction in Triton's PTX", function()
		return vim.deep_equal(marked(ptx), { load })
	end)
	vim.api.nvim_set_current_win(vim.fn.bufwinid(ptx))
	move_to(load + 3)
	eventually("the op of an instruction of Triton's", function()
		return vim.deep_equal(marked(source), { line_of_buffer(source, "arith.addf") })
	end)
	vim.api.nvim_win_close(0, true)

	vim.cmd("KernelscopeCompare")
	eventually("a diff of two without places", function()
		local theirs, ours = buffer_named("^kernelscope://triton/"), buffer_named("^kernelscope://ours/")
		local both = theirs and ours and text_of(theirs) .. text_of(ours) or ".loc"
		return vim.wo.diff
			and not both:find(".loc", 1, true)
			and text_of(theirs):find("ld.global.v1.b32 {%r}, [%rd];", 1, true)
			and text_of(ours):find("\n  add.f32 %r, %r, %r;", 1, true)
	end)
	vim.cmd("tabclose | edit! " .. demo .. "softmax.ttgir")
end

local function run()
	vim.cmd("KernelscopeRun cpu")
	eventually("the report", function()
		local report = buffer_named("kernelscope://run$")
		return report and text_of(report):find("softmax on cpu", 1, true)
	end)
end

--- Two kernels in a buffer without a file: the command runs the one under the cursor; a run can be cancelled.
local function unsaved_kernels()
	vim.cmd("enew | set filetype=tritonir")
	local text = {
		"#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
		'module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {',
		kernel("first", 1),
		kernel("second", 2),
		"}",
	}
	vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(table.concat(text, "\n"), "\n", { plain = true }))
	eventually("both kernels", function()
		return #kernelscope.kernels(vim.api.nvim_get_current_buf()) == 2
	end)
	move_to(line_of("@second") + 2)
	vim.cmd("KernelscopeRun cpu")
	eventually("the second's report", function()
		return text_of(buffer_named("kernelscope://run$")):find("second on cpu", 1, true)
	end)
	vim.cmd("KernelscopeRun cpu | KernelscopeCancel")
	told_of("cancelled 1")
	vim.cmd("KernelscopeCancel")
	told_of("nothing is in progress")
end

local function server_ends()
	local source = vim.api.nvim_get_current_buf()
	local pid = vim.fn.system({ "pgrep", "-P", tostring(vim.fn.getpid()), "-f", "lsp$" }):match("%d+")
	vim.loop.kill(tonumber(pid), "sigkill")
	told_of("the server exited")
	vim.cmd("KernelscopeRun")
	told_of("the server is not running")
	vim.cmd("KernelscopeRestart")
	eventually("the kernels, from another server", function()
		return #kernelscope.kernels(source) == 2
	end)
	vim.cmd("KernelscopeRestart")
	eventually("the kernels, after a restart of one that ran", function()
		return #kernelscope.kernels(source) == 2
	end)
end

local function health()
	vim.cmd("checkhealth kernelscope")
	local report = text_of(0)
	eventually("the program and its server in the health report", function()
		return report:find("OK: " .. program, 1, true) and report:find("the language server is running", 1, true)
	end)
	kernelscope.setup({ cmd = { "/nowhere/kernelscope", "lsp" } })
	vim.cmd("checkhealth kernelscope")
	report = text_of(0)
	eventually("the missing program in the health report", function()
		return report:find('ERROR: there is no program "/nowhere/kernelscope"', 1, true)
	end)
	told = ""
	for _, name in ipairs({ "KernelscopeOverride", "KernelscopeRestart" }) do
		vim.cmd(name)
		told_of('there is no program "/nowhere/kernelscope"')
	end
	vim.cmd("bdelete | helptags editors/nvim/doc | help :KernelscopePtx")
	eventually("the help", function()
		return vim.api.nvim_get_current_line():find("*:KernelscopePtx*", 1, true)
	end)
end

local function body()
	errors_on_their_lines()
	hover()
	usual_keys()
	typing()
	only_mlir_of_triton()
	languages()
	rewriting()
	assembly_hover()
	what_the_compiler_does()
	preview_follows()
	other_previews()
	from_place_to_place()
	tritons_assembly()
	run()
	unsaved_kernels()
	server_ends()
	health()
end

local ok, message = pcall(body)
if not ok then
	failed = failed + 1
	io.stderr:write(message .. "\n")
end
print(("%d passed, %d failed\n"):format(passed, failed))
vim.cmd(failed == 0 and "qall!" or "cquit!")
