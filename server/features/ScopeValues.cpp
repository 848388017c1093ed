//===- ScopeValues.cpp - the values that can be used at a place -----------===//

#include "server/features/ScopeValues.h"

#include "dialects/Dialects.h"
#include "dialects/ttg/TTG.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"
#include "server/features/TypeText.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <array>
#include <optional>

using namespace kernelscope;
using llvm::StringRef;

namespace {

class ScopeWalk {
public:
  ScopeWalk(const Document &document, size_t offset)
      : syntax(document.syntax()), offset(offset),
        unit(document.unitAt(offset)) {
    collectTypes();
  }

  std::vector<ScopeValue> run() {
    for (SyntaxId region = syntax.regionAt(offset); region != noSyntax;) {
      const std::vector<SyntaxId> &ids = syntax.region(region).statements;
      for (SyntaxId id : llvm::reverse(ids)) {
        const Statement &statement = syntax.statement(id);
        if (statement.span.touches(offset) || statement.span.begin > offset)
          continue;
        for (const ResultName &result : statement.results)
          add(result.name);
        if (statement.kind == Statement::Label)
          addDefinedIn(statement.span);
      }
      SyntaxId owner = syntax.region(region).owner;
      if (owner == noSyntax)
        break;
      addDefinedIn(syntax.statement(owner).header(syntax));
      region = syntax.statement(owner).parent;
    }
    return std::move(values);
  }

private:
  /// `%x: type` of arguments, `%i = ` of loops.
  void addDefinedIn(Span header) {
    const std::vector<Token> &tokens = syntax.tokens();
    for (size_t i = syntax.tokenAfter(header.begin);
         i + 1 < tokens.size() && tokens[i].begin < header.end; ++i) {
      StringRef next = syntax.text(tokens[i + 1]);
      bool isResult = i > 0 && next == "=" && tokens[i].firstOnLine;
      if (tokens[i].kind == Token::Value && (next == ":" || next == "=") &&
          !isResult)
        add(tokens[i].span());
    }
  }

  void add(Span name) {
    if (name.size() <= 1)
      return;
    mlir::Type type;
    if (unit && printer)
      if (std::optional<mlir::SMLoc> place = unit->toParser(name.begin))
        type = types.lookup(place->getPointer());
    auto [known, isNew] = index.try_emplace(syntax.text(name), values.size());
    if (isNew)
      values.push_back({syntax.text(name).str(), nullptr, ""});
    // `step %n : i32` looks like a definition; the real one may follow.
    ScopeValue &value = values[known->second];
    // What could not be read has none.
    if (type && !llvm::isa<mlir::NoneType>(type) && !value.type) {
      value.type = type;
      value.typeText = (*printer)(type);
    }
  }

  /// The types of all values of the unit, by where the parser saw their names.
  void collectTypes() {
    if (!unit || !unit->fragment->isParsed)
      return;
    printer.emplace(*unit);
    for (const auto &op : unit->ops())
      for (const auto &group : op.resultGroups)
        if (group.startIndex < op.op->getNumResults())
          types[group.definition.loc.Start.getPointer()] =
              op.op->getResult(group.startIndex).getType();
    for (const auto &block : unit->fragment->state.getBlockDefs())
      for (auto [index, argument] : llvm::enumerate(block.arguments))
        if (argument.loc.isValid() && index < block.block->getNumArguments())
          types[argument.loc.Start.getPointer()] =
              block.block->getArgument(index).getType();
  }

  const Syntax &syntax;
  size_t offset;
  const Unit *unit; ///< Around the offset.
  std::optional<TypePrinter> printer;
  llvm::DenseMap<const char *, mlir::Type> types;
  llvm::StringMap<size_t> index;
  std::vector<ScopeValue> values;
};

} // namespace

std::vector<ScopeValue> kernelscope::valuesInScope(const Document &document,
                                                   size_t offset) {
  return ScopeWalk(document, offset).run();
}

/// Whether the words name a width that is not `width`, as `32-bit` does.
static bool hasOtherWidth(StringRef constraint, unsigned width) {
  return constraint.contains("-bit") &&
         !constraint.contains((llvm::Twine(width) + "-bit").str());
}

std::string kernelscope::withoutTensors(StringRef constraint) {
  constexpr StringRef begin = "ranked tensor of ", end = " values";
  std::string rest;
  while (true) {
    auto [before, after] = constraint.split(begin);
    rest += before;
    if (after.empty())
      return rest;
    constraint = after.split(end).second;
  }
}

bool kernelscope::fitsConstraint(mlir::Type type, StringRef constraint) {
  if (!type || constraint.empty() || constraint.contains("any "))
    return true;
  auto speaksOf = [&](StringRef word) { return constraint.contains(word); };
  bool speaksOfBuiltin =
      llvm::any_of(std::array<StringRef, 6>{"integer", "float", "pointer",
                                            "bool", "index", "tensor"},
                   speaksOf);
  // The summary of a type of our own names it.
  auto isOurs = [&](const Doc &doc) {
    return doc.kind == DocKind::Type && speaksOf(doc.summary);
  };
  if (!speaksOfBuiltin && llvm::none_of(getDocs(), isOurs))
    return true;
  if (const Doc *doc = findDoc(DocKind::Type, type.getAbstractType().getName()))
    return StringRef(withoutTensors(constraint)).contains(doc->summary) ||
           (llvm::isa<tt::TensorDescInterface>(type) &&
            speaksOf("tensor descriptor"));
  mlir::Type element = type;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type)) {
    // Without "of", it may have any elements.
    if (speaksOf("tensor or "))
      return true;
    // What ends in `-like` may be a tensor, too.
    if (!constraint.contains("tensor") && !constraint.contains("-like"))
      return false;
    element = tensor.getElementType();
  } else if (constraint.starts_with("ranked tensor") ||
             constraint.starts_with("variadic of ranked tensor")) {
    return false;
  }
  if (llvm::isa<mlir::FloatType>(element))
    return constraint.contains("float");
  if (element.isIndex())
    return speaksOf("index") || speaksOf("signless-integer-like");
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
    return constraint.contains("bool")
               ? integer.getWidth() == 1
               : constraint.contains("integer") &&
                     !hasOtherWidth(constraint, integer.getWidth());
  return llvm::isa<tt::PointerType>(element) && speaksOf("pointer");
}

unsigned kernelscope::likeness(mlir::Type type, mlir::Type before) {
  if (!type || !before)
    return 0;
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type),
       other = llvm::dyn_cast<mlir::RankedTensorType>(before);
  bool hasSameShape = tensor && other ? tensor.getShape() == other.getShape()
                                      : !tensor && !other;
  if (!hasSameShape)
    return 0;
  if (tensor && tensor.getEncoding() != other.getEncoding())
    return 1;
  // A pointer is seldom stored through another.
  auto pointer =
      llvm::dyn_cast<tt::PointerType>(mlir::getElementTypeOrSelf(before));
  mlir::Type wanted =
      pointer ? pointer.getPointeeType() : mlir::getElementTypeOrSelf(before);
  return mlir::getElementTypeOrSelf(type) == wanted ? 3 : 2;
}
