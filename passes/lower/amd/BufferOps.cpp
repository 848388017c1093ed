//===- BufferOps.cpp - amdg.buffer_load and amdg.buffer_store -------------===//
//
// Accesses through a buffer resource: a uniform base, 32-bit offsets, and a
// size. A lane whose mask is false gets an offset beyond the size, so that the
// hardware loads zero or drops the store, and no branch is needed.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "mlir/IR/Matchers.h"
#include "passes/lower/amd/CachePolicy.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// Address space of a buffer resource.
static constexpr unsigned bufferResourceSpace = 8;
/// Bytes that offsets reach: all of a buffer with less than 2 GiB.
static constexpr int64_t resourceBytes = 0x7fffffff;
static constexpr int32_t outOfBounds = std::numeric_limits<int32_t>::min();

/// Word 3 of the resource, as LLVM takes it. From the ISA manuals: a 32-bit
/// float format, which raw accesses ignore but which must not be zero, and what
/// the chip wants besides. gfx12 packs the words anew, and LLVM keeps nothing
/// of these.
static int32_t resourceFlags(const Target &target) {
  constexpr unsigned format = 7 << 12 | 4 << 15;
  return static_cast<int32_t>(format | target.bufferResourceBits);
}

namespace {

/// A resource and the way to reach its elements.
class Buffer {
public:
  Buffer(lower::Builder &b, const TargetHooks &hooks, Value base, Type element,
         tt::CacheModifier cache)
      : b(b), hooks(hooks), cache(cache), element(memoryType(b, element)) {
    resource = b.intrinsic("llvm.amdgcn.make.buffer.rsrc.p8.p1",
                           b.pointerType(bufferResourceSpace),
                           {base, b.intConstant(b.intType(16), 0),
                            b.i64(resourceBytes),
                            b.i32(resourceFlags(hooks.getTarget()))});
  }

  /// Loads `count` elements at `offset` elements. Zeros where `mask`, if there
  /// is one, is false.
  SmallVector<Value> load(Value offset, unsigned count, Value mask) {
    Type type = wordsType(count);
    Value words = b.intrinsic(
        "llvm.amdgcn.raw.ptr.buffer.load." + suffix(count), type,
        {resource, byteOffset(offset, mask), b.i32(0), policy(true)});
    if (count == 1)
      return {b.fromBits(element, words)};
    Type bits = b.intType(bitWidth(element));
    SmallVector<Value> elements =
        b.splitVector(b.bitcast(b.vectorType(bits, count), words));
    for (Value &value : elements)
      value = b.fromBits(element, value);
    return elements;
  }

  void store(ArrayRef<Value> elements, Value offset, Value mask) {
    SmallVector<Value> bits;
    for (Value value : elements)
      bits.push_back(b.toBits(value));
    unsigned count = elements.size();
    Value words =
        b.bitcast(wordsType(count), count == 1 ? bits[0] : b.makeVector(bits));
    b.intrinsic(
        "llvm.amdgcn.raw.ptr.buffer.store." + suffix(count), {},
        {words, resource, byteOffset(offset, mask), b.i32(0), policy(false)});
  }

  /// Copies `bytes` to LDS, from `base` on a lane after the other. Zeros where
  /// `mask`, if there is one, is false.
  void copyToLds(Value base, unsigned bytes, Value offset, Value mask) {
    b.intrinsic("llvm.amdgcn.raw.ptr.buffer.load.lds", {},
                {resource, base, b.i32(static_cast<int32_t>(bytes)),
                 byteOffset(offset, mask), b.i32(0), b.i32(0), policy(true)});
  }

private:
  Value policy(bool isLoad) {
    return b.i32(
        cachePolicyOf(cache, isLoad, hooks.getTarget().bufferCachePolicy));
  }

  Value byteOffset(Value offset, Value mask) {
    Value bytes =
        b.mul(offset, b.i32(static_cast<int32_t>(bitWidth(element) / 8)));
    return mask ? b.select(mask, bytes, b.i32(outOfBounds)) : bytes;
  }

