// The state of one generateSource(): the module under construction, its functions, the call chain,
// and what was reported. Shared by the Emitter and the visitors of all functions; private to the
// room.
#pragma once

#include "codegen/context/CodegenContext.h"
#include "codegen/context/Locations.h"
#include "codegen/context/Source.h"
#include "codegen/emitter/Dependencies.h"
#include "codegen/emitter/Emitter.h"
#include "codegen/emitter/FactRecorder.h"
#include "codegen/emitter/IrBridge.h"
#include "codegen/emitter/LayoutPlaces.h"
#include "codegen/emitter/Verify.h"
#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>

namespace gluond::codegen {

// A function of the module.
struct Callee {
  mlir::Operation* function = nullptr; // tt.func
  const Type* returns = nullptr;       // null while it is being generated, or when it failed
  bool finished = false;
  // Of what it is with its calls inlined: regions inside each other, and operations.
  unsigned nesting = 0, operations = 0;
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
  unsigned depth = 0;        // of nested visits
  unsigned operations = 0;   // made so far, with calls inlined
  unsigned suppressed = 0;   // inside code that may not be compiled: nothing is reported
  unsigned endlessCalls = 0; // of constexpr functions, that were stopped
  bool gaveUp = false;
  bool hadErrors = false;
  static constexpr unsigned maxDepth = 1500, maxFrames = 100;
  // MLIR walks regions by recursion, and so does all that comes after it: of one module with its
  // calls inlined, no more than this many stand inside each other.
  static constexpr unsigned maxRegions = 400;
  // Operations of a module with its calls inlined. The largest source of the corpus has 760 lines.
  static constexpr unsigned maxOperations = 200'000;
  // Characters of a function's name, which holds the constants it is called with.
  static constexpr size_t maxName = size_t{1} << 20;

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
  // A value that comes into the kernel from Python, or that the kernel puts together. Gives up on
  // one that nests too deeply or is too large for what is going to be made of it.
  Value admit(Value value, const syntax::Node* at) {
    using enum language::ValueKind;
    bool hasParts = value.is(Type)
                        ? value.asType()->depth() > 1
                        : value.kind() >= BigInt && !value.is(Ir) && !value.is(Function) &&
                              !value.is(Class) && !value.is(Module);
    if (!hasParts) [[likely]]
      return value;
    return admitParts(value, at);
  }
  // False once the budget is spent or the run cancelled: visit nothing more.
  bool step() {
    if (untilPoll_ != 0) [[likely]] {
      --untilPoll_;
      return !gaveUp;
    }
    return poll();
  }
  // Pays for work that grows with a size.
  void spend(size_t work) {
    uint64_t more = work / 32;
    if (more <= untilPoll_) [[likely]] {
      untilPoll_ -= static_cast<unsigned>(more);
      return;
    }
    steps -= std::min(steps, more - untilPoll_);
    untilPoll_ = 0;
  }
  // Operations were made, or a function is called that has so many.
  void countOperations(unsigned more) {
    operations += more;
    if (operations > maxOperations) [[unlikely]]
      giveUp(emitter.node(), "the kernel has more than 200,000 operations");
  }

private:
  bool poll();
  Value admitParts(Value value, const syntax::Node* at);
  unsigned untilPoll_ = 0; // of the steps; those behind it are in `steps`
  llvm::DenseMap<const language::ModuleObject*, FileLocations*> locations_;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> reported_;
};

} // namespace gluond::codegen
