//===- Reduce.cpp - Reductions, scans, histograms, maps -------------------===//
//
// A reduction combines neighbours pairwise, in a tree that keeps their order; a
// scan goes along the axis. The combine region runs on all pairs of a level at
// once when its ops allow it.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/HistogramBins.h"
#include "executor/ops/Elementwise.h"
#include "executor/plan/Strided.h"
#include "executor/sanitize/Watch.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The combine region of a reduction or scan, with room for pairs of operands.
class RegionCombiner {
public:
  /// Room for `capacity` pairs. None after an error.
  static std::optional<RegionCombiner> create(Planner &planner, Region &region,
                                              ValueRange sources,
                                              size_t capacity) {
    std::optional<Planner::Combine> combine =
        planner.planCombine(region, capacity);
    if (!combine)
      return std::nullopt;
    RegionCombiner made;
    made.combine = std::move(*combine);
    for (Value source : sources)
      made.sizes.push_back(sizeOf(planner.storage(source).element));
    if (made.combine.onMany) {
      made.operands = made.combine.arguments;
    } else {
      for (size_t i = 0; i < 2 * made.sizes.size(); ++i)
        made.operands.push_back(
            planner.scratch(capacity * made.sizes[i % made.sizes.size()]));
    }
    return made;
  }

  /// Where the left and right values of source `k` go before a run.
  char *left(Frame &frame, size_t k) const {
    return frame.at<char>(operands[k]);
  }
  char *right(Frame &frame, size_t k) const {
    return frame.at<char>(operands[sizes.size() + k]);
  }

  /// Combines `n` pairs; the values of source `k` go to `results(k)`.
  template <typename Fn> bool run(Frame &frame, size_t n, Fn results) const {
    if (combine.onMany) {
      const size_t outer = std::exchange(frame.lanes, n);
      const bool done = frame.run(*combine.body);
      frame.lanes = outer;
      for (size_t k = 0; done && k < sizes.size(); ++k)
        std::memcpy(results(k), frame.at<char>(combine.results[k]),
                    n * sizes[k]);
      return done;
    }
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < operands.size(); ++k) {
        const size_t size = sizes[k % sizes.size()];
        std::memcpy(frame.at<char>(combine.arguments[k]),
                    frame.at<char>(operands[k]) + i * size, size);
      }
      if (!frame.run(*combine.body))
        return false;
      for (size_t k = 0; k < sizes.size(); ++k)
        std::memcpy(results(k) + i * sizes[k],
                    frame.at<char>(combine.results[k]), sizes[k]);
    }
    return true;
  }

  SmallVector<size_t, 2> sizes;

private:
  Planner::Combine combine;
  SmallVector<Slot> operands;
};

/// The sources of a reduction or scan with the axis as the outermost dimension.
struct AxisMajor {
  AxisMajor(Planner &planner, ValueRange sources, size_t axis) {
    const auto &shape = planner.storage(sources.front()).shape;
    const auto strides = rowMajor(shape);
    length = shape[axis];
    walk.shape.push_back(shape[axis]);
    walk.strides.push_back(strides[axis]);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (dim == axis)
        continue;
      walk.shape.push_back(shape[dim]);
      walk.strides.push_back(strides[dim]);
      width *= shape[dim];
    }
    for (Value source : sources) {
      from.push_back(planner.slot(source));
      rows.push_back(planner.scratch(planner.bytesOf(source)));
      sizes.push_back(sizeOf(planner.storage(source).element));
    }
  }

  void gather(Frame &frame) const {
    for (size_t k = 0; k < from.size(); ++k)
      withBytes(sizes[k], [&]<typename T>() {
        gatherStrided(frame.at<T>(rows[k]), frame.at<const T>(from[k]), walk);
      });
  }
  char *row(Frame &frame, size_t k, size_t index) const {
    return frame.at<char>(rows[k]) + index * width * sizes[k];
  }

  Strides walk;
  size_t length = 1; ///< along the axis
  size_t width = 1;  ///< elements beside the axis
  SmallVector<Slot> from, rows;
  SmallVector<size_t, 2> sizes;
};

Step planReduce(Planner &planner, tt::ReduceOp op) {
  AxisMajor data(planner, op.getSrcs(), op.getAxis());
  std::optional<RegionCombiner> combiner =
      RegionCombiner::create(planner, op.getCombineOp(), op.getSrcs(),
                             std::max<size_t>(1, data.length / 2 * data.width));
  if (!combiner)
    return {};
  return [data = std::move(data), combiner = std::move(*combiner),
          results = planner.slots(op.getResult())](Frame &frame) {
    data.gather(frame);
    size_t rows = data.length;
    while (rows > 1) {
      const size_t pairs = rows / 2;
      for (size_t k = 0; k < results.size(); ++k) {
        const size_t bytes = data.width * data.sizes[k];
        for (size_t i = 0; i < pairs; ++i) {
          std::memcpy(combiner.left(frame, k) + i * bytes,
                      data.row(frame, k, 2 * i), bytes);
          std::memcpy(combiner.right(frame, k) + i * bytes,
                      data.row(frame, k, 2 * i + 1), bytes);
        }
      }
      if (!combiner.run(frame, pairs * data.width,
                        [&](size_t k) { return data.row(frame, k, 0); }))
        return false;
      if (rows % 2)
        for (size_t k = 0; k < results.size(); ++k)
          std::memcpy(data.row(frame, k, pairs), data.row(frame, k, rows - 1),
                      data.width * data.sizes[k]);
      rows = pairs + rows % 2;
    }
    for (size_t k = 0; k < results.size(); ++k)
      std::memcpy(frame.at<char>(results[k]), data.row(frame, k, 0),
                  data.width * data.sizes[k]);
    return true;
  };
}

