//===- Integer.cpp - Integer arithmetic -----------------------------------===//
//
// Wrap-around arithmetic on each width, signed or unsigned by the op.
// Executor.h lists the results of what the IR leaves undefined.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <bit>

using namespace mlir;

namespace kernelscope::executor {
namespace {

enum class Sign { Unsigned, Signed };

/// The value of a stored integer of type T, extended as `sign` says.
template <typename T, Sign sign> auto load(typename T::Storage x) {
  if constexpr (sign == Sign::Signed)
    return T::loadSigned(x);
  else
    return T::loadUnsigned(x);
}

/// A planner of an op on integers of one type; `fn` takes as many values as
/// `Operands`, extended as `sign` says, and the width.
template <size_t Operands, Sign sign = Sign::Unsigned, typename Fn>
OpPlanner arithmetic(Fn fn) {
  return [fn](Planner &planner, Operation *op) -> Step {
    const Element element = elementOfOperand(planner, op);
    if (!isInt(element))
      return rejectElement(op);
    return withInt(element, [&]<typename T>() {
      using S = T::Storage;
      if constexpr (Operands == 1)
        return mapElements<S, S>(planner, op, [fn](S a) {
          return T::store(fn(load<T, sign>(a), T::width));
        });
      else
        return mapElements<S, S, S>(planner, op, [fn](S a, S b) {
          return T::store(fn(load<T, sign>(a), load<T, sign>(b), T::width));
        });
    });
  };
}

template <typename T> T negate(T x) {
  return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x));
}

constexpr auto divideSigned = [](auto a, auto b, unsigned) {
  using T = decltype(a);
  return b == 0 ? T(-1) : b == -1 ? negate(a) : T(a / b);
};
constexpr auto remainderSigned = [](auto a, auto b, unsigned) {
  using T = decltype(a);
  return b == 0 ? a : b == -1 ? T(0) : T(a % b);
};
constexpr auto divideUnsigned = [](auto a, auto b, unsigned) {
  using T = decltype(a);
  return b == 0 ? T(-1) : T(a / b);
};

/// a to the power b, which wraps. A negative power is the inverse, truncated.
constexpr auto power = [](auto a, auto b, unsigned width) {
  using T = decltype(a);
  using U = std::make_unsigned_t<T>;
  // Of the inverses only those of 1, -1 and 0 are not zero.
  if (b < 0 && a != 1 && a != -1)
    return a == 0 ? divideSigned(T(1), a, width) : T(0);
  U result = 1;
  for (U base = static_cast<U>(a); b != 0; b = T(b / 2), base *= base)
    if (b % 2)
      result *= base;
  return T(result);
};

/// The high half of the product of two values of `width` bits.
template <typename T> T highHalf(T a, T b, unsigned width) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>((static_cast<unsigned __int128>(a) * b) >> 64);
  else
    return static_cast<T>((static_cast<uint64_t>(a) * b) >> width);
}

Step planIntegerCompare(Planner &planner, Operation *op) {
  const Element element = elementOfOperand(planner, op);
  if (!isInt(element))
    return rejectElement(op);
  return withInt(element, [&]<typename T>() -> Step {
    using S = T::Storage;
    auto compare = [&]<Sign sign>(std::integral_constant<Sign, sign>, auto fn) {
      return mapElements<uint8_t, S, S>(planner, op, [fn](S a, S b) -> uint8_t {
        return fn(load<T, sign>(a), load<T, sign>(b));
      });
    };
    constexpr std::integral_constant<Sign, Sign::Unsigned> isUnsigned;
    constexpr std::integral_constant<Sign, Sign::Signed> isSigned;
    switch (cast<arith::CmpIOp>(op).getPredicate()) {
    case arith::CmpIPredicate::eq:
      return compare(isUnsigned, [](auto a, auto b) { return a == b; });
    case arith::CmpIPredicate::ne:
      return compare(isUnsigned, [](auto a, auto b) { return a != b; });
    case arith::CmpIPredicate::slt:
      return compare(isSigned, [](auto a, auto b) { return a < b; });
    case arith::CmpIPredicate::sle:
      return compare(isSigned, [](auto a, auto b) { return a <= b; });
    case arith::CmpIPredicate::sgt:
      return compare(isSigned, [](auto a, auto b) { return a > b; });
    case arith::CmpIPredicate::sge:
      return compare(isSigned, [](auto a, auto b) { return a >= b; });
    case arith::CmpIPredicate::ult:
      return compare(isUnsigned, [](auto a, auto b) { return a < b; });
    case arith::CmpIPredicate::ule:
      return compare(isUnsigned, [](auto a, auto b) { return a <= b; });
    case arith::CmpIPredicate::ugt:
      return compare(isUnsigned, [](auto a, auto b) { return a > b; });
    case arith::CmpIPredicate::uge:
      return compare(isUnsigned, [](auto a, auto b) { return a >= b; });
    }
    llvm_unreachable("every predicate is above");
  });
}

/// The two results of an extended multiplication or addition.
template <typename Low, typename High> OpPlanner extended(Low low, High high) {
  return [=](Planner &planner, Operation *op) -> Step {
    const Element element = elementOfOperand(planner, op);
    if (!isInt(element))
      return rejectElement(op);
    return withInt(element, [&]<typename T>() -> Step {
      using S = T::Storage;
      const size_t count = planner.storage(op->getResult(0)).count;
      const bool carry = elementOfResult(planner, op) !=
                         planner.storage(op->getResult(1)).element;
      auto from = planner.slots(op->getOperands());
      auto to = planner.slots(op->getResults());
      return [=](Frame &frame) {
        const S *a = frame.at<S>(from[0]), *b = frame.at<S>(from[1]);
        S *first = frame.at<S>(to[0]);
        S *second = frame.at<S>(to[1]);
        for (size_t i = 0; i < count * frame.lanes; ++i) {
          first[i] =
              T::store(low(T::loadUnsigned(a[i]), T::loadUnsigned(b[i])));
          const auto upper = high.template operator()<T>(a[i], b[i]);
          if (carry)
            reinterpret_cast<uint8_t *>(second)[i] = upper & 1;
          else
            second[i] = T::store(upper);
        }
        return true;
      };
    });
  };
}

} // namespace

