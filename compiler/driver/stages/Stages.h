// How kernels become code, as rows: which stages a target has, what each is made of and how.
//
// The command line, the IR explorer, the cache and the benchmark read these rows. The chips of one
// maker share a toolchain (Nvidia.cpp, Amd.cpp): a list of stages, each a function of the one that
// it names as its input, and a few facts beside it. A new back end is a file of such functions and
// rows, and a line in Stages.cpp.
#pragma once

#include "driver/stages/CompiledLines.h"
#include "passes/Pipeline.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::chips {
struct Target;
}

namespace gluond::driver {

struct Compilation; // Compile.h

// The workspace's folders, whose tools are not used.
using WorkspaceFolders = llvm::ArrayRef<std::string>;

// A part of the machine on which a stage's result depends.
struct StageTool {
  llvm::StringLiteral name; // "ptxas"
  // Tells one version of it from another; empty where there is none.
  std::string (*identity)(WorkspaceFolders workspace);
};

struct Stage {
  // What a result is: text; bytes; or LLVM's module in memory, which is printed where it is asked
  // for, and which the stages made of it need as it is and not as its text.
  enum class Form : uint8_t { Text, Bytes, Module };

  llvm::StringLiteral id;       // "ttgir"
  llvm::StringLiteral title;    // "TritonGPU IR"
  llvm::StringLiteral language; // of the text, for highlighting: "mlir"
  llvm::StringLiteral input;    // the stage that it is made of; empty for codegen's
  // One of these two makes it, but codegen's. The first turns a module of ours from one stage into
  // the other; the second is called by compile().
  passes::Result (*transform)(mlir::ModuleOp module, const chips::Target& target,
                              const passes::PassResources& resources) = nullptr;
  passes::Result (*compile)(Compilation& kernel) = nullptr;
  // Which line of the program each line of the text came of; null where nothing says so.
  std::vector<CompiledLine> (*lines)(llvm::StringRef text) = nullptr;
  llvm::ArrayRef<StageTool> tools = {};
  Form form = Form::Text;

  bool isCompiled() const { return compile != nullptr; }
  bool isText() const { return form != Form::Bytes; }
};

struct Toolchain {
  llvm::ArrayRef<Stage> stages; // each after its input
  // Bytes of shared memory that an op takes for itself when it is compiled.
  int64_t (*scratchBytes)(mlir::Operation* op);
  // Whether all kernels of a target can be compiled and run; null where none can.
  bool (*isRunnable)(const chips::Target& target) = nullptr;
  // The stage that a device of that compute capability is given, when a kernel for `target` runs on
  // it; null where none runs.
  llvm::StringRef (*loaded)(const chips::Target& target, unsigned capability,
                            WorkspaceFolders workspace) = nullptr;

  // Null where there is no such stage.
  const Stage* find(llvm::StringRef id) const;
};

const Toolchain& toolchainOf(const chips::Target& target);
// Every stage's id, of any target, each once.
std::vector<std::string> stageNames();

// The same by a target's parts.
llvm::ArrayRef<Stage> stagesOf(const chips::Target& target);
const Stage* findStage(const chips::Target& target, llvm::StringRef id);
// The stage that shows as text what `stage` has as bytes; null: none does.
const Stage* shownBy(const chips::Target& target, const Stage& stage);

// What all toolchains begin with.
inline constexpr Stage sourceStage{"source", "Source, as the frontend makes it", "mlir", ""};
// ---- Of single toolchains; Stages.cpp lists them.
extern const Toolchain nvidiaToolchain, amdToolchain;

} // namespace gluond::driver
