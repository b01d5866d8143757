#include "language/parameters/ParameterRoles.h"

#include "language/parameters/CalledFunctions.h"
#include "language/parameters/ParameterNames.h"
#include "language/types/Builtin.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/SaveAndRestore.h>

namespace gluond::language {

using namespace syntax;

namespace {

// Functions that take a global pointer, or the address made from one, by the last part of their
// name.
struct PointerRow {
  llvm::StringLiteral name;
  unsigned position;
};
constexpr PointerRow pointerRows[] = {
    {"load", 0},
    {"store", 0},
    {"buffer_load", 0},
    {"buffer_store", 1},
    {"make_tensor_descriptor", 0},
    {"async_load", 1}, // (shared memory, pointers): the one of cp.async
    {"global_load_to_shared", 1},
    {"buffer_load_to_shared", 1},
    {"global_to_shared", 1},
    {"shared_to_global", 0},
};
// Functions whose first argument is a descriptor, followed by coordinates.
constexpr llvm::StringLiteral descriptorCalls[] = {
    "async_load", "async_store", "async_load_im2col", "async_gather", "async_scatter", "prefetch"};
constexpr llvm::StringLiteral descriptorAttributes[] = {"block_type", "block_shape",
                                                        "nbytes_per_cta"};
// Limits for hostile text: of functions that hand a parameter on to each other, of the copies noted
// for one descriptor, and of the parameters that each call of a function is compared with.
constexpr unsigned deepest = 32;
constexpr size_t mostUses = 64, mostParameters = 500;

} // namespace

// Reads one function.
class ParameterRoles::Reader {
public:
  Reader(ParameterRoles& all, const FunctionDef& function, Roles& into)
      : all_(all), names_(all.names_), roles_(into) {
    for (const syntax::Parameter& parameter : function.parameters) {
      Name name = parameter.name.name;
      locals_.insert(name);
      roles_.try_emplace(name, Parameter{name, suggestedRole(names_.text(name))});
    }
    for (const Stmt* stmt : function.body)
      findLocals(*stmt);
    for (const Stmt* stmt : function.body)
      visit(*stmt);
    for (auto& [name, parameter] : roles_)
      if (parameter.role == ParameterRole::Unknown && isOperandOfFormula(names_.text(name)))
        parameter.role = ParameterRole::Pointer;
  }

private:
  void note(const Expr* expr, ParameterRole role) {
    auto* name = llvm::dyn_cast_if_present<NameExpr>(expr);
    if (!name) return;
    auto known = roles_.find(name->name);
    if (known != roles_.end()) known->second.role = std::max(known->second.role, role);
  }
  void noteUse(const Expr* descriptor, DescriptorUse use) {
    auto* name = llvm::dyn_cast<NameExpr>(descriptor);
    auto known = name ? roles_.find(name->name) : roles_.end();
    if (known != roles_.end() && known->second.uses.size() < mostUses)
      known->second.uses.push_back(use);
  }
  void noteAll(const Expr* expr, ParameterRole role) {
    note(expr, role);
    if (auto* operation = llvm::dyn_cast<BinOp>(expr)) {
      noteAll(operation->left, role);
      noteAll(operation->right, role);
    } else if (llvm::isa<Tuple, List>(expr)) {
      forEachChild(*expr, [&](const Node& child) { noteAll(llvm::cast<Expr>(&child), role); });
    }
  }
  // Follows a sum to its leftmost name, the base of the sum, through the function's assignments.
  void pointer(const Expr* expr, unsigned depth = 0) {
    auto* name = llvm::dyn_cast_if_present<NameExpr>(baseOfSum(expr));
    if (!name || depth > 8) return;
    note(name, ParameterRole::Pointer);
    if (auto sum = sums_.find(name->name); sum != sums_.end()) pointer(sum->second, depth + 1);
  }
  void findLocals(const Node& node) {
    auto target = [&](const Expr* to) {
      if (auto* name = llvm::dyn_cast_if_present<NameExpr>(to)) locals_.insert(name->name);
    };
    if (auto* assign = llvm::dyn_cast<Assign>(&node)) {
      for (const Expr* each : assign->targets) {
        target(each);
        auto* name = llvm::dyn_cast<NameExpr>(each);
        auto* sum = llvm::dyn_cast<BinOp>(assign->value);
        if (name && (sum || llvm::isa<NameExpr>(assign->value)))
          sums_.try_emplace(name->name, assign->value);
        if (auto* tuple = llvm::dyn_cast<Tuple>(each))
          for (const Expr* element : tuple->elements)
            target(element);
      }
    } else if (auto* assign = llvm::dyn_cast<AnnAssign>(&node)) {
      target(assign->target);
    } else if (auto* loop = llvm::dyn_cast<For>(&node)) {
      target(loop->target);
    }
    forEachChild(node, [&](const Node& child) { findLocals(child); });
  }

