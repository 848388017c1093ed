//===- OpenDocument.h - a document that the editor has open -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_OPENDOCUMENT_H
#define KERNELSCOPE_SERVER_FRONT_OPENDOCUMENT_H

#include "server/ipc/Message.h"
#include "server/lsp/Assembly.h"
#include "server/text/Text.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

/// A document's text, and what the front remembers of it for the time when
/// there is no engine.
struct OpenDocument {
  uint32_t number = 0; ///< Names the document to the engine; never used twice.
  std::string uri;
  int64_t version = 0;
  Text text;
  Assembly assembly = Assembly::None;

  /// The version whose diagnostics the client has.
  std::optional<int64_t> analysed;
  /// The newest answers that concern the document as a whole, by method.
  std::map<std::string, std::string> lastGood;

  /// A request for the diagnostics of the newest text.
  struct Pull {
    Json id;
    std::string previousResultId; ///< Of what the client has.
  };
  std::vector<Pull> pulls;       ///< Without an answer yet.
  std::optional<int64_t> pulled; ///< The version that was asked for last.

  /// The analysis' diagnostics that the client has.
  Json checked = Json::array();

  /// The command that asked to see what the compiler does, while it is shown.
  std::optional<Json> showsEmitted;

  // Of this text, forgotten with the next edit:
  Json ran = Json::array(); ///< What the last run of it found.
  Json emitted;             ///< What it became, if that is shown and known.
  std::optional<uint64_t> emittedJob; ///< At work on that.
  std::optional<Json> emittedFor;     ///< The request that waits for it.
  std::vector<size_t> quarantine;     ///< Where the engine died over it.
  unsigned unexplainedDeaths =
      0;                ///< Deaths of the engine while it was at this text.
  bool stopped = false; ///< It is kept from the engine altogether.

  /// Of which there is hover alone: the engine never sees it.
  bool isAssembly() const { return assembly != Assembly::None; }
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_OPENDOCUMENT_H
