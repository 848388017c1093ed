//===- Elementwise.h - Steps that map a function over elements -*- C++ -*-===//
//
// The loop that every elementwise op shares.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_ELEMENTWISE_H
#define KERNELSCOPE_EXECUTOR_OPS_ELEMENTWISE_H

#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"

namespace kernelscope::executor {

/// `result[i] = fn(operand0[i], ...)` on stored values of types `Result` and
/// `Operands`.
template <typename Result, typename... Operands, typename Fn>
Step mapElements(Planner &planner, mlir::Operation *op, Fn fn) {
  std::array<Slot, sizeof...(Operands)> from;
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = planner.slot(op->getOperand(i));
  const Slot to = planner.slot(op->getResult(0));
  const size_t count = planner.storage(op->getResult(0)).count;
  return [=](Frame &frame) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      const size_t n = count * frame.lanes;
      Result *__restrict result = frame.at<Result>(to);
      auto loop = [&](const Operands *...operands) {
        for (size_t i = 0; i < n; ++i)
          result[i] = fn(operands[i]...);
      };
      loop(frame.at<Operands>(from[I])...);
      return true;
    }(std::index_sequence_for<Operands...>());
  };
}

/// A step that copies operand 0 to the result, byte for byte.
Step copyElements(Planner &planner, mlir::Operation *op);

/// The element of operand `index`.
inline Element elementOfOperand(Planner &planner, mlir::Operation *op,
                                unsigned index = 0) {
  return planner.storage(op->getOperand(index)).element;
}
inline Element elementOfResult(Planner &planner, mlir::Operation *op) {
  return planner.storage(op->getResult(0)).element;
}

/// The error for an op on elements that it does not take.
Step rejectElement(mlir::Operation *op);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_ELEMENTWISE_H
