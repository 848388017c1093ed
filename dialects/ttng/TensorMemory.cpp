//===- TensorMemory.cpp - Layouts of tensor memory ------------------------===//
//
// Their rules, and what they mean: a linear map from rows (lanes), columns (in
// elements) and CTAs to the matrix.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttng/TTNG.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::CGAEncodingAttr;
using ttg::MemDescType;

using EmitError = function_ref<InFlightDiagnostic()>;

#define GET_ATTRDEF_CLASSES
#include "dialects/ttng/TTNGAttrs.cpp.inc"

void TTNGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/ttng/TTNGAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static LogicalResult verifyRankTwo(EmitError emitError,
                                   CGAEncodingAttr cluster) {
  if (cluster && cluster.getRank() == 2)
    return success();
  return emitError() << "layout of tensor memory needs a CGALayout of 2 "
                        "dimensions";
}

LogicalResult TensorMemoryEncodingAttr::verify(EmitError emitError,
                                               unsigned blockM, unsigned blockN,
                                               unsigned colStride,
                                               CGAEncodingAttr cluster,
                                               bool twoCTAs, bool fp4Padded) {
  if (failed(verifyRankTwo(emitError, cluster)))
    return failure();
  if (blockM != 64 && blockM != 128)
    return emitError() << "tensor_memory_encoding has blockM = " << blockM
                       << "; it must be 64 or 128";
  if (!llvm::isPowerOf2_32(blockN) || blockN > 512)
    return emitError() << "tensor_memory_encoding has blockN = " << blockN
                       << "; it must be a power of two of at most 512";
  if (colStride != 1 && colStride != 2 && colStride != 4)
    return emitError() << "tensor_memory_encoding has colStride = " << colStride
                       << "; it must be 1, 2 or 4";
  if (fp4Padded && colStride != 1)
    return emitError()
           << "tensor_memory_encoding is fp4Padded with colStride = "
           << colStride << "; it must be 1";
  if (!twoCTAs)
    return success();
  auto bases = cluster.getLinearLayout().getBases(
      ttg::LayoutDims(cluster.getContext()).block);
  if (bases.empty() || bases[0] != std::vector<int32_t>{1, 0})
    return emitError()
           << "tensor_memory_encoding has twoCTAs, but the first basis of its "
              "CGALayout is not [1, 0]; CTA pairs must split the rows";
  return success();
}

LogicalResult
TensorMemoryScalesEncodingAttr::verify(EmitError emitError,
                                       CGAEncodingAttr cluster,
                                       TensorMemoryScalesBlockRepOrder) {
  return verifyRankTwo(emitError, cluster);
}

static LogicalResult verifyTensorMemory(EmitError emitError,
                                        Attribute memorySpace) {
  if (isa<TensorMemorySpaceAttr>(memorySpace))
    return success();
  return emitError() << "memory space is " << memorySpace
                     << "; a layout of tensor memory needs #ttng.tensor_memory";
}

LogicalResult TensorMemoryEncodingAttr::verifyMemDesc(
    EmitError emitError, ArrayRef<int64_t> shape, Type elementType,
    Attribute memorySpace, ArrayRef<int64_t> allocShape) const {
  if (failed(verifyTensorMemory(emitError, memorySpace)))
    return failure();
  if (shape.size() != 2 && shape.size() != 3)
    return emitError()
           << "tensor memory has the shape [" << shape
           << "]; it needs 2 dimensions, or 3 for a ring of buffers";
  unsigned bits =
      elementType.isIntOrFloat() ? elementType.getIntOrFloatBitWidth() : 0;
  if (bits < 8 || bits * getColStride() > 32)
    return emitError() << "tensor memory holds " << elementType
                       << " with colStride = " << getColStride()
                       << "; an element of 8 bits or more must fit in a 32-bit "
                          "column together with its gap";
  ArrayRef<int64_t> matrix = shape.take_back(2);
  if (!llvm::all_of(matrix, llvm::isPowerOf2_64))
    return emitError() << "tensor memory has the shape [" << shape
                       << "]; rows and columns must be powers of two";
  SmallVector<unsigned> split = getCGALayout().getCTASplitNum();
  int64_t leastM = int64_t(getBlockM()) * split[0];
  int64_t leastN = std::min<int64_t>(getBlockN(), matrix[1]) * split[1];
  if (matrix[0] < leastM || matrix[1] < leastN)
    return emitError() << "tensor memory has the shape [" << shape
                       << "]; its blocks and CTAs need at least " << leastM
                       << "x" << leastN;
  std::string error;
  if (!ttg::toLinearLayout(allocShape.take_back(2), *this, error))
    return emitError() << error;
  return success();
}

