//===- TTProgramOps.td - functions, grid, debugging --------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

def TT_FuncOp : TT_Op<"func", [
    AffineScope, AutomaticAllocationScope, CallableOpInterface, FunctionOpInterface, IsolatedFromAbove,
    OpAsmOpInterface, HasParent<"::mlir::ModuleOp">]> {
  let summary = "kernel or device function";
  let description = [{
    A public function is a kernel that the host launches on a grid; a private one is called by `tt.call`. Hints on
    arguments: `tt.divisibility` (of a pointer's address in bytes, or of an integer's value), `tt.contiguity`,
    `tt.constancy`, `tt.pointer_range` (bits of an offset). `noinline` keeps a function from being inlined.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
    CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs,
    CArg<"::llvm::ArrayRef<::mlir::DictionaryAttr>", "{}">:$argAttrs)>];
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    bool isDeclaration() { return isExternal(); }
  }];
  let hasCustomAssemblyFormat = 1;
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "end of a function";
  let description = "Returns from the function with the values that its type declares; a kernel returns none.";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

def TT_CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of a function of the module";
  let description = [{
    The whole block calls the `tt.func` named `callee`. Calls are inlined before layouts are chosen, except calls of
    functions marked `noinline`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let builders = [OpBuilder<(ins "FuncOp":$callee, CArg<"::mlir::ValueRange", "{}">:$operands), [{
    $_state.addOperands(operands);
    $_state.addAttribute("callee", ::mlir::SymbolRefAttr::get(callee));
    $_state.addTypes(callee.getFunctionType().getResults());
  }]>];
  let extraClassDeclaration = [{
    ::mlir::Operation::operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      (*this)->setAttr(getCalleeAttrName(), ::llvm::cast<::mlir::SymbolRefAttr>(callee));
    }
  }];
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
}

class TT_GridOp<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_ProgramIDDimAttr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetProgramIdOp : TT_GridOp<"get_program_id"> {
  let summary = "index of this block in the launch grid";
  let description = [{
    The block's index along x, y or z: `%ctaid` on NVIDIA (`%clusterid` if CTAs form a cluster), `workgroup_id` on
    AMD.
  }];
}

def TT_GetNumProgramsOp : TT_GridOp<"get_num_programs"> {
  let summary = "size of the launch grid";
  let description = "The number of blocks along x, y or z: `%nctaid` on NVIDIA, the dispatch packet's grid on AMD.";
}

def TT_GridDependencyWaitOp : TT_Op<"grid_dependency_wait", [
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>]> {
  let summary = "wait for the grids this one depends on";
  let description = [{
    Under programmatic dependent launch, waits until the prerequisite grids are done and their writes visible
    (`griddepcontrol.wait`, sm_90 and later).
  }];
  let arguments = (ins);
  let assemblyFormat = "attr-dict";
}

def TT_GridDependencyLaunchDependentsOp : TT_Op<"grid_dependency_launch_dependents", [
    MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "let dependent grids start";
  let description = [{
    Under programmatic dependent launch, lets grids that depend on this one start early
    (`griddepcontrol.launch_dependents`, sm_90 and later). They see this grid's writes only after their own wait.
  }];
  let arguments = (ins);
  let assemblyFormat = "attr-dict";
}

def TT_PrintOp : TT_Op<"print", [SameVariadicOperandSize, MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "print from the device";
  let description = [{
    Prints `prefix` and each argument, one line per element, with the indices of the block and the element (`vprintf`
    on NVIDIA, a host call on AMD). `hex` prints bits; `isSigned` has a 1 for each argument that is a signed integer.
  }];
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Value>:$args, DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "stop when a condition is false";
  let description = [{
    Where an element of `condition` is false, prints `message` with the Python location and stops the kernel
    (`__assertfail` on NVIDIA, a trap on AMD).
  }];
  let arguments = (ins AnyTypeOf<[I1, TT_BoolTensor]>:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}
