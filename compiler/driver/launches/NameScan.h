// The names that a file imports and mentions, read off its text without parsing it: enough to say
// which files of a workspace may launch a kernel, at the speed of reading them.
//
// All of it may say too much (a name in a string is a mention), never too little, of what Python's
// import statements, definitions and assignments say. What really happens evaluation knows.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <memory>
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
  bool operator==(const ScannedImport&) const = default;
};

struct ScannedImports {
  std::vector<ScannedImport> imports;
  // Whether the file may find modules in other ways: sys.path, importlib. Then words that stand in
  // strings are names of modules, too.
  bool isDynamic = false;
  std::vector<std::string> words; // in these strings; of such files alone
  bool operator==(const ScannedImports&) const = default;
};
ScannedImports scanImports(llvm::StringRef text);
// Each part of a module's name and each name that is imported, "." for a relative import, and each
// of the words.
void forEachWord(const ScannedImports& scanned, llvm::function_ref<void(llvm::StringRef)> visit);

// What other files import the one at this path as: kern.py as kern, ops/__init__.py as ops.
llvm::StringRef moduleNameOf(llvm::StringRef path);

// A statement at the top level, with all that belongs to it.
struct ScannedStatement {
  bool isImport = false;
  std::vector<llvm::StringRef> binds; // names that other files may import
  std::vector<llvm::StringRef>
      mentions; // sorted, each once: "name", ".member", "'text" of a string
  bool hasMention(llvm::StringRef word) const;
};
// What one version of a file says, statement by statement. A version that is made from an earlier
// one reads what changed between them.
class NameScan {
public:
  // The text from one statement at the top level to the next, and what it says.
  struct Piece {
    explicit Piece(llvm::StringRef text);
    const std::string text; // the parts below refer to it
    ScannedStatement statement;
    ScannedImports imports; // with their words
  };

  // `before`: null, or any other text's; the more alike, the quicker.
  static std::shared_ptr<const NameScan> of(llvm::StringRef text, const NameScan* before);

  const ScannedImports& imports() const { return *imports_; } // as scanImports() gives them
  const std::vector<std::shared_ptr<const Piece>>& pieces() const { return pieces_; }

private:
  std::vector<std::shared_ptr<const Piece>> pieces_; // whose texts make up the whole
  std::shared_ptr<const ScannedImports> imports_;
};

} // namespace gluond::driver
