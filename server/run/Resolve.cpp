//===- Resolve.cpp - From a spec to a launch ------------------------------===//
//
// Checks the spec against the signature, fills in defaults, sizes and fills the
// buffers.
//
//===----------------------------------------------------------------------===//

#include "server/run/Resolve.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "passes/analysis/FlatFunction.h"
#include "server/run/BufferSizes.h"
#include "server/run/Defaults.h"
#include "server/run/FreeMemory.h"
#include "server/run/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace llvm;
using kernelscope::executor::Element;

namespace kernelscope::run {

char FailedRun::ID = 0;

namespace {

/// NumPy's code for an element type; types that NumPy has not are raw bytes.
bool isNpyTypeOf(StringRef type, Element element) {
  switch (element) {
  case Element::I1:
    return type == "b1";
  case Element::F16:
    return type == "f2";
  case Element::F32:
    return type == "f4";
  case Element::F64:
    return type == "f8";
  default:
    break;
  }
  unsigned bytes;
  const bool sameSize = !type.drop_front().getAsInteger(10, bytes) &&
                        bytes == executor::sizeOf(element);
  return sameSize && StringRef(executor::isInt(element) ? "iu" : "iuV")
                         .contains(type.front());
}

/// The spec of each argument, by position. Names what matches none.
Expected<std::vector<ArgumentSpec>>
matchArguments(FunctionOpInterface kernel, ArrayRef<ArgumentInfo> arguments,
               const LaunchSpec &spec) {
  std::vector<ArgumentSpec> matched(arguments.size());
  for (const auto &[key, argument] : spec.arguments) {
    size_t index = arguments.size();
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].name == key)
        index = i;
    StringRef position = key; // 0 or arg0
    position.consume_front("arg");
    if (index == arguments.size() && position.getAsInteger(10, index))
      index = arguments.size();
    if (index >= arguments.size())
      return createStringError(
          "launch spec: kernel '" + kernel.getName() + "' has no argument '" +
          key + "'; it has " +
          join(map_range(arguments,
                         [](const ArgumentInfo &a) { return a.name; }),
               ", "));
    matched[index] = argument;
  }
  return matched;
}

Error checkAgainstSignature(const ArgumentInfo &argument,
                            const ArgumentSpec &spec) {
  const bool hasValue = !std::holds_alternative<std::monostate>(spec.value);
  const std::string type =
      argument.isDescriptor() ? "a tensor descriptor of " + argument.dtype
      : argument.isPointer    ? "a pointer to " + argument.dtype
                              : "a scalar of type " + argument.dtype;
  if (argument.isPointer && hasValue)
    return specError(argument,
                     "is " + type +
                         ", so it needs a shape and a fill, not a value");
  if (!argument.isPointer && (spec.shape || spec.fill))
    return specError(
        argument, "is " + type + ", so it needs a value, not a shape or fill");
  if (argument.isDescriptor() && spec.shape &&
      spec.shape->size() != argument.rank)
    return specError(argument,
                     formatv("is {0} with {1} dimensions, but its shape has "
                             "{2}",
                             type, argument.rank, spec.shape->size()));
  if (!argument.isPointer && (spec.expected || spec.output.value_or(false)))
    return specError(argument, "is " + type + ", which cannot be an output");
  if (spec.dtype &&
      StringRef(*spec.dtype).lower() != StringRef(argument.dtype).lower())
    return specError(argument, "has dtype '" + *spec.dtype +
                                   "'; the kernel's signature needs " +
                                   argument.dtype);
  if (executor::isInt(argument.element) &&
      std::holds_alternative<double>(spec.value))
    return specError(argument,
                     "is " + type + ", so its value must be an integer, not " +
                         formatv("{0}", std::get<double>(spec.value)).str());
  if (const auto *value = std::get_if<int64_t>(&spec.value);
      value && executor::isInt(argument.element)) {
    const unsigned bits =
        8 * static_cast<unsigned>(executor::sizeOf(argument.element));
    if (!isIntN(bits, *value) && !isUIntN(bits, static_cast<uint64_t>(*value)))
      return specError(argument,
                       formatv("has value {0}, which does not fit {1}", *value,
                               argument.dtype));
    if (*value % argument.divisibility != 0)
      return specError(argument,
                       formatv("has value {0}; the kernel was compiled for "
                               "multiples of {1} (tt.divisibility)",
                               *value, argument.divisibility));
  }
  return Error::success();
}

