//===- Scan.cpp - tt.scan -------------------------------------------------===//
//
// A scan goes over the bits of the position along the axis, lowest first. After
// a bit every element knows what lies before it in its block of that size (the
// carry), and every block its total. The bit may be one of the register, of the
// lane, of the warp, or of the block in its cluster: a lane's partner is a
// shuffle away, warps and blocks exchange totals through shared memory. A
// reverse scan counts positions from the end.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/ScanPlan.h"
#include "passes/lower/support/Scratch.h"
#include "passes/lower/support/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

using Step = ScanStep;

/// What warps, or blocks, exchange: totals for each place across the axis, and
/// for each place along it that is processed later.
WarpPartials partialsOf(tt::ScanOp op, const ScanPlan &plan, Step::Kind kind) {
  const AxisSplit &split = plan.split;
  uint32_t registers = split.registers.across | split.registers.along;
  uint32_t lanes = split.lanes.across | split.lanes.along;
  for (const Step &step : plan.steps) {
    if (step.kind == kind)
      break;
    if (step.kind == Step::Register)
      registers &= ~(1u << step.bit);
    else if (step.kind == Step::Lane)
      lanes &= ~(1u << step.bit);
  }
  AxisBits warps = split.warps, blocks;
  if (kind == Step::Block) {
    warps.along = 0; // all have the same totals
    blocks = split.blocks;
  }
  return WarpPartials(ttg::toLinearLayout(op.getInputTypes().front()),
                      llvm::popcount(registers), lanes, warps, blocks);
}

unsigned bytesFor(tt::ScanOp op, const ScanPlan &plan, Step::Kind kind) {
  const AxisBits &bits =
      kind == Step::Warp ? plan.split.warps : plan.split.blocks;
  return bits.along ? partialsOf(op, plan, kind).bytes(op.getElementTypes())
                    : 0;
}

} // namespace

static unsigned scanScratchBytes(tt::ScanOp op) {
  ScanPlan plan = planScan(op);
  if (!plan.isRegular)
    return 0;
  return bytesFor(op, plan, Step::Warp) + bytesFor(op, plan, Step::Block);
}

void lower::attachScanScratch(DialectRegistry &registry) {
  attachScratch<tt::TTDialect, tt::ScanOp, scanScratchBytes>(registry);
}

namespace {

/// Emits one scan.
class Scanner {
public:
  Scanner(lower::Builder &b, const lower::TypeConverter &converter,
          const TargetHooks &hooks, ConversionPatternRewriter &rewriter,
          tt::ScanOp op, ScanPlan plan)
      : b(b), converter(converter), hooks(hooks), rewriter(rewriter), op(op),
        plan(std::move(plan)) {}

  std::vector<Tuple> scan(std::vector<Tuple> elements) {
    results = std::move(elements);
    uint32_t copies =
        ~(plan.split.registers.along | plan.split.registers.across);
    scanOwn(copies);
    for (size_t i = plan.ownSteps; i < plan.steps.size(); ++i) {
      const Step &step = plan.steps[i];
      if (step.kind == Step::Register)
        overRegisters(step.bit);
      else if (step.kind == Step::Lane)
        overLanes(step.bit);
      else
        i += overGroups(step.kind) - 1;
    }
    for (unsigned r = 0; r < results.size(); ++r) {
      if (r & copies) {
        results[r] = results[r & ~copies];
        continue;
      }
      const Carry &carry = carries[r & ~ownMask];
      if (!carry.isThere)
        continue;
      results[r] =
          choose(carry.isThere, combine(carry.value, results[r]), results[r]);
    }
    return std::move(results);
  }

private:
  /// What lies before a block, if anything does: known here, on a thread, or
  /// never (null).
  struct Carry {
    Value isThere;
    Tuple value;
  };

  Tuple combine(const Tuple &first, const Tuple &second) {
    return emitCombination(rewriter, converter, op.getCombineOp(), first,
                           second);
  }

  Tuple choose(Value condition, const Tuple &yes, const Tuple &no) {
    if (tt::constantOf(condition))
      return *tt::constantOf(condition) ? yes : no;
    Tuple result;
    for (auto [x, y] : llvm::zip_equal(yes, no))
      result.push_back(b.select(condition, x, y));
    return result;
  }

  /// Puts `before` in front of the carry where `condition` holds.
  void prepend(Carry &carry, Value condition, const Tuple &before) {
    if (!carry.isThere) {
      carry = {condition, before};
      return;
    }
    Tuple both = choose(carry.isThere, combine(before, carry.value), before);
    carry.value = choose(condition, both, carry.value);
    carry.isThere = b.bitOr(carry.isThere, condition);
  }

  /// The registers that a block starts with, of those that differ in `bits`.
  unsigned firstOf(uint32_t bits) { return op.getReverse() ? bits : 0; }

  /// The registers of each own block, one by one. A block is named by the
  /// register that has no own bits.
  void scanOwn(uint32_t copies) {
    for (unsigned i = 0; i < plan.ownSteps; ++i)
      ownMask |= 1u << plan.steps[i].bit;
    for (unsigned block = 0; block < results.size(); ++block) {
      if (block & (ownMask | copies))
        continue;
      unsigned previous = 0;
      for (unsigned position = 0; position < 1u << plan.ownSteps; ++position) {
        unsigned r = block | firstOf(ownMask);
        for (unsigned i = 0; i < plan.ownSteps; ++i)
          if (position >> i & 1)
            r ^= 1u << plan.steps[i].bit;
        if (position)
          results[r] = combine(results[previous], results[r]);
        previous = r;
      }
      totals[block] = results[previous];
      carries[block] = {};
    }
  }

