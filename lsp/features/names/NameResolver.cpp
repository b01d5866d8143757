#include "lsp/features/names/NameResolver.h"

#include "driver/workspace/Imports.h"
#include "driver/workspace/TritonRelease.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>

namespace gluond::lsp {

using namespace syntax;
namespace lang = gluond::language;
using Kind = Denoted::Kind;

namespace {

// Of all classes together, which each list those of their bases: a chain of thousands of classes
// would take gigabytes.
constexpr size_t mostInherited = 100'000;

Denoted ofMeaning(const lang::BuiltinModule& module, llvm::StringRef name) {
  if (const lang::Builtin* row = lang::findBuiltin(module.id, name))
    return NameResolver::ofBuiltin(row);
  Denoted denoted;
  if (const lang::BuiltinModule* inner = lang::findSubmodule(module, name)) {
    denoted.kind = Kind::Namespace;
    denoted.module = inner;
  }
  return denoted;
}

text::Range nameOf(const Node& definition) {
  if (auto* def = llvm::dyn_cast<FunctionDef>(&definition)) return def->name.range;
  return llvm::cast<ClassDef>(definition).name.range;
}

} // namespace

Denoted NameResolver::ofBuiltin(const lang::Builtin* row) {
  Denoted denoted;
  denoted.kind = Kind::Builtin;
  denoted.builtin = row;
  // A class of the table (TensorDescriptor) has members of its own.
  if (row->kind == lang::BuiltinKind::Class || row->kind == lang::BuiltinKind::Layout ||
      row->kind == lang::BuiltinKind::Python)
    for (const lang::BuiltinModule& module : lang::builtinModules())
      if (module.isClass && llvm::StringRef(module.alias) == row->name) denoted.module = &module;
  return denoted;
}

std::string dottedPath(llvm::ArrayRef<Identifier> path, const Interner& names) {
  std::string text;
  for (const Identifier& part : path)
    text += (text.empty() ? "" : ".") + names.text(part.name).str();
  return text;
}

const Stmt* statementAt(const SyntaxTree& tree, text::Offset offset) {
  const Stmt* found = nullptr;
  for (const Node* node : pathTo(tree.body(), offset))
    if (auto* stmt = llvm::dyn_cast<Stmt>(node)) found = stmt;
  return found;
}

const Expr* valueOf(const SyntaxTree& tree, text::Range name) {
  const Stmt* stmt = statementAt(tree, name.begin);
  if (auto* assign = llvm::dyn_cast_or_null<Assign>(stmt))
    return llvm::any_of(assign->targets, [&](const Expr* each) { return each->range == name; })
               ? assign->value
               : nullptr;
  auto* assign = llvm::dyn_cast_or_null<AnnAssign>(stmt);
  return assign && assign->target->range == name ? assign->value : nullptr;
}

const IndexedFile* NameResolver::indexed(const std::shared_ptr<const driver::File>& file) {
  if (!file) return nullptr;
  auto it = files_.find(file->path());
  if (it != files_.end()) return it->second.get();
  auto tree = file->tree(snapshot_.names(), token_);
  if (!tree) return nullptr;
  if (!release_) release_ = driver::tritonOf(snapshot_, file->path()).release;
  auto names = file->derived<NameIndex>(
      [&] { return std::make_shared<const NameIndex>(NameIndex::build(*tree)); });
  auto made = std::make_unique<IndexedFile>(file, tree, names);
  return (files_[file->path()] = std::move(made)).get();
}

const IndexedFile* NameResolver::indexed(llvm::StringRef path) {
  auto it = files_.find(path.str());
  return it != files_.end() ? it->second.get() : indexed(snapshot_.found(path));
}

FileFacts& NameResolver::facts(const IndexedFile& file) {
  std::unique_ptr<FileFacts>& slot = facts_[&file];
  if (!slot) slot = std::make_unique<FileFacts>(snapshot_, file.file, worker_, token_);
  return *slot;
}

Symbol NameResolver::symbolOf(const IndexedFile& file, uint32_t index) {
  const Entity& entity = file.index.entities()[index];
  Symbol symbol{&file, {}, entity.name, Symbol::Kind::Local};
  if (entity.kind == EntityKind::Parameter)
    symbol.kind = Symbol::Kind::Parameter;
  else if (entity.scope == 0)
    symbol.kind = Symbol::Kind::Global;
  symbol.range = entity.first;
  // Members of a class are found through the class.
  if (symbol.kind == Symbol::Kind::Local && file.index.isInClass(entity)) {
    const Stmt* stmt = statementAt(*file.tree, symbol.range.begin);
    auto path = pathTo(file.tree->body(), symbol.range.begin);
    for (auto [outer, inner] :
         llvm::zip(llvm::ArrayRef(path).drop_back(), llvm::ArrayRef(path).drop_front()))
      if (inner == stmt && llvm::isa<ClassDef>(outer)) symbol.kind = Symbol::Kind::Member;
  }
  return symbol;
}

Denoted NameResolver::defined(const IndexedFile& file, const Node& node) {
  Denoted denoted;
  denoted.kind = llvm::isa<ClassDef>(node) ? Kind::Class : Kind::Function;
  denoted.file = &file;
  denoted.node = &node;
  return denoted;
}

Denoted NameResolver::definedAt(const diagnostics::Location& name) {
  const IndexedFile* file = indexed(snapshot_.path(name.file));
  if (!file) return {};
  for (const Node* node : pathFrom(file->tree->body(), name.range.begin))
    if (llvm::isa<FunctionDef, ClassDef>(node) && nameOf(*node) == name.range) {
      Denoted denoted = defined(*file, *node);
      if (const Occurrence* here = file->index.at(name.range.begin))
        denoted.symbol = symbolOf(*file, here->entity);
      return denoted;
    }
  return {};
}

Denoted NameResolver::ofPath(const IndexedFile& file, llvm::StringRef module, unsigned level) {
  Denoted denoted;
  if (level == 0)
    if (const lang::BuiltinModule* known = lang::findModule(module)) {
      denoted.kind = Kind::Namespace;
      denoted.module = known;
      return denoted;
    }
  if (auto found = driver::findImport(snapshot_, file.file->path(), module, level))
    if (const IndexedFile* loaded = indexed(found)) {
      denoted.kind = Kind::File;
      denoted.file = loaded;
    }
  return denoted;
}

Denoted NameResolver::ofImport(const IndexedFile& file, const Node& statement, const Alias& alias) {
  const Interner& names = snapshot_.names();
  if (auto* from = llvm::dyn_cast<ImportFrom>(&statement)) {
    std::string module = dottedPath(from->module, names);
    Name name = alias.path.front().name;
    std::string text = names.text(name).str();
    if (from->level == 0)
      if (const lang::BuiltinModule* known = lang::findModule(module))
        return ofMeaning(*known, text);
    // A submodule first: `from . import helpers`.
    if (Denoted inner = ofPath(file, module.empty() ? text : module + "." + text, from->level))
      return inner;
    Denoted owner = ofPath(file, module, from->level);
    return owner.kind == Kind::File ? topLevel(*owner.file, name) : Denoted();
  }
  // import a.b.c binds a; import a.b.c as d binds a.b.c
  llvm::ArrayRef<Identifier> path = alias.path;
  if (!alias.asName.name) path = path.take_front(1);
  return ofPath(file, dottedPath(path, names), 0);
}

Denoted NameResolver::topLevel(const IndexedFile& file, Name name) {
  const Entity* entity = file.index.global(name);
  return entity ? ofEntity(file, *entity) : starImported(file, name);
}

NameResolver::StarNames& NameResolver::starNames(const IndexedFile& file) {
  std::unique_ptr<StarNames>& slot = starNames_[&file];
  if (!slot) {
    slot = std::make_unique<StarNames>();
    slot->imports = starImportsOf(*file.tree);
    slot->exported = exportedNames(*file.tree);
  }
  return *slot;
}

Denoted NameResolver::starImported(const IndexedFile& file, Name name) {
  StarNames& here = starNames(file);
  if (here.imports.empty() || depth_ >= maxDepth || token_.isCancelled()) return {};
  auto [known, isNew] = here.found.try_emplace(name);
  if (!isNew) return known->second;
  ++depth_;
  llvm::scope_exit restore([this] { --depth_; });
  llvm::StringRef text = snapshot_.names().text(name);
  auto lookUp = [&]() -> Denoted {
    for (const ImportFrom* import : llvm::reverse(here.imports)) {
      Denoted module = ofPath(file, dottedPath(import->module, snapshot_.names()), import->level);
      if (module.kind == Kind::Namespace)
        if (Denoted found = member(module, name)) return found;
      if (module.kind != Kind::File) continue;
      const ExportedNames& exported = starNames(*module.file).exported;
      if (!(exported.isGiven ? exported.has(text) : !text.starts_with("_"))) continue;
      if (Denoted found = topLevel(*module.file, name)) return found;
    }
    return {};
  };
  Denoted found = lookUp();
  return here.found[name] = found;
}

const ClassDef* NameResolver::classOf(const IndexedFile& file, const FunctionDef& method) {
  auto path = pathTo(file.tree->body(), method.name.range.begin);
  const Node* around = nullptr;
  for (const Node* node : path) {
    if (node == &method) return llvm::dyn_cast_or_null<ClassDef>(around);
    if (llvm::isa<Stmt>(node)) around = node;
  }
  return nullptr;
}

Denoted NameResolver::ofEntity(const IndexedFile& file, const Entity& entity) {
  if (depth_ >= maxDepth || token_.isCancelled()) return {};
  ++depth_;
  llvm::scope_exit restore([this] { --depth_; });
  auto index = static_cast<uint32_t>(&entity - file.index.entities().data());
  Denoted denoted;
  switch (entity.kind) {
  case EntityKind::Import:
    if (entity.alias) return ofImport(file, *entity.node, *entity.alias);
    return {};
  case EntityKind::Function:
  case EntityKind::Class:
    denoted = defined(file, *entity.node);
    break;
  case EntityKind::Parameter: {
    // The first parameter of a method is an instance of its class.
    denoted.symbol = symbolOf(file, index);
    for (const Node* node : pathFrom(file.tree->body(), denoted.symbol->range.begin)) {
      auto* def = llvm::dyn_cast<FunctionDef>(node);
      if (!def) continue;
      if (!def->parameters.empty() && def->parameters.front().name.range == denoted.symbol->range)
        if (const ClassDef* cls = classOf(file, *def)) {
          denoted.kind = Kind::Instance;
          denoted.file = &file;
          denoted.node = cls;
          return denoted;
        }
      break;
    }
    Symbol symbol = *denoted.symbol;
    denoted = ofFact(file, symbol.range);
    if (denoted.kind == Kind::Nothing) denoted.kind = Kind::Value;
    denoted.symbol = symbol;
    return denoted;
  }
  case EntityKind::Variable: {
    // If a name is assigned once, it has that value; if assigned again, it is still an instance of
    // its class (`state = state.next()`).
    Symbol symbol = symbolOf(file, index);
    const Expr* value = valueOf(*file.tree, symbol.range);
    if (!llvm::isa_and_nonnull<NameExpr, Attribute, Call>(value)) value = nullptr;
    if (value && entity.bindings == 1) denoted = of(file, value);
    if (denoted.kind == Kind::Nothing) denoted = ofFact(file, symbol.range);
    if (value && entity.bindings > 1 && denoted.kind == Kind::Nothing)
      if (Denoted first = of(file, value); first.kind == Kind::Instance) denoted = first;
    if (denoted.kind == Kind::Nothing || denoted.kind == Kind::File) denoted.kind = Kind::Value;
    denoted.symbol = symbol;
    return denoted;
  }
  }
  denoted.symbol = symbolOf(file, index);
  if (denoted.kind == Kind::Nothing) denoted.kind = Kind::Value;
  return denoted;
}

Denoted NameResolver::ofName(const IndexedFile& file, Name name, text::Offset offset) {
  const Occurrence* here = file.index.at(offset);
  if (here && here->range.begin == offset) {
    const Entity& entity = file.index.entities()[here->entity];
    if (entity.name == name) return ofEntity(file, entity);
  }
  const Entity* entity = file.index.lookup(name, offset);
  return entity ? ofEntity(file, *entity) : starImported(file, name);
}

Denoted NameResolver::ofFact(const IndexedFile& file, text::Range range) {
  if (!file.isGluon) return {};
  auto fact = facts(file).of(range);
  return fact ? ofType(fact->type) : Denoted();
}

Denoted NameResolver::ofType(const codegen::TypeFact& type) {
  if (type.builtin) return NameResolver::ofBuiltin(type.builtin);
  Denoted denoted;
  auto members = [&](lang::ModuleId id) {
    denoted.kind = Kind::Namespace;
    denoted.module = &lang::module(id);
    denoted.isValue = true;
    return denoted;
  };
  using codegen::FactKind;
  switch (type.kind) {
  case FactKind::Tensor:
  case FactKind::Scalar:
  case FactKind::Pointer:
    return members(lang::ModuleId::tensor);
  case FactKind::MemoryDescriptor:
    return members(type.isTensorMemory ? lang::ModuleId::tensor_memory_descriptor
                                       : lang::ModuleId::shared_memory_descriptor);
  case FactKind::TensorDescriptor:
    return members(lang::ModuleId::tensor_descriptor);
  default:
    break;
  }
  if (type.className == "dtype") return members(lang::ModuleId::dtype);
  if (!type.definition) return {};
  denoted = definedAt(*type.definition);
  // The definition of an instance is its class.
  if (denoted.kind == Kind::Class && (type.kind == FactKind::Aggregate || !type.members.empty())) {
    denoted.kind = Kind::Instance;
    denoted.symbol.reset();
  }
  return denoted;
}

const std::vector<NameResolver::ClassMember>& NameResolver::membersOf(const IndexedFile& file,
                                                                      const ClassDef& cls) {
  return allMembers(file, cls).all;
}

const NameResolver::ClassMember* NameResolver::memberOf(const IndexedFile& file,
                                                        const ClassDef& cls, Name name) {
  const Members& members = allMembers(file, cls);
  auto it = members.places.find(name);
  return it == members.places.end() ? nullptr : &members.all[it->second];
}

const NameResolver::Members& NameResolver::allMembers(const IndexedFile& file,
                                                      const ClassDef& cls) {
  std::unique_ptr<Members>& slot = members_[&cls];
  if (slot) return *slot; // of a class that is its own base: those found so far
  Members& members = *(slot = std::make_unique<Members>());
  auto add = [&](Name name, text::Range range, const Node& node) {
    members.add({&file, name, range, &node});
  };
  auto target = [&](const Expr* expr, const Stmt& stmt) {
    if (auto* name = llvm::dyn_cast_or_null<NameExpr>(expr)) add(name->name, name->range, stmt);
  };
  for (const Stmt* stmt : cls.body) {
    if (auto* def = llvm::dyn_cast<FunctionDef>(stmt)) add(def->name.name, def->name.range, *def);
    if (auto* def = llvm::dyn_cast<ClassDef>(stmt)) add(def->name.name, def->name.range, *def);
    if (auto* assign = llvm::dyn_cast<AnnAssign>(stmt)) target(assign->target, *assign);
    if (auto* assign = llvm::dyn_cast<Assign>(stmt))
      for (const Expr* each : assign->targets)
        target(each, *assign);
  }
  // self.x = ... in methods
  for (const Stmt* stmt : cls.body) {
    auto* def = llvm::dyn_cast<FunctionDef>(stmt);
    if (!def || def->parameters.empty()) continue;
    Name self = def->parameters.front().name.name;
    auto walk = [&](auto& again, const Node& node) -> void {
      auto assigned = [&](const Expr* expr, const Stmt& statement) {
        auto* attribute = llvm::dyn_cast_or_null<Attribute>(expr);
        auto* owner = attribute ? llvm::dyn_cast<NameExpr>(attribute->value) : nullptr;
        if (owner && owner->name == self)
          add(attribute->attribute.name, attribute->attribute.range, statement);
      };
      if (auto* assign = llvm::dyn_cast<Assign>(&node))
        for (const Expr* each : assign->targets)
          assigned(each, *assign);
      if (auto* assign = llvm::dyn_cast<AnnAssign>(&node)) assigned(assign->target, *assign);
      forEachChild(node, [&](const Node& child) {
        if (llvm::isa<Stmt>(child)) again(again, child);
      });
    };
    walk(walk, *def);
  }
  if (depth_ < maxDepth) {
    ++depth_;
    for (const Expr* base : cls.bases) {
      Denoted owner = of(file, base);
      if (owner.kind != Kind::Class || owner.node == &cls) continue;
      const auto& inherited = membersOf(*owner.file, *llvm::cast<ClassDef>(owner.node));
      if (inherited.size() > mostInherited - inherited_) break;
      inherited_ += inherited.size();
      for (const ClassMember& each : inherited)
        members.add(each);
    }
    --depth_;
  }
  return members;
}

Denoted NameResolver::member(const Denoted& owner, Name name) {
  switch (owner.kind) {
  case Kind::Builtin:
    if (owner.module) return ofMeaning(*owner.module, snapshot_.names().text(name));
    return {};
  case Kind::Namespace: {
    Denoted found = ofMeaning(*owner.module, snapshot_.names().text(name));
    found.isBound = owner.isValue;
    return found;
  }
  case Kind::File: {
    if (Denoted found = topLevel(*owner.file, name)) return found;
    return ofPath(*owner.file, snapshot_.names().text(name), 1); // a module of the package
  }
  case Kind::Class:
  case Kind::Instance:
    if (const ClassMember* found = memberOf(*owner.file, *llvm::cast<ClassDef>(owner.node), name)) {
      Denoted denoted;
      denoted.kind = Kind::Value;
      if (llvm::isa<FunctionDef, ClassDef>(found->node))
        denoted = defined(*found->file, *found->node);
      denoted.symbol = Symbol{found->file, found->range, name, Symbol::Kind::Member};
      denoted.isBound = owner.kind == Kind::Instance;
      return denoted;
    }
    return {};
  default:
    return {};
  }
}

Denoted NameResolver::annotated(const Denoted& owner, Name name, const Denoted& member) {
  if (owner.kind != Kind::Instance) return member;
  const ClassMember* found = memberOf(*owner.file, *llvm::cast<ClassDef>(owner.node), name);
  auto* field = found ? llvm::dyn_cast<AnnAssign>(found->node) : nullptr;
  Denoted type = field ? of(*found->file, field->annotation) : Denoted();
  Denoted value = member;
  if (type.kind == Kind::Builtin && type.module) {
    value.kind = Kind::Namespace;
    value.module = type.module;
    value.isValue = true;
  } else if (type.kind == Kind::Class) {
    value.kind = Kind::Instance;
    value.file = type.file;
    value.node = type.node;
  }
  return value;
}

static const Expr* firstReturned(const Node& node) {
  if (auto* done = llvm::dyn_cast<Return>(&node)) return done->value;
  const Expr* found = nullptr;
  forEachChild(node, [&](const Node& child) {
    if (!found && llvm::isa<Stmt>(child) && !llvm::isa<FunctionDef, ClassDef>(child))
      found = firstReturned(child);
  });
  return found;
}

const Expr* NameResolver::returnedBy(const Node& function) {
  auto [it, isNew] = returned_.try_emplace(&function, nullptr);
  if (isNew) it->second = firstReturned(function);
  return it->second;
}

Denoted NameResolver::of(const IndexedFile& file, const Expr* expr) {
  if (depth_ >= maxDepth || token_.isCancelled()) return {};
  ++depth_;
  llvm::scope_exit restore([this] { --depth_; });
  if (auto* name = llvm::dyn_cast<NameExpr>(expr)) {
    Denoted denoted = ofName(file, name->name, name->range.begin);
    if (denoted.kind == Kind::Nothing || denoted.kind == Kind::Value) {
      // It is assigned more than once: codegen knows its value here.
      Denoted typed = ofFact(file, name->range);
      if (typed.kind != Kind::Nothing) {
        typed.symbol = denoted.symbol;
        return typed;
      }
    }
    return denoted;
  }
  if (auto* attribute = llvm::dyn_cast<Attribute>(expr)) {
    Denoted owner = of(file, attribute->value);
    Denoted found = member(owner, attribute->attribute.name);
    if (!found || found.kind == Kind::Value) {
      Denoted typed = ofFact(file, attribute->range);
      if (typed.kind != Kind::Nothing) {
        if (found.symbol) typed.symbol = found.symbol;
        return typed;
      }
      return annotated(owner, attribute->attribute.name, found);
    }
    return found;
  }
  if (auto* call = llvm::dyn_cast<Call>(expr)) {
    Denoted callee = of(file, call->func);
    if (callee.kind == Kind::Class) {
      callee.kind = Kind::Instance;
      callee.symbol.reset();
      return callee;
    }
    if (callee.kind == Kind::Function) {
      Denoted typed = ofFact(file, expr->range);
      const Expr* returned = typed.kind == Kind::Nothing ? returnedBy(*callee.node) : nullptr;
      // Where nothing is known of the arguments, a method that makes an instance still makes one.
      if (llvm::isa_and_nonnull<Call>(returned))
        if (Denoted made = of(*callee.file, returned); made.kind == Kind::Instance) typed = made;
      typed.symbol.reset();
      return typed;
    }
  }
  Denoted typed = ofFact(file, expr->range);
  typed.symbol.reset();
  return typed;
}

std::optional<Resolved> NameResolver::at(const IndexedFile& file, text::Offset offset) {
  const Interner& names = snapshot_.names();
  auto path = pathTo(file.tree->body(), offset);
  if (path.empty()) return std::nullopt;
  // An import statement holds names that are no nodes.
  if (auto* stmt = llvm::dyn_cast<Stmt>(path.back()); stmt && llvm::isa<Import, ImportFrom>(stmt)) {
    auto* from = llvm::dyn_cast<ImportFrom>(stmt);
    auto prefix = [&](llvm::ArrayRef<Identifier> parts, unsigned level) -> std::optional<Resolved> {
      for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].range.touches(offset))
          return Resolved{parts[i].range,
                          ofPath(file, dottedPath(parts.take_front(i + 1), names), level)};
      return std::nullopt;
    };
    if (from)
      if (auto found = prefix(from->module, from->level)) return found;
    for (const Alias& alias : from ? from->names : llvm::cast<Import>(stmt)->names) {
      bool isAlias = alias.asName.name && alias.asName.range.touches(offset);
      if (!from && !isAlias)
        if (auto found = prefix(alias.path, 0)) return found;
      if (!isAlias && (alias.path.empty() || !alias.path.front().range.touches(offset))) continue;
      Denoted denoted = ofImport(file, *stmt, alias);
      text::Range range = isAlias ? alias.asName.range : alias.path.front().range;
      return Resolved{range, denoted};
    }
    return std::nullopt;
  }
  if (auto* string = llvm::dyn_cast<Constant>(path.back());
      string && string->constant == ConstantKind::Str && file.isGluon)
    return namedParameter(file, offset);
  for (const Node* node : llvm::reverse(path)) {
    if (auto* attribute = llvm::dyn_cast<Attribute>(node);
        attribute && attribute->attribute.range.touches(offset))
      return Resolved{attribute->attribute.range, of(file, attribute)};
    if (auto* call = llvm::dyn_cast<Call>(node))
      for (const Keyword& each : call->keywords)
        if (each.name.name && each.name.range.touches(offset)) {
          Denoted parameter = keyword(file, *call, each.name.name);
          if (!parameter) // dict(BLOCK=128), options.update(BLOCK=128)
            if (auto named = namedParameter(file, offset)) return named;
          return Resolved{each.name.range, parameter};
        }
    if (llvm::isa<Stmt>(node)) break;
  }
  const Occurrence* here = file.index.at(offset);
  if (!here) {
    auto* name = llvm::dyn_cast<NameExpr>(path.back());
    Denoted denoted = name ? starImported(file, name->name) : Denoted();
    return denoted ? std::optional(Resolved{name->range, denoted}) : std::nullopt;
  }
  const Entity& entity = file.index.entities()[here->entity];
  Denoted denoted = ofEntity(file, entity);
  if (!denoted.symbol && entity.kind != EntityKind::Import)
    denoted.symbol = symbolOf(file, here->entity);
  return Resolved{here->range, denoted};
}

} // namespace gluond::lsp
