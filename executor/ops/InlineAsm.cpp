//===- InlineAsm.cpp - Inline assembly ------------------------------------===//
//
// Instructions without a side effect, each by its meaning. Which elements form
// a group is up to the compiler; here they follow each other in the tensor.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/InlineCode.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"
#include "executor/plan/Registry.h"
#include "executor/plan/Strided.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// Elements of an operand or result, and how they lie in registers: several of
/// fewer than 32 bits share one.
struct Stream {
  Slot slot;
  size_t size;        ///< bytes of an element
  size_t count;       ///< elements; a scalar serves all groups
  size_t perRegister; ///< elements
  size_t registers;

  static Stream of(Planner &planner, Value value, size_t packed) {
    const Storage &storage = planner.storage(value);
    const size_t size = sizeOf(storage.element);
    const size_t shared = packed > 1 && size < 4 ? 4 / size : 1;
    return {planner.slot(value), size, storage.count, shared,
            llvm::divideCeil(packed, shared)};
  }
  /// Calls `fn(register, shift, bytes)` for each element of the group from
  /// `first` on.
  template <typename Fn>
  void forEach(Frame &frame, size_t first, size_t packed, Fn fn) const {
    char *elements = frame.at<char>(slot);
    for (size_t i = 0; i < packed; ++i)
      fn(i / perRegister, i % perRegister * size * 8,
         elements + std::min(first + i, count - 1) * size);
  }
};

/// A constraint that names an output's number shares its register.
SmallVector<std::optional<unsigned>> sharedRegisters(StringRef constraints) {
  SmallVector<StringRef> words;
  constraints.split(words, ',', -1, /*KeepEmpty=*/false);
  SmallVector<std::optional<unsigned>> result;
  for (StringRef word : words) {
    unsigned output;
    if (!word.starts_with("~"))
      result.push_back(word.trim().getAsInteger(10, output)
                           ? std::nullopt
                           : std::optional(output));
  }
  return result;
}

Step planInlineAsm(Planner &planner, tt::ElementwiseInlineAsmOp op) {
  const size_t packed = op.getPackedElement();
  size_t count = 1;
  unsigned registers = 0;
  std::vector<Stream> results, sources;
  auto add = [&](ValueRange values, std::vector<Stream> &to) {
    for (Value value : values) {
      to.push_back(Stream::of(planner, value, packed));
      count = std::max(count, to.back().count);
      registers += to.back().registers;
    }
  };
  add(op.getResults(), results);
  add(op.getArgs(), sources);
  auto shared = sharedRegisters(op.getConstraints());
  if (shared.size() != registers) {
    op.emitError("constraints name ")
        << shared.size() << " registers, but the results and operands take "
        << registers;
    return {};
  }
  std::optional<Code> code = planCode(op, op.getAsmString(), registers);
  if (!code)
    return {};
  return [=, code = std::move(*code)](Frame &frame) {
    std::vector<uint64_t> values;
    for (size_t first = 0; first < count; first += packed) {
      values = code.initial;
      for (const auto &[place, read] : code.machine)
        values[place] = read(frame);
      unsigned next = 0;
      for (const Stream &result : results)
        next += result.registers;
      for (const Stream &source : sources) {
        source.forEach(frame, first, packed,
                       [&](size_t at, size_t shift, const char *element) {
                         uint64_t bits = 0;
                         std::memcpy(&bits, element, source.size);
                         values[next + at] |= bits << shift;
                       });
        for (size_t i = 0; i < source.registers; ++i, ++next)
          if (shared[next] && *shared[next] < next)
            values[*shared[next]] = values[next];
      }
      for (const Planned &instruction : code.instructions)
        instruction.run(values.data());
      next = 0;
      for (const Stream &result : results) {
        result.forEach(frame, first, packed,
                       [&](size_t at, size_t shift, char *element) {
                         const uint64_t bits = values[next + at] >> shift;
                         std::memcpy(element, &bits, result.size);
                       });
        next += result.registers;
      }
    }
    return true;
  };
}

