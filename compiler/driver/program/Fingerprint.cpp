#include "driver/program/Fingerprint.h"

#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Text.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/Hashing.h>
#include <llvm/Support/xxhash.h>

#include <atomic>
#include <bit>

namespace gluond::driver {

using namespace language;
using syntax::Node;

namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t both[2] = {a, b};
  return llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const uint8_t*>(both), sizeof both));
}
uint64_t hashText(llvm::StringRef text) {
  return llvm::xxh3_64bits(text);
}

// Never the same twice.
uint64_t unique() {
  static std::atomic<uint64_t> next{1};
  return mix(0x9E3779B97F4A7C15u, next.fetch_add(1, std::memory_order_relaxed));
}

constexpr unsigned maxDepth = 24;

} // namespace

// Returns the object that holds further values, or null if there is none.
static const void* containerOf(Value v) {
  switch (v.kind()) {
  case ValueKind::Tuple:
    return v.as<TupleObject>();
  case ValueKind::List:
    return v.as<ListObject>();
  case ValueKind::Layout:
    return v.as<LayoutObject>();
  case ValueKind::Instance:
    return v.as<InstanceObject>();
  case ValueKind::BoundMethod:
    return v.as<BoundMethodObject>();
  case ValueKind::Slice:
    return v.as<SliceObject>();
  case ValueKind::Enum:
    return v.as<EnumObject>();
  default:
    return nullptr;
  }
}

uint64_t Fingerprinter::value(Value v, Local* reaching) {
  seen_.clear();
  return value(v, 0, reaching);
}

uint64_t Fingerprinter::value(Value v, unsigned depth, Local* reaching) {
  const void* container = containerOf(v);
  if (!container) return hashOf(v, depth, reaching);
  std::pair<const void*, unsigned> key(container, v.isConstexpr());
  auto [it, isNew] = seen_.try_emplace(key, 0);
  if (!isNew) return it->second ? it->second : unique(); // it holds itself
  uint64_t hash = hashOf(v, depth, reaching) | 1;
  return seen_[key] = hash;
}

uint64_t Fingerprinter::hashOf(Value v, unsigned depth, Local* reaching) {
  uint64_t hash = mix(static_cast<uint64_t>(v.kind()), v.isConstexpr());
  if (depth > maxDepth) return unique();
  auto all = [&](const auto& items) {
    for (Value item : items)
      hash = mix(hash, value(item, depth + 1, reaching));
    return hash;
  };
  switch (v.kind()) {
  case ValueKind::Bool:
    return mix(hash, v.asBool());
  case ValueKind::Int:
    return mix(hash, static_cast<uint64_t>(v.asInt()));
  case ValueKind::Float:
    return mix(hash, std::bit_cast<uint64_t>(v.asFloat()));
  case ValueKind::Builtin:
    return mix(hash, static_cast<uint64_t>(v.asBuiltin()->id));
  case ValueKind::Type:
    return mix(hash, hashText(repr(v, program_.tree().interner())));
  case ValueKind::BigInt: {
    const auto& number = *v.as<BigIntObject>();
    hash = mix(hash, number.negative);
    for (uint64_t word : number.magnitude)
      hash = mix(hash, word);
    return hash;
  }
  case ValueKind::Str:
  case ValueKind::Bytes:
    return mix(hash, hashText(v.as<StrObject>()->text));
  case ValueKind::Tuple:
    return all(v.as<TupleObject>()->items);
  case ValueKind::List:
    return all(v.as<ListObject>()->items);
  case ValueKind::Range: {
    auto* range = v.as<RangeObject>();
    return mix(mix(mix(hash, range->start), range->stop), range->step);
  }
  case ValueKind::Slice: {
    auto* slice = v.as<SliceObject>();
    return all(std::initializer_list<Value>{slice->start, slice->stop, slice->step});
  }
  case ValueKind::Layout: {
    auto* layout = v.as<LayoutObject>();
    hash = mix(hash, static_cast<uint64_t>(layout->cls->kind));
    return all(layout->fields);
  }
  case ValueKind::Enum: {
    auto* member = v.as<EnumObject>();
    hash = mix(hash, hashText(program_.tree().interner().text(member->name)));
    return all(
        std::initializer_list<Value>{Value::object(ValueKind::Class, member->cls), member->value});
  }
  case ValueKind::Instance: {
    auto* instance = v.as<InstanceObject>();
    hash = mix(hash, value(Value::object(ValueKind::Class, instance->cls), depth + 1, reaching));
    if (instance->attributes)
      for (auto [name, attribute] : *instance->attributes)
        hash = mix(mix(hash, hashText(program_.tree().interner().text(name))),
                   value(attribute, depth + 1, reaching));
    return hash;
  }
  case ValueKind::BoundMethod: {
    auto* bound = v.as<BoundMethodObject>();
    return all(std::initializer_list<Value>{bound->self, bound->function});
  }
  case ValueKind::Function:
  case ValueKind::Class: {
    auto* function = v.as<FunctionObject>();
    auto* cls = v.as<ClassObject>();
    if (reaching) reaching->reaches.push_back(v);
    return mix(hash, hashText(function ? function->qualname : cls->qualname));
  }
  case ValueKind::Module: {
    // Members are accessed by name, so a file of the workspace counts as a whole.
    auto* module = v.as<ModuleObject>();
    hash = mix(hash, hashText(module->name));
    const EvaluatedFile::Part* part = program_.part(*module);
    if (!part) return hash;
    return mix(hash, textOf(*part));
  }
  case ValueKind::Unknown:
  case ValueKind::Absent:
  case ValueKind::None:
  case ValueKind::NotImplemented:
  case ValueKind::Ellipsis:
    return hash;
  default:
    return unique(); // Dict, Set, Ir, Host: not worth comparing, or not comparable
  }
}

