// Which nodes of an edited file stand for which of the file before the edit, where the two differ
// in nothing but bodies of functions that somebody does not care for: what was computed from the
// old tree without looking into those bodies then holds for the new one, after its nodes and places
// are looked up here.
//
// Refers to both trees, which must outlive it. One thread (it finds nodes when asked).
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>

namespace gluond::syntax {

class Correspondence {
public:
  // Nothing: the trees differ elsewhere. `mayDiffer`: whether the body of that function of the old
  // tree may be another one in the new; its docstring stays what it is in any case.
  static std::optional<Correspondence>
  between(const SyntaxTree& before, const SyntaxTree& after,
          llvm::function_ref<bool(const FunctionDef&)> mayDiffer);

  // The counterpart of a FunctionDef, ClassDef or Lambda outside of bodies that may differ; null
  // for other nodes.
  template <typename T> const T* of(const T* before) {
    return llvm::cast_if_present<T>(find(before));
  }
  // Of a node's range; nothing when no node outside of such bodies has it.
  std::optional<text::Range> of(text::Range before) const;

private:
  Correspondence() = default;
  const Node* find(const Node* before);
  // The piece around a place of the old tree.
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
    bool isEqual = false;  // the whole piece, byte by byte
    bool isWalked = false; // its nodes are in `nodes_`
  };
  std::vector<Pair> pairs_;
  llvm::DenseMap<const Node*, const Node*> nodes_;
  llvm::DenseMap<std::pair<text::Offset, text::Offset>, text::Range> ranges_; // of unequal pairs
};

} // namespace gluond::syntax
