// The stages in which kernels become code, as rows: the stages of a target, each with its input and
// its function.
//
// The command line, the IR explorer, the cache and the benchmark read these rows. The chips of one
// vendor share a toolchain (Nvidia.cpp, Amd.cpp): a list of stages, each with a function that turns
// its input stage into it, and some properties. A new back end is a file with such functions and
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

// The workspace's folders; tools in them are not used.
using WorkspaceFolders = llvm::ArrayRef<std::string>;

// A tool of the machine that a stage's result depends on.
struct StageTool {
  llvm::StringLiteral name; // "ptxas"
  // Distinguishes versions of the tool; empty if it is missing.
  std::string (*identity)(WorkspaceFolders workspace);
};

struct Stage {
  // The form of a result: text, bytes, or LLVM's module in memory, which is printed on request and
  // which later stages take directly and not as text.
  enum class Form : uint8_t { Text, Bytes, Module };

  llvm::StringLiteral id;       // "ttgir"
  llvm::StringLiteral title;    // "TritonGPU IR"
  llvm::StringLiteral language; // of the text, for highlighting: "mlir"
  llvm::StringLiteral input;    // the stage that it is made from; empty for codegen's stage
  // Every stage but codegen's has one of these two. The first turns our module from one stage into
  // the next; the second is called by compile().
  passes::Result (*transform)(mlir::ModuleOp module, releases::Release release,
                              const passes::PassResources& resources) = nullptr;
  passes::Result (*compile)(Compilation& kernel) = nullptr;
  // Maps lines of the text to lines of the program; null if nothing records it.
  std::vector<CompiledLine> (*lines)(llvm::StringRef text) = nullptr;
  llvm::ArrayRef<StageTool> tools = {};
  Form form = Form::Text;

  bool isCompiled() const { return compile != nullptr; }
  bool isText() const { return form != Form::Bytes; }
};

struct Toolchain {
  llvm::ArrayRef<Stage> stages; // each after its input
  // Bytes of shared memory that an op allocates for itself when it is compiled.
  int64_t (*scratchBytes)(mlir::Operation* op);
  // Whether all kernels of a target can be compiled and run; null if none can.
  bool (*isRunnable)(const chips::Target& target) = nullptr;
  // The stage that a device ("cuda:90") loads to run a kernel for `target`; empty if the device
  // cannot run it.
  llvm::StringRef (*loaded)(const chips::Target& target, llvm::StringRef device,
                            WorkspaceFolders workspace) = nullptr;

  // Returns null if there is no such stage.
  const Stage* find(llvm::StringRef id) const;
};

const Toolchain& toolchainOf(const chips::Target& target);
// Returns the ids of all stages of all targets, without duplicates.
std::vector<std::string> stageNames();

// The same for a parsed target.
llvm::ArrayRef<Stage> stagesOf(const chips::Target& target);
const Stage* findStage(const chips::Target& target, llvm::StringRef id);
// Says that the target has no such stage, and which it has.
std::string whyNoStage(const chips::Target& target, llvm::StringRef id);
// Returns the stage that shows the bytes of `stage` as text, or null if there is none.
const Stage* shownBy(const chips::Target& target, const Stage& stage);

// The first stage of all toolchains.
inline constexpr Stage sourceStage{"source", "Source, as the frontend makes it", "mlir", ""};
// ---- The toolchains, listed in Stages.cpp.
extern const Toolchain nvidiaToolchain, amdToolchain;

} // namespace gluond::driver