uint64_t Fingerprinter::textOf(const EvaluatedFile::Part& part) {
  auto [it, isNew] = files_.try_emplace(&part, 0);
  if (isNew) it->second = hashText(part.file->text().text());
  return it->second;
}

uint64_t Fingerprinter::ofTexts() {
  std::lock_guard lock(mutex_);
  uint64_t hash = 0;
  for (const EvaluatedFile::Part& part : program_.parts())
    hash = mix(hash, textOf(part));
  return hash;
}

uint64_t Fingerprinter::of(Value v) {
  std::lock_guard lock(mutex_);
  return value(v, nullptr);
}

static Value lookup(Name name, const ModuleObject* module, const Scope* scope) {
  Value found = Value::absent();
  for (const Scope* at = scope; at && found.isAbsent(); at = at->parent)
    found = at->get(name);
  if (found.isAbsent() && module && module->globals) found = module->globals->get(name);
  return found;
}

bool Fingerprinter::member(const syntax::Attribute& attribute, const ModuleObject* module,
                           const Scope* scope, Local& out) {
  llvm::SmallVector<Name, 4> names; // innermost first
  const syntax::Expr* base = &attribute;
  while (auto* inner = llvm::dyn_cast<syntax::Attribute>(base)) {
    names.push_back(inner->attribute.name);
    base = inner->value;
  }
  auto* root = llvm::dyn_cast<syntax::NameExpr>(base);
  Value found = root ? lookup(root->name, module, scope) : Value::absent();
  for (Name name : llvm::reverse(names)) {
    auto* of = found.as<ModuleObject>();
    if (!of) break;
    if (!of->globals || !program_.part(*of)) return false;
    found = of->globals->get(name);
    out.hash = mix(out.hash, name.id);
  }
  if (found.isAbsent() || found.is(ValueKind::Module) || !root ||
      !lookup(root->name, module, scope).is(ValueKind::Module))
    return false;
  out.hash = mix(out.hash, value(found, &out));
  return true;
}

void Fingerprinter::name(Name name, const ModuleObject* module, const Scope* scope, Local& out) {
  Value found = lookup(name, module, scope);
  if (found.isAbsent()) return; // a local or a builtin: it is covered by the text
  out.hash = mix(mix(out.hash, name.id), value(found, &out));
}

