#include "driver/hostfixes/GluonNames.h"

namespace gluond::driver {

const language::BuiltinModule*
gluonModule(const syntax::Expr* expr, const language::ModuleObject* module, const Interner& names) {
  if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(expr)) {
    const language::BuiltinModule* base = gluonModule(attribute->value, module, names);
    if (!base) return nullptr;
    std::string name = llvm::StringRef(base->name).str() + ".";
    return language::findModule(name + names.text(attribute->attribute.name).str());
  }
  auto* name = llvm::dyn_cast<syntax::NameExpr>(expr);
  if (!name || !module || !module->globals) return nullptr;
  language::Value value = module->globals->get(name->name);
  auto* held = value.isAbsent() ? nullptr : value.as<language::ModuleObject>();
  return held ? language::findModule(held->name) : nullptr;
}

GluonName gluonName(const syntax::Expr* expr, const language::ModuleObject* module,
                    const Interner& names) {
  auto* attribute = llvm::dyn_cast_if_present<syntax::Attribute>(expr);
  if (!attribute) return {};
  return {gluonModule(attribute->value, module, names), names.text(attribute->attribute.name),
          attribute->attribute.range};
}

} // namespace gluond::driver
