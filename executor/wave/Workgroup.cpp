//===- Workgroup.cpp - Waves that share LDS -------------------------------===//
//
// Turns of the waves, and what they start with.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"

using namespace llvm;

namespace kernelscope::wave {

Workgroup::Workgroup(const Launch &launch) : launch(launch) {
  for (unsigned i = 0; i < launch.waves; ++i)
    waves.emplace_back(launch.program, *this, i);
}

void Workgroup::passParameters(Wave &wave) {
  const DataLayout &data = launch.program.function->getDataLayout();
  for (auto [i, columns] : enumerate(launch.program.parameters)) {
    const std::vector<char> &bytes = launch.parameters[i];
    Type *type = launch.program.function->getArg(i)->getType();
    auto fields = cantFail(fieldsOf(type, data));
    for (auto [field, column] : zip_equal(fields, columns)) {
      uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + field.offset / 8,
                  std::min<size_t>((field.scalar.bits + 7) / 8,
                                   bytes.size() - field.offset / 8));
      std::fill_n(wave.column(column), wave.lanes,
                  bits & lowBits(field.scalar.bits));
    }
  }
}

std::optional<Failure> Workgroup::run(std::array<uint32_t, 3> newId) {
  id = newId;
  // What nothing has stored is NaN, so that a result shows it.
  lds.assign(launch.ldsBytes, char{-1});
  barrier = WaveBarrier();
  races.start(launch.findsRaces ? launch.ldsBytes : 0);
  arrivals.assign(waves.size(), std::nullopt);
  failure.reset();
  steps = 0;
  for (Wave &wave : waves) {
    wave.start();
    passParameters(wave);
  }
  uint64_t before = ~uint64_t{0};
  while (true) {
    bool ended = true;
    for (Wave &wave : waves) {
      if (wave.hasEnded())
        continue;
      wave.run();
      ended &= wave.hasEnded();
      if (failure)
        return failure;
    }
    if (ended)
      return std::nullopt;
    if (steps == before) {
      for (Wave &wave : waves)
        if (!wave.hasEnded()) {
          wave.fail("the wave waits for ever at a barrier at which others do "
                    "not arrive");
          return failure;
        }
    }
    before = steps;
  }
}

} // namespace kernelscope::wave
