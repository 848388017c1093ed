//===- InlineCode.cpp - Inline assembly and library functions -------------===//
//
// tt.elementwise_inline_asm, ttg.inline_asm and tt.extern_elementwise.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

class ExternPattern : public Pattern<tt::ExternElementwiseOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::ExternElementwiseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<SmallVector<Value>> operands;
    for (Value operand : adaptor.getSrcs())
      operands.push_back(unpackElements(b, operand));
    Type type = op.getResult().getType();
    Type element = converter.convertElement(getElementTypeOrSelf(type));
    Type packed = converter.convertType(type);
    size_t count = isa<RankedTensorType>(type) ? numFields(packed) : 1;
    SmallVector<Value> results;
    for (size_t i = 0; i < count; ++i) {
      SmallVector<Value> x;
      for (auto &elements : operands)
        x.push_back(elements[i]);
      Value result = hipFunction(b, op.getSymbol(), element, x);
      results.push_back(result ? result
                               : b.callFunction(op.getSymbol(), element, x));
    }
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }

private:
  /// What Triton's compiler for AMD makes of names that no library has, of any
  /// type; null for all others.
  Value hipFunction(Builder &b, StringRef symbol, Type result,
                    ArrayRef<Value> x) const {
    if (!symbol.consume_front("__triton_hip_"))
      return {};
    Type type = x[0].getType();
    auto power = [&](double factor) {
      return hooks.math(b, MathFunction::Exp2,
                        b.fmul(x[0], b.floatConstant(type, factor)));
    };
    if (symbol == "iabs")
      return b.intrinsic("llvm.abs", type, {x[0], b.i1(false)});
    if (symbol == "fabs" || symbol == "rint")
      return b.intrinsic(("llvm." + symbol).str(), type, x[0]);
    if (symbol == "llrint")
      return b.fptosi(result, b.intrinsic("llvm.rint", type, x[0]));
    if (symbol == "fast_expf")
      return power(llvm::numbers::log2e);
    if (symbol == "fast_fdividef")
      return hooks.divide(b, x[0], x[1], /*precise=*/false);
    if (symbol == "fast_tanhf") {
      // 1 - 2 / (e^2x + 1): exact at both infinities.
      Value one = b.floatConstant(type, 1.0), two = b.floatConstant(type, 2.0);
      return b.fsub(one,
                    hooks.divide(b, two,
                                 b.fadd(power(2 * llvm::numbers::log2e), one),
                                 /*precise=*/false));
    }
    return {};
  }
};

/// The letters of constraints (LLVM's LangRef, "Supported Constraint Code
/// List"): a vendor's classes of registers, and what LLVM knows on all targets,
/// memory and constants.
StringRef asmRegisters(const Target &target) {
  return target.isNvidia() ? "bchrlqfd" : "rsva";
}
constexpr StringRef asmMemoryAndConstants = "moVpniEFsXgIJKLMNOPABC";

/// An error on `op` unless `constraints` has as many outputs and inputs, with
/// letters of the target: LLVM crashes later, or does not say where.
LogicalResult checkConstraints(Operation *op, const TargetHooks &hooks,
                               StringRef constraints, size_t outputs,
                               size_t inputs) {
  size_t foundOutputs = 0, foundInputs = 0;
  const llvm::InlineAsm::ConstraintInfoVector parsed =
      llvm::InlineAsm::ParseConstraints(constraints);
  bool isReadable = !parsed.empty() || constraints.empty();
  for (const llvm::InlineAsm::ConstraintInfo &info : parsed) {
    if (info.Type == llvm::InlineAsm::isClobber ||
        info.Type == llvm::InlineAsm::isLabel)
      continue;
    const bool isOutput =
        info.Type == llvm::InlineAsm::isOutput && !info.isIndirect;
    isReadable &= !isOutput || foundInputs == 0;
    ++(isOutput ? foundOutputs : foundInputs);
    for (StringRef code : info.Codes) {
      const StringRef registers = asmRegisters(hooks.getTarget());
      if (code.size() != 1 || !llvm::isAlpha(code.front()) ||
          registers.contains(code) || asmMemoryAndConstants.contains(code))
        continue;
      InFlightDiagnostic error = op->emitOpError("has the constraint '")
                                 << code << "' in \"" << constraints
                                 << "\", which " << hooks.getTarget().arch
                                 << " does not have; it has registers of ";
      llvm::interleaveComma(registers, error, [&](char letter) {
        error << "'" << letter << "'";
      });
      return error;
    }
  }
  if (!isReadable)
    return op->emitOpError("has constraints \"")
           << constraints << "\", which LLVM cannot read: first it needs "
           << outputs << " of outputs, then " << inputs
           << " of inputs, such as \"=r,r\"";
  if (foundOutputs != outputs || foundInputs != inputs)
    return op->emitOpError("has constraints \"")
           << constraints << "\" with " << foundOutputs << " of outputs and "
           << foundInputs << " of inputs; its results and operands need "
           << outputs << " and " << inputs;
  return success();
}

