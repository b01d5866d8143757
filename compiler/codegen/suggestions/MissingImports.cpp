#include "codegen/suggestions/MissingImports.h"

#include "chips/GluonModules.h"
#include "language/types/Builtin.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

using syntax::Import;
using syntax::ImportFrom;
using syntax::Stmt;

namespace {

constexpr llvm::StringLiteral language = "triton.experimental.gluon.language";

struct Row {
  llvm::StringLiteral name, module, statement; // without a statement: from module import name
};
constexpr Row rows[] = {
    {"gl", "", "from triton.experimental.gluon import language as gl"},
    {"ttgl", "", "from triton.experimental.gluon import language as ttgl"},
    {"gluon", "triton.experimental", ""},
    {"TensorDescriptor", "triton.experimental.gluon.nvidia.hopper", ""},
    {"tl", "", "import triton.language as tl"},
    {"triton", "", "import triton"},
    {"torch", "", "import torch"},
    {"pytest", "", "import pytest"},
    {"math", "", "import math"},
    {"np", "", "import numpy as np"},
};

// Whether a module of Gluon has a name, which may be a module in it.
bool has(llvm::StringRef module, llvm::StringRef name) {
  const language::BuiltinModule* known = language::findModule(module);
  return known && !known->isClass &&
         (language::findBuiltin(known->id, name) || language::findSubmodule(*known, name));
}

// Whether the name is a module in a module of Gluon.
bool isSubmodule(llvm::StringRef module, llvm::StringRef name) {
  const language::BuiltinModule* known = language::findModule(module);
  return known && language::findSubmodule(*known, name);
}

// The module that Gluon's programs import a name from; "" if none has it.
std::string moduleOf(llvm::StringRef name, bool isCuda) {
  std::string found;
  llvm::StringRef vendor = isCuda ? "nvidia" : "amd";
  for (const chips::GluonModule& row : llvm::reverse(chips::gluonModules())) {
    if (row.vendor != vendor) continue;
    std::string module = (language + "." + vendor + "." + row.name).str();
    if (!has(module, name)) continue;
    // mbarrier of Ampere lacks most of Hopper's.
    bool isPoor = row.name == "ampere" && isSubmodule(module, name);
    if (!isPoor) return module;
    found = module;
  }
  std::string common = (language + "." + vendor).str();
  if (found.empty() && has(common, name)) return common;
  return found;
}

std::string moduleName(const ImportFrom& import, const Interner& names) {
  std::string module;
  for (const syntax::Identifier& part : import.module)
    module += (module.empty() ? "" : ".") + names.text(part.name).str();
  return module;
}

} // namespace

std::optional<MissingImport> missingImport(llvm::StringRef name, bool isCuda,
                                           syntax::Stmts statements, const Interner& names,
                                           const text::SourceText& source) {
  const Row* row = llvm::find_if(rows, [&](const Row& each) { return each.name == name; });
  bool isUsual = row != std::end(rows);
  const Stmt* last = nullptr; // of the file's imports
  std::optional<MissingImport> extended;
  for (const Stmt* each : statements) {
    if (llvm::isa<Import, ImportFrom>(each)) last = each;
    auto* from = llvm::dyn_cast<ImportFrom>(each);
    if (!from || from->level || from->names.empty() || from->isStar) continue;
    std::string module = moduleName(*from, names);
    if (isUsual ? row->module != module || module.empty() : !has(module, name)) continue;
    const syntax::Alias& alias = from->names.back();
    if (alias.path.empty()) continue;
    text::Offset end = alias.asName.name ? alias.asName.range.end : alias.path.back().range.end;
    bool isPoor = llvm::StringRef(module).ends_with("ampere") && isSubmodule(module, name);
    if (!extended || !isPoor)
      extended = MissingImport{{{end, end}, ", " + name.str()},
                               "from " + module + " import ..., " + name.str()};
    if (!isPoor) return extended;
  }
  if (extended) return extended;
  std::string statement = isUsual ? row->statement.str() : "";
  if (statement.empty()) {
    std::string module = isUsual ? row->module.str() : moduleOf(name, isCuda);
    if (module.empty()) return std::nullopt;
    statement = "from " + module + " import " + name.str();
  }
  if (last) return MissingImport{{{last->range.end, last->range.end}, "\n" + statement}, statement};
  // Before the first statement, but after the module's documentation.
  const Stmt* first = statements.empty() ? nullptr : statements.front();
  auto* documentation = llvm::dyn_cast_if_present<syntax::ExprStmt>(first);
  if (documentation && llvm::isa<syntax::Constant>(documentation->value))
    return MissingImport{{{first->range.end, first->range.end}, "\n" + statement}, statement};
  text::Offset begin =
      first ? source.lineStart(source.lineOf(first->range.begin)) : text::Offset(0);
  return MissingImport{{{begin, begin}, statement + "\n"}, statement};
}

} // namespace gluond::codegen
