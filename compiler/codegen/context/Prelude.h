// Functions of Triton's own library that are jit functions themselves (sum, max, cdiv, zeros, ...).
// These are our implementations in Gluon, embedded in the binary (language/prelude/*.py), parsed
// and evaluated when a kernel first calls into a file. They use the names of Triton's modules,
// because those are part of function names in the IR.
#pragma once

#include "codegen/context/SourceFiles.h"
#include "evaluate/interpreter/Interpreter.h"
#include "language/types/Builtin.h"
#include "releases/Release.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/StringMap.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace gluond::codegen {

// Returns the text of a prelude file ("standard"), or "" if there is none.
llvm::StringRef preludeText(llvm::StringRef file);

class Prelude {
public:
  Prelude(Interner& names, language::TypeContext& types);
  ~Prelude();

  // Returns the function of a row of kind Prelude as a release of Triton has it, or Unknown if file
  // or function is missing.
  language::Value function(const language::Builtin& row,
                           releases::Release release = releases::newest);
  // Returns the source of a prelude module; null for any other module.
  const SourceFile* source(const language::ModuleObject& module) const;

  // The files read so far and what that cost in milliseconds. Each is read once per context and
  // release, when it is first needed.
  struct Load {
    std::string path;
    double parse = 0, evaluate = 0;
  };
  llvm::ArrayRef<Load> loads() const { return loads_; }

  // The FileIds of prelude files begin here.
  static constexpr uint32_t firstFile = 0xFFFF0000;
  static bool isPrelude(diagnostics::FileId id) { return id.id >= firstFile; }

private:
  struct File {
    syntax::SyntaxTree::Ptr tree;
    const language::ModuleObject* module = nullptr;
    SourceFile source;
  };
  // What one release has. The files see its number as triton.__version__.
  struct Library {
    std::unique_ptr<evaluate::Interpreter> interpreter;
    llvm::StringMap<File> files;
    llvm::DenseMap<const language::Builtin*, language::Value> functions;
  };
  File* load(llvm::StringRef file, releases::Release release);

  Interner& names_;
  language::Heap heap_;
  language::TypeContext& types_;
  Library& libraryOf(releases::Release release) { return libraries_[static_cast<size_t>(release)]; }
  std::array<Library, static_cast<size_t>(releases::newest) + 1> libraries_;
  std::vector<Load> loads_;
};

} // namespace gluond::codegen
