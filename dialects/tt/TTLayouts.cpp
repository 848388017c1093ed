//===- TTLayouts.cpp - How the layouts around an op follow from each other ===//
//
// What ops with a rule of their own answer to `LayoutTransferOpInterface`. The
// dialect that owns the encodings makes them (`LayoutInterface`).
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"

using namespace mlir;
using namespace kernelscope::tt;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// What the dialect of `layout` infers; null if it fails, or if there is none.
static Attribute
inferFrom(Attribute layout,
          function_ref<FailureOr<Attribute>(const LayoutInterface &)> infer) {
  const LayoutInterface *layouts = getLayoutInterface(layout);
  return layouts ? infer(*layouts).value_or(Attribute()) : Attribute();
}

bool MakeRangeOp::isRecomputable() { return true; }
bool BroadcastOp::isRecomputable() { return true; }

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Attribute ExpandDimsOp::getOperandLayout(unsigned, Attribute working) {
  return inferFrom(working, [&](const LayoutInterface &layouts) {
    return layouts.inferReduce(working, getAxis(), std::nullopt);
  });
}
Attribute ExpandDimsOp::getWorkingLayoutForOperand(unsigned, Attribute layout) {
  return inferFrom(layout, [&](const LayoutInterface &layouts) {
    return layouts.inferExpandDims(layout, getAxis(), std::nullopt);
  });
}
bool ExpandDimsOp::isRecomputable() { return true; }
bool ExpandDimsOp::worksInResultLayout() { return true; }

Attribute TransOp::getResultLayout(Attribute working) {
  return inferFrom(working, [&](const LayoutInterface &layouts) {
    return layouts.inferTrans(working, shapeOf(getSrc()), getOrder(),
                              std::nullopt);
  });
}
Attribute TransOp::getWorkingLayoutForResult(Attribute layout) {
  SmallVector<int32_t> inverse(getOrder().size());
  for (auto [to, from] : llvm::enumerate(getOrder()))
    inverse[from] = static_cast<int32_t>(to);
  return inferFrom(layout, [&](const LayoutInterface &layouts) {
    return layouts.inferTrans(layout, shapeOf(getResult()), inverse,
                              std::nullopt);
  });
}
bool TransOp::isRecomputable() { return true; }

static Attribute reshaped(Attribute layout, Value from, Value to) {
  return inferFrom(layout, [&](const LayoutInterface &layouts) {
    return layouts.inferReshape(layout, shapeOf(from), shapeOf(to),
                                /*hint=*/{}, /*allowReorder=*/false,
                                std::nullopt);
  });
}

Attribute ReshapeOp::getResultLayout(Attribute working) {
  return reshaped(working, getSrc(), getResult());
}
Attribute ReshapeOp::getWorkingLayoutForResult(Attribute layout) {
  return reshaped(layout, getResult(), getSrc());
}
bool ReshapeOp::isRecomputable() { return true; }

//===----------------------------------------------------------------------===//
// Several tensors
//===----------------------------------------------------------------------===//

Attribute CatOp::getResultLayout(Attribute working) {
  return inferFrom(working, [&](const LayoutInterface &layouts) {
    auto operand = cast<RankedTensorType>(getLhs().getType());
    return layouts.inferCat(operand.cloneWithEncoding(working),
                            cast<RankedTensorType>(getType()));
  });
}

Attribute JoinOp::getResultLayout(Attribute working) {
  return inferFrom(working, [&](const LayoutInterface &layouts) {
    return layouts.inferJoin(working, shapeOf(getLhs()), std::nullopt);
  });
}

Attribute SplitOp::getResultLayout(Attribute working) {
  return inferFrom(working, [&](const LayoutInterface &layouts) {
    return layouts.inferSplit(working, shapeOf(getSrc()), std::nullopt);
  });
}
Attribute SplitOp::getWorkingLayoutForOperand(unsigned, Attribute layout) {
  // A source whose halves are in different threads cannot be split in place.
  return getResultLayout(layout) ? layout : Attribute();
}
unsigned SplitOp::getElementsTogether() { return 2; }

//===----------------------------------------------------------------------===//
// Elements of a tensor combined
//===----------------------------------------------------------------------===//

Attribute ReduceOp::getResultLayout(Attribute working) {
  return inferFrom(working, [&](const LayoutInterface &layouts) {
    return layouts.inferReduce(working, getAxis(), std::nullopt);
  });
}

// The source may have any layout: its elements come from other threads.
Attribute GatherOp::getOperandLayout(unsigned index, Attribute working) {
  return index == 0 ? Attribute() : working;
}
Attribute GatherOp::getWorkingLayoutForOperand(unsigned index,
                                               Attribute layout) {
  return index == 0 ? Attribute() : layout;
}
bool GatherOp::worksInResultLayout() { return true; }

Attribute HistogramOp::getResultLayout(Attribute) { return {}; }

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// `a` and `b` follow from the accumulator; scales may have any layout.
static Attribute productOperand(unsigned index, Attribute working) {
  if (index > 2)
    return {};
  return index == 2 ? working
                    : inferFrom(working, [&](const LayoutInterface &layouts) {
                        return layouts.inferDotOperand(working, index);
                      });
}

Attribute DotOp::getOperandLayout(unsigned index, Attribute working) {
  return productOperand(index, working);
}
Attribute DotOp::getWorkingLayoutForOperand(unsigned index, Attribute layout) {
  return index == 2 ? layout : Attribute();
}
bool DotOp::worksInResultLayout() { return true; }
bool DotOp::choosesLayout() { return true; }

Attribute DotScaledOp::getOperandLayout(unsigned index, Attribute working) {
  return productOperand(index, working);
}
Attribute DotScaledOp::getWorkingLayoutForOperand(unsigned index,
                                                  Attribute layout) {
  return index == 2 ? layout : Attribute();
}
bool DotScaledOp::worksInResultLayout() { return true; }
bool DotScaledOp::choosesLayout() { return true; }
