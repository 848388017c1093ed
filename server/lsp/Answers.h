//===- Answers.h - the features' results as LSP's answers -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_LSP_ANSWERS_H
#define KERNELSCOPE_SERVER_LSP_ANSWERS_H

#include "server/analysis/Document.h"
#include "server/analysis/EmittedCode.h"
#include "server/features/SourceFiles.h"
#include "server/lsp/Requests.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kernelscope {

/// An analysed version of a document, and for whom.
struct Snapshot {
  std::string uri;
  int64_t version = 0;
  std::shared_ptr<const Document> document;
  std::shared_ptr<SourceFiles> sources; ///< Null: nothing is looked for.
  std::shared_ptr<const EmittedCode> emitted = nullptr; ///< If it is shown.
  std::vector<std::string> archs = {}; ///< That previews prefer.
};

/// The semantic tokens of a document that its client has.
struct SentTokens {
  uint64_t id = 0; ///< Zero: none yet.
  std::vector<uint32_t> numbers;
};

/// Asks each document for its part of the answer.
inline constexpr const char *workspaceSymbolMethod = "workspace/symbol";

/// Whether `answerOf` knows the method.
bool isFeature(std::string_view method);

/// LSP's `Diagnostic[]`.
Json diagnosticsOf(const Snapshot &snapshot, const ClientOptions &client);
/// The answer to a request about a document. The methods are those of
/// `isFeature`.
Response answerOf(const Snapshot &snapshot, const ClientOptions &client,
                  std::string_view method, const FeatureParams &params,
                  SentTokens &sent);

/// LSP's `ServerCapabilities` for the features.
Json featureCapabilities(const ClientOptions &client);

/// What `initialize` answers.
Json serverCapabilities(const ClientOptions &client);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_ANSWERS_H
