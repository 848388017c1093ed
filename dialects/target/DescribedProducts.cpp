//===- DescribedProducts.cpp - Products of matrices in memory -------------===//

#include "dialects/target/DescribedProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using enum MatrixElement;
using enum MatrixUnit;

static constexpr ProductTile floatTiles[] = {{1, 64, 8, 256}};
static constexpr ProductTile integerTiles[] = {{1, 64, 8, 32},
                                               {1, 64, 16, 256}};
static constexpr ProductTile tensorTiles[] = {
    {1, 64, 8, 256}, {1, 128, 16, 256}, {2, 128, 32, 256}, {2, 256, 32, 256}};
static constexpr ProductTile tensorIntegerTiles[] = {{1, 64, 8, 32},
                                                     {1, 64, 16, 256},
                                                     {1, 128, 16, 256},
                                                     {2, 128, 32, 256},
                                                     {2, 256, 32, 256}};

static constexpr llvm::StringLiteral wgmmaAsync = "wgmma.mma_async";

static constexpr DescribedProduct products[] = {
    {wgmmaAsync, Wgmma, F16, F16, F16, 16, floatTiles},
    {wgmmaAsync, Wgmma, F16, F16, F32, 16, floatTiles},
    {wgmmaAsync, Wgmma, BF16, BF16, F32, 16, floatTiles},
    {wgmmaAsync, Wgmma, TF32, TF32, F32, 8, floatTiles},
    {wgmmaAsync, Wgmma, E4M3, E4M3, F16, 32, floatTiles},
    {wgmmaAsync, Wgmma, E4M3, E4M3, F32, 32, floatTiles},
    {wgmmaAsync, Wgmma, E4M3, E5M2, F16, 32, floatTiles},
    {wgmmaAsync, Wgmma, E4M3, E5M2, F32, 32, floatTiles},
    {wgmmaAsync, Wgmma, E5M2, E4M3, F16, 32, floatTiles},
    {wgmmaAsync, Wgmma, E5M2, E4M3, F32, 32, floatTiles},
    {wgmmaAsync, Wgmma, E5M2, E5M2, F16, 32, floatTiles},
    {wgmmaAsync, Wgmma, E5M2, E5M2, F32, 32, floatTiles},
    {wgmmaAsync, Wgmma, I8, I8, I32, 32, integerTiles},

    {"tcgen05.mma.kind::f16", Tcgen05, F16, F16, F16, 16, tensorTiles},
    {"tcgen05.mma.kind::f16", Tcgen05, F16, F16, F32, 16, tensorTiles},
    {"tcgen05.mma.kind::f16", Tcgen05, BF16, BF16, F32, 16, tensorTiles},
    {"tcgen05.mma.kind::tf32", Tcgen05, TF32, TF32, F32, 8, tensorTiles},
    {"tcgen05.mma.kind::f8f6f4", Tcgen05, F8F6F4, F8F6F4, F16, 32, tensorTiles},
    {"tcgen05.mma.kind::f8f6f4", Tcgen05, F8F6F4, F8F6F4, F32, 32, tensorTiles},
    {"tcgen05.mma.kind::i8", Tcgen05, I8, I8, I32, 32, tensorIntegerTiles},
};

bool DescribedProduct::hasTile(unsigned ctas, unsigned rows,
                               unsigned columns) const {
  return llvm::any_of(tiles, [&](const ProductTile &tile) {
    return tile.ctas == ctas && tile.rows == rows && columns > 0 &&
           columns <= tile.columns && columns % tile.step == 0;
  });
}

std::string DescribedProduct::columnsFor(unsigned ctas, unsigned rows) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const ProductTile &tile : tiles)
    if (tile.ctas == ctas && tile.rows == rows)
      os << (text.empty() ? "" : ", or ") << "a multiple of " << tile.step
         << " up to " << tile.columns;
  return text;
}

static bool takes(MatrixElement row, MatrixElement element) {
  if (row == F8F6F4)
    return llvm::is_contained({E4M3, E5M2, E2M3, E3M2, E2M1}, element);
  return row == element || (row == TF32 && element == F32);
}

bool DescribedProduct::takesAsB(MatrixElement element) const {
  return takes(b, element);
}

llvm::SmallVector<const DescribedProduct *>
kernelscope::describedProductsOf(MatrixUnit unit, MatrixElement a) {
  llvm::SmallVector<const DescribedProduct *> rows;
  for (const DescribedProduct &row : products)
    if (row.unit == unit && takes(row.a, a))
      rows.push_back(&row);
  return rows;
}

const DescribedProduct *kernelscope::findDescribedProduct(MatrixUnit unit,
                                                          MatrixElement a,
                                                          MatrixElement b,
                                                          MatrixElement c) {
  for (const DescribedProduct *row : describedProductsOf(unit, a))
    if (row->takesAsB(b) && row->c == c)
      return row;
  return nullptr;
}

bool kernelscope::hasProduct(const Target &target,
                             const DescribedProduct &product) {
  return product.unit != Tcgen05 || product.a != I8 ||
         target.isaVersion == 100 || target.isaVersion == 110;
}

std::string kernelscope::describedOperands(MatrixUnit unit) {
  llvm::SmallSetVector<llvm::StringRef, 8> names;
  for (const DescribedProduct &row : products)
    if (row.unit == unit)
      names.insert(nameOf(row.a));
  return llvm::join(names, ", ");
}
