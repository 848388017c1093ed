autocmd BufRead,BufNewFile *.ttir,*.ttgir,*.mlir setfiletype tritonir
autocmd BufRead,BufNewFile *.ptx setfiletype ptx
autocmd BufRead,BufNewFile *.amdgcn setfiletype amdgcn
