//===- Program.h - Kernels in tests ----------------------------*- C++ -*-===//
//
// IR text in, arrays in and out.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_TEST_EXECUTOR_PROGRAM_H
#define KERNELSCOPE_TEST_EXECUTOR_PROGRAM_H

#include "dialects/Dialects.h"
#include "executor/Executor.h"
#include "executor/plan/SmallFloat.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstring>

namespace kernelscope::executor {

/// The elements of `values` as a buffer argument.
template <typename T> Argument buffer(std::vector<T> &values) {
  return Buffer{values.data(), values.size() * sizeof(T)};
}

/// A scalar argument.
template <typename T> Argument scalar(T value) {
  Scalar made;
  std::memcpy(&made.bits, &value, sizeof(value));
  return made;
}

/// Values as f16 or bf16, and back.
template <typename Small>
std::vector<Small> encode(const std::vector<float> &values) {
  std::vector<Small> made;
  for (float value : values)
    made.push_back(Small::encode(value));
  return made;
}
template <typename Small>
std::vector<float> decode(const std::vector<Small> &values) {
  std::vector<float> made;
  for (Small value : values)
    made.push_back(value.decode());
  return made;
}

/// The first function of a module, ready to run; errors are kept as text.
class Program {
public:
  explicit Program(llvm::StringRef text)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            errors += "note: " + note.str() + "\n";
          return mlir::success();
        }) {
    context.printOpOnDiagnostic(false);
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return;
    module->walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::FunctionOpInterface function) {
          if (!function.isPublic())
            return mlir::WalkResult::advance();
          kernel = Kernel::create(function);
          return mlir::WalkResult::interrupt();
        });
  }

  /// Runs the grid; false after an error.
  bool run(std::vector<Argument> arguments, Grid grid = {},
           Options options = {}) {
    return kernel && mlir::succeeded(kernel->run(arguments, grid, options));
  }

  bool planned() const { return kernel != nullptr; }
  std::string errors;

private:
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<Kernel> kernel;
};

/// A kernel that loads a tensor from each of `inputs` types, runs `body`, which
/// names them %a, %b, %c, and stores its %r. One-dimensional, `count` elements.
inline std::string elementwiseKernel(std::vector<std::string> inputs,
                                     std::string output, int count,
                                     const std::string &body) {
  const std::string n = std::to_string(count);
  std::string arguments, loads;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name(1, char('a' + i)), &type = inputs[i];
    arguments += "%p" + name + ": !tt.ptr<" + type + ">, ";
    loads += "%s" + name + " = tt.splat %p" + name + " : !tt.ptr<" + type +
             "> -> tensor<" + n + "x!tt.ptr<" + type + ">>\n%q" + name +
             " = tt.addptr %s" + name + ", %i : tensor<" + n + "x!tt.ptr<" +
             type + ">>, tensor<" + n + "xi32>\n%" + name + " = tt.load %q" +
             name + " : tensor<" + n + "x!tt.ptr<" + type + ">>\n";
  }
  return "tt.func public @k(" + arguments + "%pr: !tt.ptr<" + output +
         ">) {\n%i = tt.make_range {start = 0 : i32, end = " + n +
         " : i32} : tensor<" + n + "xi32>\n" + loads + body +
         "\n%sr = tt.splat %pr : !tt.ptr<" + output + "> -> tensor<" + n +
         "x!tt.ptr<" + output + ">>\n%qr = tt.addptr %sr, %i : tensor<" + n +
         "x!tt.ptr<" + output + ">>, tensor<" + n +
         "xi32>\ntt.store %qr, %r : tensor<" + n + "x!tt.ptr<" + output +
         ">>\ntt.return\n}\n";
}

} // namespace kernelscope::executor

#endif // KERNELSCOPE_TEST_EXECUTOR_PROGRAM_H
