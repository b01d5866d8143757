// Maps modules to their text: codegen needs the text for locations and messages, and knows modules
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
  uint32_t nodeCount = 0;   // of the syntax tree
  syntax::Stmts statements; // of the module: where globals are assigned
};

// Answers for every module whose functions a kernel may call. Returns null if the text is not
// available (locations become unknown).
class SourceFiles {
public:
  virtual ~SourceFiles() = default;
  virtual const SourceFile* find(const language::ModuleObject& module) const = 0;
  // The immutable program that all the files belong to; null if nothing should be kept for
  // it.
  virtual std::shared_ptr<const void> program() const { return nullptr; }
};

} // namespace gluond::codegen
