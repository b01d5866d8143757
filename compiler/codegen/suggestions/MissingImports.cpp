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

// Modules that are imported by their names.
constexpr llvm::StringLiteral standardModules[] = {
    "abc",         "argparse",    "ast",        "asyncio",   "base64",    "bisect",
    "cProfile",    "collections", "contextlib", "copy",      "csv",       "ctypes",
    "dataclasses", "datetime",    "enum",       "functools", "gc",        "getpass",
    "glob",        "gzip",        "hashlib",    "heapq",     "importlib", "inspect",
    "io",          "itertools",   "json",       "logging",   "math",      "multiprocessing",
    "operator",    "os",          "pathlib",    "pickle",    "platform",  "pprint",
    "random",      "re",          "shutil",     "signal",    "socket",    "statistics",
    "string",      "struct",      "subprocess", "sys",       "tempfile",  "textwrap",
    "threading",   "time",        "timeit",     "traceback", "types",     "typing",
    "unittest",    "uuid",        "warnings",   "weakref",   "numpy"};
constexpr Row hostRows[] = {
    {"ABC", "abc", ""},
    {"abstractmethod", "abc", ""},
    {"Counter", "collections", ""},
    {"OrderedDict", "collections", ""},
    {"defaultdict", "collections", ""},
    {"deque", "collections", ""},
    {"namedtuple", "collections", ""},
    {"contextmanager", "contextlib", ""},
    {"nullcontext", "contextlib", ""},
    {"suppress", "contextlib", ""},
    {"deepcopy", "copy", ""},
    {"dataclass", "dataclasses", ""},
    {"asdict", "dataclasses", ""},
    {"field", "dataclasses", ""},
    {"replace", "dataclasses", ""},
    {"Enum", "enum", ""},
    {"IntEnum", "enum", ""},
    {"auto", "enum", ""},
    {"cache", "functools", ""},
    {"lru_cache", "functools", ""},
    {"partial", "functools", ""},
    {"reduce", "functools", ""},
    {"wraps", "functools", ""},
    {"chain", "itertools", ""},
    {"combinations", "itertools", ""},
    {"permutations", "itertools", ""},
    {"product", "itertools", ""},
    {"Path", "pathlib", ""},
    {"perf_counter", "time", ""},
    {"Any", "typing", ""},
    {"Callable", "typing", ""},
    {"Dict", "typing", ""},
    {"Iterable", "typing", ""},
    {"List", "typing", ""},
    {"Literal", "typing", ""},
    {"NamedTuple", "typing", ""},
    {"Optional", "typing", ""},
    {"Sequence", "typing", ""},
    {"Tuple", "typing", ""},
    {"Union", "typing", ""},
    {"do_bench", "triton.testing", ""},
    {"nn", "torch", ""},
    {"F", "", "import torch.nn.functional as F"},
    {"pd", "", "import pandas as pd"},
    {"plt", "", "import matplotlib.pyplot as plt"},
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

// The same import with one name more; nullopt for one that cannot be extended.
std::optional<MissingImport> extension(const ImportFrom& from, llvm::StringRef name,
                                       const Interner& names) {
  if (from.names.empty() || from.names.back().path.empty()) return std::nullopt;
  const syntax::Alias& alias = from.names.back();
  text::Offset end = alias.asName.name ? alias.asName.range.end : alias.path.back().range.end;
  return MissingImport{{{end, end}, ", " + name.str()},
                       "from " + moduleName(from, names) + " import ..., " + name.str()};
}

const Row* rowOf(llvm::StringRef name, llvm::ArrayRef<Row> table) {
  auto row = llvm::find_if(table, [&](const Row& each) { return each.name == name; });
  return row == table.end() ? nullptr : row;
}

// An import in a line of its own: after the other imports, or else before the first statement, but
// after the module's documentation.
MissingImport ownLine(std::string statement, syntax::Stmts statements,
                      const text::SourceText& source) {
  const Stmt* after = nullptr;
  for (const Stmt* each : statements)
    if (llvm::isa<Import, ImportFrom>(each)) after = each;
  const Stmt* first = statements.empty() ? nullptr : statements.front();
  auto* documentation = llvm::dyn_cast_if_present<syntax::ExprStmt>(first);
  if (!after && documentation && llvm::isa<syntax::Constant>(documentation->value)) after = first;
  if (after) return {{{after->range.end, after->range.end}, "\n" + statement}, statement};
  text::Offset begin =
      first ? source.lineStart(source.lineOf(first->range.begin)) : text::Offset(0);
  return {{{begin, begin}, statement + "\n"}, statement};
}

} // namespace

std::optional<MissingImport> missingHostImport(llvm::StringRef name, syntax::Stmts statements,
                                               const Interner& names,
                                               const text::SourceText& source) {
  if (llvm::is_contained(standardModules, name))
    return ownLine("import " + name.str(), statements, source);
  const Row* row = rowOf(name, hostRows);
  if (!row) return std::nullopt;
  if (!row->statement.empty()) return ownLine(row->statement.str(), statements, source);
  for (const Stmt* each : statements)
    if (auto* from = llvm::dyn_cast<ImportFrom>(each);
        from && !from->level && !from->isStar && moduleName(*from, names) == row->module)
      if (auto extended = extension(*from, name, names)) return extended;
  return ownLine(("from " + row->module + " import " + name).str(), statements, source);
}

std::optional<MissingImport> missingImport(llvm::StringRef name, bool isCuda,
                                           syntax::Stmts statements, const Interner& names,
                                           const text::SourceText& source) {
  const Row* row = rowOf(name, rows);
  bool isUsual = row != nullptr;
  std::optional<MissingImport> extended;
  for (const Stmt* each : statements) {
    auto* from = llvm::dyn_cast<ImportFrom>(each);
    if (!from || from->level || from->names.empty() || from->isStar) continue;
    std::string module = moduleName(*from, names);
    if (isUsual ? row->module != module || module.empty() : !has(module, name)) continue;
    auto more = extension(*from, name, names);
    if (!more) continue;
    bool isPoor = llvm::StringRef(module).ends_with("ampere") && isSubmodule(module, name);
    if (!extended || !isPoor) extended = std::move(more);
    if (!isPoor) return extended;
  }
  if (extended) return extended;
  std::string statement = isUsual ? row->statement.str() : "";
  if (statement.empty()) {
    std::string module = isUsual ? row->module.str() : moduleOf(name, isCuda);
    if (module.empty()) return std::nullopt;
    statement = "from " + module + " import " + name.str();
  }
  return ownLine(std::move(statement), statements, source);
}

} // namespace gluond::codegen
