//===- Diagnostic.h - what is wrong at a place of the text ------*- C++ -*-===//
//
// Plain data, in byte offsets of the document; LSP, JSON and SARIF are made of
// it elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_DIAGNOSTIC_H
#define KERNELSCOPE_SERVER_ANALYSIS_DIAGNOSTIC_H

#include "server/text/Span.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

enum class Severity { Error, Warning, Information, Hint };

/// The replacement of `span` by `newText`.
struct TextEdit {
  Span span;
  std::string newText;
  friend bool operator==(const TextEdit &, const TextEdit &) = default;
};

/// A place in a source file that the IR's `loc(...)` names, usually Python.
/// Line and column count from 1, in the unit that the writer of the IR used.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  friend bool operator==(const SourcePlace &, const SourcePlace &) = default;
};

/// A second place that a diagnostic speaks of: a span of the same document, or
/// else a place in a source file, or neither (a plain remark).
struct RelatedInformation {
  std::optional<Span> span;
  std::optional<SourcePlace> source;
  std::string message;
  friend bool operator==(const RelatedInformation &,
                         const RelatedInformation &) = default;
};

/// A way out that an editor can offer.
struct QuickFix {
  std::string title;
  std::vector<TextEdit> edits;
  /// It changes what other ops may rely on: to be offered only if the changed
  /// text is better.
  bool isToBeChecked = false;
  friend bool operator==(const QuickFix &, const QuickFix &) = default;
};

/// `code` is stable and for filters. Its values:
///   syntax              the text is not MLIR's grammar, or not the op's
///   unknown-dialect, unknown-op, unknown-type, unknown-attribute
///   undeclared-value, undeclared-alias, redefinition, type-mismatch
///   verify.<op>         a rule of the op, as in `verify.tt.load`
///   dominance           a use that its definition does not dominate
///   terminator          a block without an end, or an end in the middle
///   older-spelling, newer-spelling
///                       a hint: the file's release of Triton, or today's,
///                       writes this otherwise
///   aref-pairing, async-wait-missing, barrier-arrivals, barrier-bytes,
///   lds-width, phase-parity, product-wait-missing, shared-memory-bytes,
///   tensor-memory-columns, wait-count: of passes/lint
///   stopped             analysis of this part killed the engine before
struct Diagnostic {
  Span span; ///< The op's name for a rule of an op; else the exact token.
  Severity severity = Severity::Error;
  std::string code;
  std::string message;
  std::vector<RelatedInformation> related;
  std::vector<QuickFix> fixes;
  /// Of `older-spelling`: the last release of Triton 3 that wrote it; else 0.
  unsigned lastRelease = 0;
  friend bool operator==(const Diagnostic &, const Diagnostic &) = default;
};

/// What a user wants to be told.
struct ClientSettings {
  /// Codes of warnings and hints that are not wanted.
  std::vector<std::string> allow;
  /// The release of Triton that files are for, as `3.6`; empty: each file's
  /// own, as far as its words tell.
  std::string release;
  /// The architectures that previews prefer.
  std::vector<std::string> archs;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_DIAGNOSTIC_H
