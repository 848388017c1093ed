//===- Source.cpp - An IR file, ready to compile --------------------------===//

#include "passes/Source.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/OlderDump.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "passes/LaunchTarget.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace kernelscope {

LogicalResult verifyNumWarps(ModuleOp module, Operation *at) {
  bool saysSo =
      module->hasAttr(ttg::numWarpsName) || at->hasAttr(ttg::numWarpsName) ||
      (at == module && llvm::any_of(module.getOps(), [](Operation &op) {
         return op.hasAttr(ttg::numWarpsName);
       }));
  if (saysSo || !hasLayouts(at))
    return success();
  // A module without a launch configuration is a snippet, not a broken dump.
  bool isSnippet = at != module && module->getDiscardableAttrs().empty();
  return (isSnippet ? at->emitWarning() : at->emitError())
         << "the module has layouts but no '" << ttg::numWarpsName
         << "': add it to the module's attributes, as in "
            "`module attributes {\"ttg.num-warps\" = 4 : i32}`";
}

/// A kernel's arguments have the names that they have in the text, unless their
/// locations name them: launch specs and printed IR use these names.
static void nameArguments(Block &file, const AsmParserState &state) {
  file.walk([&](FunctionOpInterface function) {
    const AsmParserState::BlockDefinition *entry =
        function.isExternal() ? nullptr : state.getBlockDef(&function.front());
    if (!entry)
      return;
    for (auto [argument, definition] :
         llvm::zip(function.getArguments(), entry->arguments)) {
      SMRange range = definition.loc;
      if (!range.isValid() || argument.getLoc()->findInstanceOf<NameLoc>())
        continue;
      StringRef name(range.Start.getPointer() + 1,
                     range.End.getPointer() - range.Start.getPointer() - 1);
      argument.setLoc(NameLoc::get(
          StringAttr::get(function->getContext(), name), argument.getLoc()));
    }
  });
}

OwningOpRef<ModuleOp> parseSource(StringRef text, StringRef name,
                                  MLIRContext *context) {
  llvm::SourceMgr sources;
  unsigned buffer = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  ParserConfig config(context, /*verifyAfterParse=*/false);
  AsmParserState state;
  Block block;
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return nullptr;

  nameArguments(block, state);
  for (auto dump : block.getOps<ModuleOp>())
    ttg::recordColumns(dump);
  for (const AsmParserState::OperationDefinition &definition :
       state.getOpDefs()) {
    auto [line, column] =
        sources.getLineAndColumn(definition.loc.Start, buffer);
    definition.op->setLoc(FileLineColLoc::get(context, name, line, column));
  }
  auto location = FileLineColLoc::get(context, name, 1, 1);
  OwningOpRef<ModuleOp> module =
      detail::constructContainerOpForParserIfNecessary<ModuleOp>(
          &block, context, location);
  if (!module)
    return nullptr;
  // An op that the text leaves implicit (a terminator) gets its parent's
  // location.
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loc = dyn_cast<FileLineColLoc>(op->getLoc());
    if (op->getParentOp() && (!loc || loc.getFilename() != name))
      op->setLoc(op->getParentOp()->getLoc());
  });
  if (failed(verifyNumWarps(*module, *module)) || failed(verify(*module)))
    return nullptr;
  return module;
}

} // namespace kernelscope
