// Rows of standard library modules that are implemented in files of their own.
#pragma once

#include "evaluate/interpreter/NativeTables.h"

namespace gluond::evaluate {

llvm::ArrayRef<NativeRow> mathFunctions();
Value mathMember(Interpreter& in, llvm::StringRef name);
llvm::ArrayRef<NativeRow> functoolsFunctions();
llvm::ArrayRef<NativeRow> itertoolsFunctions();
llvm::ArrayRef<NativeRow> chainFunctions(); // itertools.chain.from_iterable
llvm::ArrayRef<NativeRow> operatorFunctions();
// Whether the native is a function or bound method in Python too; many natives implement classes
// (itertools.product). Returns false if not known.
bool isFunctionOfPython(const NativeFunctionObject& native);
llvm::ArrayRef<NativeRow> jsonFunctions();
Value deque(Interpreter& in, const CallArguments& arguments); // collections.deque
// FileModules.cpp
llvm::ArrayRef<NativeRow> pathlibFunctions();
llvm::ArrayRef<NativeRow> osPathFunctions();
llvm::ArrayRef<NativeRow> importlibFunctions();
llvm::ArrayRef<NativeRow> importlibUtilFunctions();

} // namespace gluond::evaluate
