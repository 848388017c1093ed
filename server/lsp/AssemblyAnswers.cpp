//===- AssemblyAnswers.cpp - what is said of PTX and other assembly -------===//

#include "server/features/AssemblyHover.h"
#include "server/lsp/Answers.h"
#include "server/lsp/Conversion.h"

#include <algorithm>

using namespace kernelscope;

bool kernelscope::isAssembly(std::string_view language, std::string_view uri) {
  constexpr std::string_view languages[] = {"ptx", "amdgcn", "sass", "llvm"};
  constexpr std::string_view suffixes[] = {".ptx", ".amdgcn", ".sass", ".ll",
                                           ".llir"};
  return std::find(std::begin(languages), std::end(languages), language) !=
             std::end(languages) ||
         std::any_of(std::begin(suffixes), std::end(suffixes),
                     [&](std::string_view end) { return uri.ends_with(end); });
}

Json kernelscope::assemblyAnswer(std::string_view method,
                                 const FeatureParams &params, const Text &text,
                                 const ClientOptions &client) {
  if (method != "textDocument/hover")
    return nullptr;
  Conversion conversion{params.uri, text, client};
  size_t offset =
      text.offsetAt(params.position.value_or(Position{}), client.encoding);
  std::optional<Hover> found = hoverPtx(text, offset);
  if (!found)
    return nullptr;
  return {{"contents", conversion.markup(found->markdown)},
          {"range", conversion.range(found->span)}};
}
