//===- Assembly.h - documents that are not IR -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_LSP_ASSEMBLY_H
#define KERNELSCOPE_SERVER_LSP_ASSEMBLY_H

#include "server/lsp/Requests.h"

#include <string_view>

namespace kernelscope {

/// What a document is, if not IR that we analyse.
enum class Assembly { None, Ptx, Amdgcn, Other };

/// By the end of its name, else by the language that the editor names. SASS and
/// LLVM IR are `Other`.
Assembly assemblyOf(std::string_view language, std::string_view uri);
/// The answer about a document of assembly: hover of PTX and AMDGCN; nothing
/// for all other methods.
Json assemblyAnswer(Assembly kind, std::string_view method,
                    const FeatureParams &params, const Text &text,
                    const ClientOptions &client);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_ASSEMBLY_H
