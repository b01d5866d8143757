// From instructions to places in the user's files, and to the calls that are inlined there.
#pragma once

#include "simulate/machine/State.h"

#include <llvm/ADT/DenseMap.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gluond::debug {

// Lines and columns count from 1, as in MLIR's locations.
struct Place {
  std::string path;
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};
// The innermost place that a location names, calls left out.
std::optional<Place> placeOf(mlir::Location location);

// A call of one of the user's functions that has not returned: a row of the stack. Calls that the
// compiler inlined are rows of their own.
struct Row {
  size_t frame = 0;                  // of the thread: where its registers are
  std::vector<mlir::Location> calls; // inlined into that frame, up to this one
  std::string function;
  std::optional<Place> place;
  const simulate::Instruction* at = nullptr;
};

// Where statements are, and what the functions are called.
class Places {
public:
  explicit Places(const simulate::Program& program);

  // A mark that a debugger stops at.
  bool isStatement(const simulate::Instruction& instruction) const {
    return instruction.role == simulate::Role::Statement && !isEntry(instruction);
  }

  // Of a thread, innermost first. What a partition was started by comes behind its own rows.
  // `done`: an instruction of the innermost call that is shown in the place of the one it is at.
  std::vector<Row> stackOf(const simulate::State& state, const simulate::Thread& thread,
                           const simulate::Instruction* done = nullptr) const;
  // How many calls have not returned.
  size_t depthOf(const simulate::State& state, const simulate::Thread& thread) const;
  // The instruction that a thread is at: the next one, the one that failed, or the last statement.
  const simulate::Instruction* at(const simulate::State& state,
                                  const simulate::Thread& thread) const;

  struct Statement {
    uint32_t function = 0, index = 0;
    Place place;
    std::string name; // of a function that begins here
  };
  const std::vector<Statement>& statements() const { return statements_; }

private:
  static bool isEntry(const simulate::Instruction& instruction);
  const std::string* nameOf(uint32_t function, llvm::ArrayRef<mlir::Location> calls) const;
  void addRows(size_t frame, uint32_t function, const simulate::Instruction& at,
               std::vector<Row>& rows) const;

  const simulate::Program& program_;
  std::vector<Statement> statements_; // all marks, in order
  // Names of the user's functions, by the function that they are inlined into and the calls.
  std::map<std::pair<uint32_t, std::vector<const void*>>, std::string> names_;
};

} // namespace gluond::debug
