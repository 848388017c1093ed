//===- AttrSyntax.cpp - How layouts are written and read ------------------===//
//
// Prints today's spelling of Triton's main; reads that and those of 3.4 to 3.6.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/LayoutDict.h"
#include "dialects/ttg/LayoutParts.h"
#include "dialects/ttg/TTG.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

#define GET_ATTRDEF_CLASSES
#include "dialects/ttg/TTGAttrs.cpp.inc"

void TTGDialect::registerAttributes() {
  addAttributes<CGAEncodingAttr,
#define GET_ATTRDEF_LIST
#include "dialects/ttg/TTGAttrs.cpp.inc"
                >();
}

namespace {
using Numbers = SmallVector<unsigned>;

/// An attribute of the entries that `dict` gave, or null when it is not valid.
template <typename Attr, typename... Args>
Attribute checked(AsmParser &parser, LayoutDict &dict, Args &&...args) {
  dict.warnOfUnknown();
  SMLoc loc = dict.getLoc();
  // That the entries were read, the analyzer does not see.
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
  return Attr::getChecked([&] { return parser.emitError(loc); },
                          parser.getContext(), std::forward<Args>(args)...);
}

/// `, CGALayout = [[...]]`, unless the cluster is one CTA.
void printCluster(AsmPrinter &printer, CGAEncodingAttr layout) {
  if (layout.getNumCTAs() == 1)
    return;
  printer << ", CGALayout = ";
  printCGALayout(printer, layout);
}

/// `shape` walked in `order`, fastest first, with the in-dim `inDim`; out-dims
/// in the standard order.
LinearLayout walkShape(MLIRContext *context, StringRef inDim,
                       ArrayRef<unsigned> shape, ArrayRef<unsigned> order) {
  return parts::identityND(StringAttr::get(context, inDim), shape, order)
      .transposeOuts(tensorDims(context, shape.size()));
}

bool allPowersOfTwo(ArrayRef<unsigned> values) {
  return llvm::all_of(values, llvm::isPowerOf2_32);
}

/// The bits that all of `values`, powers of two, span together.
unsigned totalBits(ArrayRef<unsigned> values) {
  unsigned bits = 0;
  for (unsigned value : values)
    bits += llvm::Log2_32(value);
  return bits;
}
} // namespace

//===----------------------------------------------------------------------===//
// Distributed layouts
//===----------------------------------------------------------------------===//

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  Numbers sizePerThread, threadsPerWarp, warpsPerCTA, order;
  if (!dict.parse() || !dict.required("sizePerThread", sizePerThread) ||
      !dict.required("threadsPerWarp", threadsPerWarp) ||
      !dict.required("warpsPerCTA", warpsPerCTA) ||
      !dict.required("order", order))
    return {};
  CGAEncodingAttr cluster = dict.cluster(order.size());
  if (!cluster)
    return {};
  return checked<BlockedEncodingAttr>(
      parser, dict, sizePerThread, threadsPerWarp, warpsPerCTA, order, cluster);
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{sizePerThread = [" << getSizePerThread()
          << "], threadsPerWarp = [" << getThreadsPerWarp()
          << "], warpsPerCTA = [" << getWarpsPerCTA() << "], order = ["
          << getOrder() << "]";
  printCluster(printer, getCGALayout());
  printer << "}>";
}

Attribute SliceEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  unsigned dim;
  Attribute parent;
  if (!dict.parse() || !dict.required("dim", dim) ||
      !dict.required("parent", parent))
    return {};
  auto distributed = dyn_cast<DistributedEncodingTrait>(parent);
  if (!distributed) {
    dict.error() << "has parent = " << parent
                 << "; it must be the layout of a tensor";
    return {};
  }
  return checked<SliceEncodingAttr>(parser, dict, dim, distributed);
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << getParent() << "}>";
}

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  unsigned versionMajor, versionMinor = 0;
  Numbers warpsPerCTA, instrShape;
  if (!dict.parse() || !dict.required("versionMajor", versionMajor) ||
      !dict.optional("versionMinor", versionMinor) ||
      !dict.required("warpsPerCTA", warpsPerCTA) ||
      !dict.optional("instrShape", instrShape))
    return {};
  // Triton reads a layout without it; mma.sync has one shape of results.
  if (!dict.has("instrShape") && versionMajor == 2)
    instrShape.assign({16, 8});
  CGAEncodingAttr cluster = dict.cluster(warpsPerCTA.size());
  if (!cluster)
    return {};
  return checked<NvidiaMmaEncodingAttr>(parser, dict, versionMajor,
                                        versionMinor, warpsPerCTA, cluster,
                                        instrShape);
}

void NvidiaMmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{versionMajor = " << getVersionMajor()
          << ", versionMinor = " << getVersionMinor() << ", warpsPerCTA = ["
          << getWarpsPerCTA() << "]";
  printCluster(printer, getCGALayout());
  printer << ", instrShape = [" << getInstrShape() << "]}>";
}

Attribute AMDMfmaEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  unsigned version = 0, versionMinor = 0, elementBitWidth = 32;
  Numbers warpsPerCTA, instrShape, tilesPerWarp;
  bool isTransposed = false;
  // Triton 3.4 wrote the generation as versionMajor, with a minor of no effect.
  if (!dict.parse() ||
      !dict.optional(dict.has("versionMajor") ? "versionMajor" : "version",
                     version) ||
      !dict.optional("versionMinor", versionMinor) ||
      !dict.required("warpsPerCTA", warpsPerCTA) ||
      !dict.required("instrShape", instrShape) ||
      !dict.optional("isTransposed", isTransposed) ||
      !dict.optional("elementBitWidth", elementBitWidth))
    return {};
  // Triton 3.4 left K out; that of 16-bit elements on gfx942 has the same
  // layout.
  if (instrShape.size() == 2)
    instrShape.push_back(instrShape[0] == 32   ? 8
                         : instrShape[0] == 16 ? 16
                                               : 4);
  tilesPerWarp.assign(warpsPerCTA.size(), 1);
  if (!dict.optional("tilesPerWarp", tilesPerWarp))
    return {};
  CGAEncodingAttr cluster = dict.cluster(warpsPerCTA.size());
  if (!cluster)
    return {};
  return checked<AMDMfmaEncodingAttr>(parser, dict, version, warpsPerCTA,
                                      instrShape, isTransposed, cluster,
                                      tilesPerWarp, elementBitWidth);
}

void AMDMfmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion() << ", warpsPerCTA = ["
          << getWarpsPerCTA() << "], instrShape = [" << getInstrShape()
          << "], isTransposed = " << getIsTransposed();
  printCluster(printer, getCGALayout());
  if (!hasUnitTilesPerWarp())
    printer << ", tilesPerWarp = [" << getTilesPerWarp() << "]";
  if (getElementBitWidth() != 32)
    printer << ", elementBitWidth = " << getElementBitWidth();
  printer << "}>";
}

/// The `ctaLayout` that Triton 3.6 and older wrote as `warpsPerCTA` and
/// `tilesPerWarp`, both row-major.
static std::optional<LinearLayout> parseWarpsPerCTA(AsmParser &parser,
                                                    LayoutDict &dict) {
  Numbers warpsPerCTA, tilesPerWarp;
  if (!dict.required("warpsPerCTA", warpsPerCTA))
    return std::nullopt;
  tilesPerWarp.assign(warpsPerCTA.size(), 1);
  if (!dict.optional("tilesPerWarp", tilesPerWarp))
    return std::nullopt;
  if (warpsPerCTA.empty() || tilesPerWarp.size() != warpsPerCTA.size() ||
      !allPowersOfTwo(warpsPerCTA) || !allPowersOfTwo(tilesPerWarp) ||
      totalBits(warpsPerCTA) + totalBits(tilesPerWarp) >
          LinearLayout::maxDimBits) {
    dict.error() << "has warpsPerCTA = [" << warpsPerCTA
                 << "] and tilesPerWarp = [" << tilesPerWarp
                 << "]; both need one power of two per dimension, with at most "
                    "2^30 tiles in all";
    return std::nullopt;
  }
  Numbers order(llvm::reverse(llvm::seq<unsigned>(0, warpsPerCTA.size())));
  MLIRContext *context = parser.getContext();
  return walkShape(context, "register", tilesPerWarp, order) *
         walkShape(context, "warp", warpsPerCTA, order);
}

