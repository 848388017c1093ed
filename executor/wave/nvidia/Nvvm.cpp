//===- Nvvm.cpp - What NVIDIA's intrinsics mean ---------------------------===//
//
// LLVM's IntrinsicsNVVM.td: the instruction that each becomes.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/Nvvm.h"
#include "executor/wave/nvidia/Print.h"
#include "executor/wave/nvidia/Ptx.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

namespace {
/// The text of PTX for each intrinsic; $0, $1, ... are its results, then its
/// operands.
using Texts = StringMap<std::string>;

/// One function of floats, whose roundings and types are part of its name.
struct FloatFunction {
  StringLiteral name;
  unsigned operands;
  StringLiteral ptx = name;
  /// Whether the result's type is there twice, as of cvt.
  bool isConversion = false;
};

class TextTable {
public:
  Texts take() && { return std::move(texts); }

  void addFloats() {
    for (StringRef rounding : {"rn", "rz", "rm", "rp"})
      for (const FloatFunction &function : {FloatFunction{"add", 2},
                                            {"mul", 2},
                                            {"div", 2},
                                            {"fma", 3},
                                            {"rcp", 1},
                                            {"sqrt", 1}})
        addOfTypes(function, ("." + rounding).str());
    for (const FloatFunction &function : {FloatFunction{"ex2", 1},
                                          {"lg2", 1},
                                          {"rsqrt", 1},
                                          {"sqrt", 1},
                                          {"sin", 1},
                                          {"cos", 1},
                                          {"rcp", 1},
                                          {"div", 2},
                                          {"tanh", 1}})
      addOfTypes(function, ".approx");
    addOfTypes({"div", 2}, ".full");
    for (const FloatFunction &function : {FloatFunction{"fabs", 1, "abs"},
                                          {"fmax", 2, "max"},
                                          {"fmin", 2, "min"},
                                          {"floor", 1, "cvt.rmi", true},
                                          {"ceil", 1, "cvt.rpi", true},
                                          {"trunc", 1, "cvt.rzi", true},
                                          {"round", 1, "cvt.rni", true}})
      addOfTypes(function, "");
    for (StringRef rounding : {"rn", "rz", "rm", "rp"})
      for (auto [name, type] : {std::pair{"i", "s32"},
                                {"ui", "u32"},
                                {"ll", "s64"},
                                {"ull", "u64"}}) {
        for (StringRef flush : {"", ".ftz"})
          add(formatv("f2{0}.{1}{2}", name, rounding, flush),
              formatv("cvt.{0}i{1}.{2}.f32 $0, $1;", rounding, flush, type));
        add(formatv("d2{0}.{1}", name, rounding),
            formatv("cvt.{0}i.{1}.f64 $0, $1;", rounding, type));
        for (auto [suffix, result] : {std::pair{"f", "f32"}, {"d", "f64"}})
          add(formatv("{0}2{1}.{2}", name, suffix, rounding),
              formatv("cvt.{0}.{1}.{2} $0, $1;", rounding, result, type));
      }
  }

  void addIntegers() {
    for (auto [name, type] :
         {std::pair{"i", "s32"}, {"ui", "u32"}, {"ll", "s64"}, {"ull", "u64"}})
      add(formatv("mulhi.{0}", name), formatv("mul.hi.{0} $0, $1, $2;", type));
    add("mul24.i", "mul24.lo.s32 $0, $1, $2;");
    add("mul24.ui", "mul24.lo.u32 $0, $1, $2;");
    add("prmt", "prmt.b32 $0, $1, $2, $3;");
    add("d2i.lo", "{ .reg .b32 %other; mov.b64 {$0, %other}, $1; }");
    add("d2i.hi", "{ .reg .b32 %other; mov.b64 {%other, $0}, $1; }");
    add("lohi.i2d", "mov.b64 $0, {$1, $2};");
  }

