//===- Spellings.cpp - the scan for what is spelt otherwise ---------------===//

#include "server/analysis/spellings/Spellings.h"

#include "server/analysis/spellings/RowsByWord.h"
#include "server/analysis/spellings/Spelling.h"
#include "server/analysis/spellings/Writing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <tuple>

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Rows of a word
//===----------------------------------------------------------------------===//

namespace {

/// The table by the words that its rows are about.
struct Index {
  RowsByWord<Spelling> rows, dialects;
  /// Of the words in either, and of those that other releases write otherwise.
  WordFilter words;

  Index() {
    for (const Spelling &row : allSpellings()) {
      if (row.rewrite.shape == Rewrite::LeaveOut)
        continue;
      (row.place == Place::Dialect ? dialects : rows).add(row);
    }
    words.add(rows.filter());
    words.add(dialects.filter());
    words.add(writingsByWord().filter());
  }
};

} // namespace

static std::string releaseAfter(StringRef release) {
  std::string next = release.str();
  ++next.back();
  return next;
}

/// What the hint says of `word`; empty if there is none.
static std::string messageOf(const Spelling &row, StringRef word) {
  StringRef last = row.releases.last;
  if (last.empty())
    return "";
  std::string what = row.what.empty() ? ("'" + word + "'").str()
                     : row.what.contains(' ')
                         ? (row.what + " in '" + word + "'").str()
                         : ("'" + row.what + "' in '" + word + "'").str();
  return what + " is the spelling of Triton " + last.str() +
         " and older; since " + releaseAfter(last) + " " + row.today.str();
}

//===----------------------------------------------------------------------===//
// The scan
//===----------------------------------------------------------------------===//

namespace {

class Scan {
public:
  Scan(const Syntax &syntax, mlir::MLIRContext &context, Evidence *evidence)
      : syntax(syntax), context(context), evidence(evidence) {}

  std::vector<Respelling> run(Span span) {
    auto [first, last] = syntax.tokensIn(span);
    for (size_t i = first; i < last; ++i)
      visit(i);
    return std::move(found);
  }

private:
  void visit(size_t i) {
    const Token &token = syntax.tokens()[i];
    if (mayBeSpelling(token)) {
      StringRef word = syntax.text(token);
      if (index.words.mayHave(word))
        visitWord(word, Site(syntax, context, i), token.span());
    } else if (token.kind == Token::Punctuation &&
               syntax.text()[token.begin] == '<' && i > 0 &&
               isTypeExpectedAfter(syntax.tokens()[i - 1])) {
      // Some ops write the type of a descriptor from its `<` on.
      tryWord("!ttg.memdesc", "!ttg.memdesc", Site(syntax, context, i - 1),
              token.span());
    }
  }

  void visitWord(StringRef word, const Site &site, Span span) {
    if (evidence)
      writingsByWord().forEach(word, [&](const Writing &row) {
        if (!evidence->covers(row.evidence) && row.at(site))
          evidence->add(row.evidence);
      });
    if (tryWord(word, word, site, span))
      return;
    // An op of a renamed dialect may be spelt otherwise by its new name, too.
    index.dialects.forEach(word, [&](const Spelling &row) {
      if (tryRow(row, word, site, span))
        tryWord(renamed(word, row.rewrite), word, site, span);
    });
  }

  /// What the rows of `key` find at `site`, which is `word`; whether any does.
  bool tryWord(StringRef key, StringRef word, const Site &site, Span span) {
    bool isFound = false;
    index.rows.forEach(key, [&](const Spelling &row) {
      isFound |= tryRow(row, word, site, span);
    });
    return isFound;
  }

  bool tryRow(const Spelling &row, StringRef word, const Site &site,
              Span span) {
    if (row.isOfOp() && !site.op())
      return false;
    std::optional<Edits> edits = row.rewrite(site);
    if (!edits)
      return false;
    if (!isInside(*edits, syntax.text()))
      edits->clear();
    auto first = Release::parse(row.releases.first);
    auto last = Release::parse(row.releases.last);
    found.push_back({span, messageOf(row, word), first, last,
                     row.reading == Read, std::move(*edits)});
    if (evidence && first)
      evidence->addSince(*first);
    if (evidence && last)
      evidence->addUntil(*last);
    return true;
  }

  static std::string renamed(StringRef word, const Rewrite &rename) {
    auto [before, after] = word.rsplit(rename.older);
    return (before + rename.today + after).str();
  }

  bool isTypeExpectedAfter(const Token &token) const {
    return token.kind == Token::Arrow ||
           (token.kind == Token::Punctuation &&
            StringRef(":,*").contains(syntax.text()[token.begin]));
  }

  static const Index &theIndex() {
    static const Index table;
    return table;
  }

  const Syntax &syntax;
  mlir::MLIRContext &context;
  Evidence *evidence; ///< May be null.
  const Index &index = theIndex();
  std::vector<Respelling> found;
};

} // namespace

std::vector<Respelling> kernelscope::findRespellings(const Syntax &syntax,
                                                     Span span,
                                                     mlir::MLIRContext &context,
                                                     Evidence *evidence) {
  return Scan(syntax, context, evidence).run(span);
}

/// `span` of the text with `edits`.
static std::string applied(StringRef text, Span span,
                           std::vector<TextEdit> edits) {
  std::string result;
  size_t position = span.begin;
  for (const TextEdit &edit : withoutOverlaps(std::move(edits))) {
    if (!span.contains(edit.span))
      continue;
    result += text.substr(position, edit.span.begin - position);
    result += edit.newText;
    position = edit.span.end;
  }
  result += text.substr(position, span.end - position);
  return result;
}

