//===- EditErrors.cpp - the parse errors of an edited op ------------------===//

#include "server/analysis/EditErrors.h"

#include "server/analysis/EditParser.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

namespace {

class EditErrorFinder : EditParser {
public:
  using EditParser::EditParser;

  std::optional<FailedParse> run() {
    if (!findEdit() || !moveToParser() || !findNeighbor())
      return std::nullopt;
    // A value that is not there is an error after all others.
    declareUsed();
    std::optional<size_t> end = endOfText();
    if (!end)
      return std::nullopt;
    writeText(*end);
    FailedParse failure;
    if (parseText(edit.sources, edit.top->getBody(), edit.state,
                  failure.errors))
      return std::nullopt;
    for (ParseError &error : failure.errors) {
      std::optional<size_t> offset = placeOf(error.offset);
      if (!offset || isUndeclaredValue(error.message) || speaksOfOthers(error))
        return std::nullopt;
      for (auto &[place, message] : error.notes)
        place = *offset;
      error.offset = *offset;
    }
    noteCompleted(failure.completed);
    return failure;
  }

private:
  /// Compares what is written, of which the parser need not have seen all.
  bool findEdit() {
    auto byte = [](size_t offset) { return std::optional(offset); };
    auto place = [](size_t offset) { return offset; };
    auto found = findEditedStatements(
        {oldSyntax, earlier.statement, oldSyntax.text(), byte, place},
        {syntax, request.statement, syntax.text(), byte, place});
    if (!found)
      return false;
    edit.place = *found;
    llvm::ArrayRef<SyntaxId> old = edit.place.before.statements(oldSyntax);
    const std::optional<SyntaxId> broken = earlier.facts->broken;
    return !newStatements().empty() && areOps(oldSyntax, old) &&
           areOps(syntax, newStatements()) &&
           (!broken || llvm::is_contained(old, earlier.statement + *broken));
  }

  static bool areOps(const Syntax &syntax, llvm::ArrayRef<SyntaxId> ids) {
    return llvm::all_of(ids, [&](SyntaxId id) { return isOp(syntax, id); });
  }

  /// Whether the statement is an op without regions, or the beginning of one. A
  /// `}` may end what is around it.
  static bool isOp(const Syntax &syntax, SyntaxId id) {
    const Statement &statement = syntax.statement(id);
    if (!statement.regions.empty())
      return false;
    llvm::ArrayRef<Token> tokens =
        llvm::ArrayRef(syntax.tokens())
            .slice(statement.firstToken,
                   statement.endToken - statement.firstToken);
    int open = 0;
    for (const Token &token : tokens) {
      if (token.isStructural)
        open += (syntax.text(token) == "{") - (syntax.text(token) == "}");
      if (open < 0)
        return false;
    }
    return open == 0 && (statement.kind == Statement::Operation ||
                         (statement.kind == Statement::Other &&
                          tokens.front().kind != Token::Block));
  }

  /// Makes the places of the new version those in what the parser sees.
  bool moveToParser() {
    EditedStatements::Side &side = edit.place.after;
    for (size_t *place : {&side.function.begin, &side.function.end,
                          &side.bodyBegin, &side.slice.end, &side.opsBegin}) {
      std::optional<size_t> moved = patched.fromSource(*place);
      if (!moved)
        return false;
      *place = *moved;
    }
    return true;
  }

  /// The statement after the edited ones; none if they are the last.
  SyntaxId next() const {
    const EditedStatements::Side &side = edit.place.after;
    const auto &ids = syntax.region(side.region).statements;
    return side.end < ids.size() ? ids[side.end] : noSyntax;
  }

  /// The parser may run on into the next statement, which so is part of the
  /// text; its name is enough.
  std::optional<size_t> endOfText() const {
    if (next() == noSyntax)
      return edit.place.after.slice.end;
    const Statement &statement = syntax.statement(next());
    std::optional<size_t> last = patched.fromSource(
        (statement.regions.empty() ? statement.span : statement.name).end - 1);
    return last ? std::optional(*last + 1) : std::nullopt;
  }

  /// Whether a note is about another place: other uses of a value.
  static bool speaksOfOthers(const ParseError &error) {
    return llvm::any_of(error.notes, [&](const auto &note) {
      return note.first != error.offset;
    });
  }

  /// Where the parser would see what it saw at `offset`: in an edited op, or
  /// right behind the last.
  std::optional<size_t> placeOf(size_t offset) const {
    const EditedStatements::Side &side = edit.place.after;
    if (offset < edit.opsBegin) {
      // It puts an error on the first word of a line at the end of the line
      // before.
      llvm::StringRef between =
          llvm::StringRef(edit.text).slice(offset, edit.opsBegin);
      return between.trim().empty() ? std::optional(side.opsBegin)
                                    : std::nullopt;
    }
    if (offset >= edit.rest)
      return next() == noSyntax ? std::optional(side.slice.end) : std::nullopt;
    size_t place = offset - edit.opsBegin + side.opsBegin;
    return place <= side.slice.end ? std::optional(place) : std::nullopt;
  }

  /// The statement before the edited ones is complete, and they as far as the
  /// parser came.
  void noteCompleted(CompletedStatements &completed) const {
    const EditedStatements::Side &side = edit.place.after;
    const auto &ids = syntax.region(side.region).statements;
    if (side.first > 0) {
      const Statement &before = syntax.statement(ids[side.first - 1]);
      completed[before.name.begin] = before.span.end;
    }
    for (const auto &op : edit.state.getOpDefs()) {
      auto toDocument = [&](mlir::SMLoc place) -> std::optional<size_t> {
        size_t offset = place.getPointer() - edit.text.data();
        if (offset < edit.opsBegin || offset > edit.rest)
          return std::nullopt;
        return patched.toSource(offset - edit.opsBegin + side.opsBegin);
      };
      auto name = toDocument(op.loc.Start), end = toDocument(op.scopeLoc.End);
      if (name && end)
        completed[*name] = request.endOfOp(syntax, *end);
    }
  }
};

} // namespace

std::optional<FailedParse>
kernelscope::findErrors(const EarlierUnit &earlier, const Syntax &syntax,
                        const FragmentRequest &request,
                        const PatchedText &patched) {
  return EditErrorFinder(earlier, syntax, request, patched).run();
}
