// What expressions of host code name in the modules of Gluon.
#pragma once

#include "language/types/Builtin.h"
#include "language/values/Value.h"
#include "syntax/tree/Ast.h"

namespace gluond::driver {

// What an expression names in a module of Gluon: gl.BlockedLayout, where `gl` is global.
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
