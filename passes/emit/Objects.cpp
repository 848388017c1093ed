//===- Objects.cpp - Code objects, and the tools of CUDA ------------------===//
//
// lld in this process for AMD; ptxas and nvdisasm as programs for NVIDIA.
//
//===----------------------------------------------------------------------===//

#include "passes/emit/Objects.h"
#include "lld/Common/Driver.h"
#include "passes/emit/LineLinks.h"
#include "passes/emit/ResourceUse.h"
#include "passes/emit/TritonWheel.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

LLD_HAS_DRIVER(elf)

using namespace mlir;

namespace kernelscope::emit {
namespace {

/// A file that is gone when this is.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef extension) {
    error =
        llvm::sys::fs::createTemporaryFile("kernelscope", extension, location);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    // A file that stays is not worth a word.
    if (!error)
      llvm::consumeError(
          llvm::errorCodeToError(llvm::sys::fs::remove(location)));
  }

  StringRef path() const { return location; }
  /// False, with an error at `source`, if the file cannot be written.
  bool write(StringRef bytes, ModuleOp source) {
    if (!error) {
      llvm::raw_fd_ostream stream(location, error);
      stream << bytes;
      stream.close();
      if (stream.has_error()) {
        error = stream.error();
        stream.clear_error();
      }
    }
    if (error)
      source.emitError() << "cannot write a temporary file '" << location
                         << "': " << error.message();
    return !error;
  }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(location);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

private:
  SmallString<128> location;
  std::error_code error;
};

/// Runs a program of CUDA; its output, both kinds, goes to `output`.
bool runTool(StringRef tool, ArrayRef<StringRef> arguments,
             const TemporaryFile &output) {
  SmallVector<StringRef> all = {tool};
  all.append(arguments.begin(), arguments.end());
  return llvm::sys::ExecuteAndWait(
             tool, all, std::nullopt,
             {StringRef(""), output.path(), output.path()}) == 0;
}

/// As `findCudaTool`, with an error when there is none.
std::optional<std::string> requireTool(StringRef name, ModuleOp source) {
  if (auto path = findCudaTool(name))
    return path;
  // No line of the IR is to blame.
  mlir::emitError(mlir::UnknownLoc::get(source.getContext()))
      << "'" << name
      << "' was not found; install the CUDA toolkit and put it on PATH or set "
         "CUDA_HOME, install Triton (pip's wheel contains it), or set "
         "KERNELSCOPE_PTXAS to the path of ptxas";
  return std::nullopt;
}

/// Reports what ptxas says, each line of PTX on the line of the IR it is from.
void reportPtxas(StringRef messages, StringRef ptx, ModuleOp source) {
  auto links = linksFromAssembly(ptx);
  bool anyReported = false;
  while (!messages.empty()) {
    auto [line, rest] = messages.split('\n');
    messages = rest;
    if (!line.contains("error") && !line.contains("fatal"))
      continue;
    anyReported = true;
    Location loc = source.getLoc();
    unsigned ptxLine = 0;
    StringRef number = line.split(", line ").second;
    number.consumeInteger(10, ptxLine);
    for (const LineLink &link : links)
      if (link.outputLine == ptxLine)
        if (auto file = source.getLoc()->findInstanceOf<FileLineColLoc>())
          loc = FileLineColLoc::get(file.getFilename(), link.irLine, 1);
    auto text = ptxLine ? line.split(';').second.trim() : line.trim();
    emitError(loc) << "ptxas: " << text
                   << (ptxLine ? " (PTX line " + std::to_string(ptxLine) + ")"
                               : std::string());
  }
  if (!anyReported)
    source.emitError() << "ptxas failed: " << messages.trim();
}

} // namespace

FailureOr<std::string> linkHsaco(StringRef object, ModuleOp source) {
  TemporaryFile input("o"), output("hsaco");
  if (!input.write(object, source) || !output.write("", source))
    return failure();
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  std::string in = input.path().str(), out = output.path().str();
  const char *arguments[] = {"ld.lld", "-shared", in.c_str(), "-o",
                             out.c_str()};
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return source.emitError() << "linking the code object: " << messages;
  return output.read();
}

std::optional<std::string> findCudaTool(StringRef name) {
  if (auto ptxas = llvm::sys::Process::GetEnv("KERNELSCOPE_PTXAS")) {
    SmallString<128> path(*ptxas);
    if (name != "ptxas") {
      llvm::sys::path::remove_filename(path);
      llvm::sys::path::append(path, name);
    }
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
  }
  if (auto path = llvm::sys::findProgramByName(name))
    return *path;
  SmallVector<std::string> roots;
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (auto root = llvm::sys::Process::GetEnv(variable))
      roots.push_back(*root);
  roots.emplace_back("/usr/local/cuda");
  for (const std::string &backends : tritonBackends())
    roots.push_back(backends + "/nvidia");
  for (const std::string &root : roots) {
    SmallString<128> path(root);
    llvm::sys::path::append(path, "bin", name);
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
  }
  return std::nullopt;
}

FailureOr<std::string> assembleCubin(StringRef ptx, const Target &target,
                                     ModuleOp source,
                                     MutableArrayRef<KernelInfo> kernels) {
  auto ptxas = requireTool("ptxas", source);
  TemporaryFile input("ptx"), output("cubin"), messages("log");
  if (!ptxas || !input.write(ptx, source) || !output.write("", source) ||
      !messages.write("", source))
    return failure();
  if (!runTool(*ptxas,
               {"--verbose", "-lineinfo", "--gpu-name", target.arch,
                input.path(), "-o", output.path()},
               messages)) {
    reportPtxas(messages.read(), ptx, source);
    return failure();
  }
  readPtxasUse(messages.read(), kernels);
  return output.read();
}

FailureOr<std::string> disassembleCubin(StringRef cubin, ModuleOp source) {
  auto nvdisasm = requireTool("nvdisasm", source);
  TemporaryFile input("cubin"), text("sass");
  if (!nvdisasm || !input.write(cubin, source) || !text.write("", source))
    return failure();
  if (!runTool(*nvdisasm, {"--print-code", "--print-line-info", input.path()},
               text))
    return source.emitError() << "nvdisasm failed: " << text.read();
  // It warns of forms of its own on the stream of errors, in front of the code.
  std::string all = text.read();
  StringRef code = all;
  while (code.starts_with("nvdisasm warning"))
    code = code.split('\n').second;
  return code.str();
}

} // namespace kernelscope::emit
