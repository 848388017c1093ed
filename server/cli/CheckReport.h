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

/// As a compiler prints them, with the source line; then how many there are.
std::string textReport(const std::vector<CheckedFile> &files);
/// `{"files": [{"path", "diagnostics": [...]}]}`; lines and columns from 1,
/// columns in code points.
std::string jsonReport(const std::vector<CheckedFile> &files);
/// SARIF 2.1.0.
std::string sarifReport(const std::vector<CheckedFile> &files);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_CHECKREPORT_H
