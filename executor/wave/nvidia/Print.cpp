//===- Print.cpp - What a kernel prints -----------------------------------===//
//
// CUDA C++ Programming Guide, "Formatted Output": a format, and where the
// arguments lie one after another, floats as doubles.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/Print.h"
#include "executor/wave/Workgroup.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

namespace {
/// A piece of a format: text, and a conversion behind it, if there is one.
struct FormatPiece {
  std::string text;
  std::string conversion;
  unsigned bytes = 0; ///< of its argument
};
} // namespace

static std::vector<FormatPiece> splitFormat(StringRef format) {
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
    const size_t end = format.find_first_of("diouxXcsfFeEgGaAp");
    if (end == StringRef::npos) {
      piece.text += format;
      break;
    }
    piece.conversion = format.take_front(end + 1).str();
    format = format.drop_front(end + 1);
    const bool isWide =
        StringRef(piece.conversion).contains('l') ||
        StringRef("sfFeEgGaAp").contains(piece.conversion.back());
    piece.bytes = isWide ? 8 : 4;
  }
  return pieces;
}

static void printPiece(raw_ostream &out, const FormatPiece &piece,
                       uint64_t bits) {
  out << piece.text;
  if (piece.conversion.empty())
    return;
  const char *conversion = piece.conversion.c_str();
  if (StringRef("fFeEgGaA").contains(piece.conversion.back()))
    out << format(conversion, std::bit_cast<double>(bits));
  else if (piece.conversion.back() == 's')
    out << "(text)"; // which the kernel has computed
  else if (piece.bytes == 8)
    out << format(conversion, static_cast<unsigned long long>(bits));
  else
    out << format(conversion, static_cast<unsigned>(bits));
}

static void print(const Call &call) {
  StringRef text;
  if (!getConstantStringInfo(call.value(0), text)) {
    call.decoder.fail("the wave simulator prints by formats that are known");
    return;
  }
  const Column to = call.define()[0], arguments = call.scalar(1);
  call.decoder.emit([=, pieces = splitFormat(text)](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      uint64_t address = wave.value(arguments, lane);
      for (const FormatPiece &piece : pieces) {
        uint64_t bits = 0;
        if (piece.bytes) {
          address = alignTo(address, piece.bytes);
          if (const char *memory = wave.access(Generic, address, piece.bytes,
                                               lane, /*isStore=*/false))
            std::memcpy(&bits, memory, piece.bytes);
          address += piece.bytes;
        }
        if (wave.group.launch.print)
          printPiece(*wave.group.launch.print, piece, bits);
      }
      wave.value(to, lane) = 0;
    });
  });
}

static void failAssertion(const Call &call) {
  StringRef text;
  const bool isKnown = getConstantStringInfo(call.value(0), text);
  call.decoder.emit([message = "assertion failed: " +
                               (isKnown ? text.str() : "unknown")](Wave &wave) {
    wave.fail(message, static_cast<unsigned>(std::countr_zero(wave.active)));
  });
}

void addPrinting(Meanings &meanings) {
  meanings.add("vprintf", print);
  meanings.add("__assertfail", failAssertion);
}

} // namespace kernelscope::wave::nvidia
