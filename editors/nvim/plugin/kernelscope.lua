local function command(name, run, description)
	vim.api.nvim_create_user_command(name, run, { nargs = "?", bar = true, desc = description })
end

local function preview(emit)
	return function(options)
		require("kernelscope.preview").show({ emit = emit, arch = options.args ~= "" and options.args or nil })
	end
end

command("KernelscopePtx", preview("ptx"), "PTX beside the source; an argument names the architecture")
command("KernelscopeAmdgcn", preview("amdgcn"), "AMDGCN beside the source; an argument names the architecture")
command("KernelscopeLlvm", preview("llvm"), "LLVM IR beside the source; an argument names the architecture")
command("KernelscopeTtgir", preview("ttgir"), "TTGIR beside the source; an argument names the architecture")
command("KernelscopeSass", preview("sass"), "SASS beside the source; an argument names the architecture")
command("KernelscopeRun", function(options)
	require("kernelscope.run").run({ device = options.args ~= "" and options.args or nil })
end, "Run the kernel; an argument names the device: cuda, hip, sim or cpu")
vim.api.nvim_create_user_command("KernelscopeRewrite", function(options)
	require("kernelscope").rewrite(options.args)
end, {
	nargs = 1,
	complete = function()
		return { "3.4", "3.5", "3.6", "3.7", "3.8", "3.9" }
	end,
	desc = "Rewrite the buffer in the spelling of a Triton release",
})
command("KernelscopePython", function()
	require("kernelscope.python").show()
end, "The Python file beside its IR; the cursors follow each other")
command("KernelscopeTriton", function()
	require("kernelscope.triton").show()
end, "The assembly that Triton wrote, beside its IR; the cursors follow each other")
command("KernelscopeCompare", function()
	require("kernelscope.triton").compare()
end, "Diff the assembly that Triton wrote beside the dump against ours")
command("KernelscopeEmitted", function()
	require("kernelscope").toggle_emitted()
end, "Show or hide what the compiler does beside the ops")
command("KernelscopeNoise", function()
	require("kernelscope.preview").toggle_noise()
end, "Show or hide locations, labels and sections in previews")
command("KernelscopeOverride", function(options)
	require("kernelscope").override(options.args)
end, "Use the buffer's file in Triton; an argument names what to compile it to: ptx, cubin, amdgcn or hsaco")
command("KernelscopeCancel", function()
	require("kernelscope").cancel()
end, "Cancel the previews and runs in progress")
command("KernelscopeRestart", function()
	require("kernelscope").restart()
end, "Restart the language server")
