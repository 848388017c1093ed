//===- TTIOpBase.td - what all tti ops share ---------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TTI_OP_BASE_TD
#define KERNELSCOPE_TTI_OP_BASE_TD

include "dialects/tt/TTOpBase.td"
include "dialects/ttg/TTGTypes.td"
include "dialects/tti/TTIDialect.td"
include "dialects/tti/TTIEnums.td"

def TTI_SharedMemory : Resource<"::kernelscope::ttg::SharedMemory">;

class TTI_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTI_Dialect, mnemonic, !listconcat([TT_ValidTensors], traits)>;

#endif
