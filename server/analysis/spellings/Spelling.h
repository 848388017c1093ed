//===- Spelling.h - a row of the table of spellings -------------*- C++ -*-===//
//
// A row says where it applies, which releases of Triton wrote it, what the hint
// calls it, and how it is written in the spelling that we parse. Changes that
// several rows share are data; the others are functions (Rewrites.h).
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SPELLING_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SPELLING_H

#include "server/analysis/spellings/Site.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>

namespace kernelscope::spelling {

/// Where a row applies.
enum class Place {
  Op,         ///< An op of this name.
  Ops,        ///< Any op whose name begins so.
  Dialect,    ///< Any op whose name begins so; its new name has rows, too.
  Type,       ///< A type, `!` included.
  Attribute,  ///< An attribute, `#` included.
  Attributes, ///< Any attribute that begins so.
  Key,        ///< A key in a dictionary.
};

/// The releases that wrote it; an end that is empty is open.
struct Releases {
  llvm::StringLiteral first, last;
};
constexpr Releases until(llvm::StringLiteral last) { return {"", last}; }
constexpr Releases since(llvm::StringLiteral first) { return {first, ""}; }
/// MLIR's printer writes it, and its parser does not take it.
constexpr Releases every = {"", ""};

/// How a place is written in the spelling that we parse.
struct Rewrite {
  enum Shape {
    Rename,        ///< `older` in the word is `today`; "": the whole word.
    RenameEntry,   ///< The key `older` of the op's dictionary is `today`.
    DropEntry,     ///< The entry `older` of the op's dictionary is gone.
    DropClause,    ///< `older = value` behind an operand is gone.
    DropOp,        ///< The op is gone.
    InsertKeyword, ///< `today` stands before the operands, if there are any.
    InsertEntry,   ///< An op with more than `operands` operands has the entry.
    Reprint,       ///< An attribute with any of `keys`: as our printer has it.
    LeaveOut,      ///< Recovery takes the op out, which nobody knows.
    CannotSay,     ///< Text alone cannot say it.
    Call,          ///< `function` knows.
  };
  /// Gives nothing if the word is spelt as we parse it where it stands, and no
  /// edits if it is not but text alone cannot say what to write.
  using Function = std::optional<Edits> (*)(const Site &);

  Shape shape = Call;
  llvm::StringLiteral older = "", today = "";
  std::array<llvm::StringLiteral, 3> keys = {"", "", ""};
  unsigned operands = 0;
  Function function = nullptr;

  constexpr Rewrite(Shape shape, llvm::StringLiteral older = "",
                    llvm::StringLiteral today = "")
      : shape(shape), older(older), today(today) {}
  constexpr Rewrite(Function function) : function(function) {}

  std::optional<Edits> operator()(const Site &site) const;

  /// Whether the shape says the way back, too: how a release that wrote the
  /// older spelling would write ours.
  constexpr bool isReversible() const {
    return shape == Rename || shape == RenameEntry || shape == InsertKeyword ||
           shape == InsertEntry;
  }
};

constexpr Rewrite renamed(llvm::StringLiteral older,
                          llvm::StringLiteral today) {
  return {Rewrite::Rename, older, today};
}
constexpr Rewrite renamedTo(llvm::StringLiteral today) {
  return {Rewrite::Rename, "", today};
}
constexpr Rewrite renamedEntry(llvm::StringLiteral older,
                               llvm::StringLiteral today) {
  return {Rewrite::RenameEntry, older, today};
}
constexpr Rewrite droppedEntry(llvm::StringLiteral key) {
  return {Rewrite::DropEntry, key};
}
constexpr Rewrite droppedClause(llvm::StringLiteral key) {
  return {Rewrite::DropClause, key};
}
constexpr Rewrite insertedKeyword(llvm::StringLiteral keyword) {
  return {Rewrite::InsertKeyword, "", keyword};
}
constexpr Rewrite insertedEntry(llvm::StringLiteral entry, unsigned operands) {
  Rewrite rewrite(Rewrite::InsertEntry, "", entry);
  rewrite.operands = operands;
  return rewrite;
}
constexpr Rewrite reprintedIf(llvm::StringLiteral a, llvm::StringLiteral b = "",
                              llvm::StringLiteral c = "") {
  Rewrite rewrite(Rewrite::Reprint);
  rewrite.keys = {a, b, c};
  return rewrite;
}

/// Whether our parser makes of it what it makes of today's spelling.
enum Reading : bool { Unread, Read };

struct Spelling {
  Place place;
  llvm::StringLiteral word;
  /// What of it the hint names; empty for the word itself.
  llvm::StringLiteral what;
  Releases releases;
  /// What the release after the last one has in its place.
  llvm::StringLiteral today;
  Reading reading;
  Rewrite rewrite;

  constexpr Spelling(Place place, llvm::StringLiteral word,
                     llvm::StringLiteral what, Releases releases,
                     llvm::StringLiteral today, Reading reading,
                     Rewrite rewrite)
      : place(place), word(word), what(what), releases(releases), today(today),
        reading(reading), rewrite(rewrite) {}
  /// One that is no older than we are: there is nothing to say about it.
  constexpr Spelling(Place place, llvm::StringLiteral word, Releases releases,
                     Rewrite rewrite, Reading reading = Unread)
      : Spelling(place, word, "", releases, "", reading, rewrite) {}

  bool isPrefix() const {
    return place == Place::Ops || place == Place::Dialect ||
           place == Place::Attributes;
  }
  bool isOfOp() const {
    return place == Place::Op || place == Place::Ops || place == Place::Dialect;
  }
};

/// The table.
llvm::ArrayRef<Spelling> allSpellings();

} // namespace kernelscope::spelling

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SPELLING_H
