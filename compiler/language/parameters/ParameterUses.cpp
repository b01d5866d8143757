#include "language/parameters/ParameterUses.h"

#include "language/parameters/CalledFunctions.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::language {

using namespace syntax;

namespace {

bool isAccess(llvm::StringRef name) {
  return name == "load" || name == "store" || name.starts_with("atomic_");
}

} // namespace

ParameterUses::ParameterUses(const FunctionDef& def, const Interner& names) : names_(names) {
  for (const Parameter& parameter : def.parameters)
    parameters_.insert(parameter.name.name);
  // Names that are read before their assignment in the text are found in the second round.
  for (int round = 0; round < 2; ++round)
    for (const Stmt* stmt : def.body)
      visit(stmt);
}

text::Range ParameterUses::statementAt(text::Range place) const {
  for (text::Range statement : statements_)
    if (statement.begin <= place.begin && place.end <= statement.end) return statement;
  return place;
}

bool ParameterUses::isStringArgument(text::Range place) const {
  return llvm::is_contained(strings_, place);
}

bool ParameterUses::isOfCall(text::Range attribute) const {
  auto found = attributes_.find(attribute.end);
  if (found == attributes_.end()) return false;
  const Expr* base = found->second->value;
  if (auto* name = llvm::dyn_cast<NameExpr>(base))
    return !parameters_.contains(name->name) && !uncalled_.contains(name->name) &&
           called_.contains(name->name);
  return llvm::isa<Call>(base);
}

Name ParameterUses::parameter(const Expr* expr) const {
  auto* name = llvm::dyn_cast_if_present<NameExpr>(expr);
  return name && parameters_.contains(name->name) ? name->name : Name();
}

void ParameterUses::note(llvm::DenseSet<Name>& in, const Expr* expr) {
  if (Name name = parameter(expr)) in.insert(name);
}

const NameExpr* ParameterUses::base(const Expr* expr) const {
  return llvm::dyn_cast_if_present<NameExpr>(baseOfSum(expr));
}

void ParameterUses::pointer(const Expr* expr) {
  const NameExpr* name = base(expr);
  for (unsigned steps = 0; name && steps < 8; ++steps) {
    if (parameters_.contains(name->name)) {
      pointers_.insert(name->name);
      return;
    }
    auto found = sums_.find(name->name);
    if (found == sums_.end()) return;
    name = found->second;
  }
}

void ParameterUses::assign(const Expr* target, const Expr* value) {
  auto* name = llvm::dyn_cast<NameExpr>(target);
  if (!name || !value) {
    if (llvm::isa<Tuple>(target)) note(opaque_, value);
    return;
  }
  if (const NameExpr* first = base(value); first && first->name != name->name)
    sums_.try_emplace(name->name, first);
  auto* call = llvm::dyn_cast<Call>(value);
  (call && llvm::isa<Attribute>(call->func) ? called_ : uncalled_).insert(name->name);
}

void ParameterUses::numbersIn(const Expr* expr, llvm::DenseSet<Name>& in) {
  note(in, expr);
  if (auto* tuple = llvm::dyn_cast<Tuple>(expr))
    for (const Expr* element : tuple->elements)
      note(in, element);
  if (auto* list = llvm::dyn_cast<List>(expr))
    for (const Expr* element : list->elements)
      note(in, element);
}

void ParameterUses::visit(const Node* node) {
  if (llvm::isa<Assign, AnnAssign, AugAssign, ExprStmt, Return>(node))
    statements_.push_back(node->range);
  if (auto* attribute = llvm::dyn_cast<Attribute>(node)) {
    note(opaque_, attribute->value);
    attributes_[attribute->range.end] = attribute;
  } else if (auto* subscript = llvm::dyn_cast<Subscript>(node))
    note(opaque_, subscript->value);
  else if (auto* starred = llvm::dyn_cast<Starred>(node))
    note(opaque_, starred->value);
  else if (auto* loop = llvm::dyn_cast<For>(node))
    note(opaque_, loop->iter);
  else if (auto* done = llvm::dyn_cast<Return>(node))
    returns_ |= done->value != nullptr;
  else if (auto* compare = llvm::dyn_cast<Compare>(node))
    visitCompare(*compare);
  else if (auto* operation = llvm::dyn_cast<BinOp>(node)) {
    note(numbers_, operation->left);
    note(numbers_, operation->right);
  } else if (auto* call = llvm::dyn_cast<Call>(node))
    visitCall(*call);
  else if (auto* statement = llvm::dyn_cast<Assign>(node))
    for (const Expr* target : statement->targets)
      assign(target, statement->value);
  else if (auto* annotated = llvm::dyn_cast<AnnAssign>(node))
    assign(annotated->target, annotated->value);
  forEachChild(node, [&](const Node* child) { visit(child); });
}

void ParameterUses::visitCompare(const Compare& compare) {
  auto isIdentity = [](CompareOp op) { return op >= CompareOp::Is; };
  if (llvm::none_of(compare.ops, isIdentity)) return;
  note(opaque_, compare.left);
  for (const Expr* each : compare.comparators)
    note(opaque_, each);
}

void ParameterUses::visitCall(const Call& call) {
  note(opaque_, call.func);
  llvm::StringRef name = calledName(call.func, names_);
  if (isAccess(name) && !call.args.empty()) pointer(call.args[0]);
  bool numbers = takesNumbers(name) || name == "allocate_shared_memory";
  auto argument = [&](const Expr* each) {
    auto* constant = llvm::dyn_cast<Constant>(each);
    if (constant && constant->constant == ConstantKind::Str) strings_.push_back(each->range);
    if (name == "static_range")
      numbersIn(each, counts_);
    else if (numbers)
      numbersIn(each, numbers_);
    else
      note(handedOn_, each);
  };
  for (const Expr* each : call.args)
    argument(each);
  for (const Keyword& keyword : call.keywords)
    argument(keyword.value);
}

} // namespace gluond::language
