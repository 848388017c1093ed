//===- TTInterfaces.td - traits and interfaces of tt -------*- tablegen -*-===//

#ifndef KERNELSCOPE_TT_INTERFACES_TD
#define KERNELSCOPE_TT_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class TT_Trait<string name> : NativeOpTrait<name> { let cppNamespace = "::kernelscope::tt"; }

// Traits.h says what each asks.
def TT_ValidTensors : TT_Trait<"ValidTensors">;
def TT_SizedTensors : TT_Trait<"SizedTensors">;
def TT_SameOperandsEncoding : TT_Trait<"SameOperandsEncoding">;
def TT_SameOperandsAndResultEncoding : TT_Trait<"SameOperandsAndResultEncoding">;
def TT_SameAccessShape : TT_Trait<"SameAccessShape">;

// The op computes its result types; a written encoding may differ from the computed one in name, not in meaning.
def TT_InferTensorType : InferTypeOpAdaptorBase<[{
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange written) {
    return ::kernelscope::tt::equivalentTypes(inferred, written);
  }
}]>;

def TT_DotOpInterface : OpInterface<"DotOpInterface"> {
  let description = "A matrix product d = a * b + c, of rank 2, or of rank 3 with a batch dimension in front.";
  let cppNamespace = "::kernelscope::tt";
  let methods = [
    InterfaceMethod<"The left operand.", "::mlir::Value", "getA">,
    InterfaceMethod<"The right operand.", "::mlir::Value", "getB">,
    InterfaceMethod<"The accumulated result.", "::mlir::Value", "getD">,
    InterfaceMethod<"How many elements one stored element of `a` (index 0) or `b` (1) holds, along which dimension.",
      "::kernelscope::tt::Packing", "getPacking", (ins "unsigned":$index), [{}], [{ return {}; }]>,
  ];
  let verify = [{ return ::kernelscope::tt::verifyDotShapes($_op); }];
}

def TT_TensorDescInterface : TypeInterface<"TensorDescInterface"> {
  let description = "A descriptor of a tensor in global memory that is read and written a block at a time.";
  let cppNamespace = "::kernelscope::tt";
  let methods = [
    InterfaceMethod<"Shape of the block.", "::llvm::ArrayRef<int64_t>", "getShape">,
    InterfaceMethod<"Element type; an integer may carry a sign.", "::mlir::Type", "getElementType">,
    InterfaceMethod<"Layout of the block in shared memory, or null.", "::mlir::Attribute", "getSharedLayout">,
    InterfaceMethod<"The block as a tensor.", "::mlir::RankedTensorType", "getBlockType", (ins), [{}], [{
      return ::mlir::RankedTensorType::get($_type.getShape(), $_type.getElementType());
    }]>,
    InterfaceMethod<"The block as a tensor of signless elements.", "::mlir::RankedTensorType",
      "getSignlessBlockType", (ins), [{}], [{
      ::mlir::Type element = $_type.getElementType();
      if (element.isInteger())
        element = ::mlir::IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
      return ::mlir::RankedTensorType::get($_type.getShape(), element);
    }]>,
  ];
}

#endif
