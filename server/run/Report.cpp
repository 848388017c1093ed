//===- Report.cpp - What a run gave ---------------------------------------===//
//
// One buffer or argument at a time, and all as JSON.
//
//===----------------------------------------------------------------------===//

#include "server/run/Report.h"
#include "server/run/Summary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <nlohmann/json.hpp>

using namespace llvm;

namespace kernelscope::run {
namespace {

constexpr size_t shownElements = 8;

uint64_t checksum(const std::vector<char> &bytes) {
  return xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
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