/// The `ctaLayout = {register = ..., warp = ...}` of a WMMA layout.
static std::optional<LinearLayout>
parseCtaLayout(AsmParser &parser, LayoutDict &dict, unsigned rank) {
  auto entries = dyn_cast<DictionaryAttr>(dict.take("ctaLayout"));
  if (!entries) {
    dict.error() << "has a ctaLayout that is not {register = ..., warp = ...}";
    return std::nullopt;
  }
  LayoutDict inner(parser, entries, dict.getLoc());
  auto layout = inner.bases({"register", "warp"}, {"register", "warp"}, rank);
  inner.warnOfUnknown();
  return layout;
}

Attribute AMDWmmaEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  unsigned version, rank = 2;
  bool isTransposed = false;
  Numbers instrShape(getDefaultInstrShape());
  if (!dict.parse() || !dict.required("version", version) ||
      !dict.optional("rank", rank) ||
      !dict.optional("isTranspose", isTransposed) ||
      !dict.optional("instrShape", instrShape))
    return {};
  if (!dict.has("ctaLayout") && !dict.has("warpsPerCTA")) {
    dict.error() << "has no 'ctaLayout'";
    return {};
  }
  auto ctaLayout = dict.has("ctaLayout") ? parseCtaLayout(parser, dict, rank)
                                         : parseWarpsPerCTA(parser, dict);
  if (!ctaLayout)
    return {};
  CGAEncodingAttr cluster = dict.cluster(ctaLayout->getOutDims().size());
  if (!cluster)
    return {};
  return checked<AMDWmmaEncodingAttr>(parser, dict, version, *ctaLayout,
                                      isTransposed, cluster, instrShape);
}

void AMDWmmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion()
          << ", isTranspose = " << getIsTransposed() << ", ctaLayout = {";
  // Triton itself prints neither an empty `warp` nor the rank, and then cannot
  // read what it printed.
  printBases(printer, getCtaLayout(), {"register"});
  printer << "}";
  if (getRank() != 2)
    printer << ", rank = " << getRank();
  printCluster(printer, getCGALayout());
  if (getInstrShape() != ArrayRef<unsigned>(getDefaultInstrShape()))
    printer << ", instrShape = [" << getInstrShape() << "]";
  printer << "}>";
}

template <typename Attr> static Attribute parseLinear(AsmParser &parser) {
  LayoutDict dict(parser);
  if (!dict.parse())
    return {};
  auto layout = dict.bases({"register", "lane", "warp", "block"}, {}, 0);
  if (!layout)
    return {};
  return checked<Attr>(parser, dict, *layout);
}

static void printLinear(AsmPrinter &printer, const LinearLayout &layout) {
  printer << "<{";
  printBases(printer, layout);
  printer << "}>";
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  return parseLinear<LinearEncodingAttr>(parser);
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printLinear(printer, getLinearLayout());
}

Attribute GenericLinearEncodingAttr::parse(AsmParser &parser, Type) {
  return parseLinear<GenericLinearEncodingAttr>(parser);
}

void GenericLinearEncodingAttr::print(AsmPrinter &printer) const {
  printLinear(printer, getLinearLayout());
}

//===----------------------------------------------------------------------===//
// Shared layouts
//===----------------------------------------------------------------------===//

