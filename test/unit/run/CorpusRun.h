//===- CorpusRun.h - Runs kernels of the corpus on the CPU -----*- C++ -*-===//
//
// A file of the corpus, with a spec or the defaults, through the executor.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_TEST_RUN_CORPUSRUN_H
#define KERNELSCOPE_TEST_RUN_CORPUSRUN_H

#include "dialects/Dialects.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "server/analysis/ParseForCompile.h"
#include "server/run/Resolve.h"
#include "server/run/TimedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace kernelscope::run {

/// The folder of the corpus, or the one that the environment's KS_CORPUS names;
/// tests that need it skip when it is not there.
inline std::filesystem::path corpus() {
  const char *named = std::getenv("KS_CORPUS");
  return named ? named : KS_CORPUS;
}

/// The TTIR and TTGIR of the targets that the environment's KS_TARGETS lists,
/// with commas; "all" is all of them. By default, one of each kind of chip.
inline std::vector<std::filesystem::path> corpusFiles() {
  const char *named = std::getenv("KS_TARGETS");
  const std::string targets =
      named ? named : "cuda-90,cuda-100,hip-gfx942,hip-gfx1250";
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(corpus()))
    return files;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(corpus())) {
    const auto &path = entry.path();
    const std::string target = path.parent_path().filename().string();
    if ((path.extension() == ".ttir" || path.extension() == ".ttgir") &&
        (targets == "all" ||
         llvm::is_contained(llvm::split(targets, ','), target)))
      files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Their kernels, each once; without the corpus one name, so that there is a
/// test that says so.
inline std::set<std::string> corpusKernels() {
  std::set<std::string> kernels;
  for (const auto &file : corpusFiles())
    kernels.insert(file.stem().string());
  if (kernels.empty())
    kernels.insert("none");
  return kernels;
}

#define KS_NEEDS_CORPUS()                                                      \
  if (!std::filesystem::exists(corpus()))                                      \
  GTEST_SKIP() << "the corpus of Triton's dumps is not there: " << corpus()

/// One kernel of the corpus, parsed and planned. Errors are in `errors`.
class CorpusKernel {
public:
  explicit CorpusKernel(const std::filesystem::path &file)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
          return mlir::success();
        }) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    std::vector<Diagnostic> found;
    module = parseForCompile(text.str(), file.string(), context, found);
    if (!module) {
      for (const Diagnostic &diagnostic : found)
        errors += diagnostic.message + "\n";
      return;
    }
    module->walk([&](mlir::FunctionOpInterface found) {
      if (found.isPublic())
        function = found;
    });
    executable = executor::Kernel::create(function);
  }

  /// The launch for a spec in JSON.
  std::optional<Launch> resolve(const std::string &json) {
    if (!executable)
      return std::nullopt;
    llvm::Expected<LaunchSpec> spec = parseLaunchSpec(json, "spec");
    llvm::Expected<Launch> launch = resolveLaunch(
        function, executable.get(), llvm::cantFail(std::move(spec)));
    if (!launch) {
      errors += llvm::toString(launch.takeError()) + "\n";
      return std::nullopt;
    }
    return std::move(*launch);
  }

  /// The launch that a GPU would time if only `json` gives sizes.
  std::optional<Launch> toTime(const std::string &json, const Launch &small) {
    return launchToTime(function, executable.get(),
                        llvm::cantFail(parseLaunchSpec(json, "spec")), small);
  }

  /// The inputs of `launch`, which is another stage's.
  std::optional<Launch> sameAs(const Launch &launch) {
    if (!executable)
      return std::nullopt;
    llvm::Expected<Launch> made = sameLaunch(function, *executable, launch);
    if (made)
      return std::move(*made);
    errors += llvm::toString(made.takeError()) + "\n";
    return std::nullopt;
  }

  /// Runs the kernel on `launch`'s buffers, with the sanitizer or without.
  bool run(Launch &launch, bool sanitize = true) {
    executor::Options options;
    options.sanitize = sanitize;
    return executable && mlir::succeeded(executable->run(
                             executorArguments(launch), launch.grid, options));
  }

  std::string errors;

private:
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface function;
  std::unique_ptr<executor::Kernel> executable;
};

/// The argument `name` of a launch.
inline const ArgumentValue &argument(const Launch &launch,
                                     llvm::StringRef name) {
  for (const ArgumentValue &value : launch.arguments)
    if (value.info.name == name)
      return value;
  ADD_FAILURE() << "no argument " << name.str();
  return launch.arguments.front();
}

/// The elements of buffer `name`: floats as their values, integers as T.
template <typename T>
std::vector<T> elements(const Launch &launch, llvm::StringRef name) {
  const ArgumentValue &value = argument(launch, name);
  std::vector<T> made(value.count());
  for (size_t i = 0; i < made.size(); ++i) {
    if (sizeof(T) == executor::sizeOf(value.info.element) &&
        std::is_integral_v<T>)
      std::memcpy(&made[i], &value.bytes[i * sizeof(T)], sizeof(T));
    else
      made[i] = static_cast<T>(
          elementValue(value.info.element, value.bytes.data(), i));
  }
  return made;
}

/// The value of scalar `name`.
inline double number(const Launch &launch, llvm::StringRef name) {
  const ArgumentValue &value = argument(launch, name);
  return elementValue(value.info.element,
                      reinterpret_cast<const char *>(&value.scalar.bits), 0);
}

} // namespace kernelscope::run

#endif // KERNELSCOPE_TEST_RUN_CORPUSRUN_H
