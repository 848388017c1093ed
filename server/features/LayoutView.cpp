//===- LayoutView.cpp - the layouts of a place, for a panel to draw -------===//

#include "server/features/LayoutView.h"

#include "server/features/AccessText.h"
#include "server/features/LayoutText.h"
#include "server/features/Name.h"
#include "server/features/TypeText.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// One layout
//===----------------------------------------------------------------------===//

static std::vector<MappedDim> dimsOf(const LinearLayout &layout) {
  std::vector<MappedDim> dims;
  for (const LinearLayout::Dim &dim : layout.getInDims())
    dims.push_back({dim.name.str(), layout.getBases(dim.name)});
  return dims;
}

/// For each bit of a place that moves nothing new, the place that differs from
/// the first one in it and yet holds the same element.
static std::vector<std::vector<int32_t>> copiesOf(const LinearLayout &layout,
                                                  const LinearLayout &inverse) {
  std::vector<std::vector<int32_t>> copies;
  for (auto [dim, mask] : layout.getFreeVariableMasks())
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(dim); ++bit) {
      if (!(mask >> bit & 1))
        continue;
      std::vector<int32_t> &copy = copies.emplace_back();
      auto first = inverse.apply(layout.apply({{dim, int32_t(1) << bit}}));
      for (auto [name, value] : first)
        copy.push_back(name == dim ? value ^ int32_t(1) << bit : value);
    }
  return copies;
}

static std::optional<PlacedTensor> place(std::string role, mlir::Type type,
                                         const Unit &unit) {
  std::optional<LinearLayout> layout = layoutOf(type);
  if (!layout || layout->getInDims().empty() || layout->getOutDims().empty() ||
      !layout->isSurjective())
    return std::nullopt;
  LinearLayout inverse = layout->pseudoinvert();
  auto shaped = llvm::cast<mlir::ShapedType>(type);
  PlacedTensor tensor;
  tensor.role = std::move(role);
  tensor.type = TypePrinter(unit)(type);
  tensor.bits = 8 * tt::bytesInMemory(shaped.getElementType());
  tensor.text = describeLayout(type, /*hasPicture=*/false);
  tensor.places = dimsOf(*layout);
  tensor.elements = dimsOf(inverse);
  tensor.copies = copiesOf(*layout, inverse);
  if (auto memory = llvm::dyn_cast<ttg::MemDescType>(type))
    llvm::append_range(tensor.gaps, ttg::gapsOf(memory.getEncoding()));
  return tensor;
}

//===----------------------------------------------------------------------===//
// What there is at a place
//===----------------------------------------------------------------------===//

/// More side by side than anybody would compare.
static constexpr size_t mostTensors = 6;

static std::string lineText(const Document &document, size_t offset) {
  return "line " + std::to_string(document.text().lineAt(offset) + 1);
}

static LayoutView viewOf(Span span, std::string title, mlir::Operation *op) {
  LayoutView view;
  view.span = span;
  view.title = std::move(title);
  view.banks = ttg::lookupSharedBanks(op).banks;
  return view;
}

static std::optional<LayoutView> viewOf(const Unit &unit, Span span,
                                        std::string title, mlir::Type type,
                                        mlir::Operation *op) {
  LayoutView view = viewOf(span, std::move(title), op);
  std::optional<PlacedTensor> tensor = place("", type, unit);
  if (!tensor)
    return std::nullopt;
  view.tensors.push_back(std::move(*tensor));
  return view;
}

