" PTX.
if exists('b:current_syntax')
  finish
endif

syntax match ptxInstruction /\<[a-z][a-z0-9_]*\(\.[a-z0-9_:]\+\)\+\>\|\<\(ret\|bra\|exit\|trap\)\>/
syntax match ptxDirective /\w\@<!\.[a-z_][a-z0-9_]*\>/
syntax match ptxRegister /%[A-Za-z0-9_.]\+/
syntax match ptxPredicate /@!\?%p\d\+/
syntax match ptxLabel /^\s*[$.A-Za-z0-9_]\+:/
syntax match ptxNumber /\<\(0[xXfFdD]\x\+\|\d\+\)\>/
syntax region ptxString start=/"/ end=/"\|$/
syntax match ptxComment /\/\/.*$/
syntax region ptxComment start=/\/\*/ end=/\*\//

highlight default link ptxInstruction Statement
highlight default link ptxDirective PreProc
highlight default link ptxRegister Identifier
highlight default link ptxPredicate Conditional
highlight default link ptxLabel Label
highlight default link ptxNumber Number
highlight default link ptxString String
highlight default link ptxComment Comment

let b:current_syntax = 'ptx'
