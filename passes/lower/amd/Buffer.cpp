//===- Buffer.cpp - Accesses through a buffer resource --------------------===//

#include "passes/lower/amd/Buffer.h"
#include "passes/lower/amd/CachePolicy.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"

using namespace mlir;

namespace kernelscope::lower {

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

/// "i16", "v4i32", "f32", "v2bf16": how intrinsics name a type.
static std::string suffixOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return "v" + std::to_string(vector.getNumElements()) +
           suffixOf(vector.getElementType());
  return (type.isBF16()          ? "bf"
          : isa<FloatType>(type) ? "f"
                                 : "i") +
         std::to_string(type.getIntOrFloatBitWidth());
}

Buffer::Buffer(Builder &b, const TargetHooks &hooks, Value base, Type element)
    : b(b), hooks(hooks), element(memoryType(b, element)) {
  resource = b.intrinsic(
      "llvm.amdgcn.make.buffer.rsrc.p8.p1", b.pointerType(bufferResourceSpace),
      {base, b.intConstant(b.intType(16), 0), b.i64(resourceBytes),
       b.i32(resourceFlags(hooks.getTarget()))});
}

SmallVector<Value> Buffer::load(Value offset, unsigned count, Value mask,
                                tt::CacheModifier cache) {
  Type type = wordsType(count);
  Value words =
      b.intrinsic("llvm.amdgcn.raw.ptr.buffer.load." + suffixOf(type), type,
                  {resource, byteOffset(offset, mask), b.i32(0),
                   policy(cache, /*isLoad=*/true)});
  return splitBits(b, words, element, count);
}

void Buffer::store(ArrayRef<Value> elements, Value offset, Value mask,
                   tt::CacheModifier cache) {
  Type type = wordsType(elements.size());
  Value words = joinBits(b, elements, type);
  b.intrinsic("llvm.amdgcn.raw.ptr.buffer.store." + suffixOf(type), {},
              {words, resource, byteOffset(offset, mask), b.i32(0),
               policy(cache, /*isLoad=*/false)});
}

void Buffer::copyToLds(Value base, unsigned bytes, Value offset, Value mask,
                       tt::CacheModifier cache) {
  b.intrinsic("llvm.amdgcn.raw.ptr.buffer.load.lds", {},
              {resource, base, b.i32(static_cast<int32_t>(bytes)),
               byteOffset(offset, mask), b.i32(0), b.i32(0),
               policy(cache, /*isLoad=*/true)});
}

bool Buffer::hasAtomic(std::optional<tt::RMWOp> operation,
                       tt::MemSyncScope scope, Type element) {
  const unsigned bits = element.getIntOrFloatBitWidth();
  if (scope == tt::MemSyncScope::SYSTEM || (bits != 32 && bits != 64))
    return false;
  if (!operation || operation == tt::RMWOp::XCHG)
    return true;
  return isa<FloatType>(element) ? operation == tt::RMWOp::FADD && bits == 32
                                 : operation != tt::RMWOp::FADD;
}

/// What the intrinsics of atomics call `operation`.
static StringRef nameOf(tt::RMWOp operation) {
  switch (operation) {
  case tt::RMWOp::AND:
    return "and";
  case tt::RMWOp::OR:
    return "or";
  case tt::RMWOp::XOR:
    return "xor";
  case tt::RMWOp::ADD:
    return "add";
  case tt::RMWOp::FADD:
    return "fadd";
  case tt::RMWOp::MAX:
    return "smax";
  case tt::RMWOp::MIN:
    return "smin";
  case tt::RMWOp::UMAX:
    return "umax";
  case tt::RMWOp::UMIN:
    return "umin";
  case tt::RMWOp::XCHG:
    return "swap";
  }
  return "swap";
}

/// gfx12's accesses say who else sees them: here the whole device.
static int32_t atomicPolicy(const Target &target) {
  constexpr int32_t device = 2 << 3;
  return target.bufferCachePolicy == BufferCachePolicy::HintAndScope ||
                 target.bufferCachePolicy ==
                     BufferCachePolicy::HintAndScopeWithWriteBack
             ? device
             : 0;
}

Value Buffer::atomicRMW(tt::RMWOp operation, Value value, Value offset,
                        Value mask) {
  Value operand = operation == tt::RMWOp::FADD ? value : b.toBits(value);
  Type type = operand.getType();
  Value old = b.intrinsic(("llvm.amdgcn.raw.ptr.buffer.atomic." +
                           nameOf(operation) + "." + suffixOf(type))
                              .str(),
                          type,
                          {operand, resource, byteOffset(offset, mask),
                           b.i32(0), b.i32(atomicPolicy(hooks.getTarget()))});
  return operation == tt::RMWOp::FADD ? old : b.fromBits(value.getType(), old);
}

Value Buffer::atomicCAS(Value expected, Value value, Value offset, Value mask) {
  Value bits = b.toBits(value);
  Value old = b.intrinsic(
      "llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap." + suffixOf(bits.getType()),
      bits.getType(),
      {bits, b.toBits(expected), resource, byteOffset(offset, mask), b.i32(0),
       b.i32(atomicPolicy(hooks.getTarget()))});
  return b.fromBits(value.getType(), old);
}

Value Buffer::policy(tt::CacheModifier cache, bool isLoad) {
  return b.i32(
      cachePolicyOf(cache, isLoad, hooks.getTarget().bufferCachePolicy));
}

Value Buffer::byteOffset(Value offset, Value mask) {
  Value bytes =
      b.mul(offset, b.i32(static_cast<int32_t>(bitWidth(element) / 8)));
  return mask ? b.select(mask, bytes, b.i32(outOfBounds)) : bytes;
}

Type Buffer::wordsType(unsigned count) {
  unsigned bits = bitWidth(element) * count;
  return bits <= 32 ? b.intType(bits) : b.vectorType(b.intType(32), bits / 32);
}

} // namespace kernelscope::lower
