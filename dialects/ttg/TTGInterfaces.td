//===- TTGInterfaces.td - What layouts and barriers share --*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_INTERFACES_TD
#define KERNELSCOPE_TTG_INTERFACES_TD

include "mlir/IR/OpBase.td"

def LayoutEncodingTrait : AttrInterface<"LayoutEncodingTrait"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "Any layout: of a tensor, of shared memory, of tensor memory.";
  let methods = [
    InterfaceMethod<"How the CTAs of the cluster split or share the tensor.",
                    "CGAEncodingAttr", "getCGALayout">,
    InterfaceMethod<"The number of tensor dimensions that the layout covers.",
                    "unsigned", "getRank", (ins), [{}],
                    [{ return $_attr.getCGALayout().getRank(); }]>,
  ];
}
class DeclareLayoutMethods<list<string> methods = []>
    : DeclareAttrInterfaceMethods<LayoutEncodingTrait, methods>;

def DistributedEncodingTrait : AttrInterface<"DistributedEncodingTrait"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "A layout over registers, lanes, warps and CTAs.";
}

def SharedEncodingTrait : AttrInterface<"SharedEncodingTrait"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "A layout over the addresses of shared memory.";
  let methods = [
    InterfaceMethod<"The alignment, in bytes, that a buffer of this layout needs.",
                    "int32_t", "getAlignment", (ins), [{}], [{ return 16; }]>,
  ];
}

def MemoryEncodingTrait : AttrInterface<"MemoryEncodingTrait"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "A layout of memory other than shared memory, with its own rules for descriptors.";
  let methods = [
    InterfaceMethod<"Checks a memory descriptor of this layout; `allocShape` has the shape's rank or more.",
                    "::llvm::LogicalResult", "verifyMemDesc",
                    (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
                         "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                         "::mlir::Attribute":$memorySpace, "::llvm::ArrayRef<int64_t>":$allocShape)>,
    InterfaceMethod<"The map from the memory's places to the matrix; nothing, and `error` says why, "
                    "where the shape does not fit.",
                    "::std::optional<::kernelscope::LinearLayout>", "toLinearLayout",
                    (ins "::llvm::ArrayRef<int64_t>":$shape, "::std::string &":$error)>,
    InterfaceMethod<"Checks that the memory behind `src`, of this layout, may be read as `dst`.",
                    "::llvm::LogicalResult", "verifyReinterpret",
                    (ins "::mlir::Operation *":$op, "::mlir::ShapedType":$src, "::mlir::ShapedType":$dst)>,
  ];
}

def MmaEncodingTrait : AttrInterface<"MmaEncodingTrait"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "The result layout of a matrix instruction.";
}

def MBarrierOpInterface : OpInterface<"MBarrierOpInterface"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "An op that signals or waits on mbarriers in shared memory.";
  let methods = [
    InterfaceMethod<"The barrier it takes; null when it has none.",
                    "::mlir::Value", "getBarrier", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"All barriers it takes.",
                    "::llvm::SmallVector<::mlir::Value>", "getBarriers", (ins), [{}], [{
      if (::mlir::Value barrier = $_op.getBarrier())
        return {barrier};
      return {};
    }]>,
  ];
}

#endif // KERNELSCOPE_TTG_INTERFACES_TD
