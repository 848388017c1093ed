//===- Reparse.cpp - only the edited ops of a function are parsed ---------===//

#include "server/analysis/Reparse.h"

#include "server/analysis/EditParser.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;
using mlir::Operation;

namespace {

class Reparser : EditParser {
public:
  using EditParser::EditParser;

  std::shared_ptr<Fragment> run() {
    bool isDone = findEdit() && findOldOps() && declareUsed() && parse() &&
                  findNewOps() && areResultsSame();
    return isDone ? graft(edit, earlier, patched) : nullptr;
  }

private:
  //===--- What was edited ------------------------------------------------===//

  bool findEdit() {
    const Fragment &fragment = *earlier.fragment;
    auto toOldBuffer = [&](size_t offset) -> std::optional<size_t> {
      if (std::optional<mlir::SMLoc> place = earlier.toParser(offset))
        return place->getPointer() - fragment.buffer().begin();
      return std::nullopt;
    };
    auto toOldText = [&](size_t offset) {
      return earlier.toDocument(fragment.patched.toSource(offset));
    };
    auto toBuffer = [&](size_t offset) { return patched.fromSource(offset); };
    auto toText = [&](size_t offset) { return patched.toSource(offset); };
    auto found = findEditedStatements(
        {oldSyntax, earlier.statement, fragment.buffer(), toOldBuffer,
         toOldText},
        {syntax, request.statement, patched.str(), toBuffer, toText});
    if (!found || !areSimple(oldSyntax, found->before) ||
        !areSimple(syntax, found->after))
      return false;
    edit.place = *found;
    return true;
  }

  /// Whether the statements can be parsed elsewhere: ops in full form, without
  /// regions.
  static bool areSimple(const Syntax &syntax,
                        const EditedStatements::Side &side) {
    return llvm::all_of(side.statements(syntax), [&](SyntaxId id) {
      const Statement &statement = syntax.statement(id);
      return statement.kind == Statement::Operation &&
             statement.regions.empty() &&
             syntax.text(statement.name).contains('.');
    });
  }

  /// The ops that are to go.
  bool findOldOps() {
    for (SyntaxId id : edit.place.before.statements(oldSyntax)) {
      edit.oldOps.push_back(oldOpOf(id));
      if (!edit.oldOps.back())
        return false;
    }
    return findNeighbor() && llvm::all_of(edit.oldOps, [&](Operation *op) {
             return op->getBlock() == neighbor()->getBlock();
           });
  }

  //===--- What the parser makes of it ------------------------------------===//

  bool parse() {
    writeText(edit.place.after.slice.end);
    return parseSilently(edit.sources, edit.top->getBody(), edit.state);
  }

  bool findNewOps() {
    size_t name =
        *patched.fromSource(syntax.statement(request.statement).name.begin);
    for (const auto &definition : edit.state.getOpDefs())
      if (definition.loc.Start.getPointer() == edit.text.data() + name)
        edit.function = definition.op;
    if (!edit.function || edit.function->getNumRegions() != 1 ||
        !edit.function->getRegion(0).hasOneBlock())
      return false;
    for (Operation &op : edit.function->getRegion(0).front())
      (edit.holes.size() < edit.used.size() ? edit.holes : edit.newOps)
          .push_back(&op);
    return edit.holes.size() == edit.used.size() &&
           edit.newOps.size() == newStatements().size();
  }

  /// Whether all that the new ops use, and all that others use of them, is of
  /// the type that it was.
  bool areResultsSame() const {
    auto namesOf = [](const Syntax &syntax, llvm::ArrayRef<SyntaxId> ids) {
      llvm::SmallVector<std::pair<StringRef, unsigned>> names;
      for (SyntaxId id : ids)
        for (const ResultName &result : syntax.statement(id).results)
          names.push_back({syntax.text(result.name), result.count});
      return names;
    };
    auto typesOf = [](llvm::ArrayRef<Operation *> ops) {
      llvm::SmallVector<mlir::Type> types;
      for (Operation *op : ops)
        llvm::append_range(types, op->getResultTypes());
      return types;
    };
    auto endsBlock = [](llvm::ArrayRef<Operation *> ops) {
      return !ops.empty() &&
             ops.back()->hasTrait<mlir::OpTrait::IsTerminator>();
    };
    auto isSimple = [](Operation *op) {
      return op->getNumRegions() == 0 && op->getNumSuccessors() == 0;
    };
    llvm::SmallVector<mlir::Type> used;
    for (const UsedValue &value : edit.used)
      for (mlir::Value one : value.values())
        used.push_back(one.getType());
    return llvm::all_of(edit.oldOps, isSimple) &&
           llvm::all_of(edit.newOps, isSimple) &&
           endsBlock(edit.oldOps) == endsBlock(edit.newOps) &&
           namesOf(oldSyntax, edit.place.before.statements(oldSyntax)) ==
               namesOf(syntax, newStatements()) &&
           typesOf(edit.oldOps) == typesOf(edit.newOps) &&
           typesOf(edit.holes) == used &&
           edit.function->getName() == root->getName() &&
           llvm::equal(edit.function->getRegion(0).getArgumentTypes(),
                       root->getRegion(0).getArgumentTypes());
  }
};

} // namespace

std::shared_ptr<Fragment> kernelscope::takeParse(const EarlierUnit &earlier,
                                                 const PatchedText &patched) {
  if (!earlier.unit)
    return nullptr;
  const std::shared_ptr<const Fragment> &parsed = earlier.unit->facts->fragment;
  if (!parsed->isParsed || parsed->hasRemarks || parsed.use_count() != 1 ||
      parsed->buffer() != patched.str())
    return nullptr;
  auto taken = std::const_pointer_cast<Fragment>(parsed);
  taken->patched.comeFrom(patched);
  return taken;
}

std::shared_ptr<Fragment> kernelscope::reparse(const EarlierUnit &earlier,
                                               const Syntax &syntax,
                                               const FragmentRequest &request,
                                               const PatchedText &patched) {
  if (earlier.unit->facts->broken)
    return nullptr;
  return Reparser(earlier, syntax, request, patched).run();
}
