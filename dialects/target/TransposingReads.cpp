//===- TransposingReads.cpp - Reads of LDS that transpose -----------------===//
//
// AMD's CDNA 4 ISA document, "LDS transpose loads". The order of lanes of 8
// and 4 bits on gfx1250 is that with which Triton's kernels come out right.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/TransposingReads.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;

static constexpr TransposingRead transposingReads[] = {
    {"llvm.amdgcn.ds.read.tr16.b64", "ds_read_b64_tr_b16", Family::CDNA4, 16, 2,
     "l2 l3 e0 e1"},
    {"llvm.amdgcn.ds.read.tr8.b64", "ds_read_b64_tr_b8", Family::CDNA4, 8, 3,
     "l3 e0 e1 e2"},
    {"llvm.amdgcn.ds.read.tr4.b64", "ds_read_b64_tr_b4", Family::CDNA4, 4, 4,
     "e0 e1 e2 e3"},
    {"llvm.amdgcn.ds.load.tr16.b128", "ds_load_tr16_b128", Family::GFX1250, 16,
     3, "e0 e1 e2"},
    {"llvm.amdgcn.ds.load.tr8.b64", "ds_load_tr8_b64", Family::GFX1250, 8, 3,
     "e0 e1 l3 e2"},
    {"llvm.amdgcn.ds.load.tr4.b64", "ds_load_tr4_b64", Family::GFX1250, 4, 4,
     "e0 e1 e2 l4 e3"},
};

llvm::SmallVector<TransposedBit> TransposingRead::pieceBits() const {
  llvm::SmallVector<TransposedBit> bits;
  for (llvm::StringRef bit : llvm::split(pieces, ' '))
    bits.push_back(
        {bit.front() == 'e', static_cast<unsigned>(bit.back() - '0')});
  return bits;
}

const TransposingRead *kernelscope::findTransposingRead(const Target &target,
                                                        unsigned elementBits) {
  for (const TransposingRead &read : transposingReads)
    if (read.family == target.family && read.elementBits == elementBits)
      return &read;
  return nullptr;
}
