// Types that the user gives to a launch: those of parameters whose dtype is assumed follow from the
// arguments that the user chooses (`--arg idx=zeros:i64[1000]`), and the kernel is compiled for
// them. Types that the host code, an annotation or a record gives stay as they are.
#pragma once

#include "driver/launches/HostLaunch.h"
#include "language/types/TypeContext.h"

namespace gluond::driver {

// A launch with the user's types in place of assumed ones.
struct RetypedLaunch {
  explicit RetypedLaunch(const Interner& names) : types(names) {}
  evaluate::Launch launch;
  const evaluate::Launch* original = nullptr; // of the program
  language::TypeContext types;                // of the arguments that have other types
};

struct GivenType {
  std::string name; // as HostArgument::name
  language::ScalarKind scalar = language::ScalarKind::Fp32;
  bool isTensor = false; // a pointer to it, or a descriptor of such elements
};

// Returns the types that arguments ("NAME=VALUE", ArgumentText.h) give to those of the launch whose
// types are assumed.
std::vector<GivenType> givenTypes(const Variant& variant, llvm::ArrayRef<std::string> arguments,
                                  const Interner& names);

// Returns the variant with these types; the same one if there are none.
Variant withTypes(const Variant& variant, llvm::ArrayRef<GivenType> given, const Interner& names);

// Returns what a variant assumes about types and launch options: "*fp32 for x and idx, i32 for n,
// num_warps=4". Empty if it assumes nothing of these.
std::string assumedTypes(const Variant& variant, const Interner& names);

// Returns how to give types to a launch that assumes some, as the rest of a sentence: "give the
// types ...".
std::string howToGiveTypes(const Variant& variant, const Interner& names);

} // namespace gluond::driver
