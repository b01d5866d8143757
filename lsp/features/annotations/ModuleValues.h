// What evaluation knows of names outside kernels: module constants, members of classes and
// instances, launch arguments aside. The values of the file's program; they live as long as it
// does.
#pragma once

#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

struct ModuleValue {
  std::shared_ptr<const driver::Program> program; // keeps it alive
  language::Value value;
  bool isGluon = false; // a constexpr, a layout, a dtype, or something that holds one
};
// Of a name or dotted name at module level, or of the name that a class's field or a module
// constant is bound by; nothing when evaluation does not know it.
std::optional<ModuleValue> moduleValue(Resolver& resolver, const IndexedFile& file,
                                       const syntax::Expr* expr);
std::optional<ModuleValue> moduleValue(Resolver& resolver, const IndexedFile& file,
                                       const Symbol& symbol);

// repr, cut where it gets too long for a hover.
std::string valueText(const ModuleValue& value, const Interner& names, size_t most = 1000);

} // namespace gluond::lsp
