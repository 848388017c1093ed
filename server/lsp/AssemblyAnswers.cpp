//===- AssemblyAnswers.cpp - what is said of assembly -------===//

#include "server/features/AssemblyHover.h"
#include "server/lsp/Assembly.h"
#include "server/lsp/Conversion.h"

#include <utility>

using namespace kernelscope;

Assembly kernelscope::assemblyOf(std::string_view language,
                                 std::string_view uri) {
  constexpr std::pair<std::string_view, Assembly> suffixes[] = {
      {".ptx", Assembly::Ptx},    {".amdgcn", Assembly::Amdgcn},
      {".sass", Assembly::Other}, {".ll", Assembly::Other},
      {".llir", Assembly::Other},
  };
  constexpr std::pair<std::string_view, Assembly> languages[] = {
      {"ptx", Assembly::Ptx},
      {"amdgcn", Assembly::Amdgcn},
      {"nvidia-sass", Assembly::Other},
      {"llvm", Assembly::Other},
  };
  for (auto [suffix, kind] : suffixes)
    if (uri.ends_with(suffix))
      return kind;
  for (auto [name, kind] : languages)
    if (language == name)
      return kind;
  return Assembly::None;
}

Json kernelscope::assemblyAnswer(Assembly kind, std::string_view method,
                                 const FeatureParams &params, const Text &text,
                                 const ClientOptions &client) {
  if (method != "textDocument/hover")
    return nullptr;
  Conversion conversion{params.uri, text, client};
  size_t offset =
      text.offsetAt(params.position.value_or(Position{}), client.encoding);
  std::optional<Hover> found = kind == Assembly::Ptx ? hoverPtx(text, offset)
                               : kind == Assembly::Amdgcn
                                   ? hoverAmdgcn(text, offset)
                                   : std::nullopt;
  if (!found)
    return nullptr;
  return {{"contents", conversion.markup(found->markdown)},
          {"range", conversion.range(found->span)}};
}
