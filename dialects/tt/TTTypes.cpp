//===- TTTypes.cpp - types of the tt dialect ------------------------------===//
//
// Syntax and rules of pointers and descriptors; types derived from types.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope::tt;

#include "dialects/tt/TTTypeInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tt/TTTypes.cpp.inc"

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tt/TTTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// !tt.ptr
//===----------------------------------------------------------------------===//

Type PointerType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type pointee;
  int addressSpace = 1;
  if (parser.parseLess() || parser.parseType(pointee) ||
      (succeeded(parser.parseOptionalComma()) &&
       parser.parseInteger(addressSpace)) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, pointee.getContext(),
                    pointee, addressSpace);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << '<' << getPointeeType();
  if (getAddressSpace() != 1)
    printer << ", " << getAddressSpace();
  printer << '>';
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type pointee, int) {
  if (getElementTypeOrSelf(pointee).isIntOrFloat() &&
      (pointee.isIntOrFloat() || isa<RankedTensorType>(pointee)))
    return success();
  // Triton 3.4 kept arrays of pointers as pointers to pointers.
  if (isa<PointerType>(pointee))
    return success();
  return emitError()
         << "a pointer must point to an integer, a float or a pointer, not to "
         << pointee;
}

//===----------------------------------------------------------------------===//
// !tt.tensordesc
//===----------------------------------------------------------------------===//

Type TensorDescType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};

  SmallVector<int64_t> shape;
  Type element;
  Attribute sharedLayout;
  OptionalParseResult wrapped = parser.parseOptionalType(element);
  if (wrapped.has_value()) {
    if (failed(*wrapped))
      return {};
    // Triton up to 3.7 wraps the block in a tensor type.
    if (auto block = dyn_cast<RankedTensorType>(element)) {
      llvm::append_range(shape, block.getShape());
      element = block.getElementType();
      sharedLayout = block.getEncoding();
    }
  } else if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
             parser.parseType(element)) {
    return {};
  }
  if (!sharedLayout && succeeded(parser.parseOptionalComma()) &&
      parser.parseAttribute(sharedLayout))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, element.getContext(),
                    ArrayRef<int64_t>(shape), element, sharedLayout);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType();
  if (getSharedLayout())
    printer << ", " << getSharedLayout();
  printer << '>';
}

LogicalResult
TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> shape, Type element, Attribute) {
  if (!element.isIntOrFloat())
    return emitError()
           << "a descriptor's block must have integer or float elements, not "
           << element;
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size <= 0)
      return emitError()
             << "a descriptor's block must have positive sizes, not " << size;
    count = size > maxTensorElements ? size : count * size;
    if (count > maxTensorElements)
      return emitError() << "a descriptor's block must have at most "
                         << maxTensorElements
                         << " elements, not the product of [" << shape << "]";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Derived types
//===----------------------------------------------------------------------===//

namespace kernelscope::tt {

bool isScalarPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && !isa<RankedTensorType>(pointer.getPointeeType());
}

bool isBlockPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

Type withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

Type getPointeeType(Type type) {
  auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(type));
  return pointer ? withElementType(type, pointer.getPointeeType()) : type;
}

unsigned bytesInMemory(Type type) {
  return type.isIntOrFloat()
             ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u)
             : 8;
}

int getAddressSpace(Type type) {
  auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(type));
  return pointer ? pointer.getAddressSpace() : 1;
}

Type getI1SameShape(Type type) {
  return withElementType(type, IntegerType::get(type.getContext(), 1));
}

Type getI32SameShape(Type type) {
  return withElementType(type, IntegerType::get(type.getContext(), 32));
}

Type getPointerTypeSameShape(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat()
             ? withElementType(type, PointerType::get(element))
             : type;
}

Type getPointerTypeToElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() ? PointerType::get(element) : type;
}

Type getBlockBaseType(Type blockPointer) {
  auto pointer = dyn_cast<PointerType>(blockPointer);
  if (!pointer)
    return blockPointer;
  return PointerType::get(getElementTypeOrSelf(pointer.getPointeeType()),
                          pointer.getAddressSpace());
}

} // namespace kernelscope::tt
