#include "syntax/Children.h"

#include <algorithm>

namespace gluond::syntax {

namespace {

class Children {
public:
  explicit Children(llvm::function_ref<void(const Node&)> visit) : visit_(visit) {}

  void add(const Node* node) {
    if (node) visit_(*node);
  }
  template <typename T> void add(llvm::ArrayRef<const T*> nodes) {
    for (const T* node : nodes)
      add(node);
  }
  void add(llvm::ArrayRef<Keyword> keywords) {
    for (const Keyword& keyword : keywords)
      add(keyword.value);
  }
  void add(llvm::ArrayRef<Parameter> parameters) {
    for (const Parameter& parameter : parameters) {
      add(parameter.annotation);
      add(parameter.defaultValue);
    }
  }

  void of(const Node& node) {
    switch (node.kind) {
#define GLUOND_CASE(Type)                                                                          \
  case NodeKind::Type:                                                                             \
    return fields(static_cast<const Type&>(node));
    GLUOND_CASE(JoinedStr)
    GLUOND_CASE(FormattedValue) GLUOND_CASE(Tuple) GLUOND_CASE(List) GLUOND_CASE(Set)
        GLUOND_CASE(Dict) GLUOND_CASE(Comprehension) GLUOND_CASE(Attribute) GLUOND_CASE(Subscript)
            GLUOND_CASE(Slice) GLUOND_CASE(Starred) GLUOND_CASE(Call) GLUOND_CASE(BinOp)
                GLUOND_CASE(UnaryOp) GLUOND_CASE(BoolOp) GLUOND_CASE(Compare) GLUOND_CASE(IfExp)
                    GLUOND_CASE(Lambda) GLUOND_CASE(NamedExpr) GLUOND_CASE(Await) GLUOND_CASE(Yield)
                        GLUOND_CASE(FunctionDef) GLUOND_CASE(ClassDef) GLUOND_CASE(Return)
                            GLUOND_CASE(Delete) GLUOND_CASE(Assign) GLUOND_CASE(AugAssign)
                                GLUOND_CASE(AnnAssign) GLUOND_CASE(For) GLUOND_CASE(While)
                                    GLUOND_CASE(If) GLUOND_CASE(With) GLUOND_CASE(Raise)
                                        GLUOND_CASE(Try) GLUOND_CASE(Assert) GLUOND_CASE(ExprStmt)
                                            GLUOND_CASE(Match) GLUOND_CASE(TypeAlias)
#undef GLUOND_CASE
                                                case NodeKind::NameExpr:
    case NodeKind::Constant:
    case NodeKind::ErrorExpr:
    case NodeKind::Import:
    case NodeKind::ImportFrom:
    case NodeKind::Global:
    case NodeKind::Pass:
    case NodeKind::Break:
    case NodeKind::Continue:
    case NodeKind::ErrorStmt:
      return;
    }
  }

private:
  template <typename... Fields> void all(const Fields&... fields) { (add(fields), ...); }

  void fields(const JoinedStr& n) { all(n.parts); }
  void fields(const FormattedValue& n) { all(n.value, n.formatSpec); }
  void fields(const Tuple& n) { all(n.elements); }
  void fields(const List& n) { all(n.elements); }
  void fields(const Set& n) { all(n.elements); }
  void fields(const Dict& n) {
    for (const DictItem& item : n.items)
      all(item.key, item.value);
  }
  void fields(const Comprehension& n) {
    all(n.element, n.value);
    for (const Generator& generator : n.generators)
      all(generator.target, generator.iter, generator.conditions);
  }
  void fields(const Attribute& n) { all(n.value); }
  void fields(const Subscript& n) { all(n.value, n.index); }
  void fields(const Slice& n) { all(n.lower, n.upper, n.step); }
  void fields(const Starred& n) { all(n.value); }
  void fields(const Call& n) { all(n.func, n.args, n.keywords); }
  void fields(const BinOp& n) { all(n.left, n.right); }
  void fields(const UnaryOp& n) { all(n.operand); }
  void fields(const BoolOp& n) { all(n.values); }
  void fields(const Compare& n) { all(n.left, n.comparators); }
  void fields(const IfExp& n) { all(n.body, n.test, n.orelse); }
  void fields(const Lambda& n) { all(n.parameters, n.body); }
  void fields(const NamedExpr& n) { all(n.target, n.value); }
  void fields(const Await& n) { all(n.value); }
  void fields(const Yield& n) { all(n.value); }
  void fields(const FunctionDef& n) { all(n.decorators, n.parameters, n.returns, n.body); }
  void fields(const ClassDef& n) { all(n.decorators, n.bases, n.keywords, n.body); }
  void fields(const Return& n) { all(n.value); }
  void fields(const Delete& n) { all(n.targets); }
  void fields(const Assign& n) { all(n.targets, n.value); }
  void fields(const AugAssign& n) { all(n.target, n.value); }
  void fields(const AnnAssign& n) { all(n.target, n.annotation, n.value); }
  void fields(const For& n) { all(n.target, n.iter, n.body, n.orelse); }
  void fields(const While& n) { all(n.test, n.body, n.orelse); }
  void fields(const If& n) { all(n.test, n.body, n.orelse); }
  void fields(const With& n) {
    for (const WithItem& item : n.items)
      all(item.context, item.target);
    all(n.body);
  }
  void fields(const Raise& n) { all(n.exception, n.cause); }
  void fields(const Try& n) {
    all(n.body);
    for (const ExceptHandler& handler : n.handlers)
      all(handler.type, handler.body);
    all(n.orelse, n.finalbody);
  }
  void fields(const Assert& n) { all(n.test, n.message); }
  void fields(const ExprStmt& n) { all(n.value); }
  void fields(const Match& n) {
    all(n.subject);
    for (const MatchCase& each : n.cases)
      all(each.guard, each.body);
  }
  void fields(const TypeAlias& n) { all(n.name, n.value); }

  llvm::function_ref<void(const Node&)> visit_;
};

} // namespace

void forEachChild(const Node& node, llvm::function_ref<void(const Node&)> visit) {
  Children(visit).of(node);
}

text::Range rangeWithDecorators(const Node& node) {
  Exprs decorators;
  if (auto* function = llvm::dyn_cast<FunctionDef>(&node)) decorators = function->decorators;
  if (auto* cls = llvm::dyn_cast<ClassDef>(&node)) decorators = cls->decorators;
  text::Range range = node.range;
  if (!decorators.empty()) range.begin = std::min(range.begin, decorators.front()->range.begin);
  return range;
}

llvm::SmallVector<const Node*, 16> pathTo(Stmts body, text::Offset offset) {
  llvm::SmallVector<const Node*, 16> path;
  const Node* inside = nullptr;
  // Between two that touch (`a|.b`, `f|(x)`) the one that begins there is no better than the one
  // that ends: the shorter one is what the user points at.
  auto consider = [&](const Node& node) {
    if (!rangeWithDecorators(node).touches(offset)) return;
    auto length = [](const Node& n) { return n.range.end - n.range.begin; };
    if (!inside || length(node) < length(*inside)) inside = &node;
  };
  for (const Stmt* stmt : body)
    consider(*stmt);
  while (inside) {
    path.push_back(inside);
    const Node* parent = inside;
    inside = nullptr;
    forEachChild(*parent, consider);
  }
  return path;
}

} // namespace gluond::syntax