const Fingerprinter::Local& Fingerprinter::local(const Node& definition, const ModuleObject* module,
                                                 const Scope* scope) {
  std::unique_ptr<Local>& slot = locals_[{&definition, scope}];
  if (slot) return *slot;
  slot = std::make_unique<Local>();
  Local& result = *slot;
  const EvaluatedFile::Part* part = module ? program_.part(*module) : nullptr;
  if (!part) { // of the prelude or a modelled module: constant
    result.hash = 1;
    return result;
  }
  result.anchor = {part->file->id(), syntax::rangeWithDecorators(definition)};
  result.hash =
      mix(hashText(part->file->text().slice(result.anchor.range)), hashText(module->name));
  result.hash = mix(result.hash, hashText(part->file->path())); // places are in this file
  llvm::SmallDenseSet<uint32_t, 32> seen;
  llvm::SmallVector<const Node*, 64> stack = {&definition};
  while (!stack.empty()) {
    const Node* node = stack.pop_back_val();
    if (auto* use = llvm::dyn_cast<syntax::NameExpr>(node)) {
      if (seen.insert(use->name.id).second) name(use->name, module, scope, result);
      continue;
    }
    if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(node);
        attribute && member(*attribute, module, scope, result))
      continue;
    syntax::forEachChild(*node, [&](const Node& child) { stack.push_back(&child); });
  }
  return result;
}

void Fingerprinter::addReached(const FunctionObject& function,
                               llvm::SmallPtrSetImpl<const FunctionObject*>& out) {
  if (!function.def) return;
  std::lock_guard lock(mutex_);
  for (Value reached : local(*function.def, function.module, function.scope).reaches)
    if (auto* other = reached.as<FunctionObject>(); other && other != &function) out.insert(other);
}

const Fingerprint& Fingerprinter::kept(const void* what, llvm::function_ref<Fingerprint()> make) {
  {
    std::lock_guard lock(mutex_);
    if (auto it = kept_.find(what); it != kept_.end()) return *it->second;
  }
  auto made = std::make_unique<const Fingerprint>(make());
  std::lock_guard lock(mutex_);
  std::unique_ptr<const Fingerprint>& slot = kept_[what];
  if (!slot) slot = std::move(made); // else another thread was faster
  return *slot;
}

Fingerprint Fingerprinter::of(const FunctionObject& kernel, Values given) {
  std::lock_guard lock(mutex_);
  Fingerprint result;
  llvm::SmallVector<Value, 16> queue;
  llvm::DenseSet<const void*> seen;
  auto visit = [&](const Node* definition, const ModuleObject* module, const Scope* scope) {
    if (!definition) return;
    const Local& self = local(*definition, module, scope);
    result.value = mix(result.value, self.hash);
    if (self.anchor.range.end > 0) result.anchors.push_back(self.anchor);
    queue.append(self.reaches.begin(), self.reaches.end());
  };
  auto visitFunction = [&](const FunctionObject& function) {
    if (!seen.insert(&function).second) return;
    visit(function.def ? static_cast<const Node*>(function.def) : function.lambda, function.module,
          function.scope);
    Local extra; // defaults may come from elsewhere than the text
    for (Value each : function.defaults)
      result.value = mix(result.value, value(each, &extra));
    queue.append(extra.reaches.begin(), extra.reaches.end());
  };
  result.value = hashText(kernel.qualname);
  visitFunction(kernel);
  Local reached;
  for (Value each : given)
    result.value = mix(result.value, value(each, &reached));
  queue.append(reached.reaches.begin(), reached.reaches.end());
  for (size_t i = 0; i < queue.size(); ++i) {
    Value next = queue[i];
    if (auto* function = next.as<FunctionObject>()) {
      visitFunction(*function);
    } else if (auto* cls = next.as<ClassObject>(); cls && seen.insert(cls).second) {
      visit(cls->def, cls->module, nullptr);
      for (Value base : cls->mro)
        queue.push_back(base);
      if (cls->members)
        for (auto [name, member] : *cls->members)
          if (member.is(ValueKind::Function)) queue.push_back(member);
    }
  }
  return result;
}

} // namespace gluond::driver
