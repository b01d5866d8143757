// What rules use of the function being visited: calls of other functions and attributes.
#include "codegen/builder/IrBuilder.h"
#include "codegen/functions/FunctionVisitor.h"

namespace gluond::codegen {

bool IrBuilder::knowsNumWarps() const {
  return !unit_.options.assumesNothing ||
         (visitor_ && visitor_->callerContext() && visitor_->callerContext()->numWarps);
}

unsigned IrBuilder::numWarps() const {
  if (visitor_ && visitor_->callerContext() && visitor_->callerContext()->numWarps)
    return *visitor_->callerContext()->numWarps;
  return options_->numWarps;
}

void IrBuilder::forEachVariable(llvm::function_ref<void(llvm::StringRef, Value)> visit) const {
  if (visitor_) visitor_->forEachVariable(visit);
}

Value IrBuilder::callJit(Value function, Values args, const syntax::Node* call,
                         std::optional<CallerContext> context) {
  auto* object = function.as<language::FunctionObject>();
  if (!object || object->function != language::FunctionKind::Jit)
    return visitor_->call(function, args, {}, call);
  FunctionVisitor::CallSite site{call, {}, {}, {}, {}, false};
  site.args.append(args.begin(), args.end());
  site.nodes.assign(args.size(), nullptr);
  if (llvm::any_of(args, hasUnknown)) return Value::unknown();
  return visitor_->callJit(object, site, context);
}
Value IrBuilder::call(Value callee, Values args, const syntax::Node* call,
                      llvm::ArrayRef<std::pair<Name, Value>> keywords) {
  return visitor_->call(callee, args, keywords, call);
}
Value IrBuilder::callBuiltin(const language::Builtin& builtin, Values args,
                             const syntax::Node* call) {
  return visitor_->callBuiltin(builtin, args, call);
}
Value IrBuilder::attribute(Value value, Name name, const syntax::Node* node) {
  return visitor_->attribute(value, name, node);
}

} // namespace gluond::codegen
