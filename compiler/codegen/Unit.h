// The state of one generateSource(): the module under construction, its functions, the call chain,
// and what was reported. Shared by the Emitter and the visitors of all functions; private to the
// room.
#pragma once

#include "codegen/CodegenContext.h"
#include "codegen/Dependencies.h"
#include "codegen/Emitter.h"
#include "codegen/FactRecorder.h"
#include "codegen/IrBridge.h"
#include "codegen/LayoutPlaces.h"
#include "codegen/Locations.h"
#include "codegen/Source.h"
#include "codegen/Verify.h"
#include "evaluate/Interpreter.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>

namespace gluond::codegen {

// A function of the module.
struct Callee {
  mlir::Operation* function = nullptr; // tt.func
  const Type* returns = nullptr;       // null while it is being generated, or when it failed
  bool finished = false;
};

struct Unit {
  Unit(CodegenContext& context, const Specialization& specialization, const SourceFiles& files,
       const SourceOptions& options, VerifierMessages& messages, GeneratedModule& result);

  CodegenContext& context;
  const Specialization& specialization;
  const SourceFiles& files;
  const SourceOptions& options;
  GeneratedModule& result;
  language::Heap heap;
  IrBridge bridge;
  evaluate::Interpreter interpreter;
  Emitter emitter;
  llvm::StringMap<Callee> callees;
  llvm::SmallVector<CallFrame, 4> frames;
  LayoutPlaces layoutPlaces;
  std::shared_ptr<ProgramMemory> memory; // of the program
  Dependencies dependencies;
  VerifierMessages& messages;
  UncertainOperations uncertainOperations;
  llvm::DenseSet<const language::FunctionObject*> visitedFunctions; // with whatever arguments
  std::unique_ptr<FactRecorder> facts;
  uint64_t steps;
  unsigned depth = 0;      // of nested visits, for the native stack
  unsigned suppressed = 0; // inside code that may not be compiled: nothing is reported
  bool gaveUp = false;
  bool hadErrors = false;
  static constexpr unsigned maxDepth = 1500, maxFrames = 100;

  FileLocations* locationsOf(const language::ModuleObject* module);
  // The file MLIR locations name so; null when none was used.
  const FileLocations* fileNamed(llvm::StringRef path) const;
  // Whether this was not reported before: a loop body is visited more than once.
  bool isNew(diagnostics::Id id, diagnostics::Location location);
  // Something needed is unknown; the first reason is kept.
  void markIncomplete(const llvm::Twine& because);
  // Stops all visiting: the kernel is too much for us.
  void giveUp(const syntax::Node* at, llvm::StringRef why);
  // One of Python's builtins that kernels may use; Absent when the name is none.
  Value pythonBuiltin(Name name);
  bool isPython(Value value, Name name) {
    return (value.is(language::ValueKind::Host) || value.is(language::ValueKind::Class)) &&
           value.identical(pythonBuiltin(name));
  }
  std::optional<Name> pythonBuiltinName(Value value);
  // False once the budget is spent or the run cancelled: visit nothing more.
  bool step() {
    if (steps != 0) [[likely]] {
      --steps;
      return !gaveUp;
    }
    return outOfSteps();
  }

private:
  bool outOfSteps();
  llvm::DenseMap<const language::ModuleObject*, FileLocations*> locations_;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> reported_;
};

} // namespace gluond::codegen