Step planScan(Planner &planner, tt::ScanOp op) {
  AxisMajor data(planner, op.getSrcs(), op.getAxis());
  std::optional<RegionCombiner> combiner = RegionCombiner::create(
      planner, op.getCombineOp(), op.getSrcs(), data.width);
  if (!combiner)
    return {};
  return [data = std::move(data), combiner = std::move(*combiner),
          results = planner.slots(op.getResult()),
          reverse = op.getReverse()](Frame &frame) {
    data.gather(frame);
    auto place = [&](size_t i) { return reverse ? data.length - 1 - i : i; };
    for (size_t i = 1; i < data.length; ++i) {
      for (size_t k = 0; k < results.size(); ++k) {
        const size_t bytes = data.width * data.sizes[k];
        std::memcpy(combiner.left(frame, k), data.row(frame, k, place(i - 1)),
                    bytes);
        std::memcpy(combiner.right(frame, k), data.row(frame, k, place(i)),
                    bytes);
      }
      if (!combiner.run(frame, data.width,
                        [&](size_t k) { return data.row(frame, k, place(i)); }))
        return false;
    }
    for (size_t k = 0; k < results.size(); ++k)
      withBytes(data.sizes[k], [&]<typename T>() {
        scatterStrided(frame.at<T>(results[k]), frame.at<const T>(data.rows[k]),
                       data.walk);
      });
    return true;
  };
}

Step planHistogram(Planner &planner, tt::HistogramOp op) {
  const Storage &source = planner.storage(op.getSrc());
  const Storage &result = planner.storage(op.getResult());
  const Slot from = planner.slot(op.getSrc()),
             to = planner.slot(op.getResult());
  const std::optional<Slot> mask =
      op.getMask() ? std::optional(planner.slot(op.getMask())) : std::nullopt;
  return withInt(source.element, [&]<typename I>() {
    return withInt(result.element, [&]<typename O>() -> Step {
      return [=, count = source.count, bins = result.count,
              modulus = uint64_t(ttg::histogramModulus(op, result.count))](
                 Frame &frame) {
        const auto *values = frame.at<typename I::Storage>(from);
        const uint8_t *live = mask ? frame.at<uint8_t>(*mask) : nullptr;
        auto *counts = frame.at<typename O::Storage>(to);
        std::fill_n(counts, bins, 0);
        for (size_t i = 0; i < count; ++i) {
          if (live && !live[i])
            continue;
          uint64_t bin = values[i];
          if (bin >= bins && frame.watch)
            frame.watch->report(sanitize::outsideBins(
                op, I::loadSigned(values[i]), bins, bin & (modulus - 1)));
          bin &= modulus - 1;
          if (bin < bins)
            counts[bin] = O::store(counts[bin] + 1);
        }
        return true;
      };
    });
  });
}

Step planMap(Planner &planner, tt::MapElementwiseOp op) {
  const size_t pack = op.getPack();
  const size_t count = planner.storage(op.getSrcs().front()).count;
  struct Stream {
    Slot tensor;
    size_t size;
    SmallVector<Slot> scalars;
  };
  Region &region = op.getScalarOp();
  for (BlockArgument argument : region.getArguments())
    if (!planner.storageOf(argument.getType(), op))
      return {};
  SmallVector<Stream> inputs, outputs;
  SmallVector<Slot> returned;
  for (auto [index, source] : llvm::enumerate(op.getSrcs()))
    inputs.push_back(
        {planner.slot(source), sizeOf(planner.storage(source).element),
         planner.slots(region.getArguments().slice(index * pack, pack))});
  for (Value result : op.getResult()) {
    const size_t size = sizeOf(planner.storage(result).element);
    outputs.push_back({planner.slot(result), size, {}});
    for (size_t i = 0; i < pack; ++i) {
      returned.push_back(planner.scratch(size));
      outputs.back().scalars.push_back(returned.back());
    }
  }
  Step run = planner.planRegion(region, returned);
  if (!run)
    return {};
  return [=](Frame &frame) {
    for (size_t i = 0; i < count; i += pack) {
      for (const Stream &in : inputs)
        for (size_t j = 0; j < pack; ++j)
          std::memcpy(frame.at<char>(in.scalars[j]),
                      frame.at<char>(in.tensor) + (i + j) * in.size, in.size);
      if (!run(frame))
        return false;
      for (const Stream &out : outputs)
        for (size_t j = 0; j < pack; ++j)
          std::memcpy(frame.at<char>(out.tensor) + (i + j) * out.size,
                      frame.at<char>(out.scalars[j]), out.size);
    }
    return true;
  };
}

} // namespace

void registerReduce(Registry &r) {
  r.add<tt::ReduceOp>(planReduce);
  r.add<tt::ScanOp>(planScan);
  r.add<tt::HistogramOp>(planHistogram);
  r.add<tt::MapElementwiseOp>(planMap);
}

} // namespace kernelscope::executor
