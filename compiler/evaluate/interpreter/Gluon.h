// The bridge to language/: the behaviour of Gluon's own values (builtins, types, layouts), and
// kernel launches. IR values go to codegen through IrAccess. A function with the name of an
// interpreter function returns Absent without raising if the value is not Gluon's.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

bool isGluonModule(
    llvm::StringRef dottedName); // triton, triton.language, triton.experimental.gluon..., as the
                                 // builtin table has them
Value gluonMember(Interpreter& in, llvm::StringRef module, Name name);

// Classes of Triton that programs only compare with: that of the code generator's semantic, and
// that of descriptors of Triton's own language, which no value of a Gluon kernel has.
inline constexpr llvm::StringLiteral semanticClassName = "GluonSemantic";
inline constexpr llvm::StringLiteral descriptorClassName = "triton.language.core.tensor_descriptor";
// Returns such a class, or Absent.
Value libraryClass(Interpreter& in, llvm::StringRef moduleName, llvm::StringRef name);

Value gluonAttribute(Interpreter& in, Value object, Name name);
Value gluonCall(Interpreter& in, Value callee, const CallArguments& arguments);
Value gluonItem(Interpreter& in, Value object, Value index);
Value gluonBinary(Interpreter& in, syntax::BinaryOp op, Value left, Value right);
Value gluonCompare(Interpreter& in, syntax::CompareOp op, Value left, Value right);
std::optional<bool> gluonEqual(Interpreter& in, Value a, Value b); // nullopt if neither is Gluon's
std::optional<bool> gluonIdentical(Value a, Value b);
std::optional<uint64_t> gluonHash(Interpreter& in, Value value);
std::string gluonRepr(Interpreter& in, Value value);
// isinstance(value, cls), where cls is one of Gluon's classes; nullopt if it is not known.
std::optional<bool> isInstanceOfGluon(Interpreter& in, Value value, const language::Builtin& cls);
Value gluonTypeOf(Interpreter& in, Value value);
bool importAll(Interpreter& in, llvm::StringRef module, Scope* into);
bool isConstexprAnnotation(Value annotation); // gl.constexpr, tl.constexpr, or the class itself
bool isConstexprClass(Value value);

// kernel[grid], and attributes of jit functions (fn, run, warmup, __name__, ...).
Value makeLauncher(Interpreter& in, Value kernel, Value grid);
Value jitAttribute(Interpreter& in, Value function, Name name);
bool isLauncher(Value callee);
Value launchUncertain(Interpreter& in, Value launcher, const CallArguments& arguments);
// Strips constexpr from a value and from the members of tuples and lists, as Triton does for
// constexpr functions.
Value unwrapConstexprs(Interpreter& in, Value value);

llvm::ArrayRef<NativeRow> integerMethods();
llvm::ArrayRef<NativeRow> floatMethods();

} // namespace gluond::evaluate
