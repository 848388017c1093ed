//===- Reshapes.cpp - broadcasts and reshapes between layouts -------------===//
//
// Until 3.8 a broadcast kept its layout, and a reshape the copies that a thread
// holds in its registers. Since 3.9 `#ttg.blocked` has no such copies;
// `#ttg.linear` and the layouts of matrix instructions do.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/LayoutInterface.h"
#include "dialects/ttg/TTG.h"
#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Writing.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

namespace {

/// `%x : tensor<A, #a> -> tensor<B, #b>` after the name of an op; of a reshape
/// also with `efficient_layout`, which no rule depends on.
struct TensorToTensor {
  size_t colon;
  Span shape, layout, resultShape, resultLayout;
  /// Nothing for an op of another form, and for tensors without layouts.
  static std::optional<TensorToTensor> of(const Site &site) {
    size_t colon = site.at + 2, end = site.opEnd();
    colon += site.text(colon) == "efficient_layout";
    if (site.text(colon) != ":" || site.text(colon + 1) != "tensor")
      return std::nullopt;
    size_t arrow = site.find("->", colon, end);
    if (arrow == end || site.text(arrow + 1) != "tensor")
      return std::nullopt;
    auto from = partsOf(Site(site.syntax, site.context, colon + 1));
    auto to = partsOf(Site(site.syntax, site.context, arrow + 1));
    if (from.size() != 2 || to.size() != 2)
      return std::nullopt;
    return TensorToTensor{colon, from[0], from[1], to[0], to[1]};
  }
};

} // namespace

/// The text of the layout in `span` with what its aliases stand for; `depth`
/// bounds how often one names another.
static std::string spelledOut(const Site &site, Span span, unsigned depth = 4) {
  std::string text;
  size_t first = site.syntax.tokenAfter(span.begin),
         last = site.syntax.tokenAfter(span.end);
  for (size_t i = first; i < last; ++i) {
    if (site.syntax.tokens()[i].kind != Token::Hash ||
        site.text(i + 1) == "<") {
      text += site.text(i);
      continue;
    }
    if (!depth)
      continue;
    if (std::optional<Site> alias = site.aliasedBy(site.text(i)))
      if (size_t end = alias->pastBracket(alias->at + 1))
        text += spelledOut(site, site.span(alias->at, end), depth - 1);
  }
  return text;
}

static mlir::Attribute layoutIn(const Site &site, Span span) {
  mlir::ScopedDiagnosticHandler quiet(
      &site.context, [](mlir::Diagnostic &) { return mlir::success(); });
  // MLIR's parser goes one call deeper for each bracket.
  constexpr size_t longest = 4096;
  std::string text = spelledOut(site, span);
  return text.empty() || text.size() > longest
             ? nullptr
             : mlir::parseAttribute(text, &site.context);
}

/// The sizes in `text`, for example `64x32xf16`; empty if one is too large.
static llvm::SmallVector<int64_t> shapeIn(StringRef text) {
  llvm::SmallVector<int64_t> shape;
  for (StringRef size : sizesOf(text))
    if (size.getAsInteger(10, shape.emplace_back()))
      return {};
  return shape;
}

/// Whether registers of a thread hold copies, and the layout says so.
static bool saysCopies(mlir::Attribute layout) {
  auto linear = mlir::dyn_cast<ttg::LinearEncodingAttr>(layout);
  if (!linear)
    return false;
  auto bases = linear.getLinearLayout().getBases(
      mlir::StringAttr::get(layout.getContext(), "register"));
  return llvm::any_of(bases, [](const std::vector<int32_t> &basis) {
    return llvm::all_of(basis, [](int32_t step) { return step == 0; });
  });
}

/// Whether `layout` is that of a matrix instruction or of its operand.
static bool isOfMatrices(mlir::Attribute layout) {
  auto operand = mlir::dyn_cast<ttg::DotOperandEncodingAttr>(layout);
  return mlir::isa<ttg::MmaEncodingTrait>(operand ? operand.getParent()
                                                  : layout);
}

static bool isSame(llvm::ArrayRef<int64_t> shape, mlir::Attribute a,
                   mlir::Attribute b) {
  return a.getDialect()
      .getRegisteredInterface<tt::LayoutInterface>()
      ->areEquivalent(shape, a, b, /*ignoreRegisterBroadcast=*/false);
}