  unsigned totalBits(unsigned count) const { return bitWidth(element) * count; }
  /// Whole dwords, or one integer of less.
  Type wordsType(unsigned count) {
    unsigned bits = totalBits(count);
    return bits <= 32 ? b.intType(bits)
                      : b.vectorType(b.intType(32), bits / 32);
  }
  /// "i16", "i32", "v4i32": how intrinsics name `wordsType`.
  std::string suffix(unsigned count) const {
    unsigned bits = totalBits(count);
    return bits <= 32 ? "i" + std::to_string(bits)
                      : "v" + std::to_string(bits / 32) + "i32";
  }

  lower::Builder &b;
  const TargetHooks &hooks;
  tt::CacheModifier cache;
  Type element;
  Value resource;
};

class BufferLoadPattern : public lower::Pattern<amdg::BufferLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Type type = op.getType();
    Type element = converter.convertElement(getElementTypeOrSelf(type));
    SmallVector<Value> offsets = unpackElements(b, adaptor.getOffsets());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    SmallVector<Value> others = unpackOptional(b, adaptor.getOther());

    Buffer buffer(b, hooks, adaptor.getPtr(), element, op.getCache());
    AccessPlan plan = planAccesses(op, type);
    SmallVector<Value> results(offsets.size());
    for (ArrayRef<unsigned> access : plan.accesses) {
      Value mask = masks.empty() ? Value() : masks[access.front()];
      SmallVector<Value> loaded =
          buffer.load(offsets[access.front()], access.size(), mask);
      for (auto [r, value] : llvm::zip(access, loaded)) {
        results[r] = fromMemory(b, element, value);
        // The zero of the hardware is often what is asked for.
        if (mask && !others.empty() && !matchPattern(others[r], m_Zero()) &&
            !matchPattern(others[r], m_PosZeroFloat()))
          results[r] = b.select(mask, results[r], others[r]);
      }
    }
    rewriter.replaceOp(
        op, packElements(b, converter, pick(results, plan.sources), type));
    return success();
  }
};

class BufferStorePattern : public lower::Pattern<amdg::BufferStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Type type = op.getValue().getType();
    Type element = converter.convertElement(getElementTypeOrSelf(type));
    SmallVector<Value> values = unpackElements(b, adaptor.getValue());
    SmallVector<Value> offsets = unpackElements(b, adaptor.getOffsets());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());

    Value first = holdsFirstCopy(b, type, hooks, op);
    Buffer buffer(b, hooks, adaptor.getPtr(), element, op.getCache());
    for (ArrayRef<unsigned> access : planAccesses(op, type).accesses) {
      Value mask = masks.empty() ? Value() : masks[access.front()];
      buffer.store(toMemory(b, pick(values, access)), offsets[access.front()],
                   bothHold(b, first, mask));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

class BufferLoadToLocalPattern
    : public lower::Pattern<amdg::BufferLoadToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferLoadToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Type element =
        converter.convertElement(op.getDest().getType().getElementType());
    Buffer buffer(b, hooks, adaptor.getPtr(), element, op.getCache());
    LdsCopy copy = {op, op.getOffsets().getType(), op.getDest().getType()};
    copy.memory = adaptor.getDest();
    copy.sources = unpackElements(b, adaptor.getOffsets());
    copy.masks = unpackOptional(b, adaptor.getMask());
    if (!copy.masks.empty() && !isAbsentOrZero(op.getOther()))
      copy.others = unpackElements(b, adaptor.getOther());
    // The hardware's zeros would come after what is stored in their place.
    bool isGuarded = !copy.others.empty();
    if (failed(emitLdsCopy(
            b, rewriter, hooks, copy, element, isGuarded,
            [&](Value base, unsigned bytes, Value offset, Value mask) {
              buffer.copyToLds(base, bytes, offset, mask);
            })))
      return failure();
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

} // namespace

void lower::populateBufferToLdsPatterns(const TypeConverter &converter,
                                        Patterns &patterns,
                                        const TargetHooks &hooks) {
  patterns.add<BufferLoadToLocalPattern>(converter, hooks);
}

void lower::populateBufferPatterns(const TypeConverter &converter,
                                   Patterns &patterns,
                                   const TargetHooks &hooks) {
  patterns.add<BufferLoadPattern, BufferStorePattern>(converter, hooks);
}
