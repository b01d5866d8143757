// Finds the files of a project that use what a file defines: those that may launch its kernels, and
// those whose kernels may call its functions. It uses names alone (NameScan.h), along imports and
// re-exports; evaluating the files shows what they really do.
//
// Each file of a project is read once for its imports, and again when it changes on disk. A file
// counts as a user if it imports the other one, directly or through files that re-export names, and
// mentions a kernel, a function that launches it, or a name derived from these.
#pragma once

#include "driver/users/NameFlow.h"
#include "driver/workspace/ProjectFolder.h"
#include "driver/workspace/Workspace.h"
#include "files/FileStamp.h"

#include <map>
#include <mutex>

namespace gluond::driver {

struct Importers {
  // A file that uses the other one directly, or one that runs something with it (ScannedStatement):
  // a test that calls a function that launches a kernel.
  struct User {
    std::shared_ptr<const File> file;
    unsigned distance = 1; // 1 if no other file does something with the names in between
    // A check of all files includes those that launch kernels, and those that call functions of
    // these.
    static constexpr unsigned near = 2;
    bool isNear() const { return distance <= near; }
  };
  std::vector<User> files; // nearest first; without the file itself
  bool isWhole = true;     // false if the project has more files than are searched
};

// Which names of a file users are searched for: those of its kernels and what depends on them. A
// file without kernels has none, but for Names::OfHostCode what depends on kernels that it imports.
enum class Names : uint8_t { OfKernels, OfHostCode };

// Whether a file may define functions that kernels use: jit functions, or constexpr functions.
bool mayDefineForKernels(llvm::StringRef text);

// What a project runs comes to its kernels in the end: files that are further away do not count.
inline constexpr unsigned farthestUser = 3;

// Returns null if cancelled. Open documents take precedence over files on disk; ProjectFolder.h
// decides which folder is the project. Users beyond the distance `farthest` are not searched for.
std::shared_ptr<const Importers> importersOf(const Snapshot& snapshot,
                                             const std::shared_ptr<const File>& file,
                                             CancellationToken token,
                                             Names names = Names::OfKernels,
                                             unsigned farthest = farthestUser);

// Returns whether a file of the project that may import this one mentions the name.
bool isMentionedElsewhere(const Snapshot& snapshot, const File& file, llvm::StringRef name,
                          const CancellationToken& token);

// Returns whether an import in the file `user` may refer to the path `file`, without accessing the
// disk: the names agree.
bool mayMean(llvm::StringRef user, llvm::StringRef module, unsigned level, llvm::StringRef file);

// Returns whether a file mentions Gluon, or imports a file of the workspace that does, directly or
// indirectly: such a file may launch kernels without naming Gluon itself.
bool reachesGluon(const Snapshot& snapshot, const File& file);

// The cache of importersOf(). Internal to driver/.
struct ImportIndex : Cache {
  struct Entry {
    std::shared_ptr<const ScannedImports> imports;
    files::FileStamp stamp = {};
  };
  struct Project {
    uint64_t generation = ~uint64_t{0}; // of the disk
    std::string folder;
    std::shared_ptr<const std::vector<std::string>> files;
    bool isWhole = true;
    std::vector<std::shared_ptr<const ScannedImports>> imports; // of the files, in the same order
    llvm::StringMap<std::vector<uint32_t>> byWord;              // files, by a name that they import
  };
  // How a file imports another one.
  struct Link {
    std::string user;
    bool isModule = false, isStar = false; // it has the members, or the names, of that file
    std::vector<std::pair<std::string, std::string>> names; // that it imports: (name, bound name)
    std::vector<std::string> modules;                       // names that it binds to that file
  };
  using Links = std::vector<Link>;
  // The answer for one file, and everything that it depends on.
  struct Answer {
    uint64_t key = 0;
    std::vector<std::pair<unsigned, std::string>> users; // distance and path
    bool isWhole = true;
  };
  std::mutex scanMutex;
  llvm::StringMap<std::shared_ptr<const NameScan>> scans; // the latest one of each open document
  std::mutex mutex;
  llvm::StringMap<Entry> entries;                                 // by path
  std::map<std::string, std::shared_ptr<const Project>> projects; // by folder
  llvm::StringMap<Answer> answers;
  // The links to a file, by project and file, and what they depend on.
  llvm::StringMap<std::shared_ptr<const Links>> links;
  uint64_t filesOfLinks = 0;
  std::vector<std::shared_ptr<const ScannedImports>> importsOfOpen;
};

} // namespace gluond::driver
