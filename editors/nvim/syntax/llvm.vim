" LLVM IR; LLVM has a longer one in llvm/utils/vim, which wins if it is installed.
if exists('b:current_syntax')
  finish
endif

syntax keyword llvmInstruction ret br switch unreachable phi select call load store alloca fence cmpxchg atomicrmw
syntax keyword llvmInstruction getelementptr extractvalue insertvalue extractelement insertelement shufflevector freeze
syntax keyword llvmInstruction add sub mul fadd fsub fmul fdiv frem fneg udiv sdiv urem srem shl lshr ashr and or xor icmp fcmp
syntax keyword llvmInstruction trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast
syntax keyword llvmKeyword define declare attributes target datalayout triple source_filename global constant private internal external
syntax keyword llvmKeyword distinct unnamed_addr local_unnamed_addr addrspace align nsw nuw exact inbounds fast nnan ninf nsz arcp
syntax keyword llvmKeyword contract afn reassoc volatile tail asm sideeffect to dso_local linkonce_odr
syntax match llvmType /\<\(void\|half\|bfloat\|float\|double\|fp128\|ptr\|label\|metadata\|token\|i\d\+\)\>/
syntax keyword llvmConstant true false null undef poison zeroinitializer none
syntax match llvmValue /%\([-$._A-Za-z0-9]\+\|"[^"]*"\)/
syntax match llvmFunction /@\([-$._A-Za-z0-9]\+\|"[^"]*"\)/
syntax match llvmMetadata /[!#][-$._A-Za-z0-9]\+/
syntax match llvmLabel /^[-$._A-Za-z0-9]\+:/
syntax match llvmNumber /-\?\<\(0x\x\+\|\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?\)\>/
syntax region llvmString start=/"/ end=/"\|$/
syntax match llvmComment /;.*$/

highlight default link llvmInstruction Statement
highlight default link llvmKeyword Keyword
highlight default link llvmType Type
highlight default link llvmConstant Boolean
highlight default link llvmValue Identifier
highlight default link llvmFunction Function
highlight default link llvmMetadata PreProc
highlight default link llvmLabel Label
highlight default link llvmNumber Number
highlight default link llvmString String
highlight default link llvmComment Comment

let b:current_syntax = 'llvm'
