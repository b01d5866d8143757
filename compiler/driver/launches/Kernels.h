// The kernels of a file and the specializations of each: from directives, records, launches found,
// or typed defaults, in this order of precedence (docs/launch-records.md). Launches are found in
// the file itself, then in the files that use it (Elsewhere.h).
#pragma once

#include "driver/program/EvaluatedFile.h"
#include "driver/records/RecordFiles.h"

#include <tl/expected.hpp>

#include <map>
#include <mutex>

namespace gluond::driver {

enum class Origin : uint8_t { Directive, Record, Launch, Default };
llvm::StringRef originName(Origin origin); // "directive", "record", "launch", "default"

struct RetypedLaunch;

// A kernel's argument types and values, options and target, before they are resolved in a worker's
// context.
struct Variant {
  std::string id;     // unique in the file; the record's, or the found launch's
  std::string kernel; // qualname
  Origin origin = Origin::Default;
  std::string target;                          // "cuda:90"
  std::string label;                           // "BLOCK=256 num_warps=4 (cuda:90)"
  std::optional<diagnostics::Location> source; // the directive, the launch
  uint64_t hash = 0;                           // of everything here that the IR depends on
  std::shared_ptr<const EvaluatedFile> program;
  FoundRecord record{}; // for Origin::Record
  // For other origins; owned by `program`, or by `retyped`.
  const evaluate::Launch* launch = nullptr;
  std::shared_ptr<const RetypedLaunch> retyped = nullptr; // if the user gave types (GivenTypes.h)
  // True if the launch is in another file than the kernel; `program` is then that file's, and the
  // id ends in "@" and that file's name.
  bool isElsewhere = false;
  // The kernel's file, in the version that `program` read.
  const File& file() const;
};
// Returns where a found launch was made: the launch itself, then the calls that led to it.
std::vector<diagnostics::Location> launchPlaces(const Variant& variant);

struct Kernel {
  std::string qualname;
  text::Range name;              // of the name in its `def`
  std::vector<Variant> variants; // never empty
  size_t selected = 0;
  std::shared_ptr<const File> file;
  const Variant* find(llvm::StringRef id) const; // null if there is none
};

struct KernelList {
  std::vector<Kernel> kernels;                                // in order of the file
  std::vector<std::shared_ptr<const EvaluatedFile>> programs; // the first is the module's own
  std::vector<diagnostics::Diagnostic> problems;              // records that match no kernel
  std::vector<FailedLaunch> failedLaunches;                   // of these kernels, in all files
  // Files whose kernels call functions of this one.
  std::vector<std::shared_ptr<const File>> callers;
  bool isComplete = true; // false if variants were left out
  bool isStopped = false; // some were left out for good, because the file costs too much
  const FailedLaunch* failedLaunchOf(const Kernel& kernel) const; // the first; null if none fails
  const Kernel* find(llvm::StringRef qualname) const;
  const Kernel* at(text::Offset offset) const; // the one whose name or body contains the offset
};

// How far to look. Quick is used while typing: the file is evaluated for one target, so records for
// other targets are left out, except for a kernel's selected variant.
enum class Depth : uint8_t { Quick, Full };

// Caches the full lists of a snapshot's requests. May be called from any thread.
class KernelLists : public Cache {
public:
  const Lazy<KernelList>& of(const std::shared_ptr<const File>& file);
  // For callers that go through many files with one snapshot: drops the list of a file, which keeps
  // its programs alive. No other thread may be using the list.
  void forget(const std::shared_ptr<const File>& file);

private:
  std::mutex mutex_; // guards lists_, whose members never move
  std::map<std::shared_ptr<const File>, Lazy<KernelList>> lists_;
};

// Returns null if cancelled.
std::shared_ptr<const KernelList> kernelsOf(const Snapshot& snapshot,
                                            const std::shared_ptr<const File>& file,
                                            CancellationToken token, Depth depth = Depth::Full);

// Returns the kernels of other files that this one launches, in order of their files and places;
// their variants are only those launches. Returns null if cancelled.
std::shared_ptr<const KernelList> launchedElsewhere(const Snapshot& snapshot,
                                                    const std::shared_ptr<const File>& file,
                                                    CancellationToken token);

// Returns the definition with that qualified name ("f.<locals>.g"), the last one if there are
// several, or null if there is none.
const syntax::FunctionDef* findDefinition(const syntax::SyntaxTree& tree, llvm::StringRef qualname);

} // namespace gluond::driver
