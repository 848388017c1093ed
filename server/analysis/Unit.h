//===- Unit.h - one top-level op, parsed with what it refers to -*- C++ -*-===//
//
// The unit of re-use. A function is parsed from a text made of the aliases it
// uses, the header of its module, the headers of the symbols it names, and
// itself, alone or together with its neighbours. A `Fragment` is what MLIR made
// of the text, and `UnitFacts` is what is known of the function; both know
// places of the version that they were built from. A `Unit` says where the
// parts of the text stand in another version.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_UNIT_H
#define KERNELSCOPE_SERVER_ANALYSIS_UNIT_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/PatchedText.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/spellings/Release.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kernelscope {

/// What the versions of a document share.
class Workspace {
public:
  Workspace();
  mlir::MLIRContext context;
  /// Versions analysed in this context, whose uniqued types only ever grow.
  unsigned generation = 0;
  /// Bytes of the texts that were analysed in it as a whole.
  size_t openedBytes = 0;

  /// Whether another document should rather have a new one.
  bool hasGrown() const {
    return openedBytes > (512u << 10) || generation > 200;
  }
};

/// What MLIR's parser made of a text. Immutable once built. Its places are
/// those of the document that it was built from.
struct Fragment {
  std::shared_ptr<Workspace> workspace;
  PatchedText patched; ///< What MLIR saw.
  llvm::SourceMgr sources;
  mlir::AsmParserState state; ///< Op pointers are good only if `isParsed`.
  mlir::OwningOpRef<mlir::ModuleOp> top; ///< Holds the parsed top-level ops.
  bool isParsed = false;
  bool hasRemarks = false; ///< The parser said something, but went on.
  /// What the parser read of where ops come from; the op's own location is its
  /// place in the buffer. `Origins` knows the rest.
  llvm::DenseMap<mlir::Operation *, mlir::Location> origins;

  /// Makes `patched`, which stays as it is from now on, the parser's buffer.
  void open(std::shared_ptr<Workspace> shared);
  llvm::StringRef buffer() const {
    return sources.getMemoryBuffer(1)->getBuffer();
  }
  /// A range of the parser as a span of the document that it was built from.
  Span span(mlir::SMRange range) const;
  /// The aliases of types that the document has: others only stand in what MLIR
  /// saw.
  auto typeAliases() const {
    return llvm::make_filter_range(
        state.getTypeAliasDefs(),
        [this](const mlir::AsmParserState::TypeAliasDefinition &alias) {
          return patched.isCopy(alias.definition.loc.Start.getPointer() -
                                buffer().begin());
        });
  }
};

/// Parses the only buffer of `sources` into `block`, without verification.
/// False if the parser had anything to say.
bool parseSilently(const llvm::SourceMgr &sources, mlir::Block *block,
                   mlir::AsmParserState &state);

/// A hash of what was parsed, and how.
using UnitKey = std::pair<uint64_t, uint64_t>;

/// What is known of a unit. Immutable once built; spans are those of its
/// fragment.
struct UnitFacts {
  std::optional<UnitKey> key; ///< None if it is good for one version only.
  /// A hash of what was parsed but is not its own, if the parser took all as it
  /// stands, without a word, except for `broken`.
  std::optional<UnitKey> surroundings;
  /// The only statement of which something was taken out, counted from the
  /// unit's own.
  std::optional<SyntaxId> broken;
  /// Units that were parsed together share it.
  std::shared_ptr<const Fragment> fragment;
  mlir::Operation *root = nullptr; ///< The op that the unit is about, if any.
  /// Whether `root` and all in it keep their rules; else an op need not have
  /// the operands and types that its accessors promise.
  bool isValid = false;
  /// The parser's ops, in its order, that are the unit's own.
  size_t firstOp = 0, endOp = 0;
  /// Where each part of what was parsed began.
  std::vector<size_t> places;
  std::vector<Diagnostic> diagnostics;
  Evidence evidence; ///< Of the release of Triton that wrote it.
};

struct Unit {
  /// A part of the document that was at `local` in that of the fragment.
  struct Piece {
    Span span;
    size_t local;
  };
  SyntaxId statement = noSyntax; ///< Of the op; none for a chunk's skeleton.
  Span span;                     ///< Of the op.
  std::vector<Piece> pieces;     ///< Ascending both ways.
  std::shared_ptr<const UnitFacts> facts;
  const Fragment *fragment = nullptr; ///< That of the facts.

  /// The parser's ops that are its own, inner ones before outer ones.
  auto ops() const {
    auto first = fragment->state.getOpDefs().begin();
    return llvm::make_range(std::next(first, facts->firstOp),
                            std::next(first, facts->endOp));
  }
  /// Where the text has `op`, if it is the unit's own; else null.
  const mlir::AsmParserState::OperationDefinition *
  definitionOf(mlir::Operation *op) const;

  size_t toDocument(size_t local) const;
  Span toDocument(Span local) const;
  /// Whether the unit has the byte of the fragment's document.
  bool has(size_t local) const;
  std::optional<size_t> toLocal(size_t offset) const;
  Span toDocument(mlir::SMRange range) const {
    return toDocument(fragment->span(range));
  }
  /// The place in the parsed buffer of a byte of the document.
  std::optional<mlir::SMLoc> toParser(size_t offset) const;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_UNIT_H