executor::Scalar scalarOf(const ArgumentInfo &argument,
                          const ArgumentSpec &spec, double guess) {
  if (const auto *integer = std::get_if<int64_t>(&spec.value)) {
    if (executor::isInt(argument.element))
      return {static_cast<uint64_t>(*integer)};
    return {scalarBits(argument.element, static_cast<double>(*integer))};
  }
  const auto *number = std::get_if<double>(&spec.value);
  return {scalarBits(argument.element, number ? *number : guess)};
}

/// A scalar's value in the spec, if it has one.
std::optional<double> numberOf(const ArgumentSpec &spec) {
  if (const auto *integer = std::get_if<int64_t>(&spec.value))
    return static_cast<double>(*integer);
  if (const auto *number = std::get_if<double>(&spec.value))
    return *number;
  return std::nullopt;
}

/// "64, 976".
std::string listOf(ArrayRef<int64_t> shape) {
  return join(map_range(shape, [](int64_t n) { return std::to_string(n); }),
              ", ");
}

Error loadFile(ArgumentValue &argument, const ArgumentSpec &spec) {
  Expected<NpyArray> array = readNpy(argument.fill.file);
  if (!array)
    return array.takeError();
  if (!isNpyTypeOf(array->type, argument.info.element))
    return specError(argument.info,
                     "has elements of NumPy type '" + array->type + "' in '" +
                         argument.fill.file + "'; the kernel needs " +
                         argument.info.dtype +
                         (argument.info.dtype == "i1" ? ", NumPy's 'b1'" : ""));
  if (spec.shape && *spec.shape != array->shape)
    return specError(argument.info, "has shape [" + listOf(array->shape) +
                                        "] in '" + argument.fill.file +
                                        "', but [" + listOf(*spec.shape) +
                                        "] in the spec");
  argument.shape = std::move(array->shape);
  argument.bytes = std::move(array->bytes);
  return Error::success();
}

/// Reads what a buffer is compared with, whose shape it has.
Error loadExpected(ArgumentValue &argument, ArgumentSpec &spec) {
  ArgumentValue file;
  file.info = argument.info;
  file.fill.file = *spec.expected;
  if (Error error = loadFile(file, spec))
    return error;
  spec.shape = std::move(file.shape);
  argument.expected = std::move(file.bytes);
  argument.expectedFile = *spec.expected;
  argument.output = true;
  return Error::success();
}

/// Fills a scalar that holds a field of a descriptor for the device. The tensor
/// of a pointer that a pass replaced one by may have no shape yet.
void fillDescriptorMetadata(const Launch &launch, ArgumentValue &scalar) {
  using Kind = ArgumentInfo::Metadata::Kind;
  const auto &metadata = scalar.info.metadata;
  if (!metadata)
    return;
  const auto &shape = launch.arguments[metadata->descriptor].shape;
  if (metadata->kind == Kind::Option)
    scalar.scalar.bits = 0;
  else if (shape.size() == metadata->rank)
    scalar.scalar.bits = metadata->kind == Kind::Stride
                             ? denseStrides(shape)[metadata->dim]
                             : shape[metadata->dim];
}

