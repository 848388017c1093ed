--- Starts the language server for Triton's and Gluon's IR and attaches buffers to it.
local M = {}

local config = {
	--- The program and its arguments.
	cmd = { "kernelscope", "lsp" },
	--- Architectures to preview: the first one of the right vendor is used. If empty, the one that the module names.
	arch = {},
	--- Codes of warnings and hints to turn off.
	allow = {},
	--- The Triton release that files are written for, such as "3.6"; if empty, it is detected.
	release = "",
	--- Folders to search for the Python files named in loc(...), after the dump's own.
	sources = {},
	--- Whether to map the keys of |kernelscope-keys| in Triton IR buffers.
	keys = true,
	--- Called with (client, buffer) when the server attaches to a buffer; set key maps of your own here.
	on_attach = nil,
}

--- One server serves all buffers.
local client_id
--- Unanswered requests of the server's own commands, by id.
local pending = {}

function M.setup(options)
	config = vim.tbl_extend("force", config, options or {})
end

function M.config()
	return config
end

--- The running client, or nil.
function M.client()
	return client_id and vim.lsp.get_client_by_id(client_id)
end

function M.error(message)
	vim.notify("kernelscope: " .. message, vim.log.levels.ERROR)
end

local function refresh_lenses(buffer)
	local group = vim.api.nvim_create_augroup("kernelscope_lenses_" .. buffer, {})
	vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
		group = group,
		buffer = buffer,
		callback = vim.lsp.codelens.refresh,
	})
end

--- The usual keys; one that the user has mapped stays.
local function map_keys(buffer)
	local function map(keys, run, what)
		if vim.fn.mapcheck(keys, "n") == "" then
			vim.keymap.set("n", keys, run, { buffer = buffer, desc = what })
		end
	end
	map("K", vim.lsp.buf.hover, "Explain")
	map("gd", vim.lsp.buf.definition, "Go to the definition")
	map("gr", vim.lsp.buf.references, "List the uses")
	map("[d", vim.diagnostic.goto_prev, "Previous diagnostic")
	map("]d", vim.diagnostic.goto_next, "Next diagnostic")
	map("<LocalLeader>a", vim.lsp.buf.code_action, "Quick fixes")
	map("<LocalLeader>l", vim.lsp.codelens.run, "Code lens of this line")
end

--- What is wrong with the program that setup() names; nil if it can be started.
local function missing_program()
	if vim.fn.executable(config.cmd[1]) == 1 then
		return nil
	end
	local text = "there is no program %q; install it (the wheel or the .deb) or set cmd in setup()"
	return text:format(config.cmd[1])
end

--- Says why there is no server to ask.
function M.report_no_server()
	M.error(missing_program() or "the server is not running; use :KernelscopeRestart")
end

local function start()
	local problem = missing_program()
	if problem then
		vim.notify_once("kernelscope: " .. problem, vim.log.levels.ERROR)
		return nil
	end
	return vim.lsp.start_client({
		name = "kernelscope",
		cmd = config.cmd,
		root_dir = vim.fn.getcwd(),
		init_options = {
			showsResults = true,
			allow = config.allow,
			arch = config.arch,
			release = config.release,
			sources = config.sources,
		},
		capabilities = vim.lsp.protocol.make_client_capabilities(),
		on_attach = function(client, buffer)
			vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
			refresh_lenses(buffer)
			if config.keys then
				map_keys(buffer)
			end
			if config.on_attach then
				config.on_attach(client, buffer)
			end
		end,
		on_exit = function(code, signal, id)
			pending = {}
			if id ~= client_id then
				return -- a restart has put another in its place
			end
			client_id = nil
			-- Neovim ends the server if it still starts up when the editor is closed.
			if (code ~= 0 or signal ~= 0) and vim.v.exiting == vim.NIL then
				vim.schedule(function()
					M.error(
						("the server exited (code %d, signal %d); :KernelscopeRestart restarts it"):format(code, signal)
					)
				end)
			end
		end,
	})
end

--- Attaches `buffer` to the server, starting the server if needed.
function M.attach(buffer)
	if buffer == 0 then
		buffer = vim.api.nvim_get_current_buf()
	end
	if vim.bo[buffer].buftype ~= "" then
		return
	end
	client_id = client_id or start()
	if client_id then
		vim.lsp.buf_attach_client(buffer, client_id)
	end
end

--- Stops the server if it is running, and starts one for all Triton IR buffers.
function M.restart()
	local problem = missing_program()
	if problem then
		return M.error(problem)
	end
	local before = M.client()
	client_id = nil
	if before then
		before.stop()
	end
	for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
		local name = vim.api.nvim_buf_get_name(buffer)
		local has_hover = name:match("%.ptx$") or name:match("%.amdgcn$")
		if vim.api.nvim_buf_is_loaded(buffer) and (has_hover or vim.bo[buffer].filetype == "tritonir") then
			M.attach(buffer)
		end
	end
