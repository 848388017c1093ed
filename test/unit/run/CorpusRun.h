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
#include "mlir/Parser/Parser.h"
#include "server/run/Resolve.h"
#include "gtest/gtest.h"
#include <cstring>
#include <filesystem>

namespace kernelscope::run {

/// The folder of the corpus; tests that need it skip when it is not there.
inline std::filesystem::path corpus() { return KS_CORPUS; }

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
    module = mlir::parseSourceFile<mlir::ModuleOp>(file.string(), &context);
    if (!module)
      return;
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

  /// Runs the kernel on `launch`'s buffers, with the sanitizer.
  bool run(Launch &launch) {
    executor::Options options;
    options.sanitize = true;
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
