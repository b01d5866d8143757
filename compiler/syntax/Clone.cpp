#include "syntax/Clone.h"

namespace gluond::syntax {
namespace {

using text::Range;

class Cloner {
public:
  Cloner(NodeArena& arena, uint32_t shift, uint32_t idShift)
      : arena_(arena), shift_(shift), idShift_(idShift) {}

  Stmts stmts(Stmts from) { return nodes<Stmt>(from); }

private:
  // Children are reached through these: each replaces a pointer or an array by its copy.
  template <typename Base> llvm::ArrayRef<const Base*> nodes(llvm::ArrayRef<const Base*> from) {
    if (from.empty()) return {};
    llvm::ArrayRef<const Base*> to = arena_.copy(from);
    for (const Base*& node : mutableRef(to))
      node = static_cast<const Base*>(this->node(node));
    return to;
  }
  template <typename T> static llvm::MutableArrayRef<T> mutableRef(llvm::ArrayRef<T> array) {
    return {const_cast<T*>(array.data()), array.size()}; // freshly copied, nobody else has it
  }
  void move(Range& range) { range = {range.begin + shift_, range.end + shift_}; }
  void fix(Identifier& id) { move(id.range); }
  void fix(llvm::StringRef& text) { text = arena_.copy(text); }
  void fix(Exprs& exprs) { exprs = nodes<Expr>(exprs); }
  void fix(Stmts& stmts) { stmts = nodes<Stmt>(stmts); }
  template <typename T>
    requires std::is_base_of_v<Node, T>
  void fix(const T*& child) {
    if (child) child = static_cast<const T*>(node(child));
  }
  void fix(Keyword& keyword) { fix(keyword.name), fix(keyword.value); }
  void fix(Parameter& parameter) {
    fix(parameter.name), fix(parameter.annotation), fix(parameter.defaultValue);
  }
  void fix(DictItem& item) { fix(item.key), fix(item.value); }
  void fix(Generator& generator) {
    fix(generator.target), fix(generator.iter), fix(generator.conditions);
  }
  void fix(WithItem& item) { fix(item.context), fix(item.target); }
  void fix(ExceptHandler& handler) {
    fix(handler.type), fix(handler.name), fix(handler.body), move(handler.range);
  }
  void fix(MatchCase& match) { move(match.pattern), fix(match.guard), fix(match.body); }
  void fix(Alias& alias) { fix(alias.path), fix(alias.asName); }
  template <typename T>
    requires(!std::is_pointer_v<T>)
  void fix(llvm::ArrayRef<T>& items) {
    items = arena_.copy(items);
    if constexpr (!std::is_same_v<T, CompareOp>)
      for (T& item : mutableRef(items))
        fix(item);
  }

  // A copy of one node, its children given by `parts`.
  template <typename T, typename... Parts> Node* copy(const Node* from, Parts T::*... parts) {
    T* to = arena_.duplicate(llvm::cast<T>(from));
    to->id += idShift_;
    move(to->range);
    (fix(to->*parts), ...);
    return to;
  }

