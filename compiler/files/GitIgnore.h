// What git leaves out of a repository: .gitignore in its folders, .git/info/exclude. Reads the
// files it needs, bounded; asks git nothing.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace gluond::files {

// Of the files below one folder, which need not be the repository's own.
class GitIgnore {
public:
  // `root`: absolute. Without a repository around it nothing is ignored.
  explicit GitIgnore(llvm::StringRef root);

  // `name` is relative to the root, with '/'. Folders are asked before what is in them: what lies
  // in an ignored folder is not asked for.
  bool ignores(llvm::StringRef name, bool isFolder);

private:
  struct Rule {
    std::string pattern; // without leading and trailing '/'
    bool isNegated, onlyFolders, isAnchored;
  };
  using Rules = std::vector<Rule>;
  Rules read(const std::string& path) const;
  const Rules& rulesOf(llvm::StringRef folder); // relative to the repository

  std::string repository_; // absolute; empty: there is none
  std::string prefix_;     // of the root, relative to the repository, with a '/' at its end
  Rules exclude_;
  llvm::StringMap<Rules> known_;
};

// A shell pattern with '*' and '?' within a name, '**' across folders, and [classes].
bool matchesGlob(llvm::StringRef pattern, llvm::StringRef name);

} // namespace gluond::files
