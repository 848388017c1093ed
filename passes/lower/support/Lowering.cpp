//===- Lowering.cpp - What the lowering patterns share --------------------===//
//
// The types of the IR in LLVM, tensors as lists of elements, shared memory.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/Lowering.h"
#include "dialects/target/TensorWords.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace kernelscope::lower {

TypeConverter::TypeConverter(MLIRContext *context,
                             const LowerToLLVMOptions &options,
                             const Target &target)
    : LLVMTypeConverter(context, options) {
  addConversion([](tt::PointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(),
                                      type.getAddressSpace());
  });
  addConversion([this](RankedTensorType type) -> std::optional<Type> {
    if (!type.getEncoding())
      return std::nullopt;
    auto registers = StringAttr::get(type.getContext(), "register");
    int32_t count = ttg::toLinearLayout(type).getInDimSize(registers);
    Type element = convertElement(type.getElementType());
    if (!element)
      return Type();
    return LLVM::LLVMStructType::getLiteral(type.getContext(),
                                            SmallVector<Type>(count, element));
  });
  addConversion([](ttg::MemDescType type) -> Type {
    MLIRContext *context = type.getContext();
    if (isa<ttng::TensorMemorySpaceAttr>(type.getMemorySpace()))
      return IntegerType::get(context, 32);
    SmallVector<Type> fields(type.getShape().size() + 1,
                             IntegerType::get(context, 32));
    fields[0] = LLVM::LLVMPointerType::get(context, Shared);
    return LLVM::LLVMStructType::getLiteral(context, fields);
  });
  if (target.hasTma)
    addConversion([](tt::TensorDescInterface type) -> Type {
      return LLVM::LLVMPointerType::get(type.getContext(), Generic);
    });
  if (target.hasTensorDataMover)
    addConversion([](tt::TensorDescInterface type) -> Type {
      const auto rank = static_cast<unsigned>(type.getShape().size());
      return LLVM::LLVMStructType::getLiteral(
          type.getContext(),
          SmallVector<Type>(numTensorWords(rank),
                            IntegerType::get(type.getContext(), 32)));
    });
  addConversion([](ttg::AsyncTokenType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
}

Type TypeConverter::convertElement(Type type) const {
  return convertType(type);
}

SmallVector<Value> unpackElements(Builder &b, Value packed) {
  if (!isa<LLVM::LLVMStructType>(packed.getType()))
    return {packed};
  return b.splitStruct(packed);
}

Value packElements(Builder &b, const TypeConverter &converter,
                   ArrayRef<Value> elements, Type type) {
  if (!isa<LLVM::LLVMStructType>(converter.convertType(type)))
    return elements.front();
  return b.makeStruct(elements);
}

void declareSharedMemory(ModuleOp module) {
  if (module.lookupSymbol(sharedMemoryName))
    return;
  OpBuilder builder(module.getBodyRegion());
  auto bytes =
      LLVM::LLVMArrayType::get(IntegerType::get(module.getContext(), 8), 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), bytes, /*isConstant=*/false,
                         LLVM::Linkage::External, sharedMemoryName,
                         /*value=*/Attribute(), /*alignment=*/16, Shared);
}

Value sharedMemoryOf(Builder &b, Operation *op) {
  Value base = LLVM::AddressOfOp::create(
      b.getBuilder(), b.getLoc(), b.pointerType(Shared), sharedMemoryName);
  auto offset = op->getAttrOfType<IntegerAttr>(ttg::allocationOffsetName);
  return b.gep(b.intType(8), base,
               b.i32(offset ? static_cast<int32_t>(offset.getInt()) : 0));
}

} // namespace kernelscope::lower
