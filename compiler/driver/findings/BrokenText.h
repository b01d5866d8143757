// Which findings of a file only follow from its syntax errors, and go when the text is complete.
//
// A statement with a syntax error has unknown results, and so has each statement that mentions what
// it defines. Nothing is reported about these, no lint about a kernel that runs them, and no
// exception of a module that Python would not run.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseSet.h>

#include <vector>

namespace gluond::driver {

class BrokenText {
public:
  struct Source {
    const syntax::SyntaxTree* tree;
    llvm::StringRef path;
  };
  // `imported` are the other files that the program consists of.
  BrokenText(Source file, llvm::ArrayRef<Source> imported);

  // Whether a finding of the kernel with that qualified name ("" for none), in the file or in one
  // of the imported ones, follows from a syntax error. Syntax errors themselves do not.
  bool explains(const diagnostics::Diagnostic& finding, llvm::StringRef kernel) const;

private:
  // A simple statement, or the header of a compound one.
  struct Step {
    text::Offset begin = 0;
    uint32_t unit = 0;      // the statement of the module that it belongs to
    uint32_t around = none; // the step of the compound statement around it
    bool isInFunction = false, isLoop = false, isDefinition = false;
    bool isAroundDoubt = false;
    bool isImport = false;
    bool mayBindMore = false; // if it is broken: it has targets, or nothing is known of it
    bool isDoubtful = false;
    bool isInBroken = false; // in a function whose header is broken
    llvm::SmallVector<Name, 4> mentions, binds;
  };
  struct Unit {
    llvm::DenseSet<Name> names; // doubtful ones, local to it
    bool isDoubtful = false, bindsUnknown = false;
  };
  static constexpr uint32_t none = ~0U;

  class Reader;
  const Step* stepAt(text::Offset offset) const;
  void markErrors(llvm::ArrayRef<diagnostics::Diagnostic> errors);
  void spread();

  Interner& interner_;
  diagnostics::FileId file_;
  bool isBroken_ = false, importsUnknown_ = false, bindsUnknown_ = false;
  std::vector<Step> steps_; // by their beginnings
  std::vector<Unit> units_;
  llvm::DenseSet<Name> names_;       // doubtful ones of the module
  std::vector<BrokenText> imported_; // those with syntax errors
};

} // namespace gluond::driver
