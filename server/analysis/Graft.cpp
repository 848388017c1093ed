//===- Graft.cpp - edited ops in the place of those before ----------------===//

#include "server/analysis/Graft.h"

#include "server/analysis/ParseMessages.h"
#include "server/analysis/StateCopy.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace kernelscope;
using mlir::AsmParserState;

llvm::SmallVector<mlir::Value, 1> UsedValue::values() const {
  auto result = llvm::dyn_cast<mlir::OpResult>(first);
  if (!result)
    return {first};
  return llvm::SmallVector<mlir::Value, 1>(
      result.getOwner()->getResults().slice(result.getResultNumber(), count));
}

namespace {

class Grafter {
public:
  Grafter(ParsedEdit &edit, const Unit &earlier, const PatchedText &patched)
      : edit(edit), earlier(earlier), root(earlier.facts->root),
        fragment(std::make_shared<Fragment>()) {
    fragment->patched = patched;
    fragment->open(earlier.fragment->workspace);
    fragment->isParsed = true;
  }

  std::shared_ptr<Fragment> run() {
    putInPlace();
    noteDefinitions();
    noteUses();
    noteOrigins();
    moveLocations();
    root->moveBefore(edit.function);
    edit.function->erase();
    for (mlir::Operation *op : llvm::reverse(edit.oldOps))
      op->erase();
    fragment->top = std::move(edit.top);
    for (mlir::Value value : touched)
      sortUses(value, fragment->state);
    return fragment;
  }

private:
  void putInPlace() {
    for (mlir::Operation *op : edit.newOps) {
      mlir::Operation *place =
          edit.oldOps.empty() ? edit.next : edit.oldOps.front();
      if (place)
        op->moveBefore(place);
      else
        op->moveBefore(edit.previous->getBlock(),
                       edit.previous->getBlock()->end());
    }
    for (auto [hole, value] : llvm::zip_equal(edit.holes, edit.used))
      replaceAll(hole->getResults(), value.values());
    replaceAll(edit.function->getRegion(0).getArguments(),
               root->getRegion(0).getArguments());
    replaceAll(resultsOf(edit.oldOps), resultsOf(edit.newOps));
  }

  void replaceAll(mlir::ValueRange old, mlir::ValueRange values) {
    for (auto [one, value] : llvm::zip_equal(old, values)) {
      if (one.use_empty())
        continue;
      one.replaceAllUsesWith(value);
      touched.push_back(value);
    }
  }

  static llvm::SmallVector<mlir::Value>
  resultsOf(llvm::ArrayRef<mlir::Operation *> ops) {
    llvm::SmallVector<mlir::Value> values;
    for (mlir::Operation *op : ops)
      llvm::append_range(values, op->getResults());
    return values;
  }

  //===--- Where the text has it ------------------------------------------===//

  mlir::SMLoc at(size_t offset) const {
    return mlir::SMLoc::getFromPointer(fragment->buffer().begin() + offset);
  }

  /// Where a place of the earlier text is now; invalid in what was edited.
  mlir::SMLoc fromOld(mlir::SMLoc place, bool isEnd = false) const {
    if (!place.isValid())
      return {};
    size_t offset = place.getPointer() - earlier.fragment->buffer().begin();
    if (offset < before.slice.begin + isEnd)
      return at(offset - before.function.begin + after.function.begin);
    if (offset >= before.slice.end)
      return at(offset - before.slice.end + after.slice.end);
    return {};
  }

  /// The same of the small text; its holes are nowhere.
  mlir::SMLoc fromSmall(mlir::SMLoc place) const {
    if (!place.isValid())
      return {};
    size_t offset = place.getPointer() - edit.text.data();
    if (offset < edit.copyEnd)
      return at(offset);
    if (offset >= edit.rest)
      return at(offset - edit.rest + after.function.end);
    return offset >= edit.opsBegin ? at(offset - edit.opsBegin + after.opsBegin)
                                   : mlir::SMLoc();
  }

  bool isOld(mlir::Operation *op) const {
    return llvm::is_contained(edit.oldOps, op);
  }
  bool isNew(mlir::Operation *op) const {
    return llvm::is_contained(edit.newOps, op);
  }

  //===--- What the parser would have noted -------------------------------===//

  void noteDefinitions() {
    auto moveSmall = [&](mlir::SMLoc place, bool) { return fromSmall(place); };
    auto moveOld = [&](mlir::SMLoc place, bool isEnd) {
      return fromOld(place, isEnd);
    };
    StateCopy shell(fragment->state, moveSmall), rest(fragment->state, moveOld);
    fragment->state.initialize(*edit.top);
    for (const auto &definition : edit.state.getOpDefs()) {
      if (definition.op == edit.function)
        noteFunction(shell, rest);
      else if (!edit.function->isProperAncestor(definition.op) &&
               !isNew(definition.op))
        noteParsed(shell, definition);
    }
    for (const auto &block : edit.state.getBlockDefs())
      if (!edit.function->isAncestor(block.block->getParentOp()))
        shell.add(block);
    for (const auto &block : earlier.fragment->state.getBlockDefs())
      if (root->isAncestor(block.block->getParentOp()))
        rest.add(block);
    fragment->state.finalize(*edit.top);
    shell.addAliases(edit.state);
  }

