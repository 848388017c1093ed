//===- ChipRules.cpp - What the module's chip can do ----------------------===//

#include "dialects/ttg/ChipRules.h"
#include "dialects/layout/Counted.h"
#include "dialects/target/Instructions.h"
#include "dialects/target/MatrixInstructions.h"
#include "dialects/target/ScaledProducts.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttg/TTG.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kernelscope;

std::optional<Target> ttg::lookupExactTarget(Operation *op) {
  std::optional<Target> target = lookupTarget(op);
  return target && target->canCompile ? target : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

bool ttg::lacksRoundedProduct(tt::DotOp op, const Target &target) {
  auto mfma =
      dyn_cast_if_present<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
  if (!mfma || mfma.getInstrShape().size() != 3 ||
      op.getInputPrecision() != tt::InputPrecision::TF32 ||
      !op.getA().getType().getElementType().isF32())
    return false;
  ArrayRef<unsigned> shape = mfma.getInstrShape();
  auto isMissing = [&](MatrixElement element) {
    return findMatrixInstructions(
               target, {element, element, {}, shape[0], shape[1], shape[2]})
        .empty();
  };
  return isMissing(MatrixElement::F32) && isMissing(MatrixElement::TF32);
}

/// The chip multiplies no such types: which it does, by what they are added
/// in; of the operands' own, if there are any.
static LogicalResult reportTypes(tt::DotOp op, const Target &target) {
  Type x = op.getA().getType().getElementType(),
       y = op.getB().getType().getElementType(),
       sum = op.getType().getElementType();
  auto a = ttg::matrixElement(x), b = ttg::matrixElement(y);
  SmallVector<const MatrixInstruction *> rows;
  if (a && b)
    rows = findMatrixInstructions(target, {a, b, {}, {}, {}, {}});
  if (rows.empty())
    rows = findMatrixInstructions(target);
  llvm::MapVector<StringRef, SmallVector<std::string>> factors;
  for (const MatrixInstruction *row : rows)
    if (auto &names = factors[nameOf(row->c)];
        row->a == row->b || (a && b && row->a == *a && row->b == *b)) {
      std::string name = nameOf(row->a).str();
      if (row->b != row->a)
        name += (" by " + nameOf(row->b)).str();
      if (!is_contained(names, name))
        names.push_back(std::move(name));
    }
  InFlightDiagnostic error = op.emitOpError("of ");
  error << x << " by " << y << " into " << sum
        << " has no matrix instruction on " << target.arch
        << ", which has them ";
  if (factors.empty())
    return error << "for no type";
  error << "for ";
  llvm::interleave(
      factors, error,
      [&](auto &entry) {
        llvm::interleaveComma(entry.second, error);
        error << " into " << entry.first;
      },
      "; ");
  return error;
}

/// The unit whose instructions `layout` is for; nothing if it is none of AMD's.
static std::optional<MatrixUnit> unitOf(Attribute layout) {
  if (isa<ttg::AMDMfmaEncodingAttr>(layout))
    return MatrixUnit::Mfma;
  if (auto wmma = dyn_cast<ttg::AMDWmmaEncodingAttr>(layout))
    return wmma.getVersion() == 1   ? MatrixUnit::Wmma1
           : wmma.getVersion() == 2 ? MatrixUnit::Wmma2
                                    : MatrixUnit::Wmma3;
  return std::nullopt;
}

SmallVector<const MatrixInstruction *>
ttg::productInstructions(tt::DotOp op, const Target &target) {
  auto a = matrixElement(op.getA().getType().getElementType()),
       b = matrixElement(op.getB().getType().getElementType()),
       c = matrixElement(op.getType().getElementType());
  SmallVector<const MatrixInstruction *> rows;
  if (a && b && c)
    rows = findMatrixInstructions(target, {a, b, c, {}, {}, {}});
  // NVIDIA's tensor cores multiply f32 as tf32 only.
  if (rows.empty() && a == MatrixElement::F32 && a == b && c &&
      op.getInputPrecision() == tt::InputPrecision::TF32)
    rows = findMatrixInstructions(
        target, {MatrixElement::TF32, MatrixElement::TF32, c, {}, {}, {}});
  return rows;
}

/// `target` has the instructions that `layout`, that of `op`, is for, if it is
/// for AMD's.
static LogicalResult verifyUnit(Operation *op, Attribute layout,
                                const Target &target) {
  auto unit = layout ? unitOf(layout) : std::nullopt;
  if (!unit || hasMatrixUnit(target, *unit))
    return success();
  return op->emitOpError("has the layout ")
         << layout << ", which is for instructions of "
         << archsThat(
                Vendor::Amd,
                [&](const Target &chip) { return hasMatrixUnit(chip, *unit); })
         << "; the target is " << target.arch;
}

LogicalResult ttg::verifyProductTypes(tt::DotOp op, const Target &target) {
  Attribute layout = op.getType().getEncoding();
  if (failed(verifyUnit(op, layout, target)))
    return failure();
  auto rows = productInstructions(op, target);
  if (rows.empty())
    return reportTypes(op, target);
  if (!lacksRoundedProduct(op, target))
    return success();
  Type element = op.getA().getType().getElementType();
  InFlightDiagnostic error = op.emitOpError("multiplies ");
  error << element << " as tf32 in ";
  llvm::interleave(cast<AMDMfmaEncodingAttr>(layout).getInstrShape(), error,
                   "x");
  error << ", which " << target.arch
        << " has no instruction for; it has these for " << element << ": ";
  llvm::interleaveComma(rows, error, [&](const MatrixInstruction *row) {
    error << row->m << "x" << row->n << "x" << row->k;
  });
  return error;
}

LogicalResult ttg::verifyScaledProduct(tt::DotScaledOp op,
                                       const Target &target) {
  Attribute layout = op.getType().getEncoding();
  if (!layout || !unitOf(layout))
    return success();
  if (scaledInstructions(target).empty())
    return op.emitError() << describeMissingInstruction("tt.dot_scaled",
                                                        target);
  if (failed(verifyUnit(op, layout, target)))
    return failure();
  auto isMultiplied = [](tt::ScaleDotElemType type) {
    auto element = matrixElement(type);
    return element && llvm::is_contained(scaledFormats, *element);
  };
  const tt::ScaleDotElemType a = op.getAElemType(), b = op.getBElemType();
  if (!isMultiplied(a) || !isMultiplied(b)) {
    InFlightDiagnostic error = op.emitOpError("multiplies ");
    error << tt::stringifyScaleDotElemType(a) << " by "
          << tt::stringifyScaleDotElemType(b) << ", for which " << target.arch
          << " has no instruction with scales; it has them for ";
    llvm::interleaveComma(scaledFormats, error, [&](MatrixElement element) {
      error << nameOf(element);
    });
    return error;
  }
  const bool isWmma = hasMatrixUnit(target, MatrixUnit::Wmma3);
  for (Value scale : {op.getAScale(), op.getBScale()}) {
    auto type = scale ? dyn_cast<RankedTensorType>(scale.getType())
                      : RankedTensorType();
    if (!type)
      continue;
    Type element = type.getElementType();
    if (!element.isInteger(8) && !(isWmma && isa<Float8E4M3FNType>(element)))
      return op.emitOpError("has scales of ")
             << element << ", but the instructions of " << target.arch
             << " take exponents in i8" << (isWmma ? ", or f8E4M3FN" : "");
  }
  const std::optional<int64_t> perScale = op.getElementsPerScale();
  if (perScale == elementsPerScale || (isWmma && perScale == 16))
    return success();
  return op.emitOpError("has one scale for ")
         << (perScale ? "every " + counted(*perScale, "element") + " along K"
                      : std::string("a whole operand"))
         << ", but the instructions of " << target.arch
         << " take one for every 32" << (isWmma ? " or 16" : "");
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

LogicalResult ttg::verifyLanes(ModuleOp module, const Target &target) {
  const int lanes = lookupThreadsPerWarp(module).value_or(32);
  if (static_cast<unsigned>(lanes) == target.warpSize)
    return success();
  return module.emitError()
         << "the layouts for '" << threadsPerWarpName << "' = " << lanes
         << " cannot run on " << target.arch << ", whose warps have "
         << target.warpSize << " lanes; choose an architecture with warps of "
         << lanes << ", or compile the .ttir instead";
}

LogicalResult ttg::verifyClusterSize(ModuleOp module, const Target &target) {
  const auto ctas = static_cast<unsigned>(lookupNumCTAs(module).value_or(1));
  if (ctas <= target.maxClusterSize)
    return success();
  InFlightDiagnostic error = module.emitError();
  error << "'" << numCTAsName << "' = " << ctas << " cannot run on "
        << target.arch << ", ";
  if (!target.hasClusters())
    return error << "which has no clusters";
  return error << "whose clusters have at most " << target.maxClusterSize
               << " blocks";
}

LogicalResult ttg::verifyThreads(ModuleOp module, const Target &target) {
  const int64_t warps = lookupTotalNumWarps(module).value_or(1),
                lanes = target.warpSize;
  if (warps * lanes <= target.maxThreads)
    return success();
  return module.emitError()
         << "'"
         << (module->hasAttr(totalNumWarpsName) ? totalNumWarpsName
                                                : numWarpsName)
         << "' = " << warps << " makes a block of "
         << counted(warps * lanes, "thread") << "; on " << target.arch
         << " it has at most " << target.maxThreads;
}

LogicalResult ttg::verifyRegisters(ModuleOp module, const Target &target) {
  auto registers = module->getAttrOfType<IntegerAttr>(maxRegistersName);
  if (!registers || !target.isNvidia())
    return success();
  // CUDA C++ Programming Guide, "Compute Capabilities". Triton asks for 256
  // where a warp may have all.
  constexpr int64_t file = 65536, most = 256;
  const int64_t threads =
      lookupTotalNumWarps(module).value_or(1) * int64_t{target.warpSize};
  const int64_t each = std::min(most, file / threads);
  if (registers.getInt() >= 1 && registers.getInt() <= each)
    return success();
  return module.emitError()
         << "'" << maxRegistersName << "' = " << registers.getInt() << "; with "
         << file << " registers per SM, each of the "
         << counted(threads, "thread") << " of a block can have 1 to " << each;
}
