--- The assembly that Triton wrote beside a dump: in a pane that follows the IR, and compared with ours.
local M = {}

local assembly = require("kernelscope.assembly")
local linked = require("kernelscope.linked")
local suffixes = { "ptx", "amdgcn" }

--- The IR of the current window, and the file of assembly beside it; says so if there is none.
local function find()
	local kernelscope = require("kernelscope")
	local ir = require("kernelscope.preview").source_of(vim.api.nvim_get_current_buf())
	local stem = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(ir), ":r")
	for _, suffix in ipairs(suffixes) do
		local file = stem .. "." .. suffix
		if vim.fn.filereadable(file) == 1 then
			return ir, file, suffix
		end
	end
	kernelscope.error(("Triton wrote no assembly beside the dump: there is no %s.ptx or .amdgcn"):format(stem))
end

--- Shows it right of the IR; the cursors of Python, IR and assembly follow each other.
function M.show()
	local ir, file = find()
	local kernelscope = require("kernelscope")
	local client = ir and kernelscope.client()
	if not client then
		return ir and kernelscope.report_no_server()
	end
	local params = { textDocument = vim.lsp.util.make_text_document_params(ir) }
	client.request("kernelscope/sourceLines", params, function(failure, sources)
		if failure or not sources then
			return kernelscope.error(failure and failure.message or "the ops have no loc(...)")
		end
		local buffer = vim.fn.bufadd(file)
		vim.fn.bufload(buffer)
		local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
		local to_assembly, to_ir = linked.index(assembly.links(sources, assembly.places(lines)))
		linked.beside(ir, buffer, "rightbelow", to_assembly, to_ir)
	end, ir)
end

--- A window of a new tab with `text` without its noise, as one side of a diff.
local function open_side(title, text, emit, command)
	vim.cmd(command)
	local buffer = vim.api.nvim_get_current_buf()
	vim.api.nvim_buf_set_name(buffer, title)
	vim.api.nvim_buf_set_lines(buffer, 0, -1, false, assembly.normalized(text))
	vim.bo[buffer].buftype, vim.bo[buffer].bufhidden = "nofile", "wipe"
	vim.bo[buffer].modifiable = false
	vim.bo[buffer].filetype = emit
	vim.cmd("diffthis")
end

--- A diff of it and of what Kernelscope compiles for the same chip, in a new tab.
function M.compare()
	local ir, file, emit = find()
	if not ir then
		return
	end
	local theirs = table.concat(vim.fn.readfile(file), "\n")
	local request = { uri = vim.uri_from_bufnr(ir), emit = emit, arch = assembly.arch(theirs) }
	require("kernelscope").execute("kernelscope.preview", request, ir, function(result)
		local name = vim.fn.fnamemodify(file, ":t")
		open_side(("kernelscope://triton/%d/%s"):format(ir, name), theirs, emit, "tabnew")
		open_side(("kernelscope://ours/%d/%s"):format(ir, name), result.text, emit, "vertical rightbelow new")
	end)
end

return M
