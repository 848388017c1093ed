//===- Syntax.h - statements and their nesting, broken or not ---*- C++ -*-===//
//
// Finds where statements begin and end and how regions nest, without knowing
// any op. This holds for every text: it is what recovery, and each feature that
// must work beside a syntax error, go by.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SYNTAX_H
#define KERNELSCOPE_SERVER_ANALYSIS_SYNTAX_H

#include "server/analysis/Lexer.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace kernelscope {

/// An index into `Syntax::statements` or `Syntax::regions`.
using SyntaxId = uint32_t;
inline constexpr SyntaxId noSyntax = ~SyntaxId(0);

struct ResultName {
  Span name;          ///< `%x`
  unsigned count = 1; ///< 2 in `%x:2 = ...`; at most `mostResults`.
};

struct Statement {
  enum Kind : uint8_t {
    Operation, ///< `%r = dialect.op ...`
    Alias,     ///< `#name = ...`, `!name = ...`
    Label,     ///< `^name(...):`
    Metadata,  ///< `{-# ... #-}`
    Other,     ///< Nothing that begins like one of these.
  };
  Kind kind = Other;
  Span span; ///< From its first token to its last, regions included.
  Span name; ///< The op's name (in quotes if written so), the alias, the label.
  llvm::SmallVector<ResultName, 1> results;
  llvm::SmallVector<SyntaxId, 0> regions;
  SyntaxId parent = noSyntax; ///< The region around it.
  uint32_t firstToken = 0;
  uint32_t endToken = 0;

  /// What stands before the first region, or all of it.
  Span header(const class Syntax &syntax) const;
};

struct Region {
  /// Between the braces. A region at the top of a chunk has none.
  Span body;
  bool isOpened = true;      ///< False: the `{` at `body.begin` is missing.
  bool isClosed = true;      ///< False: the `}` at `body.end` is missing.
  SyntaxId owner = noSyntax; ///< The statement that it belongs to.
  std::vector<SyntaxId> statements;

  /// The place of the opening brace, or where it is missing.
  size_t openBrace() const { return isOpened ? body.begin - 1 : body.begin; }
};

/// Regions nest no deeper, and no brackets that go to MLIR's parser: whoever
/// follows them by recursion would run out of stack.
inline constexpr size_t deepestNesting = 128;

/// The results that one name may stand for; MLIR's parser allocates for as many
/// as the text says.
inline constexpr unsigned mostResults = 1000;

/// What decides how regions nest if the braces of a text do not match: the
/// braces that do, as for MLIR's parser, or the indentation, as for a person.
enum class Nesting { Braces, Indentation };

class Syntax {
public:
  explicit Syntax(llvm::StringRef text, Nesting nesting = Nesting::Indentation);
  /// The same; reads less if `text` is that of `old` with an edit.
  Syntax(llvm::StringRef text, const Syntax &old);
  /// Which tokens differ from those of `old`.
  const ChangedTokens &changed() const { return changedTokens; }

  llvm::StringRef text() const { return source; }
  llvm::StringRef text(Span span) const {
    return source.substr(span.begin, span.size());
  }
  llvm::StringRef text(const Token &token) const { return text(token.span()); }
  /// What `alias`, a statement of this kind, stands for.
  llvm::StringRef aliasValue(const Statement &alias) const {
    return text(Span{alias.name.end, alias.span.end}).ltrim(" =").rtrim();
  }

  const std::vector<Token> &tokens() const { return lexed.tokens; }
  const std::vector<Span> &comments() const { return lexed.comments; }
  /// See `LexedText::deepestBracket`.
  size_t deepestBracket() const { return lexed.deepestBracket; }
  /// See `LexedText::arrays`, `largePacks`.
  bool hasArrays() const { return lexed.arrays > 0; }
  bool hasLargePacks() const { return lexed.largePacks > 0; }
  const std::vector<Statement> &statements() const { return allStatements; }
  const std::vector<Region> &regions() const { return allRegions; }
  const Statement &statement(SyntaxId id) const { return allStatements[id]; }
  const Region &region(SyntaxId id) const { return allRegions[id]; }

  /// Whether each bracket has its partner.
  bool hasMatchingBrackets() const { return isBalanced; }
  /// The top-level regions, one for each part between `// -----`.
  const std::vector<SyntaxId> &chunks() const { return roots; }
  /// Statements that hold a `}` without its `{`.
  const std::vector<SyntaxId> &strayBraces() const { return strays; }

  /// The index of the first token that ends after `offset`.
  size_t tokenAfter(size_t offset) const;
  /// The tokens `[first, second)` of `span`; the first may begin before it.
  std::pair<size_t, size_t> tokensIn(Span span) const;
  /// The token that a cursor at `offset` is on: the one that holds it, or else
  /// a word that ends there. Null between tokens.
  const Token *tokenAt(size_t offset) const;
  /// The chunk that holds `offset`.
  SyntaxId chunkAt(size_t offset) const;
  /// The innermost region that holds `offset`, its closing brace included.
  SyntaxId regionAt(size_t offset) const;
  /// The innermost statement that holds `offset`, or `noSyntax`.
  SyntaxId statementAt(size_t offset) const;
  /// The last statement of `region` that begins at or before `offset`.
  SyntaxId statementBefore(SyntaxId region, size_t offset) const;

  /// The token of the symbol that an op defines: the first `@name` of its
  /// header. Null if it has none.
  const Token *symbolOf(const Statement &statement) const;
  /// The alias in the `loc(#alias)` that ends an op, or stands before a single
  /// word on a line of its own. Null if none does.
  const Token *locationOf(const Statement &statement) const;
  /// Whether an alias is of a `loc(...)`.
  bool isLocationAlias(const Statement &alias) const;

private:
  friend class SyntaxBuilder;

  llvm::StringRef source;
  LexedText lexed;
  ChangedTokens changedTokens;
  std::vector<Statement> allStatements;
  std::vector<Region> allRegions;
  std::vector<SyntaxId> roots;
  std::vector<SyntaxId> strays;
  bool isBalanced = true; ///< No brace is missing, or too many.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_SYNTAX_H