  void addWarps() {
    for (StringRef mode : {"up", "down", "bfly", "idx"})
      for (auto [type, bits] : {std::pair{"i32", "b32"}, {"f32", "f32"}}) {
        add(formatv("shfl.sync.{0}.{1}", mode, type),
            formatv("shfl.sync.{0}.b32 $0, $2, $3, $4, $1;", mode));
        add(formatv("shfl.sync.{0}.{1}p", mode, type),
            formatv("shfl.sync.{0}.b32 $0|$1, $3, $4, $5, $2;", mode));
      }
    for (auto [mode, type] : {std::pair{"ballot", "b32"},
                              {"all", "pred"},
                              {"any", "pred"},
                              {"uni", "pred"}})
      add(formatv("vote.{0}.sync", mode),
          formatv("vote.sync.{0}.{1} $0, $2, $1;", mode, type));
    for (auto [name, ptx] : {std::pair{"add", "add.s32"},
                             {"min", "min.s32"},
                             {"max", "max.s32"},
                             {"umin", "min.u32"},
                             {"umax", "max.u32"},
                             {"and", "and.b32"},
                             {"or", "or.b32"},
                             {"xor", "xor.b32"},
                             {"fmin", "min.f32"},
                             {"fmax", "max.f32"},
                             {"fmin.NaN", "min.NaN.f32"},
                             {"fmax.NaN", "max.NaN.f32"},
                             {"fmin.abs", "min.abs.f32"},
                             {"fmax.abs", "max.abs.f32"},
                             {"fmin.abs.NaN", "min.abs.NaN.f32"},
                             {"fmax.abs.NaN", "max.abs.NaN.f32"}})
      add(formatv("redux.sync.{0}", name),
          formatv("redux.sync.{0} $0, $1, $2;", ptx));
    for (unsigned bits : {32, 64}) {
      add(formatv("match.any.sync.i{0}", bits),
          formatv("match.any.sync.b{0} $0, $2, $1;", bits));
      add(formatv("match.all.sync.i{0}p", bits),
          formatv("match.all.sync.b{0} $0|$1, $3, $2;", bits));
    }
    add("activemask", "activemask.b32 $0;");
    add("elect.sync", "elect.sync $0|$1, $2;");
    add("bar.warp.sync", "bar.warp.sync $0;");
  }

  void addBarriers() {
    add("barrier0", "barrier.cta.sync.aligned 0;");
    for (StringRef aligned : {"", ".aligned"}) {
      add(formatv("barrier.cta.sync{0}.all", aligned),
          formatv("barrier.cta.sync{0} $0;", aligned));
      for (StringRef mode : {"sync", "arrive"})
        add(formatv("barrier.cta.{0}{1}.count", mode, aligned),
            formatv("barrier.cta.{0}{1} $0, $1;", mode, aligned));
      for (StringRef mode : {"arrive", "arrive.relaxed", "wait"})
        add(formatv("barrier.cluster.{0}{1}", mode, aligned),
            formatv("barrier.cluster.{0}{1};", mode, aligned));
    }
    for (StringRef name :
         {"membar.cta", "membar.gl", "membar.sys", "fence.sc.cluster",
          "fence.mbarrier_init.release.cluster", "fence.proxy.async",
          "fence.proxy.async.global", "fence.proxy.async.shared_cta",
          "fence.proxy.async.shared_cluster"})
      add(name, formatv("{0};", name));
    for (StringRef mode : {"inc", "dec"})
      add(formatv("setmaxnreg.{0}.sync.aligned.u32", mode),
          formatv("setmaxnreg.{0}.sync.aligned.u32 $0;", mode));
    for (StringRef name : {"fence", "commit_group"})
      add(formatv("wgmma.{0}.sync.aligned", name),
          formatv("wgmma.{0}.sync.aligned;", name));
    add("wgmma.wait_group.sync.aligned", "wgmma.wait_group.sync.aligned $0;");
    add("mapa.shared.cluster", "mapa.shared::cluster.u32 $0, $1, $2;");
    add("mapa", "mapa.u64 $0, $1, $2;");
  }

  void addCopies() {
    add("cp.async.commit.group", "cp.async.commit_group;");
    add("cp.async.wait.group", "cp.async.wait_group $0;");
    add("cp.async.wait.all", "cp.async.wait_all;");
    add("cp.async.bulk.commit.group", "cp.async.bulk.commit_group;");
    add("cp.async.bulk.wait.group", "cp.async.bulk.wait_group $0;");
    add("cp.async.bulk.wait.group.read", "cp.async.bulk.wait_group.read $0;");
    add("cp.async.mbarrier.arrive.shared",
        "cp.async.mbarrier.arrive.shared.b64 [$0];");
    add("cp.async.mbarrier.arrive.noinc.shared",
        "cp.async.mbarrier.arrive.noinc.shared.b64 [$0];");
  }

