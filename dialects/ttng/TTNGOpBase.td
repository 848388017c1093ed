//===- TTNGOpBase.td - What all ttng ops share -------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTNG_OP_BASE_TD
#define KERNELSCOPE_TTNG_OP_BASE_TD

include "dialects/ttg/TTGOpBase.td"
include "dialects/ttng/TTNGAttrs.td"
include "dialects/ttng/TTNGTypes.td"

def TTNG_TensorMemory : Resource<"::kernelscope::ttng::TensorMemory">;

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNG_Dialect, mnemonic, !listconcat([TT_ValidTensors, TTG_ValidMemDescs], traits)>;

def TTNG_TensorOrMemDesc : AnyTypeOf<[AnyRankedTensor, TTG_MemDescType], "tensor or a view of shared or tensor memory">;

// Effects on operands.
def TTNG_ReadsShared : Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>]>;
def TTNG_WritesShared : Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>;
def TTNG_ReadsAndWritesShared
    : Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>;

#endif // KERNELSCOPE_TTNG_OP_BASE_TD
