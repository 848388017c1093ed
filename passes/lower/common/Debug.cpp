//===- Debug.cpp - tt.assert, cf.assert and tt.print ----------------------===//
//
// An assertion that fails says so and stops the kernel. A print is one line for
// each element, from one thread, in the words of a run on the CPU, and with the
// warp and the thread of the block.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

/// The line of the source that `loc` names, of nested ones the innermost.
SourcePlace placeOf(Operation *op) {
  SourcePlace place{"unknown", "unknown", 0};
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    place.function = function.getName().str();
  op->getLoc()->walk([&](Location loc) {
    auto line = dyn_cast<FileLineColLoc>(loc);
    if (!line)
      return WalkResult::advance();
    place.file = line.getFilename().str();
    place.line = line.getLine();
    return WalkResult::interrupt();
  });
  return place;
}

/// tt.assert and cf.assert.
template <typename Op> class AssertPattern : public Pattern<Op> {
public:
  using Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    Value holds = b.i1(true);
    for (Value element : unpackElements(b, adaptor.getOperands().front()))
      holds = b.bitAnd(holds, element);
    StringRef message;
    if constexpr (std::is_same_v<Op, tt::AssertOp>)
      message = op.getMessage();
    else
      message = op.getMsg();
    SourcePlace place = placeOf(op);
    actWhere(b, rewriter, b.bitXor(holds, b.i1(true)),
             [&] { this->hooks.failAssertion(b, message, place); });
    rewriter.eraseOp(op);
    return success();
  }
};

class PrintPattern : public Pattern<tt::PrintOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<Value> who = hooks.executingThread(b);
    constexpr StringLiteral whoFormat = TargetHooks::executingThreadFormat;
    std::string prefix;
    for (char c : op.getPrefix())
      prefix += c == '%' ? "%%" : std::string(1, c);

    if (op.getArgs().empty())
      actWhere(b, rewriter, holdsFirstCopy(b, b.intType(32), hooks, op),
               [&] { hooks.print(b, (whoFormat + prefix + "\n").str(), who); });
    for (auto [index, packed] : llvm::enumerate(adaptor.getArgs())) {
      Type type = op.getArgs()[index].getType();
      bool isSigned =
          index >= op.getIsSigned().size() || op.getIsSigned()[index] != 0;
      SmallVector<Value> elements = unpackElements(b, packed);
      SmallVector<SmallVector<Value>> places(1);
      std::string format = whoFormat.str();
      if (auto tensor = dyn_cast<RankedTensorType>(type)) {
        places = emitIndices(b, ttg::toLinearLayout(tensor), hooks);
        format += ", element [";
        for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
          format += dim ? ", %u" : "%u";
        format += "]";
      }
      Value first = holdsFirstCopy(b, type, hooks, op);
      actWhere(b, rewriter, first, [&] {
        for (ArrayRef<unsigned> access : planAccesses(op, type).accesses)
          for (unsigned r : access) {
            SmallVector<Value> arguments = who;
            llvm::append_range(arguments, places[r]);
            auto [conversion, value] =
                printable(b, elements[r], getElementTypeOrSelf(type), isSigned,
                          op.getHex());
            arguments.push_back(value);
            hooks.print(b, (Twine(format) + prefix + conversion + "\n").str(),
                        arguments);
          }
      });
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The conversion of C's printf for an element of `type`, and what to pass.
  static std::pair<std::string, Value>
  printable(Builder &b, Value value, Type type, bool isSigned, bool isHex) {
    Type i32 = b.intType(32), i64 = b.intType(64);
    if (isa<FloatType>(value.getType()) && !isHex)
      return {"%f", b.fpext(b.getBuilder().getF64Type(), value)};
    unsigned bits = bitWidth(value.getType());
    value = b.toBits(value);
    std::string length = bits > 32 ? "ll" : "";
    Type wide = bits > 32 ? i64 : i32;
    // Narrow floats are integers in LLVM; pointers have no sign.
    if (isHex || !isa<IntegerType>(type)) {
      unsigned digits = 2 * std::max(1u, bits / 8);
      return {"0x%0" + std::to_string(digits) + length + "x",
              b.zextOrTrunc(wide, value)};
    }
    if (isSigned && bits > 1)
      return {"%" + length + "d", b.sextOrTrunc(wide, value)};
    return {"%" + length + "u", b.zextOrTrunc(wide, value)};
  }
};

} // namespace

void populateDebugPatterns(const TypeConverter &converter, Patterns &patterns,
                           const TargetHooks &hooks) {
  patterns.add<AssertPattern<tt::AssertOp>, AssertPattern<cf::AssertOp>,
               PrintPattern>(converter, hooks);
}

} // namespace kernelscope::lower
