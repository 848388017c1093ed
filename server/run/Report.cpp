//===- Report.cpp - What a run gave ---------------------------------------===//
//
// Comparison with the CPU executor, and the report as text and JSON.
//
//===----------------------------------------------------------------------===//

#include "server/run/Report.h"
#include "server/run/Summary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace llvm;
using kernelscope::executor::Element;

namespace kernelscope::run {
namespace {

constexpr size_t shownElements = 8;

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
double errorOf(double found, double expected, const Tolerance &tolerance) {
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

uint64_t checksum(const std::vector<char> &bytes) {
  return xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

std::string shapeText(ArrayRef<int64_t> shape) {
  return join(
      map_range(shape, [](int64_t size) { return std::to_string(size); }), "x");
}

std::string fillText(const Fill &fill) {
  switch (fill.kind) {
  case Fill::Kind::Zeros:
    return "zeros";
  case Fill::Kind::Ones:
    return "ones";
  case Fill::Kind::Arange:
    return "arange";
  case Fill::Kind::Ascending:
    return formatv("ascending by [0, {0:F0}]", fill.high);
  case Fill::Kind::Constant:
    return formatv("constant {0}", fill.value);
  case Fill::Kind::Normal:
    return "normal";
  case Fill::Kind::Uniform:
    return formatv("uniform [{0:F0}, {1:F0})", fill.low, fill.high);
  case Fill::Kind::File:
    return fill.file;
  case Fill::Kind::Pointers:
    return "pointers";
  }
  return "";
}

} // namespace

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

Tolerance defaultTolerance(const ArgumentValue &expected) {
  const Element element = expected.info.element;
  Tolerance tolerance = toleranceOfOne(element);
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

OutputReport reportOutput(const ArgumentValue &found,
                          const ArgumentValue *expected,
                          const Tolerance &tolerance, llvm::StringRef with,
                          const executor::OnProgress &onProgress) {
  OutputReport report;
  report.name = found.info.name;
  report.dtype = found.info.dtype;
  report.shape = found.shape;
  report.checksum = checksum(found.bytes);
  for (size_t i = 0; i < std::min(shownElements, found.count()); ++i)
    report.first.push_back(
        elementText(found.info.element, found.bytes.data(), i));
  const Summary all = summarize(found, onProgress);
  report.nans = all.nans;
  report.infinities = all.infinities;
  report.statistics = all.numbers;
  if (report.statistics)
    report.statistics->mean = all.sum / static_cast<double>(all.count);
  if (expected) {
    report.comparison = compare(found, *expected, tolerance);
    report.comparison->with = with.str();
    if (report.comparison->maxAbsolute > 0)
      report.errors = mapErrors(found, *expected, report.comparison->tolerance);
  }
  return report;
}

InputReport reportInput(const ArgumentValue &argument) {
  InputReport report{
      argument.info.name, argument.info.dtype, argument.shape, {}};
  report.value =
      argument.info.isPointer
          ? fillText(argument.fill)
          : elementText(argument.info.element,
                        reinterpret_cast<const char *>(&argument.scalar.bits),
                        0);
  return report;
}

bool RunReport::matches() const {
  return none_of(outputs, [](const OutputReport &output) {
    return output.comparison && output.comparison->outside;
  });
}

std::optional<double> RunReport::gigabytesPerSecond() const {
  if (!threads || !microseconds || *microseconds <= 0)
    return std::nullopt;
  return static_cast<double>(bytes) / *microseconds / 1000;
}

std::optional<double> RunReport::teraflops() const {
  if (!threads || !microseconds || *microseconds <= 0 || !operations)
    return std::nullopt;
  return *operations / *microseconds / 1e6;
}

/// " (83.1% of 4,814)", where the limit is known.
static std::string shareText(double rate, std::optional<double> peak) {
  if (!peak)
    return "";
  return formatv(" ({0:F1}% of the device's {1:F0})", 100 * rate / *peak, *peak)
      .str();
}

static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

/// Whether a result of zeros would be within the tolerance, too.
static bool saysLittle(const OutputReport &output) {
  const std::optional<Statistics> &s = output.statistics;
  return s && output.comparison->maxAbsolute > 0 &&
         std::max(std::abs(s->minimum), std::abs(s->maximum)) <=
             output.comparison->tolerance.absolute;
}

std::string toText(const RunReport &report) {
  std::string text;
  raw_string_ostream out(text);
  out << report.kernel << " on " << report.device << ", grid " << report.grid.x
      << " x " << report.grid.y << " x " << report.grid.z;
  if (report.threads)
    out << ", " << report.threads << " threads, " << report.sharedBytes
        << " bytes of shared memory";
  if (report.ctas > 1)
    out << ", clusters of " << report.ctas;
  if (report.schedule)
    out << ", schedule " << report.schedule->name()
        << (report.sanitized ? ", sanitizer on" : ", sanitizer off");
  out << "\n";
  if (report.microseconds) {
    out << formatv("{0:F2} microseconds", *report.microseconds);
    if (report.launches > 1)
      out << formatv(" per launch, the median of {0}", report.launches);
    if (auto rate = report.gigabytesPerSecond())
      out << formatv("; {0:F1} GB/s{1} for {2} bytes read and written", *rate,
                     shareText(*rate, report.peakGigabytesPerSecond),
                     report.bytes);
    if (auto rate = report.teraflops())
      out << formatv("; {0:F1} TFLOP/s{1} of matrix products", *rate,
                     shareText(*rate, report.peakTeraflops));
    if (report.schedule)
      out << " in the interpreter, which says nothing about a GPU";
    out << "\n";
  }
  out << "\narguments\n";
  for (const InputReport &input : report.inputs) {
    const std::string type =
        input.dtype +
        (input.shape.empty() ? "" : "[" + shapeText(input.shape) + "]");
    out << formatv("  {0,-14} {1,-16} {2}\n", input.name, type, input.value);
  }
  out << "\noutputs\n";
  for (const OutputReport &output : report.outputs) {
    out << formatv("  {0,-14} {1,-16} checksum {2}\n", output.name,
                   output.dtype + "[" + shapeText(output.shape) + "]",
                   format_hex_no_prefix(output.checksum, 16));
    out << "    first " << join(output.first, " ") << "\n";
    if (const auto &s = output.statistics)
      out << formatv("    minimum {0}, maximum {1}, mean {2}\n",
                     shortNumber(s->minimum), shortNumber(s->maximum),
                     shortNumber(s->mean));
    if (output.nans)
      out << "    " << output.nans << " NaN\n";
    if (output.infinities)
      out << "    " << output.infinities << " infinite\n";
    if (const auto &c = output.comparison) {
      out << "    differs from " << c->with << " by at most "
          << formatv("{0:e3} ({1:e3} relative)", c->maxAbsolute,
                     c->maxRelative);
      if (c->outside)
        out << formatv(": {0} elements are outside the tolerance; the first is "
                       "[{1}]: {2}, not {3}\n",
                       c->outside, c->firstOutside, c->found, c->expected);
      else if (c->tolerance.absolute != 0 || c->tolerance.relative != 0)
        out << formatv(": within {0:e1} + {1:e1} * |x|{2}\n",
                       c->tolerance.absolute, c->tolerance.relative,
                       saysLittle(output) ? ", but no element is larger" : "");
      else
        out << ": equal\n";
    }
  }
  for (const std::string &note : report.notes)
    out << "\nnote: " << note << "\n";
  return text;
}

nlohmann::json toJson(const RunReport &report) {
  // JSON has no infinities.
  auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::json(value)
                                : nlohmann::json("infinity");
  };
  nlohmann::json json = {
      {"kernel", report.kernel},
      {"device", report.device},
      {"grid", {report.grid.x, report.grid.y, report.grid.z}},
      {"arguments", nlohmann::json::array()},
      {"outputs", nlohmann::json::array()},
      {"notes", report.notes}};
  // Only if something was compared.
  if (any_of(report.outputs,
             [](const OutputReport &output) { return output.comparison; }))
    json["matches"] = report.matches();
  if (report.schedule) {
    json["schedule"] = report.schedule->name();
    json["sanitized"] = report.sanitized;
  }
  if (report.threads) {
    json["threads"] = report.threads;
    json["ctas"] = report.ctas;
    json["sharedBytes"] = report.sharedBytes;
  }
  if (report.microseconds) {
    json["microseconds"] = *report.microseconds;
    json["launches"] = report.launches;
    json["bytes"] = report.bytes;
    if (auto rate = report.gigabytesPerSecond())
      json["gigabytesPerSecond"] = *rate;
    if (auto rate = report.teraflops())
      json["teraflops"] = *rate;
    if (report.peakGigabytesPerSecond)
      json["peakGigabytesPerSecond"] = *report.peakGigabytesPerSecond;
    if (report.peakTeraflops)
      json["peakTeraflops"] = *report.peakTeraflops;
  }
  for (const InputReport &input : report.inputs) {
    nlohmann::json made = {
        {"name", input.name}, {"dtype", input.dtype}, {"value", input.value}};
    if (!input.shape.empty())
      made["shape"] = input.shape;
    json["arguments"].push_back(std::move(made));
  }
  for (const OutputReport &output : report.outputs) {
    nlohmann::json made = {
        {"name", output.name},
        {"dtype", output.dtype},
        {"shape", output.shape},
        {"checksum", utohexstr(output.checksum, /*LowerCase=*/true, 16)},
        {"first", output.first},
        {"nans", output.nans},
        {"infinities", output.infinities}};
    if (const auto &s = output.statistics) {
      made["minimum"] = number(s->minimum);
      made["maximum"] = number(s->maximum);
      made["mean"] = number(s->mean);
    }
    if (const auto &map = output.errors) {
      nlohmann::json cells = nlohmann::json::array();
      for (double cell : map->cells)
        cells.push_back(number(cell));
      made["errors"] = {{"rowLength", map->rowLength},
                        {"rowsPerCell", map->rowsPerCell},
                        {"columnsPerCell", map->columnsPerCell},
                        {"columns", map->columns},
                        {"cells", std::move(cells)}};
    }
    if (const auto &c = output.comparison)
      made["comparison"] = {{"with", c->with},
                            {"maxAbsolute", number(c->maxAbsolute)},
                            {"maxRelative", number(c->maxRelative)},
                            {"outside", c->outside},
                            {"absoluteTolerance", c->tolerance.absolute},
                            {"relativeTolerance", c->tolerance.relative}};
    json["outputs"].push_back(std::move(made));
  }
  return json;
}

} // namespace kernelscope::run