/// The reshape to the layout in which no element moves, and a conversion from
/// there, if the readers do not take the layout of the result for it.
static std::optional<Edits> reshapeAndConvert(
    const Site &site,
    llvm::function_ref<bool(mlir::Attribute from, mlir::Attribute kept,
                            mlir::Attribute to, llvm::ArrayRef<int64_t> shape)>
        mustConvert) {
  auto types = TensorToTensor::of(site);
  if (!types)
    return std::nullopt;
  auto sizes = shapeIn(site.text(types->shape)),
       resultSizes = shapeIn(site.text(types->resultShape));
  mlir::Attribute from = layoutIn(site, types->layout),
                  to = layoutIn(site, types->resultLayout);
  if (!from || !to || sizes.empty() || resultSizes.empty())
    return std::nullopt;
  auto *infer = from.getDialect().getRegisteredInterface<tt::LayoutInterface>();
  if (!infer)
    return std::nullopt;
  mlir::FailureOr<mlir::Attribute> kept =
      infer->inferReshape(from, sizes, resultSizes, /*hint=*/nullptr,
                          /*allowReorder=*/false, std::nullopt);
  if (mlir::failed(kept) || !mustConvert(from, *kept, to, resultSizes))
    return std::nullopt;
  std::string layout;
  llvm::raw_string_ostream(layout) << *kept;
  std::string name = "%reshaped_at_" + std::to_string(site.span(site.at).begin);
  std::string type =
      ("tensor<" + site.text(types->resultShape) + ", " + layout + ">").str();
  std::string reshape = (name + " = tt.reshape " + site.text(site.at + 1) +
                         " : tensor<" + site.text(types->shape) + ", " +
                         site.text(types->layout) + "> -> " + type)
                            .str();
  size_t arrow = site.find("->", site.at, site.opEnd());
  return Edits{site.insertOpsBefore(reshape),
               site.replace(site.span(site.at, arrow),
                            "ttg.convert_layout " + name + " : " + type + " ")};
}

/// A reshape that adds a dimension of size 1 in which the result has registers
/// with copies was a `tt.expand_dims`.
static std::optional<Edits> writeExpandDims(const Site &site) {
  auto types = TensorToTensor::of(site);
  unsigned dim;
  if (!types)
    return std::nullopt;
  StringRef layout = site.text(types->layout),
            parent = site.text(types->resultLayout);
  if (!layout.consume_front("#ttg.slice<{dim = ") ||
      layout.consumeInteger(10, dim) ||
      layout != (", parent = " + parent + "}>").str())
    return std::nullopt;
  auto sizes = sizesOf(site.text(types->resultShape));
  if (dim >= sizes.size() || sizes[dim] != "1")
    return std::nullopt;
  sizes.erase(sizes.begin() + dim);
  if (sizes != sizesOf(site.text(types->shape)))
    return std::nullopt;
  std::optional<Site> alias = site.aliasedBy(parent);
  size_t perThread = alias ? alias->findKey("sizePerThread") : 0;
  auto list = perThread ? alias->inside(perThread) : std::nullopt;
  if (!list)
    return std::nullopt;
  auto numbers = alias->split(list->first, list->second);
  if (dim >= numbers.size() || site.text(numbers[dim].first) == "1")
    return std::nullopt;
  return Edits{site.replaceIn("reshape", "expand_dims"),
               site.replace(site.span(site.at + 1, types->colon),
                            (site.text(site.at + 1) +
                             " {axis = " + llvm::Twine(dim) + " : i32}")
                                .str())};
}

/// A reshape kept the copies in registers.
std::optional<Edits> spelling::writeReshape(const Site &site, const Writing &) {
  if (std::optional<Edits> edits = writeExpandDims(site))
    return edits;
  return reshapeAndConvert(
      site,
      [](mlir::Attribute, mlir::Attribute kept, mlir::Attribute to,
         llvm::ArrayRef<int64_t> shape) { return !isSame(shape, kept, to); });
}

/// Copies that `#ttg.linear` says are kept.
std::optional<Edits> spelling::writeReshapeOfCopies(const Site &site,
                                                    const Writing &) {
  return reshapeAndConvert(site, [](mlir::Attribute from, mlir::Attribute kept,
                                    mlir::Attribute to,
                                    llvm::ArrayRef<int64_t> shape) {
    return saysCopies(from) && !mlir::isa<ttg::LinearEncodingAttr>(to) &&
           !(isOfMatrices(to) && isSame(shape, kept, to));
  });
}

/// The source of a broadcast had the layout of the result.
std::optional<Edits> spelling::writeBroadcast(const Site &site,
                                              const Writing &) {
  auto types = TensorToTensor::of(site);
  if (!types)
    return std::nullopt;
  StringRef from = site.text(types->layout),
            to = site.text(types->resultLayout),
            shape = site.text(types->shape);
  if (from == to)
    return std::nullopt;
  std::string name = "%source_at_" + std::to_string(site.span(site.at).begin);
  std::string conversion =
      (name + " = ttg.convert_layout " + site.text(site.at + 1) + " : tensor<" +
       shape + ", " + from + "> -> tensor<" + shape + ", " + to + ">")
          .str();
  return Edits{site.insertOpsBefore(conversion),
               site.replace(site.at + 1, name),
               site.replace(types->layout, to)};
}
