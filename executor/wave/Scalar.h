//===- Scalar.h - The parts of LLVM's values --------------------*- C++ -*-===//
//
// A value of LLVM IR is a list of scalars: a vector's elements, a struct's
// fields. Each scalar is 64 bits wide here, of which the lower ones count.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_SCALAR_H
#define KERNELSCOPE_EXECUTOR_WAVE_SCALAR_H

#include "executor/plan/SmallFloat.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include <bit>

namespace kernelscope::wave {

/// The address spaces of AMDGPU (LLVM's AMDGPUUsage, "Address Spaces"), and of
/// NVPTX (its NVPTXUsage): LDS is what NVIDIA calls shared memory.
enum AddressSpace : unsigned {
  Generic = 0,
  Global = 1,
  Lds = 3,
  Private = 5,
  ClusterShared = 7, ///< of NVPTX: that of all CTAs of a cluster
  BufferResource = 8
};

/// One part of a value. The bits above `bits` of a stored integer or pointer
/// are zero.
struct Scalar {
  enum class Kind : uint8_t { Int, F16, BF16, F32, F64, Pointer };
  Kind kind = Kind::Int;
  /// At most 64. A buffer resource is two integers.
  unsigned bits = 0;
  /// Of a pointer.
  unsigned space = 0;
};

/// A scalar and its distance from the start of its value in memory, in bits.
struct Field {
  Scalar scalar;
  uint64_t offset = 0;
};

/// The scalars of `type` in the order of memory. An error names a type that
/// the simulator cannot hold.
llvm::Expected<llvm::SmallVector<Field>> fieldsOf(llvm::Type *type,
                                                  const llvm::DataLayout &data);

/// The lowest `bits` bits set.
constexpr uint64_t lowBits(unsigned bits) {
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

/// `value`, of `bits` bits, as a signed number.
constexpr int64_t signExtend(uint64_t value, unsigned bits) {
  const unsigned unused = 64 - bits;
  return static_cast<int64_t>(value << unused) >> unused;
}

/// How a float is kept in a scalar and what its arithmetic is done in; results
/// are rounded once to the type.
struct HalfCodec {
  using Compute = float;
  static float load(uint64_t bits) {
    return executor::F16::raw(static_cast<unsigned>(bits)).decode();
  }
  static uint64_t store(double x) { return executor::F16::encode(x).bits; }
};
struct BFloatCodec {
  using Compute = float;
  static float load(uint64_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
  static uint64_t store(double x) { return executor::BF16::encode(x).bits; }
};
struct FloatCodec {
  using Compute = float;
  static float load(uint64_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }
  static uint64_t store(double x) {
    return std::bit_cast<uint32_t>(static_cast<float>(x));
  }
  static uint64_t store(float x) { return std::bit_cast<uint32_t>(x); }
};
struct DoubleCodec {
  using Compute = double;
  static double load(uint64_t bits) { return std::bit_cast<double>(bits); }
  static uint64_t store(double x) { return std::bit_cast<uint64_t>(x); }
};

/// Calls `fn.operator()<Codec>()` for a kind of float.
template <typename Fn> auto withCodec(Scalar::Kind kind, Fn &&fn) {
  switch (kind) {
  case Scalar::Kind::F16:
    return fn.template operator()<HalfCodec>();
  case Scalar::Kind::BF16:
    return fn.template operator()<BFloatCodec>();
  case Scalar::Kind::F32:
    return fn.template operator()<FloatCodec>();
  case Scalar::Kind::F64:
    return fn.template operator()<DoubleCodec>();
  default:
    llvm_unreachable("not a float");
  }
}

constexpr bool isFloat(Scalar::Kind kind) {
  return kind != Scalar::Kind::Int && kind != Scalar::Kind::Pointer;
}

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_SCALAR_H
