//===- TTNGOps.td - The operations of ttng -----------------*- tablegen -*-===//

include "dialects/ttng/TTNGBarrierOps.td"
include "dialects/ttng/TTNGMMAOps.td"
include "dialects/ttng/TTNGTMAOps.td"
include "dialects/ttng/TTNGTensorMemoryOps.td"
