//===- Extern.cpp - Functions of the vendors' libraries -------------------===//
//
// What libdevice (__nv_) and ROCm's device libraries (__ocml_) compute, by the
// function's name without prefix, type and speed.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "executor/assembly/Arithmetic.h"
#include "executor/ops/Elementwise.h"
#include "executor/ops/LibraryFunctions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// What is an instruction, mostly of integers.
const llvm::StringMap<StringRef> &instructions() {
  static const llvm::StringMap<StringRef> table = {
      {"abs", "abs.s32"},
      {"iabs", "abs.s32"},
      {"llabs", "abs.s64"},
      {"min", "min.s32"},
      {"umin", "min.u32"},
      {"llmin", "min.s64"},
      {"ullmin", "min.u64"},
      {"max", "max.s32"},
      {"umax", "max.u32"},
      {"llmax", "max.s64"},
      {"ullmax", "max.u64"},
      {"mulhi", "mul.hi.s32"},
      {"umulhi", "mul.hi.u32"},
      {"mul64hi", "mul.hi.s64"},
      {"umul64hi", "mul.hi.u64"},
      {"sad", "sad.s32"},
      {"usad", "sad.u32"},
      {"popc", "popc.b32"},
      {"popcll", "popc.b64"},
      {"clz", "clz.b32"},
      {"clzll", "clz.b64"},
      {"popcount_u32", "popc.b32"},
      {"popcount_u64", "popc.b64"},
      {"clz_u32", "clz.b32"},
      {"clz_u64", "clz.b64"},
      {"mul24", "mul24.lo.s32"},
      {"umul24", "mul24.lo.u32"},
      {"brev", "brev.b32"},
      {"brevll", "brev.b64"},
      {"byte_perm", "prmt.b32"},
      {"float_as_int", "mov.b32"},
      {"float_as_uint", "mov.b32"},
      {"int_as_float", "mov.b32"},
      {"uint_as_float", "mov.b32"},
      {"double_as_longlong", "mov.b64"},
      {"longlong_as_double", "mov.b64"},
  };
  return table;
}

/// libdevice's functions of integers that are not an instruction.
const llvm::StringMap<assembly::Meaning> &integerFunctions() {
  using From = const uint64_t *;
  auto make = [](unsigned sources, uint64_t (*compute)(From)) {
    assembly::Meaning meaning;
    meaning.sources = sources;
    meaning.compute = [=](From from, uint64_t *to) { *to = compute(from); };
    return meaning;
  };
  static constexpr auto s32 = [](uint64_t bits) {
    return int64_t(int32_t(bits));
  };
  auto first = [](From x) -> uint64_t {
    return x[0] ? llvm::countr_zero(x[0]) + 1 : 0;
  };
  static const llvm::StringMap<assembly::Meaning> table = {
      {"ffs", make(1, first)},
      {"ffsll", make(1, first)},
      {"hadd",
       make(2, [](From x) { return uint64_t((s32(x[0]) + s32(x[1])) >> 1); })},
      {"rhadd",
       make(2,
            [](From x) { return uint64_t((s32(x[0]) + s32(x[1]) + 1) >> 1); })},
      {"uhadd", make(2, [](From x) { return (x[0] + x[1]) >> 1; })},
      {"urhadd", make(2, [](From x) { return (x[0] + x[1] + 1) >> 1; })},
  };
  return table;
}

/// ocml's "cvtrtn_f16_f32" is cvt.rm.f16.f32; empty for what is none.
std::string directedConversion(StringRef name) {
  if (!name.consume_front("cvtrt"))
    return "";
  StringRef rounding = llvm::StringSwitch<StringRef>(name.take_front())
                           .Case("e", "rn")
                           .Case("n", "rm")
                           .Case("p", "rp")
                           .Case("z", "rz")
                           .Default("");
  auto [to, from] = name.drop_front(2).split('_');
  return rounding.empty() || from.empty()
             ? ""
             : ("cvt." + rounding + "." + to + "." + from).str();
}

