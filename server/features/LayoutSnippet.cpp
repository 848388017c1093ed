//===- LayoutSnippet.cpp - what completion types for a layout -------------===//

#include "server/features/LayoutSnippet.h"

#include "server/features/OpSnippet.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

std::optional<LayoutKind> kernelscope::layoutKind(StringRef name) {
  if (name == "ttg.shared_memory" || name == "ttng.tensor_memory")
    return LayoutKind::Memory;
  if (name.starts_with("ttng.tensor_memory"))
    return LayoutKind::Shared;
  if (name.starts_with("ttg."))
    return name.contains("shared") ? LayoutKind::Shared
                                   : LayoutKind::Distributed;
  if (name == "gluon.auto_encoding")
    return LayoutKind::Distributed;
  return std::nullopt;
}

namespace {
/// A layout as it is often written, in the form of a snippet.
struct Example {
  StringRef name, text;
};
} // namespace

static constexpr Example examples[] = {
    {"ttg.amd_mfma",
     "<{version = ${1:3}, warpsPerCTA = [${2:2, 2}], instrShape "
     "= [${3:32, 32, 8}], isTransposed = ${4:true}}>"},
    {"ttg.amd_rotating_shared", "<{vec = ${1:4}, perPhase = ${2:2}, maxPhase = "
                                "${3:8}, order = [${4:1, 0}]}>"},
    {"ttg.amd_wmma",
     "<{version = ${1:2}, isTranspose = ${2:true}, ctaLayout = {warp = "
     "[${3:[0, 1], [1, 0]}]}, instrShape = [${4:16, 16, 16}]}>"},
    {"ttg.blocked",
     "<{sizePerThread = [${1:1}], threadsPerWarp = [${2:32}], warpsPerCTA = "
     "[${3:4}], order = [${4:0}]}>"},
    {"ttg.dot_op", "<{opIdx = ${1:0}, parent = ${2:#blocked}}>"},
    {"ttg.generic_linear",
     "<{register = [${1:[0, 1]}], lane = [${2:[1, 0], [2, 0], [4, 0], [8, 0], "
     "[16, 0]}], warp = [${3:[0, 2], [32, 2]}], block = []}>"},
    {"ttg.linear",
     "<{register = [${1:[0, 1]}], lane = [${2:[1, 0], [2, 0], [4, 0], [8, 0], "
     "[16, 0]}], warp = [${3:[0, 2], [32, 0]}], block = []}>"},
    {"ttg.nvidia_mma",
     "<{versionMajor = ${1:2}, versionMinor = ${2:0}, "
     "warpsPerCTA = [${3:4, 1}], instrShape = [${4:16, 8}]}>"},
    {"ttg.nvmma_shared", "<{swizzlingByteWidth = ${1:128}, transposed = "
                         "${2:false}, elementBitWidth = ${3:16}}>"},
    {"ttg.padded_shared",
     "<[${1:64:+4}] {order = [${2:1, 0}], shape = [${3:64, 64}]}>"},
    {"ttg.partitioned_shared",
     "<{numPartitions = ${1:2}, numGroups = ${2:1}, partitionDim = ${3:0}, "
     "partitionLayout = ${4:#shared}}>"},
    {"ttg.shared_linear", "<{offset = [${1:[0, 1], [0, 2], [1, 1], [2, "
                          "2]}]}, alignment = ${2:16}>"},
    {"ttg.slice", "<{dim = ${1:0}, parent = ${2:#blocked}}>"},
    {"ttg.swizzled_shared", "<{vec = ${1:8}, perPhase = ${2:1}, maxPhase = "
                            "${3:8}, order = [${4:1, 0}]}>"},
    {"ttng.tensor_memory_encoding",
     "<blockM = ${1:128}, blockN = ${2:128}, colStride = ${3:1}>"},
    {"ttng.tensor_memory_scales_encoding", "<>"},
};

StringRef kernelscope::leadingValue(StringRef text) {
  size_t end = 0, depth = 0;
  for (bool isInString = false; end < text.size(); ++end) {
    char c = text[end];
    if (c == '\n')
      break;
    isInString ^= c == '"';
    if (isInString)
      continue;
    bool closes = StringRef("]})>").contains(c);
    if (depth == 0 && (closes || c == ','))
      break;
    depth += StringRef("[{(<").contains(c);
    depth -= closes;
  }
  return text.take_front(end);
}

std::string kernelscope::exampleOfKey(const Doc &doc, StringRef key) {
  std::string text = textOfSnippet(snippetOfLayout(doc));
  return leadingValue(StringRef(text).split((key + " = ").str()).second).str();
}

std::string kernelscope::snippetOfLayout(const Doc &doc) {
  const Example *example = llvm::find_if(
      examples, [&](const Example &row) { return row.name == doc.name; });
  return ("#" + doc.name +
          (example == std::end(examples) ? StringRef() : example->text))
      .str();
}
