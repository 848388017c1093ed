if exists('b:current_syntax')
  finish
endif

syntax match tritonirOperation /\<\(tt\|ttg\|ttng\|nvws\|nvg\|amdg\|gluon\|tti\|proton\|proton_gpu\|arith\|math\|scf\|cf\|ub\|gpu\|llvm\|nvvm\|rocdl\)\.[a-z][a-zA-Z0-9_.]*/
syntax keyword tritonirKeyword module attributes public private loc callsite dense to step iter_args else do default
syntax keyword tritonirConstant true false unit unknown
syntax match tritonirValue /%[A-Za-z0-9_$.-]\+\(#\d\+\)\?/
syntax match tritonirSymbol /@[A-Za-z0-9_$.-]\+/
syntax match tritonirAttribute /#[A-Za-z_][A-Za-z0-9_$.]*/
syntax match tritonirType /![A-Za-z_][A-Za-z0-9_$.]*/
syntax match tritonirType /\<\(tensor\|vector\|memref\|index\|none\|bf16\|tf32\|f\d\+\w*\|[su]\?i\d\+\)\>/
syntax match tritonirType /\(\dx\)\@<=\(index\|bf16\|tf32\|f\d\+\w*\|[su]\?i\d\+\)\>/
syntax match tritonirLabel /\^[A-Za-z0-9_$.-]\+/
syntax match tritonirNumber /\<\(0x\x\+\|\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?\)\(\>\|x\@=\)/
syntax region tritonirString start=/"/ skip=/\\./ end=/"\|$/
syntax match tritonirComment /\/\/.*$/

highlight default link tritonirOperation Statement
highlight default link tritonirKeyword Keyword
highlight default link tritonirConstant Boolean
highlight default link tritonirValue Identifier
highlight default link tritonirSymbol Function
highlight default link tritonirAttribute PreProc
highlight default link tritonirType Type
highlight default link tritonirLabel Label
highlight default link tritonirNumber Number
highlight default link tritonirString String
highlight default link tritonirComment Comment

let b:current_syntax = 'tritonir'