/// "float2int_rn" is cvt.rni.s32.f32; empty for anything that is not a
/// conversion.
std::string conversion(StringRef name) {
  if (name.starts_with("cvtrt"))
    return directedConversion(name);
  auto typeOf = [](StringRef word) {
    return llvm::StringSwitch<StringRef>(word)
        .Case("half", "f16")
        .Case("float", "f32")
        .Case("double", "f64")
        .Case("int", "s32")
        .Case("uint", "u32")
        .Case("ll", "s64")
        .Case("ull", "u64")
        .Default("");
  };
  auto [names, mode] = name.split('_');
  auto [from, to] = names.split('2');
  StringRef source = typeOf(from), target = typeOf(to);
  StringRef rounding = llvm::StringSwitch<StringRef>(mode)
                           .Cases({"rn", ""}, "rn")
                           .Case("rz", "rz")
                           .Case("rd", "rm")
                           .Case("ru", "rp")
                           .Default("");
  if (source.empty() || target.empty() || rounding.empty())
    return "";
  const bool toInteger = target[0] != 'f';
  return ("cvt." + rounding + (toInteger ? "i." : ".") + target + "." + source)
      .str();
}

/// The name as the tables have it: without what says the library, the type, the
/// rounding to nearest, and that less accuracy will do.
SmallVector<std::string> plainNames(StringRef symbol) {
  if (!symbol.consume_front("__nv_") && !symbol.consume_front("__ocml_") &&
      !symbol.consume_front("__ockl_") &&
      !symbol.consume_front("__triton_hip_"))
    return {};
  SmallVector<std::string> names = {symbol.str()};
  // libdevice's max and min are of integers, ocml's of floats.
  if (symbol.starts_with("max_f"))
    symbol = "fmax";
  if (symbol.starts_with("min_f"))
    symbol = "fmin";
  for (StringRef suffix : {"_f16", "_f32", "_f64", "_rn", "_rte"})
    symbol.consume_back(suffix);
  for (StringRef speed : {"fast_", "native_"})
    symbol.consume_front(speed);
  symbol = llvm::StringSwitch<StringRef>(symbol)
               .Cases({"nearbyint", "nearbyintf"}, "rint")
               .Cases({"llrint", "llrintf"}, "rint")
               .Cases({"llround", "llroundf"}, "round")
               .Cases({"finitef", "isfinited"}, "isfinite")
               .Cases({"isnand", "isnanf"}, "isnan")
               .Cases({"isinfd", "isinff"}, "isinf")
               .Cases({"signbitd", "signbitf"}, "signbit")
               .Cases({"cyl_bessel_i0", "cyl_bessel_i0f"}, "i0")
               .Cases({"cyl_bessel_i1", "cyl_bessel_i1f"}, "i1")
               .Cases({"powi", "powif", "pown", "powr"}, "pow")
               .Cases({"scalbn", "scalbnf", "scalb"}, "ldexp")
               .Cases({"ncdf"}, "normcdf")
               .Cases({"ncdfinv"}, "normcdfinv")
               .Cases({"len3"}, "norm3d")
               .Cases({"rlen3"}, "rnorm3d")
               .Cases({"len4"}, "norm4d")
               .Cases({"rlen4"}, "rnorm4d")
               .Cases({"fadd", "dadd"}, "add")
               .Cases({"fsub", "dsub"}, "sub")
               .Cases({"fmul", "dmul"}, "mul")
               .Cases({"fdiv", "ddiv", "fdividef", "fdivide"}, "div")
               .Cases({"mad", "fmuladd", "fmaf_ieee"}, "fma")
               .Default(symbol);
  names.push_back(symbol.str());
  if (symbol.consume_back("f"))
    names.push_back(symbol.str());
  return names;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Reads element `i` of a slot, and writes it.
using ReadNumber = std::function<double(Frame &, size_t i)>;
using WriteNumber = std::function<void(Frame &, size_t i, double)>;

ReadNumber planRead(Slot slot, Element element) {
  if (isInt(element))
    return withInt(element, [&]<typename T>() -> ReadNumber {
      return [=](Frame &frame, size_t i) {
        return double(T::loadSigned(frame.at<typename T::Storage>(slot)[i]));
      };
    });
  return withFloat(element, [&]<typename T>() -> ReadNumber {
    return [=](Frame &frame, size_t i) {
      return double(T::load(frame.at<typename T::Storage>(slot)[i]));
    };
  });
}

WriteNumber planWrite(Slot slot, Element element) {
  if (isInt(element))
    return withInt(element, [&]<typename T>() -> WriteNumber {
      return [=](Frame &frame, size_t i, double value) {
        frame.at<typename T::Storage>(slot)[i] = T::store(
            std::isfinite(value) && std::fabs(value) < 0x1p63 ? int64_t(value)
                                                              : 0);
      };
    });
  return withFloat(element, [&]<typename T>() -> WriteNumber {
    return [=](Frame &frame, size_t i, double value) {
      frame.at<typename T::Storage>(slot)[i] = T::store(value);
    };
  });
}

Step planFunction(Planner &planner, tt::ExternElementwiseOp op,
                  const LibraryFunction &function) {
  SmallVector<ReadNumber> sources;
  for (Value source : op.getSrcs())
    sources.push_back(
        planRead(planner.slot(source), planner.storage(source).element));
  const Storage &result = planner.storage(op.getResult());
  return [=, compute = function.compute, count = result.count,
          write = planWrite(planner.slot(op.getResult()), result.element)](
             Frame &frame) {
    double x[4];
    for (size_t i = 0; i < count * frame.lanes; ++i) {
      for (auto [k, read] : llvm::enumerate(sources))
        x[k] = read(frame, i);
      write(frame, i, compute(x));
    }
    return true;
  };
}

Step planInstruction(Planner &planner, tt::ExternElementwiseOp op,
                     const assembly::Meaning &meaning) {
  struct Operand {
    Slot slot;
    size_t size;
  };
  auto operandOf = [&](Value value) {
    return Operand{planner.slot(value), sizeOf(planner.storage(value).element)};
  };
  SmallVector<Operand, 4> sources;
  for (Value source : op.getSrcs())
    sources.push_back(operandOf(source));
  return [=, to = operandOf(op.getResult()), compute = meaning.compute,
          count = planner.storage(op.getResult()).count](Frame &frame) {
    for (size_t i = 0; i < count * frame.lanes; ++i) {
      uint64_t in[4] = {}, out = 0;
      for (auto [k, source] : llvm::enumerate(sources))
        std::memcpy(&in[k], frame.at<char>(source.slot) + i * source.size,
                    source.size);
      compute(in, &out);
      std::memcpy(frame.at<char>(to.slot) + i * to.size, &out, to.size);
    }
    return true;
  };
}

/// libdevice's byte_perm leaves out the nibbles' high bits, with which prmt
/// gives copies of the sign.
assembly::Compute byBytesAlone(assembly::Compute permute) {
  return [permute = std::move(permute)](const uint64_t *from, uint64_t *to) {
    const uint64_t operands[] = {from[0], from[1], from[2] & 0x7777};
    permute(operands, to);
  };
}

Step planLibraryCall(Planner &planner, tt::ExternElementwiseOp op) {
  const size_t operands = op.getSrcs().size();
  auto reject = [&](unsigned needed) -> Step {
    op.emitError("function '") << op.getSymbol() << "' takes " << needed
                               << " operands, but has " << operands;
    return {};
  };
  for (Value value : op->getOperands())
    if (const Element element = planner.storage(value).element;
        !isInt(element) && !isFloat(element))
      return rejectElement(op);
  for (const std::string &name : plainNames(op.getSymbol())) {
    const bool onFloats =
        isFloat(planner
                    .storage(op->getOperands().empty() ? op.getResult()
                                                       : op->getOperand(0))
                    .element) ||
        isFloat(planner.storage(op.getResult()).element);
    if (auto found = libraryFunctions().find(name);
        onFloats && found != libraryFunctions().end())
      return found->second.sources == operands
                 ? planFunction(planner, op, found->second)
                 : reject(found->second.sources);
    if (auto found = integerFunctions().find(name);
        found != integerFunctions().end())
      return found->second.sources == operands
                 ? planInstruction(planner, op, found->second)
                 : reject(found->second.sources);
    auto instruction = instructions().find(name);
    assembly::Instruction ptx;
    ptx.opcode = instruction != instructions().end() ? instruction->second.str()
                                                     : conversion(name);
    ptx.operands.assign(operands + 1, assembly::Parts(1));
    if (ptx.opcode.empty())
      continue;
    auto meaning = assembly::meaningOfPtx(ptx);
    if (meaning && name == "byte_perm")
      meaning->compute = byBytesAlone(meaning->compute);
    if (meaning)
      return meaning->sources == operands
                 ? planInstruction(planner, op, *meaning)
                 : reject(meaning->sources);
  }
  op.emitError("the CPU executor has no function '") << op.getSymbol() << "'";
  return {};
}

} // namespace

void registerExtern(Registry &r) {
  r.addElementwise(tt::ExternElementwiseOp::getOperationName(),
                   [](Planner &planner, Operation *op) {
                     return planLibraryCall(planner,
                                            cast<tt::ExternElementwiseOp>(op));
                   });
}

} // namespace kernelscope::executor
