//===- AttributeCompletion.h - words and keys of an op ----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_ATTRIBUTECOMPLETION_H
#define KERNELSCOPE_SERVER_FEATURES_ATTRIBUTECOMPLETION_H

#include "server/features/Completion.h"
#include "server/features/CompletionPlace.h"

#include <optional>
#include <vector>

namespace kernelscope {

// `entries` are those of the op or layout at the place.

/// After `cache =` in a dictionary `2 : i32`, after `cacheModifier =` of the
/// op's syntax `ca`. None if no such value is expected.
std::optional<std::vector<CompletionItem>>
choicesAt(const CompletionPlace &place, llvm::ArrayRef<SignatureEntry> entries);

/// In the op's own syntax: values between commas, such as `slt` in
/// `arith.cmpi`, and keywords that introduce others.
std::vector<CompletionItem> keywordsAt(const CompletionPlace &place,
                                       llvm::ArrayRef<SignatureEntry> entries);

/// The value of a key after its `=`: those that the file has for this key
/// first, then an example.
std::vector<CompletionItem>
valuesOfKeyAt(const CompletionPlace &place,
              llvm::ArrayRef<SignatureEntry> entries);

/// What arith.constant takes.
std::vector<CompletionItem> constantsAt();

/// In the braces after `attributes`, after an argument's type, after a loop:
/// what passes and Triton's front end write there. None elsewhere.
std::optional<std::vector<CompletionItem>>
marksAt(const CompletionPlace &place);

/// The keys of a dictionary that are not in it yet.
std::vector<CompletionItem> keysAt(const CompletionPlace &place,
                                   llvm::ArrayRef<SignatureEntry> entries);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_ATTRIBUTECOMPLETION_H
