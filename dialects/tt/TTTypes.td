//===- TTTypes.td - types of tt and their constraints ------*- tablegen -*-===//

#ifndef KERNELSCOPE_TT_TYPES_TD
#define KERNELSCOPE_TT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/tt/TTDialect.td"
include "dialects/tt/TTInterfaces.td"

class TT_TypeDef<string name, string mnemonic_, list<Trait> traits = []> : TypeDef<TT_Dialect, name, traits> {
  let mnemonic = mnemonic_;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TT_PointerType : TT_TypeDef<"Pointer", "ptr"> {
  let summary = "pointer to a scalar";
  let description = [{
    `!tt.ptr<f32>` points to global memory (address space 1, not printed); `!tt.ptr<f32, 3>` names another space.
    Pointer arithmetic counts elements (`tt.addptr`), not bytes. Triton up to 3.7 also has block pointers,
    `!tt.ptr<tensor<64x32xf16>>`, made by `tt.make_tensor_ptr`.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType, CArg<"int", "1">:$addressSpace), [{
    return $_get(pointeeType.getContext(), pointeeType, addressSpace);
  }]>];
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc", [TT_TensorDescInterface]> {
  let summary = "descriptor of a tensor in global memory, with the shape of its block";
  let description = [{
    `!tt.tensordesc<128x64xf16>`, or `!tt.tensordesc<128x64xf16, #shared>` once the block's layout in shared memory is
    chosen. On NVIDIA from sm_90 on it is a TMA descriptor, on gfx1250 a TDM descriptor; elsewhere it becomes a
    pointer, a shape and strides. Triton up to 3.7 spells it `!tt.tensordesc<tensor<128x64xf16, #shared>>`, which
    parses too.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
    OptionalParameter<"::mlir::Attribute">:$sharedLayout);
  let builders = [TypeBuilderWithInferredContext<(ins
    "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType, CArg<"::mlir::Attribute", "{}">:$sharedLayout), [{
    return $_get(elementType.getContext(), shape, elementType, sharedLayout);
  }]>];
}

// Constraints on operands and results.
def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64], "floating-point">;
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;

def TT_Int : AnyTypeOf<[I1, I<4>, I8, I16, I32, I64], "integer">;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;

def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>]>;

def TT_Ptr : DialectType<TT_Dialect, CPred<"::kernelscope::tt::isScalarPointer($_self)">, "pointer to a scalar",
                         "::kernelscope::tt::PointerType">;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor]>;
def TT_BlockPtr : DialectType<TT_Dialect, CPred<"::kernelscope::tt::isBlockPointer($_self)">, "pointer to a tensor",
                              "::kernelscope::tt::PointerType">;
// The pointers of tt.load and tt.store: today's and the block pointers of Triton up to 3.7.
def TT_AccessPtr : AnyTypeOf<[TT_Ptr, TT_PtrTensor, TT_BlockPtr]>;

def TT_FloatIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Value : AnyTypeOf<[TT_FloatLike, TT_IntLike, TT_PtrLike]>;

def TT_AnyTensorDesc : Type<CPred<"::mlir::isa<::kernelscope::tt::TensorDescInterface>($_self)">,
                            "tensor descriptor", "::kernelscope::tt::TensorDescInterface">;

#endif
