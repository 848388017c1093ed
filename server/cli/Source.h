//===- Source.h - the files that subcommands read and show ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_CLI_SOURCE_H
#define KERNELSCOPE_SERVER_CLI_SOURCE_H

#include "server/text/Text.h"

#include <optional>
#include <string>

namespace kernelscope::cli {

/// A file's content, `-` being standard input; none after a message on standard
/// error.
std::optional<std::string> readInput(const std::string &path);

/// The same for a file of IR; what else Triton writes (LLVM IR, PTX, ...) is an
/// error that says so, and so are UTF-16 and files that are not text.
std::optional<std::string> readIR(const std::string &path);

/// Whether `text` has a line of this number, counted from 1; false after a
/// message on standard error.
bool hasLine(const std::string &text, unsigned line, const std::string &path);

/// Writes to a file or, without a path, to standard output; false after a
/// message on standard error.
bool writeOutput(const std::string &path, const std::string &content);

/// Whether this file descriptor is a terminal that obeys control sequences: not
/// `TERM=dumb`, as editors set it.
bool isTerminal(int descriptor);

/// A line of a file, or its path, with U+FFFD in place of the control
/// characters, which a terminal would obey; one of them takes a column, too.
std::string printable(std::string_view line);

/// Whether what goes to it has colours: a terminal, and `NO_COLOR` is not set.
bool wantsColours(int descriptor);

/// The line of `span`, of a long one only what is around it, and below it a
/// caret and `~` to the span's end; both lines are indented and end with a
/// newline.
std::string showSource(const Text &text, Span span);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_SOURCE_H
