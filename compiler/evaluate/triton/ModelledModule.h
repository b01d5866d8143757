// Modules of the modelled world, and the names that programs give them: code for several releases
// of Triton adds what one of them lacks (`if not hasattr(tma, "async_load"): tma.async_load =
// ...`).
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Every module without globals is one.
struct ModelledModule : language::ModuleObject {
  // The names that the program added, and those that it added to modules inside: `tma.async_load`.
  const Scope* additions = nullptr;
};

// Gives a module of Triton a name that it lacks. Returns false if the module has the name, or is
// not one of Triton's that may be changed.
bool addMember(Interpreter& in, const ModuleObject* module, Name name, Value value);
// What the program added to a module; Absent if nothing.
Value addedMember(const ModuleObject* module, Name name);
// The same for a module that another interpreter made again: found by way of the modules that
// `globals` hold.
Value addedMember(Interpreter& in, const Scope& globals, const ModuleObject* module, Name name);

} // namespace gluond::evaluate