LogicalResult TensorMemoryScalesEncodingAttr::verifyMemDesc(
    EmitError emitError, ArrayRef<int64_t> shape, Type elementType,
    Attribute memorySpace, ArrayRef<int64_t> allocShape) const {
  if (failed(verifyTensorMemory(emitError, memorySpace)))
    return failure();
  if (shape.size() != 2 || allocShape.size() != 2)
    return emitError() << "scales have the shape [" << shape
                       << "] in an allocation of [" << allocShape
                       << "]; both need 2 dimensions";
  if (!elementType.isIntOrFloat() || elementType.getIntOrFloatBitWidth() != 8)
    return emitError() << "scales hold " << elementType
                       << "; their elements must have 8 bits";
  std::string error;
  if (!ttg::toLinearLayout(allocShape, *this, error))
    return emitError() << error;
  return success();
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

namespace {
/// Collects the bases of a layout of tensor memory.
class Bases {
public:
  explicit Bases(MLIRContext *context) : context(context) {}
  std::vector<std::vector<int32_t>> row, col;

  /// The CTAs' bases are the cluster's, a CTA's part being `perCTA`.
  std::optional<LinearLayout> finish(CGAEncodingAttr cluster,
                                     ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> perCTA,
                                     std::string &error) const {
    ttg::LayoutDims dims(context);
    auto block = cluster.getLinearLayout().getBases(dims.block);
    for (auto &basis : block)
      for (auto [value, size] : llvm::zip_equal(basis, perCTA))
        value *= size;
    LinearLayout::Bases bases[] = {{StringAttr::get(context, "row"), row},
                                   {StringAttr::get(context, "col"), col},
                                   {dims.block, block}};
    SmallVector<LinearLayout::NamedValue> outs;
    for (auto [name, size] :
         llvm::zip_equal(ttg::tensorDims(context, 2), shape))
      outs.emplace_back(name, int32_t(size));
    return LinearLayout::create(bases, outs, error);
  }

private:
  MLIRContext *context;
};

using Vectors = std::vector<std::vector<int32_t>>;

/// Bits that move along `dim` from `from` up to, not including, `to`.
void addBits(Vectors &bases, unsigned dim, int64_t from, int64_t to) {
  for (int64_t bit = from; bit < to; bit *= 2) {
    auto &basis = bases.emplace_back(2, 0);
    basis[dim] = bit;
  }
}

/// What one CTA holds; false, with `error`, when the shape does not divide.
bool splitOverCTAs(CGAEncodingAttr cluster, ArrayRef<int64_t> shape,
                   SmallVectorImpl<int64_t> &perCTA, std::string &error) {
  if (shape.size() != 2 || !llvm::all_of(shape, llvm::isPowerOf2_64)) {
    error = "tensor memory needs a matrix whose sizes are powers of two";
    return false;
  }
  for (auto [size, split] : llvm::zip_equal(shape, cluster.getCTASplitNum())) {
    if (size < split) {
      error = llvm::formatv("tensor memory of size {0} is split over {1} CTAs",
                            size, split);
      return false;
    }
    perCTA.push_back(size / split);
  }
  return true;
}
} // namespace

std::optional<LinearLayout>
TensorMemoryEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape,
                                         std::string &error) const {
  SmallVector<int64_t> perCTA;
  if (!splitOverCTAs(getCGALayout(), shape, perCTA, error))
    return std::nullopt;
  int64_t blockM = getBlockM();
  int64_t blockN = std::min<int64_t>(getBlockN(), perCTA[1]);
  if (perCTA[0] < blockM) {
    error =
        llvm::formatv("tensor memory has {0} rows in a CTA; its blocks need "
                      "{1}",
                      perCTA[0], blockM);
    return std::nullopt;
  }
  Bases bases(getContext());
  // Places between elements hold nothing; that is what a zero basis means here.
  unsigned gaps = llvm::Log2_32(getColStride()) + (getFp4Padded() ? 1 : 0);
  bases.col.resize(gaps, {0, 0});
  addBits(bases.col, 1, 1, blockN);
  int64_t coveredM = blockM, coveredN = blockN;
  if (blockM == 64 && !getTwoCTAs()) {
    // Half of the lanes, 16 of every 32; the others take the next block.
    addBits(bases.row, 0, 1, 16);
    if (perCTA[0] > blockM) {
      addBits(bases.row, 0, 64, 128);
      coveredM = 128;
    } else if (perCTA[1] > blockN) {
      addBits(bases.row, 1, blockN, 2 * blockN);
      coveredN = 2 * blockN;
    } else {
      bases.row.push_back({0, 0});
    }
    addBits(bases.row, 0, 16, 64);
  } else {
    addBits(bases.row, 0, 1, blockM);
    if (blockM == 64) {
      // A pair of CTAs: the upper lanes take the upper half of the columns.
      bases.row.push_back(bases.col.empty() ? std::vector<int32_t>{0, 0}
                                            : bases.col.back());
      if (!bases.col.empty())
        bases.col.pop_back();
    }
  }
  addBits(bases.col, 0, coveredM, perCTA[0]);
  addBits(bases.col, 1, coveredN, perCTA[1]);
  return bases.finish(getCGALayout(), shape, perCTA, error);
}

