//===- Unit.h - one top-level op, parsed with what it refers to -*- C++ -*-===//
//
// The unit of re-use. A function is parsed from a text made of the aliases it
// uses, the header of its module, the headers of the symbols it names, and
// itself. A `Fragment` is the result; it knows offsets of that text only. A
// `Unit` says where the parts of the text stand in one version of the document.
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
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace kernelscope {

/// What the versions of a document share.
class Workspace {
public:
  Workspace();
  mlir::MLIRContext context;
  /// Versions analysed in this context, whose uniqued types only ever grow.
  unsigned generation = 0;
};

/// Immutable once built.
struct Fragment {
  std::shared_ptr<Workspace> workspace;
  std::string key;     ///< What was parsed, and how.
  PatchedText patched; ///< What MLIR saw; its source is the unit's text.
  llvm::SourceMgr sources;
  mlir::AsmParserState state; ///< Op pointers are good only if `isParsed`.
  mlir::OwningOpRef<mlir::ModuleOp> top; ///< Holds the parsed top-level ops.
  bool isParsed = false;
  mlir::Operation *root = nullptr; ///< The op that the unit is about, if any.
  /// Whether `root` and all in it keep their rules; else an op need not have
  /// the operands and types that its accessors promise.
  bool isValid = false;
  /// What `loc(...)` said of each op; the op's own location is its place.
  llvm::DenseMap<mlir::Operation *, mlir::Location> origins;
  std::vector<Diagnostic> diagnostics; ///< In offsets of the unit's text.
  Evidence evidence; ///< Of the release of Triton that wrote it.

  llvm::StringRef buffer() const {
    return sources.getMemoryBuffer(1)->getBuffer();
  }
  /// A range of the parser as a span of the unit's text.
  Span span(mlir::SMRange range) const;
};

struct Unit {
  /// A part of the document that is in the unit's text at `local`.
  struct Piece {
    Span span;
    size_t local;
  };
  SyntaxId statement = noSyntax; ///< Of the op; none for a chunk's skeleton.
  Span span;                     ///< Of the op.
  std::vector<Piece> pieces;     ///< Ascending both ways.
  std::shared_ptr<const Fragment> fragment;

  size_t toDocument(size_t local) const;
  Span toDocument(Span local) const;
  std::optional<size_t> toLocal(size_t offset) const;
  Span toDocument(mlir::SMRange range) const {
    return toDocument(fragment->span(range));
  }
  /// The place in the parsed buffer of a byte of the document.
  std::optional<mlir::SMLoc> toParser(size_t offset) const;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_UNIT_H
