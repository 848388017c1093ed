//===- UnitPlanner.h - what to parse for each op of a text ------*- C++ -*-===//
//
// Follows the names of aliases and symbols, so that each top-level op is parsed
// with what it refers to and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_UNITPLANNER_H
#define KERNELSCOPE_SERVER_ANALYSIS_UNITPLANNER_H

#include "server/analysis/CallerLints.h"
#include "server/analysis/FragmentRequest.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace kernelscope {

/// How the skeleton of a chunk had to be repaired, and the statements of it
/// that were taken out.
struct SkeletonRepairs {
  std::vector<Patch> patches;
  llvm::DenseSet<SyntaxId> broken;

  bool empty() const { return patches.empty() && broken.empty(); }
};

/// Makes the requests of one chunk at a time.
class UnitPlanner {
public:
  /// `base` has what all requests have in common.
  UnitPlanner(const Syntax &syntax, FragmentRequest base);

  /// Goes to a chunk.
  void enter(SyntaxId root);
  /// The request for the skeleton of the chunk; without parts if it has none.
  FragmentRequest skeleton();
  /// The ops of the chunk that are units, in the order of the text.
  std::vector<SyntaxId> units() const;
  /// The request for one of them.
  FragmentRequest unit(SyntaxId id, const SkeletonRepairs &repairs);
  /// Names of the chunk that are defined twice, or not at all.
  void report(std::vector<Diagnostic> &diagnostics) const;
  /// What each unit so far names.
  const NamedOps &named() const { return callees; }

private:
  static constexpr uint32_t unknownAlias = ~uint32_t(0);
  /// Where an alias is named, apart from its definition.
  struct AliasUse {
    uint32_t token;
    uint32_t alias; ///< An index into `aliases`, once its chunk is entered.
  };
  struct Alias {
    SyntaxId statement;
    bool isLocation;
    bool isPlain = false;            ///< `LocationAliases` can read it.
    bool isRedefined = false;        ///< There is another one of its name.
    std::vector<uint32_t> uses = {}; ///< Indices into `aliases`.
  };
  /// Who needs an alias for a request.
  enum Need : uint8_t { Nobody, Reader, Parser };
  /// The top of a chunk, or a module there.
  struct Container {
    SyntaxId module;
    SyntaxId region;
    llvm::StringMap<SyntaxId> symbols;
  };

  bool isModule(const Statement &statement) const;
  bool isUnit(const Container &container, SyntaxId id) const;
  const Container &containerOf(SyntaxId id) const;
  void addSymbols(Container &container);
  void addHeader(FragmentRequest &request, SyntaxId module,
                 const SkeletonRepairs &repairs) const;
  void addTrailer(FragmentRequest &request, SyntaxId module,
                  const SkeletonRepairs &repairs) const;
  std::vector<SyntaxId> referredSymbols(const Container &container,
                                        SyntaxId id) const;
  Span declarationOf(const Statement &statement) const;

  std::pair<size_t, size_t> indicesIn(size_t firstToken, Span span) const;
  llvm::ArrayRef<AliasUse> usesIn(size_t firstToken, Span span) const;
  std::vector<Span> knownLocations(SyntaxId id) const;
  void findPlainLocations();
  llvm::DenseSet<SyntaxId> locationsOfOps();
  void addUses(std::vector<uint32_t> &wanted, llvm::ArrayRef<AliasUse> uses,
               llvm::ArrayRef<Span> locations = {});
  void declareMissing(FragmentRequest &request, llvm::ArrayRef<AliasUse> uses);

  const Syntax &syntax;
  const FragmentRequest base;
  NamedOps callees;
  /// Of the whole text, ascending.
  std::vector<AliasUse> aliasUses;
  std::vector<uint32_t> symbolTokens;

  // Of the chunk at hand.
  std::vector<Alias> aliases;
  std::vector<Need> needs; ///< Of each alias, while one request is made.
  std::vector<Container> containers;
  std::vector<Diagnostic> redefinitions;
  /// By alias, its uses, which nothing defines.
  llvm::MapVector<llvm::StringRef, llvm::SetVector<size_t>> undeclared;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_UNITPLANNER_H