class InlineAsmPattern : public Pattern<tt::ElementwiseInlineAsmOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::ElementwiseInlineAsmOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<SmallVector<Value>> operands;
    size_t count = 1;
    for (Value operand : adaptor.getArgs()) {
      operands.push_back(unpackElements(b, operand));
      count = std::max(count, operands.back().size());
    }
    SmallVector<Type> elements;
    for (Type type : op.getResultTypes()) {
      elements.push_back(converter.convertElement(getElementTypeOrSelf(type)));
      if (isa<RankedTensorType>(type))
        count = std::max<size_t>(count, numFields(converter.convertType(type)));
    }

    // The assembly takes `packed` elements of each operand at a time. What is
    // missing to a whole group repeats the last element.
    size_t packed = op.getPackedElement();
    const SmallVector<Type> outputTypes = typesOfOutputs(b, packed, elements);
    SmallVector<SmallVector<Value>> results(elements.size());
    for (size_t first = 0; first < count; first += packed) {
      SmallVector<Value> inputs;
      for (auto &values : operands) {
        SmallVector<Value> group;
        for (size_t i = first; i < first + packed; ++i)
          group.push_back(values[std::min(i, values.size() - 1)]);
        llvm::append_range(inputs, toRegisters(b, group));
      }
      if (first == 0 &&
          failed(checkConstraints(op, hooks, op.getConstraints(),
                                  outputTypes.size(), inputs.size())))
        return failure();
      size_t next = 0;
      SmallVector<Value> outputs = emitAsm(b, op, inputs, outputTypes);
      for (auto [element, values] : llvm::zip(elements, results))
        for (Value value : fromRegisters(b, outputs, next, element, packed))
          if (values.size() < count)
            values.push_back(value);
    }
    SmallVector<Value> replacements;
    for (auto [values, type] : llvm::zip(results, op.getResultTypes()))
      replacements.push_back(packElements(b, converter, values, type));
    rewriter.replaceOp(op, replacements);
    return success();
  }

