//===- TTGOpBase.td - What all ttg ops share ---------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_OP_BASE_TD
#define KERNELSCOPE_TTG_OP_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/tt/TTOpBase.td"
include "dialects/ttg/TTGAttrs.td"
include "dialects/ttg/TTGDialect.td"
include "dialects/ttg/TTGEnums.td"
include "dialects/ttg/TTGInterfaces.td"
include "dialects/ttg/TTGTypes.td"

def TTG_SharedMemory : Resource<"::kernelscope::ttg::SharedMemory">;

class TTG_Trait<string name> : NativeOpTrait<name> { let cppNamespace = "::kernelscope::ttg"; }
// TTG.h documents each of them.
// Every memory descriptor of the op fits the module.
def TTG_ValidMemDescs : TTG_Trait<"ValidMemDescs">;
// The result is another view of the memory behind operand 0.
def TTG_MemDescView : TTG_Trait<"MemDescView">;
// The op reads shared memory into registers.
def TTG_LocalLoadTrait : TTG_Trait<"LocalLoadTrait">;

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTG_Dialect, mnemonic, !listconcat([TT_ValidTensors, TTG_ValidMemDescs], traits)>;

#endif // KERNELSCOPE_TTG_OP_BASE_TD
