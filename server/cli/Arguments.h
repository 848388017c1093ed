//===- Arguments.h - how every subcommand reads its arguments ---*- C++ -*-===//
//
// Subcommands declare their arguments with CLI11, so `--help` and the messages
// on wrong usage look the same everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_CLI_ARGUMENTS_H
#define KERNELSCOPE_SERVER_CLI_ARGUMENTS_H

#include "server/analysis/NearMisses.h"
#include "server/analysis/spellings/Release.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope::cli {

/// "; did you mean 'check'?", if `word` is nearly one of `known`.
inline std::string didYouMean(const std::vector<std::string> &known,
                              llvm::StringRef word) {
  llvm::StringRef nearest = nearestOf(
      llvm::SmallVector<llvm::StringRef>(known.begin(), known.end()), word);
  return nearest.empty() ? "" : "; did you mean '" + nearest.str() + "'?";
}

/// What is wrong with the arguments of the subcommand `app`; of an option that
/// it does not have, which one is near.
inline std::string whatIsWrong(const CLI::App *app, const CLI::Error &error) {
  std::string what = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    std::string given = app->remaining().front();
    std::string name = given.substr(0, given.find('='));
    what = name.starts_with('-') && name != "-"
               ? "unknown option '" + name + "'"
               : "unexpected argument '" + given + "'";
    std::vector<std::string> known;
    for (const CLI::Option *option : app->get_options())
      for (const std::string &longName : option->get_lnames())
        known.push_back("--" + longName);
    what += didYouMean(known, name);
  }
  return app->get_name() + ": " + what + "\n'" + app->get_name() +
         " --help' lists the options\n";
}

/// In the help, an option's value is named after the option (`--arch ARCH`), a
/// number is N, and a positional argument has its name alone.
inline void nameValues(CLI::App &app) {
  for (CLI::Option *option : app.get_options()) {
    const std::string name = option->get_type_name();
    llvm::StringRef type(name);
    if (type.starts_with("UINT") || type.starts_with("FLOAT"))
      option->type_name("N");
    else if (type.starts_with("TEXT"))
      option->type_name(
          option->get_positional()
              ? ""
              : llvm::StringRef(option->get_lnames().front()).upper());
  }
}

/// Reads the arguments into what `app` declares. An exit code when the process
/// is done: 0 after `--help`, 2 after a message on wrong usage.
inline std::optional<int> parse(CLI::App &app, int argc, char **argv) {
  app.failure_message(whatIsWrong);
  nameValues(app);
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

/// For options that take one of a few words.
inline CLI::Validator oneOf(std::vector<std::string> words) {
  std::string list = llvm::join(words, ",");
  return CLI::Validator(
      [words = std::move(words)](std::string &text) {
        return llvm::is_contained(words, text)
                   ? std::string()
                   : "'" + text + "' is not one of " + llvm::join(words, ", ") +
                         didYouMean(words, text);
      },
      "{" + list + "}");
}

/// For options that take a whole number from `least` to `most`.
inline CLI::Validator
wholeNumber(unsigned least,
            unsigned most = std::numeric_limits<unsigned>::max()) {
  return CLI::Validator(
      [=](std::string &text) -> std::string {
        unsigned value = 0;
        bool isNumber = !llvm::StringRef(text).getAsInteger(10, value);
        if (isNumber && value >= least && value <= most)
          return "";
        return "'" + text + "' is not a whole number " +
               (most == std::numeric_limits<unsigned>::max()
                    ? "above " + std::to_string(least - 1)
                    : "from " + std::to_string(least) + " to " +
                          std::to_string(most));
      },
      "");
}

/// For options that take a count or a line.
inline CLI::Validator aboveZero() { return wholeNumber(1); }

/// For options that take a release of Triton.
inline CLI::Validator tritonRelease() {
  return CLI::Validator(
      [](std::string &text) {
        return Release::parse(text)
                   ? std::string()
                   : "'" + text + "' is not one of " + allReleases();
      },
      "");
}

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_ARGUMENTS_H
