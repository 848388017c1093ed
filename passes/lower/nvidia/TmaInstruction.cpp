//===- TmaInstruction.cpp - What instructions of TMA share ----------------===//

#include "passes/lower/nvidia/TmaInstruction.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

Value lower::isElected(lower::Builder &b) {
  Value elected =
      b.intrinsic("llvm.nvvm.elect.sync",
                  b.structType({b.intType(32), b.intType(1)}), {b.i32(-1)});
  return b.extractValue(elected, 1);
}

std::string lower::addTensor(Ptx &ptx, Value descriptor,
                             ArrayRef<Value> coordinates) {
  std::string map = ptx.input(descriptor, "l");
  SmallVector<std::string> names;
  for (Value coordinate : coordinates)
    names.push_back(ptx.input(coordinate, "r"));
  return "[" + map + ", {" + llvm::join(names, ", ") + "}]";
}

LogicalResult lower::checkReachesCTA(Operation *op, const TargetHooks &hooks,
                                     int32_t inOneCTA) {
  if (!inOneCTA || hooks.getTarget().hasTensorMemory())
    return success();
  return op->emitOpError("copies to a window that may be in the other CTA of a "
                         "pair, away from its barrier; only copies with "
                         ".cta_group::2 of sm_100 can, and this is ")
         << hooks.getTarget().arch;
}

Value lower::ctaOfWindow(lower::Builder &b, const TargetHooks &hooks,
                         const MemDesc &memory, ttg::MemDescType type,
                         int32_t inOneCTA) {
  if (!inOneCTA)
    return hooks.ctaId(b);
  Value first = b.bitAnd(hooks.ctaId(b), b.i32(~inOneCTA));
  Value owner = placeOfWindow(b, memory, type).owner;
  return owner ? b.bitXor(first, owner) : first;
}

lower::Multicast lower::multicast(lower::Builder &b, const TargetHooks &hooks,
                                  int32_t bits, Value target) {
  int32_t all = 0;
  for (int32_t other = bits;; other = (other - 1) & bits) {
    all |= int32_t(1) << other;
    if (!other)
      break;
  }
  return {b.icmp(ICmp::eq, b.bitAnd(hooks.ctaId(b), b.i32(bits)), b.i32(0)),
          b.trunc(b.intType(16),
                  b.shl(b.i32(all), b.bitAnd(target, b.i32(~bits))))};
}