std::optional<LinearLayout>
TensorMemoryScalesEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape,
                                               std::string &error) const {
  SmallVector<int64_t> perCTA;
  if (!splitOverCTAs(getCGALayout(), shape, perCTA, error))
    return std::nullopt;
  Bases bases(getContext());
  // 32 rows, on every group of 32 lanes; 4 scales in a column of 32 bits, two
  // or four such columns in a block.
  addBits(bases.row, 0, 1, 32);
  bases.row.resize(7, {0, 0});
  addBits(bases.col, 1, 1, 4);
  addBits(bases.col, 0, 32, 64);
  if (perCTA[0] > 64)
    addBits(bases.col, 0, 64, 128);
  bool kFirst =
      getBlockRepOrder() == TensorMemoryScalesBlockRepOrder::K_THEN_MN;
  if (kFirst)
    addBits(bases.col, 1, 4, perCTA[1]);
  addBits(bases.col, 0, 128, perCTA[0]);
  if (!kFirst)
    addBits(bases.col, 1, 4, perCTA[1]);
  // A smaller matrix leaves places without an element.
  for (Vectors *vectors : {&bases.row, &bases.col})
    for (auto &basis : *vectors)
      for (auto [value, size] : llvm::zip_equal(basis, perCTA))
        if (value >= size)
          value = 0;
  return bases.finish(getCGALayout(), shape, perCTA, error);
}

TensorMemorySize ttng::getTensorMemorySize(MemDescType memory) {
  std::string error;
  auto layout = ttg::toLinearLayout(
      ttg::dropPipeliningDim(memory.getShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  if (!layout)
    return {0, 0};
  MLIRContext *context = memory.getContext();
  auto row = StringAttr::get(context, "row");
  int64_t rows = layout->getInDimSize(row);
  int64_t columns = llvm::divideCeil(
      int64_t(layout->getInDimSize(StringAttr::get(context, "col"))) *
          memory.getElementTypeBitWidth(),
      32);
  // Blocks of 64 rows that fill only half of the lanes count for half.
  if (rows == 128 &&
      llvm::all_of(layout->getBasis(row, 4), [](int32_t v) { return v == 0; }))
    rows = 64;
  int64_t ring = memory.getRank() > 2 ? memory.getDimSize(0) : 1;
  return {rows, columns * ring};
}

/// The rows (as bits of their number) at which there is an element.
static int32_t rowsInUse(const LinearLayout &layout) {
  auto row =
      StringAttr::get(layout.getInDims().front().name.getContext(), "row");
  return (layout.getInDimSize(row) - 1) & ~layout.getZeroMask(row);
}

/// The rule of both layouts: what is read must lie in what the source has.
static LogicalResult verifyFits(Operation *op, ShapedType src, ShapedType dst) {
  auto from = cast<MemDescType>(src), to = cast<MemDescType>(dst);
  std::string error;
  auto whole = [&](MemDescType memory) {
    return ttg::toLinearLayout(
        ttg::dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
        memory.getEncoding(), error);
  };
  auto allocation = whole(from), result = whole(to);
  if (!allocation || !result)
    return op->emitOpError() << error;
  LinearLayout window = ttg::cropToWindow(*allocation, from);
  if (int32_t outside =
          rowsInUse(*result) & rowsInUse(*allocation) & ~rowsInUse(window))
    return ttg::withOrigin(
        op->emitOpError() << "needs rows of tensor memory outside the window "
                             "of the source: those whose index has the bits "
                          << outside,
        op->getOperand(0), "the source");

  TensorMemorySize have = getTensorMemorySize(from);
  TensorMemorySize need = getTensorMemorySize(to);
  auto col = StringAttr::get(op->getContext(), "col");
  int64_t owned = ttg::ownedPlaces(*allocation, from, col);
  bool isWhole = owned == allocation->getInDimSize(col);
  have.columns = llvm::divideCeil(owned * from.getElementTypeBitWidth(), 32) *
                 (isWhole && from.getRank() > 2 ? from.getDimSize(0) : 1);
  if (need.rows > have.rows || need.columns > have.columns)
    return ttg::withOrigin(op->emitOpError()
                               << "needs " << need.rows << " rows and "
                               << need.columns
                               << " columns of tensor memory; the source has "
                               << have.rows << " rows and " << have.columns
                               << " contiguous columns",
                           op->getOperand(0), "the source");
  return success();
}

LogicalResult
TensorMemoryEncodingAttr::verifyReinterpret(Operation *op, ShapedType src,
                                            ShapedType dst) const {
  return verifyFits(op, src, dst);
}

LogicalResult
TensorMemoryScalesEncodingAttr::verifyReinterpret(Operation *op, ShapedType src,
                                                  ShapedType dst) const {
  return verifyFits(op, src, dst);
}
