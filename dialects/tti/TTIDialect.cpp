//===- TTIDialect.cpp - the tti dialect -----------------------------------===//
//
// Registration, folds, and the rules of its ops.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/tti/TTI.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::tti;

#include "dialects/tti/TTIDialect.cpp.inc"
#include "dialects/tti/TTIEnums.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/tti/TTIOps.cpp.inc"

void TTIDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/tti/TTIOps.cpp.inc"
      >();
}

LogicalResult ExperimentalLocalGatherOp::verify() {
  ttg::MemDescType source = getSrc().getType();
  RankedTensorType indices = getIndices().getType();
  auto result = cast<RankedTensorType>(getType());
  if (!isa_and_present<ttg::SharedEncodingTrait>(source.getEncoding()))
    return emitOpError() << "needs a source with a shared layout, but it is "
                         << source;
  if (result.getShape() != indices.getShape() ||
      result.getEncoding() != indices.getEncoding())
    return emitOpError()
           << "needs a result with the shape and layout of the indices, "
           << indices << ", but it is " << result;
  if (source.getRank() != indices.getRank())
    return emitOpError() << "needs indices of the source's rank "
                         << source.getRank() << ", but they have "
                         << indices.getRank();
  if (result.getElementType() != source.getElementType())
    return emitOpError() << "needs a result with the source's element type, "
                         << source.getElementType() << ", but it has "
                         << result.getElementType();
  int64_t axis = getAxisAttr().getInt();
  if (axis < 0 || axis >= source.getRank())
    return emitOpError() << "needs " << describeAxes(source.getRank())
                         << ", but has " << axis;
  if (static_cast<int64_t>(getOffsets().size()) != source.getRank())
    return emitOpError() << "needs an offset for each of the "
                         << counted(source.getRank(), "dimension")
                         << ", but has " << getOffsets().size();
  return success();
}

LogicalResult DotI8Op::verify() {
  Attribute a = getA().getType().getEncoding(),
            b = getB().getType().getEncoding();
  auto d = dyn_cast_if_present<ttg::NvidiaMmaEncodingAttr>(
      getD().getType().getEncoding());
  if (!d || d.getVersionMajor() != 2)
    return emitOpError() << "needs a result with a #ttg.nvidia_mma layout of "
                            "version 2, but it is "
                         << getD().getType();
  for (Attribute operand : {a, b}) {
    auto encoding = dyn_cast_if_present<ttg::DotOperandEncodingAttr>(operand);
    if (!encoding || encoding.getParent() != d)
      return emitOpError() << "needs operands with a #ttg.dot_op layout whose "
                              "parent is the result's, "
                           << d << ", but has " << operand;
  }
  return tt::getLayoutInterface(d)->verifyDotOperands(*this, a, b);
}

OpFoldResult ExperimentalFPSanEmbedOp::fold(FoldAdaptor) {
  auto inverse = getVal().getDefiningOp<ExperimentalFPSanUnembedOp>();
  return inverse && inverse.getVal().getType() == getType() ? inverse.getVal()
                                                            : OpFoldResult();
}

OpFoldResult ExperimentalFPSanUnembedOp::fold(FoldAdaptor) {
  auto inverse = getVal().getDefiningOp<ExperimentalFPSanEmbedOp>();
  return inverse && inverse.getVal().getType() == getType() ? inverse.getVal()
                                                            : OpFoldResult();
}
