// The roles of a function's parameters, as far as its text shows, or that of functions that it
// passes them to: helpers, warp_specialize partitions, constructors of aggregates.
//
// Nothing is evaluated: the forms of expressions decide, and the parameter's name if its uses do
// not (ParameterNames.h). A role is a guess, good enough for types that are shown as assumed and to
// compile a kernel that is never launched, but not to report anything.
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <functional>
#include <memory>

namespace gluond::language {

enum class ParameterRole : uint8_t {
  Unknown,
  Number,     // used in arithmetic, a size
  Flag,       // decides a branch
  Count,      // a small number of buffers or unrolled iterations
  Object,     // neither number nor pointer: has other attributes, is compared with None or a text
  Pointer,    // is loaded from or stored to
  Descriptor, // for TMA or TDM
};

// A copy that uses a descriptor: the expression for the shared memory that it fills or reads, in
// this function or in one that it calls, and the number of coordinates it gives.
struct DescriptorUse {
  const syntax::Expr* memory;
  size_t rank;
};

class ParameterRoles {
public:
  // Returns the function or class with that name at the top level of a file; null if there is none.
  using FindDefinition = std::function<const syntax::Stmt*(Name)>;

  // The tree must outlive it.
  explicit ParameterRoles(const syntax::SyntaxTree& tree);
  ParameterRoles(const Interner& names, FindDefinition find)
      : names_(names), find_(std::move(find)) {}
  ParameterRole of(const syntax::FunctionDef& function, Name parameter);
  llvm::ArrayRef<DescriptorUse> usesOf(const syntax::FunctionDef& function, Name parameter);
  // Returns the powers of two, 64 or more, in the function's text that may be sides of a block.
  llvm::SmallVector<int64_t, 3> sizesNamed(const syntax::FunctionDef& function) const;

private:
  struct Parameter {
    Name name;
    ParameterRole role = ParameterRole::Unknown;
    std::vector<DescriptorUse> uses = {};
  };
  using Roles = llvm::DenseMap<Name, Parameter>;
  class Reader;
  const Roles& rolesOf(const syntax::FunctionDef& function);
  // Returns the roles of a callee's parameters by position (for a class, of its fields), or an
  // empty vector if its definition is not found.
  std::vector<Parameter> parametersOf(Name callee);

  const Interner& names_;
  FindDefinition find_;
  llvm::DenseMap<const syntax::FunctionDef*, std::unique_ptr<Roles>> roles_; // null in the making
  unsigned depth_ = 0; // of the functions in the making
};

} // namespace gluond::language
