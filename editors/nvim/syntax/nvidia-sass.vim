" SASS, as nvdisasm prints it and as Triton writes it.
if exists('b:current_syntax')
  finish
endif

syntax match sassInstruction /\<[A-Z][A-Z0-9_]\+\(\.[A-Za-z0-9_]\+\)*\>/
syntax match sassDirective /^\s*\.[a-z_][a-z0-9_.]*/
syntax match sassRegister /\<\(U\?R\(\d\+\|Z\)\|U\?P\(\d\|T\)\|B\d\+\|SR_[A-Z0-9_.]\+\|SR\d\+\)\>/
syntax match sassPredicate /@!\?U\?P\(\d\|T\)\>/
syntax match sassLabel /^\s*\.\?[$A-Za-z0-9_]\+:/
syntax match sassLabel /^\s*Function \?: \?.*$/
syntax match sassNumber /\<\(0x\x\+\|\d\+\)\>/
syntax region sassString start=/"/ end=/"\|$/
syntax match sassComment /\/\/.*$/
syntax region sassComment start=/\/\*/ end=/\*\//
" Which barriers an instruction waits for and sets, and for how many cycles it stalls.
syntax match sassControl /^[0-9a-f-]\{2}:[0-9-]:[0-9-]:[Y-]:[0-9a-f-]\+/

highlight default link sassInstruction Statement
highlight default link sassDirective PreProc
highlight default link sassRegister Identifier
highlight default link sassPredicate Conditional
highlight default link sassLabel Label
highlight default link sassNumber Number
highlight default link sassString String
highlight default link sassComment Comment
highlight default link sassControl Comment

let b:current_syntax = 'nvidia-sass'
