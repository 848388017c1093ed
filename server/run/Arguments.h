//===- Arguments.h - The arguments of a kernel ------------------*- C++ -*-===//
//
// What the IR says of each argument, and the host's values for them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_ARGUMENTS_H
#define KERNELSCOPE_SERVER_RUN_ARGUMENTS_H

#include "executor/Executor.h"
#include "executor/plan/Element.h"
#include "server/run/LaunchSpec.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Error.h"

namespace kernelscope::run {

/// One argument in the kernel's signature.
struct ArgumentInfo {
  std::string name;       ///< of its location, else "arg" and its number
  bool isPointer = false; ///< or a descriptor: it has a buffer
  /// Of a descriptor: the block that it moves; empty for others.
  std::vector<int64_t> block;
  /// Of a descriptor: dimensions of its tensor.
  unsigned rank = 0;
  /// Of a scalar that holds a field of a descriptor for the device: the place
  /// of the descriptor, or of the pointer that a pass replaced it by, and of
  /// which of its `rank` dimensions this is the size or the stride. An option
  /// of the descriptor, such as its padding, has no dimension: it is off.
  struct Metadata {
    enum class Kind { Size, Stride, Option };
    size_t descriptor;
    unsigned rank;
    Kind kind;
    unsigned dim = 0;
  };
  std::optional<Metadata> metadata;
  executor::Element
      element;              ///< of the scalar, or of what the pointer points to
  std::string dtype;        ///< the same as text: "f32", "i64"
  int64_t divisibility = 1; ///< what tt.divisibility promises of the value
  bool loaded = false, stored = false; ///< of a pointer: what the kernel does
  bool isAtomic = false;               ///< some of that is atomic
  /// Its elements name the rows that a scatter writes: each must be another,
  /// or programs meet in memory.
  bool namesRows = false;
  /// Each element is where a segment begins and the one before ends.
  bool isOffset = false;
  /// The kernel asserts that its elements are not negative.
  bool isNotNegative = false;
  /// The kernel looks at nothing of its elements but whether they are zero.
  bool isFlag = false;
  /// Its bytes are exponents that scale blocks of a product; 127 stands for 1.
  bool isScale = false;
  /// Its elements are indices into this many elements; zero where nothing says.
  int64_t indices = 0;
  /// Scalar arguments, by position, that its elements are less than.
  llvm::SetVector<unsigned> below;
  /// The kernel waits until elements have this value.
  std::optional<int64_t> awaited;
  /// Of an array of pointers: what each of them points to; empty for others.
  std::vector<ArgumentInfo> pointee;

  bool isDescriptor() const { return rank != 0; }
};

/// The pointers and descriptors that `pointer` becomes in its kernel, itself
/// first.
llvm::SetVector<mlir::Value> valuesOf(mlir::Value pointer);

/// Sets in `info` whether the kernel loads from and stores to what `pointer`
/// points to.
void findAccesses(mlir::Value pointer, ArgumentInfo &info);

/// The arguments of `kernel`; an error names one that cannot be passed.
llvm::Expected<std::vector<ArgumentInfo>>
describeArguments(mlir::FunctionOpInterface kernel);

/// An argument with its value.
struct ArgumentValue {
  ArgumentInfo info;
  executor::Scalar scalar;
  std::vector<int64_t> shape; ///< of a buffer
  std::vector<char> bytes;    ///< of a buffer
  Fill fill;
  bool output = false;
  /// What it is compared with after the run: the bytes of a file, and its name.
  std::optional<std::vector<char>> expected;
  std::string expectedFile;
  /// Of a buffer that is not an argument: the argument whose element points to
  /// it.
  struct Place {
    size_t argument, element;
    auto operator<=>(const Place &) const = default;
  };
  std::optional<Place> behind;

  size_t count() const { return bytes.size() / executor::sizeOf(info.element); }
};

/// All that a launch needs besides the kernel.
struct Launch {
  executor::Grid grid;
  /// Those of the signature, then the buffers that elements of theirs point to.
  std::vector<ArgumentValue> arguments;
  /// The work of finding the sizes of the buffers (executor::Options::steps).
  uint64_t sizingSteps = 0;
  /// What the launch for the results wrote, on a GPU.
  std::string written;
};

/// The bytes of `launch`'s buffers, twice if the kernel loads and stores them.
uint64_t bytesMoved(const Launch &launch);

/// Strides of a dense tensor, in elements.
std::vector<int64_t> denseStrides(llvm::ArrayRef<int64_t> shape);

/// `launch`'s arguments as the executor takes them; buffers are not copied.
std::vector<executor::Argument> executorArguments(Launch &launch);

/// Element `index` of stored `bytes` as a double, exact up to 53 bits.
double elementValue(executor::Element element, const char *bytes, size_t index);
/// Element `index` as text; a float with as many digits as its type has.
std::string elementText(executor::Element element, const char *bytes,
                        size_t index);
/// A value of type `element` from a number; floats round.
uint64_t scalarBits(executor::Element element, double value);

/// Calls `fn` for all of `count` elements, in pieces, from several threads.
/// `onProgress`, which may be empty, is called periodically with the number
/// that are done, if there are tens of millions.
void forEachPiece(size_t count, llvm::function_ref<void(size_t, size_t)> fn,
                  const executor::OnProgress &onProgress = {});

/// Fills `bytes`, whose size is a whole number of elements, as `fill` says (a
/// kind other than File). The first elements do not depend on how many follow.
void fillElements(executor::Element element, const Fill &fill, uint64_t seed,
                  std::vector<char> &bytes,
                  const executor::OnProgress &onProgress = {});

/// Called while a launch is resolved; each may be empty.
struct LaunchProgress {
  /// Programs that have run to find the sizes of buffers.
  executor::OnProgress onSizing;
  /// Elements of a buffer that have been filled, and all of them.
  std::function<void(const ArgumentInfo &buffer, uint64_t, uint64_t)> onFilling;
};

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_ARGUMENTS_H
