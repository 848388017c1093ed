//===- Engine.h - the process that parses and answers -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ENGINE_ENGINE_H
#define KERNELSCOPE_SERVER_ENGINE_ENGINE_H

namespace kernelscope {

/// Serves the front over `parentSocket` until that closes, and reports in
/// `sharedMemory` what it is at (a `PulseBoard`). From the front, with offsets
/// in bytes:
///   {"start": parameters of initialize}            before all others
///   {"open": document, "uri", "version", "text", "quarantine": [offset]}
///   {"edit": document, "version", "changes": [{"begin", "end", "text"}]}
///   {"close": document}
///   {"request": id, "document", "method", "params"}
///   {"cancel": id, "document"}
/// To the front:
///   {"answer": id, "result"}  or  {"answer": id, "error": {"code", "message"}}
///   {"diagnostics": [...], "document", "version"}
/// An edit drops what waits for the document's older text: the front has
/// answered it.
int serveFront();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_ENGINE_H