/// "'...'": the words from the token on, as far as `edits` go; empty if they
/// are many.
static std::string spelled(const Syntax &syntax, const Token &token,
                           const Edits &edits) {
  constexpr size_t most = 100;
  Span span = token.span();
  for (const TextEdit &edit : edits)
    span = {std::min(span.begin, edit.span.begin),
            std::max(span.end, edit.span.end)};
  // An edit may be far away, in the alias of a layout.
  if (edits.empty() || syntax.text(span).contains('\n'))
    return "";
  std::string text = applied(syntax.text(), span, edits);
  StringRef words = StringRef(text).trim();
  return words.contains('\n') || words.size() > most
             ? ""
             : ("'" + words + "'").str();
}

/// What is said of `word`, which is ours and `release` writes otherwise, if it
/// can write it: as `other`, if that is not empty.
static std::string sayOtherwise(const Writing &row, StringRef word,
                                Release release, bool canWrite,
                                StringRef other) {
  std::string name = ("'" + word + "'").str();
  if (!row.rule.empty())
    return "Triton " + release.str() + " rejects this " + name + ": " +
           row.rule.str();
  std::string spellsIt =
      " spells it " + (other.empty() ? "differently" : other.str());
  if (row.releases.last.empty())
    return name + " is the spelling until Triton 3.8; " + release.str() +
           spellsIt;
  return name +
         (row.isNew ? " exists only since Triton "
                    : " is the spelling since Triton ") +
         releaseAfter(row.releases.last) + "; " + release.str() +
         (row.isNew   ? " has no equivalent"
          : !canWrite ? " cannot express it"
                      : spellsIt);
}

std::vector<Diagnostic> kernelscope::findNewer(const Syntax &syntax,
                                               Release release,
                                               mlir::MLIRContext &context) {
  std::vector<Diagnostic> hints;
  scanForWritings(
      syntax, {0, syntax.text().size()}, context,
      [&](const Writing &row, const Token &token, Edits edits) {
        bool isFlag = row.forward && row.forward->shape == Rewrite::InsertEntry;
        if (!row.isFor(release) || isFlag)
          return;
        Diagnostic hint;
        hint.span = token.span();
        hint.severity = Severity::Hint;
        hint.code = "newer-spelling";
        hint.message =
            sayOtherwise(row, syntax.text(token), release, !edits.empty(),
                         spelled(syntax, token, edits));
        if (!edits.empty())
          hint.fixes.push_back({"Rewrite for Triton " + release.str(),
                                withoutOverlaps(std::move(edits))});
        hints.push_back(std::move(hint));
      });
  return hints;
}

std::optional<Release> kernelscope::workOutRelease(const Syntax &syntax,
                                                   mlir::MLIRContext &context) {
  Evidence evidence;
  findRespellings(syntax, {0, syntax.text().size()}, context, &evidence);
  return evidence.release();
}

std::optional<std::string> kernelscope::describeGoneOp(StringRef name) {
  const Spelling *gone =
      llvm::find_if(allSpellings(), [&](const Spelling &row) {
        return row.rewrite.shape == Rewrite::LeaveOut && row.word == name;
      });
  if (gone == allSpellings().end())
    return std::nullopt;
  StringRef last = gone->releases.last;
  return "'" + name.str() + "' is an op of Triton " + last.str() +
         " and older; since " + releaseAfter(last) +
         " it no longer exists, so it is ignored here";
}

Diagnostic kernelscope::toHint(const Respelling &spelling) {
  Diagnostic hint;
  hint.span = spelling.span;
  hint.severity = Severity::Hint;
  hint.code = "older-spelling";
  hint.message = spelling.message;
  hint.lastRelease = spelling.last ? spelling.last->minor : 0;
  if (!spelling.edits.empty())
    hint.fixes.push_back({"Rewrite in the current spelling", spelling.edits});
  return hint;
}

std::vector<TextEdit> kernelscope::inOrder(std::vector<TextEdit> edits) {
  llvm::sort(edits, [](const TextEdit &a, const TextEdit &b) {
    return std::tie(a.span.begin, b.span.end, a.newText) <
           std::tie(b.span.begin, a.span.end, b.newText);
  });
  return edits;
}

std::vector<TextEdit>
kernelscope::withoutOverlaps(std::vector<TextEdit> edits) {
  edits = inOrder(std::move(edits));
  size_t end = 0;
  llvm::erase_if(edits, [&](const TextEdit &edit) {
    if (edit.span.begin < end)
      return true;
    end = edit.span.end;
    return false;
  });
  return edits;
}

std::string kernelscope::withEdits(StringRef text,
                                   std::vector<TextEdit> edits) {
  return applied(text, {0, text.size()}, std::move(edits));
}

std::string kernelscope::inOurSpelling(const Syntax &syntax, Span span,
                                       mlir::MLIRContext &context) {
  std::vector<TextEdit> edits;
  for (const Respelling &spelling : findRespellings(syntax, span, context))
    llvm::append_range(edits, spelling.edits);
  return applied(syntax.text(), span, std::move(edits));
}

OurSpelling kernelscope::inOurSpelling(StringRef text,
                                       mlir::MLIRContext &context) {
  Syntax syntax(text);
  Span whole = {0, text.size()};
  OurSpelling ours;
  std::vector<TextEdit> edits;
  for (const Respelling &spelling : findRespellings(syntax, whole, context)) {
    // What is read says what we would not: a type that must be another's.
    if (spelling.isRead)
      continue;
    ours.isNeeded = true;
    llvm::append_range(edits, spelling.edits);
  }
  for (TextEdit &edit : edits) {
    llvm::replace(edit.newText, '\n', ' ');
    // Lines that an edit takes away stay as empty ones.
    edit.newText.append(syntax.text(edit.span).count('\n'), '\n');
  }
  ours.text = applied(text, whole, std::move(edits));
  return ours;
}
