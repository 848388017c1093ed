//===- RuleText.h - what the code of a diagnostic is about ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_CLI_RULETEXT_H
#define KERNELSCOPE_SERVER_CLI_RULETEXT_H

#include <string>

namespace kernelscope::cli {

/// A few words about the rule that has this code, as viewers of SARIF show it.
std::string aboutRule(const std::string &code);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_RULETEXT_H
