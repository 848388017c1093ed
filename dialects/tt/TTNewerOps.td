//===- TTNewerOps.td - ops of newer Tritons ----------------*- tablegen -*-===//
// Triton 3.9 has these; main of August 2026, whose ops the rest are, does not.

include "dialects/tt/TTOpBase.td"

def TT_F32Like : AnyTypeOf<[F32, RankedTensorOf<[F32]>]>;

def TT_ApproxDivFOp : TT_BinaryOp<"approx_divf", TT_F32Like> {
  let summary = "quotient, within two units in the last place";
  let description = "Divides each pair fast (`div.approx.f32`, or a product with `v_rcp_f32`); Triton has it since 3.9.";
}

def TT_AtomicLoadOp : TT_Op<"atomic_load", [
    TypesMatchWith<"result matches ptr", "ptr", "result", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 1>]> {
  let summary = "atomic load from global memory";
  let description = [{
    Loads each element whose `mask` is true as one access, in the order `sem` (acquire or relaxed) for the threads of
    `scope` (`ld.acquire`, `ld.relaxed`). Triton has it since 3.9.
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$ptr,
    Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicStoreOp : TT_Op<"atomic_store", [
    TypesMatchWith<"value matches ptr", "ptr", "value", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 2>]> {
  let summary = "atomic store to global memory";
  let description = [{
    Stores each element whose `mask` is true as one access, in the order `sem` (release or relaxed) for the threads of
    `scope` (`st.release`, `st.relaxed`). Triton has it since 3.9.
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite<TT_GlobalMemory>]>:$ptr, TT_Value:$value,
    Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}
