//===- Conversion.h - what the features' results have in common -*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_LSP_CONVERSION_H
#define KERNELSCOPE_SERVER_LSP_CONVERSION_H

#include "server/analysis/Diagnostic.h"
#include "server/features/SourceFiles.h"
#include "server/lsp/Requests.h"

#include <string>

namespace kernelscope {

/// The page about a diagnostic's code; empty without one.
std::string rulePage(const std::string &code);

/// Makes LSP's JSON of spans of one text and of what is said about them.
struct Conversion {
  const std::string &uri;
  const Text &text;
  const ClientOptions &client;
  SourceFiles *sources = nullptr; ///< Where Python files are found, if at all.

  Json range(Span span) const {
    return toJson(text.rangeAt(span, client.encoding));
  }
  Json location(Span span) const {
    return {{"uri", uri}, {"range", range(span)}};
  }
  /// Of a place in a source file; null if the file is not found.
  Json location(const SourcePlace &place) const;
  Json edit(const TextEdit &edit) const {
    return {{"range", range(edit.span)}, {"newText", edit.newText}};
  }
  Json markup(const std::string &markdown) const {
    return {{"kind", client.markdown ? "markdown" : "plaintext"},
            {"value", markdown}};
  }
  Json diagnostic(const Diagnostic &diagnostic) const;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_CONVERSION_H
