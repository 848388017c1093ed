//===- DirectedFunctions.cpp - Arithmetic rounded in a direction ----------===//
//
// libdevice's names for it: `fadd_rz` of f32, `dadd_rz` of f64; towards zero
// (rz), down (rd) and up (ru).
//
//===----------------------------------------------------------------------===//

#include "executor/ops/LibraryFunctions.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

namespace kernelscope::executor {
namespace {

using llvm::APFloat;
using llvm::RoundingMode;

double toDouble(const APFloat &value, float) { return value.convertToFloat(); }
double toDouble(const APFloat &value, double) {
  return value.convertToDouble();
}

/// The root of x: the nearest one, and its neighbour where that is on the wrong
/// side.
template <typename T, RoundingMode mode> double directedRoot(const double *x) {
  const T value = T(x[0]), root = std::sqrt(value);
  // Exact, or of the right sign.
  const double rest = std::fma(double(root), double(root), -double(value));
  if (!(rest > 0 || rest < 0) || !std::isfinite(root))
    return root;
  if (mode == RoundingMode::TowardPositive)
    return rest < 0 ? std::nextafter(root, T(INFINITY)) : root;
  return rest > 0 ? std::nextafter(root, T(0)) : root;
}

template <typename T, RoundingMode mode>
void add(llvm::StringMap<LibraryFunction> &table, llvm::StringRef type,
         llvm::StringRef fma, llvm::StringRef suffix) {
  auto name = [&](llvm::StringRef operation) {
    return (type + operation + suffix).str();
  };
  table[name("add")] = {2, [](const double *x) {
                          APFloat a{T(x[0])};
                          a.add(APFloat(T(x[1])), mode);
                          return toDouble(a, T());
                        }};
  table[name("sub")] = {2, [](const double *x) {
                          APFloat a{T(x[0])};
                          a.subtract(APFloat(T(x[1])), mode);
                          return toDouble(a, T());
                        }};
  table[name("mul")] = {2, [](const double *x) {
                          APFloat a{T(x[0])};
                          a.multiply(APFloat(T(x[1])), mode);
                          return toDouble(a, T());
                        }};
  table[name("div")] = {2, [](const double *x) {
                          APFloat a{T(x[0])};
                          a.divide(APFloat(T(x[1])), mode);
                          return toDouble(a, T());
                        }};
  table[name("rcp")] = {1, [](const double *x) {
                          APFloat a{T(1)};
                          a.divide(APFloat(T(x[0])), mode);
                          return toDouble(a, T());
                        }};
  table[name("sqrt")] = {1, directedRoot<T, mode>};
  table[(fma + suffix).str()] = {3, [](const double *x) {
                                   APFloat a{T(x[0])};
                                   a.fusedMultiplyAdd(APFloat(T(x[1])),
                                                      APFloat(T(x[2])), mode);
                                   return toDouble(a, T());
                                 }};
}

template <RoundingMode mode>
void addBoth(llvm::StringMap<LibraryFunction> &table, llvm::StringRef suffix) {
  add<float, mode>(table, "f", "fmaf", suffix);
  add<double, mode>(table, "d", "fma", suffix);
}

} // namespace

void addDirectedFunctions(llvm::StringMap<LibraryFunction> &table) {
  addBoth<RoundingMode::TowardZero>(table, "_rz");
  addBoth<RoundingMode::TowardNegative>(table, "_rd");
  addBoth<RoundingMode::TowardPositive>(table, "_ru");
}

} // namespace kernelscope::executor
