//===- CheckReport.h - diagnostics as text, JSON or SARIF -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_CLI_CHECKREPORT_H
#define KERNELSCOPE_SERVER_CLI_CHECKREPORT_H

#include "server/analysis/Diagnostic.h"
#include "server/text/Text.h"

#include <string>
#include <vector>

namespace kernelscope::cli {

struct CheckedFile {
  std::string path;
  Text text;
  std::vector<Diagnostic> diagnostics;
};

struct CheckedFiles {
  std::vector<CheckedFile> checked;
  std::vector<std::string> unreadable; ///< The paths of those not read.
};

/// As a compiler prints them, with the source line; then how many there are.
std::string textReport(const CheckedFiles &files, bool isColoured);
/// A line for each file: how many errors, warnings and hints it has.
std::string summaryReport(const CheckedFiles &files);
/// `{"files": [{"path", "diagnostics": [...]}]}`, `"error"` in place of the
/// diagnostics for one that cannot be read; lines and columns from 1, columns
/// in code points.
std::string jsonReport(const CheckedFiles &files);
/// SARIF 2.1.0.
std::string sarifReport(const CheckedFiles &files);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_CHECKREPORT_H
