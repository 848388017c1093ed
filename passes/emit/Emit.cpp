//===- Emit.cpp - The kinds of output of a compilation --------------------===//

#include "passes/emit/Emit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kernelscope {

static constexpr StringLiteral cubinTools[] = {"ptxas"};
static constexpr StringLiteral sassTools[] = {"ptxas", "nvdisasm"};

static constexpr EmitInfo emits[] = {
    {Emit::Ttgir,
     "ttgir",
     "ttgir",
     "TTGIR",
     "Triton's GPU IR",
     std::nullopt,
     false,
     {}},
    {Emit::Llvm, "llvm", "ll", "LLVM IR", "LLVM IR", std::nullopt, false, {}},
    {Emit::Ptx,
     "ptx",
     "ptx",
     "PTX",
     "NVIDIA's assembly",
     Vendor::Nvidia,
     false,
     {}},
    {Emit::Sass, "sass", "sass", "SASS", "NVIDIA's machine code",
     Vendor::Nvidia, false, sassTools},
    {Emit::Cubin, "cubin", "cubin", "cubin", "NVIDIA's object file",
     Vendor::Nvidia, true, cubinTools},
    {Emit::Amdgcn,
     "amdgcn",
     "amdgcn",
     "AMDGCN",
     "AMD's assembly",
     Vendor::Amd,
     false,
     {}},
    {Emit::Hsaco,
     "hsaco",
     "hsaco",
     "hsaco",
     "AMD's object file",
     Vendor::Amd,
     true,
     {}}};

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

std::string describeWrongVendor(Emit emit, StringRef arch) {
  const EmitInfo &info = infoOf(emit);
  SmallVector<StringRef> others;
  for (const EmitInfo &other : emits)
    if (other.vendor && other.vendor != info.vendor)
      others.push_back(other.name);
  const StringRef last = others.pop_back_val();
  return (Twine("'") + info.name + "' is " + info.description + "; for " +
          arch + ", use " + join(others, ", ") + " or " + last)
      .str();
}

} // namespace kernelscope
