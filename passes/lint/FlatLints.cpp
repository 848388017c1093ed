//===- FlatLints.cpp - lints of a function with what it calls -------------===//

#include "passes/lint/FlatLints.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kernelscope;

static bool areInOneFunction(Value value, Operation *op) {
  return op->getParentOfType<FunctionOpInterface>()->isAncestor(
      value.getParentRegion()->getParentOp());
}

/// `fix` in what `flat` is a copy of; nothing where the text has it at several
/// calls, or in two functions.
static std::optional<LintFix> originalOf(LintFix fix,
                                         const FlatFunction &flat) {
  if (auto *number = std::get_if<NumberFix>(&fix)) {
    number->op = flat.originalOf(number->op);
    if (!number->op || !flat.isOnlyCopied(number->op))
      return std::nullopt;
  } else if (auto *missing = std::get_if<MissingOps>(&fix)) {
    missing->before = flat.originalOf(missing->before);
    if (!missing->before || !flat.isOnlyCopied(missing->before))
      return std::nullopt;
    for (Value &operand : missing->operands) {
      if (!operand)
        continue;
      operand = flat.originalOf(operand);
      if (!operand || !areInOneFunction(operand, missing->before))
        return std::nullopt;
    }
  } else if (auto *given = std::get_if<OperandFix>(&fix)) {
    given->operand = flat.originalOf(*given->operand);
    given->value = flat.originalOf(given->value);
    if (!given->operand || !given->value ||
        !flat.isOnlyCopied(given->operand->getOwner()) ||
        !areInOneFunction(given->value, given->operand->getOwner()))
      return std::nullopt;
  } else if (auto *redundant = std::get_if<RedundantOp>(&fix)) {
    redundant->op = flat.originalOf(redundant->op);
    if (!redundant->op || !flat.isOnlyCopied(redundant->op))
      return std::nullopt;
  } else if (auto *moved = std::get_if<MovedOp>(&fix)) {
    moved->op = flat.originalOf(moved->op);
    moved->after = flat.originalOf(moved->after);
    if (!moved->op || !moved->after || !flat.isOnlyCopied(moved->op) ||
        moved->op->getBlock() != moved->after->getBlock())
      return std::nullopt;
  } else if (auto *phase = std::get_if<PhaseEdit>(&fix)) {
    phase->operand = flat.originalOf(*phase->operand);
    phase->base = flat.originalOf(phase->base);
    if (!phase->operand || !phase->base ||
        !flat.isOnlyCopied(phase->operand->getOwner()) ||
        !areInOneFunction(phase->base, phase->operand->getOwner()))
      return std::nullopt;
  }
  return fix;
}

void kernelscope::lintFlat(const FlatFunction &flat, EmitLint emit) {
  runLints(flat.function(), [&](LintFinding finding) {
    finding.op = flat.originalOf(finding.op);
    if (!finding.op)
      return;
    if (finding.other)
      finding.other = flat.originalOf(finding.other);
    if (finding.fix)
      finding.fix = originalOf(*finding.fix, flat);
    emit(std::move(finding));
  });
}

void kernelscope::lintAlone(Operation *function, EmitLint emit) {
  if (FlatFunction::hasBranches(function))
    lintFlat(FlatFunction(function), emit);
  else
    runLints(function, emit);
}