  void overRegisters(unsigned bit) {
    uint32_t mask = 1u << bit;
    Value always = b.i1(true);
    done |= mask;
    for (auto &[block, carry] : carries)
      if ((block & mask) != firstOf(mask))
        prepend(carry, always, totals[(block ^ mask) & ~(done & ~mask)]);
    std::map<unsigned, Tuple> joined;
    for (auto &[block, total] : totals)
      if (!(block & mask))
        joined[block] = combine(totals[block | firstOf(mask)],
                                totals[block | (mask ^ firstOf(mask))]);
    totals = std::move(joined);
  }

  /// An i1: this place is in the later half along `bit`.
  Value isLater(Value index, unsigned bit) {
    return b.icmp(op.getReverse() ? ICmp::eq : ICmp::ne,
                  b.bitAnd(index, b.i32(int32_t(1) << bit)), b.i32(0));
  }

  void overLanes(unsigned bit) {
    Value later = isLater(hooks.laneId(b), bit);
    std::map<unsigned, Tuple> joined;
    for (auto &[block, total] : totals) {
      Tuple other = llvm::map_to_vector(total, [&](Value value) {
        return hooks.shuffleXor(b, value, 1u << bit);
      });
      for (auto &[place, carry] : carries)
        if ((place & ~done) == block)
          prepend(carry, later, other);
      joined[block] =
          combine(choose(later, other, total), choose(later, total, other));
    }
    totals = std::move(joined);
  }

  /// Over all warps, or blocks; returns how many steps these are.
  unsigned overGroups(Step::Kind kind) {
    // The group's position along the axis.
    Value group = kind == Step::Warp ? hooks.warpId(b) : hooks.ctaId(b),
          index = b.i32(0), base = sharedMemoryOf(b, op);
    if (kind == Step::Block)
      base = b.gep(b.intType(8), base,
                   b.i32(static_cast<int32_t>(bytesFor(op, plan, Step::Warp))));
    unsigned count = 0;
    for (const Step &step : plan.steps)
      if (step.kind == kind) {
        Value bit = b.bitAnd(
            b.lshr(group, b.i32(static_cast<int32_t>(step.bit))), b.i32(1));
        index = b.bitOr(index, b.shl(bit, b.i32(static_cast<int32_t>(count))));
        ++count;
      }
    int32_t last = (int32_t(1) << count) - 1;

    std::vector<Tuple> own;
    own.reserve(totals.size());
    for (auto &[block, total] : totals)
      own.push_back(total);
    auto partials = partialsOf(op, plan, kind)
                        .exchange(b, hooks, base, op.getElementTypes(), own);
    for (auto [entry, ofGroups] : llvm::zip_equal(totals, partials)) {
      auto inOrder = [&](int32_t position) {
        return op.getReverse() ? last - position : position;
      };
      Tuple sum = ofGroups[inOrder(0)], before = sum;
      for (int32_t position = 1; position <= last; ++position) {
        if (position > 1)
          before = choose(b.icmp(ICmp::eq, index, b.i32(inOrder(position))),
                          sum, before);
        sum = combine(sum, ofGroups[inOrder(position)]);
      }
      Value isNotFirst = b.icmp(ICmp::ne, index, b.i32(inOrder(0)));
      for (auto &[place, carry] : carries)
        if ((place & ~done) == entry.first)
          prepend(carry, isNotFirst, before);
      entry.second = sum;
    }
    return count;
  }

  lower::Builder &b;
  const lower::TypeConverter &converter;
  const TargetHooks &hooks;
  ConversionPatternRewriter &rewriter;
  tt::ScanOp op;
  ScanPlan plan;
  /// By register: the scan within the own block so far.
  std::vector<Tuple> results;
  /// By own block.
  std::map<unsigned, Carry> carries;
  /// By block of all bits done so far.
  std::map<unsigned, Tuple> totals;
  /// Bits of the register index within an own block, and done after those.
  uint32_t ownMask = 0, done = 0;
};

class ScanPattern : public lower::Pattern<tt::ScanOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ScanPlan plan = planScan(op);
    if (failed(checkSplit(op, plan.split)))
      return failure();
    if (!plan.isRegular)
      return op.emitOpError(
          "has a layout whose warps are not adjacent along the axis, or whose "
          "CTAs are not outermost; run convert-combined-operands first");
    lower::Builder b(op, rewriter);
    if (plan.split.blocks.along && failed(checkClusterExchange(b, hooks, op)))
      return failure();
    Scanner scanner(b, converter, hooks, rewriter, op, std::move(plan));
    std::vector<Tuple> results =
        scanner.scan(unpackTuples(b, adaptor.getSrcs()));
    rewriter.replaceOp(op,
                       packTuples(b, converter, results, op.getResultTypes()));
    return success();
  }
};

} // namespace

void lower::populateScanPatterns(const TypeConverter &converter,
                                 Patterns &patterns, const TargetHooks &hooks) {
  patterns.add<ScanPattern>(converter, hooks);
}
