// What codegen found out about the expressions of a file, in the selected specializations of its
// kernels.
//
// FileFacts belongs to one request on one thread: it asks for the facts of a kernel only when a
// place that the kernel reaches is looked at, and keeps them for the next question. The driver
// keeps them between requests.
#pragma once

#include "codegen/context/Facts.h"
#include "driver/analysis/Analysis.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace gluond::lsp {

// An expression and what it is.
struct Fact {
  std::shared_ptr<const codegen::Facts> facts;    // these two keep alive
  std::shared_ptr<const driver::KernelList> list; // what the rest refers to
  const codegen::TypeFact& type;
  text::Range range; // of the expression
  const driver::Kernel& kernel;
  const driver::Variant& variant;
  const std::string& target = variant.target;
  const codegen::TypeFact& member(const codegen::TypeFact::Member& member) const {
    return facts->types[member.type];
  }
  // The layout as an expression that can be evaluated again: of a tensor or descriptor, or the
  // layout itself; empty: none.
  std::string layout() const;
};

class FileFacts {
public:
  FileFacts(const driver::Snapshot& snapshot, std::shared_ptr<const driver::File> file,
            driver::Worker& worker, CancellationToken token);

  // The smallest expression around `offset` that is known. In a helper, what the first kernel that
  // reaches it makes of it: one of the file itself, else one of a file that calls it.
  std::optional<Fact> at(text::Offset offset);
  // The smallest around `offset` that has a layout.
  std::optional<Fact> withLayoutAt(text::Offset offset);
  // The first expression that begins in `line` and has a layout.
  std::optional<Fact> withLayout(text::Range line);
  // Of exactly this expression.
  std::optional<Fact> of(text::Range range);
  // The kernels of the file; null when cancelled.
  const driver::KernelList* kernels();
  driver::Analyzer& analyzer() { return analyzer_; }

private:
  struct Known {
    std::shared_ptr<const driver::KernelList> list; // of the kernel's file
    const driver::Kernel* kernel = nullptr;
    bool isReached = false; // `reached` is known; empty: cannot be
    llvm::ArrayRef<driver::Anchor> reached;
    bool isMade = false;
    std::shared_ptr<const codegen::Facts> facts;                             // null: there are none
    llvm::DenseMap<std::pair<text::Offset, text::Offset>, uint32_t> byRange; // -> type
  };
  // Those that reach `offset`, the one around it first.
  llvm::SmallVector<Known*, 8> reaching(text::Offset offset);
  const Known& made(Known& known);
  llvm::ArrayRef<driver::Anchor> reached(Known& known);
  // Where in this file the definitions stand that kernels reach, in order of place.
  struct Reach {
    text::Range range;
    text::Offset furthest; // where those up to this one end
    uint32_t known;
  };
  llvm::ArrayRef<Reach> reaches();
  void addKernels(std::shared_ptr<const driver::KernelList> list);
  Fact fact(const Known& known, uint32_t type, text::Range range) const;

  const driver::Snapshot& snapshot_;
  std::shared_ptr<const driver::File> file_;
  CancellationToken token_;
  driver::Analyzer analyzer_;
  bool isListed_ = false;
  std::shared_ptr<const driver::KernelList> list_;
  std::vector<Known> known_; // one for each kernel, in their order; then those of callers
  std::optional<std::vector<Reach>> reaches_;
};

// The same of something with a layout: where the cursor is on no value (on a function, a constant,
// a blank), the innermost around it that has one, else the first on its line. Of a value without a
// layout, or a name of which nothing is known, nothing: another's would pass for its own.
std::optional<Fact> layoutFactAt(const driver::Snapshot& snapshot,
                                 const std::shared_ptr<const driver::File>& file,
                                 text::Offset offset, driver::Worker& worker,
                                 CancellationToken token);
// FileFacts::at() for whoever asks only once.
std::optional<Fact> factAt(const driver::Snapshot& snapshot,
                           const std::shared_ptr<const driver::File>& file, text::Offset offset,
                           driver::Worker& worker, CancellationToken token);

// Fact::layout() of a type.
std::string layoutExpression(const codegen::TypeFact& type);

// "float16[64, 32]", "int32", "*float32"; empty where there is no type to speak of (constants).
std::string shortText(const codegen::TypeFact& type);
// What a layout is in a word or two: "Blocked", "Slice(1, Blocked)".
std::string shortLayout(llvm::StringRef layout);

} // namespace gluond::lsp
