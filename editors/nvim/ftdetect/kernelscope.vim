autocmd BufRead,BufNewFile *.ttir,*.ttgir,*.mlir set filetype=tritonir
autocmd BufRead,BufNewFile *.ptx setfiletype ptx
autocmd BufRead,BufNewFile *.amdgcn setfiletype amdgcn
