// The files that git ignores: .gitignore in the folders, .git/info/exclude. It reads these files,
// within limits, and does not run git.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::files {

// The rules for files below one folder, which need not be the repository's root.
class GitIgnore {
public:
  // `root` is absolute. If it is in no repository, nothing is ignored.
  explicit GitIgnore(llvm::StringRef root);

  // `name` is relative to the root, with '/'. Call it for a folder before its contents, and not for
  // the contents of ignored folders.
  bool ignores(llvm::StringRef name, bool isFolder);

private:
  struct Rule {
    std::string pattern; // without leading and trailing '/'
    bool isNegated, onlyFolders, isAnchored;
  };
  using Rules = std::vector<Rule>;
  Rules read(const std::string& path) const;
  const Rules& rulesOf(llvm::StringRef folder); // relative to the repository

  std::string repository_; // absolute; empty if there is none
  std::string prefix_;     // of the root, relative to the repository, with a '/' at its end
  Rules exclude_;
  llvm::StringMap<Rules> known_;
};

// A shell pattern with '*' and '?' within a name, '**' across folders, and [classes].
bool matchesGlob(llvm::StringRef pattern, llvm::StringRef name);
// Why a text is no such pattern, as a sentence: it is empty, or a class has no end.
std::optional<std::string> whyNoGlob(llvm::StringRef pattern);

} // namespace gluond::files
