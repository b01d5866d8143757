// The Python files of the workspace's folders, for what looks at all of them: references, workspace
// symbols, workspace diagnostics.
#pragma once

#include "driver/workspace/Workspace.h"
#include "files/Walk.h"

#include <list>
#include <mutex>

namespace gluond::driver {

// Paths on disk of the programs below the roots (Settings::roots), sorted. Links to folders are not
// followed, and the listing is bounded (files::WalkLimits). Listed once per disk generation. Empty
// when cancelled.
std::shared_ptr<const std::vector<std::string>> pythonFiles(const Snapshot& snapshot,
                                                            CancellationToken token);

// The *.py in a folder and below it, by their paths from there. Hidden folders, caches,
// node_modules, site-packages, virtual environments and what git ignores are passed over, and so is
// each file or folder whose path `isExcluded` is true for.
files::Walked programsBelow(llvm::StringRef folder,
                            llvm::function_ref<bool(llvm::StringRef)> isExcluded,
                            const CancellationToken& token, const files::WalkLimits& limits = {});

// The files, open documents among them, whose text has `word` in it. What does not have it is not
// kept in memory.
std::vector<std::shared_ptr<const File>> filesWith(const Snapshot& snapshot, llvm::StringRef word,
                                                   CancellationToken token);

// What pythonFiles() keeps. Internal to driver/.
struct FileListing : Memory {
  std::mutex mutex;
  uint64_t generation = ~uint64_t{0};
  std::vector<std::string> roots;
  std::shared_ptr<const std::vector<std::string>> files;
  // Which of them (on disk) have a word, for the words asked for last.
  std::list<std::pair<std::string, std::vector<std::string>>> withWord;
};

} // namespace gluond::driver
