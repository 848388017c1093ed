//===- Npy.cpp - NumPy's .npy files ---------------------------------------===//
//
// A magic number, the length of a header, the header (a Python dictionary), the
// elements.
//
//===----------------------------------------------------------------------===//

#include "server/run/Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kernelscope::run {
namespace {

constexpr StringLiteral magic = "\x93NUMPY";

Error bad(StringRef path, const Twine &what) {
  return createStringError("'" + path +
                           "' is not a readable .npy file: " + what);
}

/// The text of `key`'s value in the header, from its first character.
StringRef valueOf(StringRef header, StringRef key) {
  const size_t at = header.find(("'" + key + "':").str());
  return at == StringRef::npos ? StringRef()
                               : header.substr(at + key.size() + 3).ltrim();
}

} // namespace

Expected<NpyArray> readNpy(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError("cannot read '" + path +
                             "': " + file.getError().message());
  StringRef data = (*file)->getBuffer();
  if (!data.consume_front(magic) || data.size() < 4)
    return bad(path, "it does not start with the format's magic number");
  const auto version = static_cast<uint8_t>(data[0]);
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(data[i]); };
  size_t length = byte(2) | byte(3) << 8, start = 4;
  if (version >= 2) {
    if (data.size() < 6)
      return bad(path, "its header is truncated");
    length |= static_cast<size_t>(byte(4)) << 16 | static_cast<size_t>(byte(5))
                                                       << 24;
    start = 6;
  }
  if (data.size() < start + length)
    return bad(path, "its header is truncated");
  const StringRef header = data.substr(start, length);
  data = data.substr(start + length);

  NpyArray array;
  StringRef type = valueOf(header, "descr");
  if (!type.consume_front("'") && !type.consume_front("\""))
    return bad(path, "its elements are records, not numbers");
  type = type.take_until([](char c) { return c == '\'' || c == '"'; });
  if (type.consume_front(">"))
    return bad(path, "its numbers are big-endian");
  array.type = type.ltrim("<|=").str();
  if (!valueOf(header, "fortran_order").starts_with("False"))
    return bad(path,
               "it is in Fortran order; save it with numpy.ascontiguousarray");
  StringRef shape = valueOf(header, "shape");
  if (!shape.consume_front("("))
    return bad(path, "it has no shape");
  shape = shape.take_until([](char c) { return c == ')'; });
  SmallVector<StringRef> sizes;
  shape.split(sizes, ',', -1, /*KeepEmpty=*/false);
  uint64_t count = 1;
  for (StringRef size : sizes) {
    int64_t value;
    if (size.trim().empty())
      continue;
    if (size.trim().getAsInteger(10, value) || value < 0)
      return bad(path, "its shape is (" + shape + ")");
    array.shape.push_back(value);
    count *= value;
  }
  unsigned bytes;
  if (array.type.size() < 2 ||
      StringRef(array.type).drop_front().getAsInteger(10, bytes))
    return bad(path, "its elements are of type '" + array.type + "'");
  if (data.size() < count * bytes)
    return bad(path,
               formatv("it has {0} bytes of elements, but its shape needs {1}",
                       data.size(), count * bytes));
  array.bytes.assign(data.begin(), data.begin() + count * bytes);
  return array;
}

Error writeNpy(StringRef path, const NpyArray &array) {
  std::string shape;
  for (int64_t size : array.shape)
    shape += std::to_string(size) + ",";
  const StringRef order = StringRef(array.type).ends_with("1") ? "|" : "<";
  std::string header =
      formatv("{{'descr': '{0}{1}', 'fortran_order': False, 'shape': ({2}), }",
              order, array.type, shape);
  // The elements begin at a multiple of 64 bytes.
  const size_t before = magic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (error)
    return createStringError("cannot write '" + path + "': " + error.message());
  out << magic << '\1' << '\0' << static_cast<char>(header.size() & 0xff)
      << static_cast<char>(header.size() >> 8) << header;
  out.write(array.bytes.data(), array.bytes.size());
  out.close();
  if (out.has_error()) {
    error = out.error();
    out.clear_error();
    return createStringError("cannot write '" + path + "': " + error.message());
  }
  return Error::success();
}

} // namespace kernelscope::run
