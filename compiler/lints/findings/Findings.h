// The report of a lint, in terms of the IR: a row of the table of diagnostics, the op's location, a
// message with its cost, and suggestions that driver/ turns into edits of the source (lints do not
// know the source text).
//
//   findings(Id::BankConflict, op->getLoc(), "smem.load", ways, wavefronts, least)
//       .related(NoteId::AllocatedHere, alloc->getLoc())
//       .suggest(Suggestion::replaceLayout(from, to));
//
// Arguments are checked against the table at compile time, as with diagnostics::Reporter. There is
// one finding per row and place: a second one is dropped. For one thread only.
#pragma once

#include "diagnostics/Reporter.h"
#include "layout/named/Layout.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <mlir/IR/Location.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::lints {

using diagnostics::FixId;
using diagnostics::Id;
using diagnostics::NoteId;
using diagnostics::Severity;

// A change that would help, as far as the IR shows.
struct Suggestion {
  enum class Kind : uint8_t {
    ReplaceLayout, // edits the expression that makes `from` to make `to`
    InsertBefore,  // adds a statement before the one at `at`
    InsertAfter,   // adds a statement after the one at `at`
    FlipAfter,     // the same for a wait's phase, if it is a variable that its loop does not change
    ExcludeBound,  // replaces `<=` with `<`, and `>=` with `>`, in all comparisons at `copies`
    OtherPhase,    // changes a wait's phase, which is right in all but its parity
    ReplaceNumber, // replaces the last argument that is a number in the call at `at` by `text`
    ReplaceLast,   // replaces the last argument of the call at `at` by `text`
    Remove,        // removes the statement at `at`
    ReplaceCall,   // replaces the call at `at` by `text`
    Hoist,         // moves the statement at `at` before the loop around it
  };
  Kind kind;
  mlir::Location at;
  diagnostics::FixTitle title;
  std::string text;                  // with placeholders for parts of the source
                                     // (driver/kernelfixes/SuggestedText.h), as in the title
  layout::Layout from = {}, to = {}; // for ReplaceLayout, whose title and text come from the source
  // For ReplaceLayout: only if no other expression of the file makes the same layout, because a
  // descriptor and its buffers must agree.
  bool onlyAlone = false;
  std::optional<mlir::Location> argumentsAt = {}; // the call that "{other.0}" is an argument of
  std::vector<mlir::Location> copies =
      {}; // the calls whose bytes "{bytes}" adds up, or comparisons

  static Suggestion replaceLayout(mlir::Location at, const layout::Layout& from,
                                  const layout::Layout& to) {
    return {Kind::ReplaceLayout, at, {}, "", from, to};
  }
};

struct RelatedFinding {
  mlir::Location at;
  std::string message;
};

struct Finding {
  Id id;
  Severity severity;
  mlir::Location at;
  std::string message;
  std::vector<RelatedFinding> related;
  std::vector<Suggestion> suggestions;
  // What a single change would mend, if other findings may have the same: a barrier, a block.
  const void* cause = nullptr;
};

class Findings {
public:
  class InFlight {
  public:
    explicit InFlight(Finding* finding) : finding_(finding) {}
    template <typename... Args>
    InFlight& related(diagnostics::NoteFor<std::type_identity_t<const Args&>...> id,
                      mlir::Location at, const Args&... args) {
      if (finding_) finding_->related.push_back({at, diagnostics::note(id, args...)});
      return *this;
    }
    InFlight& suggest(Suggestion suggestion) {
      if (finding_) finding_->suggestions.push_back(std::move(suggestion));
      return *this;
    }
    InFlight& cause(const void* cause) {
      if (finding_) finding_->cause = cause;
      return *this;
    }
    InFlight& severity(Severity severity) {
      if (finding_) finding_->severity = severity;
      return *this;
    }
    explicit operator bool() const { return finding_ != nullptr; }

  private:
    Finding* finding_; // null if it was reported already
  };

  template <typename... Args>
  InFlight operator()(diagnostics::IdFor<std::type_identity_t<const Args&>...> id,
                      mlir::Location at, const Args&... args) {
    if (!seen_.insert({static_cast<unsigned>(id.id), at.getAsOpaquePointer()}).second)
      return InFlight(nullptr);
    const diagnostics::Row& row = diagnostics::row(id.id);
    all_.push_back({id.id,
                    row.severity,
                    at,
                    diagnostics::format(std::string_view(row.message.data(), row.message.size()),
                                        {diagnostics::Argument(args)...}),
                    {},
                    {},
                    nullptr});
    return InFlight(&all_.back());
  }

  // Records that the order of copies and barriers was not followed to the end of the kernel.
  void noteUndecided() { isUndecided_ = true; }
  bool isUndecided() const { return isUndecided_; }
  bool empty() const { return all_.empty(); }
  std::vector<Finding>& all() { return all_; }
  const std::vector<Finding>& all() const { return all_; }
  std::vector<Finding> take() { return std::move(all_); }
  // Removes findings that `other` does not have at the same place.
  void keepCommon(const Findings& other) {
    std::erase_if(all_, [&](const Finding& f) {
      return !other.seen_.contains({static_cast<unsigned>(f.id), f.at.getAsOpaquePointer()});
    });
  }
  // Of the findings with one cause, keeps the first, to which the places of the others are related.
  void keepOneOfEachCause() {
    llvm::SmallDenseMap<const void*, size_t> first;
    std::vector<Finding> kept;
    for (Finding& f : all_) {
      auto [known, isNew] = first.try_emplace(f.cause, kept.size());
      if (isNew || !f.cause)
        kept.push_back(std::move(f));
      else
        kept[known->second].related.push_back({f.at, std::move(f.message)});
    }
    all_ = std::move(kept);
  }
  void append(Findings other) {
    for (Finding& f : other.all_)
      if (seen_.insert({static_cast<unsigned>(f.id), f.at.getAsOpaquePointer()}).second)
        all_.push_back(std::move(f));
  }

private:
  std::vector<Finding> all_;
  bool isUndecided_ = false;
  llvm::DenseSet<std::pair<unsigned, const void*>> seen_;
};

} // namespace gluond::lints
