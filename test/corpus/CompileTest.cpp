//===- CompileTest.cpp - Triton's dumps become programs for every target --===//
//
// The kernels that are to compile on every target that the corpus has them for:
// to a cubin that ptxas makes of our PTX, or to a code object that lld links.
// The widths of global accesses are Triton's own. KS_CORPUS is the folder of
// the unpacked corpus; `corpus_compile --kernel=NAME` compiles all dumps of
// one.
//
//===----------------------------------------------------------------------===//

#include "passes/Compile.h"
#include "dialects/Dialects.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/Source.h"
#include "passes/emit/Objects.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <map>
#include <regex>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace mlir;
using namespace kernelscope;

namespace {

const char *const kernels[] = {"vec_add",
                               "vec_add_f16x8",
                               "grid_stride_saxpy",
                               "clamp_select",
                               "math_zoo",
                               "integer_ops",
                               "mixed_precision_fma",
                               "softmax_row",
                               "softmax_row_w8",
                               "rmsnorm_residual",
                               "column_stats",
                               "gemv",
                               "transpose_tile",
                               "collatz_steps",
                               "embedding_lookup",
                               "dropout_fwd",
                               "gl_copy",
                               "gl_softmax",
                               "gl_transpose",
                               "nv_ws_results"};

/// Kernels with matrix products, and the targets whose instructions they take
/// and that have all else they need.
struct Product {
  const char *kernel;
  /// Ends with the first null.
  const char *targets[4];
};
constexpr Product products[] = {
    {"matmul_f16", {"cuda-80", "cuda-120", "hip-gfx942", "hip-gfx950"}},
    {"nv_mma_v2_matmul_f16", {"cuda-80", "cuda-90", "cuda-120"}},
    {"amd_mfma_matmul_m16", {"hip-gfx942", "hip-gfx950"}},
    {"amd_mfma_matmul_m32", {"hip-gfx942", "hip-gfx950"}},
    {"matmul_bf16", {"cuda-80", "hip-gfx942", "hip-gfx950"}},
    {"matmul_f32", {"cuda-80", "hip-gfx942", "hip-gfx950"}},
    {"matmul_f32_ieee", {"cuda-80", "hip-gfx942", "hip-gfx950"}},
    {"matmul_f64", {"cuda-80", "cuda-90", "hip-gfx942"}},
    {"matmul_fp8", {"cuda-80", "cuda-120", "hip-gfx942"}},
    {"matmul_i8", {"cuda-80", "hip-gfx942", "hip-gfx950"}},
    {"matmul_batched_3d", {"cuda-90", "hip-gfx942", "hip-gfx950"}},
    {"flash_fwd_causal", {"cuda-80", "cuda-120", "hip-gfx942", "hip-gfx950"}},
    {"matmul_scaled_mxfp8", {"cuda-120"}},
    {"matmul_scaled_mxfp4", {"cuda-120"}},
    {"matmul_host_desc", {"cuda-90", "cuda-120"}},
    {"matmul_host_desc_w8", {"cuda-90"}},
    {"matmul_persistent_plain", {"cuda-90"}},
    {"matmul_persistent_ws_hopper", {"cuda-90"}},
    {"matmul_inner_ws", {"cuda-90"}},
    {"flash_desc_plain", {"cuda-90", "cuda-120"}},
    {"desc_reduce_f32", {"cuda-90"}},
    {"nv_tma_add", {"cuda-90", "cuda-120"}},
    {"nv_wgmma_async", {"cuda-90"}},
    {"nv_wgmma_async_lhs_regs", {"cuda-90"}},
    {"nv_wgmma_matmul_f16", {"cuda-90"}},
    {"nv_wgmma_matmul_bf16_trans", {"cuda-90"}},
    {"nv_ws_wgmma", {"cuda-90"}},
    {"paged_decode", {"cuda-90", "hip-gfx942", "hip-gfx950"}},
};

/// "cuda-90" and "hip-gfx942", the corpus's folders, as architectures.
std::string archOf(const std::string &folder) {
  std::string arch = folder;
  std::replace(arch.begin(), arch.end(), '-', ':');
  return arch;
}

std::string readFile(const fs::path &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path.string());
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// How many global accesses of each width, in bytes, assembly has.
using Widths = std::map<unsigned, unsigned>;

/// The width that AMD's name of an access ends with: "dwordx4", "b128",
/// "d16_hi_u8".
unsigned widthOf(const std::string &suffix) {
  if (suffix.starts_with("dword"))
    return suffix.size() == 5 ? 4 : 4 * (suffix.back() - '0');
  if (suffix.starts_with("b") && suffix != "byte")
    return std::stoul(suffix.substr(1)) / 8;
  return suffix.find("byte") != std::string::npos || suffix.ends_with("8") ? 1
                                                                           : 2;
}

Widths nvidiaWidths(const std::string &text, const std::string &access) {
  Widths widths;
  // libdevice reads its tables by `ld.global.nc`.
  std::regex pattern(
      access + R"(\.global(?!\.nc)[^ ]*?(?:\.v([248]))?\.[bfsu](8|16|32|64))");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end;
       it != end; ++it)
    ++widths[std::stoul((*it)[2]) / 8 *
             ((*it)[1].matched ? std::stoul((*it)[1]) : 1)];
  return widths;
}

