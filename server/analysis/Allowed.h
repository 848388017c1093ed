//===- Allowed.h - warnings that the user turns off -------------*- C++ -*-===//
//
// `// kernelscope: allow(code, ...)` turns warnings of these codes off on its
// own line and on the next; a setting turns them off everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_ALLOWED_H
#define KERNELSCOPE_SERVER_ANALYSIS_ALLOWED_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"
#include "server/text/Text.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace kernelscope {

class Allowed {
public:
  /// `everywhere`: the codes of the setting.
  Allowed(const Text &text, const Syntax &syntax,
          const std::vector<std::string> &everywhere);
  /// Errors cannot be turned off.
  bool allows(const Diagnostic &diagnostic) const;

private:
  const Text &text;
  llvm::StringSet<> everywhere;
  llvm::DenseMap<size_t, llvm::StringSet<>> onLine;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_ALLOWED_H
