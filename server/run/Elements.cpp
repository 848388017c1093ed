//===- Elements.cpp - Elements of buffers on the host ---------------------===//
//
// Fills, and elements as numbers and text.
//
//===----------------------------------------------------------------------===//

#include "server/run/Arguments.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

using namespace kernelscope::executor;

namespace kernelscope::run {
namespace {

/// A number in (0, 1] that depends only on `seed` and `index`, so that a longer
/// buffer starts like a shorter one (SplitMix64's mixing function).
double randomUnit(uint64_t seed, uint64_t index) {
  uint64_t z =
      seed * 0xda942042e4dd58b5ull + (index + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  return (static_cast<double>(z >> 11) + 1) * 0x1p-53;
}

double fillValue(const Fill &fill, uint64_t seed, size_t index) {
  switch (fill.kind) {
  case Fill::Kind::Zeros:
  case Fill::Kind::File:
  case Fill::Kind::Pointers:
    return 0;
  case Fill::Kind::Ones:
    return 1;
  case Fill::Kind::Arange:
    return static_cast<double>(index);
  case Fill::Kind::Ascending:
    // Even distances, and from each of those places at most half of one back.
    return index == 0 ? 0
                      : fill.high / 2 *
                            (static_cast<double>(index) -
                             (1 - randomUnit(seed, index)) / 2);
  case Fill::Kind::Constant:
    return fill.value;
  case Fill::Kind::Normal: {
    // Box and Muller's transformation of two uniform numbers.
    const double radius = std::sqrt(-2 * std::log(randomUnit(seed, 2 * index)));
    return radius *
           std::cos(2 * std::numbers::pi * randomUnit(seed, 2 * index + 1));
  }
  case Fill::Kind::Uniform:
    return fill.low + (fill.high - fill.low) * (1 - randomUnit(seed, index));
  }
  return 0;
}

template <typename T> T::Storage storeInt(double value) {
  return T::store(
      static_cast<uint64_t>(static_cast<int64_t>(std::floor(value))));
}

} // namespace

void forEachPiece(size_t count, llvm::function_ref<void(size_t, size_t)> fn,
                  const OnProgress &onProgress) {
  constexpr size_t piece = size_t(1) << 16, batch = 512 * piece;
  if (count <= piece)
    return fn(0, count); // threads would only have to start
  for (size_t first = 0; first < count; first += batch) {
    const size_t end = std::min(count, first + batch);
    llvm::parallelFor(0, llvm::divideCeil(end - first, piece), [&](size_t i) {
      const size_t begin = first + i * piece;
      fn(begin, std::min(end, begin + piece));
    });
    if (onProgress && count > batch)
      onProgress(end, count);
  }
}

void fillElements(Element element, const Fill &fill, uint64_t seed,
                  std::vector<char> &bytes, const OnProgress &onProgress) {
  const size_t count = bytes.size() / sizeOf(element);
  auto fillPiece = [&](size_t begin, size_t end) {
    auto fillAll = [&](auto store) {
      for (size_t i = begin; i < end; ++i) {
        const auto stored = store(fillValue(fill, seed, i));
        std::memcpy(&bytes[i * sizeof(stored)], &stored, sizeof(stored));
      }
    };
    if (isFloat(element))
      withFloat(element, [&]<typename T>() {
        fillAll([](double value) { return T::store(value); });
      });
    else
      withInt(element, [&]<typename T>() { fillAll(storeInt<T>); });
  };
  forEachPiece(count, fillPiece, onProgress);
}

uint64_t scalarBits(Element element, double value) {
  uint64_t bits = 0;
  if (isFloat(element)) {
    withFloat(element, [&]<typename T>() {
      const auto stored = T::store(value);
      std::memcpy(&bits, &stored, sizeof(stored));
    });
  } else {
    withInt(element, [&]<typename T>() { bits = storeInt<T>(value); });
  }
  return bits;
}

double elementValue(Element element, const char *bytes, size_t index) {
  const char *from = bytes + index * sizeOf(element);
  double value = 0;
  auto read = [&]<typename S>(S stored) {
    std::memcpy(&stored, from, sizeof(stored));
    return stored;
  };
  if (isFloat(element))
    withFloat(element, [&]<typename T>() {
      value = T::load(read(typename T::Storage()));
    });
  else
    withInt(element, [&]<typename T>() {
      const auto stored = read(typename T::Storage());
      if constexpr (T::width == 1)
        value = static_cast<double>(T::loadUnsigned(stored));
      else
        value = static_cast<double>(T::loadSigned(stored));
    });
  return value;
}

std::string elementText(Element element, const char *bytes, size_t index) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (isFloat(element)) {
    const int digits = element == Element::F64   ? 17
                       : element == Element::F32 ? 9
                                                 : 5;
    out << llvm::format("%.*g", digits, elementValue(element, bytes, index));
  } else if (element == Element::I64) {
    int64_t value;
    std::memcpy(&value, bytes + index * sizeof(value), sizeof(value));
    out << value;
  } else {
    out << static_cast<int64_t>(elementValue(element, bytes, index));
  }
  return text;
}

} // namespace kernelscope::run
