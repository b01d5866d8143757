// Rows of the modules of the standard library that have files of their own.
#pragma once

#include "evaluate/interpreter/NativeTables.h"

namespace gluond::evaluate {

llvm::ArrayRef<NativeRow> mathFunctions();
Value mathMember(Interpreter& in, llvm::StringRef name);
llvm::ArrayRef<NativeRow> functoolsFunctions();
llvm::ArrayRef<NativeRow> itertoolsFunctions();
llvm::ArrayRef<NativeRow> chainFunctions(); // itertools.chain.from_iterable
llvm::ArrayRef<NativeRow> operatorFunctions();
// Whether Python too has a function here, or a bound method; many natives stand for classes
// (itertools.product). False where that is not known.
bool isFunctionOfPython(const NativeFunctionObject& native);
// FileModules.cpp
llvm::ArrayRef<NativeRow> pathlibFunctions();
llvm::ArrayRef<NativeRow> osPathFunctions();
llvm::ArrayRef<NativeRow> importlibFunctions();
llvm::ArrayRef<NativeRow> importlibUtilFunctions();

} // namespace gluond::evaluate
