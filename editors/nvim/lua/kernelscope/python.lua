--- The Python file beside its IR: the cursors follow each other, and those of previews follow, too.
local M = {}

local linked = require("kernelscope.linked")

--- Shows the Python file that most ops of the current buffer's IR come from, left of it.
function M.show()
	local kernelscope = require("kernelscope")
	local ir = require("kernelscope.preview").source_of(vim.api.nvim_get_current_buf())
	local client = kernelscope.client()
	if not client then
		return kernelscope.report_no_server()
	end
	local params = { textDocument = vim.lsp.util.make_text_document_params(ir) }
	client.request("kernelscope/sourceLines", params, function(failure, result)
		if failure or not result or #result.files == 0 then
			return kernelscope.error(failure and failure.message or "the ops have no loc(...) that names a file")
		end
		local counts, best = {}, nil
		for _, op in ipairs(result.lines) do
			local file = op.places[#op.places][1] + 1
			counts[file] = (counts[file] or 0) + 1
			if type(result.files[file].uri) == "string" and (not best or counts[file] > counts[best]) then
				best = file
			end
		end
		if not best then
			local names = vim.tbl_map(function(file)
				return file.name
			end, result.files)
			return kernelscope.error(
				("cannot find %s beside the dump or below the folders of `sources` in setup()"):format(
					table.concat(names, ", ")
				)
			)
		end
		local links = {}
		for _, op in ipairs(result.lines) do
			for _, place in ipairs(op.places) do
				if place[1] == best - 1 then
					table.insert(links, { op.line, place[2] })
				end
			end
		end
		local to_python, to_ir = linked.index(links)
		local python = vim.uri_to_bufnr(result.files[best].uri)
		linked.beside(ir, python, "leftabove", to_python, to_ir)
	end, ir)
end

return M
