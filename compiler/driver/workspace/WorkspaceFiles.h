// The Python files of the workspace's folders, for features that search all of them: references,
// workspace symbols, workspace diagnostics.
#pragma once

#include "driver/workspace/Workspace.h"
#include "files/Walk.h"

#include <list>
#include <mutex>

namespace gluond::driver {

// Returns the paths of the programs on disk below the roots (Settings::roots), sorted. Links to
// folders are not followed, and the listing is bounded (files::WalkLimits). It is made once per
// disk generation. Returns an empty list if cancelled.
std::shared_ptr<const std::vector<std::string>> pythonFiles(const Snapshot& snapshot,
                                                            CancellationToken token);

// Returns the files in a folder and below it whose name has one of the endings, relative to it. It
// skips hidden folders, caches, node_modules, site-packages, virtual environments, what git
// ignores, and each file or folder for whose path `isExcluded` returns true.
files::Walked programsBelow(llvm::StringRef folder,
                            llvm::function_ref<bool(llvm::StringRef)> isExcluded,
                            const CancellationToken& token, const files::WalkLimits& limits = {},
                            llvm::ArrayRef<llvm::StringRef> endings = {".py"});

// Returns the files, including open documents, whose text contains `word`. Other files are not kept
// in memory.
std::vector<std::shared_ptr<const File>> filesWith(const Snapshot& snapshot, llvm::StringRef word,
                                                   CancellationToken token);

// The same for notebooks on disk: those whose JSON contains `word`.
std::vector<std::shared_ptr<const File>>
notebooksWith(const Snapshot& snapshot, llvm::StringRef word, const CancellationToken& token);

// The cache of pythonFiles(). Internal to driver/.
struct FileListing : Cache {
  std::mutex mutex;
  uint64_t generation = ~uint64_t{0};
  std::vector<std::string> roots;
  std::shared_ptr<const std::vector<std::string>> files;
  // The files on disk that contain a word, for the most recent words.
  std::list<std::pair<std::string, std::vector<std::string>>> withWord;
};

} // namespace gluond::driver
