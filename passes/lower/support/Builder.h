//===- Builder.h - Short names for the LLVM ops we emit ---------*- C++ -*-===//
//
// Every lowering pattern emits LLVM dialect ops through this class. It folds
// constants and identities as it goes, so that index math written for the
// general layout leaves only what the layout at hand needs, and it keeps the
// LLVM dialect's headers (seconds of compile time each) out of the patterns.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_BUILDER_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_BUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/lower/support/ExecutionScope.h"
#include <optional>

namespace kernelscope::lower {

/// Address spaces that both vendors share.
enum AddressSpace : unsigned { Generic = 0, Global = 1, Shared = 3 };

enum class ICmp { eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge };
/// Ordered and unordered comparisons, by LLVM's names.
enum class FCmp {
  oeq,
  ogt,
  oge,
  olt,
  ole,
  one,
  ord,
  ueq,
  ugt,
  uge,
  ult,
  ule,
  une,
  uno
};

/// Emits LLVM dialect ops at the insertion point of `builder`, all with one
/// location and for one set of warps. Integer ops take operands of one type.
class Builder {
public:
  /// Emits the lowering of `op`: at its location, for the warps that execute
  /// it.
  Builder(mlir::Operation *op, mlir::OpBuilder &builder)
      : Builder(op->getLoc(), builder, ExecutionScope::of(op)) {}
  /// Emits for the warps of `scope`.
  Builder(mlir::Location loc, mlir::OpBuilder &builder,
          const ExecutionScope &scope)
      : loc(loc), builder(builder), scope(scope) {}

  mlir::Location getLoc() const { return loc; }
  /// Who executes what is emitted.
  const ExecutionScope &getScope() const { return scope; }
  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  // Types.
  mlir::IntegerType intType(unsigned bits) const;
  mlir::Type pointerType(unsigned addressSpace) const;
  mlir::Type vectorType(mlir::Type element, unsigned count) const;
  mlir::Type structType(llvm::ArrayRef<mlir::Type> elements) const;

  // Constants.
  mlir::Value i1(bool value);
  mlir::Value i32(int32_t value);
  mlir::Value i64(int64_t value);
  /// `value` as an integer of `type`, cut to its width.
  mlir::Value intConstant(mlir::Type type, int64_t value);
  mlir::Value floatConstant(mlir::Type type, double value);
  mlir::Value floatConstant(mlir::Type type, const llvm::APFloat &value);
  /// All bits zero, of any LLVM type.
  mlir::Value zero(mlir::Type type);
  mlir::Value undef(mlir::Type type);

  // Integers.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value sdiv(mlir::Value a, mlir::Value b);
  mlir::Value udiv(mlir::Value a, mlir::Value b);
  mlir::Value srem(mlir::Value a, mlir::Value b);
  mlir::Value urem(mlir::Value a, mlir::Value b);
  mlir::Value bitAnd(mlir::Value a, mlir::Value b);
  mlir::Value bitOr(mlir::Value a, mlir::Value b);
  mlir::Value bitXor(mlir::Value a, mlir::Value b);
  mlir::Value shl(mlir::Value a, mlir::Value b);
  mlir::Value lshr(mlir::Value a, mlir::Value b);
  mlir::Value ashr(mlir::Value a, mlir::Value b);
  mlir::Value icmp(ICmp predicate, mlir::Value a, mlir::Value b);
  mlir::Value smin(mlir::Value a, mlir::Value b);
  mlir::Value smax(mlir::Value a, mlir::Value b);
  mlir::Value umin(mlir::Value a, mlir::Value b);
  mlir::Value umax(mlir::Value a, mlir::Value b);

  // Floats.
  mlir::Value fadd(mlir::Value a, mlir::Value b);
  mlir::Value fsub(mlir::Value a, mlir::Value b);
  mlir::Value fmul(mlir::Value a, mlir::Value b);
  mlir::Value fdiv(mlir::Value a, mlir::Value b);
  /// Within two units in the last place.
  mlir::Value approxDiv(mlir::Value a, mlir::Value b);
  mlir::Value frem(mlir::Value a, mlir::Value b);
  mlir::Value fneg(mlir::Value a);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value fcmp(FCmp predicate, mlir::Value a, mlir::Value b);

