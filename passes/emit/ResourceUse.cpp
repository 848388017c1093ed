//===- ResourceUse.cpp - What the assembler gave each kernel --------------===//

#include "passes/emit/ResourceUse.h"
#include "dialects/target/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;

namespace kernelscope::emit {

/// The number in front of `what`; 0 without it.
static unsigned numberBefore(StringRef line, StringRef what) {
  StringRef before = line.take_front(line.find(what)).rtrim();
  unsigned number = 0;
  if (before.size() == line.size() ||
      before.take_back(before.size() - (before.find_last_of(' ') + 1))
          .getAsInteger(10, number))
    return 0;
  return number;
}

// Of each entry function ptxas says its name, its stack and spills, and its
// registers, each on a line.
void readPtxasUse(StringRef messages, MutableArrayRef<KernelInfo> kernels) {
  KernelInfo *kernel = nullptr;
  unsigned spilled = 0;
  for (StringRef line : llvm::split(messages, '\n')) {
    if (line.contains("Compiling entry function '")) {
      StringRef name = line.split('\'').second.split('\'').first;
      kernel = llvm::find_if(
          kernels, [&](const KernelInfo &info) { return info.name == name; });
      spilled = 0;
    } else if (kernel == nullptr || kernel == kernels.end()) {
      continue;
    } else if (line.contains(" bytes spill stores")) {
      spilled = numberBefore(line, " bytes spill stores");
    } else if (line.contains("Used ") && line.contains(" registers")) {
      kernel->resources = {numberBefore(line, " registers"), spilled};
      kernel = nullptr;
    }
  }
}

// After each function LLVM says how many of its waves a SIMD holds; the
// metadata of the kernels are at the end.
void readAmdUse(StringRef assembly, MutableArrayRef<KernelInfo> kernels) {
  std::map<StringRef, unsigned> waves;
  StringRef function;
  ThreadResources found;
  for (StringRef line : llvm::split(assembly, '\n')) {
    StringRef word = line.ltrim(" ;-"), value;
    std::tie(word, value) = word.split(':');
    value = value.trim();
    unsigned number = 0;
    value.getAsInteger(10, number);
    if (line.contains("-- Begin function "))
      function = line.split("-- Begin function ").second.trim();
    else if (word == "Occupancy")
      waves[function] = number;
    else if (word == ".vgpr_count")
      found.registers = number;
    else if (word == ".name" && !line.starts_with("      "))
      found.wavesPerSimd = waves[function = value];
    else if (word == ".vgpr_spill_count") {
      found.spilledBytes = 4 * number;
      for (KernelInfo &kernel : kernels)
        if (kernel.name == function)
          kernel.resources = found;
    }
  }
}

std::string describeUse(ArrayRef<KernelInfo> kernels, const Target &target) {
  std::string text;
  for (const KernelInfo &kernel : kernels) {
    if (!kernel.resources)
      continue;
    unsigned registers = kernel.resources->registers;
    unsigned spilled = kernel.resources->spilledBytes;
    text += llvm::formatv("// {0}: {1} registers, {2}, {3} bytes of shared "
                          "memory, {4} threads\n",
                          kernel.name, registers,
                          spilled ? std::to_string(spilled) + " bytes spilled"
                                  : std::string("nothing spilled"),
                          kernel.sharedBytes, kernel.threads());
    if (auto occupancy =
            occupancyOf(target, {kernel.warps, registers, kernel.sharedBytes}))
      text += llvm::formatv(
          "// Occupancy: {0} of {1} warps, in {2} {3} on a multiprocessor; "
          "limited by {4}\n",
          occupancy->warps, occupancy->maxWarps, occupancy->ctas,
          occupancy->ctas == 1 ? "CTA" : "CTAs",
          llvm::join(occupancy->limits, " and "));
  }
  return text;
}

} // namespace kernelscope::emit
