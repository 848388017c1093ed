//===- AssemblyHover.h - what an instruction does ---------------*- C++ -*-===//
//
// Needs the text alone. What is said stands in instructions/*.txt.
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

/// Of an instruction of AMD's what it does, its operands and the words of its
/// name; of a register, a directive or a word of an operand what it is.
std::optional<Hover> hoverAmdgcn(const Text &text, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_ASSEMBLYHOVER_H
