//===- Print.cpp - What a kernel prints -----------------------------------===//
//
// CUDA C++ Programming Guide, "Formatted Output": a format, and where the
// arguments lie one after another, floats as doubles.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/Print.h"
#include "executor/wave/PrintFormat.h"
#include "executor/wave/Workgroup.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

static void print(const Call &call) {
  StringRef text;
  if (!getConstantStringInfo(call.value(0), text)) {
    call.decoder.fail("the wave simulator prints only with constant formats");
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
          piece.print(*wave.group.launch.print, bits);
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
