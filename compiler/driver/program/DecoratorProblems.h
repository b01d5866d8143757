// Finds kernels with a wrong decorator: those that are written in Gluon and decorated with
// @triton.jit, as one that was copied from a Triton program is, and those whose decorator is
// unknown.
#pragma once

#include "driver/program/EvaluatedFile.h"

namespace gluond::driver {

// Reports, for each kernel of the program's own file that the program launches, the first call of
// an operation that @triton.jit functions do not have. A function that is not launched is not
// reported: a Gluon kernel may call it.
void tellDecoratorProblems(const EvaluatedFile& program, Interner& names,
                           std::vector<diagnostics::Diagnostic>& out);

// A function that is no kernel for gluond, because a decorator or its class is unknown.
struct LostKernel {
  const syntax::FunctionDef* def;
  const syntax::NameExpr* root; // of its decorator: gluon of gluon.jit
  std::string qualname;         // A.m
  std::string unknown;          // "the decorator 'gluon.jit'", "the class 'A'"
};
// Returns the functions of the program's own file that are decorated with an unknown @gluon.jit, or
// that execute Gluon's operations and have an unknown decorator of any name, and the jit functions
// in the bodies of classes that could not be made, because their body raises.
std::vector<LostKernel> lostKernelsOf(const EvaluatedFile& program, const Interner& names);

} // namespace gluond::driver
