//===- DataMoverBlocks.cpp - Blocks by AMD's data mover -------------------===//

#include "passes/ttir/DataMoverBlocks.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/LayoutParts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/ttir/DescriptorLayouts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;

/// Row by row, with 16 bytes between some rows so that columns are in several
/// banks: the mover counts that by words, and takes no interval beyond 256.
static Attribute paddedRows(RankedTensorType block, unsigned ctas) {
  constexpr int64_t gapBytes = 16, leastBytes = 16, mostBytes = 1024;
  MLIRContext *context = block.getContext();
  const auto rank = static_cast<unsigned>(block.getRank());
  auto order = llvm::to_vector(llvm::reverse(llvm::seq(0u, rank)));
  const int64_t elementBytes = tt::bytesInMemory(block.getElementType()),
                row = block.getShape().back(), rowBytes = row * elementBytes;
  if (ctas == 1 && rank > 1 && rowBytes >= leastBytes &&
      rowBytes <= mostBytes) {
    SmallVector<unsigned> shape(block.getShape()), one(rank, 1);
    auto walk = [&](StringRef name, ArrayRef<unsigned> extent) {
      return ttg::parts::identityND(StringAttr::get(context, name), extent,
                                    order)
          .transposeOuts(ttg::tensorDims(context, rank));
    };
    return ttg::PaddedSharedEncodingAttr::get(
        context, {static_cast<unsigned>(row)},
        {static_cast<unsigned>(gapBytes / elementBytes)},
        walk("offset", shape) * walk("block", one));
  }
  SmallVector<unsigned> split(rank, 1), perCga(rank, 1);
  perCga.front() = ctas;
  return ttg::SwizzledSharedEncodingAttr::get(
      context, 1, 1, 1, order,
      ttg::CGAEncodingAttr::fromSplitParams(context, perCga, split, order));
}

namespace {

/// Builds what an op on a descriptor becomes, before it.
class Mover {
public:
  explicit Mover(Operation *op)
      : b(op), loc(op->getLoc()), warps(ttg::lookupNumWarps(op).value_or(4)),
        lanes(ttg::lookupThreadsPerWarp(op).value_or(32)),
        ctas(ttg::lookupNumCTAs(op).value_or(1)) {}

  /// `desc` at the block that begins at `indices`.
  Value at(Value desc, ValueRange indices) {
    return amdg::UpdateTensorDescriptorOp::create(
        b, loc, desc.getType(), desc, indices, /*set_bounds=*/ValueRange(),
        number(1), /*clamp_bounds=*/true);
  }
  /// The same for rows that are gathered or scattered.
  Value at(Value desc, Value column) {
    return at(desc, ValueRange{number(0), column});
  }

  /// Each lane has all of the numbers.
  Value onEachLane(TypedValue<RankedTensorType> rows) {
    auto count = static_cast<unsigned>(rows.getType().getNumElements());
    auto table = ttg::BlockedEncodingAttr::get(
        b.getContext(), {count, 1}, {1, lanes}, {1, warps}, {1, 0},
        ttg::CGAEncodingAttr::get1CTALayout(b.getContext(), 2));
    return ttg::ConvertLayoutOp::create(
        b, loc,
        rows.getType().cloneWithEncoding(
            ttg::SliceEncodingAttr::get(b.getContext(), 1, table)),
        rows);
  }

  Value load(Value desc, RankedTensorType result,
             llvm::function_ref<Value(Value)> copyTo) {
    Value memory = buffer(desc, result, {});
    Value done = wait(copyTo(memory));
    return ttg::LocalLoadOp::create(b, loc, result, memory, done);
  }

  void store(Value desc, TypedValue<RankedTensorType> source,
             llvm::function_ref<Value(Value)> copyFrom) {
    wait(copyFrom(buffer(desc, source.getType(), source)));
  }

  OpBuilder b;
  Location loc;

private:
  Value number(int32_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  }
  Value wait(Value token) {
    return amdg::AsyncTDMWaitOp::create(b, loc, token, /*num=*/0);
  }
  Value buffer(Value desc, RankedTensorType tensor, Value content) {
    auto described = cast<tt::TensorDescInterface>(desc.getType());
    Attribute layout = described.getShape() == tensor.getShape()
                           ? described.getSharedLayout()
                           : paddedRows(tensor, ctas);
    auto type = ttg::MemDescType::get(
        tensor.getShape(), tensor.getElementType(), layout,
        ttg::SharedMemorySpaceAttr::get(b.getContext()),
        /*mutableMemory=*/true);
    return ttg::LocalAllocOp::create(b, loc, type, content);
  }

  unsigned warps, lanes, ctas;
};

} // namespace

/// Whether `op` has been rewritten.
static bool moveBlock(Operation *op) {
  Mover mover(op);
  OpBuilder &b = mover.b;
  Location loc = mover.loc;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tt::DescriptorLoadOp read) {
        Value from = mover.at(read.getDesc(), read.getIndices());
        read.replaceAllUsesWith(
            mover.load(from, read.getType(), [&](Value to) -> Value {
              return amdg::AsyncTDMCopyGlobalToLocalOp::create(
                  b, loc, from, ValueRange(), to, /*pred=*/Value(),
                  /*barrier=*/Value(), read.getCache(),
                  /*warp_used_hint=*/IntegerAttr());
            }));
        return true;
      })
      .Case([&](tt::DescriptorStoreOp write) {
        Value to = mover.at(write.getDesc(), write.getIndices());
        mover.store(to, write.getSrc(), [&](Value from) -> Value {
          return amdg::AsyncTDMCopyLocalToGlobalOp::create(
              b, loc, to, ValueRange(), from, /*barrier=*/Value());
        });
        return true;
      })
      .Case([&](tt::DescriptorGatherOp gather) {
        Value from = mover.at(gather.getDesc(), gather.getYOffset());
        Value rows = mover.onEachLane(gather.getXOffsets());
        gather.replaceAllUsesWith(
            mover.load(from, gather.getType(), [&](Value to) -> Value {
              return amdg::AsyncTDMGatherOp::create(b, loc, from, rows, to,
                                                    /*barrier=*/Value());
            }));
        return true;
      })
      .Case([&](tt::DescriptorScatterOp scatter) {
        Value to = mover.at(scatter.getDesc(), scatter.getYOffset());
        Value rows = mover.onEachLane(scatter.getXOffsets());
        mover.store(to, scatter.getSrc(), [&](Value from) -> Value {
          return amdg::AsyncTDMScatterOp::create(b, loc, to, rows, from,
                                                 /*barrier=*/Value());
        });
        return true;
      })
      .Default([](Operation *) { return false; });
}

void kernelscope::moveBlocksByDataMover(ModuleOp module) {
  layOutDescriptors(module, paddedRows);
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (moveBlock(op))
      op->erase();
}
