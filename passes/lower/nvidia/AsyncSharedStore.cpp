//===- AsyncSharedStore.cpp - ttng.async_shared_store by st.async ---------===//
//
// Each thread stores its elements to the CTA that has them, where they complete
// on that CTA's barrier. PTX ISA, "st.async".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/MBarrier.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MatrixProduct.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// Where registers go: the place in memory of a CTA, and which CTA.
struct ClusterPlaces {
  SharedPlaces local;
  /// From (register, lane, warp, block) to the block.
  LinearLayout ctas;
  /// The bits of the register index that say which CTA.
  uint32_t parts = 0;
  /// An i32 that is xored to what `ctas` says, of a window that begins in
  /// another CTA; null for none.
  Value ownerWindow = {};
};

class AsyncSharedStorePattern
    : public lower::Pattern<ttng::AsyncSharedStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::AsyncSharedStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    RankedTensorType type = op.getSrc().getType();
    auto places = placesOf(b, op, type, MemDesc::unpack(b, adaptor.getDst()));
    if (failed(places))
      return failure();
    MBarrier barrier(b, hooks, op, adaptor.getMbarrier(),
                     op.getMbarrier().getType());
    ttg::LayoutDims names(b.getContext());
    SmallVector<Value> elements =
        toMemory(b, unpackElements(b, adaptor.getSrc()));
    Type element = elements.front().getType();
    unsigned bits = bitWidth(element);
    Value predicate = holdsFirst(b, ttg::toLinearLayout(type), places->ctas);
    auto storeTo = [&](Value address, const SharedVector &registers) {
      Value cta = applyLayout(b, places->ctas,
                              {{names.reg,
                                b.i32(static_cast<int32_t>(registers.front()))},
                               {names.lane, hooks.laneId(b)},
                               {names.warp, hooks.warpId(b)},
                               {names.block, hooks.ctaId(b)}})
                      .front();
      if (places->ownerWindow)
        cta = b.bitXor(cta, places->ownerWindow);
      emitStore(b, mapToCTA(b, address, cta), barrier.of(b, cta),
                pick(elements, registers), bits, predicate);
    };
    // Registers that only differ in the CTA have one place in its memory.
    for (uint32_t part = 0;; part = (part - places->parts) & places->parts) {
      visitShared(b, hooks, places->local, element,
                  hooks.maxSharedBits() / bits,
                  [&](Value address, SharedVector registers) {
                    for (unsigned &each : registers)
                      each |= part;
                    storeTo(address, registers);
                  });
      if (part == places->parts)
        break;
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static FailureOr<ClusterPlaces> placesOf(lower::Builder &b,
                                           ttng::AsyncSharedStoreOp op,
                                           RankedTensorType tensor,
                                           const MemDesc &memory) {
    ttg::MemDescType type = op.getDst().getType();
    if (type.getRank() != tensor.getRank())
      return op.emitOpError("stores to a ring of buffers; select one with "
                            "ttg.memdesc_index first");
    ttg::LayoutDims names(b.getContext());
    LinearLayout buffer = ttg::toLinearLayout(type);
    LinearLayout registers = ttg::toLinearLayout(tensor);
    for (auto [name, size] : buffer.getOutDimSizes())
      registers = registers.resizeOut(name, size);
    // Each CTA of those that share data would have to be sent its copy.
    if (buffer.getZeroMask(names.block) & ~registers.getZeroMask(names.block))
      return op.emitOpError("stores a tensor that is not replicated across "
                            "CTAs to memory that is, which is not lowered yet");
    std::optional<LinearLayout> map = registers.invertAndCompose(buffer);
    if (!map)
      return op.emitOpError("needs elements that the buffer does not hold");
    SmallVector<StringAttr> ins = map->getInDimNames();
    const WindowPlace window = placeOfWindow(b, memory, type);
    SharedPlaces local{map->sublayout(ins, {names.offset}),
                       memory.base,
                       window.offset,
                       window.mask,
                       {}};
    if (auto padded =
            dyn_cast<ttg::PaddedSharedEncodingAttr>(type.getEncoding()))
      for (auto [interval, padding] :
           llvm::zip_equal(padded.getIntervals(), padded.getPaddings()))
        local.gaps.push_back({interval, padding});
    ClusterPlaces places{std::move(local), map->sublayout(ins, {names.block})};
    places.ownerWindow = window.owner;
    places.parts = ~places.ctas.getZeroMask(names.reg) &
                   (places.ctas.getInDimSize(names.reg) - 1);
    if (places.parts & ~places.local.offsets.getZeroMask(names.reg))
      return op.emitOpError(
          "has register bases that move both within a CTA's memory and to "
          "another CTA, which is not lowered yet");
    return places;
  }

  /// True in one of the threads that hold the same elements; null if there are
  /// no others. CTAs that have copies of the memory store their own.
  Value holdsFirst(lower::Builder &b, const LinearLayout &registers,
                   const LinearLayout &ctas) const {
    ttg::LayoutDims names(b.getContext());
    Value first;
    for (auto [name, mask] : registers.getFreeVariableMasks()) {
      if (name == names.reg)
        continue;
      if (name == names.block)
        for (unsigned bit = 0; bit < ctas.getInDimSizeLog2(name); ++bit)
          if (ctas.getBasis(name, bit).front() == int32_t(1) << bit)
            mask &= ~(int32_t(1) << bit);
      if (!mask)
        continue;
      Value id = name == names.lane   ? hooks.laneId(b)
                 : name == names.warp ? hooks.warpId(b)
                                      : hooks.ctaId(b);
      Value isFirst = b.icmp(ICmp::eq, b.bitAnd(id, b.i32(mask)), b.i32(0));
      first = first ? b.bitAnd(first, isFirst) : isFirst;
    }
    return first;
  }

  static void emitStore(lower::Builder &b, Value address, Value barrier,
                        ArrayRef<Value> elements, unsigned bits,
                        Value predicate) {
    unsigned wordBits = std::max(bits, 32u), inWord = wordBits / bits;
    Ptx ptx(b);
    std::string to = ptx.input(address, "r");
    SmallVector<std::string> words;
    for (size_t i = 0; i < elements.size(); i += inWord)
      words.push_back(
          ptx.input(joinBits(b, elements.slice(i, inWord), b.intType(wordBits)),
                    Ptx::constraintOf(wordBits)));
    std::string signal = ptx.input(barrier, "r");
    std::string vector =
        words.size() == 1 ? "" : ".v" + std::to_string(words.size());
    std::string guard = ptx.predicate(predicate);
    ptx.emit(llvm::formatv("{0}st.async.weak.shared::cluster.mbarrier::"
                           "complete_tx::bytes{1}.b{2} [{3}], {4}, [{5}];",
                           guard, vector, wordBits, to, Ptx::group(words),
                           signal)
                 .str());
  }
};

} // namespace

void lower::populateAsyncSharedStorePatterns(const TypeConverter &converter,
                                             Patterns &patterns,
                                             const TargetHooks &hooks) {
  patterns.add<AsyncSharedStorePattern>(converter, hooks);
}
