//===- Capabilities.cpp - which compute capabilities there are ------------===//

#include "dialects/target/Capabilities.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

std::optional<std::pair<std::string, std::string>>
kernelscope::neighboursOfNoChip(llvm::StringRef moduleTarget) {
  // CUDA C++ Programming Guide, "Compute Capabilities".
  static constexpr unsigned known[] = {50,  52,  53,  60,  61,  62, 70, 72,
                                       75,  80,  86,  87,  88,  89, 90, 100,
                                       101, 103, 107, 110, 120, 121};
  unsigned capability = 0;
  if (!moduleTarget.consume_front("cuda:") ||
      moduleTarget.getAsInteger(10, capability) || capability < known[0])
    return std::nullopt;
  const unsigned *next = llvm::lower_bound(known, capability);
  if (next == std::end(known) || *next == capability)
    return std::nullopt;
  auto name = [](unsigned number) { return "cuda:" + std::to_string(number); };
  return std::pair(name(next[-1]), name(*next));
}
