//===- Descriptor.cpp - Blocks of a tensor in global memory ---------------===//
//
// Tensor descriptors and the loads and stores of blocks through them. Elements
// outside the tensor read as padding and are not written.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "executor/ops/Access.h"
#include "executor/plan/Strided.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The block that a descriptor op moves: where its first element is, and for
/// gathers the row of each.
struct Block {
  Slot descriptor;
  SmallVector<Slot> indices; ///< of i32
  std::optional<Slot> rows;  ///< of i32, one per row of a gathered block
  SmallVector<int64_t, 4> shape;
  Operation *op;

  /// Calls `fn(i, address)` for each element inside the tensor, `outside(i)`
  /// for the others, until one returns false.
  template <typename Fn, typename Outside>
  bool forEach(Frame &frame, size_t elementBytes, Fn fn,
               Outside outside) const {
    const Descriptor &tensor = *frame.at<Descriptor>(descriptor);
    const size_t rank = shape.size();
    const auto strides = rowMajor(shape);
    const int32_t *row = rows ? frame.at<int32_t>(*rows) : nullptr;
    const int64_t count = shape.empty() ? 1 : strides[0] * shape[0];
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, offset = 0;
      bool inside = true;
      for (size_t dim = 0; dim < rank; ++dim) {
        int64_t at = rest / strides[dim];
        rest %= strides[dim];
        if (row)
          at = dim == 0 ? row[at] : at + *frame.at<int32_t>(indices[0]);
        else
          at += *frame.at<int32_t>(indices[dim]);
        inside &= at >= 0 && at < tensor.shape[dim];
        offset += at * tensor.strides[dim];
      }
      const int64_t address =
          tensor.address + offset * static_cast<int64_t>(elementBytes);
      if (!(inside ? fn(i, address) : outside(i)))
        return false;
    }
    return true;
  }
};

std::optional<Block> blockOf(Planner &planner, Operation *op, Value descriptor,
                             ValueRange indices, Value rows,
                             ArrayRef<int64_t> gathered) {
  auto type = dyn_cast<tt::TensorDescType>(descriptor.getType());
  if (!type || type.getShape().size() > Descriptor::maxRank ||
      (rows && planner.storage(rows).element != Element::I32)) {
    op->emitError("the CPU executor does not run '")
        << op->getName() << "' through " << descriptor.getType();
    return std::nullopt;
  }
  Block block{planner.slot(descriptor), planner.slots(indices),
              optionalSlot(planner, rows),
              SmallVector<int64_t, 4>(rows ? gathered : type.getShape()), op};
  return block;
}

Step planBlockLoad(Planner &planner, std::optional<Block> block, Value result) {
  if (!block)
    return {};
  const Storage &storage = planner.storage(result);
  const Slot to = planner.slot(result);
  auto load = [&]<typename T>(T nan) -> Step {
    return [=, block = std::move(*block)](Frame &frame) {
      T *values = frame.at<T>(to);
      const T padding =
          frame.at<Descriptor>(block.descriptor)->padWithNan ? nan : T();
      return block.forEach(
          frame, sizeof(T),
          [&](size_t i, int64_t address) {
            return loadElement(frame, block.op, block.shape, i, address,
                               values[i]);
          },
          [&](size_t i) {
            values[i] = padding;
            return true;
          });
    };
  };
  if (isFloat(storage.element))
    return withFloat(storage.element, [&]<typename T>() {
      return load(T::store(std::numeric_limits<double>::quiet_NaN()));
    });
  return withBytes(sizeOf(storage.element),
                   [&]<typename T>() { return load(T()); });
}

Step planBlockStore(Planner &planner, std::optional<Block> block, Value value) {
  if (!block)
    return {};
  const Slot from = planner.slot(value);
  return withBytes(sizeOf(planner.storage(value).element),
                   [&]<typename T>() -> Step {
                     return [=, block = std::move(*block)](Frame &frame) {
                       const T *values = frame.at<T>(from);
                       return block.forEach(
                           frame, sizeof(T),
                           [&](size_t i, int64_t address) {
                             return storeElement(frame, block.op, block.shape,
                                                 i, address, values[i]);
                           },
                           [](size_t) { return true; });
                     };
                   });
}

Step planMakeDescriptor(Planner &planner, tt::MakeTensorDescOp op) {
  if (op.getShape().size() > Descriptor::maxRank) {
    op.emitError("a tensor descriptor has at most ")
        << Descriptor::maxRank << " dimensions";
    return {};
  }
  return
      [base = planner.slot(op.getBase()), shape = planner.slots(op.getShape()),
       strides = planner.slots(op.getStrides()),
       to = planner.slot(op.getResult()),
       padWithNan =
           op.getPadding() == tt::PaddingOption::PAD_NAN](Frame &frame) {
        Descriptor made;
        made.address = *frame.at<int64_t>(base);
        made.padWithNan = padWithNan;
        for (size_t dim = 0; dim < shape.size(); ++dim) {
          made.shape[dim] = *frame.at<int32_t>(shape[dim]);
          made.strides[dim] = *frame.at<int64_t>(strides[dim]);
        }
        *frame.at<Descriptor>(to) = made;
        return true;
      };
}

Step planLoadBlock(Planner &planner, tt::DescriptorLoadOp op) {
  return planBlockLoad(
      planner, blockOf(planner, op, op.getDesc(), op.getIndices(), {}, {}),
      op.getResult());
}

Step planStoreBlock(Planner &planner, tt::DescriptorStoreOp op) {
  return planBlockStore(
      planner, blockOf(planner, op, op.getDesc(), op.getIndices(), {}, {}),
      op.getSrc());
}

Step planGatherBlock(Planner &planner, tt::DescriptorGatherOp op) {
  return planBlockLoad(planner,
                       blockOf(planner, op, op.getDesc(), op.getYOffset(),
                               op.getXOffsets(),
                               planner.storage(op.getResult()).shape),
                       op.getResult());
}

Step planScatterBlock(Planner &planner, tt::DescriptorScatterOp op) {
  return planBlockStore(planner,
                        blockOf(planner, op, op.getDesc(), op.getYOffset(),
                                op.getXOffsets(),
                                planner.storage(op.getSrc()).shape),
                        op.getSrc());
}

} // namespace

void registerDescriptor(Registry &r) {
  r.add<tt::MakeTensorDescOp>(planMakeDescriptor);
  r.add<tt::DescriptorLoadOp>(planLoadBlock);
  r.add<tt::DescriptorStoreOp>(planStoreBlock);
  r.add<tt::DescriptorGatherOp>(planGatherBlock);
  r.add<tt::DescriptorScatterOp>(planScatterBlock);
}

} // namespace kernelscope::executor
