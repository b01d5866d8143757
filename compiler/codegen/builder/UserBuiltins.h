// Functions of the program that Triton takes for builtins: they are decorated with @builtin, or
// their attribute __triton_builtin__ is set. Those that ask for it get Triton's code generator as
// `_semantic` (or `_generator`) and pass it to the builtins they call. They run like constexpr
// functions, with values of the IR as arguments.
//
// Only some of the code generator's own methods are modelled; uses of others are reported as
// unsupported.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::codegen {

// Whether a Python function takes _semantic or is marked as a builtin.
bool isOwnBuiltin(const language::FunctionObject& function, const Interner& names);
// Whether a class, or one that it derives from, is marked as a builtin or an aggregate.
bool isMarkedBuiltin(const language::ClassObject& cls, const Interner& names);

// The keywords of a call of such a function, with the object it gets for _semantic and _generator.
void addSemantic(llvm::SmallVectorImpl<std::pair<Name, language::Value>>& keywords,
                 const language::FunctionObject& function, evaluate::Interpreter& interpreter);

// What such a call gets for _semantic.
language::Value semanticFor(evaluate::Interpreter& interpreter);

// The keywords of a call without _semantic and _generator: no builtin of ours has them.
void dropSemantic(llvm::SmallVectorImpl<std::pair<Name, language::Value>>& keywords,
                  const Interner& names);

} // namespace gluond::codegen
