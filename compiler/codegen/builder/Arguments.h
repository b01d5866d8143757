// The arguments of one builtin call, bound to the builtin's parameters as Python binds them.
//
// Index i of every array is parameter i of the table's entry (`self` is parameter 0 of a method).
// An argument that was not given holds the parameter's default. *args parameters hold a Tuple.
#pragma once

#include "language/values/Value.h"
#include "syntax/tree/Ast.h"

namespace gluond::codegen {

using language::Value;
using language::Values;

struct Arguments {
  const syntax::Node* call = nullptr; // the Call, BinOp, Subscript, ... that the op comes from
  llvm::ArrayRef<Value> values;       // constexpr bits as the caller passed them
  llvm::ArrayRef<const syntax::Expr*>
      nodes; // the user's expression; null for a default or if called by a rule

  size_t size() const { return values.size(); }
  Value operator[](size_t i) const { return values[i]; }
  // As Triton's _unwrap_if_constexpr.
  Value unwrapped(size_t i) const { return values[i].unwrapped(); }
  bool given(size_t i) const { return i < nodes.size() && nodes[i]; }
  // Returns what to underline for argument i: its expression, or else the whole call.
  const syntax::Node* node(size_t i) const {
    return given(i) ? static_cast<const syntax::Node*>(nodes[i]) : call;
  }
};

} // namespace gluond::codegen
