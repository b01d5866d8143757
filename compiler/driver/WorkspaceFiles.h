// The Python files of the workspace's folders, for what looks at all of them: references, workspace
// symbols, workspace diagnostics.
#pragma once

#include "driver/Workspace.h"

#include <list>
#include <mutex>

namespace gluond::driver {

// Paths on disk in the roots (Settings::roots), sorted. Hidden folders, virtual environments,
// node_modules and __pycache__ are passed over, links to folders are not followed, and what is
// listed is bounded (files::WalkLimits). Listed once per disk generation. Empty when cancelled.
std::shared_ptr<const std::vector<std::string>> pythonFiles(const Snapshot& snapshot,
                                                            CancellationToken token);

// The same below one folder, which lies in the workspace. `isWhole`: false where limits ended the
// listing (or it was cancelled).
std::vector<std::string> pythonFilesBelow(const std::string& folder, bool& isWhole,
                                          const CancellationToken& token);

// The files, open documents among them, whose text has `word` in it. What does not have it is not
// kept in memory.
std::vector<std::shared_ptr<const File>> filesWith(const Snapshot& snapshot, llvm::StringRef word,
                                                   CancellationToken token);

// What pythonFiles() keeps. Internal to driver/.
struct FileListing {
  std::mutex mutex;
  uint64_t generation = ~uint64_t{0};
  std::vector<std::string> roots;
  std::shared_ptr<const std::vector<std::string>> files;
  // Which of them (on disk) have a word, for the words asked for last.
  std::list<std::pair<std::string, std::vector<std::string>>> withWord;
};

} // namespace gluond::driver
