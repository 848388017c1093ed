//===- TensorMemory.cpp - Tensor memory -----------------------------------===//
//
// Allocations, views, and moves between tensor memory and registers. What the
// tensor core does by itself is in TensorCore.cpp.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/TensorMemory.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ops/Float.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"
#include <cmath>

using namespace mlir;

namespace kernelscope::executor {

bool isInTensorMemory(Value memdesc) {
  return isa<ttng::TensorMemorySpaceAttr>(
      cast<ttg::MemDescType>(memdesc.getType()).getMemorySpace());
}

namespace {

/// Bytes of a column of 32 bits in all 128 rows, and of all 512 columns, which
/// is from the part of one CTA to the part of the next.
constexpr int64_t columnBytes = 512, ctaBytes = 512 * columnBytes;

} // namespace

std::optional<TensorMemoryPlaces> TensorMemoryPlaces::of(Operation *op,
                                                         Value memdesc) {
  auto type = cast<ttg::MemDescType>(memdesc.getType());
  const int64_t size = bytesInMemory(type.getElementType());
  std::string error;
  auto layout = ttg::toLinearLayout(
      ttg::dropPipeliningDim(type.getAllocShape(), type.getEncoding()),
      type.getEncoding(), error);
  if (!layout || size == 0 || layout->getOutDims().size() != 2) {
    op->emitError("the CPU executor has no layout for tensor memory of type ")
        << type;
    return std::nullopt;
  }
  MLIRContext *context = type.getContext();
  auto row = StringAttr::get(context, "row"),
       col = StringAttr::get(context, "col");
  auto placeOf = [&](ArrayRef<LinearLayout::NamedValue> at) {
    int64_t place = 0;
    for (auto [name, value] : at) {
      const int64_t byte = value * size;
      place += name == row   ? value * int64_t{4}
               : name == col ? byte / 4 * columnBytes + byte % 4
                             : value * ctaBytes;
    }
    return place;
  };
  TensorMemoryPlaces made;
  const LinearLayout inverse = layout->pseudoinvert();
  auto names = ttg::tensorDims(context, 2);
  const ArrayRef<int64_t> shape = type.getShape().take_back(2);
  for (int64_t i = 0; i < shape[0]; ++i)
    made.rows.push_back(placeOf(inverse.apply({{names[0], int32_t(i)}})));
  for (int64_t j = 0; j < shape[1]; ++j)
    made.columns.push_back(placeOf(inverse.apply({{names[1], int32_t(j)}})));
  // Other layouts have rows with nothing in them, but no copies.
  const int32_t free =
      isa<ttng::TensorMemoryScalesEncodingAttr>(type.getEncoding())
          ? layout->getZeroMask(row) & 0x60
          : 0;
  for (int32_t copy = 0; copy <= free; copy += 32)
    if ((copy & ~free) == 0)
      made.copies.push_back(copy * int64_t{4});
  made.ringBytes =
      llvm::divideCeil(layout->getInDimSize(col) * size, 4) * columnBytes;
  // Cells of 32 bits, then runs of them.
  std::vector<int64_t> places;
  for (int64_t row : made.rows)
    for (int64_t copy : made.copies)
      for (int64_t column : made.columns)
        places.push_back(((row ^ column) ^ copy) & ~int64_t{3});
  llvm::sort(places);
  for (int64_t place : places)
    if (!made.cells.empty() && place <= made.cells.back().end)
      made.cells.back().end = place + 4;
    else
      made.cells.push_back({place, place + 4});
  made.bytes =
      (layout->getInDimSize(StringAttr::get(context, "block")) - 1) * ctaBytes +
      made.ringBytes;
  return made;
}

namespace {

/// Of the views of tensor memory only the stride of a ring is used, in
/// elements, so that ttg.memdesc_index is that of shared memory.
int64_t ringStride(TypedValue<ttg::MemDescType> memdesc,
                   const TensorMemoryPlaces &places) {
  return places.ringBytes / int64_t(elementBytes(memdesc));
}

/// The tensor that `memdesc` views = value.
Step planWrite(Planner &planner, Operation *op, Value value, Value memdesc,
               Value predicate) {
  auto places = TensorMemoryPlaces::of(op, memdesc);
  if (!places)
    return {};
  return withBytes(elementBytes(memdesc), [&]<typename T>() -> Step {
    return [op, places = *places, from = planner.slot(value),
            to = planner.slot(memdesc),
            live = optionalSlot(planner, predicate)](Frame &frame) {
      char *base = frame.at<View>(to)->base;
      const sanitize::Use use{{base, places.pieces()}, /*isWrite=*/true};
      if (live && !*frame.at<uint8_t>(*live)) {
        if (frame.watch)
          frame.watch->skip(use);
        return true;
      }
      if (frame.watch)
        frame.watch->access(op, use);
      places.write(base, frame.at<T>(from));
      return true;
    };
  });
}

Step planAlloc(Planner &planner, ttng::TMEMAllocOp op) {
  TypedValue<ttg::MemDescType> memdesc = op.getResult();
  auto places = TensorMemoryPlaces::of(op, memdesc);
  if (!places)
    return {};
  Step write;
  if (op.getSrc()) {
    write = planWrite(planner, op, op.getSrc(), memdesc, Value());
    if (!write)
      return {};
  }
  const int64_t ring =
      memdesc.getType().getRank() > 2 ? memdesc.getType().getDimSize(0) : 1;
  const int64_t bytes = places->bytes + (ring - 1) * places->ringBytes;
  return [=, to = planner.slot(memdesc), stride = ringStride(memdesc, *places),
          allocate = planAllocation(planner, memdesc, bytes),
          place = placeOf(op), operation = op.getOperation()](Frame &frame) {
    View &view = *frame.at<View>(to);
    view.base = allocate(frame);
    view.strides[0] = stride;
    if (place)
      frame.program.placedAt[view.base] = *place;
    if (frame.program.cluster)
      frame.program.cluster->allocate(
          frame.cta, {operation, 0, view.base, size_t(bytes), 1, nullptr});
    if (frame.watch)
      frame.watch->allocate(
          {view.base, bytes, ttg::MemorySpace::Tensor, operation});
    return !write || write(frame);
  };
}

Step planStore(Planner &planner, ttng::TMEMStoreOp op) {
  return planWrite(planner, op, op.getSrc(), op.getDst(), op.getPred());
}

/// red[i] = the least or greatest of row i of `rows` by `columns` values.
Step planReduceRows(Planner &planner, ttng::TMEMLoadOp op) {
  const auto &shape = planner.storage(op.getResult()).shape;
  const bool isMin = *op.getRedOp() == ttng::TMEMLoadReduceModifier::MIN;
  const bool absolute = op.getAbs().value_or(false),
             propagate = op.getNaN().value_or(false);
  return [=, rows = shape[0], columns = shape[1],
          from = planner.slot(op.getResult()),
          to = planner.slot(op.getRed())](Frame &frame) {
    const float *value = frame.at<float>(from);
    float *result = frame.at<float>(to);
    for (int64_t i = 0; i < rows; ++i) {
      double best = NAN;
      bool isNan = false;
      for (int64_t j = 0; j < columns; ++j, ++value) {
        const double x = absolute ? std::fabs(*value) : *value;
        isNan |= std::isnan(x);
        best = isMin ? minimumNumber(best, x) : maximumNumber(best, x);
      }
      result[i] = static_cast<float>(propagate && isNan ? NAN : best);
    }
    return true;
  };
}

Step planLoad(Planner &planner, ttng::TMEMLoadOp op) {
  auto places = TensorMemoryPlaces::of(op, op.getSrc());
  if (!places)
    return {};
  Step reduce = op.getRedOp() ? planReduceRows(planner, op) : Step();
  return withBytes(elementBytes(op.getSrc()), [&]<typename T>() -> Step {
    return [=, places = *places, from = planner.slot(op.getSrc()),
            to = planner.slot(op.getResult()),
            operation = op.getOperation()](Frame &frame) {
      const char *base = frame.at<View>(from)->base;
      if (frame.watch)
        frame.watch->access(operation,
                            {{base, places.pieces()}, /*isWrite=*/false});
      places.read(base, frame.at<T>(to));
      return !reduce || reduce(frame);
    };
  });
}

Step planSubslice(Planner &planner, ttng::TMEMSubSliceOp op) {
  auto places = TensorMemoryPlaces::of(op, op.getSrc());
  if (!places)
    return {};
  const int64_t offset = op.getOffset();
  const int64_t dim = op.getDim() + 2 - op.getSrc().getType().getRank();
  const int64_t moved = dim < 0    ? offset * places->ringBytes
                        : dim == 0 ? places->at(offset, 0)
                                   : places->at(0, offset);
  return [moved, from = planner.slot(op.getSrc()),
          to = planner.slot(op.getResult())](Frame &frame) {
    View view = *frame.at<View>(from);
    view.base += moved;
    *frame.at<View>(to) = view;
    return true;
  };
}

/// The same memory, as another type lays it out.
Step planReinterpret(Planner &planner, ttg::MemDescReinterpretOp op) {
  if (!isInTensorMemory(op.getSrc()))
    return planReinterpretShared(planner, op);
  auto places = TensorMemoryPlaces::of(op, op.getResult());
  if (!places)
    return {};
  return [stride = ringStride(op.getResult(), *places),
          from = planner.slot(op.getSrc()),
          to = planner.slot(op.getResult())](Frame &frame) {
    View view = *frame.at<View>(from);
    view.strides[0] = stride;
    *frame.at<View>(to) = view;
    return true;
  };
}

} // namespace

void registerTensorMemory(Registry &r) {
  r.add<ttng::TMEMAllocOp>(planAlloc);
  r.add<ttng::TMEMLoadOp>(planLoad);
  r.add<ttng::TMEMStoreOp>(planStore);
  r.add<ttng::TMEMSubSliceOp>(planSubslice);
  r.add<ttg::MemDescReinterpretOp>(planReinterpret);
}

} // namespace kernelscope::executor
