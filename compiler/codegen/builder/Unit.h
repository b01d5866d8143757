// The state of one generateSource(): the module under construction, its functions, the call chain,
// and what was reported. Shared by the IrBuilder and the visitors of all functions; private to the
// room.
#pragma once

#include "codegen/builder/Dependencies.h"
#include "codegen/builder/FactRecorder.h"
#include "codegen/builder/IrBridge.h"
#include "codegen/builder/IrBuilder.h"
#include "codegen/builder/LayoutPlaces.h"
#include "codegen/builder/Verify.h"
#include "codegen/context/CodegenContext.h"
#include "codegen/context/Locations.h"
#include "codegen/context/Source.h"
#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::codegen {

// A function of the module.
struct Callee {
  mlir::Operation* function = nullptr; // the tt.func
  const Type* returns = nullptr;       // null while it is being generated, or if that failed
  bool finished = false;
  // Its nesting of regions and its number of operations, with calls inlined.
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
  IrBuilder builder;
  llvm::StringMap<Callee> callees;
  llvm::SmallVector<CallFrame, 4> frames;
  LayoutPlaces layoutPlaces;
  std::shared_ptr<ProgramMemory> memory; // of the program
  Dependencies dependencies;
  VerifierMessages& messages;
  UncertainOperations uncertainOperations;
  llvm::DenseSet<const language::FunctionObject*> visitedFunctions; // called with any arguments
  llvm::SmallVector<mlir::Location, 2> doubtedBuffers; // where they are made: see doubtElements
  llvm::DenseSet<mlir::Value> wrongBuffers;            // see FunctionVisitor::hasRefusedSource
  unsigned undefinedNames = 0;    // reported so far: see FunctionVisitor::notDefined
  llvm::StringSet<> removedNames; // see FunctionVisitor::removed
  std::unique_ptr<FactRecorder> facts;
  uint64_t steps;
  unsigned depth = 0;        // of nested visits
  unsigned operations = 0;   // created so far, with calls inlined
  unsigned suppressed = 0;   // inside code that may not be compiled; nothing is reported there
  unsigned endlessCalls = 0; // number of calls of constexpr functions that were stopped
  bool gaveUp = false;
  bool hadErrors = false;
  static constexpr unsigned maxDepth = 1500, maxFrames = 100;
  // The limit for nested regions in a module with its calls inlined: MLIR and all later passes walk
  // regions recursively.
  static constexpr unsigned maxRegions = 400;
  // The limit for operations in a module with its calls inlined. The corpus has 760 lines at most.
  static constexpr unsigned maxOperations = 200'000;
  // The limit for characters of a function's name, which includes the constants it is called with.
  static constexpr size_t maxName = size_t{1} << 20;

  FileLocations* locationsOf(const language::ModuleObject* module);
  // The file that MLIR locations name so, or null if none was used.
  const FileLocations* fileNamed(llvm::StringRef path) const;
  // Returns whether this was not reported before: a loop body is visited more than once.
  bool isNew(diagnostics::Id id, diagnostics::Location location);
  // Records that a needed value is unknown; the first reason is kept.
  void markIncomplete(const llvm::Twine& because);
  // Stops all visiting because the kernel is too large.
  void giveUp(const syntax::Node* at, llvm::StringRef why);
  // Returns a Python builtin that kernels may use, or Absent if the name is none.
  Value pythonBuiltin(Name name);
  bool isPython(Value value, Name name) {
    return (value.is(language::ValueKind::Host) || value.is(language::ValueKind::Class)) &&
           value.identical(pythonBuiltin(name));
  }
  std::optional<Name> pythonBuiltinName(Value value);
  // Checks a value that comes into the kernel from Python or is composed by the kernel. Gives up if
  // it nests too deeply or is too large for its use.
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
  // Returns false if the budget is spent or the run is cancelled; visiting must then stop.
  bool step() {
    if (untilPoll_ != 0) [[likely]] {
      --untilPoll_;
      return !gaveUp;
    }
    return poll();
  }
  // Charges for work that grows with a size.
  void spend(size_t work) {
    uint64_t more = work / 32;
    if (more <= untilPoll_) [[likely]] {
      untilPoll_ -= static_cast<unsigned>(more);
      return;
    }
    steps -= std::min(steps, more - untilPoll_);
    untilPoll_ = 0;
  }
  // Counts operations that were created, or those of a function that is called.
  void countOperations(unsigned more) {
    operations += more;
    if (operations > maxOperations) [[unlikely]]
      giveUp(builder.node(), "the kernel has more than 200,000 operations");
  }

private:
  bool poll();
  Value admitParts(Value value, const syntax::Node* at);
  unsigned untilPoll_ = 0; // steps left until the next poll; earlier ones are in `steps`
  llvm::DenseMap<const language::ModuleObject*, FileLocations*> locations_;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> reported_;
};

} // namespace gluond::codegen