void registerInteger(Registry &r) {
  auto add = [&](StringRef name, OpPlanner plan) {
    r.addElementwise(name, std::move(plan));
  };
  add("arith.addi",
      arithmetic<2>([](auto a, auto b, unsigned) { return a + b; }));
  add("arith.subi",
      arithmetic<2>([](auto a, auto b, unsigned) { return a - b; }));
  add("arith.muli",
      arithmetic<2>([](auto a, auto b, unsigned) { return a * b; }));
  add("arith.andi",
      arithmetic<2>([](auto a, auto b, unsigned) { return a & b; }));
  add("arith.ori",
      arithmetic<2>([](auto a, auto b, unsigned) { return a | b; }));
  add("arith.xori",
      arithmetic<2>([](auto a, auto b, unsigned) { return a ^ b; }));
  add("arith.divui", arithmetic<2>(divideUnsigned));
  add("arith.divsi", arithmetic<2, Sign::Signed>(divideSigned));
  add("arith.remui", arithmetic<2>([](auto a, auto b, unsigned) {
        return b == 0 ? a : decltype(a)(a % b);
      }));
  add("arith.remsi", arithmetic<2, Sign::Signed>(remainderSigned));
  add("arith.ceildivui", arithmetic<2>([](auto a, auto b, unsigned) {
        using T = decltype(a);
        return b == 0 ? T(-1) : T(a / b + (a % b != 0));
      }));
  add("arith.ceildivsi",
      arithmetic<2, Sign::Signed>([](auto a, auto b, unsigned w) {
        using T = decltype(a);
        const bool up =
            remainderSigned(a, b, w) != 0 && (a < 0) == (b < 0) && b != 0;
        return T(divideSigned(a, b, w) + up);
      }));
  add("arith.floordivsi",
      arithmetic<2, Sign::Signed>([](auto a, auto b, unsigned w) {
        using T = decltype(a);
        const bool down =
            remainderSigned(a, b, w) != 0 && (a < 0) != (b < 0) && b != 0;
        return T(divideSigned(a, b, w) - down);
      }));
  add("arith.shli", arithmetic<2>([](auto a, auto b, unsigned w) {
        return b >= w ? decltype(a)(0) : decltype(a)(a << b);
      }));
  add("arith.shrui", arithmetic<2>([](auto a, auto b, unsigned w) {
        return b >= w ? decltype(a)(0) : decltype(a)(a >> b);
      }));
  add("arith.shrsi",
      arithmetic<2, Sign::Signed>([](auto a, auto b, unsigned w) {
        const auto by = static_cast<std::make_unsigned_t<decltype(b)>>(b);
        return decltype(a)(a >> (by >= w ? w - 1 : by));
      }));
  add("arith.maxsi", arithmetic<2, Sign::Signed>([](auto a, auto b, unsigned) {
        return a > b ? a : b;
      }));
  add("arith.minsi", arithmetic<2, Sign::Signed>([](auto a, auto b, unsigned) {
        return a < b ? a : b;
      }));
  add("arith.maxui",
      arithmetic<2>([](auto a, auto b, unsigned) { return a > b ? a : b; }));
  add("arith.minui",
      arithmetic<2>([](auto a, auto b, unsigned) { return a < b ? a : b; }));
  add("arith.cmpi", planIntegerCompare);
  add("arith.mulsi_extended",
      extended([](auto a, auto b) { return a * b; },
               []<typename T>(auto a, auto b) {
                 if constexpr (T::width == 64)
                   return uint64_t((static_cast<__int128>(T::loadSigned(a)) *
                                    T::loadSigned(b)) >>
                                   64);
                 else
                   return uint64_t(
                       (int64_t{T::loadSigned(a)} * T::loadSigned(b)) >>
                       T::width);
               }));
  add("arith.mului_extended", extended([](auto a, auto b) { return a * b; },
                                       []<typename T>(auto a, auto b) {
                                         return highHalf(T::loadUnsigned(a),
                                                         T::loadUnsigned(b),
                                                         T::width);
                                       }));
  add("arith.addui_extended",
      extended([](auto a, auto b) { return a + b; },
               []<typename T>(auto a, auto b) {
                 return T::store(T::loadUnsigned(a) + T::loadUnsigned(b)) < a;
               }));
  add("tt.mulhiui", arithmetic<2>([](auto a, auto b, unsigned w) {
        return highHalf(a, b, w);
      }));
  add("math.absi", arithmetic<1>([](auto a, unsigned w) {
        return (a >> (w - 1)) & 1 ? decltype(a)(0 - a) : a;
      }));
  add("math.ipowi", arithmetic<2, Sign::Signed>(power));
  add("math.ctpop",
      arithmetic<1>([](auto a, unsigned) { return std::popcount(a); }));
  add("math.ctlz", arithmetic<1>([](auto a, unsigned w) {
        return std::countl_zero(a) - (int(sizeof(a)) * 8 - int(w));
      }));
  add("math.cttz", arithmetic<1>([](auto a, unsigned w) {
        return std::min(std::countr_zero(a), int(w));
      }));
}

} // namespace kernelscope::executor
