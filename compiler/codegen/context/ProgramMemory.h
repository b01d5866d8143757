// The results that a context keeps for one program between runs: the program's specializations
// visit the same functions, each from the beginning.
//
// It belongs to one CodegenContext, and so to one thread. Keys are addresses inside the program;
// the context drops it when the program is gone (CodegenContext::memoryOf).
#pragma once

#include "codegen/context/Locations.h"
#include "evaluate/interpreter/PythonError.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gluond::codegen {

class ProgramMemory {
public:
  // The locations of a file's nodes, keyed by its text. `path` is its name in MLIR locations.
  FileLocations& locations(mlir::MLIRContext& context, const SourceFile& file,
                           llvm::StringRef path) {
    std::unique_ptr<FileLocations>& known = locations_[file.text];
    if (!known) known = std::make_unique<FileLocations>(context, file, path);
    return *known;
  }

  // Functions and classes of the program that reference nothing Triton refuses (Dependencies.h).
  llvm::DenseSet<const void*> acceptable;

  // Calls of the program's constexpr functions, as text, that used up all evaluation steps. Each is
  // tried once, not again for every specialization and guess.
  llvm::DenseMap<const language::FunctionObject*,
                 std::vector<std::pair<std::string, evaluate::PythonError>>>
      endless;

private:
  llvm::DenseMap<const text::SourceText*, std::unique_ptr<FileLocations>> locations_;
};

} // namespace gluond::codegen
