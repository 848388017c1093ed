//===- Arguments.h - how every subcommand reads its arguments ---*- C++ -*-===//
//
// Subcommands declare their arguments with CLI11, so `--help` and the messages
// on wrong usage look the same everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_CLI_ARGUMENTS_H
#define KERNELSCOPE_SERVER_CLI_ARGUMENTS_H

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace kernelscope::cli {

/// Reads the arguments into what `app` declares. An exit code when the process
/// is done: 0 after `--help`, 2 after a message on wrong usage.
inline std::optional<int> parse(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

/// For options that take a count or a line: a whole number above 0.
inline CLI::Validator aboveZero() {
  return CLI::Validator(
      [](std::string &text) {
        unsigned value = 0;
        bool isNumber = CLI::detail::lexical_cast(text, value);
        return isNumber && value > 0 && text.front() != '-'
                   ? std::string()
                   : "'" + text + "' is not a whole number above 0";
      },
      "");
}

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_ARGUMENTS_H
