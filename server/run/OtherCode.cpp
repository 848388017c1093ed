//===- OtherCode.cpp - What another compiler made of a kernel -------------===//
//
// The code and Triton's metadata beside it.
//
//===----------------------------------------------------------------------===//

#include "server/run/OtherCode.h"
#include "nlohmann/json.hpp"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kernelscope::run {

namespace {

Expected<std::string> readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// Sets `to` to the number `name` of the metadata, if they have it.
Error readNumber(const nlohmann::json &metadata, const char *name,
                 unsigned &to) {
  auto found = metadata.find(name);
  if (found == metadata.end())
    return Error::success();
  if (!found->is_number_unsigned())
    return createStringError("'" + Twine(name) + "' is " + found->dump() +
                             "; it must be a number of bytes or warps, 0 or "
                             "more");
  to = found->get<unsigned>();
  return Error::success();
}

Error readMetadata(KernelInfo &kernel, const std::string &text) {
  const auto metadata = nlohmann::json::parse(text, nullptr, false);
  if (!metadata.is_object())
    return createStringError("is not a JSON object");
  for (auto [name, to] :
       {std::pair{"num_warps", &kernel.warps},
        std::pair{"shared", &kernel.sharedBytes},
        std::pair{"global_scratch_size", &kernel.scratchBytes},
        std::pair{"profile_scratch_size", &kernel.profileScratchBytes}})
    if (Error error = readNumber(metadata, name, *to))
      return error;
  for (auto [name, to] :
       {std::pair{"launch_pdl", &kernel.isDependent},
        std::pair{"launch_cooperative_grid", &kernel.isCooperative}})
    if (auto found = metadata.find(name);
        found != metadata.end() && found->is_boolean())
      *to = found->get<bool>();
  return Error::success();
}

} // namespace

Error replaceCode(DeviceProgram &program, const std::string &path) {
  Expected<std::string> code = readFile(path);
  if (!code)
    return code.takeError();
  program.image = std::move(*code);
  SmallString<128> metadata(path);
  sys::path::replace_extension(metadata, ".json");
  if (!sys::fs::exists(metadata))
    return Error::success();
  Expected<std::string> text = readFile(metadata);
  if (!text)
    return text.takeError();
  if (Error error = readMetadata(program.kernel, *text))
    return createStringError(Twine(metadata) + ": " +
                             toString(std::move(error)));
  return Error::success();
}

} // namespace kernelscope::run
