//===- Reparse.cpp - only the edited ops of a function are parsed ---------===//

#include "server/analysis/Reparse.h"

#include "server/analysis/Graft.h"
#include "server/analysis/ParseMessages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using llvm::StringRef;
using mlir::Operation;

namespace {

class Reparser {
public:
  Reparser(const EarlierUnit &earlier, const Syntax &syntax,
           const FragmentRequest &request, const PatchedText &patched)
      : earlier(*earlier.unit), root(earlier.unit->facts->root),
        oldSyntax(*earlier.syntax), syntax(syntax), request(request),
        patched(patched) {}

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
    if (found)
      edit.place = *found;
    return found.has_value();
  }

  Operation *oldOpOf(SyntaxId id) const {
    std::optional<mlir::SMLoc> name =
        earlier.toParser(oldSyntax.statement(id).name.begin);
    for (const auto &definition : earlier.ops())
      if (name && definition.loc.Start == *name)
        return definition.op;
    return nullptr;
  }

  /// The ops that are to go, and one beside them, without which it is not known
  /// which block they are in.
  bool findOldOps() {
    const EditedStatements::Side &side = edit.place.before;
    for (SyntaxId id : side.statements(oldSyntax)) {
      edit.oldOps.push_back(oldOpOf(id));
      if (!edit.oldOps.back())
        return false;
    }
    const auto &ids = oldSyntax.region(side.region).statements;
    if (side.end < ids.size())
      edit.next = oldOpOf(ids[side.end]);
    else if (side.first > 0)
      edit.previous = oldOpOf(ids[side.first - 1]);
    Operation *beside = this->beside();
    return beside && llvm::all_of(edit.oldOps, [&](Operation *op) {
             return op->getBlock() == beside->getBlock();
           });
  }

  Operation *beside() const { return edit.next ? edit.next : edit.previous; }

  //===--- The values that are used ---------------------------------------===//

  /// What `name` means where the edited ops are.
  std::optional<UsedValue> findValue(StringRef name) const {
    const mlir::AsmParserState &state = earlier.fragment->state;
    auto isNamed = [&](mlir::SMRange place) {
      return place.isValid() && StringRef(place.Start.getPointer(),
                                          place.End.getPointer() -
                                              place.Start.getPointer()) == name;
    };
    for (mlir::Region *region = beside()->getParentRegion(); region;
         region = region->getParentRegion()) {
      for (mlir::Block &block : *region) {
        if (const auto *definition = state.getBlockDef(&block))
          for (auto [argument, place] :
               llvm::zip(block.getArguments(), definition->arguments))
            if (isNamed(place.loc))
              return UsedValue{argument};
        for (Operation &op : block) {
          const auto *definition = state.getOpDef(&op);
          if (!definition || llvm::is_contained(edit.oldOps, &op))
            continue;
          unsigned end = op.getNumResults();
          for (const auto &group : llvm::reverse(definition->resultGroups)) {
            if (isNamed(group.definition.loc))
              return UsedValue{op.getResult(group.startIndex),
                               end - group.startIndex};
            end = group.startIndex;
          }
        }
      }
      if (region->getParentOp() == root ||
          region->getParentOp()->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
        break;
    }
    return std::nullopt;
  }

  /// Whether the function has the value in its header.
  bool isArgument(mlir::Value value) const {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    return argument && argument.getOwner() == &root->getRegion(0).front();
  }

  /// Writes the holes that stand for the used values; false if one of them is
  /// not there.
  bool declareUsed() {
    llvm::ArrayRef<SyntaxId> ids = edit.place.after.statements(syntax);
    llvm::SmallVector<StringRef, 8> known;
    for (SyntaxId id : ids)
      for (const ResultName &result : syntax.statement(id).results)
        known.push_back(syntax.text(result.name));
    for (SyntaxId id : ids) {
      const Statement &statement = syntax.statement(id);
      for (size_t i = statement.firstToken; i < statement.endToken; ++i) {
        const Token &token = syntax.tokens()[i];
        StringRef name = syntax.text(token);
        if (token.kind != Token::Value || token.begin < statement.name.end ||
            llvm::is_contained(known, name))
          continue;
        known.push_back(name);
        std::optional<UsedValue> value = findValue(name);
        if (!value)
          return false;
        if (!isArgument(value->first))
          declare(name, *value);
      }
    }
    return true;
  }

  void declare(StringRef name, const UsedValue &value) {
    llvm::raw_string_ostream out(declarations);
    out << name << ":" << value.count << " = \"kernelscope.hole\"() : () -> (";
    llvm::interleaveComma(value.values(), out,
                          [&](mlir::Value one) { out << one.getType(); });
    out << ")\n";
    edit.used.push_back(value);
  }

  //===--- The small text and what the parser makes of it -----------------===//

  bool parse() {
    const EditedStatements::Side &side = edit.place.after;
    StringRef all = patched.str();
    edit.copyEnd = side.bodyBegin;
    edit.text = (all.take_front(side.bodyBegin) + "\n" + declarations).str();
    edit.opsBegin = edit.text.size();
    if (side.first != side.end)
      edit.text += all.slice(side.opsBegin, side.slice.end);
    edit.text += "\n";
    edit.rest = edit.text.size();
    edit.text += all.drop_front(side.function.end);

    if (request.progress)
      request.progress(patched.toSource(side.opsBegin));
    mlir::MLIRContext &context = request.workspace->context;
    edit.sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(edit.text, bufferName), llvm::SMLoc());
    edit.top = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
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
           edit.newOps.size() == edit.place.after.statements(syntax).size();
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
               namesOf(syntax, edit.place.after.statements(syntax)) &&
           typesOf(edit.oldOps) == typesOf(edit.newOps) &&
           typesOf(edit.holes) == used &&
           edit.function->getName() == root->getName() &&
           llvm::equal(edit.function->getRegion(0).getArgumentTypes(),
                       root->getRegion(0).getArgumentTypes());
  }

  const Unit &earlier;
  Operation *root; ///< The function.
  const Syntax &oldSyntax, &syntax;
  const FragmentRequest &request;
  const PatchedText &patched;
  ParsedEdit edit;
  std::string declarations; ///< Of the holes.
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
  return Reparser(earlier, syntax, request, patched).run();
}
