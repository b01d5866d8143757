// The kernels of a file and what each is specialized on: directives, records, launches found, typed
// defaults, in this order of precedence (docs/launch-records.md). Launches are found in the file
// itself, then in the files that use it (Elsewhere.h).
#pragma once

#include "driver/program/Program.h"
#include "driver/records/RecordFiles.h"

#include <tl/expected.hpp>

#include <map>
#include <mutex>

namespace gluond::driver {

enum class Origin : uint8_t { Directive, Record, Launch, Default };
llvm::StringRef originName(Origin origin); // "directive", "record", "launch", "default"

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
  std::shared_ptr<const Program> program;
  FoundRecord record{};                     // Origin::Record
  const evaluate::Launch* launch = nullptr; // the others; in `program`
  // Launched in another file than the kernel's, whose program `program` is. The id ends in "@" and
  // that file's name.
  bool isElsewhere = false;
  // The file of the kernel, as `program` read it.
  const File& file() const;
};
// Where a found launch was made, the launch itself first, then the calls that led there.
std::vector<diagnostics::Location> launchPlaces(const Variant& variant);

struct Kernel {
  std::string qualname;
  text::Range name;              // in its `def`
  std::vector<Variant> variants; // never empty
  size_t selected = 0;
  std::shared_ptr<const File> file;
  const Variant* find(llvm::StringRef id) const; // null: none
};

struct KernelList {
  std::vector<Kernel> kernels;                          // in order of the file
  std::vector<std::shared_ptr<const Program>> programs; // the first speaks for the module
  std::vector<diagnostics::Diagnostic> problems;        // records that fit no kernel
  // Files whose kernels call functions of this one.
  std::vector<std::shared_ptr<const File>> callers;
  bool isComplete = true; // false: variants were left out
  bool isStopped = false; // some of them for good: the file costs too much
  const Kernel* find(llvm::StringRef qualname) const;
  const Kernel* at(text::Offset offset) const; // the one whose name or body is there
};

// How far to look. Quick is what a keystroke waits for: the file is evaluated for one target, so
// that records for others are left out, but for a kernel's selected variant.
enum class Depth : uint8_t { Quick, Full };

// The full lists that a snapshot's requests asked for, each made once. Any thread.
class KernelLists : public Memory {
public:
  const Lazy<KernelList>& of(const std::shared_ptr<const File>& file);
  // For whoever goes through many files with one snapshot and is done with this one: its list keeps
  // its programs alive. Nobody else may be using the list.
  void forget(const std::shared_ptr<const File>& file);

private:
  std::mutex mutex_; // guards lists_, whose members stay where they are
  std::map<std::shared_ptr<const File>, Lazy<KernelList>> lists_;
};

// Null: cancelled.
std::shared_ptr<const KernelList> kernelsOf(const Snapshot& snapshot,
                                            const std::shared_ptr<const File>& file,
                                            CancellationToken token, Depth depth = Depth::Full);

// The kernels of other files that this one launches, in order of their files and places; variants
// are those launches alone. Null: cancelled.
std::shared_ptr<const KernelList> launchedElsewhere(const Snapshot& snapshot,
                                                    const std::shared_ptr<const File>& file,
                                                    CancellationToken token);

// The definition with that qualified name ("f.<locals>.g"), the last one where there are several;
// null: none.
const syntax::FunctionDef* findDefinition(const syntax::SyntaxTree& tree, llvm::StringRef qualname);

} // namespace gluond::driver