  const Node* node(const Node* from) {
    switch (from->kind) {
    case NodeKind::NameExpr:
      return copy<NameExpr>(from);
    case NodeKind::Constant:
      return copy<Constant>(from, &Constant::string);
    case NodeKind::JoinedStr:
      return copy<JoinedStr>(from, &JoinedStr::parts);
    case NodeKind::FormattedValue:
      return copy<FormattedValue>(from, &FormattedValue::value, &FormattedValue::formatSpec,
                                  &FormattedValue::debugText);
    case NodeKind::Tuple:
      return copy<Tuple>(from, &Tuple::elements);
    case NodeKind::List:
      return copy<List>(from, &List::elements);
    case NodeKind::Set:
      return copy<Set>(from, &Set::elements);
    case NodeKind::Dict:
      return copy<Dict>(from, &Dict::items);
    case NodeKind::Comprehension:
      return copy<Comprehension>(from, &Comprehension::element, &Comprehension::value,
                                 &Comprehension::generators);
    case NodeKind::Attribute:
      return copy<Attribute>(from, &Attribute::value, &Attribute::attribute);
    case NodeKind::Subscript:
      return copy<Subscript>(from, &Subscript::value, &Subscript::index);
    case NodeKind::Slice:
      return copy<Slice>(from, &Slice::lower, &Slice::upper, &Slice::step);
    case NodeKind::Starred:
      return copy<Starred>(from, &Starred::value);
    case NodeKind::Call:
      return copy<Call>(from, &Call::func, &Call::args, &Call::keywords);
    case NodeKind::BinOp:
      return copy<BinOp>(from, &BinOp::left, &BinOp::right);
    case NodeKind::UnaryOp:
      return copy<UnaryOp>(from, &UnaryOp::operand);
    case NodeKind::BoolOp:
      return copy<BoolOp>(from, &BoolOp::values);
    case NodeKind::Compare:
      return copy<Compare>(from, &Compare::left, &Compare::ops, &Compare::comparators);
    case NodeKind::IfExp:
      return copy<IfExp>(from, &IfExp::test, &IfExp::body, &IfExp::orelse);
    case NodeKind::Lambda:
      return copy<Lambda>(from, &Lambda::parameters, &Lambda::body);
    case NodeKind::NamedExpr:
      return copy<NamedExpr>(from, &NamedExpr::target, &NamedExpr::value);
    case NodeKind::Await:
      return copy<Await>(from, &Await::value);
    case NodeKind::Yield:
      return copy<Yield>(from, &Yield::value);
    case NodeKind::ErrorExpr:
      return copy<ErrorExpr>(from);
    case NodeKind::FunctionDef: {
      auto* to = copy<FunctionDef>(from, &FunctionDef::name, &FunctionDef::decorators,
                                   &FunctionDef::parameters, &FunctionDef::returns,
                                   &FunctionDef::body, &FunctionDef::docstring);
      move(llvm::cast<FunctionDef>(to)->header);
      return to;
    }
    case NodeKind::ClassDef:
      return copy<ClassDef>(from, &ClassDef::name, &ClassDef::decorators, &ClassDef::bases,
                            &ClassDef::keywords, &ClassDef::body, &ClassDef::docstring);
    case NodeKind::Return:
      return copy<Return>(from, &Return::value);
    case NodeKind::Delete:
      return copy<Delete>(from, &Delete::targets);
    case NodeKind::Assign:
      return copy<Assign>(from, &Assign::targets, &Assign::value);
    case NodeKind::AugAssign:
      return copy<AugAssign>(from, &AugAssign::target, &AugAssign::value);
    case NodeKind::AnnAssign:
      return copy<AnnAssign>(from, &AnnAssign::target, &AnnAssign::annotation, &AnnAssign::value);
    case NodeKind::For:
      return copy<For>(from, &For::target, &For::iter, &For::body, &For::orelse);
    case NodeKind::While:
      return copy<While>(from, &While::test, &While::body, &While::orelse);
    case NodeKind::If:
      return copy<If>(from, &If::test, &If::body, &If::orelse);
    case NodeKind::With:
      return copy<With>(from, &With::items, &With::body);
    case NodeKind::Raise:
      return copy<Raise>(from, &Raise::exception, &Raise::cause);
    case NodeKind::Try:
      return copy<Try>(from, &Try::body, &Try::handlers, &Try::orelse, &Try::finalbody);
    case NodeKind::Assert:
      return copy<Assert>(from, &Assert::test, &Assert::message);
    case NodeKind::Import:
      return copy<Import>(from, &Import::names);
    case NodeKind::ImportFrom:
      return copy<ImportFrom>(from, &ImportFrom::module, &ImportFrom::names);
    case NodeKind::Global:
      return copy<Global>(from, &Global::names);
    case NodeKind::ExprStmt:
      return copy<ExprStmt>(from, &ExprStmt::value);
    case NodeKind::Pass:
      return copy<Pass>(from);
    case NodeKind::Break:
      return copy<Break>(from);
    case NodeKind::Continue:
      return copy<Continue>(from);
    case NodeKind::Match:
      return copy<Match>(from, &Match::subject, &Match::cases);
    case NodeKind::TypeAlias:
      return copy<TypeAlias>(from, &TypeAlias::name, &TypeAlias::value);
    case NodeKind::ErrorStmt:
      return copy<ErrorStmt>(from);
    }
    return from;
  }

  NodeArena& arena_;
  uint32_t shift_, idShift_;
};

} // namespace

Stmts cloneShifted(Stmts stmts, NodeArena& arena, uint32_t shift, uint32_t idShift) {
  return Cloner(arena, shift, idShift).stmts(stmts);
}

} // namespace gluond::syntax
