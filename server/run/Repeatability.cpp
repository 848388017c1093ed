//===- Repeatability.cpp - Whether two runs give the same bits ------------===//

#include "server/run/Repeatability.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kernelscope::run {
namespace {

/// `kernel` and what it calls.
llvm::SetVector<Operation *> functionsOf(FunctionOpInterface kernel) {
  llvm::SetVector<Operation *> functions;
  functions.insert(kernel);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallable())
        functions.insert(callee);
    });
  return functions;
}

/// Sums of floats depend on the order of their terms.
bool addsFloats(Operation *op) {
  auto adds = [](tt::RMWOp kind) { return kind == tt::RMWOp::FADD; };
  auto addsTo = [](tt::DescriptorReduceKind kind, Value descriptor) {
    return kind == tt::DescriptorReduceKind::ADD &&
           isa<FloatType>(cast<tt::TensorDescInterface>(descriptor.getType())
                              .getElementType());
  };
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
    return adds(rmw.getAtomicRmwOp());
  if (auto rmw = dyn_cast<amdg::BufferAtomicRMWOp>(op))
    return adds(rmw.getAtomicRmwOp());
  if (auto rmw = dyn_cast<ttg::LocalAtomicScatterRMWOp>(op))
    return adds(rmw.getAtomicRmwOp());
  if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op))
    return addsTo(reduce.getKind(), reduce.getDesc());
  if (auto reduce = dyn_cast<ttng::AsyncTMAReduceOp>(op))
    return addsTo(reduce.getKind(), reduce.getDesc());
  return false;
}

/// What it finds in memory, or leaves there, depends on who came before. A poll
/// waits until that is known.
bool exchangesValues(Operation *op) {
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
    if (rmw.getAtomicRmwOp() == tt::RMWOp::XCHG)
      return true;
  auto access = dyn_cast<tt::GlobalAccessOpInterface>(op);
  return access && access.getGlobalAccess().isAtomic && !op->use_empty() &&
         !isa<tt::AtomicPollOp>(op);
}

/// An address that is used as a number, not as one again.
bool readsAddress(Operation *op) {
  return isa<tt::PtrToIntOp>(op) &&
         !llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<tt::IntToPtrOp>(user);
         });
}

/// Assembly with a register or an instruction that counts time.
bool readsClock(Operation *op) {
  auto text = op->getAttrOfType<StringAttr>("asm_string");
  return text &&
         llvm::any_of(
             ArrayRef<StringRef>{"%clock", "%globaltimer", "s_memtime",
                                 "s_memrealtime", "SHADER_CYCLES"},
             [&](StringRef name) { return text.getValue().contains(name); });
}

} // namespace

std::vector<std::string> whyRunsMayDiffer(FunctionOpInterface kernel) {
  struct Reason {
    bool (*holds)(Operation *);
    StringRef text;
    Operation *op = nullptr;
  };
  Reason reasons[] = {
      {exchangesValues,
       "reads memory that earlier programs have written, so results may depend "
       "on the order of programs; the executor runs them one after another"},
      {addsFloats,
       "adds floats atomically, in any order on a GPU, so the last bits may "
       "differ between runs; the executor adds them in program order"},
      {readsAddress,
       "converts an address to a number, which differs between runs"},
      {readsClock, "reads a clock, which differs between runs on a GPU"},
  };
  for (Operation *function : functionsOf(kernel))
    function->walk([&](Operation *op) {
      for (Reason &reason : reasons)
        if (!reason.op && reason.holds(op))
          reason.op = op;
    });
  std::vector<std::string> notes;
  for (const Reason &reason : reasons)
    if (reason.op)
      notes.push_back(
          ("'" + reason.op->getName().getStringRef() + "' " + reason.text)
              .str());
  return notes;
}

} // namespace kernelscope::run
