//===- TensorMemorySyntax.cpp - How layouts of tensor memory are written -===//

#include "dialects/ttng/TTNG.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::CGAEncodingAttr;

/// Reads `<key = value, ...>`; `parseValue` reads the value of a key.
static ParseResult
parseEntries(AsmParser &parser,
             function_ref<ParseResult(StringRef key)> parseValue) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
        StringRef key;
        if (parser.parseKeyword(&key) || parser.parseEqual())
          return failure();
        return parseValue(key);
      });
}

/// Reads `true` or `false`.
static ParseResult parseFlag(AsmParser &parser, bool &flag) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (word != "true" && word != "false")
    return parser.emitError(loc) << "'" << word << "' is not true or false";
  flag = word == "true";
  return success();
}

namespace {
/// The entries that say how CTAs divide tensor memory: their bases, or until
/// Triton 3.6 the number of parts of each dimension.
struct ClusterEntries {
  Attribute bases;
  unsigned splitM = 1, splitN = 1;

  /// Reads the value of `key`; nothing if that is not one of these entries.
  OptionalParseResult parse(AsmParser &parser, StringRef key) {
    if (key == "CGALayout")
      return parser.parseAttribute(bases);
    if (key == "CTASplitM")
      return parser.parseInteger(splitM);
    if (key == "CTASplitN")
      return parser.parseInteger(splitN);
    return std::nullopt;
  }

  /// What they say; null after an error at `loc`.
  CGAEncodingAttr get(AsmParser &parser, SMLoc loc) const {
    if (bases || (splitM == 1 && splitN == 1))
      return ttg::parseCGALayout(parser, loc, bases, 2);
    auto cluster = CGAEncodingAttr::fromSplitParams(
        parser.getContext(), {splitM, splitN}, {splitM, splitN}, {0, 1});
    if (!cluster)
      parser.emitError(loc)
          << "CTASplitM = " << splitM << " and CTASplitN = " << splitN
          << " must be powers of two";
    return cluster;
  }
};
} // namespace

Attribute TensorMemoryEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned blockM = 0, blockN = 0, colStride = 1;
  bool twoCTAs = false, fp4Padded = false, unpacked = false;
  ClusterEntries entries;
  auto parseValue = [&](StringRef key) -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    if (key == "blockM")
      return parser.parseInteger(blockM);
    if (key == "blockN")
      return parser.parseInteger(blockN);
    if (key == "colStride")
      return parser.parseInteger(colStride);
    if (key == "twoCTAs")
      return parseFlag(parser, twoCTAs);
    if (key == "fp4Padded")
      return parseFlag(parser, fp4Padded);
    // Triton 3.6 and older; a column of 32 bits for each element was the way
    // only 32-bit accumulators were written.
    if (key == "unpacked")
      return parseFlag(parser, unpacked);
    if (OptionalParseResult found = entries.parse(parser, key);
        found.has_value())
      return *found;
    return parser.emitError(at)
           << "tensor_memory_encoding has an unknown entry '" << key << "'";
  };
  if (parseEntries(parser, parseValue))
    return {};
  CGAEncodingAttr cluster = entries.get(parser, loc);
  if (!cluster)
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    blockM, blockN, colStride, cluster, twoCTAs, fp4Padded);
}

void TensorMemoryEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<blockM = " << getBlockM() << ", blockN = " << getBlockN()
          << ", colStride = " << getColStride();
  if (getCGALayout().getNumCTAs() != 1) {
    printer << ", CGALayout = ";
    ttg::printCGALayout(printer, getCGALayout());
  }
  if (getTwoCTAs())
    printer << ", twoCTAs = true";
  if (getFp4Padded())
    printer << ", fp4Padded = true";
  printer << '>';
}

Attribute TensorMemoryScalesEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  ClusterEntries entries;
  auto order = TensorMemoryScalesBlockRepOrder::MN_THEN_K;
  auto parseValue = [&](StringRef key) -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    if (OptionalParseResult found = entries.parse(parser, key);
        found.has_value())
      return *found;
    if (key != "blockRepOrder")
      return parser.emitError(at)
             << "tensor_memory_scales_encoding has an unknown entry '" << key
             << "'";
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    auto found = symbolizeTensorMemoryScalesBlockRepOrder(word);
    if (!found)
      return parser.emitError(at) << "blockRepOrder is '" << word
                                  << "'; it must be mnThenK or kThenMn";
    order = *found;
    return success();
  };
  // All entries may be left out.
  if (parseEntries(parser, parseValue))
    return {};
  CGAEncodingAttr cluster = entries.get(parser, loc);
  if (!cluster)
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    cluster, order);
}

void TensorMemoryScalesEncodingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  bool cluster = getCGALayout().getNumCTAs() != 1;
  if (cluster) {
    printer << "CGALayout = ";
    ttg::printCGALayout(printer, getCGALayout());
  }
  if (getBlockRepOrder() != TensorMemoryScalesBlockRepOrder::MN_THEN_K)
    printer << (cluster ? ", " : "") << "blockRepOrder = "
            << stringifyTensorMemoryScalesBlockRepOrder(getBlockRepOrder());
  printer << '>';
}
