//===- ProtonOps.td - ops of proton ------------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_OPS_TD
#define KERNELSCOPE_PROTON_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/proton/ProtonDialect.td"
include "dialects/proton/ProtonEnums.td"

// Marks stay in order with other effects.
class Proton_Op<string mnemonic>
    : Op<Proton_Dialect, mnemonic, [MemoryEffects<[MemRead<DefaultResource>, MemWrite<DefaultResource>]>]>;

def Proton_RecordOp : Proton_Op<"record"> {
  let summary = "start or end of a measured region";
  let description = [{
    `proton.record start "name"` and `proton.record end "name"` enclose a region of the kernel whose cycles are
    measured per warp. A name can be used only once in a function.
  }];
  let arguments = (ins UnitAttr:$isStart, StrAttr:$name);
  let assemblyFormat = "(`start` $isStart^) : (`end`)? $name attr-dict";
}

def Proton_EventOp : Proton_Op<"event"> {
  let summary = "start or end of an asynchronous transaction";
  let description = [{
    Records the time at which the transaction that `event` names starts or ends; the two may be in different regions,
    or on different warps.
  }];
  let arguments = (ins UnitAttr:$isStart, I32:$event);
  let assemblyFormat = "(`start` $isStart^) : (`end`)? $event attr-dict `:` type($event)";
}

def Proton_AllocateEventOp : Proton_Op<"allocate_event"> {
  let summary = "identity of an asynchronous transaction";
  let description = [{
    Returns an id that connects a `proton.event` op with its counterpart. It records no time. Two of these ops are two
    events, even if they have the same name.
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs I32:$event);
  let assemblyFormat = "$name attr-dict `:` type($event)";
}

#endif
