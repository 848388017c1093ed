//===- UnsoundOpsTest.cpp - Ops that break their own definition -----------===//
//
// A generic form may lack attributes, operands and regions that an op's
// accessors count on, or have other types. Such an op has its error, and every
// feature still answers.
//
//===----------------------------------------------------------------------===//

#include "AskAll.h"
#include "Dumps.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/OperationSupport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <functional>

using namespace kernelscope;
using llvm::StringRef;

namespace {

/// One way to break an op.
struct Breakage {
  std::string name;
  std::function<void(mlir::Operation *)> apply;
};

std::vector<Breakage> breakagesOf(mlir::Operation *op) {
  std::vector<Breakage> all;
  for (mlir::NamedAttribute attribute : op->getAttrs())
    all.push_back({"without " + attribute.getName().str(),
                   [name = attribute.getName()](mlir::Operation *op) {
                     op->removeAttr(name);
                   }});
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    all.push_back({"without operand " + std::to_string(i),
                   [i](mlir::Operation *op) { op->eraseOperand(i); }});
  if (op->getNumOperands() > 1)
    all.push_back({"with operands in reverse", [](mlir::Operation *op) {
                     auto operands = llvm::to_vector(op->getOperands());
                     std::reverse(operands.begin(), operands.end());
                     op->setOperands(operands);
                   }});
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    all.push_back({"with a scalar as result " + std::to_string(i),
                   [i](mlir::Operation *op) {
                     op->getResult(i).setType(
                         mlir::IntegerType::get(op->getContext(), 7));
                   }});
  for (unsigned i = 0; i < op->getNumRegions(); ++i) {
    auto &region = op->getRegion(i);
    if (region.empty())
      continue;
    all.push_back(
        {"without region " + std::to_string(i), [i](mlir::Operation *op) {
           op->getRegion(i).dropAllReferences();
           op->getRegion(i).getBlocks().clear();
         }});
    if (region.getNumArguments() > 0)
      all.push_back({"without an argument of region " + std::to_string(i),
                     [i](mlir::Operation *op) {
                       mlir::Region &region = op->getRegion(i);
                       region.getArgument(0).dropAllUses();
                       region.eraseArgument(0);
                     }});
  }
  return all;
}

/// The `index`th op below `root`, in the order of the text.
mlir::Operation *opAt(mlir::Operation *root, unsigned index) {
  mlir::Operation *found = nullptr;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (index-- != 0)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

std::string printGeneric(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream,
            mlir::OpPrintingFlags().printGenericOpForm().useLocalScope());
  return text;
}

/// Asks about every `step`th word of the lines with `name`, from the `first`
/// on.
void askAbout(const Document &document, StringRef name, size_t first,
              size_t step) {
  ASSERT_EQ(askWhole(document), "");
  StringRef text = document.text().str();
  for (const Token &token : document.syntax().tokens()) {
    Span line = document.text().lineSpan(document.text().lineAt(token.begin));
    if (text.slice(line.begin, line.end).contains(name) && first++ % step == 0)
      ASSERT_EQ(askAt(document, token.begin), "");
  }
}

/// The documents of the tests' IR.
std::vector<std::shared_ptr<const Document>> readTests() {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(KS_LIT))
    if (entry.path().extension() == ".mlir")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::shared_ptr<const Document>> documents;
  for (const auto &path : paths) {
    std::string text = read(path);
    llvm::SmallVector<StringRef> parts;
    StringRef(text).split(parts, "// -----");
    for (StringRef part : parts)
      documents.push_back(analyze(Text(part.str()), path.string()));
  }
  return documents;
}

/// Each kind of op is broken in each way once, in the shortest text that has
/// it. KS_ALL asks about every word, for minutes.
TEST(UnsoundOps, AreAnswered) {
  std::vector<std::shared_ptr<const Document>> documents = readTests();
  std::vector<const Unit *> units;
  for (const auto &document : documents)
    for (const Unit &unit : document->units())
      if (unit.fragment->isParsed && unit.facts->root)
        units.push_back(&unit);
  llvm::sort(units, [](const Unit *a, const Unit *b) {
    return std::pair(a->span.size(), a->span.begin) <
           std::pair(b->span.size(), b->span.begin);
  });
  const size_t step = std::getenv("KS_ALL") ? 1 : 16;
  llvm::StringSet<> done;
  for (const Unit *unit : units) {
    mlir::Operation *root = unit->facts->root;
    unsigned index = 0;
    root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      const StringRef name = op->getName().getStringRef();
      for (const Breakage &breakage : breakagesOf(op)) {
        const std::string what = (name + " " + breakage.name).str();
        if (!done.insert(what).second)
          continue;
        SCOPED_TRACE(what);
        mlir::OwningOpRef<mlir::Operation *> copy(root->clone());
        breakage.apply(opAt(copy.get(), index));
        askAbout(*analyze(Text(printGeneric(copy.get())), "broken.mlir"), name,
                 done.size(), step);
      }
      ++index;
    });
  }
  EXPECT_GT(done.size(), 1000u);
}

} // namespace
