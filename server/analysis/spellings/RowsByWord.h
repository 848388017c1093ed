//===- RowsByWord.h - rows of a table by their word -------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_ROWSBYWORD_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_ROWSBYWORD_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <bitset>
#include <cassert>
#include <vector>

namespace kernelscope::spelling {

/// Says of most words that are in no table that they are not: a scan asks about
/// each word of a text, and hardly any is in one.
class WordFilter {
public:
  /// A word, which is not empty, or the beginning of words if `isPrefix`.
  void add(llvm::StringRef word, bool isPrefix) {
    assert((!isPrefix || word.size() >= beginningSize) && "a short beginning");
    if (isPrefix)
      beginnings.set(beginningOf(word));
    else
      shapes.set(shapeOf(word));
  }
  void add(const WordFilter &other) {
    shapes |= other.shapes;
    beginnings |= other.beginnings;
  }

  bool mayHaveWord(llvm::StringRef word) const { return shapes[shapeOf(word)]; }
  bool mayHaveBeginning(llvm::StringRef word) const {
    return word.size() >= beginningSize && beginnings[beginningOf(word)];
  }
  bool mayHave(llvm::StringRef word) const {
    return mayHaveWord(word) || mayHaveBeginning(word);
  }

private:
  static constexpr size_t shapeCount = 4096, beginningCount = 256;
  /// That of 'nvg.', the shortest.
  static constexpr size_t beginningSize = 4;
  static size_t at(llvm::StringRef word, size_t i) {
    return static_cast<unsigned char>(word[i]);
  }
  /// Its size and two letters.
  static size_t shapeOf(llvm::StringRef word) {
    return (word.size() * 37 + at(word, word.size() - 1) * 5 +
            at(word, word.size() / 2) * 11) %
           shapeCount;
  }
  static size_t beginningOf(llvm::StringRef word) {
    return (at(word, 0) + at(word, 2) * 5 + at(word, 3) * 11) % beginningCount;
  }

  std::bitset<shapeCount> shapes;
  std::bitset<beginningCount> beginnings;
};

/// Rows with a member `word`, which is the beginning of a word if `isPrefix()`.
template <typename Row> class RowsByWord {
public:
  void add(const Row &row) {
    llvm::StringRef word = row.word;
    if (row.isPrefix())
      ofPrefix.push_back(&row);
    else
      ofWord[word].push_back(&row);
    words.add(word, row.isPrefix());
  }

  const WordFilter &filter() const { return words; }

  /// Calls `take` with the rows of the word, then with those of its beginning.
  template <typename Take> void forEach(llvm::StringRef word, Take take) const {
    if (words.mayHaveWord(word))
      if (auto rows = ofWord.find(word); rows != ofWord.end())
        for (const Row *row : rows->second)
          take(*row);
    if (words.mayHaveBeginning(word))
      for (const Row *row : ofPrefix)
        if (word.starts_with(row->word))
          take(*row);
  }

private:
  llvm::StringMap<llvm::SmallVector<const Row *, 2>> ofWord;
  std::vector<const Row *> ofPrefix;
  WordFilter words;
};

} // namespace kernelscope::spelling

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_ROWSBYWORD_H
