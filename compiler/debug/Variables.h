// The variables of a program that stands still: which have a value at a row of the stack, and which
// registers contain it.
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

// Calls `visit` with the first part of each variable that has a value at a row of the stack: those
// of the thread's own frame, then those of the threads that started the partition. Ends when
// `visit` returns true.
void forEachVariable(const simulate::KernelCode& code, const simulate::State& state,
                     uint32_t thread, const Row& row,
                     llvm::function_ref<bool(const VariablePart& first)> visit);

// Finds a variable, or a part of one, which is named with its path ("pair[0]", "state.field").
std::optional<VariablePart> findVariable(const simulate::KernelCode& code,
                                         const simulate::State& state, uint32_t thread,
                                         const Row& row, const std::string& name);

Datum datumOf(const VariablePart& part, const simulate::State& state);
// The register that contains the part; nullopt for a constexpr.
std::optional<uint32_t> registerOf(const VariablePart& part);

} // namespace gluond::debug
