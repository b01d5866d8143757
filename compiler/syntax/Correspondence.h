// Maps nodes of a file to those after an edit, if the two versions differ only in bodies
// of functions that the caller does not depend on: results computed from the old tree
// without looking into those bodies then hold for the new one, after mapping nodes and
// places.
//
// Refers to both trees, which must outlive it. For one thread only (it finds nodes on demand).
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>

namespace gluond::syntax {

class Correspondence {
public:
  // Returns nullopt if the trees differ elsewhere. `mayDiffer` returns whether the body of a
  // function of the old tree may differ in the new one; its docstring must be equal in any case.
  static std::optional<Correspondence>
  between(const SyntaxTree& before, const SyntaxTree& after,
          llvm::function_ref<bool(const FunctionDef&)> mayDiffer);

  // Returns the counterpart of a FunctionDef, ClassDef or Lambda outside of bodies that may differ;
  // null for other nodes.
  template <typename T> const T* of(const T* before) {
    return llvm::cast_if_present<T>(find(before));
  }
  // Returns the counterpart of a node's range; nullopt if no node outside of such bodies has it.
  std::optional<text::Range> of(text::Range before) const;

private:
  Correspondence() = default;
  const Node* find(const Node* before);
  // Returns the pair that contains a place of the old tree.
  struct Pair;
  Pair* around(text::Offset place);
  const Pair* around(text::Offset place) const {
    return const_cast<Correspondence*>(this)->around(place);
  }

  // A statement at column 0 and its counterpart.
  struct Pair {
    text::Range before;
    text::Offset moved = 0; // modulo 2^32
    Stmts from, to;
    bool isEqual = false;  // the two are equal byte by byte
    bool isWalked = false; // its nodes are in `nodes_`
  };
  std::vector<Pair> pairs_;
  llvm::DenseMap<const Node*, const Node*> nodes_;
  llvm::DenseMap<std::pair<text::Offset, text::Offset>, text::Range> ranges_; // for unequal pairs
};

} // namespace gluond::syntax