Widths amdWidths(const std::string &text, const std::string &access) {
  Widths widths;
  std::regex pattern("(?:buffer|global|flat)_" + access +
                     "_(dwordx[234]|dword|[us]?short|[us]?byte|"
                     "(?:d16_)?(?:hi_)?[iub](?:8|16)|b\\d+)");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end;
       it != end; ++it)
    ++widths[widthOf((*it)[1])];
  return widths;
}

/// "loads: 2x16B stores: 2x16B".
std::string accesses(const std::string &text, bool isNvidia) {
  std::string result;
  for (std::string access : {"load", "store"}) {
    result += access + "s:";
    for (auto [bytes, count] :
         isNvidia ? nvidiaWidths(text, access == "load" ? "ld" : "st")
                  : amdWidths(text, access))
      result += " " + std::to_string(count) + "x" + std::to_string(bytes) + "B";
    result += " ";
  }
  return result;
}

/// The matrix instructions of assembly and, on NVIDIA, how many there are, with
/// cp.async and the messages of TMA:
/// LLVM peels and unrolls AMD's loops in its own way.
std::map<std::string, unsigned> matrixInstructions(const std::string &text,
                                                   bool isNvidia) {
  std::map<std::string, unsigned> counts;
  std::regex pattern(
      isNvidia ? "mma\\.sync[a-z0-9.:]*|cp\\.async\\.c[ag]|wgmma\\.mma_async|"
                 "(?:cp|reduce)\\.async\\.bulk\\.tensor\\.\\dd\\."
                 "(?:shared|global)"
               : "v_mfma_[a-z0-9_]*");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end;
       it != end; ++it)
    counts[it->str()] += isNvidia;
  return counts;
}

struct Outcome {
  std::string error;
  std::string assembly;
};

/// Compiles one dump to `emit`, in this process.
FailureOr<Artifact> compileDump(const fs::path &path, const Target &target,
                                Emit emit, std::string &error) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    llvm::raw_string_ostream stream(error);
    stream << diagnostic.getLocation() << ": " << diagnostic << "\n";
  });
  auto module = parseSource(readFile(path), path.filename().string(), &context);
  if (!module)
    return failure();
  return compile(*module, target, emit, {});
}

/// The same in a child, so that an error that ends the process costs one dump.
Outcome compileInChild(const fs::path &path, const Target &target,
                       bool hasPtxas) {
  int ends[2];
  if (pipe(ends) != 0)
    return {"pipe failed", ""};
  pid_t child = fork();
  if (child == 0) {
    std::string error;
    Emit text = target.isNvidia() ? Emit::Ptx : Emit::Amdgcn;
    std::optional<Artifact> artifact = compileDump(path, target, text, error);
    std::string assembly;
    if (artifact) {
      assembly = artifact->output;
      if (artifact->lines.empty())
        error = "no line of the assembly is linked to the IR";
    }
    // An object too: only ptxas and lld know whether the text is right.
    Emit object = target.isNvidia() ? Emit::Cubin : Emit::Hsaco;
    if (error.empty() && (target.isAmd() || hasPtxas))
      (void)compileDump(path, target, object, error);
    FILE *out = fdopen(ends[1], "w");
    std::fprintf(out, "%zu\n", error.size());
    std::fwrite(error.data(), 1, error.size(), out);
    std::fwrite(assembly.data(), 1, assembly.size(), out);
    std::fclose(out);
    _exit(0);
  }
  close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0 || answer.empty())
    return {"the compiler died", ""};
  size_t newline = answer.find('\n');
  size_t size = std::stoul(answer.substr(0, newline));
  return {answer.substr(newline + 1, size), answer.substr(newline + 1 + size)};
}