bool callsFunctions(FunctionOpInterface kernel) {
  return kernel->walk([](CallOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

} // namespace

Expected<Launch> resolveLaunch(FunctionOpInterface kernel,
                               executor::Kernel *executable,
                               const LaunchSpec &spec,
                               const LaunchProgress &progress) {
  // What bounds an argument is often in a function that the kernel calls.
  std::optional<FlatFunction> flat;
  if (callsFunctions(kernel))
    flat = FlatFunction::withCallees(kernel);
  auto whole = flat ? cast<FunctionOpInterface>(flat->function()) : kernel;
  Expected<std::vector<ArgumentInfo>> arguments = describeArguments(whole);
  if (!arguments)
    return arguments.takeError();
  Expected<std::vector<ArgumentSpec>> specs =
      matchArguments(kernel, *arguments, spec);
  if (!specs)
    return specs.takeError();

  std::optional<executor::Grid> grid;
  if (spec.grid)
    grid = executor::Grid{(*spec.grid)[0], (*spec.grid)[1], (*spec.grid)[2]};
  std::vector<std::optional<double>> given;
  for (const ArgumentSpec &argument : *specs)
    given.push_back(numberOf(argument));
  const LaunchGuess guess =
      guessLaunch(whole, *arguments, grid, given, spec.doublings);
  Launch launch;
  launch.grid = grid.value_or(guess.grid);
  SmallVector<bool> open;
  uint64_t bytesGiven = 0; // bytes
  for (size_t i = 0; i < arguments->size(); ++i) {
    const ArgumentInfo &info = (*arguments)[i];
    ArgumentSpec &given = (*specs)[i];
    if (Error error = checkAgainstSignature(info, given))
      return error;
    ArgumentValue value;
    value.info = info;
    open.push_back(false);
    if (!info.isPointer) {
      value.scalar = scalarOf(info, given, guess.scalars[i]);
    } else {
      value.fill = given.fill.value_or(defaultFill(info, guess.scalars));
      value.output = given.output.value_or(info.stored);
      if (given.expected)
        if (Error error = loadExpected(value, given))
          return error;
      if (value.fill.kind == Fill::Kind::File) {
        if (Error error = loadFile(value, given))
          return error;
        if (info.isDescriptor() && value.shape.size() != info.rank)
          return specError(info, formatv("describes a tensor of {0} dimensions;"
                                         " its file has {1}",
                                         info.rank, value.shape.size()));
      } else if (given.shape || info.isDescriptor()) {
        value.shape = given.shape ? *given.shape : guess.shapes[i];
        uint64_t bytes = executor::sizeOf(info.element);
        for (int64_t size : value.shape)
          bytes = SaturatingMultiply(bytes, static_cast<uint64_t>(size));
        bytesGiven = SaturatingAdd(bytesGiven, bytes);
        if (const uint64_t most = mostBufferBytes(); bytesGiven > most)
          return specError(
              info, formatv("needs {0} bytes, {1} with the arguments before it;"
                            " the buffers of a run may have at most {2} here, "
                            "half of the free memory",
                            bytes, bytesGiven, most));
        makeBuffer(value, spec.seed + i, bytes, progress);
      } else {
        open.back() = true;
      }
    }
    launch.arguments.push_back(std::move(value));
  }
  for (auto [i, argument] : enumerate(launch.arguments))
    if (std::holds_alternative<std::monostate>((*specs)[i].value))
      fillDescriptorMetadata(launch, argument);
  if (Error error =
          sizeBuffers(kernel, executable, launch, open, spec, progress))
    return error;
  return launch;
}

static bool isSameSignature(ArrayRef<ArgumentInfo> infos,
                            const Launch &launch) {
  const auto isBehind = [](const ArgumentValue &value) {
    return value.behind.has_value();
  };
  return infos.size() + count_if(launch.arguments, isBehind) ==
             launch.arguments.size() &&
         all_of(zip_first(infos, launch.arguments), [](auto both) {
           const auto &[now, before] = both;
           return now.element == before.info.element &&
                  now.isPointer == before.info.isPointer &&
                  now.rank == before.info.rank;
         });
}

Expected<Launch> sameLaunch(FunctionOpInterface kernel,
                            executor::Kernel &executable,
                            const Launch &launch) {
  Expected<std::vector<ArgumentInfo>> infos = describeArguments(kernel);
  if (!infos)
    return infos.takeError();
  if (isSameSignature(*infos, launch))
    return launch;
  LaunchSpec spec;
  spec.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  Expected<Launch> made = resolveLaunch(kernel, &executable, spec);
  if (!made)
    return made;
  auto isBuffer = [](const ArgumentValue &value) {
    return value.info.isPointer;
  };
  auto buffer = launch.arguments.begin(), end = launch.arguments.end();
  for (ArgumentValue &argument : made->arguments) {
    if (!argument.info.isPointer) {
      auto named = find_if(launch.arguments, [&](const ArgumentValue &value) {
        return !isBuffer(value) && value.info.name == argument.info.name;
      });
      if (named != end)
        argument.scalar = named->scalar;
      continue;
    }
    buffer = std::find_if(buffer, end, isBuffer);
    if (buffer == end || buffer->info.element != argument.info.element)
      return createStringError("kernel '" + kernel.getName() +
                               "' has other buffers than before");
    argument.bytes = buffer->bytes;
    argument.shape = buffer->shape;
    ++buffer;
  }
  for (ArgumentValue &argument : made->arguments)
    fillDescriptorMetadata(*made, argument);
  return made;
}

} // namespace kernelscope::run
