//===- PackedTranspose.cpp - Loads of 4-bit values along K ----------------===//
//
// The load that packs pairs of 4-bit values along another dimension than
// memory does.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// Each byte has two values along one dimension in memory, along K in the
/// result; the lower half is the first.
Step planPackedTransposed(Planner &planner,
                          amdg::LocalLoadPackedTransposedOp op) {
  const SmallVector<int64_t, 4> memory = shapeOf(op.getSrc());
  const SmallVector<int64_t, 4> result = planner.storage(op.getResult()).shape;
  const size_t rank = memory.size();
  const bool alongRows = result[rank - 2] == 2 * memory[rank - 2];
  const int64_t rows = result[rank - 2], columns = result[rank - 1];
  return [=, from = planner.slot(op.getSrc()),
          to = planner.slot(op.getResult()), operation = op.getOperation(),
          count = planner.storage(op.getResult()).count](Frame &frame) {
    std::vector<uint8_t> packed(count);
    auto cells = Cells::of(frame, operation, *frame.at<View>(from), memory, 1,
                           Tile::own(frame));
    if (!cells)
      return false;
    watchCells(frame, operation, *cells, /*isWrite=*/false);
    cells->read(reinterpret_cast<char *>(packed.data()));
    uint8_t *out = frame.at<uint8_t>(to);
    // The value at (row, column) of the unpacked matrix.
    const int64_t memoryColumns = memory[rank - 1];
    auto valueAt = [&](const uint8_t *matrix, int64_t row, int64_t column) {
      const int64_t half = alongRows ? row % 2 : column % 2;
      const uint8_t byte = matrix[(alongRows ? row / 2 : row) * memoryColumns +
                                  (alongRows ? column : column / 2)];
      return half ? byte >> 4 : byte & 15;
    };
    const int64_t bytes = rows * columns;
    for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
      const uint8_t *matrix = packed.data() + i / bytes * bytes;
      const int64_t row = i % bytes / columns, column = i % columns;
      const int low = alongRows ? valueAt(matrix, row, 2 * column)
                                : valueAt(matrix, 2 * row, column);
      const int high = alongRows ? valueAt(matrix, row, 2 * column + 1)
                                 : valueAt(matrix, 2 * row + 1, column);
      out[i] = static_cast<uint8_t>(low | high << 4);
    }
    return true;
  };
}

} // namespace

void registerPackedTranspose(Registry &r) {
  r.add<amdg::LocalLoadPackedTransposedOp>(planPackedTransposed);
}

} // namespace kernelscope::executor