template <typename Attr> static Attribute parseSwizzled(AsmParser &parser) {
  LayoutDict dict(parser);
  unsigned vec, perPhase, maxPhase;
  Numbers order;
  if (!dict.parse() || !dict.required("vec", vec) ||
      !dict.required("perPhase", perPhase) ||
      !dict.required("maxPhase", maxPhase) || !dict.required("order", order))
    return {};
  CGAEncodingAttr cluster = dict.cluster(order.size());
  if (!cluster)
    return {};
  return checked<Attr>(parser, dict, vec, perPhase, maxPhase, order, cluster);
}

template <typename Attr>
static void printSwizzled(AsmPrinter &printer, Attr layout) {
  printer << "<{vec = " << layout.getVec()
          << ", perPhase = " << layout.getPerPhase()
          << ", maxPhase = " << layout.getMaxPhase() << ", order = ["
          << layout.getOrder() << "]";
  printCluster(printer, layout.getCGALayout());
  printer << "}>";
}

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<SwizzledSharedEncodingAttr>(parser);
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const {
  printSwizzled(printer, *this);
}

Attribute AMDRotatingSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<AMDRotatingSharedEncodingAttr>(parser);
}

void AMDRotatingSharedEncodingAttr::print(AsmPrinter &printer) const {
  printSwizzled(printer, *this);
}

/// The rank that the entries imply: that of the cluster's bases, else `rank`,
/// else 2.
static bool parseNVMMARank(LayoutDict &dict, unsigned &rank) {
  rank = 2;
  bool isWritten = dict.has("rank");
  if (!dict.optional("rank", rank))
    return false;
  unsigned written = rank;
  Numbers order;
  if (dict.has("CTAOrder") && dict.required("CTAOrder", order))
    rank = order.size();
  else if (auto bases = dyn_cast_or_null<ArrayAttr>(dict.take("CGALayout")))
    if (!bases.empty())
      if (auto basis = dyn_cast<ArrayAttr>(bases[0]))
        rank = basis.size();
  if (rank == 0 || rank > 8) {
    dict.error() << "has rank " << rank << "; it must be from 1 to 8";
    return false;
  }
  if (isWritten && written != rank) {
    dict.error() << "has rank " << written << "; its cluster has "
                 << counted(rank, "dimension");
    return false;
  }
  return true;
}

Attribute NVMMASharedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  unsigned swizzlingByteWidth, elementBitWidth, rank;
  bool transposed = false, fp4Padded = false;
  if (!dict.parse() ||
      !dict.required("swizzlingByteWidth", swizzlingByteWidth) ||
      !dict.optional("transposed", transposed) ||
      !dict.required("elementBitWidth", elementBitWidth) ||
      !dict.optional("fp4Padded", fp4Padded) || !parseNVMMARank(dict, rank))
    return {};
  CGAEncodingAttr cluster = dict.cluster(rank);
  if (!cluster)
    return {};
  return checked<NVMMASharedEncodingAttr>(parser, dict, swizzlingByteWidth,
                                          transposed, elementBitWidth,
                                          fp4Padded, cluster);
}

void NVMMASharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{swizzlingByteWidth = " << getSwizzlingByteWidth()
          << ", transposed = " << getTransposed()
          << ", elementBitWidth = " << getElementBitWidth();
  if (getFp4Padded())
    printer << ", fp4Padded = true";
  if (getCGALayout().getNumCTAs() == 1 && getRank() != 2)
    printer << ", rank = " << getRank();
  printCluster(printer, getCGALayout());
  printer << "}>";
}

