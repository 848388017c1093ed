//===- InlineAsm.cpp - Inline assembly ------------------------------------===//
//
// Instructions without a side effect, each by its meaning. Which elements form
// a group is up to the compiler; here they follow each other in the tensor.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "executor/assembly/Arithmetic.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"
#include "executor/plan/Strided.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The value of one of the machine's registers in this program.
using ReadRegister = std::function<uint64_t(Frame &)>;

/// Null when it has no value here: what a thread is has no meaning to an
/// element of a tensor.
ReadRegister machineRegister(StringRef name) {
  // All programs run on one multiprocessor, one after another.
  if (name == "smid" || name == "clusterid.x")
    return [](Frame &) { return 0; };
  if (name == "cluster_ctarank" || name == "cluster_ctaid.x")
    return [](Frame &frame) { return frame.cta; };
  if (name == "cluster_nctarank" || name == "cluster_nctaid.x")
    return [](Frame &frame) {
      return frame.program.cluster ? frame.program.cluster->size() : 1;
    };
  if (name == "nsmid")
    return [](Frame &) { return 1; };
  // Time goes on from one look at the clock to the next.
  if (llvm::is_contained({"globaltimer", "clock", "clock64", "globaltimer_lo"},
                         name))
    return [](Frame &frame) { return ++frame.program.clock; };
  StringRef axis = name;
  const bool isId = axis.consume_front("ctaid."),
             isCount = !isId && axis.consume_front("nctaid.");
  const int dim = llvm::StringSwitch<int>(axis)
                      .Case("x", 0)
                      .Case("y", 1)
                      .Case("z", 2)
                      .Default(-1);
  if (dim < 0 || (!isId && !isCount))
    return {};
  return [=](Frame &frame) -> uint64_t {
    return isId ? frame.program.id.axis[dim] : frame.program.grid[dim];
  };
}

/// An instruction whose operands are places in the array of registers.
struct Planned {
  assembly::Compute compute;
  SmallVector<unsigned, 4> from, to;
  std::optional<unsigned> predicate;
  bool negated;

  void run(uint64_t *registers) const {
    if (predicate && (registers[*predicate] & 1) == negated)
      return;
    uint64_t in[8], out[8];
    for (auto [i, place] : llvm::enumerate(from))
      in[i] = registers[place];
    compute(in, out);
    for (auto [i, place] : llvm::enumerate(to))
      registers[place] = out[i];
  }
};

/// The instructions of an op. Constants have registers of their own.
struct Code {
  std::vector<Planned> instructions;
  std::vector<uint64_t> initial; ///< of all registers
  std::vector<std::pair<unsigned, ReadRegister>> machine;
};

std::optional<Code> planCode(Operation *op, StringRef text, unsigned operands) {
  std::optional<Vendor> vendor;
  if (auto target = ttg::lookupTarget(op))
    vendor = target->vendor;
  // Before a target is chosen the text says it: PTX ends each instruction.
  const bool isPtx =
      vendor ? *vendor == Vendor::Nvidia : text.contains(';') || text.empty();
  llvm::Expected<assembly::Program> program = assembly::parse(
      text, operands,
      isPtx ? assembly::Language::Ptx : assembly::Language::Amdgcn);
  if (!program) {
    op->emitError("the CPU executor cannot read the assembly: ")
        << llvm::toString(program.takeError());
    return std::nullopt;
  }
  Code code;
  code.initial.assign(program->registers, 0);
  for (const assembly::Instruction &instruction : program->instructions) {
    auto reject = [&](const Twine &why) {
      op->emitError("the CPU executor does not run the instruction '")
          << instruction.text << "'" << why;
      return std::nullopt;
    };
    std::optional<assembly::Meaning> meaning =
        isPtx ? assembly::meaningOfPtx(instruction)
              : assembly::meaningOfAmdgcn(instruction);
    if (!meaning)
      return reject("");
    Planned planned{
        meaning->compute, {}, {}, instruction.predicate, instruction.negated};
    SmallVector<const assembly::Operand *> parts;
    for (const assembly::Parts &operand : instruction.operands)
      for (const assembly::Operand &part : operand)
        parts.push_back(&part);
    if (meaning->results && parts.size() != meaning->results + meaning->sources)
      return reject(": it takes " + Twine(meaning->results + meaning->sources) +
                    " operands, not " + Twine(parts.size()));
    if (!meaning->results)
      parts.clear();
    for (auto [i, part] : llvm::enumerate(parts)) {
      const bool isResult = i < meaning->results;
      unsigned place = part->index;
      if (part->kind != assembly::Operand::Register) {
        place = code.initial.size();
        code.initial.push_back(part->integer);
        if (part->kind == assembly::Operand::Number)
          code.initial.back() = meaning->type.isFloat()
                                    ? encode(meaning->type, part->number)
                                    : uint64_t(part->number);
      }
      if (part->kind == assembly::Operand::Special && part->name != "_") {
        ReadRegister read = machineRegister(part->name);
        if (!read)
          return reject(": '" + part->name +
                        "' is neither declared nor the same for all elements");
        code.machine.emplace_back(place, std::move(read));
      } else if (isResult && part->kind != assembly::Operand::Register &&
                 part->name != "_") {
        return reject(": its result is not a register");
      }
      (isResult ? planned.to : planned.from).push_back(place);
    }
    code.instructions.push_back(std::move(planned));
  }
  return code;
}

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
    if (isa<ttg::MemDescType>(value.getType())) {
      op->emitError("the CPU executor has no assembly on addresses of ")
          << value.getType() << " yet";
      return std::nullopt;
    }
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

/// ttg.inline_asm: the text once for each thread.
Step planThreadAsm(Planner &planner, ttg::InlineAsmOp op) {
  size_t threads = 1;
  unsigned registers = 0;
  std::vector<Registers> results, sources;
  auto add = [&](ValueRange values, std::vector<Registers> &to) {
    for (Value value : values) {
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
  std::optional<Code> code = planCode(op, op.getAsmString(), registers);
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
      for (const Planned &instruction : code.instructions)
        instruction.run(values.data());
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
