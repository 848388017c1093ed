//===- Comparison.cpp - How a buffer differs ------------------------------===//
//
// Element by element, and as a picture of where.
//
//===----------------------------------------------------------------------===//

#include "server/run/Comparison.h"

#include <cmath>

using kernelscope::executor::Element;

namespace kernelscope::run {

Comparison compare(const ArgumentValue &found, const ArgumentValue &expected,
                   const Tolerance &tolerance) {
  Comparison result;
  const Element element = found.info.element;
  const bool exact = executor::isInt(element);
  result.tolerance = exact ? Tolerance() : tolerance;
  for (size_t i = 0; i < found.count(); ++i) {
    const double a = elementValue(element, found.bytes.data(), i);
    const double b = elementValue(element, expected.bytes.data(), i);
    // Infinities agree when they are equal, NaNs with each other.
    if (a == b || (std::isnan(a) && std::isnan(b)))
      continue;
    const double difference = std::abs(a - b);
    if (std::isfinite(difference)) {
      result.maxAbsolute = std::max(result.maxAbsolute, difference);
      if (b != 0)
        result.maxRelative =
            std::max(result.maxRelative, difference / std::abs(b));
      if (difference <=
          result.tolerance.absolute + result.tolerance.relative * std::abs(b))
        continue;
    } else {
      result.maxAbsolute = result.maxRelative = INFINITY;
    }
    if (result.outside++ == 0) {
      result.firstOutside = i;
      result.found = elementText(element, found.bytes.data(), i);
      result.expected = elementText(element, expected.bytes.data(), i);
    }
  }
  return result;
}

/// Cells along the longer side of an error map.
constexpr size_t mapSide = 64;

/// What the difference of two elements is, in tolerances.
static double errorOf(double found, double expected,
                      const Tolerance &tolerance) {
  if (found == expected || (std::isnan(found) && std::isnan(expected)))
    return 0;
  const double difference = std::abs(found - expected);
  const double allowed =
      tolerance.absolute + tolerance.relative * std::abs(expected);
  return std::isfinite(difference) && allowed > 0 ? difference / allowed
                                                  : INFINITY;
}

ErrorMap mapErrors(const ArgumentValue &found, const ArgumentValue &expected,
                   const Tolerance &tolerance) {
  ErrorMap map;
  const size_t count = found.count();
  const size_t last = found.shape.size() > 1 ? found.shape.back() : 0;
  // Of one dimension: about a square, in rows of a power of two.
  map.rowLength = last ? last : 1;
  while (!last && map.rowLength * map.rowLength < count)
    map.rowLength *= 2;
  const size_t rows = (count + map.rowLength - 1) / map.rowLength;
  map.rowsPerCell = (rows + mapSide - 1) / mapSide;
  map.columnsPerCell = (map.rowLength + mapSide - 1) / mapSide;
  map.columns = (map.rowLength + map.columnsPerCell - 1) / map.columnsPerCell;
  map.cells.resize(map.columns *
                   ((rows + map.rowsPerCell - 1) / map.rowsPerCell));
  const Element element = found.info.element;
  for (size_t i = 0; i < count; ++i) {
    const size_t row = i / map.rowLength / map.rowsPerCell;
    const size_t column = i % map.rowLength / map.columnsPerCell;
    double &cell = map.cells[row * map.columns + column];
    cell =
        std::max(cell, errorOf(elementValue(element, found.bytes.data(), i),
                               elementValue(element, expected.bytes.data(), i),
                               tolerance));
  }
  return map;
}

static Tolerance toleranceOfOne(Element element) {
  switch (element) {
  case Element::F64:
    return {1e-12, 1e-10};
  case Element::F32:
    return {1e-5, 1e-4};
  case Element::F16:
    return {1e-3, 2e-3};
  case Element::BF16:
    return {1e-2, 1.6e-2};
  case Element::F8E4M3FN:
  case Element::F8E4M3FNUZ:
    return {2e-2, 0.125};
  case Element::F8E5M2:
  case Element::F8E5M2FNUZ:
    return {2e-2, 0.25};
  default:
    return {};
  }
}

Tolerance defaultTolerance(const ArgumentValue &expected, double least) {
  const Element element = expected.info.element;
  Tolerance tolerance = toleranceOfOne(element);
  if (tolerance.absolute > 0)
    tolerance.absolute = std::max(tolerance.absolute, least);
  double squares = 0;
  size_t finite = 0;
  for (size_t i = 0; i < expected.count(); ++i) {
    const double value = elementValue(element, expected.bytes.data(), i);
    if (!std::isfinite(value))
      continue;
    squares += value * value;
    ++finite;
  }
  if (finite)
    tolerance.absolute *= std::max(1.0, std::sqrt(squares / finite));
  return tolerance;
}

} // namespace kernelscope::run
