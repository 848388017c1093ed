//===- Barrier.cpp - what memory an mbarrier takes ------------------------===//
//
// The rule that the barrier ops of ttng and amdg share.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Notes.h"
#include "dialects/ttg/TTG.h"

using namespace mlir;
using namespace kernelscope;

LogicalResult ttg::verifyBarrierType(Operation *op, MemDescType barrier) {
  int64_t numCTAs = lookupNumCTAs(op).value_or(1);
  if (!barrier.getElementType().isInteger(64) || barrier.getRank() != 1 ||
      barrier.getShape()[0] > numCTAs)
    return op->emitOpError()
           << "needs a barrier of Nxi64 with N at most the number of CTAs ("
           << numCTAs << "), but it is " << barrier;
  auto swizzled = dyn_cast<SwizzledSharedEncodingAttr>(barrier.getEncoding());
  // 3.9 asks for it: a barrier is one word, at the start of what it names.
  if (!swizzled || swizzled.getVec() != 1 || swizzled.getPerPhase() != 1 ||
      swizzled.getMaxPhase() != 1) {
    InFlightDiagnostic error = op->emitOpError();
    error << "needs a barrier in contiguous memory, whose layout is "
             "#ttg.swizzled_shared with vec, perPhase and maxPhase of 1, not "
          << barrier.getEncoding();
    if (swizzled)
      suggestLayout(error, swizzled,
                    SwizzledSharedEncodingAttr::get(op->getContext(), 1, 1, 1,
                                                    swizzled.getOrder(),
                                                    swizzled.getCGALayout()));
    return error;
  }
  std::string error;
  std::optional<LinearLayout> layout = toLinearLayout(
      dropPipeliningDim(barrier.getAllocShape(), barrier.getEncoding()),
      barrier.getEncoding(), error);
  if (!layout)
    return op->emitOpError() << "needs a barrier whose layout fits: " << error;
  // CTAs that share a barrier differ in bits that move nothing; the others
  // count up.
  int32_t next = 1;
  for (const std::vector<int32_t> &basis :
       layout->getBases(LayoutDims(op->getContext()).block)) {
    if (basis[0] != 0 && basis[0] != next) {
      InFlightDiagnostic error = op->emitOpError();
      error << "needs a barrier that all CTAs share, or one per CTA in the "
               "order of CTA ids (block bases 1, 2, 4, ... or 0), but its "
               "layout is "
            << layout->toString();
      suggestLayout(error, swizzled,
                    SwizzledSharedEncodingAttr::get(
                        op->getContext(), 1, 1, 1, swizzled.getOrder(),
                        CGAEncodingAttr::get1DLayout(op->getContext(),
                                                     barrier.getDimSize(0))));
      return error;
    }
    next = basis[0] ? next * 2 : next;
  }
  return success();
}