end

--- The kernels of `buffer`, in order, as {name, line}; lines count from zero.
function M.kernels(buffer)
	local client = M.client()
	local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
	local answer = client and client.request_sync("textDocument/codeLens", params, 2000, buffer)
	local kernels = {}
	for _, lens in ipairs(answer and answer.result or {}) do
		if lens.command.command == "kernelscope.run" then
			table.insert(kernels, { name = lens.command.arguments[1].kernel, line = lens.range.start.line })
		end
	end
	return kernels
end

--- Rewrites the current buffer in the spelling of `release` of Triton.
function M.rewrite(release)
	local client = M.client()
	if not client then
		return M.report_no_server()
	end
	local kind = "source.rewriteFor.kernelscope." .. release
	local params = vim.lsp.util.make_given_range_params({ 1, 0 }, { vim.fn.line("$"), 0 }, 0, client.offset_encoding)
	params.context = { diagnostics = {}, only = { kind } }
	local answer = client.request_sync("textDocument/codeAction", params, 10000, 0)
	for _, action in ipairs(answer and answer.result or {}) do
		if action.kind == kind then
			return vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
		end
	end
	M.error(("cannot rewrite for Triton %q: the known releases are 3.4 to 3.9"):format(release))
end

--- Writes the buffer's file, or what it compiles to as `emit`, to Triton's override folder, and says how to start Triton.
function M.override(emit)
	local problem = missing_program()
	if problem then
		return M.error(problem)
	end
	vim.cmd("silent update")
	local arguments = { config.cmd[1], "override", vim.api.nvim_buf_get_name(0) }
	if emit ~= "" then
		vim.list_extend(arguments, { "--emit", emit })
	end
	local said = vim.trim(vim.fn.system(arguments))
	vim.notify(said, vim.v.shell_error == 0 and vim.log.levels.INFO or vim.log.levels.ERROR)
end

--- Sends one of the server's own commands for `buffer`; `done(result)` gets the answer; an error is shown.
function M.execute(command, arguments, buffer, done)
	local client = M.client()
	if not client then
		return M.report_no_server()
	end
	local params = { command = command, arguments = { arguments } }
	local number
	local _, id = client.request("workspace/executeCommand", params, function(err, result)
		if number then
			pending[number] = nil
		end
		if not err then
			done(result)
		else
			local line = err.data and err.data.line
			M.error((line and ("line %d: "):format(line + 1) or "") .. err.message)
		end
	end, buffer)
	number = id
	if number then
		pending[number] = true
	end
end

local emitted = vim.api.nvim_create_namespace("kernelscope_emitted")

--- For Neovim without inlay hints (before 0.10): the same as virtual text, until the next edit.
local function show_emitted(buffer, lines)
	vim.api.nvim_buf_clear_namespace(buffer, emitted, 0, -1)
	for _, line in ipairs(lines) do
		if line.label ~= "" then
			local text = { { " " .. line.label, "Comment" } }
			vim.api.nvim_buf_set_extmark(buffer, emitted, line.line, 0, { virt_text = text })
		end
	end
	vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, {
		group = vim.api.nvim_create_augroup("kernelscope_emitted_" .. buffer, {}),
		buffer = buffer,
		once = true,
		callback = function()
			vim.api.nvim_buf_clear_namespace(buffer, emitted, 0, -1)
		end,
	})
end

--- Shows what the compiler does beside the ops of a document, as inlay hints and in hover, or hides it.
function M.toggle_emitted(request)
	local buffer = request and vim.uri_to_bufnr(request.uri) or vim.api.nvim_get_current_buf()
	local arguments = { uri = vim.uri_from_bufnr(buffer), archs = config.arch }
	M.execute("kernelscope.emitted", arguments, buffer, function(result)
		if vim.lsp.inlay_hint then
			vim.lsp.inlay_hint.enable(result.shown, { bufnr = buffer })
		else
			show_emitted(buffer, result.lines or {})
		end
		vim.lsp.codelens.refresh()
	end)
end

--- Cancels the previews and runs in progress.
function M.cancel()
	local client = M.client()
	for number in pairs(pending) do
		client.cancel_request(number)
	end
	local count = vim.tbl_count(pending)
	vim.notify("kernelscope: " .. (count == 0 and "nothing is in progress" or ("cancelled %d"):format(count)))
	pending = {}
end

-- The lenses carry the server's commands; their results are shown here.
vim.lsp.commands["kernelscope.preview"] = function(command)
	require("kernelscope.preview").show(command.arguments[1])
end
vim.lsp.commands["kernelscope.emitted"] = function(command)
	M.toggle_emitted(command.arguments[1])
end
vim.lsp.commands["kernelscope.run"] = function(command)
	require("kernelscope.run").run(command.arguments[1])
end

return M
