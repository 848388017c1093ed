//===- Control.cpp - Loops, branches, calls, the grid ---------------------===//
//
// scf's structured control flow, calls, program ids, assertions and prints.
// Blocks and branches of cf are in plan/Regions.cpp: they belong to a region.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/tti/TTI.h"
#include "executor/ops/Access.h"
#include "executor/ops/Elementwise.h"
#include "executor/ops/Shared.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

Step planFor(Planner &planner, scf::ForOp op) {
  for (BlockArgument argument : op.getBody()->getArguments())
    if (!planner.storageOf(argument.getType(), op))
      return {};
  if (!isInt(planner.storage(op.getInductionVar()).element)) {
    op.emitError("the CPU executor does not run loops that count in ")
        << op.getInductionVar().getType();
    return {};
  }
  const Slot low = planner.slot(op.getLowerBound()),
             high = planner.slot(op.getUpperBound());
  const Slot by = planner.slot(op.getStep()),
             at = planner.slot(op.getInductionVar());
  const SmallVector<Slot> carried = planner.slots(op.getRegionIterArgs());
  Step enter = planner.assign(op.getInitArgs(), carried);
  const Body *body = planner.planBlock(*op.getBody());
  if (!body)
    return {};
  Step next =
      planner.assign(op.getBody()->getTerminator()->getOperands(), carried);
  Step leave =
      planner.assign(op.getRegionIterArgs(), planner.slots(op.getResults()));
  const bool isUnsigned = op->hasAttr("unsignedCmp");
  return withInt(
      planner.storage(op.getInductionVar()).element, [&]<typename T>() -> Step {
        using S = T::Storage;
        return [=, operation = op.getOperation()](Frame &frame) {
          if (!enter(frame))
            return false;
          // In 128 bits no bound or step overflows.
          auto value = [&](Slot slot) {
            const S stored = *frame.at<S>(slot);
            return isUnsigned ? __int128(T::loadUnsigned(stored))
                              : __int128(T::loadSigned(stored));
          };
          const __int128 end = value(high), step = value(by);
          if (step <= 0)
            return frame.fault(
                operation, frame.programName() + ": the loop's step is " +
                               Twine(int64_t(step)) + "; it must be positive");
          for (__int128 i = value(low); i < end; i += step) {
            *frame.at<S>(at) = T::store(static_cast<int64_t>(i));
            if (!frame.run(*body) || !next(frame) || !frame.goOn(operation))
              return false;
          }
          return leave(frame);
        };
      });
}

Step planIf(Planner &planner, scf::IfOp op) {
  const SmallVector<Slot> results = planner.slots(op.getResults());
  const Body *yes = planner.planBlock(*op.thenBlock());
  if (!yes)
    return {};
  Step giveYes = planner.assign(op.thenYield().getOperands(), results);
  const Body *no = nullptr;
  Step giveNo;
  if (op.elseBlock()) {
    no = planner.planBlock(*op.elseBlock());
    if (!no)
      return {};
    giveNo = planner.assign(op.elseYield().getOperands(), results);
  }
  return [=, condition = planner.slot(op.getCondition())](Frame &frame) {
    if (*frame.at<uint8_t>(condition))
      return frame.run(*yes) && giveYes(frame);
    return !no || (frame.run(*no) && giveNo(frame));
  };
}

Step planWhile(Planner &planner, scf::WhileOp op) {
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (!planner.storageOf(argument.getType(), op))
        return {};
  Step enter =
      planner.assign(op.getInits(), planner.slots(op.getBeforeArguments()));
  const Body *before = planner.planBlock(*op.getBeforeBody());
  if (!before)
    return {};
  scf::ConditionOp test = op.getConditionOp();
  const Slot condition = planner.slot(test.getCondition());
  Step go =
      planner.assign(test.getArgs(), planner.slots(op.getAfterArguments()));
  Step leave = planner.assign(test.getArgs(), planner.slots(op.getResults()));
  const Body *after = planner.planBlock(*op.getAfterBody());
  if (!after)
    return {};
  Step again = planner.assign(op.getYieldOp().getOperands(),
                              planner.slots(op.getBeforeArguments()));
  return [=, operation = op.getOperation()](Frame &frame) {
    if (!enter(frame))
      return false;
    while (true) {
      if (!frame.run(*before))
        return false;
      if (!*frame.at<uint8_t>(condition))
        return leave(frame);
      if (!go(frame) || !frame.run(*after) || !again(frame) ||
          !frame.goOn(operation))
        return false;
    }
  };
}

