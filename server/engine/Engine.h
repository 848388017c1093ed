//===- Engine.h - the process that parses and answers -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ENGINE_ENGINE_H
#define KERNELSCOPE_SERVER_ENGINE_ENGINE_H

namespace kernelscope {

/// Serves the front over `parentSocket` until that closes
/// (server/engine/Messages.h), and reports in `sharedMemory` what it is at (a
/// `PulseBoard`). An edit drops what waits for the document's older text: the
/// front has answered it.
int serveFront();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_ENGINE_H
