//===- LayoutText.cpp - where a tensor's elements are, in words -----------===//

#include "server/features/LayoutText.h"

#include "dialects/layout/Holdings.h"
#include "dialects/layout/LayoutPicture.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;
using llvm::formatv;
using llvm::StringRef;

/// 65,536
static std::string number(int64_t value) {
  return formatv("{0:N0}", value).str();
}

static std::string times(llvm::ArrayRef<int64_t> sizes) {
  return llvm::join(
      llvm::map_range(sizes, [](int64_t v) { return std::to_string(v); }),
      " x ");
}

static std::string print(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// At most the largest number: a broken type's shape is any.
static int64_t product(llvm::ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    if (llvm::MulOverflow(result, size, result))
      return std::numeric_limits<int64_t>::max();
  return result;
}

//===----------------------------------------------------------------------===//
// Who holds what
//===----------------------------------------------------------------------===//

/// `noun` is "lane" or "register per thread": its first word takes the plural.
static std::string describeHolding(const Holding &holding, StringRef noun,
                                   StringRef together) {
  auto [counted, rest] = noun.split(' ');
  std::string text =
      formatv("- **{0} {1}{2}{3}{4}**", number(holding.places), counted,
              holding.places == 1 ? "" : "s", rest.empty() ? "" : " ", rest);
  if (holding.places > 1) {
    int64_t steps = product(holding.extents);
    if (steps > 1)
      text += ": " + times(holding.extents);
    if (holding.diagonal > 1)
      text += formatv(", and {0} along several dimensions at once",
                      holding.diagonal);
    if (holding.copies > 1)
      text += formatv("{0} each value in {1} of them",
                      steps > 1 || holding.diagonal > 1 ? "," : ":",
                      holding.copies);
  }
  if (!together.empty())
    text += formatv("; {0} holds {1} element{2}", together,
                    number(holding.elements), holding.elements == 1 ? "" : "s");
  return text + "\n";
}

/// "; 16 registers of 32 bits" of different elements; nothing for predicates.
static std::string describeWords(int64_t elements, mlir::Type element) {
  if (element.isInteger(1))
    return "";
  int64_t words = llvm::divideCeil(elements * tt::bytesInMemory(element), 4);
  return formatv("; {0} register{1} of 32 bits", number(words),
                 words == 1 ? "" : "s");
}

/// Of a tensor with this element.
static std::string describeRegisters(const LinearLayout &layout,
                                     mlir::Type element) {
  struct Words {
    StringRef level, noun, together;
  };
  static constexpr Words words[] = {{"register", "element per thread", ""},
                                    {"lane", "lane", "a warp"},
                                    {"warp", "warp", "a CTA"},
                                    {"block", "CTA of the cluster", ""}};
  std::string text;
  for (const Holding &holding : holdings(layout)) {
    const auto *found = llvm::find_if(words, [&](const Words &known) {
      return known.level == holding.level.getValue();
    });
    if (found == std::end(words) ||
        (found->level == "block" && holding.places == 1))
      continue;
    std::string line = describeHolding(holding, found->noun, found->together);
    if (found->level != "register") {
      text += line;
      continue;
    }
    text += StringRef(line).rtrim().str() +
            describeWords(holding.elements, element) + "\n";
    if (Run run = firstRun(layout); run.size > 1)
      text += formatv("  - {0} of them adjacent along dimension {1}\n",
                      run.size, run.dim);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Shared memory and tensor memory
//===----------------------------------------------------------------------===//

template <typename Layout>
static std::string describePhases(Layout layout, unsigned bytes) {
  if (layout.getMaxPhase() == 1)
    return "consecutive rows, no swizzle";
  const unsigned rows = layout.getPerPhase();
  return formatv("within a row, groups of {0} elements ({1} bytes) are "
                 "permuted: group g of row r is at g xor (r{2} mod {3})",
                 layout.getVec(), layout.getVec() * bytes,
                 rows == 1 ? "" : formatv(" / {0}", rows).str(),
                 layout.getMaxPhase());
}

/// How elements lie in a buffer.
static std::string describeOrder(mlir::Attribute encoding, unsigned bytes) {
  return llvm::TypeSwitch<mlir::Attribute, std::string>(encoding)
      .Case([&](ttg::SwizzledSharedEncodingAttr a) {
        return describePhases(a, bytes);
      })
      .Case([&](ttg::AMDRotatingSharedEncodingAttr a) {
        return describePhases(a, bytes) +
               formatv("; the pattern rotates by one every {0} rows",
                       a.getPerPhase() * a.getMaxPhase())
                   .str();
      })
      .Case([&](ttg::NVMMASharedEncodingAttr a) -> std::string {
        if (a.getSwizzlingByteWidth() == 0)
          return "boxes of at most 256 elements along each dimension, as TMA "
                 "writes them; no swizzle";
        return formatv("rows of {0} bytes in tiles of 8 rows, as TMA and the "
                       "matrix instructions expect; ",
                       a.getSwizzlingByteWidth())
                   .str() +
               describePhases(a, a.getElementBitWidth() / 8);
      })
      .Case([&](ttg::PaddedSharedEncodingAttr a) {
        std::string text;
        for (auto [interval, padding] : ttg::gapsOf(a))
          text += formatv("{0}{2} empty elements after every {1}",
                          text.empty() ? "" : ", ", interval, padding);
        return text;
      })
      .Case([&](ttg::PartitionedSharedEncodingAttr a) {
        return formatv("{0} pieces along dimension {1}, distributed over {2} "
                       "partitions; in each: ",
                       a.getNumLogicalPieces(), a.getPartitionDim(),
                       a.getNumPartitions())
                   .str() +
               describeOrder(a.getPartitionLayout(), bytes);
      })
      .Default(std::string());
}

static std::string describeShared(ttg::MemDescType type) {
  std::string text;
  if (auto bytes = ttg::allocationBytes(type)) {
    text =
        formatv("- **{0} bytes** of shared memory in each CTA", number(*bytes));
    llvm::ArrayRef<int64_t> shape = type.getAllocShape();
    size_t covered = ttg::dropPipeliningDim(shape, type.getEncoding()).size();
    if (int64_t ring = product(shape.drop_back(covered)); ring > 1)
      text += formatv(", a ring of {0} buffers", ring);
    if (type.getShape() != shape)
      text += formatv(", of which this is {0} of {1}", times(type.getShape()),
                      times(shape));
    text += "\n";
  }
  std::string order = describeOrder(type.getEncoding(),
                                    tt::bytesInMemory(type.getElementType()));
  return order.empty() ? text : text + "- " + order + "\n";
}

static std::string describeTensorMemory(ttg::MemDescType type) {
  if (!type.getElementType().isIntOrFloat())
    return "";
  ttng::TensorMemorySize size = ttng::getTensorMemorySize(type);
  if (size.rows == 0)
    return "";
  std::string text = formatv("- **{0} lanes x {1} columns** of 32 bits in the "
                             "tensor memory of each CTA, which has 128 x 512\n",
                             size.rows, size.columns);
  if (auto blocks =
          llvm::dyn_cast<ttng::TensorMemoryEncodingAttr>(type.getEncoding())) {
    text += formatv("- blocks of {0} x {1}", blocks.getBlockM(),
                    blocks.getBlockN());
    if (blocks.getColStride() > 1)
      text += formatv(", columns {0} elements apart", blocks.getColStride());
    if (blocks.getTwoCTAs())
      text += ", rows split across CTA pairs";
    text += "\n";
  } else if (llvm::isa<ttng::TensorMemoryScalesEncodingAttr>(
                 type.getEncoding())) {
    text += "- 32 rows, replicated in each of the four groups of 32 lanes\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::string kernelscope::describeSize(mlir::Type type) {
  auto shaped = llvm::cast<mlir::ShapedType>(type);
  return times(shaped.getShape()) + " x " + print(shaped.getElementType());
}

static std::string describePicture(const LinearLayout &layout,
                                   bool hasGaps = false) {
  // An editor's hover has no room for more beside each other.
  constexpr unsigned mostRows = 16, mostCells = 8;
  std::optional<LayoutPicture> picture =
      drawLayout(layout, mostRows, mostCells);
  if (!picture)
    return "";
  StringRef first = layout.getInDims().front().name.getValue();
  std::string text = "\n";
  if (first == "register")
    text += "the thread (T) that holds each element, and its registers";
  else if (first == "row")
    text += "the lane and column of each element, columns counted in elements";
  else
    text += std::string("the offset of each element in shared memory, in ") +
            (hasGaps ? "elements without the padding" : "elements");
  if (!picture->isWhole)
    text += formatv(
        ", cropped to the first {0}{1} of {2}",
        layout.getOutDims().size() > 1 ? std::to_string(picture->rows) + " x "
                                       : "",
        layout.getOutDims().size() > 1 ? picture->columns
                                       : picture->rows * picture->columns,
        llvm::join(llvm::map_range(layout.getOutDims(),
                                   [](const auto &dim) {
                                     return std::to_string(dim.size());
                                   }),
                   " x "));
  return text + ":\n```text\n" + picture->text + "```\n";
}

std::optional<LinearLayout> kernelscope::layoutOf(mlir::Type type) {
  std::string error;
  if (auto memory = llvm::dyn_cast<ttg::MemDescType>(type))
    return ttg::toLinearLayout(
        ttg::dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
        memory.getEncoding(), error);
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  return ttg::toLinearLayout(tensor.getShape(), tensor.getEncoding(), error);
}

static std::string describeTensor(mlir::RankedTensorType type,
                                  bool hasPicture) {
  std::optional<LinearLayout> layout = layoutOf(type);
  int64_t elements = product(type.getShape());
  std::string text = formatv(
      "\n{0}: {1} element{2}, {3} bytes\n", describeSize(type),
      number(elements), elements == 1 ? "" : "s",
      number(product(
          {elements, int64_t(tt::bytesInMemory(type.getElementType()))})));
  if (!layout)
    return text;
  if (hasPicture)
    text += describePicture(*layout);
  return text + "\nlayout:\n" +
         describeRegisters(*layout, type.getElementType());
}

static std::string describeMemory(ttg::MemDescType type, bool hasPicture) {
  std::optional<LinearLayout> layout = layoutOf(type);
  std::string text = "\n" + describeSize(type) + ", layout:\n";
  if (layout && hasPicture)
    text = "\n" + describeSize(type) + "\n" +
           describePicture(*layout, !ttg::gapsOf(type.getEncoding()).empty()) +
           "\nlayout:\n";
  bool isTensorMemory =
      llvm::isa<ttng::TensorMemorySpaceAttr>(type.getMemorySpace());
  text += isTensorMemory ? describeTensorMemory(type) : describeShared(type);
  if (!layout)
    return text;
  ttg::LayoutDims dims(type.getContext());
  for (const Holding &holding : holdings(*layout))
    if (holding.level == dims.block && holding.places > 1)
      text += describeHolding(holding, "CTA of the cluster", "");
  return text;
}

std::string kernelscope::describeLayout(mlir::Type type, bool hasPicture) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape())
    return describeTensor(tensor, hasPicture);
  auto memory = llvm::dyn_cast<ttg::MemDescType>(type);
  return memory ? describeMemory(memory, hasPicture) : "";
}
