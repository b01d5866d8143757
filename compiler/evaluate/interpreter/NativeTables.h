// The static tables of the modelled world (builtin classes, functions, modules) and an
// interpreter's caches of them.
#pragma once

#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/WrongLanguageImport.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::language {

// A builtin class: int, str, ValueError, ...
struct NativeClass {
  llvm::StringLiteral name;
  llvm::StringLiteral base;                         // empty for object
  evaluate::Native construct = nullptr;             // cls(arguments); null if the base's is used
  llvm::ArrayRef<evaluate::NativeRow> methods = {}; // `self` is argument 0
  llvm::ArrayRef<evaluate::NativeRow> statics = {}; // class methods, without the class argument
  bool isPlain = false; // instances are ordinary objects with attributes (object, exceptions, Enum)
  bool isException = false;
  bool makesItsBase = false; // calls of derived classes make instances of `base` too
};

} // namespace gluond::language

namespace gluond::evaluate {

using language::NativeClass;

// A modelled module: functions and how to make its other members.
struct NativeModule {
  llvm::StringLiteral name;
  llvm::ArrayRef<NativeRow> functions = {};
  // Returns a non-function member, or Absent. Called once per interpreter and name.
  Value (*member)(Interpreter&, llvm::StringRef name) = nullptr;
  // Whether unlisted names are Unknown (because the model is incomplete) rather than missing.
  bool isOpen = true;
};

llvm::ArrayRef<NativeClass> nativeClasses();
llvm::ArrayRef<NativeRow> builtinFunctions();
const NativeModule* nativeModule(llvm::StringRef dottedName); // null if it is not modelled

struct Interpreter::Tables {
  llvm::DenseMap<Name, Value> builtins;
  llvm::StringMap<const ClassObject*> classes;
  llvm::StringMap<Value> modules;
  llvm::DenseMap<std::pair<const char*, Name>, Value> members;            // by NativeModule's name
  llvm::DenseMap<std::pair<const ModuleObject*, Name>, Value> attributes; // of modelled modules
  llvm::DenseMap<std::pair<unsigned, Name>, const NativeRow*> methods;
  llvm::DenseMap<const syntax::Node*, std::unique_ptr<FunctionInfo>> functions;
  llvm::DenseMap<const syntax::Constant*, Value> literals;
  llvm::DenseMap<const void*, uint64_t> addresses; // of objects that were printed or hashed
  // `try` statements around the imports that led here, and catch ImportError.
  unsigned importersGuards = 0;
  // Where an import was missing: the importing file, and the range's begin and end.
  llvm::DenseSet<std::pair<const ModuleObject*, uint64_t>> missingPlaces;
  // Results of searching the workspace's files, by importing file, dots and name; Absent if not
  // found. They are cached because a program may import in a loop.
  llvm::StringMap<Value> imports;
  // For each branch that runs, Heap::made() when it began; and for objects that branches took note
  // of, the same when they last did: those that began before know them.
  llvm::SmallVector<uint64_t, 4> branchesMade;
  llvm::DenseMap<const void*, uint64_t> notedAt;
  // Code that is not known got objects of the program, which it may have changed.
  bool hasEscaped = false;
  // A function that was called from outside of the program, as tests are, called what a file gets
  // from elsewhere, which may end it: by skipping the test, say.
  bool mayHaveEnded = false;
  void noteUnknownCall(const Interpreter& in, const syntax::Call& call);
  size_t bytesAtPoll = 0; // the heap's, when the limits were looked at because of its growth
  // Packages that hold a copy of Triton, by the name that they are imported by.
  llvm::StringSet<> copiesOfTriton;
  // Imports where the program means Gluon's language.
  llvm::SmallVector<WrongLanguageImport, 1> meant;
  // Binds the language for such an import; false for any other, and where a `try` waits for it.
  bool bindWrongLanguageImport(Interpreter& in, const syntax::Alias& alias, text::Range range);

  // Returns a number for an object, in the order of first use: it is the same in every run, and
  // does not reveal real addresses.
  uint64_t addressOf(const void* object) {
    constexpr uint64_t first = 0x7f0000000000, apart = 0x40;
    uint64_t number = addresses.size();
    return addresses.try_emplace(object, first + apart * number).first->second;
  }
  // The folders that the program added to sys.path.
  llvm::SmallVector<std::string, 2> searchPath(Interpreter& in);
  // A module that the program put in sys.modules; Absent if it did not.
  Value moduleOfProgram(Interpreter& in, llvm::StringRef dottedName);
  Value builtin(Interpreter& in, Name name); // Absent if there is no such builtin
  const NativeRow* method(ValueKind kind, Name name, Interpreter& in);
  const FunctionInfo* functionInfo(const FunctionObject* function);
  Value literal(Interpreter& in, const syntax::Constant* expr);
  bool isModelled(llvm::StringRef dottedName) const;
};

} // namespace gluond::evaluate
