//===- TTGTypes.td - Memory descriptors and tokens ---------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_TYPES_TD
#define KERNELSCOPE_TTG_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "dialects/ttg/TTGDialect.td"

class TTG_TypeDef<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TTG_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TTG_AsyncToken : TTG_TypeDef<"AsyncToken", "async.token"> {
  let summary = "an asynchronous operation in flight";
  let description = [{
    Connects an asynchronous operation (a copy, a commit, a wait) with the operation
    that waits for it. It has no value at run time.
  }];
}

def TTG_MemDescType : TTG_TypeDef<"MemDesc", "memdesc", [ShapedTypeInterface]> {
  let summary = "a view of shared or tensor memory";
  let description = [{
    `!ttg.memdesc<SHAPExELEMENT, LAYOUT, SPACE[, mutable][, ALLOCSHAPE]>`: a base
    address, and how the elements of `SHAPE` are arranged from there. A descriptor
    that is not `mutable` is written once, when it is allocated. If `ALLOCSHAPE`
    differs from the shape, it is the shape of the allocation that this is a part
    of, and determines the strides. A leading dimension beyond the rank of the
    layout makes it a ring of buffers (pipeline stages); its size need not be a
    power of two.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::mlir::Attribute":$encoding,
    "::mlir::Attribute":$memorySpace,
    "bool":$mutableMemory,
    ArrayRefParameter<"int64_t">:$allocShape
  );
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
        "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
        CArg<"bool", "false">:$mutableMemory,
        CArg<"::llvm::ArrayRef<int64_t>", "{}">:$allocShape), [{
      return $_get(elementType.getContext(), shape, elementType, encoding, memorySpace,
                   mutableMemory, allocShape.empty() ? shape : allocShape);
    }]>
  ];
  let extraClassDeclaration = [{
    MemDescType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
                          ::mlir::Type elementType) const {
      return MemDescType::get(shape.value_or(getShape()), elementType, getEncoding(),
                              getMemorySpace(), getMutableMemory(), getAllocShape());
    }
    bool hasRank() const { return true; }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // KERNELSCOPE_TTG_TYPES_TD
