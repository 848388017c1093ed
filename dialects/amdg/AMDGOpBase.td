//===- AMDGOpBase.td - what all amdg ops share -------------*- tablegen -*-===//

#ifndef KERNELSCOPE_AMDG_OP_BASE_TD
#define KERNELSCOPE_AMDG_OP_BASE_TD

include "dialects/amdg/AMDGDialect.td"
include "dialects/tt/TTOpBase.td"

class AMDG_Op<string mnemonic, list<Trait> traits = []>
    : Op<AMDG_Dialect, mnemonic, !listconcat([TT_ValidTensors], traits)>;

defvar noCacheModifier = "::kernelscope::tt::CacheModifier::NONE";

#endif
