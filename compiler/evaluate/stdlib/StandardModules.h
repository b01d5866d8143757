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
Value deque(Interpreter& in, const CallArguments& arguments);       // collections.deque
Value counter(Interpreter& in, const CallArguments& arguments);     // collections.Counter
Value defaultDict(Interpreter& in, const CallArguments& arguments); // collections.defaultdict
Value orderedDict(Interpreter& in, const CallArguments& arguments);
Value chainMap(Interpreter& in, const CallArguments& arguments); // collections.ChainMap
// Returns a new Dict of all that a ChainMap has; Absent if the value is none, or raised.
Value chainDict(Interpreter& in, Value value);
bool isCachedFunction(Value value); // by functools.lru_cache or cache
llvm::ArrayRef<NativeRow> contextlibFunctions();
llvm::ArrayRef<NativeRow> argparseFunctions();
llvm::ArrayRef<NativeRow> inspectFunctions();
Value inspectMember(Interpreter& in, llvm::StringRef name);
// LoadedModules.cpp
Value loadedModules(Interpreter& in);                             // sys.modules
Value newModule(Interpreter& in, const CallArguments& arguments); // types.ModuleType
// A module that the program put in sys.modules; Absent if there is none of the name.
Value moduleOfProgram(Interpreter& in, Value modules, llvm::StringRef name);
// The packages packaging.version and concurrent.futures.
llvm::ArrayRef<NativeRow> versionFunctions();
llvm::ArrayRef<NativeRow> futuresFunctions();
// Environment.cpp
llvm::ArrayRef<NativeRow> osFunctions();
Value osMember(Interpreter& in, llvm::StringRef name);
llvm::ArrayRef<NativeRow> environFunctions(); // methods of os.environ
Value setVariables(Interpreter& in);          // the variables that are set: a Dict
// FileModules.cpp
Value openFile(Interpreter& in, const CallArguments& arguments); // open, Path.open
llvm::ArrayRef<NativeRow> pathlibFunctions();
llvm::ArrayRef<NativeRow> osPathFunctions();
llvm::ArrayRef<NativeRow> importlibFunctions();
llvm::ArrayRef<NativeRow> importlibUtilFunctions();

} // namespace gluond::evaluate
