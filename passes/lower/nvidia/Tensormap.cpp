//===- Tensormap.cpp - Tensor descriptors that the device writes ----------===//
//
// ttng.tensormap_create fills in a tensor map in shared memory and copies it to
// where TMA finds it. PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy".
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/Scratch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

constexpr unsigned mapBytes = 128;

unsigned scratchBytes(ttng::TensormapCreateOp) { return mapBytes; }

/// Replaces fields of one tensor map in shared memory, in one thread.
class MapWriter {
public:
  MapWriter(lower::Builder &b, Value map) : b(b), map(map) {}

  /// `field` of dimension `dim`, or of none, becomes `value`.
  void replace(StringRef field, std::optional<size_t> dim, Value value) {
    Ptx ptx(b);
    unsigned bits = bitWidth(value.getType());
    std::string to = ptx.input(map, "l");
    std::string from = ptx.input(value, Ptx::constraintOf(bits));
    emit(ptx, field, bits, to,
         (dim ? std::to_string(*dim) + ", " : std::string()) + from);
  }
  /// A field that takes a code.
  void replace(StringRef field, uint32_t code) {
    Ptx ptx(b);
    std::string to = ptx.input(map, "l");
    emit(ptx, field, 32, to, std::to_string(code));
  }

private:
  void emit(Ptx &ptx, StringRef field, unsigned bits, StringRef to,
            StringRef value) {
    ptx.emit(
        llvm::formatv(
            "tensormap.replace.tile.{0}.shared::cta.b1024.b{1} [{2}], {3};",
            field, bits, to, value)
            .str());
  }

  lower::Builder &b;
  Value map;
};

class CreatePattern : public lower::Pattern<ttng::TensormapCreateOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TensormapCreateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(check(op)))
      return failure();
    lower::Builder b(op, rewriter);
    Value map = sharedMemoryOf(b, op), thread = hooks.threadId(b);
    Value isFirstWarp = b.icmp(ICmp::ult, thread, b.i32(32));
    Value isFirst = b.icmp(ICmp::eq, thread, b.i32(0));
    // A word per lane.
    static_assert(mapBytes == 32 * 4);
    hooks.storeShared(b, b.gep(b.intType(32), map, thread), {b.i32(0)},
                      isFirstWarp);
    meetLanes(b);
    // ptxas makes a branch of each tensormap.replace with a predicate.
    actWhere(b, rewriter, isFirst, [&] { write(b, op, adaptor, map); });
    meetLanes(b);
    Ptx ptx(b);
    std::string to = ptx.input(adaptor.getDescPtr(), "l"),
                from = ptx.input(wide(b, map), "l");
    ptx.emit(llvm::formatv(
                 "{0}tensormap.cp_fenceproxy.global.shared::cta.tensormap::"
                 "generic.release.gpu.sync.aligned [{1}], [{2}], {3};",
                 ptx.predicate(isFirstWarp), to, from, mapBytes)
                 .str());
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// An error if a constant is not what TMA takes. CUDA Driver API,
  /// "cuTensorMapEncodeTiled".
  static LogicalResult check(ttng::TensormapCreateOp op) {
    constexpr int64_t mostInBox = 256;
    for (auto [index, value] : llvm::enumerate(op.getBoxDim()))
      if (auto size = tt::constantOf(value);
          size && (*size < 1 || *size > mostInBox))
        return op.emitOpError("has a box_dim[")
               << index << "] of " << *size << "; TMA copies 1 to "
               << counted(mostInBox, "element") << " along a dimension";
    return success();
  }

  /// The lanes of the first warp write in turn.
  static void meetLanes(lower::Builder &b) {
    b.intrinsic("llvm.nvvm.bar.warp.sync", {}, {b.i32(-1)});
  }
  /// tensormap.replace takes addresses of 64 bits only.
  static Value wide(lower::Builder &b, Value pointer) {
    return b.zext(b.intType(64), b.ptrtoint(b.intType(32), pointer));
  }

  static void write(lower::Builder &b, ttng::TensormapCreateOp op,
                    OpAdaptor adaptor, Value map) {
    MapWriter writer(b, wide(b, map));
    writer.replace("global_address", {},
                   b.ptrtoint(b.intType(64), adaptor.getGlobalAddress()));
    writer.replace("rank",
                   static_cast<uint32_t>(adaptor.getBoxDim().size()) - 1);
    auto replaceAll = [&](StringRef field, ValueRange values) {
      for (auto [dim, value] : llvm::enumerate(values))
        writer.replace(field, dim, value);
    };
    replaceAll("box_dim", adaptor.getBoxDim());
    replaceAll("global_dim", adaptor.getGlobalDim());
    replaceAll("global_stride", adaptor.getGlobalStride());
    replaceAll("element_stride", adaptor.getElementStride());
    writer.replace("elemtype", op.getElemType());
    writer.replace("interleave_layout", op.getInterleaveLayout());
    writer.replace("swizzle_mode", op.getSwizzleMode());
    writer.replace("fill_mode", op.getFillMode());
  }
};

/// The first warp acquires the map, before any lane starts a copy.
class AcquirePattern
    : public lower::Pattern<ttng::TensormapFenceproxyAcquireOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TensormapFenceproxyAcquireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    // One warp, which is the one that released the map if it was made here:
    // each lane of the others would only drop it from the descriptor cache once
    // more.
    Value isFirstWarp = b.icmp(ICmp::ult, hooks.threadId(b), b.i32(32));
    Ptx ptx(b);
    std::string map = ptx.input(adaptor.getDescPtr(), "l");
    ptx.emit(llvm::formatv(
                 "{0}fence.proxy.tensormap::generic.acquire.gpu [{1}], {2};",
                 ptx.predicate(isFirstWarp), map, mapBytes)
                 .str());
    hooks.barrier(b);
    rewriter.eraseOp(op);
    return success();
  }
};

class ReinterpretPattern
    : public lower::Pattern<ttng::ReinterpretTensorDescOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::ReinterpretTensorDescOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    // A global address is the same generic one.
    Value address = b.ptrtoint(b.intType(64), adaptor.getRawDesc());
    rewriter.replaceOp(op, b.inttoptr(b.pointerType(Generic), address));
    return success();
  }
};

} // namespace

void lower::populateTensormapPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<CreatePattern, AcquirePattern, ReinterpretPattern>(converter,
                                                                  hooks);
}

void lower::attachTensormapScratch(DialectRegistry &registry) {
  attachScratch<ttng::TTNGDialect, ttng::TensormapCreateOp, scratchBytes>(
      registry);
}