  // Whether a callee is a function of a module, not a method of a value of this function.
  bool isOfModule(const Expr* callee) const {
    while (auto* attribute = llvm::dyn_cast<Attribute>(callee))
      callee = attribute->value;
    auto* name = llvm::dyn_cast<NameExpr>(callee);
    return name && !locals_.contains(name->name);
  }

  void test(const Expr* condition) {
    if (auto* negated = llvm::dyn_cast<UnaryOp>(condition)) return test(negated->operand);
    if (auto* both = llvm::dyn_cast<BoolOp>(condition))
      for (const Expr* each : both->values)
        test(each);
    note(condition, ParameterRole::Flag);
  }

  void visit(const Node& node) {
    if (auto* attribute = llvm::dyn_cast<Attribute>(&node)) {
      llvm::StringRef name = names_.text(attribute->attribute.name);
      if (llvm::is_contained(descriptorAttributes, name))
        note(attribute->value, ParameterRole::Descriptor);
      else if (!findBuiltin(ModuleId::tensor, name))
        note(attribute->value, ParameterRole::Object);
      if (name == "element_ty")
        if (auto* type = llvm::dyn_cast<Attribute>(attribute->value))
          note(type->value, ParameterRole::Pointer);
    } else if (auto* branch = llvm::dyn_cast<If>(&node)) {
      test(branch->test);
    } else if (auto* choice = llvm::dyn_cast<IfExp>(&node)) {
      test(choice->test);
    } else if (auto* operation = llvm::dyn_cast<BinOp>(&node)) {
      note(operation->left, ParameterRole::Number);
      note(operation->right,
           operation->op == BinaryOp::Mod ? ParameterRole::Count : ParameterRole::Number);
      // [NUM_BUFFERS] + block_shape
      if (auto* list = llvm::dyn_cast<List>(operation->left);
          list && operation->op == BinaryOp::Add)
        noteAll(list, ParameterRole::Count);
    } else if (auto* compare = llvm::dyn_cast<Compare>(&node)) {
      visitCompare(*compare);
    } else if (auto* call = llvm::dyn_cast<Call>(&node)) {
      visitCall(*call);
    }
    forEachChild(node, [&](const Node& child) { visit(child); });
  }

  void visitCompare(const Compare& compare) {
    auto isText = [](const Expr* expr) {
      auto* constant = llvm::dyn_cast<Constant>(expr);
      return constant && constant->constant == ConstantKind::Str;
    };
    bool isOfObjects =
        llvm::any_of(compare.ops, [](CompareOp op) { return op >= CompareOp::Is; }) ||
        llvm::any_of(compare.comparators, isText);
    note(compare.left, isOfObjects ? ParameterRole::Object : ParameterRole::Number);
  }

