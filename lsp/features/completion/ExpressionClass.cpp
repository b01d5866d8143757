#include "lsp/features/completion/ExpressionClass.h"

#include "language/parameters/ParameterRoles.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace lang = gluond::language;
using namespace syntax;
using lang::ModuleId;

namespace {

// The classes that functions return if they return no tensor.
struct Row {
  llvm::StringLiteral function;
  ModuleId made;
};
constexpr Row rows[] = {
    {"allocate_shared_memory", ModuleId::shared_memory_descriptor},
    {"allocate_mbarrier", ModuleId::shared_memory_descriptor},
    {"allocate_tensor_memory", ModuleId::tensor_memory_descriptor},
    {"make_tensor_descriptor", ModuleId::tensor_descriptor},
};

class Judge {
public:
  Judge(NameResolver& resolver, const IndexedFile& file) : resolver_(resolver), file_(file) {}

  std::optional<ModuleId> of(const Expr& expr, unsigned steps = 8) {
    if (steps-- == 0) return std::nullopt;
    if (auto* call = llvm::dyn_cast<Call>(&expr)) return ofCall(*call, steps);
    if (auto* name = llvm::dyn_cast<NameExpr>(&expr)) {
      const Expr* assigned = lastAssigned(*name);
      if (assigned) return of(*assigned, steps);
      return isDescriptor(*name) ? ModuleId::tensor_descriptor : ofUses(*name);
    }
    if (auto* op = llvm::dyn_cast<BinOp>(&expr)) return ofEither(*op->left, *op->right, steps);
    if (auto* compare = llvm::dyn_cast<Compare>(&expr))
      return ofEither(*compare->left, *compare->comparators.front(), steps);
    if (auto* op = llvm::dyn_cast<UnaryOp>(&expr)) return tensorOnly(of(*op->operand, steps));
    if (auto* attribute = llvm::dyn_cast<Attribute>(&expr)) {
      llvm::StringRef name = resolver_.snapshot().names().text(attribute->attribute.name);
      auto owner = of(*attribute->value, steps);
      bool isType = owner && (name == "type" || name == "dtype" ||
                              (name == "block_type" && owner == ModuleId::tensor_descriptor));
      return isType ? std::optional(ModuleId::dtype) : std::nullopt;
    }
    if (auto* subscript = llvm::dyn_cast<Subscript>(&expr))
      return tensorOnly(of(*subscript->value, steps));
    return std::nullopt;
  }

private:
  static std::optional<ModuleId> tensorOnly(std::optional<ModuleId> made) {
    return made == ModuleId::tensor ? made : std::nullopt;
  }
  std::optional<ModuleId> ofEither(const Expr& left, const Expr& right, unsigned steps) {
    auto made = tensorOnly(of(left, steps));
    return made ? made : tensorOnly(of(right, steps));
  }

  std::optional<ModuleId> ofCall(const Call& call, unsigned steps) {
    Denoted callee = resolver_.of(file_, call.func);
    if (callee.kind == Denoted::Kind::Builtin) {
      for (const Row& row : rows)
        if (row.function == callee.builtin->name) return row.made;
      bool computes = callee.builtin->kind == lang::BuiltinKind::Rule ||
                      callee.builtin->kind == lang::BuiltinKind::Prelude;
      return computes && !callee.isBound ? std::optional(ModuleId::tensor) : std::nullopt;
    }
    auto* method = llvm::dyn_cast<Attribute>(call.func);
    auto receiver = method ? of(*method->value, steps) : std::nullopt;
    if (!receiver || *receiver == ModuleId::tensor) return receiver;
    llvm::StringRef name = resolver_.snapshot().names().text(method->attribute.name);
    if (!lang::findBuiltin(*receiver, name) || name.starts_with("get_")) return std::nullopt;
    return name == "load" || name == "gather" ? ModuleId::tensor : *receiver;
  }

  const FunctionDef* around(const Node& node) const {
    for (const Node* each : pathFrom(file_.tree->body(), node.range.begin))
      if (auto* def = llvm::dyn_cast<FunctionDef>(each)) return def;
    return nullptr;
  }

  // The value that was assigned to a name last, above its use.
  const Expr* lastAssigned(const NameExpr& name) const {
    const FunctionDef* def = around(name);
    const Expr* last = nullptr;
    auto visit = [&](auto&& self, const Node& node) -> void {
      if (node.range.begin >= name.range.begin) return;
      auto take = [&](const Expr* target, const Expr* value) {
        auto* bound = llvm::dyn_cast<NameExpr>(target);
        if (bound && bound->name == name.name && value && node.range.end <= name.range.begin)
          last = value;
      };
      if (auto* assign = llvm::dyn_cast<Assign>(&node))
        for (const Expr* target : assign->targets)
          take(target, assign->value);
      if (auto* assign = llvm::dyn_cast<AnnAssign>(&node)) take(assign->target, assign->value);
      forEachChild(node, [&](const Node& child) { self(self, child); });
    };
    if (def) visit(visit, *def);
    return last;
  }

  bool isDescriptor(const NameExpr& name) const {
    const FunctionDef* def = around(name);
    return def && isDescriptorParameter(resolver_, file_, *def, name.name);
  }

  // The class that has all the members that the function reads of a name; nullopt if several do.
  std::optional<ModuleId> ofUses(const NameExpr& name) const {
    const FunctionDef* def = around(name);
    llvm::SmallVector<llvm::StringRef, 4> read;
    auto visit = [&](auto&& self, const Node& node) -> void {
      if (auto* attribute = llvm::dyn_cast<Attribute>(&node))
        if (auto* of = llvm::dyn_cast<NameExpr>(attribute->value);
            of && of != &name && of->name == name.name)
          read.push_back(resolver_.snapshot().names().text(attribute->attribute.name));
      forEachChild(node, [&](const Node& child) { self(self, child); });
    };
    if (def) visit(visit, *def);
    std::optional<ModuleId> found;
    for (ModuleId each : {ModuleId::tensor, ModuleId::shared_memory_descriptor,
                          ModuleId::tensor_memory_descriptor, ModuleId::tensor_descriptor}) {
      if (read.empty() || llvm::any_of(read, [&](llvm::StringRef member) {
            return !lang::findBuiltin(each, member);
          }))
        continue;
      if (found) return std::nullopt;
      found = each;
    }
    return found;
  }

  NameResolver& resolver_;
  const IndexedFile& file_;
};

} // namespace

bool isDescriptorParameter(NameResolver& resolver, const IndexedFile& file, const FunctionDef& def,
                           Name name) {
  for (const Parameter& parameter : def.parameters) {
    if (parameter.name.name != name) continue;
    Denoted type = parameter.annotation ? resolver.of(file, parameter.annotation) : Denoted();
    if (type.kind == Denoted::Kind::Builtin)
      return llvm::StringRef(type.builtin->name).starts_with("tensor_descriptor");
    return lang::ParameterRoles(*file.tree).of(def, name) == lang::ParameterRole::Descriptor;
  }
  return false;
}

const lang::BuiltinModule* classOfExpression(NameResolver& resolver, const IndexedFile& file,
                                             const Expr& expr) {
  auto made = Judge(resolver, file).of(expr);
  return made ? &lang::module(*made) : nullptr;
}

} // namespace gluond::lsp
