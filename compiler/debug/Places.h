// Maps instructions to places in the user's files, and to the calls that were inlined.
#pragma once

#include "simulate/machine/State.h"

#include <llvm/ADT/DenseMap.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gluond::debug {

// A place in a file. Lines and columns count from 1, as in MLIR's locations.
struct Place {
  std::string path;
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};
// Returns the innermost place that a location names, without its calls.
std::optional<Place> placeOf(mlir::Location location);

// A row of the stack: a call of one of the user's functions that has not returned. A call that the
// compiler inlined has a row of its own.
struct Row {
  size_t frame = 0;                  // the thread's frame that has its registers
  std::vector<mlir::Location> calls; // the inlined calls that lead to it, outermost first
  std::string function;
  std::optional<Place> place;
  const simulate::Instruction* at = nullptr;
  // A call of the thread that started the partition: its variables are in that thread.
  bool isOfParent = false;
};

// The places of all statements, and the names of the functions.
class Places {
public:
  explicit Places(const simulate::KernelCode& code);

  // Returns whether the instruction marks the beginning of a statement.
  bool isStatement(const simulate::Instruction& instruction) const {
    return instruction.role == simulate::Role::Statement && !isEntry(instruction);
  }

  // Returns the rows of a thread, innermost first. For a partition, the rows of the function that
  // started it come last. If `done` is given, it is the instruction that the innermost call is at.
  std::vector<Row> stackOf(const simulate::State& state, const simulate::Thread& thread,
                           const simulate::Instruction* done = nullptr) const;
  // Returns the number of calls that have not returned.
  size_t depthOf(const simulate::State& state, const simulate::Thread& thread) const;
  // Whether a partition has come to its first statement.
  bool hasBegun(const simulate::State& state, const simulate::Thread& thread) const;
  // Returns the instruction that a thread is at: the next one, the one that failed, or, at the end,
  // the last statement.
  const simulate::Instruction* at(const simulate::State& state,
                                  const simulate::Thread& thread) const;

  struct Statement {
    uint32_t function = 0, index = 0;
    Place place;
    std::string name; // the function that begins here; empty for a statement
  };
  const std::vector<Statement>& statements() const { return statements_; }

private:
  static bool isEntry(const simulate::Instruction& instruction);
  const std::string* nameOf(uint32_t function, llvm::ArrayRef<mlir::Location> calls) const;
  void addRows(size_t frame, uint32_t function, const simulate::Instruction& at,
               std::vector<Row>& rows) const;

  const simulate::KernelCode& code_;
  std::vector<Statement> statements_; // all marks, in the order of instructions
  // The names of the user's functions, keyed by the function that they are inlined into and the
  // calls that lead there.
  std::map<std::pair<uint32_t, std::vector<const void*>>, std::string> names_;
};

} // namespace gluond::debug