  void addTensorCore() {
    for (StringRef which : {"ld", "st"})
      add("tcgen05.wait." + which,
          formatv("tcgen05.wait::{0}.sync.aligned;", which));
    for (StringRef when : {"before", "after"})
      add(formatv("tcgen05.fence.{0}.thread.sync", when),
          formatv("tcgen05.fence::{0}_thread_sync;", when));
  }

private:
  void add(const Twine &name, const Twine &text) {
    texts[("llvm.nvvm." + name).str()] = text.str();
  }
  void addOfTypes(const FloatFunction &function, const std::string &mode) {
    std::string sources;
    for (unsigned i = 1; i <= function.operands; ++i)
      sources += formatv(", ${0}", i);
    // Newer intrinsics end with the type of LLVM.
    for (auto [suffix, type] : {std::pair{"f", "f32"},
                                {"d", "f64"},
                                {"f32", "f32"},
                                {"f64", "f64"},
                                {"f16", "f16"},
                                {"v2f16", "f16x2"},
                                {"bf16", "bf16"},
                                {"v2bf16", "bf16x2"},
                                {"f16x2", "f16x2"},
                                {"bf16x2", "bf16x2"}}) {
      std::string types = std::string(".") + type;
      if (function.isConversion)
        types += types;
      for (StringRef flush : {"", ".ftz"})
        add(formatv("{0}{1}{2}.{3}", function.name, mode, flush, suffix),
            formatv("{0}{1}{2}{3} $0{4};", function.ptx, mode, flush, types,
                    sources));
    }
    // Of any type, which its operands have.
    for (StringRef flush : {"", ".ftz"})
      add(formatv("{0}{1}{2}", function.name, mode, flush),
          formatv("{0}{1}{2}.f32 $0{3};", function.ptx, mode, flush, sources));
  }

  Texts texts;
};
} // namespace

static const Texts &allTexts() {
  static const Texts texts = [] {
    TextTable table;
    table.addFloats();
    table.addIntegers();
    table.addWarps();
    table.addBarriers();
    table.addCopies();
    table.addTensorCore();
    return std::move(table).take();
  }();
  return texts;
}

static void translate(const Call &call) {
  decodePtxText(call.decoder, call.call, allTexts().lookup(call.name));
}

/// "llvm.nvvm.read.ptx.sreg.cluster.ctarank" is %cluster_ctarank.
static void readRegister(const Call &call) {
  std::string name =
      call.name.drop_front(StringRef("llvm.nvvm.read.ptx.sreg.").size()).str();
  for (StringRef first : {"cluster.", "lanemask."})
    if (StringRef(name).starts_with(first))
      name[first.size() - 1] = '_';
  const unsigned bits = call.call.getType()->getIntegerBitWidth();
  decodePtxText(call.decoder, call.call,
                formatv("mov.b{0} $0, %{1};", bits, name).str());
}

/// `ldmatrix` and `stmatrix`: the address space is the type of the pointer.
static void moveMatrix(const Call &call) {
  // "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"
  StringRef name = call.name;
  name.consume_front("llvm.nvvm.");
  const bool isStore = name.starts_with("stmatrix");
  const auto [opcode, type] = name.rsplit('.');
  const unsigned words =
      isStore ? call.numOperands() - 1
              : std::max(1u, call.call.getType()->isStructTy()
                                 ? call.call.getType()->getStructNumElements()
                                 : 1);
  std::string group;
  for (unsigned i = 0; i < words; ++i)
    group += formatv("{0}${1}", i ? ", " : "", isStore ? i + 1 : i);
  decodePtxText(
      call.decoder, call.call,
      isStore
          ? formatv("{0}.shared.{1} [$0], {{{2}};", opcode, type, group).str()
          : formatv("{0}.shared.{1} {{{2}}, [${3}];", opcode, type, group,
                    words)
                .str());
}

/// Questions of the optimiser about the chip. LLVM resolves it after this
/// stage.
static void reflect(const Call &call) {
  StringRef name;
  uint64_t answer = 0;
  if (!getConstantStringInfo(call.value(0), name)) {
    call.decoder.fail("the wave simulator cannot read the name of a property");
    return;
  }
  const Target &target = call.decoder.target();
  if (name == "__CUDA_ARCH")
    answer = uint64_t{target.isaVersion} * 10;
  if (name == "__CUDA_FTZ") {
    const auto *flag = mdconst::extract_or_null<ConstantInt>(
        call.call.getModule()->getModuleFlag("nvvm-reflect-ftz"));
    answer = flag && !flag->isZero();
  }
  call.define({call.decoder.constant(answer)});
}

void addNvvm(Meanings &meanings) {
  for (const auto &entry : allTexts())
    meanings.add(entry.getKey(), translate);
  for (StringRef name : specialRegisterNames()) {
    std::string spelled = name.str();
    llvm::replace(spelled, '_', '.');
    meanings.add("llvm.nvvm.read.ptx.sreg." + spelled, readRegister);
  }
  for (StringRef count : {"x1", "x2"})
    meanings.add(
        formatv("llvm.nvvm.ldmatrix.sync.aligned.m16n16.{0}.trans.b8", count),
        moveMatrix);
  for (StringRef count : {"x1", "x2", "x4"})
    for (StringRef mode : {"", ".trans"})
      for (StringRef name : {"ldmatrix", "stmatrix"})
        meanings.add(formatv("llvm.nvvm.{0}.sync.aligned.m8n8.{1}{2}.b16", name,
                             count, mode),
                     moveMatrix);
  meanings.add("__nvvm_reflect", reflect);
  addPrinting(meanings);
}

} // namespace kernelscope::wave::nvidia
