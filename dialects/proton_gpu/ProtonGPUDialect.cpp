//===- ProtonGPUDialect.cpp - the proton_gpu dialect ----------------------===//
//
// Registration and the rules of its ops.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/proton_gpu/ProtonGPU.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::proton_gpu;

#include "dialects/proton_gpu/ProtonGPUDialect.cpp.inc"
#include "dialects/proton_gpu/ProtonGPUEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/proton_gpu/ProtonGPUAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/proton_gpu/ProtonGPUTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/proton_gpu/ProtonGPUOps.cpp.inc"

void ProtonGPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/proton_gpu/ProtonGPUAttrs.cpp.inc"
      >();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/proton_gpu/ProtonGPUOps.cpp.inc"
      >();
}

void ProtonGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/proton_gpu/ProtonGPUTypes.cpp.inc"
      >();
}

LogicalResult CircularStoreOp::verify() {
  SegmentType segment = getSegment().getType();
  auto parts = static_cast<int64_t>(segment.getSelectIds().size());
  if (parts == 0)
    parts = ttg::lookupTotalNumWarps(*this).value_or(1);
  if (parts < 1 || segment.getNBytes() % parts != 0 ||
      !llvm::isPowerOf2_64(segment.getNBytes() / parts))
    return emitOpError() << "needs a buffer that gives each of "
                         << counted(parts, "warp")
                         << " a power-of-two number of bytes, but it has "
                         << segment.getNBytes() << " bytes";
  if (!getScopeIdAttr() == !getDynamicScopeId())
    return emitOpError() << "needs either scopeId or a dynamic scope, but has "
                         << (getScopeIdAttr() ? "both" : "neither");
  if (IntegerAttr id = getScopeIdAttr();
      id && (id.getInt() < 0 || id.getInt() > 255))
    return emitOpError() << "needs a scopeId from 0 to 255, but has "
                         << id.getInt();
  return success();
}

LogicalResult SegmentAllocOp::verify() {
  SegmentType segment = getSegment().getType();
  if (!segment.getSelectIds().empty() &&
      segment.getGranularity() != Granularity::WARP)
    return emitOpError()
           << "needs warp granularity to select some of the segments, but has "
           << stringifyGranularity(segment.getGranularity());
  return success();
}

LogicalResult InitCtxOp::verify() {
  if ((*this)->getParentOfType<ttg::WarpSpecializeOp>())
    return emitOpError("must be outside ttg.warp_specialize, because all warps "
                       "of the CTA must execute it");
  return success();
}
