//===- MMARules.cpp - Rules and effects that products share --------------===//

#include "dialects/ttng/MMARules.h"

#include "dialects/ttg/MatrixDescriptor.h"
#include "dialects/ttg/MatrixElements.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace kernelscope::ttng::rules {

using ttg::MemDescType;
using ttg::NVMMASharedEncodingAttr;
using ttg::SharedLinearEncodingAttr;

bool isMatrixInShared(Type type) {
  return isa<NVMMASharedEncodingAttr, SharedLinearEncodingAttr>(
      ttg::getEncoding(type));
}

/// Reading `operand` from wherever it is.
void addRead(Effects &effects, OpOperand &operand) {
  auto memory = dyn_cast<MemDescType>(operand.get().getType());
  if (!memory)
    return;
  SideEffects::Resource *resource = ttg::SharedMemory::get();
  if (isa<TensorMemorySpaceAttr>(memory.getMemorySpace()))
    resource = TensorMemory::get();
  effects.emplace_back(MemoryEffects::Read::get(), &operand, resource);
}

void addAccumulate(Effects &effects, OpOperand &accumulator,
                   Value useAccumulator) {
  if (tt::constantOf(useAccumulator) != 0)
    effects.emplace_back(MemoryEffects::Read::get(), &accumulator,
                         TensorMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &accumulator,
                       TensorMemory::get());
}

void addArrive(Effects &effects, MutableOperandRange barriers) {
  for (OpOperand &barrier : barriers)
    effects.emplace_back(MemoryEffects::Write::get(), &barrier,
                         ttg::SharedMemory::get());
}

/// What `unit` multiplies elements of `type` with.
static SmallVector<const DescribedProduct *> productsOf(MatrixUnit unit,
                                                        Type type) {
  std::optional<MatrixElement> element = ttg::matrixElement(type);
  return element ? describedProductsOf(unit, *element)
                 : SmallVector<const DescribedProduct *>();
}

static StringRef nameOf(MatrixUnit unit) {
  return unit == MatrixUnit::Wgmma ? "wgmma" : "tcgen05";
}

/// The chip that the module names has `product`.
static LogicalResult verifyProduct(Operation *op,
                                   const DescribedProduct &product) {
  std::optional<Target> chip = ttg::lookupTarget(op);
  auto hasIt = [&](const Target &target) {
    return hasMatrixUnit(target, product.unit) && hasProduct(target, product);
  };
  if (!chip || !hasMatrixUnit(*chip, product.unit) || hasIt(*chip))
    return success();
  return op->emitOpError() << "needs " << product.name << ", which "
                           << archsThat(Vendor::Nvidia, hasIt)
                           << " has; the module's target is " << chip->arch;
}

LogicalResult verifyElements(Operation *op, MatrixUnit unit, Type a, Type b,
                             Type d) {
  auto left = productsOf(unit, a), right = productsOf(unit, b);
  if (left.empty() || right.empty())
    return op->emitOpError()
           << "multiplies " << a << " by " << b << "; " << nameOf(unit)
           << " takes " << describedOperands(unit);
  // wgmma has no kinds.
  auto kindOf = [](ArrayRef<const DescribedProduct *> products) {
    return products.front()->name.split("kind::").second;
  };
  StringRef kind = kindOf(left);
  if (kind != kindOf(right))
    return op->emitOpError()
           << "multiplies " << a << " (kind " << kind << ") by " << b
           << " (kind " << kindOf(right) << "); both must be of the same kind";
  const MatrixElement rightElement = *ttg::matrixElement(b);
  llvm::erase_if(left, [&](const DescribedProduct *product) {
    return !product->takesAsB(rightElement);
  });
  if (left.empty())
    return op->emitOpError()
           << "multiplies " << a << " by " << b << "; "
           << (kind.empty() ? nameOf(unit).str() : ("kind " + kind).str())
           << " takes operands of the same type";
  if (auto *product = ttg::findDescribedProduct(unit, a, b, d))
    return verifyProduct(op, *product);
  InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "accumulates products of " << a << " and " << b << " in " << d
             << "; it must be ";
  llvm::interleave(
      left, diagnostic,
      [&](const DescribedProduct *product) {
        diagnostic << kernelscope::nameOf(product->c);
      },
      " or ");
  return diagnostic;
}

/// The chip that the module names, if any, has tensor memory.
LogicalResult verifyChip(Operation *op) {
  std::optional<Target> chip = ttg::lookupTarget(op);
  auto hasUnit = [](const Target &target) {
    return hasMatrixUnit(target, MatrixUnit::Tcgen05);
  };
  if (!chip || hasUnit(*chip))
    return success();
  return op->emitOpError() << "needs tensor memory, which "
                           << archsThat(Vendor::Nvidia, hasUnit)
                           << " have; the module's target is " << chip->arch;
}

