//===- PlainWords.h - MLIR's messages, by pattern ---------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_PLAINWORDS_H
#define KERNELSCOPE_SERVER_ANALYSIS_PLAINWORDS_H

#include "server/analysis/Syntax.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kernelscope {

/// A message of MLIR's parser or of a rule that ODS states ("'tt.scan' op
/// requires attribute 'axis'"), in words that say what to write. One that is
/// plain already, or unknown, stays.
std::string sayPlainly(llvm::StringRef message);

/// `message` with the names of aliases for the layouts that they stand for.
std::string withAliases(std::string message,
                        const mlir::AsmParserState &parsed);
/// The same of a text that was not parsed.
std::string withAliases(std::string message, const Syntax &syntax);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_PLAINWORDS_H