  // Conversions. `type` is the result's.
  mlir::Value trunc(mlir::Type type, mlir::Value a);
  mlir::Value zext(mlir::Type type, mlir::Value a);
  mlir::Value sext(mlir::Type type, mlir::Value a);
  /// Zero-extends, truncates or leaves an integer.
  mlir::Value zextOrTrunc(mlir::Type type, mlir::Value a);
  mlir::Value sextOrTrunc(mlir::Type type, mlir::Value a);
  mlir::Value fpext(mlir::Type type, mlir::Value a);
  mlir::Value fptrunc(mlir::Type type, mlir::Value a);
  mlir::Value sitofp(mlir::Type type, mlir::Value a);
  mlir::Value uitofp(mlir::Type type, mlir::Value a);
  mlir::Value fptosi(mlir::Type type, mlir::Value a);
  mlir::Value fptoui(mlir::Type type, mlir::Value a);
  mlir::Value bitcast(mlir::Type type, mlir::Value a);
  mlir::Value inttoptr(mlir::Type type, mlir::Value a);
  mlir::Value ptrtoint(mlir::Type type, mlir::Value a);
  /// `a` as an integer of the same width: pointers and floats too.
  mlir::Value toBits(mlir::Value a);
  /// The inverse of `toBits`.
  mlir::Value fromBits(mlir::Type type, mlir::Value bits);

  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);

  // Memory. Loads and stores without a predicate.
  /// `pointer` plus `index` times the size of `element`.
  mlir::Value gep(mlir::Type element, mlir::Value pointer, mlir::Value index);
  mlir::Value load(mlir::Type type, mlir::Value pointer, unsigned alignment,
                   bool isVolatile = false);
  void store(mlir::Value value, mlir::Value pointer, unsigned alignment,
             bool isVolatile = false);
  /// Loads a vector where the i1 `condition` holds; else returns `other`.
  mlir::Value maskedLoad(mlir::Value pointer, mlir::Value condition,
                         mlir::Value other, unsigned alignment);
  /// Stores a vector where the i1 `condition` holds.
  void maskedStore(mlir::Value vector, mlir::Value pointer,
                   mlir::Value condition, unsigned alignment);
  /// A generic pointer to a constant of the module: `text` and a zero byte. The
  /// same text is one constant.
  mlir::Value text(llvm::StringRef text);
  /// A generic pointer to the thread's own copy of `values`, laid out as a
  /// struct.
  mlir::Value onStack(llvm::ArrayRef<mlir::Value> values);
  enum class Ordering { Acquire, Release, AcquireRelease };
  /// Orders memory within `scope`: "workgroup", "agent", or "" for the system.
  void fence(Ordering ordering, llvm::StringRef scope);

  // Aggregates.
  mlir::Value extractElement(mlir::Value vector, unsigned index);
  mlir::Value insertElement(mlir::Value vector, mlir::Value element,
                            unsigned index);
  mlir::Value makeVector(llvm::ArrayRef<mlir::Value> elements);
  llvm::SmallVector<mlir::Value> splitVector(mlir::Value vector);
  mlir::Value extractValue(mlir::Value aggregate, unsigned index);
  mlir::Value insertValue(mlir::Value aggregate, mlir::Value element,
                          unsigned index);
  mlir::Value makeStruct(llvm::ArrayRef<mlir::Value> elements);
  /// The fields of a struct; reads through `insertvalue`s that made it.
  llvm::SmallVector<mlir::Value> splitStruct(mlir::Value aggregate);

  // Calls.
  /// Calls the LLVM intrinsic `name` (with type suffix where it is
  /// overloaded). `resultType` is null for none.
  mlir::Value intrinsic(llvm::StringRef name, mlir::Type resultType,
                        mlir::ValueRange arguments);
  /// Calls the function `name`, declaring it in the module when it is new.
  mlir::Value callFunction(llvm::StringRef name, mlir::Type resultType,
                           mlir::ValueRange arguments);
  /// Inline assembly. A null `resultType` for none; a struct for several.
  mlir::Value inlineAsm(llvm::StringRef assembly, llvm::StringRef constraints,
                        mlir::Type resultType, mlir::ValueRange arguments,
                        bool hasSideEffects);

private:
  mlir::Location loc;
  mlir::OpBuilder &builder;
  ExecutionScope scope;
};

/// The number of fields of a struct type.
unsigned numFields(mlir::Type structType);
/// The types of the fields of a struct; of any other type, itself.
llvm::SmallVector<mlir::Type> fieldTypes(mlir::Type type);

/// Bits that a value of an LLVM type takes in a register; pointers to shared
/// memory take 32, others 64.
unsigned bitWidth(mlir::Type type);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_BUILDER_H