/// The `{order, shape}` of a padded layout whose elements lie in plain order.
static std::optional<LinearLayout> parsePlainOrder(AsmParser &parser,
                                                   LayoutDict &dict) {
  Numbers order, shape;
  if (!dict.required("order", order) || !dict.required("shape", shape))
    return std::nullopt;
  if (shape.empty() || order.size() != shape.size() || !isPermutation(order) ||
      !allPowersOfTwo(shape) || totalBits(shape) > LinearLayout::maxDimBits) {
    dict.error() << "has order = [" << order << "] and shape = [" << shape
                 << "]; the order must be a permutation of the dimensions, and "
                    "the sizes powers of two with at most 2^30 elements in all";
    return std::nullopt;
  }
  MLIRContext *context = parser.getContext();
  Numbers oneCTA(shape.size(), 1);
  return walkShape(context, "offset", shape, order) *
         walkShape(context, "block", oneCTA, order);
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  Numbers intervals, paddings;
  auto parsePair = [&] {
    return failure(parser.parseInteger(intervals.emplace_back()) ||
                   parser.parseColon() || parser.parsePlus() ||
                   parser.parseInteger(paddings.emplace_back()));
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return {};

  LayoutDict dict(parser);
  if (!dict.parseBraces())
    return {};
  bool hasBases = dict.has("offset") || dict.has("block");
  if (hasBases && (dict.has("order") || dict.has("shape"))) {
    dict.error() << "has both its bases and an order or shape; it must have "
                    "only one of the two";
    return {};
  }
  auto layout = hasBases ? dict.bases({"offset", "block"}, {}, 0)
                         : parsePlainOrder(parser, dict);
  if (!layout || parser.parseGreater())
    return {};
  return checked<PaddedSharedEncodingAttr>(parser, dict, intervals, paddings,
                                           *layout);
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(
      llvm::zip(getIntervals(), getPaddings()), printer, [&](auto pair) {
        printer << std::get<0>(pair) << ":+" << std::get<1>(pair);
      });
  printer << "] {";

  const LinearLayout &layout = getLinearComponent();
  Numbers shape;
  for (const LinearLayout::Dim &dim : layout.getOutDims())
    shape.push_back(dim.size());
  SmallVector<unsigned> order = getOrder();
  Numbers oneCTA(shape.size(), 1);
  MLIRContext *context = getContext();
  if (layout == walkShape(context, "offset", shape, order) *
                    walkShape(context, "block", oneCTA, order))
    printer << "order = [" << ArrayRef(order) << "], shape = ["
            << ArrayRef(shape) << "]";
  else
    printBases(printer, layout);
  printer << "}>";
}

Attribute PartitionedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  unsigned numPartitions, numGroups, partitionDim;
  Attribute inner;
  if (!dict.parse() || !dict.required("numPartitions", numPartitions) ||
      !dict.required("numGroups", numGroups) ||
      !dict.required("partitionDim", partitionDim) ||
      !dict.required("partitionLayout", inner))
    return {};
  auto shared = dyn_cast<SharedEncodingTrait>(inner);
  if (!shared) {
    dict.error() << "has partitionLayout = " << inner
                 << "; it must be a layout of shared memory";
    return {};
  }
  return checked<PartitionedSharedEncodingAttr>(
      parser, dict, numPartitions, numGroups, partitionDim, shared);
}

void PartitionedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{numPartitions = " << getNumPartitions()
          << ", numGroups = " << getNumGroups()
          << ", partitionDim = " << getPartitionDim()
          << ", partitionLayout = " << getPartitionLayout() << "}>";
}

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutDict dict(parser);
  unsigned alignment;
  if (parser.parseLess() || !dict.parseBraces() || parser.parseComma() ||
      parser.parseKeyword("alignment") || parser.parseEqual() ||
      parser.parseInteger(alignment) || parser.parseGreater())
    return {};
  auto layout = dict.bases({"offset", "block"}, {"block"}, 0);
  if (!layout)
    return {};
  return checked<SharedLinearEncodingAttr>(parser, dict, *layout, alignment);
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  printBases(printer, getLinearLayout(), {"block"});
  printer << "}, alignment = " << getLayoutAlignment() << ">";
}
