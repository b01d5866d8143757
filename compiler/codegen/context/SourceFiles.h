// Where the text of a module is: codegen needs it for locations and messages, and knows modules
// only as values.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "language/values/Value.h"
#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <memory>

namespace gluond::codegen {

struct SourceFile {
  diagnostics::FileId id;
  const text::SourceText* text = nullptr;
  uint32_t nodeCount = 0;   // of its tree
  syntax::Stmts statements; // of the module: where globals are assigned
};

// Answers for every module whose functions a kernel may call. Null: text is not at hand (locations
// become unknown).
class SourceFiles {
public:
  virtual ~SourceFiles() = default;
  virtual const SourceFile* find(const language::ModuleObject& module) const = 0;
  // The program that all the files belong to, which never changes; null when nothing should be kept
  // of it.
  virtual std::shared_ptr<const void> program() const { return nullptr; }
};

} // namespace gluond::codegen
