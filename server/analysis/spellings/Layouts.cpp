//===- Layouts.cpp - layouts in other spellings ---------------------------===//

#include "dialects/target/MatrixInstructions.h"
#include "server/analysis/spellings/Rewrites.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

std::optional<Edits> spelling::reprinted(const Site &site) {
  size_t end = site.pastBracket(site.at + 1);
  if (!end)
    return std::nullopt;
  mlir::ScopedDiagnosticHandler quiet(
      &site.context, [](mlir::Diagnostic &) { return mlir::success(); });
  Span whole = site.span(site.at, end);
  mlir::Attribute attribute =
      mlir::parseAttribute(site.text(whole), &site.context);
  if (!attribute)
    return Edits();
  std::string today;
  llvm::raw_string_ostream(today) << attribute;
  return Edits{site.replace(whole, today)};
}

/// The shape and element of the first `type` whose layout `isOf` the alias that
/// the layout at `site` is given; empty if there is none.
static StringRef
firstShape(const Site &site, StringRef type,
           llvm::function_ref<bool(StringRef layout, StringRef alias)> isOf) {
  if (site.at < 2 || site.text(site.at - 1) != "=")
    return "";
  StringRef alias = site.text(site.at - 2);
  for (size_t i = site.at; i + 1 < site.syntax.tokens().size(); ++i) {
    if (site.text(i) != type)
      continue;
    auto parts = partsOf(Site(site.syntax, site.context, i));
    if (parts.size() >= 2 && isOf(site.text(parts[1]), alias))
      return site.text(parts[0]);
  }
  return "";
}

/// Of the first tensor that is operand A of a product in the layout at `site`.
static StringRef factorOf(const Site &site) {
  return firstShape(site, "tensor", [](StringRef layout, StringRef alias) {
    return layout.consume_front("#ttg.dot_op<{opIdx = 0, parent = ") &&
           layout.consume_front(alias) && layout.starts_with(",");
  });
}

/// Triton 3.5 chose the depth when it lowered a product: the largest that the
/// chip has and that the operands fill. Nothing if no product shows it.
static std::optional<unsigned> chosenDepth(const Site &site, unsigned m,
                                           unsigned n) {
  auto [sizes, type] = factorOf(site).rsplit('x');
  auto element = llvm::StringSwitch<std::optional<MatrixElement>>(type)
                     .Case("f16", MatrixElement::F16)
                     .Case("bf16", MatrixElement::BF16)
                     .Case("i8", MatrixElement::I8)
                     .Default(std::nullopt);
  unsigned depth, version;
  size_t written = site.findKey("versionMajor");
  if (!element || sizes.rsplit('x').second.getAsInteger(10, depth) ||
      site.text(written ? written : site.findKey("version"))
          .getAsInteger(10, version) ||
      (version != 3 && version != 4))
    return std::nullopt;
  const MatrixUnit unit =
      version == 3 ? MatrixUnit::MfmaCdna3Only : MatrixUnit::MfmaCdna4;
  const Target *chip = llvm::find_if(knownArchs(), [&](const Target &each) {
    return hasMatrixUnit(each, unit);
  });
  for (const MatrixInstruction *row :
       findMatrixInstructions(*chip, {element, element, {}, m, n, {}}))
    if (row->k <= depth)
      return row->k;
  return std::nullopt;
}

std::optional<Edits> spelling::mfmaWithoutK(const Site &site) {
  size_t shape = site.findKey("instrShape");
  auto sizes = shape ? site.inside(shape) : std::nullopt;
  unsigned m, n;
  if (!sizes || site.split(sizes->first, sizes->second).size() != 2 ||
      site.text(sizes->first).getAsInteger(10, m) ||
      site.text(sizes->second - 1).getAsInteger(10, n))
    return std::nullopt;
  std::optional<Edits> edits = reprinted(site);
  std::optional<unsigned> depth = chosenDepth(site, m, n);
  if (!edits || edits->empty() || !depth)
    return edits;
  // K is the last number of `instrShape = [32, 32, 8]`.
  std::string &today = edits->front().newText;
  size_t end = today.find(']', today.find("instrShape"));
  size_t begin = today.rfind(' ', end) + 1;
  today.replace(begin, end - begin, std::to_string(*depth));
  return edits;
}

StringRef spelling::shapeOfUse(const Site &site) {
  return firstShape(
      site, "!ttg.memdesc",
      [](StringRef layout, StringRef alias) { return layout == alias; });
}

/// An element that was unpacked had a column of 32 bits.
static std::optional<Edits> tensorMemory(const Site &site) {
  std::optional<Edits> edits = reprinted(site);
  if (!edits || edits->empty() || site.text(site.findKey("unpacked")) != "true")
    return edits;
  StringRef element = shapeOfUse(site).rsplit('x').second;
  unsigned bits = 32;
  element = element.drop_while(llvm::isAlpha);
  if (element.consumeInteger(10, bits) || !bits)
    bits = 32;
  StringRef today = edits->front().newText, packed = "colStride = 1";
  size_t place = today.find(packed);
  if (place != StringRef::npos)
    edits->front().newText.replace(place + packed.size() - 1, 1,
                                   std::to_string(std::max(1U, 32 / bits)));
  return edits;
}

std::optional<Edits> spelling::tensorMemoryStride(const Site &site) {
  return site.findKey("unpacked") ? tensorMemory(site) : std::nullopt;
}

std::optional<Edits> spelling::tensorMemoryCluster(const Site &site) {
  if (!site.findKey("CTASplitM") && !site.findKey("CTASplitN"))
    return std::nullopt;
  return tensorMemory(site);
}

/// `#ttg.padded_shared<[256:+8] {order = [1, 0]}>` fitted any shape; today's
/// has the one of the descriptors that have it.
std::optional<Edits> spelling::paddedShape(const Site &site) {
  size_t end = site.pastBracket(site.at + 1);
  size_t braces = end ? site.find("{", site.at + 2, end - 1) : 0;
  if (!braces || braces == end - 1 || site.text(braces + 1) != "order")
    return std::nullopt;
  auto keys = site.inside(braces), order = site.inside(braces + 3);
  if (!keys || !order)
    return std::nullopt;
  size_t close = keys->second;
  for (auto [first, last] : site.split(braces + 1, close))
    if (site.text(first) == "shape")
      return std::nullopt;
  size_t rank = site.split(order->first, order->second).size();
  auto sizes = sizesOf(shapeOfUse(site));
  if (sizes.size() < rank)
    return Edits();
  auto shape = llvm::ArrayRef(sizes).take_back(rank);
  return Edits{site.insertAfter(close - 1,
                                ", shape = [" + llvm::join(shape, ", ") + "]")};
}
