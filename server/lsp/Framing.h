//===- Framing.h - LSP's messages in a stream of bytes ----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_LSP_FRAMING_H
#define KERNELSCOPE_SERVER_LSP_FRAMING_H

#include <optional>
#include <string>
#include <string_view>

namespace kernelscope {

/// A message's body, or why there is none to be had.
struct Frame {
  std::string body;
  std::string error; ///< Empty when `body` counts.
};

/// Cuts a stream into the bodies after `Content-Length` headers. After a
/// broken header it says so once and continues at the next `Content-Length`; a
/// body over `maxBody` is skipped.
class FrameReader {
public:
  static constexpr size_t maxBody = size_t(256) << 20;

  void feed(std::string_view bytes) { buffer.append(bytes); }
  /// The next frame that is whole, if any.
  std::optional<Frame> next();

private:
  std::string buffer;
  size_t toSkip = 0; ///< Bytes left of a body that is too large.
  bool lost =
      false; ///< Inside bytes that are not a header, which has been said.
};

/// A body with its header.
std::string frame(std::string_view body);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_FRAMING_H
