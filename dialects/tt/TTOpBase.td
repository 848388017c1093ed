//===- TTOpBase.td - what all tt ops share -----------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TT_OP_BASE_TD
#define KERNELSCOPE_TT_OP_BASE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/tt/TTEnums.td"
include "dialects/tt/TTTypes.td"

def TT_GlobalMemory : Resource<"::kernelscope::tt::GlobalMemory">;

// Shapes and layouts are checked first: the other traits and the verifiers rely on them.
class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, !listconcat([TT_ValidTensors], traits)>;

// One result element from the operand elements at the same place.
class TT_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Elementwise, TT_SameOperandsAndResultEncoding], traits)>;

// A tensor operand whose type follows from another's, and that may be absent.
class TT_OptionalTypeMatches<string from, string to, string transform, int required>
    : TypesMatchWith<to # " matches " # from, from, to, transform,
                     "($_op.getOperands().size() <= " # required # ") || std::equal_to<>()">;

#endif
