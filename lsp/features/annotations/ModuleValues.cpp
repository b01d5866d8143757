#include "lsp/features/annotations/ModuleValues.h"

#include "language/types/Structure.h"
#include "language/types/Text.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using namespace language;

namespace {

bool concernsGluon(Value value, unsigned depth = 0) {
  if (value.isConstexpr()) return true;
  switch (value.kind()) {
  case ValueKind::Layout:
  case ValueKind::Type:
  case ValueKind::Builtin:
    return true;
  case ValueKind::Tuple:
  case ValueKind::List:
    return depth < 3 &&
           llvm::any_of(itemsOf(value), [&](Value each) { return concernsGluon(each, depth + 1); });
  default:
    return false;
  }
}

Value memberOf(Value owner, Name name) {
  Value found = Value::absent();
  if (auto* module = owner.as<ModuleObject>()) {
    if (module->globals) found = module->globals->get(name);
  } else if (auto* cls = owner.as<ClassObject>()) {
    for (Value each : cls->mro)
      if (auto* base = each.as<ClassObject>(); base && base->members && found.isAbsent())
        found = base->members->get(name);
    for (const ClassObject::Field& field : cls->fields)
      if (found.isAbsent() && field.name == name && field.hasDefault && !field.hasFactory)
        found = field.defaultValue;
  } else if (auto* instance = owner.as<InstanceObject>()) {
    if (instance->attributes) found = instance->attributes->get(name);
    if (found.isAbsent()) return memberOf(Value::object(ValueKind::Class, instance->cls), name);
  }
  return found.isAbsent() ? Value() : found;
}

std::optional<ModuleValue> answer(std::shared_ptr<const driver::EvaluatedFile> program,
                                  Value value) {
  switch (value.kind()) {
  case ValueKind::Unknown:
  case ValueKind::Absent:
  case ValueKind::Function:
  case ValueKind::Class:
  case ValueKind::Module:
  case ValueKind::BoundMethod:
  case ValueKind::Host:
    return std::nullopt; // not known, or better described by their definitions
  default:
    return ModuleValue{std::move(program), value, concernsGluon(value)};
  }
}

} // namespace

static std::shared_ptr<const driver::EvaluatedFile> programOf(NameResolver& resolver,
                                                              const IndexedFile& file) {
  const driver::KernelList* list = resolver.facts(file).kernels();
  return list && !list->programs.empty() ? list->programs.front() : nullptr;
}

// Evaluates an expression of names and attributes at module level.
static Value walk(const driver::EvaluatedFile& program, const syntax::Expr* expr,
                  unsigned depth = 0) {
  if (depth > 16) return {};
  if (auto* name = llvm::dyn_cast<syntax::NameExpr>(expr)) {
    const ModuleObject* module = program.module();
    Value found = module && module->globals ? module->globals->get(name->name) : Value::absent();
    return found.isAbsent() ? Value() : found;
  }
  auto* attribute = llvm::dyn_cast<syntax::Attribute>(expr);
  if (!attribute) return {};
  return memberOf(walk(program, attribute->value, depth + 1), attribute->attribute.name);
}

std::optional<ModuleValue> moduleValue(NameResolver& resolver, const IndexedFile& file,
                                       const syntax::Expr* expr) {
  // A local name that hides the module's is not known here.
  const syntax::Expr* root = expr;
  while (auto* attribute = llvm::dyn_cast<syntax::Attribute>(root))
    root = attribute->value;
  auto* name = llvm::dyn_cast<syntax::NameExpr>(root);
  if (!name) return std::nullopt;
  const Entity* entity = file.index.lookup(name->name, name->range.begin);
  if (!entity || entity->scope != 0) return std::nullopt;
  auto program = programOf(resolver, file);
  if (!program) return std::nullopt;
  Value value = walk(*program, expr);
  return answer(std::move(program), value);
}

std::optional<ModuleValue> moduleValue(NameResolver& resolver, const IndexedFile& file,
                                       const Occurrence& occurrence) {
  const Entity& entity = file.index.entities()[occurrence.entity];
  auto program = entity.scope == 0 ? programOf(resolver, file) : nullptr;
  const ModuleObject* module = program ? program->module() : nullptr;
  if (!module || !module->globals) return std::nullopt;
  return answer(std::move(program), module->globals->get(entity.name));
}

std::optional<ModuleValue> moduleValue(NameResolver& resolver, const IndexedFile& file,
                                       const Symbol& symbol) {
  if (symbol.file != &file) return std::nullopt;
  auto program = programOf(resolver, file);
  const ModuleObject* module = program ? program->module() : nullptr;
  if (!module || !module->globals) return std::nullopt;
  if (symbol.kind == Symbol::Kind::Global) {
    return answer(std::move(program), module->globals->get(symbol.name));
  }
  if (symbol.kind != Symbol::Kind::Member) return std::nullopt;
  for (const syntax::Node* node : syntax::pathFrom(file.tree->body(), symbol.range.begin))
    if (auto* cls = llvm::dyn_cast<syntax::ClassDef>(node)) {
      Value found = module->globals->get(cls->name.name);
      return found.isAbsent() ? std::nullopt
                              : answer(std::move(program), memberOf(found, symbol.name));
    }
  return std::nullopt;
}

std::string valueText(const ModuleValue& value, const Interner& names, size_t most) {
  std::string text = repr(value.value.unwrapped(), names);
  if (text.size() > most) {
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80)
      --most;
    text = text.substr(0, most) + "...";
  }
  return text;
}

} // namespace gluond::lsp
