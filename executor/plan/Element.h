//===- Element.h - The element types of values -----------------*- C++ -*-===//
//
// How one element of each IR type is stored, loaded for arithmetic and rounded
// back, and a switch from the run-time kind to the compile-time type.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_ELEMENT_H
#define KERNELSCOPE_EXECUTOR_PLAN_ELEMENT_H

#include "executor/plan/SmallFloat.h"
#include "mlir/IR/Types.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstddef>
#include <optional>

namespace kernelscope::executor {

/// The type of one element as the executor stores it. `View`, `Descriptor` and
/// `BlockPointer` are the executor's own records for a memdesc, a tensor
/// descriptor and a pointer to a tensor, `Token` has no bytes.
enum class Element : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F8E5M2,
  F8E4M3FN,
  F8E5M2FNUZ,
  F8E4M3FNUZ,
  F16,
  BF16,
  F32,
  F64,
  Pointer,
  I128, ///< only moved, never computed with
  View,
  Descriptor,
  BlockPointer,
  Token,
};

/// The element of a scalar IR type; none when the executor has no storage for
/// it.
std::optional<Element> elementOf(mlir::Type type);

/// Bytes of one stored element.
size_t sizeOf(Element element);

/// Bytes of one element of `type` in global or shared memory (an i1 takes one);
/// 0 when the executor has no storage for it.
size_t bytesInMemory(mlir::Type type);

/// An integer of `Bits` bits, stored zero-extended in `Stored`; arithmetic is
/// in 32 or 64 bits and wraps when it is stored.
template <typename Stored, unsigned Bits> struct IntElement {
  using Storage = Stored;
  using Unsigned = std::conditional_t<Bits == 64, uint64_t, uint32_t>;
  using Signed = std::conditional_t<Bits == 64, int64_t, int32_t>;
  static constexpr unsigned width = Bits;
  static Unsigned loadUnsigned(Storage x) { return x; }
  static Signed loadSigned(Storage x) {
    constexpr unsigned unused = sizeof(Signed) * 8 - Bits;
    return static_cast<Signed>(static_cast<Unsigned>(x) << unused) >> unused;
  }
  template <typename T> static Storage store(T x) {
    if constexpr (Bits == 1)
      return static_cast<Storage>(x) & 1;
    else
      return static_cast<Storage>(x);
  }
};

/// A floating point element; arithmetic is in float, or in double for f64, and
/// rounds to the element's own type when it is stored.
template <typename Stored> struct FloatElement {
  using Storage = Stored;
  using Compute =
      std::conditional_t<std::is_same_v<Stored, double>, double, float>;
  static Compute load(Storage x) {
    if constexpr (std::is_floating_point_v<Stored>)
      return x;
    else
      return x.decode();
  }
  /// Rounds once, from the widest type that has the exact value.
  static Storage store(double x, Rounding rounding = Rounding::NearestEven) {
    if constexpr (std::is_same_v<Stored, double>) {
      return x;
    } else if constexpr (std::is_same_v<Stored, float>) {
      float nearest = static_cast<float>(x);
      if (rounding == Rounding::TowardZero &&
          std::abs(double(nearest)) > std::abs(x))
        nearest = std::nextafter(nearest, 0.0f);
      return nearest;
    } else {
      // An 8-bit result saturates, as the GPUs' conversions to fp8 do.
      return Stored::encode(x, rounding, sizeof(Stored) == 1);
    }
  }
};

/// Calls `fn.operator()<IntElement<...>>()` for the integer kind `element`.
template <typename Fn> auto withInt(Element element, Fn &&fn) {
  switch (element) {
  case Element::I1:
    return fn.template operator()<IntElement<uint8_t, 1>>();
  case Element::I8:
    return fn.template operator()<IntElement<uint8_t, 8>>();
  case Element::I16:
    return fn.template operator()<IntElement<uint16_t, 16>>();
  case Element::I32:
    return fn.template operator()<IntElement<uint32_t, 32>>();
  case Element::I64:
    return fn.template operator()<IntElement<uint64_t, 64>>();
  default:
    llvm_unreachable("not an integer element");
  }
}

/// Calls `fn.operator()<FloatElement<...>>()` for the float kind `element`.
template <typename Fn> auto withFloat(Element element, Fn &&fn) {
  switch (element) {
  case Element::F8E5M2:
    return fn.template operator()<FloatElement<F8E5M2>>();
  case Element::F8E4M3FN:
    return fn.template operator()<FloatElement<F8E4M3FN>>();
  case Element::F8E5M2FNUZ:
    return fn.template operator()<FloatElement<F8E5M2FNUZ>>();
  case Element::F8E4M3FNUZ:
    return fn.template operator()<FloatElement<F8E4M3FNUZ>>();
  case Element::F16:
    return fn.template operator()<FloatElement<F16>>();
  case Element::BF16:
    return fn.template operator()<FloatElement<BF16>>();
  case Element::F32:
    return fn.template operator()<FloatElement<float>>();
  case Element::F64:
    return fn.template operator()<FloatElement<double>>();
  default:
    llvm_unreachable("not a floating point element");
  }
}

/// Calls `fn.operator()<uintN_t>()` for the unsigned type of `bytes` bytes, for
/// code that only moves elements.
template <typename Fn> auto withBytes(size_t bytes, Fn &&fn) {
  switch (bytes) {
  case 1:
    return fn.template operator()<uint8_t>();
  case 2:
    return fn.template operator()<uint16_t>();
  case 4:
    return fn.template operator()<uint32_t>();
  case 8:
    return fn.template operator()<uint64_t>();
  default:
    llvm_unreachable("no element has this size");
  }
}

inline bool isInt(Element e) { return e <= Element::I64; }
inline bool isFloat(Element e) {
  return e >= Element::F8E5M2 && e <= Element::F64;
}

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_ELEMENT_H
