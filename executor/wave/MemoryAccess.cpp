//===- MemoryAccess.cpp - Loads, stores, atomics and addresses ------------===//
//
// By addresses of each lane's own. Accesses through buffer resources are in
// BufferAccess.cpp.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/MemoryAccess.h"
#include "executor/wave/Intrinsics.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave {

MemoryShape MemoryShape::of(Decoder &decoder, Type *type) {
  MemoryShape shape{decoder.fields(type)};
  if (decoder.hasFailed() || shape.fields.empty())
    return shape;
  shape.bytes = decoder.data.getTypeStoreSize(type).getFixedValue();
  // One that begins within a byte is loaded with what is before it.
  if (any_of(shape.fields, [](const Field &field) {
        return field.offset % 8 + field.scalar.bits > 64;
      }))
    decoder.fail("the wave simulator does not access memory by this type");
  return shape;
}

void MemoryShape::load(Wave &wave, const Columns &columns, unsigned lane,
                       const char *from) const {
  for (auto [field, column] : zip_equal(fields, columns)) {
    uint64_t bits = 0;
    const unsigned shift = field.offset % 8;
    std::memcpy(&bits, from + field.offset / 8,
                (field.scalar.bits + shift + 7) / 8);
    wave.value(column, lane) = (bits >> shift) & lowBits(field.scalar.bits);
  }
}

void MemoryShape::store(Wave &wave, const Columns &columns, unsigned lane,
                        char *to) const {
  for (auto [field, column] : zip_equal(fields, columns)) {
    const unsigned shift = field.offset % 8;
    const size_t size = (field.scalar.bits + shift + 7) / 8;
    uint64_t bits = wave.value(column, lane) << shift;
    // Neighbours in a vector may share a byte.
    if (shift != 0) {
      uint64_t before = 0;
      std::memcpy(&before, to + field.offset / 8, size);
      bits |= before & lowBits(shift);
    }
    std::memcpy(to + field.offset / 8, &bits, size);
  }
}

Combination combination(Decoder &decoder, AtomicRMWInst::BinOp operation,
                        Scalar scalar) {
  using Fn = std::function<uint64_t(uint64_t, uint64_t)>;
  using Op = AtomicRMWInst::BinOp;
  const unsigned bits = scalar.bits;
  const uint64_t mask = lowBits(bits);
  auto ofFloats = [&](auto fn) -> Fn {
    if (!isFloat(scalar.kind)) {
      decoder.fail("this atomic operation must be of floats");
      return nullptr;
    }
    return withCodec(scalar.kind, [&]<typename Codec>() -> Fn {
      return [fn](uint64_t x, uint64_t y) {
        return Codec::store(fn(Codec::load(x), Codec::load(y)));
      };
    });
  };
  switch (operation) {
  case Op::Xchg:
    return [](uint64_t, uint64_t y) { return y; };
  case Op::Add:
    return [=](uint64_t x, uint64_t y) { return (x + y) & mask; };
  case Op::Sub:
    return [=](uint64_t x, uint64_t y) { return (x - y) & mask; };
  case Op::And:
    return [](uint64_t x, uint64_t y) { return x & y; };
  case Op::Or:
    return [](uint64_t x, uint64_t y) { return x | y; };
  case Op::Xor:
    return [](uint64_t x, uint64_t y) { return x ^ y; };
  case Op::Max:
    return [=](uint64_t x, uint64_t y) {
      return signExtend(x, bits) > signExtend(y, bits) ? x : y;
    };
  case Op::Min:
    return [=](uint64_t x, uint64_t y) {
      return signExtend(x, bits) < signExtend(y, bits) ? x : y;
    };
  case Op::UMax:
    return [](uint64_t x, uint64_t y) { return std::max(x, y); };
  case Op::UMin:
    return [](uint64_t x, uint64_t y) { return std::min(x, y); };
  case Op::FAdd:
    return ofFloats([](auto x, auto y) { return x + y; });
  case Op::FSub:
    return ofFloats([](auto x, auto y) { return x - y; });
  case Op::FMax:
    return ofFloats([](auto x, auto y) { return std::fmax(x, y); });
  case Op::FMin:
    return ofFloats([](auto x, auto y) { return std::fmin(x, y); });
  default:
    decoder.fail("the wave simulator does not run this atomic operation");
    return nullptr;
  }
}

void exchange(Wave &wave, unsigned lane, const MemoryShape &shape, char *place,
              const Combination &combine, const Columns &operands,
              const Columns &results, const Columns &combined) {
  shape.load(wave, results, lane, place);
  for (auto [to, old, operand] : zip_equal(combined, results, operands))
    wave.value(to, lane) =
        combine(wave.value(old, lane), wave.value(operand, lane));
  shape.store(wave, combined, lane, place);
}

