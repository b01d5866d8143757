#include "codegen/suggestions/Creations.h"

#include "codegen/builder/Assignments.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

using syntax::Attribute;
using syntax::Call;
using syntax::Expr;

const Call* creationOf(const Expr* use, syntax::Stmts statements) {
  auto* name = llvm::dyn_cast_if_present<syntax::NameExpr>(use);
  if (!name) return nullptr;
  const syntax::FunctionDef* def = nullptr;
  for (const syntax::Node* node : syntax::pathTo(statements, use->range.begin))
    if (auto* each = llvm::dyn_cast<syntax::FunctionDef>(node)) def = each;
  const Call* made = nullptr;
  for (text::Offset limit = use->range.begin; def;) {
    Assignment assigned = lastAssignment(def->body, name->name, limit);
    if (!assigned) break;
    if (auto* call = llvm::dyn_cast_if_present<Call>(assigned.value)) made = call;
    limit = assigned.stmt->range.begin;
  }
  return made;
}

const Attribute* dtypeIn(const Call& call, const Interner& names) {
  const Attribute* found = nullptr;
  auto look = [&](const Expr* argument) {
    auto* attribute = llvm::dyn_cast<Attribute>(argument);
    const language::Builtin* row =
        attribute
            ? language::findBuiltin(language::ModuleId::gl, names.text(attribute->attribute.name))
            : nullptr;
    if (row && row->kind == language::BuiltinKind::Dtype && !found) found = attribute;
  };
  llvm::for_each(call.args, look);
  for (const syntax::Keyword& keyword : call.keywords)
    look(keyword.value);
  return found;
}

} // namespace gluond::codegen
