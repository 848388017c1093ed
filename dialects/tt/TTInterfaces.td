//===- TTInterfaces.td - traits and interfaces of tt -------*- tablegen -*-===//

#ifndef KERNELSCOPE_TT_INTERFACES_TD
#define KERNELSCOPE_TT_INTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class TT_Trait<string name> : NativeOpTrait<name> { let cppNamespace = "::kernelscope::tt"; }

// Traits.h documents each of them.
def TT_ValidTensors : TT_Trait<"ValidTensors">;
def TT_SizedTensors : TT_Trait<"SizedTensors">;
def TT_SameOperandsEncoding : TT_Trait<"SameOperandsEncoding">;
def TT_SameOperandsAndResultEncoding : TT_Trait<"SameOperandsAndResultEncoding">;
def TT_SameAccessShape : TT_Trait<"SameAccessShape">;

def TT_CachePolicyInterface : AttrInterface<"CachePolicyInterface"> {
  let description = "A vendor's policy for how caches keep what an op accesses: its `cachePolicy`.";
  let cppNamespace = "::kernelscope::tt";
  let methods = [
    InterfaceMethod<"Reports an error if `op` cannot access memory by this policy.", "::llvm::LogicalResult", "verifyOn",
      (ins "::mlir::Operation *":$op)>,
    InterfaceMethod<"The operator of caches, which the op's own keyword would name otherwise.", "::kernelscope::tt::CacheModifier",
      "getCacheModifier">,
  ];
}
// The attribute `cachePolicy`, if the op has it, is a policy that fits the op.
def TT_HasCachePolicy : TT_Trait<"HasCachePolicy">;

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

def TT_GlobalAccessOpInterface : OpInterface<"GlobalAccessOpInterface"> {
  let description = "An op that accesses global memory element by element, each at its own address.";
  let cppNamespace = "::kernelscope::tt";
  let methods = [
    InterfaceMethod<"What it accesses, and how.", "::kernelscope::tt::GlobalAccess", "getGlobalAccess">,
  ];
}
// The op defines the method itself.
def TT_AccessesGlobal : DeclareOpInterfaceMethods<TT_GlobalAccessOpInterface>;

def TT_LayoutTransferOpInterface : OpInterface<"LayoutTransferOpInterface"> {
  let description = [{
    An op that computes in one layout, its working layout, from which those of its operands and results follow so that
    no data moves between threads. A layout is the encoding of a tensor; null means that there is none, or none known.
    The defaults are those of an op whose operands and results all have the working layout.
  }];
  let cppNamespace = "::kernelscope::tt";
  let methods = [
    InterfaceMethod<"The layout of operand `index` if the working layout is `working`; null if any layout will do.",
      "::mlir::Attribute", "getOperandLayout", (ins "unsigned":$index, "::mlir::Attribute":$working), [{}],
      [{ return working; }]>,
    InterfaceMethod<"The layout of its results; null if it is free to choose.",
      "::mlir::Attribute", "getResultLayout", (ins "::mlir::Attribute":$working), [{}], [{ return working; }]>,
    InterfaceMethod<"The working layout for which operand `index` has `layout`; null if there is none.",
      "::mlir::Attribute", "getWorkingLayoutForOperand", (ins "unsigned":$index, "::mlir::Attribute":$layout), [{}],
      [{ return layout; }]>,
    InterfaceMethod<"The working layout in which its results have `layout`; asked of recomputable ops only.",
      "::mlir::Attribute", "getWorkingLayoutForResult", (ins "::mlir::Attribute":$layout), [{}],
      [{ return layout; }]>,
    InterfaceMethod<"Whether it may be recomputed in several layouts, so that its result need not move between threads.",
      "bool", "isRecomputable", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<"Whether its working layout is that of a result, not of an operand.",
      "bool", "worksInResultLayout", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<"How many adjacent elements along the last dimension one thread has to hold.",
      "unsigned", "getElementsTogether", (ins), [{}], [{ return 1; }]>,
    InterfaceMethod<"Whether it chooses its working layout independently of its neighbours.",
      "bool", "choosesLayout", (ins), [{}], [{ return false; }]>,
  ];
}
// The op overrides the methods that are named.
class TT_LayoutTransfer<list<string> methods>
    : DeclareOpInterfaceMethods<TT_LayoutTransferOpInterface, methods>;

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
