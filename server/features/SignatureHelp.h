//===- SignatureHelp.h - the syntax of the op at the cursor -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_SIGNATUREHELP_H
#define KERNELSCOPE_SERVER_FEATURES_SIGNATUREHELP_H

#include "server/analysis/Document.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

struct SignatureHelp {
  struct Parameter {
    Span span;              ///< Of the label.
    std::string constraint; ///< What may stand there; may be empty.
  };
  /// `tt.load %ptr[, %mask][, %other] : type(ptr)`, optional parts in brackets.
  std::string label;
  std::string documentation; ///< What the op does, in a few words.
  std::vector<Parameter> parameters;
  std::optional<size_t> active; ///< The parameter at the cursor.
};

/// Characters after which an editor should ask.
inline constexpr const char *signatureTriggers[] = {" ", ",", "(", "[", ":"};

/// Of the op that `offset` is in, half-typed or not; nothing in its regions.
std::optional<SignatureHelp> signatureHelp(const Document &document,
                                           size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_SIGNATUREHELP_H
