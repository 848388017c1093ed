autocmd BufRead,BufNewFile *.ttir,*.ttgir,*.glir,*.source set filetype=tritonir
" Other projects' dialects have the suffix .mlir, too.
autocmd BufRead *.mlir if search('\v<tt\.func>|[#!"]ttn?g\.|!tt\.|<ttn?g\.|<amdg\.', 'nw') | set filetype=tritonir | endif
autocmd BufRead,BufNewFile *.ptx setfiletype ptx
" A style sheet of the language Sass has the suffix, too.
autocmd BufRead *.sass if search('\v^\s*/\*\x{4,}\*/|^\s*\.headerflags>|^\s*Function ?:', 'nw') | set filetype=nvidia-sass | endif
autocmd BufRead,BufNewFile *.amdgcn setfiletype amdgcn
autocmd BufRead,BufNewFile *.llir setfiletype llvm
