//===- TTElementwiseOps.td - casts and arithmetic of tt ----*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

class TT_CastOp<string mnemonic, list<Trait> traits = []>
    : TT_ElementwiseOp<mnemonic, !listconcat([SameOperandsAndResultShape, Pure], traits)> {
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_IntToPtrOp : TT_CastOp<"int_to_ptr"> {
  let summary = "integer to pointer";
  let description = "Reads each 64-bit integer as a byte address. Costs no instruction.";
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
}

def TT_PtrToIntOp : TT_CastOp<"ptr_to_int"> {
  let summary = "pointer to integer";
  let description = "Returns the byte address of each pointer as a 64-bit integer. Costs no instruction.";
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
}

def TT_BitcastOp : TT_CastOp<"bitcast"> {
  let summary = "same bits, another type";
  let description = [{
    Reads each element's bits as another type of the same width, or a pointer as a pointer to another type in the same
    address space. `arith.bitcast` does the same for numbers only. Costs no instruction.
  }];
  let arguments = (ins TT_Value:$src);
  let results = (outs TT_Value:$result);
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TT_FpToFpOp : TT_CastOp<"fp_to_fp"> {
  let summary = "float conversion with 8-bit floats or a rounding mode";
  let description = [{
    Converts each element between float types for which `arith.extf` and `arith.truncf` are not enough: to and from
    8-bit floats, or with a given rounding. Narrowing needs `rounding = rtne` (to nearest, ties to even) or `rtz`
    (towards zero). It becomes `cvt` of a packed pair on chips that have it (sm_89, gfx942 and later), and integer
    arithmetic elsewhere.
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingModeAttr>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class TT_ArithmeticOp<string mnemonic> : TT_ElementwiseOp<mnemonic, [SameOperandsAndResultType, Pure]>;

def TT_ClampFOp : TT_ArithmeticOp<"clampf"> {
  let summary = "float clamped to a range";
  let description = [{
    Computes `min(max(x, min), max)` for each element; with `min` above `max` the result is undefined. With `propagateNan
    = all`, a NaN in `x` is the result (`min.NaN`/`max.NaN` in PTX); with `none`, the other operand is.
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNanAttr:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}

def TT_PreciseSqrtOp : TT_ArithmeticOp<"precise_sqrt"> {
  let summary = "square root with IEEE 754 rounding";
  let description = "Square root of each element, rounded to nearest even (`sqrt.rn.f32`); `math.sqrt` may approximate.";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class TT_BinaryOp<string mnemonic, Type type> : TT_ArithmeticOp<mnemonic> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_BinaryOp<"precise_divf", TT_FloatLike> {
  let summary = "quotient with IEEE 754 rounding";
  let description = "Divides each pair, rounded to nearest even (`div.rn.f32`); `arith.divf` may approximate.";
}

def TT_MulhiUIOp : TT_BinaryOp<"mulhiui", TT_IntLike> {
  let summary = "high half of an unsigned product";
  let description = [{
    The upper N bits of the 2N-bit unsigned product of two N-bit integers (`mul.hi.u32`, `v_mul_hi_u32`). Random
    number generators use it.
  }];
}

def TT_AddPtrOp : TT_ElementwiseOp<"addptr", [
    Pure, SameOperandsAndResultShape, TypesMatchWith<"result type matches ptr", "result", "ptr", "$_self">]> {
  let summary = "pointer plus a number of elements";
  let description = [{
    Advances each pointer by `offset` elements of its pointee type (not bytes; an `i1` takes a byte). The offset is a
    signed integer. On AMD, a uniform base with 32-bit offsets can become a buffer access.
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

def TT_F32Like : AnyTypeOf<[F32, RankedTensorOf<[F32]>]>;

def TT_ApproxDivFOp : TT_BinaryOp<"approx_divf", TT_F32Like> {
  let summary = "quotient, within two units in the last place";
  let description = [{
    Divides each pair approximately (`div.approx.f32`, or a multiplication by `v_rcp_f32`). New in Triton 3.9.
  }];
}

def TT_ExternElementwiseOp : TT_ElementwiseOp<"extern_elementwise", [
    SameVariadicOperandSize, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "call of a library function on each element";
  let description = [{
    Calls `symbol`, a function of a bitcode library, on corresponding elements of the operands: libdevice (`__nv_*`)
    on NVIDIA, the ROCm device libraries (`__ocml_*`) on AMD. `libname` and `libpath` may be empty for these; for any
    other library `libpath` is its file of bitcode or LLVM IR. `pure` means that it has no side effects.
  }];
  let arguments = (ins Variadic<TT_Value>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Value:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}

def TT_ElementwiseInlineAsmOp : TT_ElementwiseOp<"elementwise_inline_asm", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "assembly on groups of elements";
  let description = [{
    Runs `asm_string` on `packed_element` elements of each operand at a time, packed into 32-bit registers; which
    elements form a group is unspecified. `constraints` are LLVM's: outputs first. If the results are scalars it runs
    once per thread. `pure` means that it has no side effects.
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<TT_Value>:$args);
  let results = (outs Variadic<TT_Value>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
  let hasVerifier = 1;
}
