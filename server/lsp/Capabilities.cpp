//===- Capabilities.cpp - what `initialize` answers -----------------------===//

#include "server/features/Completion.h"
#include "server/lsp/Protocol.h"

using namespace kernelscope;

Json kernelscope::serverCapabilities(const ClientOptions &client) {
  constexpr int incrementalSync = 2;
  // The order is that of `TokenKind`.
  Json tokenTypes = {"keyword",  "variable", "function", "label",  "type",
                     "property", "string",   "number",   "comment"};
  return {{"capabilities",
           {{"positionEncoding", encodingName(client.encoding)},
            {"textDocumentSync",
             {{"openClose", true}, {"change", incrementalSync}}},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"documentSymbolProvider", true},
            {"completionProvider", {{"triggerCharacters", completionTriggers}}},
            {"codeLensProvider", {{"resolveProvider", false}}},
            {"codeActionProvider",
             {{"codeActionKinds", {"quickfix", "source.fixAll.kernelscope"}}}},
            {"foldingRangeProvider", true},
            {"inlayHintProvider", true},
            {"semanticTokensProvider",
             {{"legend",
               {{"tokenTypes", std::move(tokenTypes)},
                {"tokenModifiers", {"definition"}}}},
              {"full", true},
              {"range", true}}},
            {"executeCommandProvider",
             {{"commands",
               {"kernelscope.preview", "kernelscope.run", "kernelscope.archs"}},
              {"workDoneProgress", true}}}}},
          {"serverInfo",
           {{"name", "kernelscope"}, {"version", KERNELSCOPE_VERSION}}}};
}