private:
  /// A group of elements in the registers that the assembly sees: elements of
  /// fewer than 32 bits share one.
  static SmallVector<Value> toRegisters(Builder &b, ArrayRef<Value> group) {
    unsigned bits = bitWidth(group.front().getType());
    size_t perRegister = bits < 32 ? 32 / bits : 1;
    if (group.size() == 1 || perRegister == 1)
      return SmallVector<Value>(group);
    SmallVector<Value> registers;
    for (size_t i = 0; i < group.size(); i += perRegister) {
      auto part = group.slice(i, std::min(perRegister, group.size() - i));
      Value vector = b.makeVector(part);
      registers.push_back(b.bitcast(b.intType(bits * part.size()), vector));
    }
    return registers;
  }

  /// The inverse, from `registers[next]` on, which it moves.
  static SmallVector<Value> fromRegisters(Builder &b, ArrayRef<Value> registers,
                                          size_t &next, Type element,
                                          size_t packed) {
    unsigned bits = bitWidth(element);
    size_t perRegister = bits < 32 ? 32 / bits : 1;
    SmallVector<Value> values;
    while (values.size() < packed) {
      Value word = registers[next++];
      if (packed == 1 || perRegister == 1)
        values.push_back(word);
      else
        llvm::append_range(
            values,
            b.splitVector(b.bitcast(
                b.vectorType(element, bitWidth(word.getType()) / bits), word)));
    }
    return values;
  }

  /// The registers of a group of `packed` results of each type in `elements`.
  static SmallVector<Type> typesOfOutputs(Builder &b, size_t packed,
                                          ArrayRef<Type> elements) {
    SmallVector<Type> outputs;
    for (Type element : elements) {
      unsigned bits = bitWidth(element);
      size_t perRegister = bits < 32 && packed > 1 ? 32 / bits : 1;
      for (size_t i = 0; i < packed; i += perRegister)
        outputs.push_back(
            perRegister == 1
                ? element
                : b.intType(bits * std::min(perRegister, packed - i)));
    }
    return outputs;
  }

  /// One inline assembly statement and its outputs.
  static SmallVector<Value> emitAsm(Builder &b, tt::ElementwiseInlineAsmOp op,
                                    ArrayRef<Value> inputs,
                                    ArrayRef<Type> outputs) {
    Type result = outputs.size() == 1 ? outputs[0] : b.structType(outputs);
    Value value = b.inlineAsm(op.getAsmString(), op.getConstraints(), result,
                              inputs, !op.getPure());
    if (outputs.size() == 1)
      return {value};
    return b.splitStruct(value);
  }
};

/// ttg.inline_asm: once in each thread, with a register for each of its
/// elements, and the address for a buffer.
class ThreadAsmPattern : public Pattern<ttg::InlineAsmOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::InlineAsmOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<Value> inputs;
    for (auto [operand, value] :
         llvm::zip_equal(op.getArgs(), adaptor.getArgs()))
      if (isa<ttg::MemDescType>(operand.getType())) {
        MemDesc memory = MemDesc::unpack(b, value);
        auto type = cast<ttg::MemDescType>(operand.getType());
        Value start =
            b.gep(b.intType(8 * tt::bytesInMemory(type.getElementType())),
                  memory.base, windowStart(b, memory, type));
        inputs.push_back(b.ptrtoint(b.intType(32), start));
      } else {
        llvm::append_range(inputs, unpackElements(b, value));
      }

    SmallVector<Type> outputs;
    SmallVector<size_t> counts;
    for (Type type : op.getResultTypes()) {
      Type converted = converter.convertType(type);
      SmallVector<Type> fields = fieldTypes(converted);
      counts.push_back(fields.size());
      llvm::append_range(outputs, fields);
    }
    if (failed(checkConstraints(op, hooks, op.getConstraints(), outputs.size(),
                                inputs.size())))
      return failure();
    Type result = outputs.empty()       ? Type()
                  : outputs.size() == 1 ? outputs[0]
                                        : b.structType(outputs);
    Value found = b.inlineAsm(op.getAsmString(), op.getConstraints(), result,
                              inputs, !op.getPure());
    SmallVector<Value> elements;
    if (outputs.size() > 1)
      elements = b.splitStruct(found);
    else if (found)
      elements = {found};
    SmallVector<Value> replacements;
    ArrayRef<Value> rest = elements;
    for (auto [count, type] : llvm::zip_equal(counts, op.getResultTypes())) {
      replacements.push_back(
          packElements(b, converter, rest.take_front(count), type));
      rest = rest.drop_front(count);
    }
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

} // namespace

void populateInlineCodePatterns(const TypeConverter &converter,
                                Patterns &patterns, const TargetHooks &hooks) {
  patterns.add<ExternPattern, InlineAsmPattern, ThreadAsmPattern>(converter,
                                                                  hooks);
}

} // namespace kernelscope::lower
