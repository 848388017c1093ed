//===- Capabilities.h - which compute capabilities there are ----*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_CAPABILITIES_H
#define KERNELSCOPE_DIALECTS_TARGET_CAPABILITIES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>

namespace kernelscope {

/// The targets before and after that of a module, such as "cuda:95", if no GPU
/// has its compute capability though newer ones are known; it is a slip then.
/// One after the newest may be of a chip to come.
std::optional<std::pair<std::string, std::string>>
neighboursOfNoChip(llvm::StringRef moduleTarget);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_CAPABILITIES_H
