//===- Element.cpp - The element types of values --------------------------===//
//
// Which IR types have elements, and how many bytes they take.
//
//===----------------------------------------------------------------------===//

#include "executor/plan/Element.h"
#include "dialects/nvws/NVWS.h"
#include "dialects/proton_gpu/ProtonGPU.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "executor/plan/Values.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace kernelscope::executor {

std::optional<Element> elementOf(Type type) {
  if (isa<IndexType>(type))
    return Element::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return Element::I1;
    case 8:
      return Element::I8;
    case 16:
      return Element::I16;
    case 32:
      return Element::I32;
    case 64:
      return Element::I64;
    case 128:
      return Element::I128;
    default:
      return std::nullopt;
    }
  }
  if (isa<Float16Type>(type))
    return Element::F16;
  if (isa<BFloat16Type>(type))
    return Element::BF16;
  if (isa<Float32Type>(type))
    return Element::F32;
  if (isa<Float64Type>(type))
    return Element::F64;
  if (isa<Float8E5M2Type>(type))
    return Element::F8E5M2;
  if (isa<Float8E4M3FNType>(type))
    return Element::F8E4M3FN;
  if (isa<Float8E5M2FNUZType>(type))
    return Element::F8E5M2FNUZ;
  if (isa<Float8E4M3FNUZType>(type))
    return Element::F8E4M3FNUZ;
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    return isa<RankedTensorType>(pointer.getPointeeType())
               ? Element::BlockPointer
               : Element::Pointer;
  if (isa<LLVM::LLVMPointerType>(type))
    return Element::Pointer;
  if (isa<tt::TensorDescInterface>(type))
    return Element::Descriptor;
  if (isa<proton_gpu::SegmentType>(type))
    return Element::Token;
  // The stage of the region of a reference that it is of.
  if (isa<ttg::AsyncTokenType>(type))
    return Element::I32;
  // By the memory that holds their barriers.
  if (isa<nvws::ArefType, nvws::TokenType>(type))
    return Element::View;
  return std::nullopt;
}

size_t sizeOf(Element element) {
  switch (element) {
  case Element::I1:
  case Element::I8:
  case Element::F8E5M2:
  case Element::F8E4M3FN:
  case Element::F8E5M2FNUZ:
  case Element::F8E4M3FNUZ:
    return 1;
  case Element::I16:
  case Element::F16:
  case Element::BF16:
    return 2;
  case Element::I32:
  case Element::F32:
    return 4;
  case Element::I64:
  case Element::F64:
  case Element::Pointer:
    return 8;
  case Element::I128:
    return 16;
  case Element::View:
    return sizeof(View);
  case Element::Descriptor:
    return sizeof(Descriptor);
  case Element::BlockPointer:
    return sizeof(BlockPointer);
  case Element::Token:
    return 0;
  }
  llvm_unreachable("every element has a size");
}

size_t bytesInMemory(Type type) {
  std::optional<Element> element = elementOf(type);
  return element && *element < Element::I128 ? sizeOf(*element) : 0;
}

} // namespace kernelscope::executor
