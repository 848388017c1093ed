--- :checkhealth kernelscope
local M = {}

-- Neovim has renamed these functions twice.
local health = vim.health or require("health")
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local error = health.error or health.report_error
local info = health.info or health.report_info

function M.check()
	start("kernelscope")
	if vim.fn.has("nvim-0.7") == 1 then
		ok("Neovim is 0.7 or newer")
	else
		error("Neovim is older than 0.7")
	end

	local kernelscope = require("kernelscope")
	local program = kernelscope.config().cmd[1]
	if vim.fn.executable(program) == 0 then
		return error(("there is no program %q"):format(program), {
			"install it: pip install the wheel, or apt install the .deb",
			'set its path: require("kernelscope").setup({ cmd = { "/path/to/kernelscope", "lsp" } })',
		})
	end
	local version = vim.fn.system({ program, "--version" })
	if vim.v.shell_error ~= 0 or not version:find("^kernelscope ") then
		return error(("%s does not start: %s"):format(vim.fn.exepath(program), vim.trim(version)))
	end
	ok(("%s is %s"):format(vim.fn.exepath(program), vim.trim(version)))

	if kernelscope.client() then
		ok("the language server is running")
	else
		warn("the language server is not running", { "open a .ttir, .ttgir or .mlir file, or use :KernelscopeRestart" })
	end

	start("kernelscope doctor")
	for line in vim.fn.system({ program, "doctor" }):gmatch("[^\n]+") do
		info(line)
	end
end

return M