  void handOn(const Expr* callee, Exprs arguments, llvm::ArrayRef<Keyword> keywords) {
    auto* name = llvm::dyn_cast<NameExpr>(callee);
    if (!name) return;
    std::vector<Parameter> parameters = all_.parametersOf(name->name);
    auto given = [&](Name parameter) -> const Expr* {
      for (const Keyword& keyword : keywords)
        if (keyword.name.name == parameter) return keyword.value;
      for (auto [argument, each] : llvm::zip(arguments, parameters))
        if (each.name == parameter) return argument;
      return nullptr;
    };
    for (const Parameter& parameter : parameters) {
      const Expr* argument = given(parameter.name);
      if (!argument) continue;
      note(argument, parameter.role);
      if (parameter.role == ParameterRole::Pointer) pointer(argument);
      for (DescriptorUse use : parameter.uses) {
        // The roles are known better here than in the callee: helpers serve several descriptors.
        auto* memory = llvm::dyn_cast<NameExpr>(use.memory);
        if (const Expr* own = memory ? given(memory->name) : nullptr) use.memory = own;
        noteUse(argument, use);
      }
    }
  }

  // (descriptor, coordinates, barrier, memory) of a load, (descriptor, coordinates, memory) of a
  // store.
  void noteCopy(const Call& call, llvm::StringRef name) {
    const Expr* memory = nullptr;
    for (const Keyword& keyword : call.keywords)
      if (llvm::StringRef key = names_.text(keyword.name.name);
          key == "result" || key == "src" || key == "dest")
        memory = keyword.value;
    size_t position = name == "async_load" ? 3 : 2;
    if (!memory && call.args.size() > position) memory = call.args[position];
    size_t rank = 0;
    if (call.args.size() > 1) forEachChild(*call.args[1], [&](const Node&) { ++rank; });
    if (memory && rank) noteUse(call.args[0], {memory, rank});
  }

  void visitCall(const Call& call) {
    llvm::StringRef name = calledName(call.func, names_);
    handOn(call.func, call.args, call.keywords);
    if (name == "warp_specialize" && !call.args.empty())
      if (auto* partitions = llvm::dyn_cast<List>(call.args[0]))
        for (const Expr* each : partitions->elements) {
          auto* partition = llvm::dyn_cast<Tuple>(each);
          if (!partition || partition->elements.size() != 2) continue;
          if (auto* arguments = llvm::dyn_cast<Tuple>(partition->elements[1]))
            handOn(partition->elements[0], arguments->elements, {});
        }
    if (!isOfModule(call.func)) return;
    auto isList = [&](unsigned i) {
      return call.args.size() > i && llvm::isa<List, Tuple>(call.args[i]);
    };
    if (!call.args.empty() && ((llvm::is_contained(descriptorCalls, name) && isList(1)) ||
                               (name.starts_with("async_atomic_") && isList(1)) ||
                               name == "async_gather" || name == "async_scatter")) {
      note(call.args[0], ParameterRole::Descriptor);
      noteCopy(call, name);
    } else if (name.starts_with("atomic_") && !call.args.empty()) {
      pointer(call.args[0]);
    } else {
      for (const PointerRow& row : pointerRows)
        if (row.name == name && call.args.size() > row.position) pointer(call.args[row.position]);
    }
    ParameterRole role = name == "static_range" ? ParameterRole::Count
                         : takesNumbers(name)   ? ParameterRole::Number
                                                : ParameterRole::Unknown;
    if (role != ParameterRole::Unknown)
      for (const Expr* argument : call.args)
        noteAll(argument, role);
    for (const Keyword& keyword : call.keywords) {
      llvm::StringRef key = names_.text(keyword.name.name);
      if (key == "batch") note(keyword.value, ParameterRole::Count);
    }
    if (name == "allocate_mbarrier" && !call.args.empty()) note(call.args[0], ParameterRole::Count);
    if (name == "allocate_shared_memory" || name == "allocate_tensor_memory")
      for (const Expr* argument : call.args)
        if (auto* list = llvm::dyn_cast<List>(argument))
          for (auto [i, size] : llvm::enumerate(list->elements)) // [buffers, rows, columns]
            note(size, i == 0 && list->elements.size() > 2 ? ParameterRole::Count
                                                           : ParameterRole::Number);
  }

