//===- LayoutDict.cpp - The braces of a layout attribute ------------------===//

#include "dialects/ttg/LayoutDict.h"

#include "dialects/layout/Counted.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

bool LayoutDict::parseBraces() {
  loc = parser.getCurrentLocation();
  return succeeded(parser.parseAttribute(entries));
}

bool LayoutDict::parse() {
  return succeeded(parser.parseLess()) && parseBraces() &&
         succeeded(parser.parseGreater());
}

Attribute LayoutDict::take(StringRef key) {
  used.insert(key);
  return entries.get(key);
}

void LayoutDict::warnOfUnknown() {
  for (NamedAttribute entry : entries)
    if (!used.contains(entry.getName()))
      emitWarning(parser.getEncodedSourceLoc(loc))
          << "layout has an unknown entry '" << entry.getName().getValue()
          << "', which is ignored";
}

/// A value from 0 to 2^31 - 1: what every number in a layout is.
static std::optional<int32_t> natural(Attribute attribute) {
  auto integer = dyn_cast<IntegerAttr>(attribute);
  if (!integer || isa<BoolAttr>(attribute) ||
      integer.getValue().getSignificantBits() > 32 ||
      integer.getValue().isNegative())
    return std::nullopt;
  return static_cast<int32_t>(integer.getValue().getZExtValue());
}

bool LayoutDict::read(StringRef key, Attribute value, unsigned &result) {
  std::optional<int32_t> number = natural(value);
  if (!number) {
    error() << "has " << key << " = " << value
            << "; it must be an integer from 0 to 2^31 - 1";
    return false;
  }
  result = *number;
  return true;
}

bool LayoutDict::read(StringRef key, Attribute value, bool &result) {
  auto flag = dyn_cast<BoolAttr>(value);
  if (!flag) {
    error() << "has " << key << " = " << value << "; it must be true or false";
    return false;
  }
  result = flag.getValue();
  return true;
}

bool LayoutDict::read(StringRef key, Attribute value,
                      SmallVectorImpl<unsigned> &result) {
  auto array = dyn_cast<ArrayAttr>(value);
  result.clear();
  if (array)
    for (Attribute element : array)
      if (std::optional<int32_t> number = natural(element))
        result.push_back(*number);
  if (!array || result.size() != array.size()) {
    error() << "has " << key << " = " << value
            << "; it must be a list of integers from 0 to 2^31 - 1";
    return false;
  }
  return true;
}

/// The vectors that `[[1, 0], [2, 0]]` spells; nothing unless it is such a
/// list.
static std::optional<std::vector<std::vector<int32_t>>>
readVectors(Attribute value) {
  auto array = dyn_cast_or_null<ArrayAttr>(value);
  if (!array)
    return std::nullopt;
  std::vector<std::vector<int32_t>> vectors;
  for (Attribute inner : array) {
    auto elements = dyn_cast<ArrayAttr>(inner);
    if (!elements)
      return std::nullopt;
    auto &vector = vectors.emplace_back();
    for (Attribute element : elements) {
      std::optional<int32_t> number = natural(element);
      if (!number)
        return std::nullopt;
      vector.push_back(*number);
    }
  }
  return vectors;
}

std::optional<LinearLayout> LayoutDict::bases(ArrayRef<StringRef> inDims,
                                              ArrayRef<StringRef> mayMiss,
                                              unsigned rankIfEmpty) {
  MLIRContext *context = parser.getContext();
  SmallVector<LinearLayout::Bases> named;
  std::optional<unsigned> rank;
  for (StringRef dim : inDims) {
    Attribute value = take(dim);
    if (!value && !llvm::is_contained(mayMiss, dim)) {
      error() << "has no bases '" << dim << "'";
      return std::nullopt;
    }
    auto vectors =
        value ? readVectors(value) : std::vector<std::vector<int32_t>>();
    if (!vectors) {
      error() << "has " << dim << " = " << value
              << "; it must be a list of lists of integers, one list per bit";
      return std::nullopt;
    }
    if (!rank && !vectors->empty())
      rank = vectors->front().size();
    named.emplace_back(StringAttr::get(context, dim), std::move(*vectors));
  }
  if (rank.value_or(rankIfEmpty) == 0) {
    error() << "has no basis, so its number of dimensions is unknown";
    return std::nullopt;
  }
  std::string why;
  auto layout = LinearLayout::create(
      named, tensorDims(context, rank.value_or(rankIfEmpty)), why);
  if (!layout)
    error() << "is not a linear map: " << why;
  return layout;
}

CGAEncodingAttr ttg::parseCGALayout(AsmParser &parser, SMLoc loc,
                                    Attribute value, unsigned rank) {
  MLIRContext *context = parser.getContext();
  auto vectors =
      value ? readVectors(value) : std::vector<std::vector<int32_t>>();
  if (!vectors) {
    parser.emitError(loc) << "CGALayout = " << value
                          << "; it must be a list of lists of integers, one "
                             "list per bit of the CTA id";
    return {};
  }
  std::string why;
  std::pair<StringAttr, std::vector<std::vector<int32_t>>> block{
      StringAttr::get(context, "block"), std::move(*vectors)};
  auto layout = LinearLayout::create(block, tensorDims(context, rank), why);
  if (!layout) {
    parser.emitError(loc) << "CGALayout = " << value
                          << " is not a linear map: " << why;
    return {};
  }
  return CGAEncodingAttr::getChecked([&] { return parser.emitError(loc); },
                                     context, *layout);
}

CGAEncodingAttr LayoutDict::cluster(unsigned rank) {
  if (!has("CTAsPerCGA"))
    return parseCGALayout(parser, loc, take("CGALayout"), rank);

  SmallVector<unsigned> ctas, split, order;
  if (!required("CTAsPerCGA", ctas) || !required("CTASplitNum", split) ||
      !required("CTAOrder", order))
    return {};
  auto layout =
      CGAEncodingAttr::fromSplitParams(parser.getContext(), ctas, split, order);
  if (!layout || layout.getRank() != rank) {
    error() << "has CTAsPerCGA = [" << ctas << "], CTASplitNum = [" << split
            << "], CTAOrder = [" << order << "]; each needs "
            << counted(rank, "value")
            << "; counts must be powers of two, each split must divide "
               "its count, and the order must be a permutation";
    return {};
  }
  return layout;
}

static void printVectors(AsmPrinter &printer,
                         const std::vector<std::vector<int32_t>> &vectors) {
  printer << '[';
  llvm::interleaveComma(vectors, printer, [&](const auto &vector) {
    printer << '[';
    llvm::interleaveComma(vector, printer);
    printer << ']';
  });
  printer << ']';
}

void ttg::printCGALayout(AsmPrinter &printer, CGAEncodingAttr layout) {
  printVectors(printer, layout.getLinearLayout().getBases(
                            StringAttr::get(layout.getContext(), "block")));
}

void ttg::printBases(AsmPrinter &printer, const LinearLayout &layout,
                     ArrayRef<StringRef> skip) {
  bool first = true;
  for (const LinearLayout::Dim &dim : layout.getInDims()) {
    if (dim.log2 == 0 && llvm::is_contained(skip, dim.name.getValue()))
      continue;
    if (!first)
      printer << ", ";
    first = false;
    printer << dim.name.getValue() << " = ";
    printVectors(printer, layout.getBases(dim.name));
  }
}
