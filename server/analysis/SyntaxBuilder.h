//===- SyntaxBuilder.h - statements and regions from tokens -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SYNTAXBUILDER_H
#define KERNELSCOPE_SERVER_ANALYSIS_SYNTAXBUILDER_H

#include "server/analysis/StatementStart.h"

namespace kernelscope {

/// Walks the tokens of each chunk in turn, with a stack of open regions and
/// brackets. Where braces do not match, it goes by the indentation.
class SyntaxBuilder {
public:
  SyntaxBuilder(Syntax &syntax, Nesting nesting)
      : syntax(syntax), nesting(nesting) {}
  /// Takes over the statements of `old` whose tokens did not change.
  SyntaxBuilder(Syntax &syntax, const Syntax &old,
                const ChangedTokens &changed);
  void run();

private:
  struct Frame {
    enum Kind { RegionBrace, DictionaryBrace, Bracket } kind;
    char closer;
    size_t indent;      ///< Of the line of the opening bracket.
    bool opensLine;     ///< The opening bracket is the last of its line.
    SyntaxId region;    ///< Of a `RegionBrace`.
    SyntaxId statement; ///< The one that is being read in that region.
    size_t outerBrace;  ///< The frame of the next brace around it.
    size_t outerRegion; ///< The frame of the next region around it.
    size_t depth;       ///< How many regions are open.
  };

  void chunk(Span span, size_t first, size_t last);
  void read(Span span, size_t first, size_t last);

  bool takeOver(size_t i, Statement::Kind kind);
  SyntaxId findOld(size_t i, Statement::Kind kind);
  bool endsAsBefore(SyntaxId id) const;
  SyntaxId endOfOld(SyntaxId id) const;
  void copyOld(SyntaxId id, size_t i);

  bool isInner(size_t i) const;
  bool mayFollow(size_t i) const {
    return opensRegion == i - 1 || labelEnd == i - 1;
  }
  void take(size_t i);
  void takeMetadata(size_t i);
  void openBrace(size_t i);
  bool isExtraCloser(size_t i) const;
  void close(size_t i);
  void stray(size_t i);
  void abandonTop(size_t i);
  void abandonBrackets(size_t i);
  void nestByIndentation(size_t i, const StatementStart &start);
  void leaveFunction(size_t i);
  void closeByIndentation(size_t i, const StatementStart &start);
  void openByIndentation(size_t i, const StatementStart &start);

  SyntaxId openRegion(size_t bodyBegin, SyntaxId owner);
  void beginStatement(size_t i, Statement::Kind kind);
  void finishStatement(Frame &frame, size_t end);
  Statement &current(Frame &frame) {
    return syntax.allStatements[frame.statement];
  }

  void push(size_t i, Frame::Kind kind, char closer,
            SyntaxId region = noSyntax) {
    push(kind, closer, lineIndent, tokens[i].lastOnLine, region);
  }
  void push(Frame::Kind kind, char closer, size_t indent, bool opensLine,
            SyntaxId region);
  /// The innermost frame of a region, and of anything in braces.
  size_t innerRegion() const {
    return frames.back().kind == Frame::RegionBrace ? frames.size() - 1
                                                    : frames.back().outerRegion;
  }
  size_t innerBrace() const {
    return frames.back().closer == '}' ? frames.size() - 1
                                       : frames.back().outerBrace;
  }

  static constexpr size_t none = ~size_t(0);
  Syntax &syntax;
  const Nesting nesting = Nesting::Indentation;
  ChunkTokens tokens; ///< Of the chunk at hand.
  std::vector<Frame> frames;
  size_t deepFrame = none; ///< Inside it, only brackets count.
  size_t lineIndent = 0;   ///< Of the line at hand.
  bool isBalanced = true;
  bool byIndentation = false;
  size_t matchedEnd = 0;     ///< Before it, braces decide even so.
  bool lacksOpeners = false; ///< There are more `}` than `{`.
  size_t opensRegion = none; ///< The last `{` that began a region.
  size_t labelEnd = none;    ///< The `:` of the last label.
  size_t resumeAt = 0;       ///< What is before it was taken as a whole.
  const Syntax *old = nullptr;
  ChangedTokens changed;
  SyntaxId nextOld = 0; ///< No statement of `old` before it is needed any more.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_SYNTAXBUILDER_H
