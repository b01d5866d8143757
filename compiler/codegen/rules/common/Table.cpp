// Expands the same .def files as the builtin table into the array of rules.
#include "codegen/rules/common/Rules.h"
#include "codegen/rules/common/Tags.h"
#include "language/types/LayoutClass.h"

namespace gluond::codegen {

namespace rules {

using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOperator;

#define NATIVE(...)
#define PRELUDE(...)
#define LAYOUT(...)
#define DTYPE(...)
#define CLASS(...)
#define PROPERTY(...)
#define CONSTANT(...)
#define PYTHON(...)
#define REMOVED(...)
#define INERT(...)
#define RULE(function) Value function(IrBuilder& emit, const Arguments& args);
#define RULE_OF(function, tag) Value function(IrBuilder& emit, const Arguments& args, decltype(tag));
#define BUILTIN(id, name, where, signature, what, doc) what
#include "language/builtins/All.def"
#undef NATIVE
#undef PRELUDE
#undef LAYOUT
#undef DTYPE
#undef CLASS
#undef PROPERTY
#undef CONSTANT
#undef PYTHON
#undef REMOVED
#undef INERT
#undef RULE
#undef RULE_OF

template <auto function, auto tag> Value tagged(IrBuilder& emit, const Arguments& args) {
  return function(emit, args, tag);
}

static constexpr Rule table[] = {
#define NATIVE(...) nullptr,
#define PRELUDE(...) nullptr,
#define LAYOUT(...) nullptr,
#define DTYPE(...) nullptr,
#define CLASS(...) nullptr,
#define PROPERTY(...) nullptr,
#define CONSTANT(...) nullptr,
#define PYTHON(...) nullptr,
#define REMOVED(...) nullptr,
#define INERT(...) nullptr,
#define RULE(function) &function,
#define RULE_OF(function, tag) &tagged<&function, tag>,
#define BUILTIN(id, name, where, signature, what, doc) what
#include "language/builtins/All.def"
};
static_assert(std::size(table) == static_cast<size_t>(language::BuiltinId::Count));

} // namespace rules

Rule ruleOf(const language::Builtin& builtin) {
  return rules::table[static_cast<size_t>(builtin.id)];
}

} // namespace gluond::codegen
