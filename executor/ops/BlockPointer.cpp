//===- BlockPointer.cpp - Pointers to blocks of tensors -------------------===//
//
// The form of Triton up to 3.7: a pointer knows the tensor and where its block
// starts. An access checks only the dimensions in `boundaryCheck`, and pads
// what is outside there; in the others each address counts.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "executor/ops/Access.h"
#include "executor/plan/Values.h"
#include <limits>

using namespace mlir;

namespace kernelscope::executor {
namespace {

Step planMake(Planner &planner, tt::MakeTensorPtrOp op) {
  if (op.getShape().size() > Descriptor::maxRank) {
    op.emitError("the CPU executor runs block pointers of at most ")
        << Descriptor::maxRank << " dimensions, not " << op.getShape().size();
    return {};
  }
  return
      [base = planner.slot(op.getBase()), shape = planner.slots(op.getShape()),
       strides = planner.slots(op.getStrides()),
       offsets = planner.slots(op.getOffsets()),
       to = planner.slot(op.getResult())](Frame &frame) {
        BlockPointer made;
        made.tensor.address = *frame.at<int64_t>(base);
        for (size_t dim = 0; dim < shape.size(); ++dim) {
          made.tensor.shape[dim] = *frame.at<int64_t>(shape[dim]);
          made.tensor.strides[dim] = *frame.at<int64_t>(strides[dim]);
          made.offsets[dim] = *frame.at<int32_t>(offsets[dim]);
        }
        *frame.at<BlockPointer>(to) = made;
        return true;
      };
}

Step planAdvance(Planner &planner, tt::AdvanceOp op) {
  return [from = planner.slot(op.getPtr()), by = planner.slots(op.getOffsets()),
          to = planner.slot(op.getResult())](Frame &frame) {
    BlockPointer moved = *frame.at<BlockPointer>(from);
    for (size_t dim = 0; dim < by.size(); ++dim)
      moved.offsets[dim] += *frame.at<int32_t>(by[dim]);
    *frame.at<BlockPointer>(to) = moved;
    return true;
  };
}

/// The elements of a block as addresses and a mask, which `prepare` computes.
struct BlockElements {
  Addresses at;
  Slot mask;
  Step prepare;
};

/// Those that `op` accesses through `pointer`; `tensor` is the type in
/// registers.
std::optional<BlockElements> elementsOf(Planner &planner, Operation *op,
                                        Value pointer, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  const size_t rank = type.getRank();
  SmallVector<bool> isChecked(rank, false);
  if (auto dims = op->getAttrOfType<DenseI32ArrayAttr>("boundaryCheck"))
    for (int32_t dim : dims.asArrayRef()) {
      if (dim < 0 || size_t(dim) >= rank) {
        op->emitError("boundaryCheck names dimension ")
            << dim << " of a block of " << rank << " dimensions";
        return std::nullopt;
      }
      isChecked[dim] = true;
    }
  const Storage &storage = planner.storage(tensor);
  BlockElements made;
  made.at.pointers = planner.scratch(storage.count * sizeof(int64_t));
  made.at.elementBytes = sizeOf(storage.element);
  made.at.shape = storage.shape;
  made.at.count = storage.count;
  made.at.op = op;
  made.at.owners = planner.owners(type);
  made.mask = planner.scratch(storage.count);
  made.prepare = [=, from = planner.slot(pointer), addresses = made.at.pointers,
                  mask = made.mask, count = storage.count,
                  shape = storage.shape,
                  bytes = int64_t(made.at.elementBytes)](Frame &frame) {
    const BlockPointer &block = *frame.at<BlockPointer>(from);
    int64_t *address = frame.at<int64_t>(addresses);
    uint8_t *isInside = frame.at<uint8_t>(mask);
    for (size_t i = 0; i < count; ++i) {
      int64_t rest = static_cast<int64_t>(i), offset = 0;
      bool inside = true;
      for (size_t dim = rank; dim-- > 0;) {
        const int64_t at = block.offsets[dim] + rest % shape[dim];
        rest /= shape[dim];
        offset += at * block.tensor.strides[dim];
        inside &= !isChecked[dim] || (at >= 0 && at < block.tensor.shape[dim]);
      }
      address[i] = block.tensor.address + offset * bytes;
      isInside[i] = inside;
    }
    return true;
  };
  return made;
}

/// NaNs in each element of `type`; none when they are zeros, or nothing is
/// said.
std::optional<Slot> paddingOf(Planner &planner, tt::LoadOp op) {
  auto padding = op->getAttrOfType<IntegerAttr>("padding");
  const Storage &storage = planner.storage(op.getResult());
  if (!padding || !isFloat(storage.element) ||
      padding.getInt() != static_cast<int64_t>(tt::PaddingOption::PAD_NAN))
    return std::nullopt;
  const size_t size = sizeOf(storage.element);
  std::vector<char> bytes(storage.count * size);
  withFloat(storage.element, [&]<typename T>() {
    const auto nan = T::store(std::numeric_limits<double>::quiet_NaN());
    for (size_t i = 0; i < storage.count; ++i)
      std::memcpy(bytes.data() + i * size, &nan, size);
  });
  const Slot slot = planner.scratch(bytes.size());
  planner.setConstant(slot, std::move(bytes));
  return slot;
}

} // namespace

Step planBlockPointerLoad(Planner &planner, tt::LoadOp op) {
  auto elements = elementsOf(planner, op, op.getPtr(), op.getResult());
  if (!elements)
    return {};
  elements->at.isAtomic = op.getIsVolatile();
  return [prepare = std::move(elements->prepare),
          load = planLoad(elements->at, elements->mask, paddingOf(planner, op),
                          planner.slot(op.getResult())),
          isVolatile = op.getIsVolatile()](Frame &frame) {
    return (!isVolatile || frame.letOthersRun()) && prepare(frame) &&
           load(frame);
  };
}

Step planBlockPointerStore(Planner &planner, tt::StoreOp op) {
  auto elements = elementsOf(planner, op, op.getPtr(), op.getValue());
  if (!elements)
    return {};
  return [prepare = std::move(elements->prepare),
          store = planStore(elements->at, elements->mask,
                            planner.slot(op.getValue()))](Frame &frame) {
    return prepare(frame) && store(frame);
  };
}

void registerBlockPointer(Registry &r) {
  r.add<tt::MakeTensorPtrOp>(planMake);
  r.add<tt::AdvanceOp>(planAdvance);
}

} // namespace kernelscope::executor
