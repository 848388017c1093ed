//===- RowsByWord.h - rows of a table by their word -------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_ROWSBYWORD_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_ROWSBYWORD_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <bitset>
#include <vector>

namespace kernelscope::spelling {

/// Rows with a member `word`, which is the beginning of a word if `isPrefix()`.
/// A scan asks about each word of a text, and hardly any is in the table.
template <typename Row> class RowsByWord {
public:
  void add(const Row &row) {
    llvm::StringRef word = row.word;
    if (row.isPrefix()) {
      ofPrefix.push_back(&row);
      beginnings.set(static_cast<unsigned char>(word.front()));
    } else {
      ofWord[word].push_back(&row);
      shapes.set(shapeOf(word));
    }
  }

  /// False for most words without a row; `word` is not empty.
  bool mayHave(llvm::StringRef word) const {
    return shapes[shapeOf(word)] ||
           beginnings[static_cast<unsigned char>(word.front())];
  }

  /// Calls `take` with the rows of the word, then with those of its beginning.
  template <typename Take> void forEach(llvm::StringRef word, Take take) const {
    if (shapes[shapeOf(word)])
      if (auto rows = ofWord.find(word); rows != ofWord.end())
        for (const Row *row : rows->second)
          take(*row);
    if (beginnings[static_cast<unsigned char>(word.front())])
      for (const Row *row : ofPrefix)
        if (word.starts_with(row->word))
          take(*row);
  }

private:
  static constexpr size_t shapeCount = 1024;
  static size_t shapeOf(llvm::StringRef word) {
    auto at = [&](size_t i) { return static_cast<unsigned char>(word[i]); };
    return (word.size() * 37 + at(word.size() - 1) * 5 +
            at(word.size() / 2) * 11) %
           shapeCount;
  }

  llvm::StringMap<llvm::SmallVector<const Row *, 2>> ofWord;
  std::vector<const Row *> ofPrefix;
  std::bitset<shapeCount> shapes; ///< Of the words: their size, two letters.
  std::bitset<256> beginnings;    ///< The prefixes' first characters.
};

} // namespace kernelscope::spelling

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_ROWSBYWORD_H
