//===- PrintFormat.cpp - Formats of C's printf ----------------------------===//

#include "executor/wave/PrintFormat.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace kernelscope::wave {

std::vector<FormatPiece> splitFormat(StringRef format) {
  std::vector<FormatPiece> pieces;
  while (!format.empty()) {
    FormatPiece &piece = pieces.emplace_back();
    const size_t begin = format.find('%');
    piece.text = format.take_front(begin).str();
    format = format.drop_front(piece.text.size());
    if (format.consume_front("%%")) {
      piece.text += '%';
      continue;
    }
    // Flags, width, precision and length of the argument come before it.
    const size_t end = format.find_first_not_of("-+ #.0123456789hljzt", 1);
    if (end == StringRef::npos ||
        !StringRef("diouxXcsfFeEgGaAp").contains(format[end])) {
      piece.text += format.take_front(end);
      format = format.drop_front(std::min(end, format.size()));
      continue;
    }
    piece.conversion = format.take_front(end + 1).str();
    format = format.drop_front(end + 1);
    const bool isWide =
        StringRef(piece.conversion).find_first_of("ljzt") != StringRef::npos ||
        StringRef("sfFeEgGaAp").contains(piece.conversion.back());
    piece.bytes = isWide ? 8 : 4;
  }
  return pieces;
}

void FormatPiece::print(raw_ostream &out, uint64_t bits) const {
  out << text;
  if (conversion.empty())
    return;
  const char *how = conversion.c_str();
  if (StringRef("fFeEgGaA").contains(conversion.back()))
    out << format(how, std::bit_cast<double>(bits));
  else if (isText())
    out << "(text)"; // which the kernel has computed
  else if (bytes == 8)
    out << format(how, static_cast<unsigned long long>(bits));
  else
    out << format(how, static_cast<unsigned>(bits));
}

} // namespace kernelscope::wave
