// The names that a file imports and mentions, read off its text without parsing it: enough to say
// which files of a workspace may launch a kernel, at the speed of reading them.
//
// All of it may say too much (a name in a string is a mention), never too little, of what Python's
// import statements, definitions and assignments say. What really happens evaluation knows.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <utility>
#include <vector>

namespace gluond::driver {

// `from pkg.kern import kernel as k`, `import pkg.kern as k`, wherever it stands.
struct ScannedImport {
  std::string module;                                     // "pkg.kern"; empty for `from . import`
  unsigned level = 0;                                     // leading dots
  std::string alias;                                      // of `import module as alias`
  std::vector<std::pair<std::string, std::string>> names; // of `from`: (name, what it is bound to)
  bool isFrom = false, isStar = false;
};

struct ScannedImports {
  std::vector<ScannedImport> imports;
  // Whether the file may find modules in other ways: sys.path, importlib. Then words that stand in
  // strings are names of modules, too.
  bool isDynamic = false;
  std::vector<std::string> words; // in these strings; of such files alone
};
ScannedImports scanImports(llvm::StringRef text);
// Each part of a module's name and each name that is imported, "." for a relative import, and each
// of the words.
void forEachWord(const ScannedImports& scanned, llvm::function_ref<void(llvm::StringRef)> visit);

// A statement at the top level, with all that belongs to it.
struct ScannedStatement {
  bool isImport = false;
  std::vector<llvm::StringRef> binds; // names that other files may import
  std::vector<llvm::StringRef>
      mentions; // sorted, each once: "name", ".member", "'text" of a string
  bool hasMention(llvm::StringRef word) const;
};
// They refer to the text.
std::vector<ScannedStatement> scanStatements(llvm::StringRef text);

} // namespace gluond::driver
