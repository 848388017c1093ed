//===- Shape.cpp - Ops that move elements ---------------------------------===//
//
// Ranges, splats, broadcasts, reshapes, transpositions, joins, gathers. A value
// is dense and row-major whatever its layout, so a change of layout is a copy.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/Elementwise.h"
#include "executor/ops/ThreadIds.h"
#include "executor/plan/Strided.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// result = operand 0 seen through `from` at element `offset`.
Step planGatherStrided(Planner &planner, Value source, Value result,
                       Strides from, int64_t offset = 0) {
  const Slot in = planner.slot(source), out = planner.slot(result);
  return withBytes(
      sizeOf(planner.storage(result).element), [&]<typename T>() -> Step {
        return [=, from = std::move(from)](Frame &frame) {
          gatherStrided(frame.at<T>(out), frame.at<const T>(in) + offset, from);
          return true;
        };
      });
}

Step planMakeRange(Planner &planner, tt::MakeRangeOp op) {
  const Storage &storage = planner.storage(op.getResult());
  std::vector<char> bytes(planner.bytesOf(op.getResult()));
  auto *values = reinterpret_cast<uint32_t *>(bytes.data());
  if (storage.element != Element::I32) {
    op.emitError("the CPU executor makes ranges of i32, not ") << op.getType();
    return {};
  }
  for (size_t i = 0; i < storage.count; ++i)
    values[i] = op.getStart() + i;
  planner.setConstant(planner.slot(op.getResult()), std::move(bytes));
  return [](Frame &) { return true; };
}

Step planSplat(Planner &planner, tt::SplatOp op) {
  if (differsBetweenThreads(op.getSrc()))
    return planSplatOfIds(planner, op);
  const Storage &storage = planner.storage(op.getResult());
  return planGatherStrided(planner, op.getSrc(), op.getResult(),
                           {{int64_t(storage.count)}, {0}});
}

Step planBroadcast(Planner &planner, tt::BroadcastOp op) {
  const Storage &from = planner.storage(op.getSrc());
  Strides strides{planner.storage(op.getResult()).shape, rowMajor(from.shape)};
  for (auto [size, stride] : llvm::zip_equal(from.shape, strides.strides))
    if (size == 1)
      stride = 0;
  return planGatherStrided(planner, op.getSrc(), op.getResult(), strides);
}

Step planTrans(Planner &planner, tt::TransOp op) {
  const auto from = rowMajor(planner.storage(op.getSrc()).shape);
  Strides strides{planner.storage(op.getResult()).shape, {}};
  for (int32_t dim : op.getOrder())
    strides.strides.push_back(from[dim]);
  return planGatherStrided(planner, op.getSrc(), op.getResult(), strides);
}

Step planJoin(Planner &planner, tt::JoinOp op) {
  const Storage &storage = planner.storage(op.getLhs());
  const Slot lhs = planner.slot(op.getLhs()), rhs = planner.slot(op.getRhs());
  const Slot out = planner.slot(op.getResult());
  return withBytes(sizeOf(storage.element), [&]<typename T>() -> Step {
    return [=, count = storage.count](Frame &frame) {
      const T *a = frame.at<T>(lhs), *b = frame.at<T>(rhs);
      T *result = frame.at<T>(out);
      for (size_t i = 0; i < count; ++i) {
        result[2 * i] = a[i];
        result[2 * i + 1] = b[i];
      }
      return true;
    };
  });
}

Step planSplit(Planner &planner, tt::SplitOp op) {
  const Storage &storage = planner.storage(op.getOutLHS());
  const Slot in = planner.slot(op.getSrc());
  const Slot lhs = planner.slot(op.getOutLHS()),
             rhs = planner.slot(op.getOutRHS());
  return withBytes(sizeOf(storage.element), [&]<typename T>() -> Step {
    return [=, count = storage.count](Frame &frame) {
      const T *source = frame.at<T>(in);
      T *a = frame.at<T>(lhs), *b = frame.at<T>(rhs);
      for (size_t i = 0; i < count; ++i) {
        a[i] = source[2 * i];
        b[i] = source[2 * i + 1];
      }
      return true;
    };
  });
}

Step planCat(Planner &planner, Operation *op) {
  const Slot lhs = planner.slot(op->getOperand(0)),
             rhs = planner.slot(op->getOperand(1));
  const Slot out = planner.slot(op->getResult(0));
  const size_t bytes = planner.bytesOf(op->getOperand(0));
  return [=](Frame &frame) {
    std::memcpy(frame.at<char>(out), frame.at<char>(lhs), bytes);
    std::memcpy(frame.at<char>(out) + bytes, frame.at<char>(rhs), bytes);
    return true;
  };
}

