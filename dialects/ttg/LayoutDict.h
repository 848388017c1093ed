//===- LayoutDict.h - The braces of a layout attribute ----------*- C++ -*-===//
//
// Layouts are written as `<{key = value, ...}>`. This reads the entries by name
// and kind, with one error for what is missing, malformed or unknown.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_TTG_LAYOUTDICT_H
#define KERNELSCOPE_DIALECTS_TTG_LAYOUTDICT_H

#include "dialects/ttg/TTG.h"

#include "llvm/ADT/StringSet.h"

namespace kernelscope::ttg {

/// The entries of one layout. A getter returns false once anything was wrong,
/// and the error has then been given.
class LayoutDict {
public:
  LayoutDict(mlir::AsmParser &parser)
      : parser(parser), loc(parser.getCurrentLocation()) {}
  /// Takes entries that something else has parsed.
  LayoutDict(mlir::AsmParser &parser, mlir::DictionaryAttr entries,
             llvm::SMLoc loc)
      : parser(parser), loc(loc), entries(entries) {}

  /// Reads `{...}`.
  bool parseBraces();
  /// Reads `<{...}>`.
  bool parse();

  bool has(llvm::StringRef key) const { return !!entries.get(key); }
  /// The value as it stands, null without one.
  mlir::Attribute take(llvm::StringRef key);

  /// An entry that must be there.
  template <typename T> bool required(llvm::StringRef key, T &value) {
    if (has(key))
      return read(key, take(key), value);
    error() << "has no '" << key << "'";
    return false;
  }
  /// An entry that keeps `value` as it is when it is absent.
  template <typename T> bool optional(llvm::StringRef key, T &value) {
    return !has(key) || read(key, take(key), value);
  }
  /// The cluster: `CGALayout`, or the three entries of Triton 3.5 and older.
  /// Null when it is malformed.
  CGAEncodingAttr cluster(unsigned rank);
  /// The bases of `inDims`, `dim = [[...], ...]` each; dimensions in `mayMiss`
  /// have no bases when they are absent. The rank is that of the bases;
  /// `rankIfEmpty` when there are none.
  std::optional<LinearLayout> bases(llvm::ArrayRef<llvm::StringRef> inDims,
                                    llvm::ArrayRef<llvm::StringRef> mayMiss,
                                    unsigned rankIfEmpty);
  /// Warns of each entry that was not read: Triton does not look at it.
  void warnOfUnknown();

  mlir::InFlightDiagnostic error() { return parser.emitError(loc, "layout "); }
  llvm::SMLoc getLoc() const { return loc; }

private:
  bool read(llvm::StringRef key, mlir::Attribute value, unsigned &result);
  bool read(llvm::StringRef key, mlir::Attribute value, bool &result);
  bool read(llvm::StringRef key, mlir::Attribute value,
            llvm::SmallVectorImpl<unsigned> &result);
  bool read(llvm::StringRef key, mlir::Attribute value,
            mlir::Attribute &result) {
    result = value;
    return true;
  }

  mlir::AsmParser &parser;
  llvm::SMLoc loc;
  mlir::DictionaryAttr entries;
  llvm::StringSet<> used;
};

/// Writes `register = [[0, 1]], lane = []`, in-dims in order, those of `skip`
/// left out when they have no bases.
void printBases(mlir::AsmPrinter &printer, const LinearLayout &layout,
                llvm::ArrayRef<llvm::StringRef> skip = {});

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_LAYOUTDICT_H
