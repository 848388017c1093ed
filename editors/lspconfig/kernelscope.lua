---@brief
---
--- https://github.com/kernelscope/kernelscope
---
--- Language server for the GPU kernel IR of Triton and Gluon. The plugin in `editors/nvim` of the project does the same and
--- adds previews, runs and key maps; this is the entry of nvim-lspconfig, `lsp/kernelscope.lua` there.
---
--- Neovim has no file type for `.ttir` and `.ttgir`:
---
--- ```lua
--- vim.filetype.add({ extension = { ttir = "mlir", ttgir = "mlir", glir = "mlir" } })
--- ```

---@type vim.lsp.Config
return {
	cmd = { "kernelscope", "lsp" },
	filetypes = { "mlir", "tritonir" },
	root_markers = { ".git" },
}
