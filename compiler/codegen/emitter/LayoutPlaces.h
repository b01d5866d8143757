// Where the user wrote a layout: a mistake in one comes to light where a tensor is made of it,
// often several names, calls and files away from the constructor that has to be changed.
//
// Rules note every layout they are given, with the expression that gave it (two pointers and, for a
// layout seen for the first time, the call chain). Only when a layout is wrong is anything looked
// up: names are followed to what was last assigned to them, parameters to the caller's argument,
// globals to their module, parents into the nested constructor.
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
  const syntax::Node* callSite = nullptr; // the call in the frame before; null for the kernel
  bool isHashed = false;                  // Triton hashed it, and with it all that it refers to
};

// An expression and the chain of calls in whose last function it stands; no frames: at module
// level.
struct Written {
  const FileLocations* locations = nullptr;
  const syntax::Node* node = nullptr;
  llvm::ArrayRef<CallFrame> frames;
  const language::ModuleObject* module = nullptr;
  explicit operator bool() const { return node && locations; }
  diagnostics::Location location() const { return {locations->file().id, node->range}; }
};

struct LayoutPlace {
  Written layout; // its constructor, or as near as names lead
  const syntax::Expr* argument =
      nullptr; // of the constructor, for the field asked for; null where it is not written
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
  // Where `layout`, or a layout around it, was given. `field`: the constructor's parameter that is
  // wrong, empty for all of it. Nothing when it never was (the layout was inferred).
  std::optional<LayoutPlace> find(const language::LayoutObject& layout,
                                  llvm::StringRef field = {}) const;
  // What an expression of the innermost frame stands for.
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
