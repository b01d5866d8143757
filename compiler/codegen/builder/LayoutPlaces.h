// Finds where the user wrote a layout. A mistake in a layout shows when a tensor is made with it,
// often several names, calls and files away from the constructor that has to be changed.
//
// Rules record every layout they are given, with the expression that gave it (two pointers and, for
// a layout seen for the first time, the call chain). Only if a layout is wrong is anything looked
// up: names are followed to their last assignment, parameters to the caller's argument, globals to
// their module, parents into the nested constructor.
#pragma once

#include "codegen/context/Locations.h"
#include "language/values/Value.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

#include <vector>

namespace gluond::codegen {

struct Unit;

// A function on the call chain from the kernel inwards.
struct CallFrame {
  const language::FunctionObject* function = nullptr;
  FileLocations* locations = nullptr;
  const syntax::Node* callSite = nullptr; // the call in the previous frame; null for the kernel
  bool isHashed = false;                  // Triton hashed it together with everything it refers to
};

// An expression and the chain of calls whose last function contains it; without frames it is at
// module level.
struct Written {
  const FileLocations* locations = nullptr;
  const syntax::Node* node = nullptr;
  llvm::ArrayRef<CallFrame> frames;
  const language::ModuleObject* module = nullptr;
  explicit operator bool() const { return node && locations; }
  diagnostics::Location location() const { return {locations->file().id, node->range}; }
};

struct LayoutPlace {
  Written layout; // its constructor, or the closest expression that can be found
  const syntax::Expr* argument =
      nullptr; // the constructor argument for the requested field; null if not written
  diagnostics::Location use;               // where it was given to an operation
  diagnostics::Location location() const { // what to underline
    return argument ? diagnostics::Location{layout.locations->file().id, argument->range}
                    : layout.location();
  }
};

class LayoutPlaces {
public:
  explicit LayoutPlaces(Unit& unit) : unit_(unit) {}

  void note(const language::LayoutObject* layout, const syntax::Node* node) {
    if (node && seen_.insert(layout).second) [[unlikely]]
      keep(layout, node);
  }
  // Returns where `layout`, or a layout around it, was given. `field` is the constructor parameter
  // that is wrong, or empty for the whole. Returns nullopt if the layout was inferred.
  std::optional<LayoutPlace> find(const language::LayoutObject& layout,
                                  llvm::StringRef field = {}) const;
  // Returns the expression of the user's that the innermost frame's expression is; one of the
  // library is followed to the argument of the user's call. It is empty if it was made in between.
  Written given(const syntax::Node* node, llvm::ArrayRef<CallFrame> frames) const;
  // Returns where the value of an expression of the innermost frame comes from.
  Written trace(const syntax::Node* node, llvm::ArrayRef<CallFrame> frames) const;

private:
  struct Use {
    const language::LayoutObject* layout;
    const syntax::Node* node;
    llvm::SmallVector<CallFrame, 4> frames;
  };
  void keep(const language::LayoutObject* layout, const syntax::Node* node);
  Written follow(Written written) const;
  Written step(Written written) const;
  const syntax::Expr* argumentOf(const Written& constructor, const language::LayoutClass& cls,
                                 size_t field) const;

  Unit& unit_;
  llvm::DenseSet<const language::LayoutObject*> seen_;
  std::vector<Use> uses_;
};

} // namespace gluond::codegen
