// The table of builtins: every public name of Gluon 3.9.0, and what else programs reach through
// triton's modules.
//
// One row of builtins/*.def holds a name, the modules and classes it is found in, its parameters,
// what it is (a rule of codegen, a native function, a layout class, a dtype, a jit function of the
// prelude, ...) and its documentation. The row feeds lookup (findBuiltin), the evaluator (native),
// codegen (rules/Table.cpp expands the same .def files into the array of rules), hover, completion
// and signature help, and docs/reference/builtins.md. Everything here is constant data: no start-up
// cost, any thread may read.
#pragma once

#include "language/types/Type.h"
#include "language/values/Native.h"
#include "language/values/Signature.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::language {

enum class LayoutKind : uint8_t;

enum class BuiltinKind : uint8_t {
  Rule,    // exists in kernels only: codegen's rule of the same id emits it
  Native,  // computed at compile time, in kernels and on the host
  Prelude, // a function of Triton's that is itself written in Gluon: ours is in prelude/*.py
  Layout,  // a layout class; calling it makes a layout
  Dtype,   // a scalar type
  Class,   // another class (gl.tensor, gl.constexpr, ...): for annotations and isinstance; some are
           // callable natively
  Property, // an attribute of an instance of a class: codegen and the evaluator compute it
  Constant, // a member of an enum (PropagateNan.ALL)
  Python,   // interpreted by the evaluator itself: decorators, static_range, host classes
  Removed,  // earlier versions had it; `replacement` says what is called now
  Inert,    // something the module happens to hold (TYPE_CHECKING, annotations): of no use in a
            // program
};

// Rows in order of the .def files: constants of the form BuiltinId::gl_load.
enum class BuiltinId : uint16_t {
#define BUILTIN(id, ...) id,
#include "language/builtins/All.def"
  Count
};

// Namespaces: modules by their dotted names, and classes whose members are rows ("tensor").
enum class ModuleId : uint8_t {
#define MODULE(id, ...) id,
#include "language/builtins/Modules.def"
  Count
};

struct BuiltinModule {
  ModuleId id;
  llvm::StringLiteral alias; // as `where` names it in the table
  llvm::StringLiteral name;  // dotted; for a class, where it is defined and its name
  bool isClass;
  ModuleId
      fallback; // searched when a name is not found; itself for none (private modules: _core -> gl)
};

using BoundNative = Value (*)(EvaluateContext&, Values arguments);

struct Builtin {
  BuiltinId id;
  BuiltinKind kind;
  llvm::StringLiteral name;
  llvm::StringLiteral
      where; // aliases of the modules and classes that have it, the defining one first
  llvm::ArrayRef<Parameter>
      parameters; // without _semantic and _generator; `self` is the first one of a method
  llvm::StringLiteral signature; // "(pointer, mask=None, ...)": the text parameters were read from
  llvm::StringLiteral doc; // sentences, then one line "- name: ..." for each parameter worth it
  BoundNative native = nullptr;  // Native, Layout, some Class
  LayoutKind layout{};           // Layout
  ScalarKind scalar{};           // Dtype
  llvm::StringLiteral text = ""; // Prelude: "standard.sum"; Removed: the replacement; Inert: why
  bool hasParameters() const { return !signature.empty(); }
};

// All rows, in the order of BuiltinId.
llvm::ArrayRef<Builtin> builtins();
const Builtin& builtin(BuiltinId id);
inline bool is(Value value, BuiltinId id) {
  return value.is(ValueKind::Builtin) && value.asBuiltin()->id == id;
}

const BuiltinModule& module(ModuleId id);
llvm::ArrayRef<BuiltinModule> builtinModules();
// By dotted name ("triton.experimental.gluon.language"); null when it is none of ours.
const BuiltinModule* findModule(llvm::StringRef dottedName);
// The module `name` directly inside `parent`; null when there is none.
const BuiltinModule* findSubmodule(const BuiltinModule& parent, llvm::StringRef name);

// The row of a name in a module or class; null when it has no such name. A hash and a binary
// search.
const Builtin* findBuiltin(ModuleId module, llvm::StringRef name);
// All names of a module or class, in order: for completion.
void namesOf(ModuleId module, llvm::SmallVectorImpl<const Builtin*>& out);

// A call bound to a builtin's parameters.
struct BoundArguments {
  static constexpr int fromDefault = -1;
  static constexpr int fromKeyword(size_t keyword) { return -2 - static_cast<int>(keyword); }

  // One a parameter: the argument, else the default; *args gets a Tuple, **kwargs a Dict.
  llvm::SmallVector<Value, 8> values;
  // Where it came from: index of the positional argument, fromDefault, or fromKeyword(index of the
  // keyword).
  llvm::SmallVector<int, 8> from;
  // After failure: what does not fit, the keyword argument (index, -1 for none), what is missing,
  // how many fit.
  enum class Misfit : uint8_t {
    None,
    TooMany,
    UnexpectedKeyword,
    Duplicate,
    Missing
  } misfit = Misfit::None;
  int keyword = -1;
  llvm::StringRef missing;
  size_t accepted = 0;
};
// As Python would. False with `error` (Python's words) when the call does not fit.
bool bindArguments(const Builtin& builtin, Values positional,
                   llvm::ArrayRef<KeywordArgument> keywords, const Interner& names, Heap& heap,
                   BoundArguments& out, std::string& error);

// Calls a builtin that has a native function: binds, runs. Unknown when an argument is Unknown (or
// holds one).
Value callNative(const Builtin& builtin, EvaluateContext& context, const CallArguments& arguments);

// The value a module attribute has: a dtype's Type, else the row itself.
Value valueOf(const Builtin& builtin);

} // namespace gluond::language
