// The names in the modules of Gluon that expressions of host code refer to.
#pragma once

#include "language/types/Builtin.h"
#include "language/values/Value.h"
#include "syntax/tree/Ast.h"

namespace gluond::driver {

// The name in a module of Gluon that an expression refers to: gl.BlockedLayout, where `gl` is
// global.
struct GluonName {
  const language::BuiltinModule* module = nullptr; // null if it names nothing there
  llvm::StringRef name;
  text::Range place;
};
GluonName gluonName(const syntax::Expr* expr, const language::ModuleObject* module,
                    const Interner& names);

// The module of Gluon that an expression names: gl, gl.amd.cdna3. Null if it names none.
const language::BuiltinModule*
gluonModule(const syntax::Expr* expr, const language::ModuleObject* module, const Interner& names);

} // namespace gluond::driver
