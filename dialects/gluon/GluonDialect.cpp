//===- GluonDialect.cpp - the gluon dialect -------------------------------===//
//
// Registration, its op's rule, and how open layouts spread.
//
//===----------------------------------------------------------------------===//

#include "dialects/gluon/Gluon.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::gluon;

#include "dialects/gluon/GluonDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/gluon/GluonAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/gluon/GluonOps.cpp.inc"

namespace {

/// An open layout stays open through every op; nothing is known of it yet.
struct OpenLayouts : tt::LayoutInterface {
  using LayoutInterface::LayoutInterface;

  FailureOr<Attribute> inferTrans(Attribute src, Shape, ArrayRef<int32_t>,
                                  OptionalLoc) const final {
    return src;
  }
  FailureOr<Attribute> inferReduce(Attribute src, unsigned,
                                   OptionalLoc) const final {
    return src;
  }
  FailureOr<Attribute> inferExpandDims(Attribute src, unsigned,
                                       OptionalLoc) const final {
    return src;
  }
  FailureOr<Attribute> inferReshape(Attribute src, Shape, Shape, Attribute,
                                    bool, OptionalLoc) const final {
    return src;
  }
  FailureOr<Attribute> inferJoin(Attribute src, Shape,
                                 OptionalLoc) const final {
    return src;
  }
  FailureOr<Attribute> inferSplit(Attribute src, Shape,
                                  OptionalLoc) const final {
    return src;
  }
  Attribute inferDotOperand(Attribute result, unsigned) const final {
    return result;
  }
  Attribute inferCat(RankedTensorType operand, RankedTensorType) const final {
    return operand.getEncoding();
  }
  LogicalResult verifyDotOperand(Attribute, unsigned, Attribute,
                                 OptionalLoc) const final {
    return success();
  }
  LogicalResult verifyDotOperands(Operation *, Attribute,
                                  Attribute) const final {
    return success();
  }
  bool areEquivalent(Shape, Attribute a, Attribute b, bool) const final {
    return a == b;
  }
  LogicalResult verifyTensor(Attribute, RankedTensorType, Operation *,
                             EmitError) const final {
    return success();
  }
};

} // namespace

void GluonDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/gluon/GluonAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/gluon/GluonOps.cpp.inc"
      >();
  addInterfaces<OpenLayouts>();
}

LogicalResult SetAutoLayoutOp::verify() {
  Attribute from = getSrc().getType().getEncoding(),
            to = getType().getEncoding();
  if (!isa_and_present<AutoEncodingAttr>(from))
    return emitOpError()
           << "needs a source with #gluon.auto_encoding, but it is "
           << getSrc().getType();
  if (!to || isa<AutoEncodingAttr>(to))
    return emitOpError() << "needs a result with a concrete layout, but it is "
                         << getType();
  return success();
}
