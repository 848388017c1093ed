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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def MemoryAccessOpInterface : OpInterface<"MemoryAccessOpInterface"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = [{
    An op whose memory accesses are not ordinary loads and stores, complete later, or have a predicate. Its memory
    effects say which accesses there are; `accessesOf` combines both.
  }];
  let methods = [
    InterfaceMethod<"How it performs all of them.", "::kernelscope::ttg::AccessMode", "getAccessMode">,
  ];
}
def AccessesMemory : DeclareOpInterfaceMethods<MemoryAccessOpInterface>;

def MBarrierOpInterface : OpInterface<"MBarrierOpInterface"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "An op that initialises, signals or waits on mbarriers in shared memory.";
  let methods = [
    InterfaceMethod<"What it does to each of its barriers, in the order of its operands.",
                    "::llvm::SmallVector<::kernelscope::ttg::BarrierAction>", "getBarrierActions">,
  ];
}
def UsesMBarriers : DeclareOpInterfaceMethods<MBarrierOpInterface>;

def AsyncWaitOpInterface : OpInterface<"AsyncWaitOpInterface"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = [{
    An op that waits for asynchronous accesses of its own thread or warp, other than on an mbarrier. Accesses that
    other threads started are known to be complete only after a barrier that
    follows their waits.
  }];
  let methods = [
    InterfaceMethod<"What kind of accesses it waits for.", "::kernelscope::ttg::Completion", "getAwaited">,
    InterfaceMethod<"How many of the newest groups may be in flight when it returns.", "int64_t", "getPending">,
    InterfaceMethod<"Whether it counts instructions instead of groups.", "bool", "countsInstructions", (ins), [{}],
                    [{ return false; }]>,
  ];
  let verify = [{ return ::kernelscope::ttg::verifyPending($_op); }];
}
class WaitsForAccesses<list<string> methods = []> : DeclareOpInterfaceMethods<AsyncWaitOpInterface, methods>;

def ThreadBarrierOpInterface : OpInterface<"ThreadBarrierOpInterface"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "An op at which all threads that execute it wait for each other.";
  let methods = [
    InterfaceMethod<"Whether earlier accesses of each thread to `space` are visible to all threads afterwards.", "bool", "ordersMemory",
                    (ins "::kernelscope::ttg::MemorySpace":$space)>,
  ];
}
def OrdersThreads : DeclareOpInterfaceMethods<ThreadBarrierOpInterface>;

def AllocOpInterface : OpInterface<"AllocOpInterface"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = "An op whose first result is a new buffer, which the compiler places.";
  let methods = [
    InterfaceMethod<"Where the buffer is.", "::kernelscope::ttg::MemorySpace", "getAllocSpace">,
    InterfaceMethod<"The size: bytes of shared memory, or 32-bit columns of tensor memory. Nothing for a type "
                    "whose layout does not fit it.", "::std::optional<int64_t>", "getAllocSize">,
    InterfaceMethod<"The alignment of its address, in the unit of the size; a power of two.",
                    "int64_t", "getAllocAlignment">,
  ];
}
def AllocatesMemory : DeclareOpInterfaceMethods<AllocOpInterface>;

def ScratchOpInterface : OpInterface<"ScratchOpInterface"> {
  let cppNamespace = "::kernelscope::ttg";
  let description = [{
    An op whose threads exchange data through shared memory while it runs. Each lowering attaches the interface to its
    ops.
  }];
  let methods = [
    InterfaceMethod<"Bytes of shared memory that it needs; 0 for none. There is a barrier between its stores and its "
                    "loads, of all warps unless it is `withinWarps`.", "unsigned", "getScratchBytes">,
    InterfaceMethod<"Whether each warp loads only what it stored itself, and no other warp stores there, so that it "
                    "waits for its own lanes alone.", "bool", "withinWarps">,
  ];
}

#endif // KERNELSCOPE_TTG_INTERFACES_TD
