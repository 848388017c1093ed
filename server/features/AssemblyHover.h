//===- AssemblyHover.h - what an instruction of PTX does --------*- C++ -*-===//
//
// Needs the text alone. What is said stands in instructions/ptx.txt.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_ASSEMBLYHOVER_H
#define KERNELSCOPE_SERVER_FEATURES_ASSEMBLYHOVER_H

#include "server/features/Hover.h"
#include "server/text/Text.h"

namespace kernelscope {

/// Of an instruction what it does, its operands, its modifiers, and since which
/// PTX and chip there is it; of a special register or a directive what it is.
std::optional<Hover> hoverPtx(const Text &text, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_ASSEMBLYHOVER_H
