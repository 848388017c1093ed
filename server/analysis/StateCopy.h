//===- StateCopy.h - what the parser noted, moved elsewhere -----*- C++ -*-===//
//
// An `AsmParserState` cannot be changed, so one whose text was edited is
// written again, from that of the text before.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_STATECOPY_H
#define KERNELSCOPE_SERVER_ANALYSIS_STATECOPY_H

#include "server/analysis/Unit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kernelscope {

/// Adds to a state what another one knows, with its places moved.
class StateCopy {
public:
  /// `move` gives the new place of one in the other text; the flag says that it
  /// is where something ends. It outlives this.
  using Move = llvm::function_ref<mlir::SMLoc(mlir::SMLoc, bool isEnd)>;
  StateCopy(mlir::AsmParserState &state, Move move)
      : state(state), move(move) {}

  /// The definition of an op, without the uses of its results.
  void add(const mlir::AsmParserState::OperationDefinition &definition,
           mlir::Operation *op);
  /// That of a block and its arguments, without their uses.
  void add(const mlir::AsmParserState::BlockDefinition &definition);
  /// All aliases of `from`.
  void addAliases(const mlir::AsmParserState &from);

private:
  mlir::SMRange moved(mlir::SMRange range) const;

  mlir::AsmParserState &state;
  Move move;
};

/// The location of an op that is named at `place` in what the parser saw.
mlir::Location locationAt(const Fragment &fragment, mlir::SMLoc place);

/// What becomes of the locations of a function whose text before an edit moved
/// from one line to another, and that after it by a number of lines or columns.
class LocationShift {
public:
  /// The function begins at `begin`, and what is after the edit at `end`, in
  /// both texts.
  LocationShift(const Fragment &from, size_t begin, size_t end,
                const Fragment &to, size_t newBegin, size_t newEnd);

  /// Whether nothing moved.
  bool isEmpty() const { return !linesBefore && !linesAfter && !columns; }
  mlir::Location operator()(mlir::Location location) const;

private:
  mlir::StringAttr file;
  unsigned line, column; ///< The end of the edit.
  int linesBefore, linesAfter;
  int columns; ///< On the line of the end.
};

/// Puts the uses of a value into the order that the parser gives them: later
/// ones first.
void sortUses(mlir::Value value, const mlir::AsmParserState &state);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_STATECOPY_H
