//===- TypeText.cpp - types and layouts for people to read ----------------===//

#include "server/features/TypeText.h"

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;

template <typename Printable> static std::string print(Printable value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

TypePrinter::TypePrinter(const Unit &unit) {
  if (!unit.fragment->isParsed)
    return;
  for (const auto &alias : unit.fragment->state.getAttributeAliasDefs())
    if (alias.value && !llvm::isa<mlir::LocationAttr>(alias.value))
      aliases.push_back({print(alias.value), "#" + alias.name.str()});
  for (const auto &alias : unit.fragment->state.getTypeAliasDefs())
    if (alias.value)
      aliases.push_back({print(alias.value), "!" + alias.name.str()});
  // An alias may be part of another one. One that is no longer than its name
  // is no help.
  llvm::erase_if(aliases, [](const auto &alias) {
    return alias.first.size() <= alias.second.size();
  });
  llvm::sort(aliases, [](const auto &a, const auto &b) {
    return a.first.size() > b.first.size();
  });
}

std::string TypePrinter::operator()(mlir::Type type) const {
  std::string text = print(type);
  for (const auto &[printed, alias] : aliases) {
    for (size_t at = text.find(printed); at != std::string::npos;
         at = text.find(printed, at + alias.size()))
      text.replace(at, printed.size(), alias);
  }
  return text;
}

std::string kernelscope::nameOf(const Unit &unit, mlir::Value value) {
  const mlir::AsmParserState &state = unit.fragment->state;
  auto textOf = [](mlir::SMRange range) {
    if (!range.isValid())
      return std::string();
    return std::string(range.Start.getPointer(), range.End.getPointer());
  };
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    const auto *block = state.getBlockDef(argument.getOwner());
    if (!block || argument.getArgNumber() >= block->arguments.size())
      return "";
    return textOf(block->arguments[argument.getArgNumber()].loc);
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  const auto *definition = state.getOpDef(result.getOwner());
  if (!definition)
    return "";
  unsigned number = result.getResultNumber();
  for (const auto &group : llvm::reverse(definition->resultGroups)) {
    if (group.startIndex > number)
      continue;
    std::string name = textOf(group.definition.loc);
    bool isPack =
        &group != &definition->resultGroups.back()
            ? (&group)[1].startIndex - group.startIndex > 1
            : result.getOwner()->getNumResults() - group.startIndex > 1;
    return isPack ? name + "#" + std::to_string(number - group.startIndex)
                  : name;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

using Basis = std::vector<int32_t>;

/// How many of the bases of `in` move along each out-dim alone; the last entry
/// counts those that move nowhere, the one before those along several.
static llvm::SmallVector<unsigned> countBases(const LinearLayout &layout,
                                              mlir::StringAttr in) {
  size_t rank = layout.getOutDims().size();
  llvm::SmallVector<unsigned> counts(rank + 2, 0);
  for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
    unsigned moving = 0, last = 0;
    for (auto [dim, out] : llvm::enumerate(layout.getOutDims()))
      if (layout.getBasis(in, bit, out.name) != 0) {
        ++moving;
        last = dim;
      }
    ++counts[moving == 0 ? rank + 1 : moving > 1 ? rank : last];
  }
  return counts;
}

/// "32 lanes: 4 x 8, each value 2 times".
static std::string describeDim(const LinearLayout &layout, mlir::StringAttr in,
                               llvm::StringRef noun) {
  llvm::SmallVector<unsigned> counts = countBases(layout, in);
  size_t rank = layout.getOutDims().size();
  std::string text = "- **" + std::to_string(layout.getInDimSize(in)) + " " +
                     noun.str() + "**";
  if (layout.getInDimSizeLog2(in) == 0)
    return text + "\n";
  std::vector<std::string> extents;
  extents.reserve(rank);
  for (size_t dim = 0; dim < rank; ++dim)
    extents.push_back(std::to_string(1u << counts[dim]));
  bool moves = llvm::any_of(llvm::ArrayRef(counts).take_front(rank + 1),
                            [](unsigned count) { return count != 0; });
  if (moves)
    text += ": " + llvm::join(extents, " x ");
  if (counts[rank])
    text += ", and " + std::to_string(1u << counts[rank]) +
            " that step along several dimensions";
  if (counts[rank + 1])
    text += std::string(moves ? "," : ":") + " each value " +
            std::to_string(1u << counts[rank + 1]) + " times";
  return text + "\n";
}

/// How many elements next to each other one thread holds, and along what.
static std::string describeRun(const LinearLayout &layout,
                               mlir::StringAttr reg) {
  for (auto [dim, out] : llvm::enumerate(layout.getOutDims())) {
    unsigned bits = 0;
    while (bits < layout.getInDimSizeLog2(reg) &&
           layout.getBasis(reg, bits, out.name) == (1 << bits))
      ++bits;
    if (bits > 0)
      return "  - " + std::to_string(1 << bits) +
             " of them next to each other along dimension " +
             std::to_string(dim) + "\n";
  }
  return "";
}

std::string kernelscope::describeLayout(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  mlir::Attribute encoding;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
    encoding = tensor.getEncoding();
  else if (auto memory = llvm::dyn_cast<ttg::MemDescType>(type))
    encoding = memory.getEncoding();
  if (!shaped || !encoding)
    return "";
  std::string error;
  std::optional<LinearLayout> layout =
      ttg::toLinearLayout(shaped.getShape(), encoding, error);
  if (!layout)
    return "";
  ttg::LayoutDims dims(type.getContext());
  std::string text;
  if (layout->hasInDim(dims.reg)) {
    text += describeDim(*layout, dims.reg, "registers per thread");
    text += describeRun(*layout, dims.reg);
    text += describeDim(*layout, dims.lane, "lanes");
    text += describeDim(*layout, dims.warp, "warps");
  } else if (layout->hasInDim(dims.offset)) {
    text += describeDim(*layout, dims.offset, "elements in shared memory");
  }
  if (layout->getInDimSizeLog2(dims.block) > 0)
    text += describeDim(*layout, dims.block, "blocks of the cluster");
  return text;
}
