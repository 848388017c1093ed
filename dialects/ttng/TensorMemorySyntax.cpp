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

Attribute TensorMemoryEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned blockM = 0, blockN = 0, colStride = 1, splitM = 1, splitN = 1;
  bool twoCTAs = false, fp4Padded = false, unpacked = false;
  Attribute bases;
  auto parseValue = [&](StringRef key) -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    if (key == "blockM")
      return parser.parseInteger(blockM);
    if (key == "blockN")
      return parser.parseInteger(blockN);
    if (key == "colStride")
      return parser.parseInteger(colStride);
    if (key == "CGALayout")
      return parser.parseAttribute(bases);
    if (key == "twoCTAs")
      return parseFlag(parser, twoCTAs);
    if (key == "fp4Padded")
      return parseFlag(parser, fp4Padded);
    // Triton 3.6 and older; a column of 32 bits for each element was the way
    // only 32-bit accumulators were written.
    if (key == "CTASplitM")
      return parser.parseInteger(splitM);
    if (key == "CTASplitN")
      return parser.parseInteger(splitN);
    if (key == "unpacked")
      return parseFlag(parser, unpacked);
    return parser.emitError(at)
           << "tensor_memory_encoding has an unknown entry '" << key << "'";
  };
  if (parseEntries(parser, parseValue))
    return {};
  CGAEncodingAttr cluster = bases || (splitM == 1 && splitN == 1)
                                ? ttg::parseCGALayout(parser, loc, bases, 2)
                                : CGAEncodingAttr::fromSplitParams(
                                      parser.getContext(), {splitM, splitN},
                                      {splitM, splitN}, {0, 1});
  if (!cluster) {
    if (!bases)
      parser.emitError(loc)
          << "CTASplitM = " << splitM << " and CTASplitN = " << splitN
          << " must be powers of two";
    return {};
  }
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
  Attribute bases;
  auto order = TensorMemoryScalesBlockRepOrder::MN_THEN_K;
  unsigned splitM = 1, splitN = 1;
  auto parseValue = [&](StringRef key) -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    if (key == "CGALayout")
      return parser.parseAttribute(bases);
    if (key == "CTASplitM")
      return parser.parseInteger(splitM);
    if (key == "CTASplitN")
      return parser.parseInteger(splitN);
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
  CGAEncodingAttr cluster = bases || (splitM == 1 && splitN == 1)
                                ? ttg::parseCGALayout(parser, loc, bases, 2)
                                : CGAEncodingAttr::fromSplitParams(
                                      parser.getContext(), {splitM, splitN},
                                      {splitM, splitN}, {0, 1});
  if (!cluster) {
    if (!bases)
      parser.emitError(loc)
          << "CTASplitM = " << splitM << " and CTASplitN = " << splitN
          << " must be powers of two";
    return {};
  }
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
