if exists('b:current_syntax')
  finish
endif

syntax match amdgcnInstruction /\<\(s\|v\|ds\|buffer\|global\|flat\|scratch\|tensor\)_[a-z0-9_]\+\>/
syntax match amdgcnDirective /^\s*\.[a-z_][a-z0-9_.]*/
syntax match amdgcnRegister /\<\([sva]\d\+\|[sva]\[\d\+:\d\+\]\|vcc\(_lo\|_hi\)\?\|exec\(_lo\|_hi\)\?\|scc\|m0\|null\|ttmp\d\+\)/
syntax match amdgcnLabel /^[.$A-Za-z0-9_]\+:/
syntax match amdgcnNumber /\<\(0x\x\+\|\d\+\(\.\d\+\)\?\)\>/
syntax region amdgcnString start=/"/ end=/"\|$/
syntax match amdgcnComment /;.*$/

highlight default link amdgcnInstruction Statement
highlight default link amdgcnDirective PreProc
highlight default link amdgcnRegister Identifier
highlight default link amdgcnLabel Label
highlight default link amdgcnNumber Number
highlight default link amdgcnString String
highlight default link amdgcnComment Comment

let b:current_syntax = 'amdgcn'
