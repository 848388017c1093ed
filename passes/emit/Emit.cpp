//===- Emit.cpp - The kinds of output of a compilation --------------------===//

#include "passes/emit/Emit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kernelscope {

static constexpr StringLiteral cubinTools[] = {"ptxas"};
static constexpr StringLiteral sassTools[] = {"ptxas", "nvdisasm"};

static constexpr EmitInfo emits[] = {
    {Emit::Ttgir, "ttgir", "ttgir", "TTGIR", std::nullopt, false, {}},
    {Emit::Llvm, "llvm", "ll", "LLVM IR", std::nullopt, false, {}},
    {Emit::Ptx, "ptx", "ptx", "PTX", Vendor::Nvidia, false, {}},
    {Emit::Sass, "sass", "sass", "SASS", Vendor::Nvidia, false, sassTools},
    {Emit::Cubin, "cubin", "cubin", "cubin", Vendor::Nvidia, true, cubinTools},
    {Emit::Amdgcn, "amdgcn", "amdgcn", "AMDGCN", Vendor::Amd, false, {}},
    {Emit::Hsaco, "hsaco", "hsaco", "hsaco", Vendor::Amd, true, {}}};

ArrayRef<EmitInfo> knownEmits() { return emits; }

const EmitInfo &infoOf(Emit emit) {
  return *find_if(emits,
                  [&](const EmitInfo &info) { return info.emit == emit; });
}

std::optional<Emit> parseEmit(StringRef name) {
  for (const EmitInfo &info : emits)
    if (info.name == name)
      return info.emit;
  return std::nullopt;
}

Emit assemblyOf(Vendor vendor) {
  return vendor == Vendor::Amd ? Emit::Amdgcn : Emit::Ptx;
}

std::string listEmits(std::optional<Vendor> only) {
  SmallVector<StringRef> names;
  for (const EmitInfo &info : emits)
    if (!only || info.vendor == only)
      names.push_back(info.name);
  return join(names, ", ");
}

} // namespace kernelscope
