// The names that a file imports and mentions, found in its text without parsing: enough to say
// which files of a workspace may launch a kernel, at the speed of reading them.
//
// The result may contain too much (a name in a string is a mention), but misses nothing that import
// statements, definitions and assignments say. Evaluation decides what really happens.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gluond::driver {

// `from pkg.kern import kernel as k`, `import pkg.kern as k`, anywhere in the file.
struct ScannedImport {
  std::string module;                                     // "pkg.kern"; empty for `from . import`
  unsigned level = 0;                                     // number of leading dots
  std::string alias;                                      // of `import module as alias`
  std::vector<std::pair<std::string, std::string>> names; // for `from`: (name, name it is bound to)
  bool isFrom = false, isStar = false;
  bool operator==(const ScannedImport&) const = default;
};

struct ScannedImports {
  std::vector<ScannedImport> imports;
  // Whether the file may import modules in other ways: sys.path, importlib. Then words in strings
  // count as names of modules, too.
  bool isDynamic = false;
  std::vector<std::string> words; // words in these strings; only for such files
  bool operator==(const ScannedImports&) const = default;
};
// Returns nullopt if it had to stop (Spending::isSpent).
std::optional<ScannedImports> scanImports(llvm::StringRef text);
// Visits each part of a module's name, each imported name, "." for a relative import, and each of
// the words.
void forEachWord(const ScannedImports& scanned, llvm::function_ref<void(llvm::StringRef)> visit);

// The name under which other files import a path: kern.py as kern, ops/__init__.py as ops.
llvm::StringRef moduleNameOf(llvm::StringRef path);

// A statement at the top level, including its body.
struct ScannedStatement {
  bool isImport = false;
  bool isDefinition = false; // a function or a class
  // Whether it does something when the file is imported, tested or run as a script: a call, a loop,
  // a test. Other definitions and assignments only serve such statements.
  bool isRun = false;
  std::vector<llvm::StringRef> binds; // names that other files may import
  std::vector<llvm::StringRef>
      mentions; // sorted, without duplicates: "name", ".member", "'text" of a string
  // Of the mentions, those that may be given the others: outside of brackets, of a definition those
  // in its decorators.
  std::vector<llvm::StringRef> receivers;
  bool hasMention(llvm::StringRef word) const;
};
// The names of one version of a file, statement by statement. A version that is derived from an
// earlier one only scans what changed.
class NameScan {
public:
  // The text from one top-level statement to the next, and its names.
  struct Piece {
    explicit Piece(llvm::StringRef text);
    const std::string text; // the parts below refer to it
    ScannedStatement statement;
    ScannedImports imports; // including their words
  };

  // `before` is null or any other text's scan; the more similar, the faster. Returns null if it had
  // to stop (Spending::isSpent).
  static std::shared_ptr<const NameScan> of(llvm::StringRef text, const NameScan* before);

  // As scanImports() returns them; the same object if an edit did not change them.
  const std::shared_ptr<const ScannedImports>& imports() const { return imports_; }
  const std::vector<std::shared_ptr<const Piece>>& pieces() const { return pieces_; }

private:
  std::vector<std::shared_ptr<const Piece>> pieces_; // their texts form the whole
  std::shared_ptr<const ScannedImports> imports_;
};

} // namespace gluond::driver
