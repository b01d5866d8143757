// The values of names outside kernels, as known from evaluation: module constants, members of
// classes and instances, but not launch arguments. The values belong to the file's program and live
// as long as it does.
#pragma once

#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

struct ModuleValue {
  std::shared_ptr<const driver::EvaluatedFile> program; // keeps the value alive
  language::Value value;
  bool isGluon = false; // a constexpr, a layout, a dtype, or a container of one
};
// Returns the value of a name or dotted name at module level, or of the name of a class field or
// module constant in its definition; nullopt if evaluation does not know it.
std::optional<ModuleValue> moduleValue(NameResolver& resolver, const IndexedFile& file,
                                       const syntax::Expr* expr);
std::optional<ModuleValue> moduleValue(NameResolver& resolver, const IndexedFile& file,
                                       const Symbol& symbol);

// The same for a name that is bound at module level by something else than an expression: an
// import.
std::optional<ModuleValue> moduleValue(NameResolver& resolver, const IndexedFile& file,
                                       const Occurrence& occurrence);

// Returns the repr, truncated if it is too long for a hover.
std::string valueText(const ModuleValue& value, const Interner& names, size_t most = 1000);

} // namespace gluond::lsp
