//===- ValueName.h - what a value is called in the text ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_VALUENAME_H
#define KERNELSCOPE_SERVER_ANALYSIS_VALUENAME_H

#include "server/analysis/Syntax.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Value.h"

#include <optional>
#include <string>

namespace kernelscope {

/// The word that defines `value` in the text that was parsed, as in `%x` or
/// `%x#1`; empty if it has none.
std::string nameOf(const mlir::AsmParserState &state, mlir::Value value);

/// Where `statement`, which is the operand's op, has the operand; nothing if
/// its text does not show it.
std::optional<Span> spanOfOperand(mlir::OpOperand &operand,
                                  const Statement &statement,
                                  const mlir::AsmParserState &state,
                                  const Syntax &syntax);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_VALUENAME_H
