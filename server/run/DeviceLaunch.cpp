//===- DeviceLaunch.cpp - A launch, whichever the driver ------------------===//
//
// Copies buffers to the device, launches once for the results, then repeatedly
// for the time.
//
//===----------------------------------------------------------------------===//

#include "server/run/DeviceLaunch.h"
#include "dialects/target/TensorWords.h"
#include "server/run/DeviceOutput.h"
#include <deque>

using namespace llvm;

namespace kernelscope::run {

char MissingDevice::ID = 0;

Expected<TensorMap>
DeviceDriver::describeTensor(const ArgumentValue &argument, uint64_t pointer,
                             const KernelArgument &parameter) {
  namespace fields = tensorFields;
  const size_t rank = argument.shape.size();
  if (rank == 0 || rank > std::size(fields::sizes))
    return createStringError("argument '" + argument.info.name +
                             "' describes a tensor of rank " + Twine(rank) +
                             "; the tensor data mover takes 1 to 5");
  std::array<uint32_t, numTensorWords(5)> words{};
  setTensorField(words, fields::enabled, 1);
  setTensorField(words, fields::address, pointer);
  setTensorField(words, fields::kind, 2);
  setTensorField(words, fields::elementBytes,
                 Log2_64(executor::sizeOf(argument.info.element)));
  // Our code sets them with each copy, Triton's does not.
  if (parameter.tensorMap && parameter.tensorMap->gapInterval >= 8) {
    setTensorField(words, fields::hasGaps, 1);
    setTensorField(words, fields::gapInterval,
                   Log2_32(parameter.tensorMap->gapInterval) - 3);
    setTensorField(words, fields::gapWords,
                   parameter.tensorMap->gapBytes / 4 - 1);
  }
  const std::vector<int64_t> strides = denseStrides(argument.shape);
  for (size_t i = 0; i < rank; ++i) {
    setTensorField(words, fields::sizes[i], argument.shape[rank - 1 - i]);
    if (i > 0)
      setTensorField(words, fields::strides[i - 1], strides[rank - 1 - i]);
  }
  TensorMap map{};
  static_assert(sizeof(words) <= sizeof(map.bytes));
  std::memcpy(map.bytes.data(), words.data(), sizeof(words));
  return map;
}

namespace {

/// Device memory that is released on every path.
class DeviceMemory {
public:
  explicit DeviceMemory(DeviceDriver &driver) : driver(driver) {}
  ~DeviceMemory() {
    for (uint64_t pointer : pointers)
      driver.release(pointer);
  }
  Expected<uint64_t> allocate(size_t bytes) {
    Expected<uint64_t> pointer = driver.allocate(std::max<size_t>(bytes, 1));
    if (pointer)
      pointers.push_back(*pointer);
    return pointer;
  }

private:
  DeviceDriver &driver;
  std::vector<uint64_t> pointers;
};

} // namespace

Expected<LaunchTimes> launchOn(DeviceDriver &driver, const KernelInfo &kernel,
                               Launch &launch, unsigned warmup,
                               unsigned repeat) {
  DeviceMemory memory(driver);
  // A parameter is a pointer, a scalar's bits, a tensor map, or one of the two
  // scratch pointers. Each is passed by its address, which stays.
  std::vector<uint64_t> values;
  std::deque<TensorMap> maps;
  std::vector<void *> parameters;
  std::vector<uint64_t> places; // of each argument's buffer
  values.reserve(launch.arguments.size() + 2);
  auto pass = [&](uint64_t value) {
    values.push_back(value);
    parameters.push_back(&values.back());
  };
  for (auto [index, argument] : enumerate(launch.arguments)) {
    places.push_back(0);
    if (!argument.info.isPointer) {
      pass(argument.scalar.bits);
      continue;
    }
    Expected<uint64_t> pointer = memory.allocate(argument.bytes.size());
    if (!pointer)
      return pointer.takeError();
    if (Error error = driver.copyToDevice(*pointer, argument.bytes.data(),
                                          argument.bytes.size()))
      return error;
    places.back() = *pointer;
    if (argument.behind) {
      const auto [owner, element] = *argument.behind;
      if (Error error =
              driver.copyToDevice(places[owner] + element * sizeof(*pointer),
                                  &*pointer, sizeof(*pointer)))
        return error;
      continue;
    }
    pass(*pointer);
    if (!argument.info.isDescriptor())
      continue;
    Expected<TensorMap> map =
        driver.describeTensor(argument, *pointer, kernel.arguments[index]);
    if (!map)
      return map.takeError();
    maps.push_back(*map);
    parameters.back() = &maps.back();
  }
  const uint64_t blocks =
      uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z * kernel.ctas;
  for (unsigned bytes : {kernel.scratchBytes, kernel.profileScratchBytes}) {
    if (!bytes) {
      pass(0);
      continue;
    }
    Expected<uint64_t> scratch = memory.allocate(blocks * bytes);
    if (!scratch)
      return scratch.takeError();
    if (Error error = driver.clear(*scratch, blocks * bytes))
      return error;
    pass(*scratch);
  }

  {
    CapturedOutput captured;
    Error error = driver.launch(launch.grid, parameters.data());
    if (!error)
      error = driver.synchronize();
    launch.written = captured.take();
    if (error)
      return error;
  }
  for (auto [place, argument] : zip_equal(places, launch.arguments))
    if (argument.info.isPointer)
      if (Error error = driver.copyToHost(argument.bytes.data(), place,
                                          argument.bytes.size()))
        return error;

  // What later launches print is dropped.
  CapturedOutput again;
  auto once = [&] { return driver.launch(launch.grid, parameters.data()); };
  if (repeat)
    for (unsigned i = 0; i < warmup; ++i)
      if (Error error = once())
        return error;
  LaunchTimes times;
  for (unsigned i = 0; i < repeat; ++i) {
    Expected<double> microseconds = driver.time(once);
    if (!microseconds)
      return microseconds.takeError();
    times.push_back(*microseconds);
  }
  return times;
}

} // namespace kernelscope::run