  ParameterRoles& all_;
  const Interner& names_;
  Roles& roles_;
  llvm::DenseSet<Name> locals_;
  llvm::DenseMap<Name, const Expr*> sums_;
};

// Most functions call none of their file, so that its definitions are only collected for one that
// does.
ParameterRoles::ParameterRoles(const SyntaxTree& tree) : names_(tree.interner()) {
  using Definitions = llvm::DenseMap<Name, const Stmt*>;
  find_ = [&tree, definitions = std::optional<Definitions>()](Name name) mutable {
    if (!definitions) {
      definitions.emplace();
      for (const Stmt* stmt : tree.body()) {
        if (auto* function = llvm::dyn_cast<FunctionDef>(stmt))
          (*definitions)[function->name.name] = function;
        else if (auto* cls = llvm::dyn_cast<ClassDef>(stmt))
          (*definitions)[cls->name.name] = cls;
      }
    }
    return definitions->lookup(name);
  };
}

ParameterRole ParameterRoles::of(const FunctionDef& function, Name parameter) {
  return rolesOf(function).lookup(parameter).role;
}

llvm::ArrayRef<DescriptorUse> ParameterRoles::usesOf(const FunctionDef& function, Name parameter) {
  const Roles& roles = rolesOf(function);
  auto known = roles.find(parameter);
  if (known == roles.end()) return {};
  return known->second.uses;
}

const ParameterRoles::Roles& ParameterRoles::rolesOf(const FunctionDef& function) {
  static const Roles none;
  auto [it, isNew] = roles_.try_emplace(&function, nullptr);
  if (!isNew) return it->second ? *it->second : none;
  auto made = std::make_unique<Roles>();
  if (depth_ < deepest) {
    const llvm::SaveAndRestore deeper(depth_, depth_ + 1);
    const Reader read(*this, function, *made);
  }
  return *(roles_[&function] = std::move(made));
}

std::vector<ParameterRoles::Parameter> ParameterRoles::parametersOf(Name callee) {
  std::vector<Parameter> parameters;
  const Stmt* definition = find_(callee);
  if (auto* function = llvm::dyn_cast_if_present<FunctionDef>(definition)) {
    const Roles& roles = rolesOf(*function);
    for (const syntax::Parameter& parameter : function->parameters.take_front(mostParameters)) {
      Parameter known = roles.lookup(parameter.name.name);
      known.name = parameter.name.name;
      parameters.push_back(std::move(known));
    }
  } else if (auto* cls = llvm::dyn_cast_if_present<ClassDef>(definition)) {
    for (const Stmt* stmt : cls->body.take_front(mostParameters)) {
      auto* field = llvm::dyn_cast<AnnAssign>(stmt);
      auto* name = field ? llvm::dyn_cast<NameExpr>(field->target) : nullptr;
      if (!name) continue;
      auto* type = llvm::dyn_cast<Attribute>(field->annotation);
      llvm::StringRef text = type ? names_.text(type->attribute.name) : "";
      parameters.push_back({name->name, text == "tensor_descriptor" ? ParameterRole::Descriptor
                                                                    : ParameterRole::Number});
    }
  }
  return parameters;
}

llvm::SmallVector<int64_t, 3> ParameterRoles::sizesNamed(const FunctionDef& function) const {
  constexpr size_t most = 3;
  constexpr int64_t least = 32, largest = 256;
  llvm::SmallVector<int64_t, 3> sizes;
  auto visit = [&](const Node& node, auto& visit) -> void {
    if (auto* constant = llvm::dyn_cast<Constant>(&node);
        constant && constant->constant == ConstantKind::Int && sizes.size() < most)
      if (int64_t size = constant->integer; size >= least && size <= largest &&
                                            llvm::isPowerOf2_64(static_cast<uint64_t>(size)) &&
                                            !llvm::is_contained(sizes, size))
        sizes.push_back(size);
    forEachChild(node, [&](const Node& child) { visit(child, visit); });
  };
  visit(function, visit);
  if (!llvm::is_contained(sizes, 64)) {
    if (sizes.size() == most) sizes.pop_back();
    sizes.push_back(64);
  }
  return sizes;
}

} // namespace gluond::language