Step planExecuteRegion(Planner &planner, scf::ExecuteRegionOp op) {
  return planner.planRegion(op.getRegion(), planner.slots(op.getResults()));
}

Step planIndexSwitch(Planner &planner, scf::IndexSwitchOp op) {
  const SmallVector<Slot> results = planner.slots(op.getResults());
  Step otherwise = planner.planRegion(op.getDefaultRegion(), results);
  std::vector<std::pair<int64_t, Step>> cases;
  for (auto [value, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    cases.emplace_back(value, planner.planRegion(region, results));
  if (!otherwise || llvm::any_of(cases, [](auto &one) { return !one.second; }))
    return {};
  return [=, at = planner.slot(op.getArg())](Frame &frame) {
    const int64_t value = *frame.at<int64_t>(at);
    for (const auto &[label, run] : cases)
      if (label == value)
        return run(frame);
    return otherwise(frame);
  };
}

/// The body where the predicate is true; its results are zero elsewhere.
Step planMask(Planner &planner, ttg::MaskOp op) {
  Step body = planner.planRegion(op.getRegion(), planner.slots(op.getResult()));
  if (!body)
    return {};
  std::vector<std::pair<Slot, size_t>> results;
  for (Value result : op.getResult())
    results.emplace_back(planner.slot(result), planner.bytesOf(result));
  return [=, live = planner.slot(op.getPred())](Frame &frame) {
    if (*frame.at<uint8_t>(live))
      return body(frame);
    for (auto [slot, bytes] : results)
      std::memset(frame.at<char>(slot), 0, bytes);
    return true;
  };
}

/// Stages before the last one are that many iterations ahead.
Step planPredicateStage(Planner &planner, ttg::PredicateStageOp op) {
  const int64_t ahead =
      int64_t(op.getMaxStage()) - static_cast<int64_t>(op.getStage());
  return withInt(
      planner.storage(op.getIv()).element, [&]<typename T>() -> Step {
        return [=, iv = planner.slot(op.getIv()),
                end = planner.slot(op.getUb()),
                step = planner.slot(op.getStep()),
                to = planner.slot(op.getResult())](Frame &frame) {
          auto value = [&](Slot slot) -> __int128 {
            return T::loadSigned(*frame.at<typename T::Storage>(slot));
          };
          *frame.at<uint8_t>(to) = value(iv) + value(step) * ahead < value(end);
          return true;
        };
      });
}

Step planCall(Planner &planner, tt::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
      op, op.getCalleeAttr());
  if (!callee) {
    op.emitError("no function is named '") << op.getCallee() << "'";
    return {};
  }
  const Planner::Function *function = planner.planFunction(callee, op);
  if (!function)
    return {};
  Step pass = planner.assign(op.getOperands(), function->arguments);
  struct Copy {
    Slot to, from;
    size_t bytes;
  };
  SmallVector<Copy> results;
  for (auto [result, from] :
       llvm::zip_equal(op.getResults(), function->results))
    results.push_back({planner.slot(result), from, planner.bytesOf(result)});
  return [pass, run = function->run, results](Frame &frame) {
    if (!pass(frame) || !run(frame))
      return false;
    for (const Copy &copy : results)
      std::memcpy(frame.at<char>(copy.to), frame.at<char>(copy.from),
                  copy.bytes);
    return true;
  };
}

Step planProgramId(Planner &planner, tt::GetProgramIdOp op) {
  return [to = planner.slot(op.getResult()),
          axis = unsigned(op.getAxis())](Frame &frame) {
    *frame.at<uint32_t>(to) = frame.program.id.axis[axis];
    return true;
  };
}

Step planNumPrograms(Planner &planner, tt::GetNumProgramsOp op) {
  return [to = planner.slot(op.getResult()),
          axis = unsigned(op.getAxis())](Frame &frame) {
    *frame.at<uint32_t>(to) = frame.program.grid[axis];
    return true;
  };
}

template <typename OpT> Step planAssert(Planner &planner, OpT op) {
  const Storage &storage = planner.storage(op.getCondition());
  return [from = planner.slot(op.getCondition()), shape = storage.shape,
          count = storage.count, operation = op.getOperation(),
          message = op.getMessage().str()](Frame &frame) {
    const uint8_t *holds = frame.at<uint8_t>(from);
    for (size_t i = 0; i < count; ++i)
      if (!holds[i])
        return frame.fault(operation, frame.programName() +
                                          elementName(shape, i) +
                                          ": assertion failed: " + message);
    return true;
  };
}

Step planPrint(Planner &planner, tt::PrintOp op) {
  planner.runInOrder();
  struct Printed {
    Slot slot;
    Storage storage;
    bool isSigned;
  };
  SmallVector<Printed> values;
  for (auto [index, value] : llvm::enumerate(op.getArgs()))
    values.push_back(
        {planner.slot(value), planner.storage(value),
         index >= op.getIsSigned().size() || op.getIsSigned()[index] != 0});
  return [=, hex = op.getHex(), prefix = op.getPrefix().str()](Frame &frame) {
    if (!frame.program.print)
      return true;
    llvm::raw_ostream &out = *frame.program.print;
    if (values.empty())
      out << frame.programName() << prefix << "\n";
    for (const Printed &value : values) {
      const Storage &storage = value.storage;
      for (size_t i = 0; i < storage.count; ++i) {
        out << frame.programName() << elementName(storage.shape, i) << prefix;
        const size_t size = sizeOf(storage.element);
        const char *from = frame.at<char>(value.slot) + i * size;
        if (hex || !(isInt(storage.element) || isFloat(storage.element))) {
          uint64_t bits = 0;
          std::memcpy(&bits, from, size);
          out << llvm::format_hex(bits, 2 + 2 * size);
        } else if (isFloat(storage.element)) {
          withFloat(storage.element, [&]<typename T>() {
            typename T::Storage stored;
            std::memcpy(&stored, from, sizeof(stored));
            out << llvm::format("%f", double(T::load(stored)));
          });
        } else {
          withInt(storage.element, [&]<typename T>() {
            typename T::Storage stored;
            std::memcpy(&stored, from, sizeof(stored));
            if (value.isSigned && T::width > 1)
              out << T::loadSigned(stored);
            else
              out << T::loadUnsigned(stored);
          });
        }
        out << "\n";
      }
    }
    return true;
  };
}

} // namespace

void registerControl(Registry &r) {
  r.add<scf::ForOp>(planFor);
  r.add<scf::IfOp>(planIf);
  r.add<scf::WhileOp>(planWhile);
  r.add<scf::ExecuteRegionOp>(planExecuteRegion);
  r.add<scf::IndexSwitchOp>(planIndexSwitch);
  r.add<ttg::MaskOp>(planMask);
  r.add<ttg::PredicateStageOp>(planPredicateStage);
  r.add<tt::CallOp>(planCall);
  r.add<tt::GetProgramIdOp>(planProgramId);
  r.add<tt::GetNumProgramsOp>(planNumPrograms);
  r.add<tt::AssertOp>(planAssert<tt::AssertOp>);
  r.add<tti::ExperimentalAssertUniformOp>(
      planAssert<tti::ExperimentalAssertUniformOp>);
  r.add<tt::PrintOp>(planPrint);
  // Hints to a scheduler, and waits for launches before this one.
  for (StringRef name :
       {"tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents",
        "rocdl.s.setprio", "rocdl.sched.barrier", "rocdl.sched.group.barrier",
        "rocdl.iglp.opt", "llvm.intr.assume"})
    r.add(name, planNothing);
}

} // namespace kernelscope::executor
