// A file evaluated at compile time: its module and all it imports from the workspace, for one target under one __name__.
//
// Made once and shared; immutable, any thread may read it. Values, functions and types in it live as long as it does.
#pragma once

#include "codegen/SourceFiles.h"
#include "driver/Workspace.h"
#include "evaluate/Launch.h"
#include "language/TypeContext.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>

#include <memory>
#include <string>
#include <vector>

namespace gluond::evaluate {
class Interpreter;
}

namespace gluond::driver {

class Program final : public codegen::SourceFiles {
public:
  // The file's program in this snapshot, evaluated now or earlier. `name` is its __name__; empty: the file's stem.
  // Null: cancelled.
  static std::shared_ptr<const Program> of(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                                           llvm::StringRef target, llvm::StringRef name, CancellationToken token);
  ~Program() override;

  const File& file() const { return *parts_.front().file; }
  const syntax::SyntaxTree& tree() const { return *parts_.front().tree; }
  const std::string& target() const { return target_; }
  language::ModuleObject* module() const { return parts_.front().module; }
  // The jit functions that the module itself defines, in order.
  llvm::ArrayRef<const language::FunctionObject*> kernels() const { return kernels_; }
  // Launches that host code makes, in order of first appearance.
  llvm::ArrayRef<evaluate::Launch> launches() const { return launches_; }
  // Launches written in directive comments.
  struct Directed {
    evaluate::Launch launch;
    diagnostics::Location place;
  };
  const std::vector<Directed>& directed() const { return directed_; }
  // One launch with typed defaults per kernel, parallel to kernels().
  llvm::ArrayRef<evaluate::Launch> defaults() const { return defaults_; }
  // What evaluation has to say of the module itself.
  const std::vector<diagnostics::Diagnostic>& diagnostics() const { return diagnostics_; }
  double parseMilliseconds() const { return parseMilliseconds_; }
  double evaluateMilliseconds() const { return evaluateMilliseconds_; }

  // One file of the program.
  struct Part {
    std::shared_ptr<const File> file;
    std::shared_ptr<const syntax::SyntaxTree> tree;
    language::ModuleObject* module = nullptr;
    codegen::SourceFile source;
  };
  llvm::ArrayRef<Part> parts() const { return parts_; }
  const Part* part(const language::ModuleObject& module) const;
  const Part* part(llvm::StringRef path) const;
  const codegen::SourceFile* find(const language::ModuleObject& module) const override;

private:
  explicit Program(Interner& names) : types_(names) {}
  bool evaluate(const Snapshot& snapshot, const std::shared_ptr<const File>& file, llvm::StringRef name,
                CancellationToken token);
  void takeKernels();
  void takeErrors(const evaluate::Interpreter& interpreter);
  // Whether evaluating again in this snapshot would read the same files.
  bool isCurrent(const Snapshot& snapshot) const;

  struct Import { // looked up by a file of the program; null: not in the workspace
    std::string importingPath, module;
    unsigned level;
    std::shared_ptr<const File> found;
  };

  std::string target_;
  language::Heap heap_;
  language::TypeContext types_;
  std::vector<Part> parts_; // the file itself first
  llvm::DenseMap<const language::ModuleObject*, size_t> partOf_;
  std::vector<Import> imports_;
  std::vector<const language::FunctionObject*> kernels_;
  std::vector<evaluate::Launch> launches_;
  std::vector<Directed> directed_;
  std::vector<evaluate::Launch> defaults_;
  std::vector<std::shared_ptr<const syntax::SyntaxTree>> snippets_; // of directives
  std::vector<diagnostics::Diagnostic> diagnostics_;
  double parseMilliseconds_ = 0, evaluateMilliseconds_ = 0;
  friend struct ProgramCache;
};

} // namespace gluond::driver
