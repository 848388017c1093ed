//===- AssignStagePhase.cpp - Which stage of a reference is next ----------===//
//
// `nvws-assign-stage-phase`: each owner of a side of a reference counts the
// stages that it enters, in values that go around loops and branches. The stage
// of a region goes where its token goes.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/Owners.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/Passes.h"
#include "passes/nvws/Chains.h"
#include "passes/nvws/Marks.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSASSIGNSTAGEPHASE
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// Where an owner is in a ring: the stage that it entered last, and its phase.
struct Turn {
  Value stage, phase;
};

class StageAssignment {
public:
  LogicalResult run(ModuleOp module) {
    chains = nvws::findChains(module);
    if (chains.empty())
      return success();
    for (auto [i, chain] : llvm::enumerate(chains))
      for (Operation *enter : chain.enters)
        chainOf[enter] = i;
    tokens = nvws::followTokens(chains);
    turns.resize(chains.size());
    for (auto function : module.getOps<tt::FuncOp>())
      if (!function.isExternal() && failed(assign(function.getBody())))
        return failure();
    return success();
  }

private:
  using Turns = SmallVector<Turn>;

  LogicalResult assign(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block))
        if (failed(assign(&op)))
          return failure();
    return success();
  }

  LogicalResult assign(Operation *op) {
    if (auto aref = dyn_cast<nvws::ArefCreateOp>(op)) {
      for (auto [chain, turn] : llvm::zip_equal(chains, turns))
        if (chain.aref == aref)
          turn = {};
      return success();
    }
    if (auto put = dyn_cast<nvws::ArefPutEnterOp>(op))
      return assignEnter(put);
    if (auto get = dyn_cast<nvws::ArefGetEnterOp>(op))
      return assignEnter(get);
    if (isa<nvws::ArefPutExitOp, nvws::ArefGetExitOp, nvws::ArefBufferOp>(op))
      return assignOfToken(op);
    if (op->getNumRegions() == 0)
      return success();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return assignFor(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return assignIf(branch);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return assignWhile(loop);
    return assignOther(op);
  }

  //===------------------------------------------------------------------===//
  // Ops on references
  //===------------------------------------------------------------------===//

  Value constant(OpBuilder &b, Operation *marked, int32_t value) {
    auto made = arith::ConstantOp::create(b, marked->getLoc(),
                                          b.getI32IntegerAttr(value));
    nvws::copyMarks(marked, made);
    return made;
  }

  /// The turn of a chain before `op`: at first, before the first stage.
  Turn &turnBefore(Operation *op, size_t number) {
    Turn &turn = turns[number];
    if (turn.stage)
      return turn;
    OpBuilder b(op);
    nvws::Chain &chain = chains[number];
    // Beside the reference, unless other warps count.
    if (chain.owner.region->isAncestor(chain.aref->getParentRegion()))
      b.setInsertionPointAfter(chain.aref);
    auto first = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(b, op->getLoc(),
                                       b.getI32IntegerAttr(value));
    };
    return turn = {first(chain.depth() - 1), first(chain.isPut ? 0 : 1)};
  }

  template <typename Enter> LogicalResult assignEnter(Enter enter) {
    auto found = chainOf.find(enter);
    if (found == chainOf.end()) {
      stageOf[enter.getToken()] = enter.getStage();
      return success();
    }
    Turn &turn = turnBefore(enter, found->second);
    OpBuilder b(enter);
    auto mark = [&](auto op) -> Value {
      nvws::copyMarks(enter, op);
      return op;
    };
    Location loc = enter.getLoc();
    int32_t depth = chains[found->second].depth();
    Value one = constant(b, enter, 1), zero = constant(b, enter, 0);
    Value next = mark(arith::AddIOp::create(b, loc, turn.stage, one));
    Value wraps = mark(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             next, constant(b, enter, depth)));
    Value flipped = mark(arith::XOrIOp::create(b, loc, turn.phase, one));
    turn = {mark(arith::SelectOp::create(b, loc, wraps, zero, next)),
            mark(arith::SelectOp::create(b, loc, wraps, flipped, turn.phase))};
    enter.getStageMutable().assign(turn.stage);
    enter.getPhaseMutable().assign(turn.phase);
    stageOf[enter.getToken()] = turn.stage;
    return success();
  }

  LogicalResult assignOfToken(Operation *op) {
    auto assignTo = [&](auto user) -> LogicalResult {
      if (!nvws::isCounted(user))
        return success();
      Value stage = stageOf.lookup(user.getToken());
      if (!stage && user.getStage())
        return success();
      if (!stage)
        return op->emitOpError(
            "takes a token whose enter cannot be found; the token may pass "
            "only through scf loops and branches");
      user.getStageMutable().assign(stage);
      return success();
    };
    if (auto exit = dyn_cast<nvws::ArefPutExitOp>(op))
      return assignTo(exit);
    if (auto exit = dyn_cast<nvws::ArefGetExitOp>(op))
      return assignTo(exit);
    return assignTo(cast<nvws::ArefBufferOp>(op));
  }

  //===------------------------------------------------------------------===//
  // Control flow
  //===------------------------------------------------------------------===//

  /// The chains that `op` must carry: those with an enter in it, unless the
  /// reference is made in it or groups of warps in it own them.
  SmallVector<size_t> chainsIn(Operation *op) {
    SmallVector<size_t> found;
    for (auto [i, chain] : llvm::enumerate(chains))
      if (!op->isProperAncestor(chain.aref) &&
          !op->isProperAncestor(chain.owner.region->getParentOp()) &&
          llvm::any_of(chain.enters, [&](Operation *enter) {
            return op->isProperAncestor(enter);
          }))
        found.push_back(i);
    return found;
  }

  /// Which of `values` are tokens of references.
  SmallVector<size_t> tokensAmong(ValueRange values) {
    SmallVector<size_t> found;
    for (auto [i, value] : llvm::enumerate(values))
      if (tokens.contains(value))
        found.push_back(i);
    return found;
  }

  /// The stage of `token`; any for one that is not of a region.
  Value stageBefore(Operation *op, Value token) {
    if (Value stage = stageOf.lookup(token))
      return stage;
    OpBuilder b(op);
    return arith::ConstantOp::create(b, op->getLoc(), b.getI32IntegerAttr(0));
  }

  /// What is carried through `op` of `carried` chains, and of the tokens in
  /// `places` of `values`.
  SmallVector<Value> valuesBefore(Operation *op, ArrayRef<size_t> carried,
                                  ArrayRef<size_t> places, ValueRange values) {
    SmallVector<Value> all;
    for (size_t chain : carried) {
      Turn turn = turnBefore(op, chain);
      all.append({turn.stage, turn.phase});
    }
    for (size_t place : places)
      all.push_back(stageBefore(op, values[place]));
    return all;
  }

  /// `all`, in the order of `valuesBefore`, are what they are from here on.
  void take(ValueRange all, ArrayRef<size_t> carried, ArrayRef<size_t> places,
            ValueRange values) {
    for (auto [i, chain] : llvm::enumerate(carried))
      turns[chain] = {all[2 * i], all[2 * i + 1]};
    for (auto [i, place] : llvm::enumerate(places))
      stageOf[values[place]] = all[2 * carried.size() + i];
  }

  /// `op` with what it carries as more operands and results.
  Operation *carry(Operation *op, ValueRange operands, size_t count,
                   ArrayRef<size_t> carried, ArrayRef<size_t> places) {
    SmallVector<DenseI32ArrayAttr> owners;
    for (size_t chain : carried)
      owners.append(2, chains[chain].owner.partition);
    for (size_t place : places)
      owners.push_back(nvws::ownersOfResult(op, place));
    SmallVector<Type> types(count, IntegerType::get(op->getContext(), 32));
    SmallVector<size_t> results = tokensAmong(op->getResults());
    for (size_t result : results)
      tokens.erase(op->getResult(result));
    Operation *made = nvws::grow(op, operands, types, owners);
    for (size_t result : results)
      tokens.insert(made->getResult(result));
    return made;
  }

  SmallVector<Value> addArguments(Block &block, size_t count) {
    SmallVector<Value> made;
    for (size_t i = 0; i < count; ++i)
      made.push_back(
          block.addArgument(IntegerType::get(block.front().getContext(), 32),
                            block.getParentOp()->getLoc()));
    return made;
  }

  static void append(Operation *terminator, ValueRange values) {
    terminator->insertOperands(terminator->getNumOperands(), values);
  }

  LogicalResult assignFor(scf::ForOp loop) {
    SmallVector<size_t> carried = chainsIn(loop),
                        places = tokensAmong(loop.getRegionIterArgs());
    if (!carried.empty() || !places.empty()) {
      auto inits = valuesBefore(loop, carried, places, loop.getInitArgs());
      loop =
          cast<scf::ForOp>(carry(loop, inits, inits.size(), carried, places));
      auto arguments = addArguments(*loop.getBody(), inits.size());
      take(arguments, carried, places, loop.getRegionIterArgs());
    }
    if (failed(assign(loop.getRegion())))
      return failure();
    Operation *yield = loop.getBody()->getTerminator();
    size_t before = yield->getNumOperands();
    SmallVector<Value> yielded(yield->getOperands());
    append(yield, valuesBefore(yield, carried, places, yielded));
    take(loop.getResults().drop_front(before), carried, places,
         loop.getResults());
    return success();
  }

  LogicalResult assignIf(scf::IfOp branch) {
    SmallVector<size_t> carried = chainsIn(branch),
                        places = tokensAmong(branch.getResults());
    for (size_t chain : carried)
      turnBefore(branch, chain);
    size_t before = branch.getNumResults(),
           count = 2 * carried.size() + places.size();
    if (count > 0)
      branch = cast<scf::IfOp>(carry(branch, {}, count, carried, places));
    if (count > 0 && branch.getElseRegion().empty()) {
      OpBuilder b =
          OpBuilder::atBlockEnd(&branch.getElseRegion().emplaceBlock());
      scf::YieldOp::create(b, branch.getLoc());
    }
    const Turns atStart = turns;
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      if (region->empty())
        continue;
      turns = atStart;
      if (failed(assign(*region)))
        return failure();
      Operation *yield = region->front().getTerminator();
      SmallVector<Value> yielded(yield->getOperands());
      append(yield, valuesBefore(yield, carried, places, yielded));
    }
    turns = atStart;
    take(branch.getResults().drop_front(before), carried, places,
         branch.getResults());
    return success();
  }

  LogicalResult assignWhile(scf::WhileOp loop) {
    SmallVector<size_t> carried = chainsIn(loop),
                        into = tokensAmong(loop.getBeforeArguments()),
                        onward = tokensAmong(loop.getAfterArguments());
    auto inits = valuesBefore(loop, carried, into, loop.getInits());
    size_t before = loop.getNumResults(),
           count = 2 * carried.size() + onward.size();
    loop = cast<scf::WhileOp>(carry(loop, inits, count, carried, onward));
    auto arguments = addArguments(*loop.getBeforeBody(), inits.size());
    take(arguments, carried, into, loop.getBeforeArguments());
    if (failed(assign(loop.getBefore())))
      return failure();
    scf::ConditionOp condition = loop.getConditionOp();
    SmallVector<Value> passed(condition.getArgs());
    append(condition, valuesBefore(condition, carried, onward, passed));
    arguments = addArguments(*loop.getAfterBody(), count);
    take(arguments, carried, onward, loop.getAfterArguments());
    if (failed(assign(loop.getAfter())))
      return failure();
    Operation *yield = loop.getYieldOp();
    SmallVector<Value> yielded(yield->getOperands());
    append(yield, valuesBefore(yield, carried, into, yielded));
    take(loop.getResults().drop_front(before), carried, onward,
         loop.getResults());
    return success();
  }

  /// Groups of warps count for themselves; other ops must not contain regions
  /// of references.
  LogicalResult assignOther(Operation *op) {
    bool startsWarps = isa<nvws::WarpGroupOp, ttg::WarpSpecializeOp,
                           ttg::WarpSpecializePartitionsOp>(op);
    if (!startsWarps)
      if (SmallVector<size_t> inside = chainsIn(op); !inside.empty())
        return op->emitOpError(
            "encloses regions of references; stages can be counted only "
            "through scf.for, scf.if, scf.while and warp groups");
    for (nvws::Chain &chain : chains)
      if (startsWarps && chain.owner.region->getParentOp() == op &&
          op->getParentOfType<LoopLikeOpInterface>() !=
              chain.aref->getParentOfType<LoopLikeOpInterface>()) {
        InFlightDiagnostic error =
            op->emitOpError("starts its warps again in every iteration of a "
                            "loop, but uses a reference from outside the loop; "
                            "create the reference in the loop");
        error.attachNote(chain.aref.getLoc()) << "created here";
        return error;
      }
    const Turns atStart = turns;
    for (Region &region : op->getRegions()) {
      if (failed(assign(region)))
        return failure();
      turns = atStart;
    }
    return success();
  }

  std::vector<nvws::Chain> chains;
  DenseMap<Operation *, size_t> chainOf;
  DenseSet<Value> tokens;
  DenseMap<Value, Value> stageOf;
  Turns turns;
};

class NvwsAssignStagePhase
    : public kernelscope::impl::NvwsAssignStagePhaseBase<NvwsAssignStagePhase> {
public:
  void runOnOperation() override {
    if (failed(StageAssignment().run(getOperation())))
      signalPassFailure();
  }
};

} // namespace
