//===- MatrixElements.cpp - Element types of matrix units -----------------===//

#include "dialects/ttg/MatrixElements.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace kernelscope;

std::optional<MatrixElement> ttg::matrixElement(Type type) {
  using enum MatrixElement;
  if (type.isF64())
    return F64;
  if (type.isF32())
    return F32;
  if (type.isF16())
    return F16;
  if (type.isBF16())
    return BF16;
  if (isa<Float8E4M3FNType>(type))
    return E4M3;
  if (isa<Float8E5M2Type>(type))
    return E5M2;
  if (isa<Float8E4M3FNUZType>(type))
    return E4M3FNUZ;
  if (isa<Float8E5M2FNUZType>(type))
    return E5M2FNUZ;
  if (isa<Float6E2M3FNType>(type))
    return E2M3;
  if (isa<Float6E3M2FNType>(type))
    return E3M2;
  if (isa<Float4E2M1FNType>(type))
    return E2M1;
  if (type.isInteger(8))
    return I8;
  if (type.isInteger(32))
    return I32;
  return std::nullopt;
}

std::optional<MatrixElement> ttg::matrixElement(tt::ScaleDotElemType format) {
  switch (format) {
  case tt::ScaleDotElemType::E4M3:
    return MatrixElement::E4M3;
  case tt::ScaleDotElemType::E5M2:
    return MatrixElement::E5M2;
  case tt::ScaleDotElemType::E2M3:
    return MatrixElement::E2M3;
  case tt::ScaleDotElemType::E3M2:
    return MatrixElement::E3M2;
  case tt::ScaleDotElemType::E2M1:
    return MatrixElement::E2M1;
  default:
    return std::nullopt;
  }
}

const DescribedProduct *ttg::findDescribedProduct(MatrixUnit unit, Type a,
                                                  Type b, Type c) {
  auto left = matrixElement(a), right = matrixElement(b),
       sum = matrixElement(c);
  return left && right && sum
             ? kernelscope::findDescribedProduct(unit, *left, *right, *sum)
             : nullptr;
}