LogicalResult verifyDepth(Operation *op, const Twine &instruction,
                          int64_t depth, unsigned step) {
  if (depth > 0 && depth % step == 0)
    return success();
  return op->emitOpError() << "multiplies " << depth << " elements along K; "
                           << instruction << " needs a multiple of " << step;
}

LogicalResult verifyDescriptor(Operation *op, MatrixUnit unit, StringRef side,
                               MemDescType memory, unsigned kDim,
                               unsigned outerSize, unsigned kSize) {
  SmallVector<StringAttr> dims = ttg::tensorDims(op->getContext(), 2);
  LinearLayout offsets = ttg::operandOffsetsOf(memory, dims[kDim]);
  unsigned bytes = tt::bytesInMemory(memory.getElementType());
  if (describeOperand(offsets, dims[1 - kDim], dims[kDim], bytes, outerSize,
                      kSize, unit))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "has the " << side << " operand " << memory
             << ", which no matrix descriptor of " << nameOf(unit)
             << " can describe";
  auto layout = dyn_cast<NVMMASharedEncodingAttr>(memory.getEncoding());
  // PTX ISA: wgmma transposes only 16 bits, tcgen05 narrower ones, too.
  const bool mayBeTransposed =
      bytes == 2 || (bytes == 1 && unit == MatrixUnit::Tcgen05);
  if (layout && layout.getElementBitWidth() != 8 * bytes)
    diagnostic << "; the layout is for elements of "
               << layout.getElementBitWidth() << " bits, and these have "
               << 8 * bytes;
  if (layout && !mayBeTransposed && layout.getTransposed() != (kDim == 0))
    diagnostic << "; elements of " << bytes * 8
               << " bits must be contiguous along K";
  return diagnostic;
}

LogicalResult verifyOperandMemory(Operation *op, MemDescType left,
                                  MemDescType right) {
  if (!isa<TensorMemoryEncodingAttr>(left.getEncoding()) &&
      !isMatrixInShared(left))
    return op->emitOpError()
           << "has the left operand " << left
           << "; it must be in #ttg.nvmma_shared or tensor memory";
  if (!isMatrixInShared(right))
    return op->emitOpError() << "has the right operand " << right
                             << "; it must be in #ttg.nvmma_shared";
  return success();
}

LogicalResult verifyInTensorMemory(Operation *op, MemDescType memory) {
  if (isa<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(
          memory.getEncoding()))
    return success();
  return op->emitOpError() << "takes tensor memory, not " << memory;
}

LogicalResult verifyPairs(Operation *op, bool twoCTAs) {
  std::optional<int> numCTAs = ttg::lookupNumCTAs(op);
  if (!twoCTAs || !numCTAs || *numCTAs > 1)
    return success();
  return op->emitOpError() << "has two_ctas, which needs a cluster of two or "
                              "more CTAs; the module's ttg.num-ctas is "
                           << *numCTAs;
}

LogicalResult verifyCompletion(Operation *op, bool isAsync, ValueRange barriers,
                               ValueRange predicates) {
  if (!isAsync && !barriers.empty())
    return op->emitOpError() << "arrives on barriers, but is not is_async";
  if (barriers.size() != predicates.size())
    return op->emitOpError() << "has " << barriers.size() << " barriers and "
                             << predicates.size() << " predicates";
  for (Value barrier : barriers)
    if (failed(
            ttg::verifyBarrierType(op, cast<MemDescType>(barrier.getType()))) ||
        failed(verifyOwnBarrier(op, barrier, "a completion barrier")))
      return failure();
  return success();
}

/// `product` can compute `rows` by `columns` in one instruction.
LogicalResult verifyTile(Operation *op, const DescribedProduct &product,
                         unsigned ctas, unsigned rows, unsigned columns) {
  std::string allowed = product.columnsFor(ctas, rows);
  if (allowed.empty() || product.hasTile(ctas, rows, columns))
    return success();
  return op->emitOpError() << "computes " << columns
                           << " columns of the result at once; with " << rows
                           << " rows " << product.name << " computes "
                           << allowed;
}

LogicalResult verifyAccumulator(Operation *op, MemDescType d) {
  auto layout = dyn_cast<TensorMemoryEncodingAttr>(d.getEncoding());
  if (!layout)
    return op->emitOpError() << "accumulates in " << d
                             << "; it must be in #ttng.tensor_memory_encoding";
  if (layout.getFp4Padded())
    return op->emitOpError() << "accumulates in fp4Padded tensor memory";
  return success();
}

} // namespace kernelscope::ttng::rules
