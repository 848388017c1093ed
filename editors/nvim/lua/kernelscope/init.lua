--- Starts the language server for Triton's and Gluon's IR and attaches buffers to it.
local M = {}

local config = {
	--- The program and its arguments.
	cmd = { "kernelscope", "lsp" },
	--- Called with (client, buffer) once a buffer is attached: the place for key maps.
	on_attach = nil,
}

--- One server serves all buffers.
local client_id

function M.setup(options)
	config = vim.tbl_extend("force", config, options or {})
end

--- The running client, or nil.
function M.client()
	return client_id and vim.lsp.get_client_by_id(client_id)
end

local function refresh_lenses(buffer)
	local group = vim.api.nvim_create_augroup("kernelscope_lenses_" .. buffer, {})
	vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
		group = group,
		buffer = buffer,
		callback = vim.lsp.codelens.refresh,
	})
end

local function start()
	if vim.fn.executable(config.cmd[1]) == 0 then
		vim.notify_once(
			("kernelscope: no program %q; build it (./dev build) and name it in setup{cmd=...}"):format(config.cmd[1]),
			vim.log.levels.ERROR
		)
		return nil
	end
	return vim.lsp.start_client({
		name = "kernelscope",
		cmd = config.cmd,
		root_dir = vim.fn.getcwd(),
		init_options = { showsResults = true },
		capabilities = vim.lsp.protocol.make_client_capabilities(),
		on_attach = function(client, buffer)
			vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
			refresh_lenses(buffer)
			if config.on_attach then
				config.on_attach(client, buffer)
			end
		end,
		on_exit = function()
			client_id = nil
		end,
	})
end

--- Attaches `buffer` to the server, starting it if need be.
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

--- Sends one of the server's own commands for `buffer`; `done(result)` gets the answer, an error is shown.
function M.execute(command, arguments, buffer, done)
	local client = M.client()
	if not client then
		vim.notify("kernelscope: the server is not running", vim.log.levels.ERROR)
		return
	end
	client.request("workspace/executeCommand", { command = command, arguments = { arguments } }, function(err, result)
		if err then
			vim.notify("kernelscope: " .. err.message, vim.log.levels.ERROR)
		else
			done(result)
		end
	end, buffer)
end

-- The lenses carry the server's commands; their results are shown here.
vim.lsp.commands["kernelscope.preview"] = function(command)
	require("kernelscope.preview").show(command.arguments[1])
end
vim.lsp.commands["kernelscope.run"] = function(command)
	require("kernelscope.run").run(command.arguments[1])
end

return M