  /// The ops of the function, in the order in which they end.
  void noteFunction(StateCopy &shell, StateCopy &rest) {
    bool areNewThere = false;
    for (const auto &definition : earlier.ops()) {
      if (isOld(definition.op) || !root->isAncestor(definition.op))
        continue;
      size_t end = definition.scopeLoc.End.getPointer() -
                   earlier.fragment->buffer().begin();
      if (end > before.slice.begin && !std::exchange(areNewThere, true))
        for (mlir::Operation *op : edit.newOps)
          noteParsed(shell, *edit.state.getOpDef(op));
      rest.add(definition, definition.op);
    }
  }

  void noteParsed(StateCopy &shell,
                  const AsmParserState::OperationDefinition &definition) {
    shell.add(definition, definition.op);
    auto place = llvm::dyn_cast<mlir::FileLineColLoc>(definition.op->getLoc());
    if (place && place.getFilename() == bufferName)
      definition.op->setLoc(
          locationAt(*fragment, fromSmall(definition.loc.Start)));
  }

  void noteUses() {
    auto add = [&](auto used, const AsmParserState::SMDefinition &definition,
                   auto move) {
      for (mlir::SMRange use : definition.uses)
        if (mlir::SMLoc place = move(use.Start); place.isValid())
          fragment->state.addUses(used, place);
    };
    auto old = [&](mlir::SMLoc place) { return fromOld(place); };
    auto parsed = [&](mlir::SMLoc place) { return fromSmall(place); };
    llvm::DenseMap<mlir::Value, mlir::Value> replaced;
    for (auto [from, to] :
         llvm::zip_equal(resultsOf(edit.oldOps), resultsOf(edit.newOps)))
      replaced[from] = to;
    for (const auto &definition : earlier.ops()) {
      if (!root->isAncestor(definition.op))
        continue;
      for (const auto &group : definition.resultGroups) {
        mlir::Value value = definition.op->getResult(group.startIndex);
        add(replaced.lookup_or(value, value), group.definition, old);
      }
    }
    for (const auto &block : earlier.fragment->state.getBlockDefs()) {
      if (!root->isAncestor(block.block->getParentOp()))
        continue;
      add(block.block, block.definition, old);
      for (auto [argument, definition] :
           llvm::zip(block.block->getArguments(), block.arguments))
        add(mlir::Value(argument), definition, old);
    }

    for (auto [hole, value] : llvm::zip_equal(edit.holes, edit.used))
      add(value.first,
          edit.state.getOpDef(hole)->resultGroups.front().definition, parsed);
    mlir::Region &body = edit.function->getRegion(0);
    if (const auto *block = edit.state.getBlockDef(&body.front()))
      for (auto [argument, definition] :
           llvm::zip(root->getRegion(0).getArguments(), block->arguments))
        add(mlir::Value(argument), definition, parsed);
    for (mlir::Operation *op : edit.newOps)
      for (const auto &group : edit.state.getOpDef(op)->resultGroups)
        add(mlir::Value(op->getResult(group.startIndex)), group.definition,
            parsed);
  }

  void noteOrigins() {
    for (auto [op, location] : earlier.fragment->origins)
      if (!isOld(op) && root->isAncestor(op))
        fragment->origins.try_emplace(op, location);
  }

  /// What stands on another line now, or after the edit on the same line, has
  /// another location.
  void moveLocations() {
    LocationShift shift(*earlier.fragment, before.function.begin,
                        before.slice.end, *fragment, after.function.begin,
                        after.slice.end);
    if (shift.isEmpty())
      return;
    root->walk([&](mlir::Operation *op) {
      if (!isNew(op))
        op->setLoc(shift(op->getLoc()));
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          for (mlir::BlockArgument argument : block.getArguments())
            argument.setLoc(shift(argument.getLoc()));
    });
  }

  ParsedEdit &edit;
  const Unit &earlier;
  mlir::Operation *root; ///< The function.
  const EditedStatements::Side &before = edit.place.before,
                               &after = edit.place.after;
  std::shared_ptr<Fragment> fragment;
  /// Values whose uses are not in their order any more.
  llvm::SmallVector<mlir::Value, 8> touched;
};

} // namespace

std::shared_ptr<Fragment> kernelscope::graft(ParsedEdit &edit,
                                             const Unit &earlier,
                                             const PatchedText &patched) {
  return Grafter(edit, earlier, patched).run();
}