/// The elements of a tensor that each thread holds, in the order of its
/// registers; all threads hold a scalar.
struct Registers {
  Slot slot;
  size_t size;                               ///< bytes of an element
  std::vector<std::vector<size_t>> elements; ///< of each thread

  /// None, after an error on `op`, for memory and a tensor without a layout.
  static std::optional<Registers> of(Planner &planner, Operation *op,
                                     Value value) {
    const Storage &storage = planner.storage(value);
    Registers made{planner.slot(value), sizeOf(storage.element), {{0}}};
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return made;
    std::string error = "it has none";
    std::optional<LinearLayout> layout;
    if (type.getEncoding())
      layout = ttg::toLinearLayout(type.getShape(), type.getEncoding(), error);
    if (!layout || !(isInt(storage.element) || isFloat(storage.element))) {
      op->emitError("the CPU executor needs the layout of ")
          << type << ": " << error;
      return std::nullopt;
    }
    ttg::LayoutDims dims(type.getContext());
    const auto strides = rowMajor(storage.shape);
    made.elements.clear();
    for (int32_t block = 0; block < layout->getInDimSize(dims.block); ++block)
      for (int32_t warp = 0; warp < layout->getInDimSize(dims.warp); ++warp)
        for (int32_t lane = 0; lane < layout->getInDimSize(dims.lane); ++lane) {
          auto &held = made.elements.emplace_back();
          for (int32_t reg = 0; reg < layout->getInDimSize(dims.reg); ++reg) {
            size_t index = 0;
            for (auto [at, stride] :
                 llvm::zip_equal(layout->apply({{dims.reg, reg},
                                                {dims.lane, lane},
                                                {dims.warp, warp},
                                                {dims.block, block}}),
                                 strides))
              index += at.second * stride;
            held.push_back(index);
          }
        }
    return made;
  }
  size_t perThread() const { return elements.front().size(); }
  /// Calls `fn(element)` for each register of `thread`.
  template <typename Fn>
  void forEach(Frame &frame, size_t thread, Fn fn) const {
    for (size_t index : elements[thread % elements.size()])
      fn(frame.at<char>(slot) + index * size);
  }
};

/// The buffers whose addresses an op gives to its instructions. Addresses have
/// 32 bits, and each buffer a part of them to itself.
struct SharedAddresses {
  Operation *op;
  std::vector<std::function<AddressedBytes(Frame &)>> buffers;

  static constexpr unsigned bits = 24;
  static uint32_t of(size_t buffer) { return (buffer + 1) << bits; }

  /// Loads or stores the registers of an instruction. False after a fault.
  bool access(Frame &frame, const Planned &instruction,
              uint64_t *values) const {
    const SharedAccess &memory = *instruction.memory;
    const size_t size = llvm::divideCeil(memory.type.width(), 8);
    ArrayRef<unsigned> places = instruction.to;
    if (memory.isStore)
      places = ArrayRef(instruction.from).drop_front();
    const auto address =
        static_cast<uint32_t>(values[instruction.from.front()] + memory.offset);
    const size_t buffer = (address >> bits) - 1,
                 offset = address & ((1u << bits) - 1);
    const AddressedBytes bytes = buffer < buffers.size()
                                     ? buffers[buffer](frame)
                                     : AddressedBytes{nullptr, 0};
    if (offset + size * places.size() > bytes.size)
      return frame.fault(op, frame.programName() +
                                 ": an instruction accesses " +
                                 Twine(size * places.size()) +
                                 " bytes that are in none of the operands' "
                                 "buffers");
    char *at = bytes.image + offset;
    for (unsigned place : places) {
      if (!memory.isStore)
        values[place] = 0;
      for (size_t byte = 0; byte < size; ++byte) {
        char *kept = frame.program.images.resolve(at++);
        if (!kept)
          continue; // padding
        if (frame.watch) {
          const sanitize::Piece piece{0, 1};
          frame.watch->access(op, {{kept, piece}, memory.isStore});
        }
        auto *part = reinterpret_cast<char *>(&values[place]) + byte;
        memory.isStore ? *kept = *part : *part = *kept;
      }
      if (!memory.isStore && memory.type.kind == assembly::Type::Signed)
        values[place] = assembly::signExtend(values[place], size * 8);
    }
    return true;
  }
};

