//===- PendingProducts.cpp - Products that a warp has not waited for ------===//

#include "executor/wave/nvidia/PendingProducts.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// A token is a NaN of 32 bits with its number. Registers of wgmma have 32
/// bits, so that the upper half of a column is free to mark it.
constexpr uint64_t tokenMark = uint64_t{0x746f6b65} << 32 | 0x7fc00000;
constexpr uint64_t tokenNumbers = uint64_t{1} << 22;
/// A wait for other sums may end a product, whose tokens are still in registers
/// of other names: that of the next turn of a loop.
constexpr size_t mostKept = 64;

void PendingProducts::issue(Wave &wave, Columns sums,
                            std::function<void(Wave &)> multiply) {
  Product product{std::move(sums), std::move(multiply), groups, tokens, {}};
  for (Column column : product.sums)
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      uint64_t &bits = wave.value(column, lane);
      product.values.push_back(bits);
      bits = tokenMark | tokens++ % tokenNumbers;
    }
  products.push_back(std::move(product));
}

uint64_t PendingProducts::resolve(uint64_t bits) const {
  if ((bits & ~(tokenNumbers - 1)) != tokenMark)
    return bits;
  for (const Product &product : reverse(products)) {
    const uint64_t at = (bits - product.first) % tokenNumbers;
    if (at < product.values.size())
      return product.isDone ? product.values[at] : bits;
  }
  return bits;
}

void PendingProducts::compute(Wave &wave, Product &product) {
  // The registers may have been given other values since.
  for (size_t i = 0; i < product.values.size(); ++i) {
    uint64_t &bits = wave.value(product.sums[i / wave.lanes], i % wave.lanes);
    product.values[i] = std::exchange(bits, resolve(product.values[i]));
  }
  product.multiply(wave);
  for (size_t i = 0; i < product.values.size(); ++i)
    std::swap(product.values[i],
              wave.value(product.sums[i / wave.lanes], i % wave.lanes));
  product.isDone = true;
}

void PendingProducts::wait(Wave &wave, uint64_t left,
                           ArrayRef<Column> registers) {
  auto resolveAll = [&](ArrayRef<Column> columns) {
    for (Column column : columns)
      for (unsigned lane = 0; lane < wave.lanes; ++lane)
        wave.value(column, lane) = resolve(wave.value(column, lane));
  };
  for (Product &product : products)
    if (!product.isDone && product.group + left < groups) {
      compute(wave, product);
      resolveAll(product.sums);
    }
  resolveAll(registers);
  while (products.size() > mostKept && products.front().isDone)
    products.pop_front();
}

} // namespace kernelscope::wave::nvidia
