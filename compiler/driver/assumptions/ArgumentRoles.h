// What a function's parameters are, as far as its text tells and that of the functions of its file
// it hands them on to: helpers, partitions of a warp_specialize, constructors of aggregates.
//
// Nothing is evaluated: names and shapes of expressions decide. A role is a guess, good enough to
// compile a kernel that nobody launches (Guesses.h), never to claim anything.
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace gluond::driver {

enum class Role : uint8_t {
  Unknown,
  Number,     // of arithmetic, a size
  Flag,       // decides a branch
  Count,      // of buffers or unrolled iterations: small
  Pointer,    // what is loaded from or stored to
  Descriptor, // of TMA or TDM
};

// A copy that names a descriptor: the shared memory it fills or reads, an expression of the
// function that was asked for or of one it calls, and how many coordinates it gives.
struct DescriptorUse {
  const syntax::Expr* memory;
  size_t rank;
};

class ArgumentRoles {
public:
  explicit ArgumentRoles(const syntax::SyntaxTree& tree);
  Role of(const syntax::FunctionDef& function, Name parameter);
  llvm::ArrayRef<DescriptorUse> usesOf(const syntax::FunctionDef& function, Name parameter);
  // Powers of two that may be sides of a block, of those the function's text names; 64 at least.
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
  // The roles that a callee's parameters have, by position; of a class its fields'. Empty: it is
  // not of this file.
  std::vector<Parameter> parametersOf(Name callee);

  const syntax::SyntaxTree& tree_;
  llvm::DenseMap<Name, const syntax::FunctionDef*> functions_;
  llvm::DenseMap<Name, const syntax::ClassDef*> classes_;
  llvm::DenseMap<const syntax::FunctionDef*, std::unique_ptr<Roles>> roles_; // null: in the making
};

} // namespace gluond::driver
