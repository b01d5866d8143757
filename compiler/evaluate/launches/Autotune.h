// @triton.autotune, @triton.heuristics and triton.Config.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// What the decorators return.
struct TunerObject : HostObject {
  Value inner;            // the jit function, or another tuner
  Value configs;          // autotune: a list of triton.Config objects
  Value rules;            // heuristics: a dict name -> function of the arguments
  Value prune;            // autotune: early_config_prune
  bool leavesOut = false; // autotune: something else chooses among the configs as well
};
extern const HostClass tunerClass;

Value autotune(Interpreter& in, const CallArguments& arguments);
Value heuristics(Interpreter& in, const CallArguments& arguments);
Value makeConfig(Interpreter& in, const CallArguments& arguments); // triton.Config(...)
// The parameters of triton.autotune and triton.Config.
llvm::ArrayRef<llvm::StringLiteral> autotuneParameters();
llvm::ArrayRef<llvm::StringLiteral> configParameters();

// Returns the jit function under autotuners and heuristics, or null if there is none.
const FunctionObject* kernelOf(Value kernel);

} // namespace gluond::evaluate
