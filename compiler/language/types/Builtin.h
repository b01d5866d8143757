// The table of builtins: every public name of Gluon 3.9.0, and other names that programs reach
// through triton's modules.
//
// One row of builtins/*.def holds a name, the modules and classes that have it, its parameters, its
// kind (a rule of codegen, a native function, a layout class, a dtype, a jit function of the
// prelude, ...) and its documentation. The row is used by lookup (findBuiltin), the evaluator
// (native), codegen (rules/Table.cpp expands the same .def files into the array of rules), hover,
// completion and signature help, and docs/reference/builtins.md. All of it is constant data without
// start-up cost; any thread may read it.
#pragma once

#include "language/types/Type.h"
#include "language/values/Native.h"
#include "language/values/Signature.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::language {

enum class LayoutKind : uint8_t;

enum class BuiltinKind : uint8_t {
  Rule,    // exists in kernels only: emitted by codegen's rule of the same id
  Native,  // computed at compile time, in kernels and on the host
  Prelude, // a Triton function that is written in Gluon itself: ours is in prelude/*.py
  Layout,  // a layout class; calling it makes a layout
  Dtype,   // a scalar type
  Class,   // another class (gl.tensor, gl.constexpr, ...): for annotations and isinstance; some are
           // callable natively
  Property, // an attribute of an instance: codegen and the evaluator compute it
  Constant, // a member of an enum (PropagateNan.ALL)
  Python,   // interpreted by the evaluator itself: decorators, static_range, host classes
  Removed,  // removed from Gluon; `replacement` is its new name
  Inert,    // a name that the module happens to have (TYPE_CHECKING, annotations), useless in a
            // program
};

// Rows in order of the .def files: constants of the form BuiltinId::gl_load.
enum class BuiltinId : uint16_t {
#define BUILTIN(id, ...) id,
#include "language/builtins/All.def"
  Count
};

// Namespaces: modules by their dotted names, and classes with rows as members ("tensor").
enum class ModuleId : uint8_t {
#define MODULE(id, ...) id,
#include "language/builtins/Modules.def"
  Count
};

struct BuiltinModule {
  ModuleId id;
  llvm::StringLiteral alias; // its name in column `where` of the table
  llvm::StringLiteral name;  // dotted; for a class, the module that defines it and its name
  bool isClass;
  ModuleId
      fallback; // searched if a name is not found (private modules: _core -> gl); itself if none
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
  llvm::StringLiteral signature; // "(pointer, mask=None, ...)": parsed to get the parameters
  llvm::StringLiteral doc;       // sentences, then a line "- name: ..." for some parameters
  BoundNative native = nullptr;  // for Native, Layout, some Class
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
// Finds a module by its dotted name ("triton.experimental.gluon.language"); null if unknown.
const BuiltinModule* findModule(llvm::StringRef dottedName);
// Returns the module `name` directly inside `parent`, or null if there is none.
const BuiltinModule* findSubmodule(const BuiltinModule& parent, llvm::StringRef name);

// Returns the row of a name in a module or class, or null if there is none, by a hash and a binary
// search.
const Builtin* findBuiltin(ModuleId module, llvm::StringRef name);
// Adds all names of a module or class, in order, for completion.
void namesOf(ModuleId module, llvm::SmallVectorImpl<const Builtin*>& out);

// A call bound to a builtin's parameters.
struct BoundArguments {
  static constexpr int fromDefault = -1;
  static constexpr int fromKeyword(size_t keyword) { return -2 - static_cast<int>(keyword); }

  // One per parameter: the argument or the default; *args gets a Tuple, **kwargs a Dict.
  llvm::SmallVector<Value, 8> values;
  // The origin of each value: index of the positional argument, fromDefault, or fromKeyword(index
  // of the keyword).
  llvm::SmallVector<int, 8> from;
  // These are set after a failure: what does not fit, the index of the keyword argument (-1 if
  // none), the missing parameters, and how many arguments fit.
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
// Binds as Python would. If the call does not fit, returns false with Python's message in `error`.
bool bindArguments(const Builtin& builtin, Values positional,
                   llvm::ArrayRef<KeywordArgument> keywords, const Interner& names, Heap& heap,
                   BoundArguments& out, std::string& error);

// Binds the arguments and calls the native function of a builtin. Returns Unknown if an argument is
// or contains Unknown.
Value callNative(const Builtin& builtin, EvaluateContext& context, const CallArguments& arguments);

// Returns the value of a module attribute: a dtype's Type, else the row itself.
Value valueOf(const Builtin& builtin);

} // namespace gluond::language
