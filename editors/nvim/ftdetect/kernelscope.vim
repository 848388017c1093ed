autocmd BufRead,BufNewFile *.ttir,*.ttgir,*.glir,*.source set filetype=tritonir
" Other projects' dialects have the suffix .mlir, too.
autocmd BufRead *.mlir if search('\v<tt\.func>|[#!"]ttn?g\.|!tt\.|<ttn?g\.|<amdg\.', 'nw') | set filetype=tritonir | endif
autocmd BufRead,BufNewFile *.ptx,*.sass setfiletype ptx
autocmd BufRead,BufNewFile *.amdgcn setfiletype amdgcn
autocmd BufRead,BufNewFile *.llir setfiletype llvm