/// Compiles the kernel's dumps of one stage for the targets that have them.
void compileOnEveryTarget(const std::string &kernel, const char *extension) {
  bool hasPtxas = emit::findCudaTool("ptxas").has_value();
  unsigned good = 0, all = 0;
  for (const auto &folder : fs::directory_iterator(KS_CORPUS)) {
    fs::path dump = folder.path() / (kernel + extension);
    if (!fs::exists(dump))
      continue;
    std::string name = folder.path().filename().string();
    auto target = Target::parse(archOf(name));
    ASSERT_TRUE(static_cast<bool>(target))
        << llvm::toString(target.takeError());
    ++all;
    Outcome outcome = compileInChild(dump, *target, hasPtxas);
    EXPECT_EQ(outcome.error, "") << name;
    if (!outcome.error.empty())
      continue;
    ++good;
    fs::path reference = dump;
    reference.replace_extension(target->isNvidia() ? ".ptx" : ".amdgcn");
    // Our layouts for TTIR need not be Triton's.
    if (dump.extension() == ".ttgir")
      EXPECT_EQ(accesses(outcome.assembly, target->isNvidia()),
                accesses(readFile(reference), target->isNvidia()))
          << name << ": widths of global accesses differ from Triton's";
  }
  std::printf("%s%s: %u of %u targets compile%s\n", kernel.c_str(), extension,
              good, all,
              hasPtxas ? "" : " (ptxas is not here: PTX is not assembled)");
}

class Compile : public testing::TestWithParam<const char *> {
  void SetUp() override {
    if (!fs::exists(KS_CORPUS))
      GTEST_SKIP() << "the corpus of Triton dumps is not here: " << KS_CORPUS;
  }
};

TEST_P(Compile, TtgirOnEveryTarget) {
  compileOnEveryTarget(GetParam(), ".ttgir");
}

// Gluon kernels have no TTIR.
TEST_P(Compile, TtirOnEveryTarget) {
  compileOnEveryTarget(GetParam(), ".ttir");
}

class CompileProducts : public testing::TestWithParam<Product> {};

TEST_P(CompileProducts, UseTheInstructionsThatTritonUses) {
  if (!fs::exists(KS_CORPUS))
    GTEST_SKIP() << "the corpus of Triton dumps is not here: " << KS_CORPUS;
  bool hasPtxas = emit::findCudaTool("ptxas").has_value();
  for (const char *folder : GetParam().targets) {
    if (!folder)
      break;
    if (!fs::exists(fs::path(KS_CORPUS) / folder))
      continue; // not unpacked for sanitizers
    fs::path dump = fs::path(KS_CORPUS) / folder /
                    (GetParam().kernel + std::string(".ttgir"));
    auto target = Target::parse(archOf(folder));
    ASSERT_TRUE(static_cast<bool>(target))
        << llvm::toString(target.takeError());
    Outcome outcome = compileInChild(dump, *target, hasPtxas);
    EXPECT_EQ(outcome.error, "") << folder;
    fs::path reference = dump;
    reference.replace_extension(target->isNvidia() ? ".ptx" : ".amdgcn");
    EXPECT_EQ(matrixInstructions(outcome.assembly, target->isNvidia()),
              matrixInstructions(readFile(reference), target->isNvidia()))
        << folder;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CompileProducts, testing::ValuesIn(products),
                         [](const auto &info) {
                           return std::string(info.param.kernel);
                         });

INSTANTIATE_TEST_SUITE_P(Corpus, Compile, testing::ValuesIn(kernels),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
