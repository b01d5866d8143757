// The facts that codegen recorded about the expressions of a file, in the selected specializations
// of its kernels.
//
// FileFacts belongs to one request on one thread: it requests the facts of a kernel only when a
// place that the kernel reaches is queried, and keeps them for later queries. The driver caches
// them between requests.
#pragma once

#include "codegen/context/ExpressionFacts.h"
#include "driver/analysis/Analysis.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace gluond::lsp {

// An expression and its properties.
struct Fact {
  std::shared_ptr<const codegen::ExpressionFacts> facts; // these two own the objects
  std::shared_ptr<const driver::KernelList> list;        // that the other members refer to
  const codegen::TypeFact& type;
  text::Range range; // of the expression
  const driver::Kernel& kernel;
  const driver::Variant& variant;
  const std::string& target = variant.target;
  const codegen::ViewFact* view = nullptr; // the part of a buffer that it is, if it is one
  const codegen::TypeFact& member(const codegen::TypeFact::Member& member) const {
    return facts->types[member.type];
  }
  // Returns the layout as an expression that can be evaluated again: that of a tensor or
  // descriptor, or the layout itself; "" if there is none.
  std::string layout() const;
};

class FileFacts {
public:
  FileFacts(const driver::Snapshot& snapshot, std::shared_ptr<const driver::File> file,
            driver::Worker& worker, CancellationToken token);
  // From now on finds only what that kernel reaches, in the specialization with that id. Call it
  // before the first query.
  void only(std::string kernel, std::string variant);

  // Returns the smallest known expression around `offset`. In a helper it comes from the first
  // kernel that reaches the helper: one of the file itself, else one of a file that calls it.
  std::optional<Fact> at(text::Offset offset);
  // Returns the smallest one around `offset` that has a layout.
  std::optional<Fact> withLayoutAt(text::Offset offset);
  // Returns the first expression that begins in `line` and has a layout.
  std::optional<Fact> withLayout(text::Range line);
  // Returns the fact for exactly this range.
  std::optional<Fact> of(text::Range range);
  // The same in the first other specialization of its kernels that has one: the selected ones may
  // leave out the branch that it is in. Of an empty range, the smallest expression around it.
  std::optional<Fact> inAnotherSpecialization(text::Range range);
  // The kernels of the file, or null if cancelled.
  const driver::KernelList* kernels();
  driver::Analyzer& analyzer() { return analyzer_; }

private:
  struct Known {
    std::shared_ptr<const driver::KernelList> list; // of the kernel's file
    const driver::Kernel* kernel = nullptr;
    bool isReached = false; // whether `reached` is computed; it is empty if that is impossible
    llvm::ArrayRef<driver::Anchor> reached;
    bool isMade = false;
    std::shared_ptr<const codegen::ExpressionFacts> facts;                   // may be null
    llvm::DenseMap<std::pair<text::Offset, text::Offset>, uint32_t> byRange; // -> expression
  };
  // Returns the kernels that reach `offset`, the one around it first.
  llvm::SmallVector<Known*, 8> reaching(text::Offset offset);
  const Known& made(Known& known);
  llvm::ArrayRef<driver::Anchor> reached(Known& known);
  // The places of this file's definitions that kernels reach, in order.
  struct Reach {
    text::Range range;
    text::Offset furthest; // the furthest end of those up to this one
    uint32_t known;
  };
  llvm::ArrayRef<Reach> reaches();
  void addKernels(std::shared_ptr<const driver::KernelList> list);
  Fact fact(const Known& known, const codegen::ExpressionFact& expression) const;
  const driver::Variant& variantOf(const Known& known) const;

  const driver::Snapshot& snapshot_;
  std::shared_ptr<const driver::File> file_;
  CancellationToken token_;
  driver::Analyzer analyzer_;
  std::string kernel_, variant_; // see only(); empty if there is no restriction
  bool isListed_ = false;
  std::shared_ptr<const driver::KernelList> list_;
  std::vector<Known> known_; // one for each kernel, in order; then those of callers
  std::optional<std::vector<Reach>> reaches_;
};

// Like factAt() for something with a layout: if the cursor is on no value (on a function, a
// constant, a blank), the innermost expression around it with a layout, else the first on its line.
// Returns nullopt for a value without a layout and for an unknown name.
std::optional<Fact> layoutFactAt(const driver::Snapshot& snapshot,
                                 const std::shared_ptr<const driver::File>& file,
                                 text::Offset offset, driver::Worker& worker,
                                 CancellationToken token);
// FileFacts::at() for a single query.
std::optional<Fact> factAt(const driver::Snapshot& snapshot,
                           const std::shared_ptr<const driver::File>& file, text::Offset offset,
                           driver::Worker& worker, CancellationToken token);

// Fact::layout() for a type.
std::string layoutExpression(const codegen::TypeFact& type);

// Returns "float16[64, 32]", "int32", "*float32", or "" if there is no type to show (constants).
std::string shortText(const codegen::TypeFact& type);
// Returns a layout in a word or two: "Blocked", "Slice(1, Blocked)".
std::string shortLayout(llvm::StringRef layout);

} // namespace gluond::lsp
