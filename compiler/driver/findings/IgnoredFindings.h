// Warnings and hints that the user does not want: `# gluond: ignore[slug, slug]` (or `# gluond:
// ignore` for all) at the end of the line, or at or right above the `def` of an enclosing function;
// and Settings::ignored. Errors are never ignored: Triton would not compile the kernel.
//
// A comment that silences nothing is told, as other linters do: it hides the finding that somebody
// makes there later.
#pragma once

#include "driver/program/Directives.h"
#include "driver/workspace/Workspace.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::syntax {
struct FunctionDef;
}

namespace gluond::driver {

// For one pass over findings, by one thread. Files without such a comment cost one search each.
class IgnoredFindings {
public:
  explicit IgnoredFindings(const Snapshot& snapshot) : snapshot_(snapshot) {}
  bool covers(const diagnostics::Diagnostic& diagnostic);
  // Whether settings alone silence it.
  bool isSwitchedOff(const diagnostics::Diagnostic& diagnostic);
  // Tells the comments of `file` that have no effect on the findings that covers() was asked about.
  // `isChecked` says whether all findings at a place, or in a function that begins there, are
  // known.
  void tellUnused(const File& file, llvm::function_ref<bool(text::Offset)> isChecked,
                  std::vector<diagnostics::Diagnostic>& out);

private:
  // A line with such a comment.
  struct Mark {
    uint32_t line;
    IgnoreDirective directive;
    bool isUsed = false;
    llvm::SmallDenseMap<diagnostics::Id, bool, 2> codes; // each with whether it is used
  };
  struct Known {
    std::shared_ptr<const File> file; // null if nothing in it is ignored
    std::shared_ptr<const Settings> settings;
    std::vector<Mark> marks; // in order of the lines
    // Where the comments above a function begin.
    llvm::DenseMap<const syntax::FunctionDef*, uint32_t> firstLines;
    bool covers(uint32_t first, uint32_t last, diagnostics::Id id);
  };
  Known& known(diagnostics::FileId id);

  const Snapshot& snapshot_;
  llvm::DenseMap<uint32_t, std::unique_ptr<Known>> files_;
};

} // namespace gluond::driver
