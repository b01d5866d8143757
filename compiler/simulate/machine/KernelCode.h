// A kernel made ready to run: for each function a list of instructions over numbered registers.
// Structured control flow has become jumps; a partition of a warp_specialize is a function of its
// own. Nothing of it changes while it runs, and any number of threads may run it.
#pragma once

#include "simulate/values/Value.h"

#include <mlir/IR/Operation.h>

#include <functional>
#include <string>
#include <vector>

namespace gluond::simulate {

class Execution;

// The result of executing an instruction.
enum class Step : uint8_t {
  Next,    // done
  Jump,    // done, and it set where the thread goes on
  Blocked, // not done: it waits, and will be tried again
  Failed,  // the program cannot go on; why is a finding
};
using Action = std::function<Step(Execution&)>;

enum class Role : uint8_t {
  Operation, // performs its op
  Move,      // copies each operand to the result of the same number, for control flow
  Statement, // marks the beginning of a statement or a function (gluon.statement)
  Variable,  // copies its operands to the registers of a variable (gluon.variable)
};

struct Instruction {
  Action action;
  mlir::Operation* op = nullptr; // that it was made of: for places and names only
  uint32_t firstOperand = 0, operands = 0, firstResult = 0, results = 0;
  Role role = Role::Operation;
};

// A variable of the user's in one call of its function, for debuggers. Its registers belong to the
// function that the call was inlined into.
struct Variable {
  std::string name;
  std::vector<mlir::Location> calls;         // the inlined calls, outermost first
  std::vector<mlir::Operation*> definitions; // gluon.variable
  uint32_t current = 0;        // register with the number of the last executed definition
  std::vector<uint32_t> parts; // registers with the IR values of that definition
};

struct Function {
  std::string name;
  mlir::Operation* op = nullptr;
  std::vector<Instruction> instructions;
  std::vector<uint32_t> registers; // operands and results of all instructions
  std::vector<uint32_t> arguments; // the registers that they are in
  uint32_t registerCount = 0;
  std::vector<Variable> variables; // empty unless the module marks them
};

// A buffer in shared or tensor memory.
struct Buffer {
  uint32_t base = 0, bytes = 0;
  mlir::Operation* op = nullptr; // that allocates it
};

struct KernelCode {
  std::vector<Function> functions; // the kernel first
  // The bytes of all buffers of a CTA, each of which has a place of its own.
  uint32_t sharedBytes = 0, tensorMemoryBytes = 0;
  unsigned warps = 4, threadsPerWarp = 32, ctas = 1;
  std::vector<Buffer> shared, tensors; // in the order of their places
  bool usesAtomics = false;            // programs see each other's results
  bool takesOverWork = false;          // of programs that have not begun
  bool hasPartitions = false;          // threads that run side by side
};

} // namespace gluond::simulate