/// ttg.inline_asm: the text once for each thread.
Step planThreadAsm(Planner &planner, ttg::InlineAsmOp op) {
  size_t threads = 1;
  unsigned registers = 0;
  std::vector<Registers> results, sources;
  SharedAddresses addresses{op, {}};
  auto add = [&](ValueRange values, std::vector<Registers> &to) {
    for (Value value : values) {
      if (isa<ttg::MemDescType>(value.getType())) {
        // A register of every thread, which does not change.
        const Slot address = planner.scratch(sizeof(uint32_t));
        const uint32_t bits = SharedAddresses::of(addresses.buffers.size());
        std::vector<char> constant(sizeof(bits));
        std::memcpy(constant.data(), &bits, sizeof(bits));
        planner.setConstant(address, std::move(constant));
        addresses.buffers.push_back(planBytes(planner, op, value));
        if (!addresses.buffers.back())
          return false;
        auto type = cast<ttg::MemDescType>(value.getType());
        if (ShapedType::getNumElements(type.getAllocShape()) *
                int64_t(elementBytes(value)) >
            int64_t{1} << SharedAddresses::bits) {
          op.emitError("the CPU executor gives assembly addresses of at most ")
              << (1 << SharedAddresses::bits) << " bytes";
          return false;
        }
        to.push_back({address, sizeof(bits), {{0}}});
        ++registers;
        continue;
      }
      auto made = Registers::of(planner, op, value);
      if (!made)
        return false;
      threads = std::max(threads, made->elements.size());
      registers += made->perThread();
      to.push_back(std::move(*made));
    }
    return true;
  };
  if (!add(op.getResult(), results) || !add(op.getArgs(), sources))
    return {};
  auto shared = sharedRegisters(op.getConstraints());
  if (shared.size() != registers) {
    op.emitError("constraints name ")
        << shared.size() << " registers, but each thread holds " << registers
        << " elements of the results and operands";
    return {};
  }
  std::optional<Code> code =
      planCode(op, op.getAsmString(), registers, !addresses.buffers.empty());
  if (!code)
    return {};
  return [=, code = std::move(*code)](Frame &frame) {
    std::vector<uint64_t> values;
    for (size_t thread = 0; thread < threads; ++thread) {
      values = code.initial;
      for (const auto &[place, read] : code.machine)
        values[place] = read(frame);
      unsigned next = 0;
      for (const Registers &result : results)
        next += result.perThread();
      for (const Registers &source : sources)
        source.forEach(frame, thread, [&](const char *element) {
          std::memcpy(&values[next], element, source.size);
          if (shared[next] && *shared[next] < next)
            values[*shared[next]] = values[next];
          ++next;
        });
      for (const Planned &instruction : code.instructions) {
        if (!instruction.memory)
          instruction.run(values.data());
        else if (!instruction.isOff(values.data()) &&
                 !addresses.access(frame, instruction, values.data()))
          return false;
      }
      next = 0;
      for (const Registers &result : results)
        result.forEach(frame, thread, [&](char *element) {
          std::memcpy(element, &values[next++], result.size);
        });
    }
    return true;
  };
}

} // namespace

void registerInlineAsm(Registry &r) {
  r.add<ttg::InlineAsmOp>(planThreadAsm);
  r.add<tt::ElementwiseInlineAsmOp>(planInlineAsm);
}

} // namespace kernelscope::executor
