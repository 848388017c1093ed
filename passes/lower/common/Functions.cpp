//===- Functions.cpp - tt.func, tt.call, tt.return ------------------------===//
//
// Public functions become kernels with the parameters that `KernelInfo`
// documents; private ones become functions of the module.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

class FuncPattern : public Pattern<tt::FuncOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::FuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool isKernel = op.isPublic() && !op.isExternal();
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion signature(type.getNumInputs());
    if (failed(converter.convertSignatureArgs(type.getInputs(), signature)))
      return reportDescriptors(op)
                 ? failure()
                 : op.emitOpError(
                       "has a parameter whose type cannot be lowered to LLVM: ")
                       << type;
    SmallVector<Type> parameters(signature.getConvertedTypes());
    if (isKernel)
      // Global scratch and profiler scratch, as Triton's launcher passes them.
      parameters.append(2, LLVM::LLVMPointerType::get(op.getContext(), Global));
    Type result = LLVM::LLVMVoidType::get(op.getContext());
    if (type.getNumResults())
      result = converter.packFunctionResults(type.getResults());
    if (!result)
      return op.emitOpError(
                 "has a result whose type cannot be lowered to LLVM: ")
             << type;

    auto function = LLVM::LLVMFuncOp::create(
        rewriter, op.getLoc(), op.getName(),
        LLVM::LLVMFunctionType::get(result, parameters),
        isKernel || op.isExternal() ? LLVM::Linkage::External
                                    : LLVM::Linkage::Internal);
    ExecutionScope::copyNote(op, function);
    if (isKernel) {
      markKernel(function, op);
      passTensorMapsByValue(function, type);
      if (hooks.getTarget().hasArgumentsInRegisters)
        passArgumentsInRegisters(function);
    }
    if (auto noinline = op->getAttrOfType<BoolAttr>("noinline");
        noinline && noinline.getValue())
      function.setNoInline(true);
    if (op->hasAttr(alwaysInlineName))
      function.setAlwaysInline(true);
    if (!op.isExternal()) {
      rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                  function.end());
      if (failed(rewriter.convertRegionTypes(&function.getBody(), converter,
                                             &signature)))
        return failure();
      if (isKernel)
        function.getBody().front().addArguments(
            ArrayRef(parameters).take_back(2),
            SmallVector<Location>(2, op.getLoc()));
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void passArgumentsInRegisters(LLVM::LLVMFuncOp function) {
    for (unsigned i = 0, n = function.getNumArguments(); i < n; ++i)
      function.setArgAttr(i, LLVM::LLVMDialect::getInRegAttrName(),
                          UnitAttr::get(function.getContext()));
  }

  /// The launcher passes the 128 bytes of a tensor map themselves.
  void passTensorMapsByValue(LLVM::LLVMFuncOp function,
                             FunctionType type) const {
    if (!hooks.getTarget().hasTma)
      return;
    auto bytes =
        LLVM::LLVMArrayType::get(IntegerType::get(type.getContext(), 8), 128);
    OpBuilder attributes(type.getContext());
    for (auto [i, input] : llvm::enumerate(type.getInputs()))
      if (isa<tt::TensorDescInterface>(input)) {
        function.setArgAttr(i, "llvm.byval", TypeAttr::get(bytes));
        function.setArgAttr(i, "llvm.align", attributes.getI64IntegerAttr(64));
      }
  }

  /// Whether the chip has no descriptors, which `op` takes: an error then.
  bool reportDescriptors(tt::FuncOp op) const {
    const Target &target = hooks.getTarget();
    if (target.hasTma || target.hasTensorDataMover)
      return false;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes()))
      if (isa<tt::TensorDescInterface>(type)) {
        op.emitOpError("takes a descriptor as argument ")
            << i << ", which " << target.arch
            << " cannot copy with; sm_90a and later, and gfx1250, can";
        return true;
      }
    return false;
  }

  /// The calling convention, and the attributes that describe the launch to
  /// LLVM.
  void markKernel(LLVM::LLVMFuncOp function, tt::FuncOp op) const {
    const Target &target = hooks.getTarget();
    auto warps =
        static_cast<unsigned>(ttg::lookupTotalNumWarps(op).value_or(4));
    std::string threads = std::to_string(warps * target.warpSize);
    SmallVector<std::pair<StringRef, std::string>> attributes;
    if (target.isNvidia()) {
      function.setCConv(LLVM::CConv::PTX_Kernel);
      attributes.push_back({"nvvm.reqntid", threads});
      if (hooks.getCtas() > 1)
        attributes.push_back(
            {"nvvm.cluster_dim", std::to_string(hooks.getCtas())});
      if (auto registers =
              op->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(
                  ttg::maxRegistersName))
        attributes.push_back(
            {"nvvm.maxnreg", std::to_string(registers.getInt())});
    } else {
      function.setCConv(LLVM::CConv::AMDGPU_KERNEL);
      // From 1 on, as in Triton: an exact number tells LLVM how many workgroups
      // fit, and it reserves the registers that this leaves each wave.
      attributes.push_back({"amdgpu-flat-work-group-size", "1," + threads});
      attributes.push_back({"uniform-work-group-size", "true"});
      attributes.push_back({"denormal-fp-math-f32", "ieee"});
      // What Triton's functions can carry of the options of a kernel.
      if (auto waves = op->getAttrOfType<IntegerAttr>("rocdl.waves_per_eu"))
        attributes.push_back(
            {"amdgpu-waves-per-eu", std::to_string(waves.getInt())});
      // Else programs would ask at run time whether they are in a cluster.
      attributes.push_back(
          {"amdgpu-cluster-dims", std::to_string(hooks.getCtas()) + ",1,1"});
    }
    SmallVector<Attribute> passthrough;
    MLIRContext *context = op.getContext();
    for (auto &[name, value] : attributes)
      passthrough.push_back(
          ArrayAttr::get(context, {StringAttr::get(context, name),
                                   StringAttr::get(context, value)}));
    function.setPassthroughAttr(ArrayAttr::get(context, passthrough));
  }
};

class ReturnPattern : public Pattern<tt::ReturnOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<Value> results(adaptor.getSrcs());
    if (results.size() > 1)
      results = {b.makeStruct(results)};
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, results);
    return success();
  }
};

class CallPattern : public Pattern<tt::CallOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::CallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    Type result;
    if (op.getNumResults()) {
      result = converter.packFunctionResults(op.getResultTypes());
      if (!result)
        return failure();
    }
    auto call = LLVM::CallOp::create(rewriter, op.getLoc(),
                                     result ? TypeRange(result) : TypeRange(),
                                     op.getCallee(), adaptor.getOperands());
    SmallVector<Value> results(call.getResults());
    if (op.getNumResults() > 1)
      results = b.splitStruct(results.front());
    rewriter.replaceOp(op, results);
    return success();
  }
};

class UnreachablePattern : public Pattern<ub::UnreachableOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ub::UnreachableOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::UnreachableOp>(op);
    return success();
  }
};

} // namespace

void populateFunctionPatterns(const TypeConverter &converter,
                              Patterns &patterns, const TargetHooks &hooks) {
  patterns.add<FuncPattern, ReturnPattern, CallPattern, UnreachablePattern>(
      converter, hooks);
}

} // namespace kernelscope::lower
