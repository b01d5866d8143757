// The files that launch records refer to, parsed and evaluated: it maps a record to a
// specialization, and a module to its text. It serves one target and one thread; records of another
// target need another RecordedProgram, because module code may depend on the target.
#pragma once

#include "codegen/context/CodegenContext.h"
#include "codegen/context/SourceFiles.h"
#include "driver/records/LaunchRecords.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::driver {

class RecordedProgram final : public codegen::SourceFiles {
public:
  // Returns the tree of a file by its path, or null if there is no such file.
  using Trees = std::function<syntax::SyntaxTree::Ptr(llvm::StringRef path)>;

  RecordedProgram(codegen::CodegenContext& context, std::string target, Trees trees);
  ~RecordedProgram() override;

  // Valid as long as this program lives. The error is a sentence for the user.
  tl::expected<codegen::Specialization, std::string> resolve(const LaunchRecord& record);
  // Parses and evaluates a file in advance of resolve(). Returns false if there is no such file.
  bool load(llvm::StringRef path, llvm::StringRef moduleName);

  const codegen::SourceFile* find(const language::ModuleObject& module) const override;
  evaluate::Interpreter& interpreter() { return interpreter_; }

private:
  struct Loaded {
    syntax::SyntaxTree::Ptr tree;
    const language::ModuleObject* module = nullptr;
    codegen::SourceFile source;
  };
  const Loaded* loaded(llvm::StringRef path, llvm::StringRef name);
  syntax::SyntaxTree::Ptr tree(llvm::StringRef path);
  std::optional<evaluate::ModuleSource> moduleIn(llvm::StringRef folder, llvm::StringRef module);
  std::optional<evaluate::ModuleSource> import(llvm::StringRef importer, llvm::StringRef module,
                                               unsigned level);

  codegen::CodegenContext& context_;
  Trees trees_;
  language::TypeContext types_; // of the program; codegen imports what it needs
  language::Heap heap_;
  evaluate::Interpreter interpreter_;
  llvm::StringMap<syntax::SyntaxTree::Ptr> parsed_;
  llvm::StringMap<Loaded> modules_;                      // by path and name
  mutable llvm::StringMap<codegen::SourceFile> sources_; // by path
};

} // namespace gluond::driver
