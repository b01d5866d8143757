// The roles of a function's parameters, as far as its text shows, or that of functions of its file
// that it passes them to: helpers, warp_specialize partitions, constructors of aggregates.
//
// Nothing is evaluated: names and forms of expressions decide. A role is a guess, good enough to
// compile a kernel that is never launched (GuessedMistakes.h), but not to report anything.
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace gluond::driver {

enum class Role : uint8_t {
  Unknown,
  Number,     // used in arithmetic, a size
  Flag,       // decides a branch
  Count,      // a small number of buffers or unrolled iterations
  Pointer,    // is loaded from or stored to
  Descriptor, // for TMA or TDM
};

// A copy that uses a descriptor: the expression for the shared memory that it fills or reads, in
// this function or in one that it calls, and the number of coordinates it gives.
struct DescriptorUse {
  const syntax::Expr* memory;
  size_t rank;
};

class ArgumentRoles {
public:
  explicit ArgumentRoles(const syntax::SyntaxTree& tree);
  Role of(const syntax::FunctionDef& function, Name parameter);
  llvm::ArrayRef<DescriptorUse> usesOf(const syntax::FunctionDef& function, Name parameter);
  // Returns the powers of two, 64 or more, in the function's text that may be sides of a block.
  llvm::SmallVector<int64_t, 3> sizesNamed(const syntax::FunctionDef& function) const;

private:
  struct Parameter {
    Name name;
    Role role = Role::Unknown;
    std::vector<DescriptorUse> uses = {};
  };
  using Roles = llvm::DenseMap<Name, Parameter>;
  class Reader;
  const Roles& rolesOf(const syntax::FunctionDef& function);
  // Returns the roles of a callee's parameters by position (for a class, of its fields), or an
  // empty vector if the callee is not defined in this file.
  std::vector<Parameter> parametersOf(Name callee);

  const syntax::SyntaxTree& tree_;
  llvm::DenseMap<Name, const syntax::FunctionDef*> functions_;
  llvm::DenseMap<Name, const syntax::ClassDef*> classes_;
  llvm::DenseMap<const syntax::FunctionDef*, std::unique_ptr<Roles>> roles_; // null in the making
};

} // namespace gluond::driver
