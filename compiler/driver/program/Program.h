// A file evaluated at compile time, for one target: its module, all it imports from the workspace,
// the launches found.
//
// Made once and shared; immutable, any thread may read it. Values, functions and types in it live
// as long as it does.
#pragma once

#include "codegen/context/SourceFiles.h"
#include "driver/workspace/Workspace.h"
#include "evaluate/ModuleEvaluation.h"
#include "syntax/SyntaxTree.h"

#include <memory>
#include <string>
#include <vector>

namespace gluond::driver {

class Fingerprinter;

class Program final : public codegen::SourceFiles, public std::enable_shared_from_this<Program> {
public:
  // The file's program in this snapshot, evaluated now or earlier. `name` is the __name__ under
  // which it shall be found: empty for the file's stem; "__main__" for a script; anything else a
  // record may say. Null: cancelled.
  static std::shared_ptr<const Program> of(const Snapshot& snapshot,
                                           const std::shared_ptr<const File>& file,
                                           llvm::StringRef target, llvm::StringRef name,
                                           CancellationToken token);
  ~Program() override;

  const File& file() const { return *parts_.front().file; }
  const syntax::SyntaxTree& tree() const { return *parts_.front().tree; }
  const std::string& target() const { return evaluation_->target(); }
  const evaluate::ModuleEvaluation& evaluation() const { return *evaluation_; }
  const language::ModuleObject* module() const { return evaluation_->module(); }
  // The file's module under a name: the script's run for "__main__" where there is one.
  const language::ModuleObject* module(llvm::StringRef name) const;
  bool isOwn(const language::ModuleObject* module) const {
    return module && (module == evaluation_->module() || module == evaluation_->mainModule());
  }
  // The jit function with that qualified name; null when evaluation did not come by it.
  const language::FunctionObject* kernel(llvm::StringRef qualname, bool inMain = false) const;
  // Launches written in directive comments.
  struct Directed {
    evaluate::Launch launch;
    diagnostics::Location place;
  };
  const std::vector<Directed>& directed() const { return directed_; }
  // The program whose evaluation this one shares: itself, unless edits since then touched nothing
  // but bodies that evaluation does not look into.
  std::shared_ptr<const Program> evaluated() const {
    return evaluated_ ? evaluated_ : shared_from_this();
  }
  // What evaluation has to say of the module itself.
  const std::vector<diagnostics::Diagnostic>& diagnostics() const { return diagnostics_; }
  // Of its kernels, made when first asked for (Fingerprint.h).
  Fingerprinter& fingerprints() const { return *fingerprints_; }
  // Whether an evaluation of later text may go on from this one.
  bool isWhole() const { return isWhole_; }
  // What it takes in memory, about.
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
  explicit Program(Interner& names);
  // False: cancelled.
  bool evaluate(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                llvm::StringRef target, llvm::StringRef name, CancellationToken token);
  // Takes over the evaluation of a program of an earlier version of the file. False: this version
  // differs in what that depends on (or cancelled).
  bool rebind(const std::shared_ptr<const Program>& before, const Snapshot& snapshot,
              const std::shared_ptr<const File>& file, CancellationToken token);
  bool restart(); // after rebind() came part of the way; false
  bool finish(const Snapshot& snapshot, CancellationToken token);
  void add(const std::shared_ptr<const File>& file,
           const std::shared_ptr<const syntax::SyntaxTree>& tree);
  void readDirectives(Interner& names);
  void takeErrors();
  // Whether evaluating again in this snapshot would read the same files.
  bool isCurrent(const Snapshot& snapshot) const;

  struct Import { // looked up by a file of the program; null: not in the workspace
    std::string importingPath, module;
    unsigned level;
    std::shared_ptr<const File> found;
  };

  std::shared_ptr<const Program> evaluated_; // null: this one
  std::vector<Part> parts_;                  // the file itself first
  std::vector<Import> imports_;
  evaluate::ModuleEvaluation::Ptr evaluation_;
  language::Heap heap_;         // of directives
  language::TypeContext types_; // likewise
  std::vector<Directed> directed_;
  std::vector<std::shared_ptr<const syntax::SyntaxTree>> snippets_; // likewise
  std::vector<diagnostics::Diagnostic> diagnostics_;
  std::unique_ptr<Fingerprinter> fingerprints_;
  double parseMilliseconds_ = 0, evaluateMilliseconds_ = 0;
  size_t bytes_ = 0;
  bool isWhole_ = true; // false: evaluation was stopped, or not allowed
  friend struct ProgramCache;
};

} // namespace gluond::driver
