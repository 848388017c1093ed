//===- InstructionText.cpp - what an op becomes, in words -----------------===//

#include "server/features/InstructionText.h"

#include "dialects/target/Instructions.h"
#include "passes/LaunchTarget.h"
#include "passes/analysis/MatrixChoice.h"
#include "passes/lower/Coverage.h"
#include "server/analysis/Hole.h"
#include "server/analysis/Verifier.h"
#include "server/features/AccessText.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using llvm::StringRef;

static std::string describeShape(unsigned m, unsigned n, unsigned k) {
  return llvm::formatv("{0} x {1} x {2} elements", m, n, k);
}

/// A row of AMD's is named as LLVM's intrinsic:
/// `llvm.amdgcn.mfma.f32.4x4x4bf16.1k` is `v_mfma_f32_4x4x4_bf16`.
static std::string mnemonicOf(const MatrixInstruction &row) {
  StringRef name = row.name;
  if (!name.consume_front("llvm.amdgcn."))
    return name.str();
  name.consume_back(".1k");
  std::string mnemonic = "v_";
  bool isShape = false;
  for (auto [i, c] : llvm::enumerate(name)) {
    if (isShape && c != 'x' && llvm::isAlpha(c))
      mnemonic += '_';
    if (!llvm::isDigit(c))
      isShape = c == 'x' && i > 0 && llvm::isDigit(name[i - 1]);
    mnemonic += c == '.' ? '_' : c;
  }
  return mnemonic;
}

/// The matrix instructions of a product whose layouts have chosen one; empty
/// for one that is in error.
static std::string describeProduct(mlir::Operation *op, const Target &chip) {
  mlir::ScopedDiagnosticHandler silence(
      op->getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  auto dot = llvm::dyn_cast<tt::DotOp>(op);
  if (!llvm::isa<tt::DotOp, ttng::WarpGroupDotOp, ttng::TCGen5MMAOp>(op) ||
      failed(mlir::verify(op)))
    return "";
  if (auto choice = findDescribedChoice(op)) {
    bool isByWarps = choice->product->unit == MatrixUnit::Wgmma;
    return llvm::formatv(
        "- {0} x `{1}` {2}, of {3}\n", choice->count, choice->product->name,
        isByWarps ? "by each group of four warps" : "by one thread",
        describeShape(choice->rows, choice->columns, choice->product->k));
  }
  auto choice = chooseMatrixInstruction(dot, chip);
  if (!choice)
    return "";
  const MatrixInstruction &row = *choice->instruction;
  return llvm::formatv(
      "- {0} x `{1}` in each warp, of {2}{3}\n", choice->plan.steps.size(),
      mnemonicOf(row), describeShape(row.m, row.n, row.k),
      choice->plan.isTransposed ? ", with the operands exchanged" : "");
}

/// That a compilation for the module's target cannot make code of `op` yet;
/// empty if it can.
static std::string describeGap(mlir::Operation *op) {
  auto module = op->getParentOfType<mlir::ModuleOp>();
  std::optional<Target> chip = ttg::lookupTarget(op);
  StringRef name = op->getName().getStringRef();
  if (!module || !chip || !chip->canCompile || llvm::isa<HoleOp>(op) ||
      lower::hasLowering(name, *chip, hasLayouts(module)))
    return "";
  return "\nKernelscope has no lowering for this op on `" +
         chip->moduleTarget() + "` yet.\n";
}

/// "f32" of a float or a tensor of floats; "" of what is neither float nor
/// integer.
static std::string elementTypeOf(mlir::Type type) {
  type = mlir::getElementTypeOrSelf(type);
  if (!type.isIntOrFloat())
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Only the rows for the elements that `op` computes on. The last operand has
/// their type, of a comparison and of `arith.select`, too.
static void keepRowsOf(mlir::Operation *op,
                       llvm::SmallVectorImpl<const Instructions *> &rows,
                       std::string &from, std::string &to) {
  if (op && op->getNumOperands() && op->getNumResults()) {
    from = elementTypeOf(op->getOperands().back().getType());
    to = elementTypeOf(op->getResult(0).getType());
  }
  llvm::erase_if(
      rows, [&](const Instructions *row) { return !row->areFor(from, to); });
}

/// Whether an access may have a mask: of an op that is known, if it has one.
static bool isMasked(mlir::Operation *op) {
  auto access = llvm::dyn_cast_or_null<tt::GlobalAccessOpInterface>(op);
  return !access || !verifies(op) || access.getGlobalAccess().mask;
}

std::string kernelscope::describeInstructions(StringRef name,
                                              mlir::Operation *op,
                                              StringRef ptxSuffix) {
  std::optional<Target> chip = op ? ttg::lookupTarget(op) : std::nullopt;
  std::string target = chip ? chip->moduleTarget() : "";
  auto rows = findInstructions(name, chip ? &*chip : nullptr);
  std::string gap = op ? describeGap(op) : "";
  if (rows.empty()) {
    auto others = findInstructions(name, nullptr);
    if (others.empty())
      return gap;
    std::string text = "\nNo instruction on `" + target + "`; available on";
    for (auto [index, row] : llvm::enumerate(others))
      text += std::string(index ? ", `" : " `") + row->chips.name.str() + "`";
    return text + "\n";
  }
  if (auto alloc = llvm::dyn_cast_or_null<ttg::LocalAllocOp>(op);
      alloc && !alloc.getSrc())
    return "\nNo instruction: the place of the buffer is chosen at compile "
           "time.\n";
  std::string from, to;
  keepRowsOf(op, rows, from, to);
  if (rows.empty())
    return gap;
  std::string text = target.empty() ? "\nBecomes:\n"
                                    : gap + "\nBecomes on `" + target + "`:\n";
  if (std::string chosen = chip ? describeProduct(op, *chip) : "";
      !chosen.empty()) {
    text += chosen;
    // The rows below say only which family of instructions it could be.
    if (llvm::isa<tt::DotOp>(op))
      return text;
  }
  for (const Instructions *row : rows) {
    text += "- ";
    if (target.empty())
      text += "`" + row->chips.name.str() + "`: ";
    text += (row->textFor(from, to, ptxSuffix, isMasked(op)) + " (" +
             row->chips.manual + ", *" + row->section + "*)\n")
                .str();
    if (!row->note.empty())
      text += "  - " + row->note.str() + "\n";
  }
  return text;
}