static std::optional<LayoutView> viewOf(const Document &document,
                                        const Unit &unit,
                                        const Statement &statement,
                                        mlir::Operation *op) {
  StringRef name = document.syntax().text(statement.name).trim('"');
  LayoutView view =
      viewOf(statement.name,
             name.str() + ", " + lineText(document, statement.name.begin), op);
  std::optional<ttg::SharedAccess> access = sharedAccess(op);
  std::optional<size_t> registers, memory;
  llvm::SmallVector<mlir::Type> seen;
  auto add = [&](mlir::ValueRange values, StringRef role) {
    for (mlir::Value value : values) {
      mlir::Type type = value.getType();
      if (view.tensors.size() == mostTensors || llvm::is_contained(seen, type))
        continue;
      seen.push_back(type);
      std::string name = nameOf(unit, value);
      auto tensor = place(
          (name.empty() ? role : StringRef(name + ", the " + role.str())).str(),
          type, unit);
      if (!tensor)
        continue;
      if (access && type == access->registers)
        registers = view.tensors.size();
      if (access && type == access->memory)
        memory = view.tensors.size();
      view.tensors.push_back(std::move(*tensor));
    }
  };
  add(op->getOperands(), "operand");
  add(op->getResults(), "result");
  if (view.tensors.empty())
    return std::nullopt;
  if (registers && memory) {
    SharedAccessView &shown = view.access.emplace();
    shown.registers = *registers;
    shown.memory = *memory;
    shown.text = describeAccess(op);
    if (std::string drawn = describeAccess(*access); shown.text != drawn)
      shown.text += "; the picture shows ordinary accesses instead: " + drawn;
    shown.vectorMask = access->cost.vectorMask;
    for (const auto &group : access->cost.groups)
      shown.lanesTogether.emplace_back(group.begin(), group.end());
  }
  return view;
}

/// The first tensor or buffer with `layout`.
static std::optional<LayoutView> viewOf(const Document &document, Span span,
                                        mlir::Attribute layout) {
  std::optional<LayoutView> view;
  for (const Unit &unit : document.units()) {
    if (!unit.facts->root)
      continue;
    unit.facts->root->walk([&](mlir::Operation *op) {
      for (mlir::Type type : op->getResultTypes())
        if (!view && ttg::getEncoding(type) == layout)
          view = viewOf(unit, span,
                        document.syntax().text(span).str() + " of the first " +
                            "value with it",
                        type, op);
      return view ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    if (view)
      break;
  }
  return view;
}

std::optional<LayoutView> kernelscope::layoutView(const Document &document,
                                                  size_t offset) {
  const Syntax &syntax = document.syntax();
  // Of a place between words, the first word of the line.
  const Token *token = syntax.tokenAt(offset);
  if (!token) {
    Span line = document.text().lineSpan(document.text().lineAt(offset));
    StringRef text = syntax.text(line);
    token = syntax.tokenAt(line.begin + (text.size() - text.ltrim().size()));
  }
  const Unit *unit = token ? document.unitAt(token->begin) : nullptr;
  if (!token)
    return std::nullopt;
  std::optional<TypeAt> type = typeAt(document, token->begin);
  if (type && unit)
    return viewOf(*unit, type->span,
                  "type, " + lineText(document, type->span.begin), type->type,
                  type->op);
  std::optional<Name> name = nameAt(document, token->begin);
  if (name && name->kind == Name::Alias) {
    const Unit *skeleton = document.skeletonAt(token->begin);
    if (!skeleton || !skeleton->fragment->isParsed)
      return std::nullopt;
    const auto *alias = skeleton->fragment->state.getAttributeAliasDef(
        syntax.text(name->origin).drop_front());
    return alias && alias->value ? viewOf(document, name->origin, alias->value)
                                 : std::nullopt;
  }
  // A result stands for its op, which has more to show.
  if (name && name->value && unit &&
      (name->definition != name->origin ||
       llvm::isa<mlir::BlockArgument>(name->value)))
    return viewOf(*unit, name->origin,
                  syntax.text(name->origin).str() + ", " +
                      lineText(document, name->origin.begin),
                  name->value.getType(),
                  name->value.getParentRegion()
                      ? name->value.getParentRegion()->getParentOp()
                      : nullptr);
  SyntaxId id = syntax.statementAt(token->begin);
  if (id == noSyntax || !unit ||
      syntax.statement(id).kind != Statement::Operation)
    return std::nullopt;
  mlir::Operation *op = findOperation(document, syntax.statement(id));
  return op ? viewOf(document, *unit, syntax.statement(id), op) : std::nullopt;
}
