//===- ParserWatch.h - where MLIR's parser is, should it die ----*- C++ -*-===//
//
// The parser cannot be asked how far it is, but it notes each op that it has
// read to its end. Whoever dies in it was at what follows the last one.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_PARSERWATCH_H
#define KERNELSCOPE_SERVER_ANALYSIS_PARSERWATCH_H

#include "server/analysis/FragmentRequest.h"

namespace kernelscope {

/// Stands for the parse of `fragment` on this thread, as long as it lives.
class ParserWatch {
public:
  ParserWatch(const Fragment &fragment, const Syntax &syntax,
              const FragmentRequest &request);
  ~ParserWatch();
  ParserWatch(const ParserWatch &) = delete;
  ParserWatch &operator=(const ParserWatch &) = delete;

  /// The byte of the document that the parser of this thread is at; none if it
  /// does not parse. Only reads, so a handler of fatal signals may call it.
  static std::optional<size_t> position();

private:
  std::optional<size_t> endOfLast() const;

  const Fragment &fragment;
  const Syntax &syntax;
  const FragmentRequest &request;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_PARSERWATCH_H
