#include "evaluate/triton/ModelledModule.h"

namespace gluond::evaluate {

static const Scope* additionsOf(const ModuleObject* module) {
  return module && !module->globals ? static_cast<const ModelledModule*>(module)->additions
                                    : nullptr;
}

// A member's name as the package around its module sees it.
static Name nameInside(Interpreter& in, llvm::StringRef package, llvm::StringRef module,
                       Name member) {
  llvm::StringRef inner = module.drop_front(package.size());
  return inner.empty() ? member : in.name((inner.drop_front() + "." + in.text(member)).str());
}

bool addMember(Interpreter& in, const ModuleObject* module, Name name, Value value) {
  llvm::StringRef dotted = module->name;
  if (dotted.split('.').first != "triton" || !in.heap().owns(module) ||
      !in.moduleMember(dotted, name).isAbsent())
    return false;
  for (llvm::StringRef package = dotted; !package.empty(); package = package.rsplit('.').first) {
    const Scope* additions = additionsOf(in.module(package).as<ModuleObject>());
    if (!additions || !in.setIn(additions, nameInside(in, package, dotted, name), value))
      return false;
    if (!package.contains('.')) break;
  }
  return true;
}

Value addedMember(const ModuleObject* module, Name name) {
  const Scope* additions = additionsOf(module);
  return additions ? additions->get(name) : Value::absent();
}

Value addedMember(Interpreter& in, const Scope& globals, const ModuleObject* module, Name name) {
  for (auto [bound, value] : globals) {
    auto* package = value.as<ModuleObject>();
    if (!package || package->name.empty() || !module->name.starts_with(package->name)) continue;
    llvm::StringRef rest = module->name.drop_front(package->name.size());
    if (!rest.empty() && !rest.starts_with(".")) continue;
    Value found = addedMember(package, nameInside(in, package->name, module->name, name));
    if (!found.isAbsent()) return found;
  }
  return Value::absent();
}

} // namespace gluond::evaluate
