//===- Capabilities.cpp - what `initialize` answers -----------------------===//

#include "server/Version.h"
#include "server/lsp/Answers.h"

using namespace kernelscope;

Json kernelscope::serverCapabilities(const ClientOptions &client) {
  constexpr int incrementalSync = 2;
  Json capabilities = featureCapabilities(client);
  capabilities["positionEncoding"] = encodingName(client.encoding);
  capabilities["textDocumentSync"] = {{"openClose", true},
                                      {"change", incrementalSync}};
  if (client.pullsDiagnostics)
    capabilities["diagnosticProvider"] = {{"interFileDependencies", false},
                                          {"workspaceDiagnostics", false}};
  capabilities["executeCommandProvider"] = {
      {"commands",
       {"kernelscope.preview", "kernelscope.run", "kernelscope.bisect",
        "kernelscope.passes", "kernelscope.emitted", "kernelscope.archs"}},
      {"workDoneProgress", true}};
  return {
      {"capabilities", std::move(capabilities)},
      {"serverInfo", {{"name", "kernelscope"}, {"version", programVersion}}}};
}