/// Counts an access of global memory, unless all lanes have one address: that
/// of a load may become one of scalars.
static void countVectorAccess(Wave &wave, unsigned space, Column address) {
  if (space != Global && space != Generic)
    return;
  const uint64_t first = wave.uniform(address);
  bool differs = false;
  wave.forLanes(
      [&](unsigned lane) { differs |= wave.value(address, lane) != first; });
  if (differs)
    wave.transfers.count(Transfers::Vector);
}

static void decodeLoad(Decoder &decoder, const Instruction &load,
                       const Value *pointer) {
  const Column address = decoder.scalar(pointer);
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const MemoryShape shape = MemoryShape::of(decoder, load.getType());
  const Columns results = decoder.define(&load);
  const bool looks = load.isAtomic() || load.isVolatile();
  decoder.emit([=](Wave &wave) {
    countVectorAccess(wave, space, address);
    Look look(space);
    wave.forLanes([&](unsigned lane) {
      const char *from = wave.access(space, wave.value(address, lane),
                                     shape.bytes, lane, /*isStore=*/false);
      if (!from)
        return;
      shape.load(wave, results, lane, from);
      if (looks)
        for (Column to : results)
          look.add(wave.value(to, lane), wave.value(to, lane));
    });
    if (looks)
      look.end(wave);
  });
}

static void decodeStore(Decoder &decoder, const StoreInst &store) {
  const Column address = decoder.scalar(store.getPointerOperand());
  const unsigned space = store.getPointerAddressSpace();
  const Value *value = store.getValueOperand();
  const MemoryShape shape = MemoryShape::of(decoder, value->getType());
  const Columns values = decoder.operand(value);
  decoder.emit([=](Wave &wave) {
    countVectorAccess(wave, space, address);
    wave.forLanes([&](unsigned lane) {
      if (char *to = wave.access(space, wave.value(address, lane), shape.bytes,
                                 lane, /*isStore=*/true))
        shape.store(wave, values, lane, to);
    });
  });
}

static void decodeReadModifyWrite(Decoder &decoder,
                                  const AtomicRMWInst &atomic) {
  const Column address = decoder.scalar(atomic.getPointerOperand());
  const unsigned space = atomic.getPointerAddressSpace();
  const MemoryShape shape = MemoryShape::of(decoder, atomic.getType());
  const Columns operands = decoder.operand(atomic.getValOperand());
  const Columns results = decoder.define(&atomic);
  const auto combine = combination(decoder, atomic.getOperation(),
                                   decoder.scalarOf(atomic.getValOperand()));
  const Columns combined = decoder.newColumns(results.size());
  decoder.emit([=](Wave &wave) {
    Look look(space);
    wave.forLanes([&](unsigned lane) {
      char *place = wave.accessAtomically(space, wave.value(address, lane),
                                          shape.bytes, lane);
      if (!place)
        return;
      exchange(wave, lane, shape, place, combine, operands, results, combined);
      for (auto [before, after] : zip_equal(results, combined))
        look.add(wave.value(before, lane), wave.value(after, lane));
    });
    look.end(wave);
  });
}

static void decodeCompareExchange(Decoder &decoder,
                                  const AtomicCmpXchgInst &atomic) {
  const Column address = decoder.scalar(atomic.getPointerOperand());
  const unsigned space = atomic.getPointerAddressSpace();
  const MemoryShape shape =
      MemoryShape::of(decoder, atomic.getCompareOperand()->getType());
  if (shape.fields.size() > 1)
    return decoder.fail("the wave simulator compares and exchanges at most 64 "
                        "bits");
  const Column expected = decoder.scalar(atomic.getCompareOperand());
  const Columns wanted = decoder.operand(atomic.getNewValOperand());
  const Columns results = decoder.define(&atomic); // what was there, success
  decoder.emit([=](Wave &wave) {
    Look look(space);
    wave.forLanes([&](unsigned lane) {
      char *place = wave.accessAtomically(space, wave.value(address, lane),
                                          shape.bytes, lane);
      if (!place)
        return;
      shape.load(wave, {results[0]}, lane, place);
      const bool same =
          wave.value(results[0], lane) == wave.value(expected, lane);
      if (same)
        shape.store(wave, wanted, lane, place);
      wave.value(results[1], lane) = same;
      const uint64_t before = wave.value(results[0], lane);
      look.add(before, same ? wave.value(wanted[0], lane) : before);
    });
    look.end(wave);
  });
}