/// result[.., i, ..] = src[.., indices[.., i, ..], ..] along the axis.
Step planGather(Planner &planner, tt::GatherOp op) {
  const Storage &source = planner.storage(op.getSrc());
  const Storage &indices = planner.storage(op.getIndices());
  const int64_t axis = op.getAxis();
  const int64_t length = source.shape[axis];
  const auto strides = rowMajor(source.shape);
  // Where each element of the result begins in the source, at index 0.
  std::vector<int64_t> base;
  Strides walk{indices.shape, strides};
  walk.strides[axis] = 0;
  walk.forEachRow([&](int64_t offset, int64_t stride, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
      base.push_back(offset + i * stride);
  });
  const Slot in = planner.slot(op.getSrc()), at = planner.slot(op.getIndices());
  const Slot out = planner.slot(op.getResult());
  return withInt(indices.element, [&]<typename I>() {
    return withBytes(sizeOf(source.element), [&]<typename T>() -> Step {
      return [=, base = std::move(base), axisStride = strides[axis],
              operation = op.getOperation()](Frame &frame) {
        const T *source = frame.at<T>(in);
        const auto *index = frame.at<typename I::Storage>(at);
        T *result = frame.at<T>(out);
        for (size_t i = 0; i < base.size(); ++i) {
          const int64_t pick = I::loadSigned(index[i]);
          if (pick < 0 || pick >= length)
            return frame.fault(operation, frame.programName() + ", element " +
                                              Twine(i) + ": index " +
                                              Twine(pick) +
                                              " is outside the axis of " +
                                              Twine(length) + " elements");
          result[i] = source[base[i] + pick * axisStride];
        }
        return true;
      };
    });
  });
}

/// The part of the source from the offsets on.
Step planExtractSlice(Planner &planner, amdg::ExtractSliceOp op) {
  const auto strides = rowMajor(planner.storage(op.getSource()).shape);
  int64_t first = 0;
  for (auto [offset, stride] : llvm::zip_equal(op.getStaticOffsets(), strides))
    first += offset * stride;
  return planGatherStrided(planner, op.getSource(), op.getResult(),
                           {planner.storage(op.getResult()).shape, strides},
                           first);
}

/// The sources as a grid, row by row.
Step planConcat(Planner &planner, amdg::ConcatOp op) {
  const Storage &part = planner.storage(op.getSources().front());
  const Storage &whole = planner.storage(op.getResult());
  const Strides to{part.shape, rowMajor(whole.shape)};
  std::vector<std::pair<Slot, int64_t>> parts; // and where each begins
  SmallVector<int64_t, 4> at(part.shape.size(), 0);
  for (Value source : op.getSources()) {
    int64_t first = 0;
    for (auto [position, stride] : llvm::zip_equal(at, to.strides))
      first += position * stride;
    parts.emplace_back(planner.slot(source), first);
    for (size_t dim = at.size(); dim-- > 0;) {
      at[dim] += part.shape[dim];
      if (at[dim] < whole.shape[dim])
        break;
      at[dim] = 0;
    }
  }
  return withBytes(sizeOf(whole.element), [&]<typename T>() -> Step {
    return [=, out = planner.slot(op.getResult())](Frame &frame) {
      for (const auto &[source, first] : parts)
        scatterStrided(frame.at<T>(out) + first, frame.at<const T>(source), to);
      return true;
    };
  });
}

template <typename OpT> Step planSameElements(Planner &planner, OpT op) {
  return copyElements(planner, op);
}

} // namespace

void registerShape(Registry &r) {
  r.add<tt::MakeRangeOp>(planMakeRange);
  r.add<tt::SplatOp>(planSplat);
  r.add<tt::UnsplatOp>(planSameElements<tt::UnsplatOp>);
  r.add<tt::BroadcastOp>(planBroadcast);
  r.add<tt::ExpandDimsOp>(planSameElements<tt::ExpandDimsOp>);
  r.add<tt::ReshapeOp>(planSameElements<tt::ReshapeOp>);
  r.add<tt::TransOp>(planTrans);
  r.add<tt::JoinOp>(planJoin);
  r.add<tt::SplitOp>(planSplit);
  r.add<tt::GatherOp>(planGather);
  r.add<ttg::ConvertLayoutOp>(planSameElements<ttg::ConvertLayoutOp>);
  r.add<amdg::ExtractSliceOp>(planExtractSlice);
  r.add<amdg::ConcatOp>(planConcat);
  r.add("tt.cat", planCat);
  r.add("gluon.set_auto_layout", copyElements);
  r.add("amdg.in_thread_transpose", copyElements);
}

} // namespace kernelscope::executor
