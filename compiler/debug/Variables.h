// The variables of a program that stands still: which have a value at a row of the stack, and which
// registers contain it; and the parts of tuples and aggregates.
#pragma once

#include "debug/Values.h"
#include "ir/gluon/Dialect.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::debug {

// A part of a variable; a variable without parts is one.
struct VariablePart {
  const simulate::Variable* variable = nullptr;
  gluon::VariableOp definition; // whose value the variable has
  uint32_t thread = 0;
  size_t frame = 0;
  size_t part = 0;
};

// Calls `visit` with the first part of each variable that has a value at a row of the stack. Those
// of a call that started the partition are in the frames of the thread that executes it. Ends when
// `visit` returns true.
void forEachVariable(const simulate::KernelCode& code, const simulate::State& state,
                     uint32_t thread, const Row& row,
                     llvm::function_ref<bool(const VariablePart& first)> visit);

// Finds a variable, or a part of one, which is named with its path ("pair[0]", "state.field").
std::optional<VariablePart> findVariable(const simulate::KernelCode& code,
                                         const simulate::State& state, uint32_t thread,
                                         const Row& row, const std::string& name);

// Finds a variable by its name alone. Returns its first part.
std::optional<VariablePart> findWhole(const simulate::KernelCode& code,
                                      const simulate::State& state, uint32_t thread, const Row& row,
                                      llvm::StringRef name);

Datum datumOf(const VariablePart& part, const simulate::State& state);
// The value of the whole variable that begins with this part.
Datum wholeOf(const VariablePart& first, const simulate::State& state);
// The register that contains the part; nullopt for a constexpr.
std::optional<uint32_t> registerOf(const VariablePart& part);

// ---------------------------------------------------------------- parts of values

// The parts that are neither tuples nor aggregates, with their paths from the whole: ".top",
// "[0].low". A value has no part with the path "".
struct Parts {
  std::vector<std::pair<std::string, Datum>> leaves;
};

// Returns the part at a path, which is one of the leaves or contains some of them. Nullopt if there
// is none.
std::optional<Datum> partOf(const Datum& whole, llvm::StringRef path);
// Returns the first steps of the paths, in order: ".acc", ".top"; "[0]", "[1]".
std::vector<std::string> stepsOf(const Datum& whole);

} // namespace gluond::debug
