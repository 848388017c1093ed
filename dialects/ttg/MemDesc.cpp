//===- MemDesc.cpp - The type of memory descriptors -----------------------===//

#include "dialects/ttg/TTG.h"

#include "dialects/layout/Counted.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

#define GET_TYPEDEF_CLASSES
#include "dialects/ttg/TTGTypes.cpp.inc"

void TTGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/ttg/TTGTypes.cpp.inc"
      >();
}

Type MemDescType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, allocShape;
  Type elementType;
  Attribute encoding, memorySpace;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseAttribute(encoding) || parser.parseComma() ||
      parser.parseAttribute(memorySpace))
    return {};
  bool mutableMemory = false;
  bool more = succeeded(parser.parseOptionalComma());
  if (more && succeeded(parser.parseOptionalKeyword("mutable"))) {
    mutableMemory = true;
    more = succeeded(parser.parseOptionalComma());
  }
  if (more && parser.parseDimensionList(allocShape, /*allowDynamic=*/false,
                                        /*withTrailingX=*/false))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    shape, elementType, encoding, memorySpace, mutableMemory,
                    allocShape.empty() ? shape : allocShape);
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType() << ", " << getEncoding() << ", "
          << getMemorySpace();
  if (getMutableMemory())
    printer << ", mutable";
  if (getAllocShape() != getShape()) {
    printer << ", ";
    llvm::interleave(getAllocShape(), printer, "x");
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

/// The most elements of an allocation, so that offsets fit 32 bits.
static constexpr int64_t maxElements = int64_t(1) << 30;

/// Every size positive, and the product within `maxElements`.
static LogicalResult verifySizes(EmitError emitError, StringRef what,
                                 ArrayRef<int64_t> sizes) {
  int64_t elements = 1;
  for (int64_t size : sizes) {
    if (size <= 0)
      return emitError() << what << " is [" << sizes
                         << "]; every size must be positive";
    if (size > maxElements / elements)
      return emitError() << what << " is [" << sizes
                         << "]; at most 2^30 elements are possible";
    elements *= size;
  }
  return success();
}

/// Only a ring of buffers in front may have a size that is not a power of two.
static LogicalResult verifyLayoutSizes(EmitError emitError, StringRef what,
                                       ArrayRef<int64_t> sizes,
                                       Attribute encoding) {
  if (llvm::all_of(dropPipeliningDim(sizes, encoding), llvm::isPowerOf2_64))
    return success();
  return emitError() << what << " is [" << sizes
                     << "]; every size that the layout covers must be a power "
                        "of two";
}

/// A layout that spells out the tensor's bits has that tensor's shape.
static LogicalResult verifySpelledShape(EmitError emitError,
                                        const LinearLayout &layout,
                                        ArrayRef<int64_t> allocShape,
                                        Attribute encoding) {
  SmallVector<int64_t> spelled;
  for (const LinearLayout::Dim &dim : layout.getOutDims())
    spelled.push_back(dim.size());
  ArrayRef<int64_t> needed = dropPipeliningDim(allocShape, encoding);
  if (ArrayRef<int64_t>(spelled) == needed)
    return success();
  return emitError() << "layout is of shape [" << spelled
                     << "]; the allocation's is [" << needed << "]";
}

/// The pieces of a partitioned buffer have the shape that their layout is for.
static LogicalResult verifyPieces(EmitError emitError,
                                  ArrayRef<int64_t> allocShape,
                                  Attribute encoding) {
  std::string error;
  if (toLinearLayout(allocShape, encoding, error))
    return success();
  return emitError() << "an allocation of shape [" << allocShape
                     << "] cannot be divided into the pieces of its layout: "
                     << error;
}

/// The block that TMA or a matrix instruction takes: 2 to 5 dimensions fit rows
/// of the swizzle, each row a multiple of 16 bytes.
static LogicalResult verifyNVMMAShape(EmitError emitError,
                                      NVMMASharedEncodingAttr layout,
                                      ArrayRef<int64_t> allocShape) {
  ArrayRef<int64_t> shape = dropPipeliningDim(allocShape, Attribute(layout));
  SmallVector<unsigned> split = layout.getCGALayout().getCTASplitNum();
  size_t inner = layout.getTransposed() ? 0 : shape.size() - 1;
  int64_t elements = std::max<int64_t>(1, shape[inner] / split[inner]);
  int64_t packing = layout.getFp4Padded() ? 2 : 1;
  int64_t bytes = elements * layout.getElementBitWidth() * packing / 8;
  int64_t swizzle = layout.getSwizzlingByteWidth();
  if (bytes < swizzle)
    return emitError() << "nvmma_shared rows have " << bytes
                       << " bytes in dimension " << inner << "; a swizzle of "
                       << swizzle << " bytes needs at least as many";
  return success();
}

static LogicalResult verifySharedMemDesc(EmitError emitError,
                                         ArrayRef<int64_t> shape,
                                         LayoutEncodingTrait layout,
                                         Attribute memorySpace,
                                         ArrayRef<int64_t> allocShape) {
  Attribute encoding = layout;
  if (!isa<SharedMemorySpaceAttr>(memorySpace))
    return emitError() << "memory space is " << memorySpace
                       << "; a layout of shared memory needs "
                          "#ttg.shared_memory";
  size_t rank = layout.getRank();
  if (shape.size() != rank && shape.size() != rank + 1)
    return emitError() << "shape has " << counted(shape.size(), "dimension")
                       << "; a layout of rank " << rank << " needs " << rank
                       << ", or " << rank + 1 << " for a ring of buffers";
  if (failed(verifyLayoutSizes(emitError, "shape", shape, encoding)) ||
      failed(verifyLayoutSizes(emitError, "allocation shape", allocShape,
                               encoding)))
    return failure();
  if (auto padded = dyn_cast<PaddedSharedEncodingAttr>(encoding))
    return verifySpelledShape(emitError, padded.getLinearComponent(),
                              allocShape, encoding);
  if (auto linear = dyn_cast<SharedLinearEncodingAttr>(encoding))
    return verifySpelledShape(emitError, linear.getLinearLayout(), allocShape,
                              encoding);
  if (auto nvmma = dyn_cast<NVMMASharedEncodingAttr>(encoding))
    return verifyNVMMAShape(emitError, nvmma, allocShape);
  if (isa<PartitionedSharedEncodingAttr>(encoding))
    return verifyPieces(emitError, dropPipeliningDim(allocShape, encoding),
                        encoding);
  return success();
}

LogicalResult MemDescType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                                  Type elementType, Attribute encoding,
                                  Attribute memorySpace, bool,
                                  ArrayRef<int64_t> allocShape) {
  if (shape.empty())
    return emitError() << "memory descriptor needs a dimension";
  if (!elementType.isIntOrFloat() && !isa<tt::PointerType>(elementType))
    return emitError() << "memory descriptor holds " << elementType
                       << "; it must hold integers, floats or pointers";
  unsigned bits = isa<tt::PointerType>(elementType)
                      ? 64
                      : elementType.getIntOrFloatBitWidth();
  if (bits != 1 && bits < 8)
    return emitError() << "memory descriptor's elements have " << bits
                       << " bits; they need 1, or 8 or more";
  if (failed(verifySizes(emitError, "shape", shape)) ||
      failed(verifySizes(emitError, "allocation shape", allocShape)))
    return failure();
  if (allocShape.size() < shape.size())
    return emitError() << "allocation shape [" << allocShape
                       << "] has fewer dimensions than the shape [" << shape
                       << "]";
  for (auto [size, allocated] :
       llvm::zip(shape, allocShape.take_back(shape.size())))
    if (size > allocated)
      return emitError() << "shape [" << shape
                         << "] does not fit the allocation [" << allocShape
                         << "]";

  auto layout = dyn_cast_or_null<LayoutEncodingTrait>(encoding);
  if (layout && isa<SharedEncodingTrait>(encoding))
    return verifySharedMemDesc(emitError, shape, layout, memorySpace,
                               allocShape);
  if (auto memory = dyn_cast_or_null<MemoryEncodingTrait>(encoding))
    return memory.verifyMemDesc(emitError, shape, elementType, memorySpace,
                                allocShape);
  return emitError() << "memory descriptor has the layout " << encoding
                     << "; it must be a layout of shared or tensor memory";
}

LogicalResult ttg::verifyMemDescs(Operation *op) {
  auto check = [&](Type type, StringRef what, unsigned index) {
    auto memory = dyn_cast<MemDescType>(type);
    if (!memory)
      return success();
    auto layout = dyn_cast<LayoutEncodingTrait>(memory.getEncoding());
    std::optional<int> needed = lookupNumCTAs(op);
    if (!layout || !needed)
      return success();
    unsigned found = layout.getCGALayout().getNumCTAs();
    if (found == unsigned(*needed))
      return success();
    // Barriers, of which each CTA had one of its own.
    if (found == 1 && memory.getElementType().isInteger(64) && isOlderDump(op))
      return success();
    return LogicalResult(op->emitOpError()
                         << what << " " << index << " has a layout for "
                         << counted(found, "CTA")
                         << "; the module's ttg.num-ctas is " << *needed);
  };
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(check(type, "operand", i)))
      return failure();
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(check(type, "result", i)))
      return failure();
  return success();
}
