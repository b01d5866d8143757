// Names that the visitor itself looks up, interned once per CodegenContext.
#pragma once

#include "support/Interner.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

struct WellKnown {
  explicit WellKnown(Interner& names);

  // Whether it is a Python builtin that kernels may use. print, min and max are the language's own.
  bool isPythonBuiltin(Name name) const { return llvm::is_contained(pythonBuiltins, name); }

  Name value, type, shape, getitem, len, range, float_, int_, list, isinstance, getattr, hasattr,
      print, min, max;
  Name pythonBuiltins[11];
};

} // namespace gluond::codegen
