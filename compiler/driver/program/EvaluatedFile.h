// A file evaluated at compile time, for one target: its module, all its imports from the workspace,
// and the launches found.
//
// It is created once, immutable and shared; any thread may read it. Its values, functions and types
// live as long as it does.
#pragma once

#include "codegen/context/SourceFiles.h"
#include "driver/program/ProgramErrors.h"
#include "driver/workspace/Workspace.h"
#include "evaluate/ModuleEvaluation.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/StringMap.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace gluond::driver {

class Fingerprinter;

class EvaluatedFile final : public codegen::SourceFiles,
                            public std::enable_shared_from_this<EvaluatedFile> {
public:
  // Returns the file's program in this snapshot, evaluated now or earlier. `name` is the value of
  // __name__: empty for the file's stem, "__main__" for a script, or the name in a launch record.
  // Returns null if cancelled.
  static std::shared_ptr<const EvaluatedFile> of(const Snapshot& snapshot,
                                                 const std::shared_ptr<const File>& file,
                                                 llvm::StringRef target, llvm::StringRef name,
                                                 CancellationToken token);
  ~EvaluatedFile() override;

  const File& file() const { return *parts_.front().file; }
  const syntax::SyntaxTree& tree() const { return *parts_.front().tree; }
  const std::string& target() const { return evaluation_->target(); }
  const evaluate::ModuleEvaluation& evaluation() const { return *evaluation_; }
  const language::ModuleObject* module() const { return evaluation_->module(); }
  // The file's module by name; for "__main__" the run as a script, if there was one.
  const language::ModuleObject* module(llvm::StringRef name) const;
  bool isOwn(const language::ModuleObject* module) const { return evaluation_->isOwn(module); }
  // Returns the jit function with that qualified name, or null if evaluation did not reach it.
  const language::FunctionObject* kernel(llvm::StringRef qualname, bool inMain = false) const;
  // Launches written in directive comments.
  struct Directed {
    evaluate::Launch launch;
    diagnostics::Location place;
  };
  const std::vector<Directed>& directed() const { return directed_; }
  // The program whose evaluation this one shares: itself, unless later edits only touched bodies
  // that evaluation does not enter.
  std::shared_ptr<const EvaluatedFile> evaluated() const {
    return evaluated_ ? evaluated_ : shared_from_this();
  }
  // The diagnostics of evaluating the module itself.
  const std::vector<diagnostics::Diagnostic>& diagnostics() const { return diagnostics_; }
  // Code of the program that launches kernels, but raises an exception instead.
  llvm::ArrayRef<FailedLaunch> failedLaunches() const { return failedLaunches_; }
  // The fingerprints of its kernels, computed on first use (Fingerprint.h).
  Fingerprinter& fingerprints() const { return *fingerprints_; }
  // Whether the evaluation of a later version may continue from this one.
  bool isWhole() const { return isWhole_; }
  // The approximate memory use.
  size_t bytes() const { return bytes_; }
  double parseMilliseconds() const { return parseMilliseconds_; }
  double evaluateMilliseconds() const { return evaluateMilliseconds_; }

  // One file of the program.
  struct Part {
    std::shared_ptr<const File> file;
    std::shared_ptr<const syntax::SyntaxTree> tree;
    codegen::SourceFile source;
  };
  llvm::ArrayRef<Part> parts() const { return parts_; }
  const Part* part(const language::ModuleObject& module) const { return part(module.path); }
  const Part* part(llvm::StringRef path) const;
  const codegen::SourceFile* find(const language::ModuleObject& module) const override;
  std::shared_ptr<const void> program() const override { return shared_from_this(); }

private:
  explicit EvaluatedFile(Interner& names);
  // Returns false if cancelled.
  bool evaluate(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                llvm::StringRef target, llvm::StringRef name, CancellationToken token);
  // Takes over the evaluation of a program of an earlier version of the file. Returns false if this
  // version differs in what the evaluation depends on (or if cancelled).
  bool rebind(const std::shared_ptr<const EvaluatedFile>& before, const Snapshot& snapshot,
              const std::shared_ptr<const File>& file, CancellationToken token);
  bool restart(); // after a partial rebind(); returns false
  bool finish(const Snapshot& snapshot, CancellationToken token);
  void add(const std::shared_ptr<const File>& file,
           const std::shared_ptr<const syntax::SyntaxTree>& tree);
  void readDirectives(Interner& names);
  // Returns whether evaluating again in this snapshot would read the same files.
  bool isCurrent(const Snapshot& snapshot) const;

  struct Import { // looked up by a file of the program; null if outside the workspace
    std::string importingPath, module;
    unsigned level;
    std::shared_ptr<const File> found;
  };

  std::shared_ptr<const EvaluatedFile> evaluated_; // null for this program
  std::vector<Part> parts_;                        // the file itself comes first
  llvm::StringMap<unsigned> partAt_;               // by path: the index of the part
  std::vector<Import> imports_;
  mutable std::atomic<uint64_t> currentAt_{0}; // stampOfImports() where it was current
  evaluate::ModuleEvaluation::Ptr evaluation_;
  language::Heap heap_;         // for directives
  language::TypeContext types_; // for directives
  std::vector<Directed> directed_;
  std::vector<std::shared_ptr<const syntax::SyntaxTree>> snippets_; // for directives
  std::vector<diagnostics::Diagnostic> diagnostics_;
  std::vector<FailedLaunch> failedLaunches_;
  std::unique_ptr<Fingerprinter> fingerprints_;
  double parseMilliseconds_ = 0, evaluateMilliseconds_ = 0;
  size_t bytes_ = 0;
  bool isWhole_ = true; // false if evaluation was stopped or not allowed
  friend struct EvaluatedFileCache;
};

} // namespace gluond::driver
