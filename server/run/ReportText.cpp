//===- ReportText.cpp - What a run gave, in words -------------------------===//

#include "server/run/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdio>

using namespace llvm;

namespace kernelscope::run {

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

static std::string shapeText(ArrayRef<int64_t> shape) {
  return join(
      map_range(shape, [](int64_t size) { return std::to_string(size); }), "x");
}

std::string indexText(ArrayRef<int64_t> shape, size_t number) {
  SmallVector<std::string> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim])
    index[dim] = std::to_string(number % shape[dim]);
  return join(index, ", ");
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
      out << " in the CPU interpreter; a GPU's time would be different";
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
                       c->outside, indexText(output.shape, c->firstOutside),
                       c->found, c->expected);
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

} // namespace kernelscope::run
