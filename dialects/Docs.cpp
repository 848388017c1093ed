//===- Docs.cpp - documentation of the dialects ---------------------------===//
//
// The tables that cmake/dialect_docs.py makes of each dialect's ODS, as one.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "dialects/UpstreamSummaries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>
#include <vector>

using namespace kernelscope;

static std::tuple<DocKind, llvm::StringRef> getKey(const Doc &doc) {
  return {doc.kind, doc.name};
}

/// The first row with this key or a greater one.
template <typename Docs>
static auto lowerBound(Docs &docs, std::tuple<DocKind, llvm::StringRef> key) {
  return llvm::lower_bound(docs, key, [](const Doc &doc, const auto &key) {
    return getKey(doc) < key;
  });
}

static const std::vector<Doc> &getTable() {
  static const std::vector<Doc> table = [] {
    std::vector<Doc> docs = {
#include "dialects/Docs.inc"
    };
    llvm::sort(
        docs, [](const Doc &a, const Doc &b) { return getKey(a) < getKey(b); });
    for (const UpstreamSummary &row : upstreamSummaries())
      for (auto doc = lowerBound(docs, {DocKind::Op, row.op});
           doc != docs.end() && doc->name == row.op; ++doc)
        doc->summary = row.summary;
    return docs;
  }();
  return table;
}

llvm::ArrayRef<Doc> kernelscope::getDocs() { return getTable(); }

const Doc *kernelscope::findDoc(DocKind kind, llvm::StringRef name) {
  auto key = std::make_tuple(kind, name);
  const std::vector<Doc> &table = getTable();
  auto found = lowerBound(table, key);
  return found != table.end() && getKey(*found) == key ? &*found : nullptr;
}

std::vector<SignatureEntry> kernelscope::readSignature(const Doc &doc) {
  std::vector<SignatureEntry> entries;
  if (doc.signature.empty())
    return entries;
  for (llvm::StringRef line : llvm::split(doc.signature, '\n')) {
    SignatureEntry entry;
    auto next = [&] {
      auto [field, rest] = line.split('\t');
      line = rest;
      return field;
    };
    entry.kind = next();
    entry.name = next();
    entry.constraint = next();
    entry.introducer = next();
    if (!line.empty())
      for (llvm::StringRef choice : llvm::split(line, '|')) {
        auto [word, spelling] = choice.split('=');
        entry.choices.push_back({word, spelling});
      }
    entries.push_back(std::move(entry));
  }
  return entries;
}
