// What a context keeps of one program between runs over it: a program's specializations visit the
// same functions, each from the beginning.
//
// Belongs to one CodegenContext, and so to one thread. Keys are addresses inside the program; the
// context forgets it when the program is gone (CodegenContext::memoryOf).
#pragma once

#include "codegen/Locations.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <memory>

namespace gluond::codegen {

class ProgramMemory {
public:
  // The locations of a file's nodes, known by its text. `path`: what MLIR locations call it.
  FileLocations& locations(mlir::MLIRContext& context, const SourceFile& file,
                           llvm::StringRef path) {
    std::unique_ptr<FileLocations>& known = locations_[file.text];
    if (!known) known = std::make_unique<FileLocations>(context, file, path);
    return *known;
  }

  // Functions and classes of the program that refer to nothing Triton refuses (Dependencies.h).
  llvm::DenseSet<const void*> acceptable;

private:
  llvm::DenseMap<const text::SourceText*, std::unique_ptr<FileLocations>> locations_;
};

} // namespace gluond::codegen