static void decodeAddress(Decoder &decoder, const GetElementPtrInst &address) {
  const Scalar pointer = decoder.scalarOf(address.getPointerOperand());
  const Columns bases = decoder.operand(address.getPointerOperand());
  const Columns results = decoder.define(&address);
  struct Term {
    Columns index;
    unsigned bits;
    uint64_t stride;
  };
  SmallVector<Term, 2> terms;
  uint64_t fixed = 0;
  for (auto step = gep_type_begin(address); step != gep_type_end(address);
       ++step) {
    const Value *index = step.getOperand();
    if (StructType *record = step.getStructTypeOrNull()) {
      fixed += decoder.data.getStructLayout(record)
                   ->getElementOffset(static_cast<unsigned>(
                       cast<ConstantInt>(index)->getZExtValue()))
                   .getFixedValue();
      continue;
    }
    if (index->getType()->getScalarSizeInBits() > 64)
      return decoder.fail("the wave simulator has indices of at most 64 bits");
    const uint64_t stride =
        step.getSequentialElementStride(decoder.data).getFixedValue();
    if (auto *number = dyn_cast<ConstantInt>(index))
      fixed += stride * static_cast<uint64_t>(number->getSExtValue());
    else
      terms.push_back(
          {decoder.operand(index), decoder.scalarOf(index).bits, stride});
  }
  const uint64_t mask = lowBits(pointer.bits);
  for (auto [i, to] : enumerate(results)) {
    const Column base = bases[bases.size() == 1 ? 0 : i];
    decoder.unary(to, base,
                  [=](uint64_t from) { return (from + fixed) & mask; });
    for (const Term &term : terms)
      decoder.binary(to, to, term.index[term.index.size() == 1 ? 0 : i],
                     [mask, bits = term.bits,
                      stride = term.stride](uint64_t sum, uint64_t index) {
                       return (sum + stride * static_cast<uint64_t>(
                                                  signExtend(index, bits))) &
                              mask;
                     });
  }
}

static void decodeVariable(Decoder &decoder, const AllocaInst &variable) {
  const std::optional<TypeSize> size = variable.getAllocationSize(decoder.data);
  // No chip has more for a lane.
  constexpr uint64_t most = uint64_t{1} << 19;
  if (!size || size->isScalable() || size->getFixedValue() > most) {
    decoder.fail("the wave simulator allocates a constant number of at most " +
                 Twine(most) + " bytes");
    return;
  }
  uint64_t &top = decoder.program.privateBytes;
  top = alignTo(top, variable.getAlign());
  const bool isGeneric = variable.getAddressSpace() == Generic;
  decoder.define(&variable,
                 {decoder.constant(top | (isGeneric ? privateAperture : 0))});
  top += size->getFixedValue();
}

/// Each element of a vector is accessed where its bit of the mask is set.
static void maskedAccess(const Call &call) {
  const bool isStore = call.call.getType()->isVoidTy();
  const unsigned first = isStore ? 1 : 0;
  // Older releases have the alignment after the address.
  const unsigned mask =
      call.value(first + 1)->getType()->isVectorTy() ? first + 1 : first + 2;
  const Column address = call.scalar(first);
  const unsigned space = call.value(first)->getType()->getPointerAddressSpace();
  const Columns wanted = call.operand(mask);
  const Value *value = isStore ? call.value(0) : &call.call;
  const MemoryShape shape = MemoryShape::of(call.decoder, value->getType());
  const Columns columns = isStore ? call.operand(0) : call.define();
  const Columns others = isStore ? columns : call.operand(mask + 1);
  call.decoder.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      for (auto [i, field] : enumerate(shape.fields)) {
        const unsigned bytes = (field.scalar.bits + 7) / 8;
        uint64_t &element = wave.value(columns[i], lane);
        if (!(wave.value(wanted[i], lane) & 1)) {
          element = wave.value(others[i], lane);
          continue;
        }
        char *memory =
            wave.access(space, wave.value(address, lane) + field.offset / 8,
                        bytes, lane, isStore);
        if (!memory)
          return;
        if (!isStore)
          element = 0;
        std::memcpy(isStore ? static_cast<void *>(memory) : &element,
                    isStore ? static_cast<void *>(&element) : memory, bytes);
      }
    });
  });
}

void addMaskedAccesses(Meanings &meanings) {
  meanings.add("llvm.masked.load", maskedAccess);
  meanings.add("llvm.masked.store", maskedAccess);
  // For several workgroups at once: each gets the same as by a load.
  for (StringRef bits : {"32", "64", "128"})
    meanings.add("llvm.amdgcn.cluster.load.b" + bits, [](const Call &call) {
      decodeLoad(call.decoder, call.call, call.value(0));
    });
}

bool decodeMemoryAccess(Decoder &decoder, const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    decodeLoad(decoder, *load, load->getPointerOperand());
  else if (auto *store = dyn_cast<StoreInst>(&instruction))
    decodeStore(decoder, *store);
  else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    decodeReadModifyWrite(decoder, *atomic);
  else if (auto *atomic = dyn_cast<AtomicCmpXchgInst>(&instruction))
    decodeCompareExchange(decoder, *atomic);
  else if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    decodeAddress(decoder, *address);
  else if (auto *variable = dyn_cast<AllocaInst>(&instruction))
    decodeVariable(decoder, *variable);
  else
    // Waves run one at a time, and see what others have stored.
    return isa<FenceInst>(instruction);
  return true;
}

} // namespace kernelscope::wave
