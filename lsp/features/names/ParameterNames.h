// Where strings name the parameters of functions. Of kernels, other than by the keywords of their
// launches: the keys of triton.Config, the lists of autotune and of jit (`key`, `reset_to_zero`,
// `do_not_specialize`), the rules of heuristics, what grids, hooks and pruning functions read
// (`meta["BLOCK"]`), and the mappings that launches spread (`**options`).
//
// Of other functions: the names in `@pytest.mark.parametrize("rows, cols", ...)`, and those of
// triton.testing.Benchmark (`x_names`, `line_arg`, `args`).
//
// Triton and pytest look all of these up by name, so that references list them and a rename changes
// them.
#pragma once

#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

struct NamedParameter {
  const IndexedFile* file = nullptr; // of the place, which may be another one than was searched
  text::Range range;                 // of the name, without quotes
  Symbol parameter;
};

struct ParameterNames {
  std::vector<NamedParameter> named;
  // Mappings with unknown keys that must give the parameter, because nothing else of their launch
  // does.
  std::vector<NamedParameter> unknown;
  // Strings that name parameters, and cannot be edited: in pieces, or of a value that is not known.
  std::vector<NamedParameter> unwritten;
  // Parameters that pytest fills with fixtures, at their own places.
  std::vector<NamedParameter> fixtures;
  bool isCutShort = false; // the search took too long, so that some are missing
};

// Whether a decorator of that name wraps a kernel and gives it arguments.
inline bool isTuner(llvm::StringRef name) {
  return name == "autotune" || name == "heuristics";
}

// Searches the decorators and launches of a file and what they refer to, in a bounded time. Asked
// for by NameResolver::parameterNames, which keeps the answer.
ParameterNames findParameterNames(NameResolver& resolver, const IndexedFile& file);

} // namespace gluond::lsp
