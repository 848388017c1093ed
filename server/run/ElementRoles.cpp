//===- ElementRoles.cpp - What the elements of a buffer are for -----------===//

#include "server/run/ElementRoles.h"
#include "server/run/BlockScales.h"
#include "server/run/Columns.h"
#include "server/run/Offsets.h"
#include "server/run/Origins.h"
#include "server/run/Summands.h"

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "server/run/IndexTerms.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using kernelscope::executor::Element;

namespace kernelscope::run {
namespace {

/// The arguments of `kernel` that `value` is computed from, as far as `enter`
/// allows to continue from an op to its operands.
template <typename Enter>
void forEachSourceArgument(Value value, FunctionOpInterface kernel, Enter enter,
                           llvm::function_ref<void(unsigned)> found) {
  llvm::SetVector<Value> behind;
  behind.insert(value);
  for (size_t i = 0; i < behind.size(); ++i) {
    if (Operation *op = behind[i].getDefiningOp()) {
      if (enter(op))
        behind.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    auto argument = cast<BlockArgument>(behind[i]);
    if (argument.getOwner() == &kernel.getFunctionBody().front())
      found(argument.getArgNumber());
    else if (Value outside = outsideOf(argument))
      behind.insert(outside);
    else if (auto loop =
                 dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
             loop && argument != loop.getInductionVar())
      behind.insert(loop.getTiedLoopInit(argument)->get());
  }
}

/// Marks the buffers whose elements become `rows`.
void markRowNames(Value rows, FunctionOpInterface kernel,
                  std::vector<ArgumentInfo> &arguments) {
  forEachSourceArgument(
      rows, kernel, [](Operation *) { return true; },
      [&](unsigned index) { arguments[index].namesRows = true; });
}

/// The arguments that a load reads from.
void forSourcesOf(Operation *load, FunctionOpInterface kernel,
                  llvm::function_ref<void(unsigned)> found) {
  const tt::GlobalAccess access =
      cast<tt::GlobalAccessOpInterface>(load).getGlobalAccess();
  forEachSourceArgument(
      access.base ? access.base : access.addresses, kernel,
      [](Operation *op) { return isMemoryEffectFree(op); },
      [&](unsigned index) { found(index); });
}

/// Whether `value` is a zero, or a tensor of them.
bool isZero(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  if (auto all = dyn_cast<SplatElementsAttr>(constant))
    constant = all.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().isZero();
  auto integer = dyn_cast<IntegerAttr>(constant);
  return integer && integer.getValue().isZero();
}

/// What `comparison` says is not negative, if that is what it says.
Value notNegativeIn(Operation *comparison) {
  bool isAtLeast = false, isAtMost = false;
  if (auto compare = dyn_cast<arith::CmpFOp>(comparison)) {
    using P = arith::CmpFPredicate;
    isAtLeast = llvm::is_contained({P::OGE, P::UGE, P::OGT, P::UGT},
                                   compare.getPredicate());
    isAtMost = llvm::is_contained({P::OLE, P::ULE, P::OLT, P::ULT},
                                  compare.getPredicate());
  } else if (auto compare = dyn_cast<arith::CmpIOp>(comparison)) {
    using P = arith::CmpIPredicate;
    isAtLeast = llvm::is_contained({P::sge, P::sgt}, compare.getPredicate());
    isAtMost = llvm::is_contained({P::sle, P::slt}, compare.getPredicate());
  } else {
    return {};
  }
  if (isAtLeast && isZero(comparison->getOperand(1)))
    return comparison->getOperand(0);
  if (isAtMost && isZero(comparison->getOperand(0)))
    return comparison->getOperand(1);
  return {};
}

/// Marks the buffers that the kernel asserts to have no negative elements.
void markAsserted(tt::AssertOp op, FunctionOpInterface kernel,
                  std::vector<ArgumentInfo> &arguments) {
  llvm::SetVector<Value> conditions;
  conditions.insert(op.getCondition());
  for (size_t i = 0; i < conditions.size(); ++i) {
    Operation *made = conditions[i].getDefiningOp();
    if (!made)
      continue;
    Value checked = notNegativeIn(made);
    while (checked &&
           isa_and_present<ttg::ConvertLayoutOp>(checked.getDefiningOp()))
      checked = checked.getDefiningOp()->getOperand(0);
    if (checked &&
        isa_and_present<tt::GlobalAccessOpInterface>(checked.getDefiningOp()))
      forSourcesOf(checked.getDefiningOp(), kernel, [&](unsigned index) {
        arguments[index].isNotNegative = true;
      });
    else if (isa<arith::AndIOp, arith::OrIOp>(made))
      conditions.insert(made->operand_begin(), made->operand_end());
  }
}

/// `pointer` is made from integers in memory: says so of the arguments that
/// they come from.
void markPointers(tt::IntToPtrOp pointer, FunctionOpInterface kernel,
                  std::vector<ArgumentInfo> &arguments) {
  Type type = cast<tt::PointerType>(getElementTypeOrSelf(pointer.getType()))
                  .getPointeeType();
  const std::optional<Element> element = executor::elementOf(type);
  if (!element || *element >= Element::Pointer)
    return;
  llvm::SetVector<Value> behind;
  behind.insert(pointer.getSrc());
  for (size_t i = 0; i < behind.size(); ++i) {
    Operation *op = behind[i].getDefiningOp();
    if (!op || op->getNumRegions())
      continue;
    if (!isa<tt::GlobalAccessOpInterface>(op)) {
      behind.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    forSourcesOf(op, kernel, [&](unsigned index) {
      if (!arguments[index].isPointer ||
          arguments[index].element != Element::I64)
        return;
      std::vector<ArgumentInfo> &pointee = arguments[index].pointee;
      if (pointee.empty()) {
        pointee.emplace_back();
        pointee.front().isPointer = true;
        pointee.front().element = *element;
        llvm::raw_string_ostream(pointee.front().dtype) << type;
      }
      findAccesses(pointer.getResult(), pointee.front());
    });
  }
}

/// Marks the buffers whose elements a poll waits for.
void markAwaited(tt::AtomicPollOp poll, FunctionOpInterface kernel,
                 std::vector<ArgumentInfo> &arguments) {
  if (std::optional<int64_t> value = tt::constantOf(poll.getExpected()))
    forSourcesOf(poll, kernel, [&](unsigned index) {
      if (arguments[index].isPointer)
        arguments[index].awaited = value;
    });
}

/// Marks the buffers whose elements are in the addresses of a store: two that
/// are the same would let programs meet. One that all programs load is a size.
void markStoredRows(tt::GlobalAccessOpInterface op, FunctionOpInterface kernel,
                    std::vector<ArgumentInfo> &arguments) {
  const tt::GlobalAccess access = op.getGlobalAccess();
  if (!access.writes || access.isAtomic)
    return;
  Origins origins(kernel);
  for (tt::GlobalAccessOpInterface load :
       sourceLoads({access.addresses, access.base}))
    if (isa<RankedTensorType>(load->getResult(0).getType()) ||
        llvm::any_of(origins.of(load.getGlobalAccess().addresses).block,
                     [](int64_t block) { return block; }))
      forSourcesOf(load, kernel,
                   [&](unsigned index) { arguments[index].namesRows = true; });
}

/// The values inside and behind a scan or reduction of `operand` that its
/// elements become: what is combined, and the result.
template <typename OpT>
void addCombined(OpT op, OpOperand &operand, llvm::SetVector<Value> &values) {
  const unsigned index = operand.getOperandNumber(),
                 count = op.getSrcs().size();
  for (unsigned side : {index, index + count})
    values.insert(op.getCombineOp().getArgument(side));
  values.insert(op->getResult(index));
}

/// Whether a use of a value that may be a flag only passes it on, which adds to
/// `values`, or asks whether it is zero, which sets `isAsked`.
bool treatsAsFlag(OpOperand &use, llvm::SetVector<Value> &values,
                  bool &isAsked) {
  Operation *op = use.getOwner();
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using P = arith::CmpIPredicate;
    // A kernel that asserts it, or repeats until it is so, needs one of the
    // two.
    isAsked = true;
    return llvm::is_contained({P::eq, P::ne}, compare.getPredicate()) &&
           isZero(compare->getOperand(1 - use.getOperandNumber())) &&
           llvm::none_of(compare->getUsers(), [](Operation *user) {
             return isa<tt::AssertOp, scf::ConditionOp>(user);
           });
  }
  // A mask may pick another bit than the lowest.
  if (isa<arith::AndIOp>(op) &&
      matchPattern(op->getOperand(1 - use.getOperandNumber()), m_Constant()))
    return false;
  if (isa<tt::ScanReturnOp, tt::ReduceReturnOp>(op))
    return true;
  if (auto scan = dyn_cast<tt::ScanOp>(op))
    return addCombined(scan, use, values), true;
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return addCombined(reduce, use, values), true;
  if (!isa<arith::OrIOp, arith::AndIOp, arith::ExtSIOp, arith::ExtUIOp,
           tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp, tt::TransOp,
           tt::SplatOp, ttg::ConvertLayoutOp>(op))
    return false;
  values.insert(op->getResult(0));
  return true;
}

/// Whether the kernel only compares the result of `load` with zero.
bool loadsFlags(tt::GlobalAccessOpInterface load) {
  auto ordinary = dyn_cast<tt::LoadOp>(load.getOperation());
  if (load->getNumResults() != 1 || load.getGlobalAccess().isAtomic ||
      (ordinary && ordinary.getIsVolatile()) ||
      !getElementTypeOrSelf(load->getResult(0).getType()).isSignlessInteger())
    return false;
  llvm::SetVector<Value> values;
  values.insert(load->getResult(0));
  bool isAsked = false;
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses())
      if (!treatsAsFlag(use, values, isAsked))
        return false;
  return isAsked;
}

/// Marks the buffers whose elements are nothing but flags: random numbers are
/// hardly ever zero.
void markFlags(FunctionOpInterface kernel,
               std::vector<ArgumentInfo> &arguments) {
  llvm::SmallBitVector others(arguments.size());
  kernel->walk([&](tt::GlobalAccessOpInterface access) {
    const bool areFlags = loadsFlags(access);
    forSourcesOf(access, kernel, [&](unsigned index) {
      if (areFlags)
        arguments[index].isFlag = true;
      else
        others.set(index);
    });
  });
  for (unsigned index : others.set_bits())
    arguments[index].isFlag = false;
}

/// Marks the buffers whose elements are `indices` along `axis` of `type`.
void markIndices(Value indices, ShapedType type, uint32_t axis,
                 FunctionOpInterface kernel,
                 std::vector<ArgumentInfo> &arguments) {
  if (axis >= type.getShape().size())
    return;
  const int64_t size = type.getDimSize(axis);
  for (Operation *load : sourceLoads(indices))
    forSourcesOf(load, kernel, [&](unsigned index) {
      int64_t &most = arguments[index].indices;
      most = most ? std::min(most, size) : size;
    });
}

/// Marks the buffers whose elements say which cell of a vector in memory each
/// value of `scatter` goes to: each must be another, or cells stay without a
/// value. Later programs would get indices that are outside.
void markStoredCells(ttg::LocalScatterOp scatter, FunctionOpInterface kernel,
                     std::vector<ArgumentInfo> &arguments) {
  const bool hasPrograms =
      kernel->walk([](tt::GetProgramIdOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (hasPrograms || scatter.getDst().getType().getRank() != 1)
    return;
  for (Operation *load : sourceLoads(scatter.getIndices()))
    forSourcesOf(load, kernel,
                 [&](unsigned index) { arguments[index].namesRows = true; });
}

} // namespace

void markElements(FunctionOpInterface kernel,
                  std::vector<ArgumentInfo> &arguments) {
  kernel->walk([&](Operation *op) {
    if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op))
      markRowNames(scatter.getXOffsets(), kernel, arguments);
    else if (auto copy = dyn_cast<ttng::AsyncTMAScatterOp>(op))
      markRowNames(copy.getXOffsets(), kernel, arguments);
    else if (auto assertion = dyn_cast<tt::AssertOp>(op))
      markAsserted(assertion, kernel, arguments);
    else if (auto pointer = dyn_cast<tt::IntToPtrOp>(op))
      markPointers(pointer, kernel, arguments);
    else if (auto poll = dyn_cast<tt::AtomicPollOp>(op))
      markAwaited(poll, kernel, arguments);
    else if (auto access = dyn_cast<tt::GlobalAccessOpInterface>(op))
      markStoredRows(access, kernel, arguments);
    else
      llvm::TypeSwitch<Operation *>(op)
          .Case<tt::GatherOp, ttg::LocalGatherOp>([&](auto gather) {
            markIndices(gather.getIndices(), gather.getSrc().getType(),
                        gather.getAxis(), kernel, arguments);
          })
          .Case([&](tt::HistogramOp histogram) {
            markIndices(histogram.getSrc(), histogram.getResult().getType(),
                        /*axis=*/0, kernel, arguments);
          })
          .Case<ttg::LocalScatterOp, ttg::LocalAtomicScatterRMWOp>(
              [&](auto scatter) {
                markIndices(scatter.getIndices(), scatter.getDst().getType(),
                            scatter.getAxis(), kernel, arguments);
                if constexpr (std::is_same_v<decltype(scatter),
                                             ttg::LocalScatterOp>)
                  markStoredCells(scatter, kernel, arguments);
              });
  });
  for (tt::GlobalAccessOpInterface load : blockScaleLoads(kernel))
    forSourcesOf(load, kernel,
                 [&](unsigned index) { arguments[index].isScale = true; });
  markFlags(kernel, arguments);
  markOffsets(kernel, arguments);
  markColumns(kernel, arguments);
}

} // namespace kernelscope::run
