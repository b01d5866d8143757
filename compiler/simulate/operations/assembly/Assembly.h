// Inline assembly made ready to run: instructions over numbered slots, each of which holds what a
// register does, in the lower bits.
//
// `$0`, `$1` and so on are the slots of the operands, outputs first; registers that the text
// declares come after them. Each instruction set has a table of the instructions that people write
// (Dialects.h); a text with any other is refused with its name.
#pragma once

#include "simulate/machine/Machine.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::simulate::assembly {

struct Operand {
  enum class Kind : uint8_t { Slot, Immediate, Vector, Address, Label } kind = Kind::Slot;
  unsigned slot = 0;      // of a register, or of what an address is made of
  uint64_t immediate = 0; // an offset, of an address
  bool isReal = false;    // an immediate written with a point
  bool isNegated = false; // -x, or !p
  bool isAbsolute = false;
  bool isConstantAddress = false;
  std::vector<Operand> parts; // of a vector
};

// One run: by one thread.
struct Thread {
  Execution& x;
  std::vector<uint64_t> slots;
  unsigned lane = 0, warp = 0;
  bool hasFailed = false; // why is noted

  uint64_t read(const Operand& operand) const {
    return operand.kind == Operand::Kind::Immediate ? operand.immediate : slots[operand.slot];
  }
};

struct Instruction {
  std::string name;
  std::vector<Operand> operands;
  std::optional<Operand> predicate;
  size_t target = 0;                // where a branch leads
  std::function<void(Thread&)> run; // null for a branch
};

struct Code {
  std::vector<Instruction> instructions;
  llvm::StringMap<unsigned> names; // of registers after the operands
  unsigned slots = 0;

  void run(Thread& thread) const;
};

// Gives an instruction its meaning; false: it is not known.
using Resolve = bool (*)(Instruction& instruction);
struct Dialect {
  Resolve resolve;
  bool linesEndStatements = false;
  // Reads a register that exists without a declaration, such as "%laneid". Null if the instruction
  // set has no such registers and no labels.
  std::optional<uint64_t> (*special)(llvm::StringRef name, const Thread& thread) = nullptr;
};

// The error names what is not known. `operands` slots are taken.
tl::expected<Code, std::string> parse(llvm::StringRef text, unsigned operands,
                                      const Dialect& dialect);

} // namespace gluond::simulate::assembly
