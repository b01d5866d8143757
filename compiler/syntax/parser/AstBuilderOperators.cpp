// Operators: binary and unary ones, comparisons, and, or, not.
#include "support/Stack.h"
#include "syntax/parser/AstBuilder.h"
#include "syntax/parser/Keywords.h"

namespace gluond::syntax {

using diagnostics::FixId;
using diagnostics::Id;
using text::Range;

namespace {

// Python's binary operators by token; precedence grows with tightness, 0 is none.
struct OperatorRow {
  Sym token;
  Sym assign; // the augmented assignment
  BinaryOp op;
  uint8_t precedence;
};
constexpr OperatorRow operatorRows[] = {
    {Sym::Pipe, Sym::PipeEqual, BinaryOp::BitOr, 1},
    {Sym::Caret, Sym::CaretEqual, BinaryOp::BitXor, 2},
    {Sym::Ampersand, Sym::AmpersandEqual, BinaryOp::BitAnd, 3},
    {Sym::ShiftLeft, Sym::ShiftLeftEqual, BinaryOp::LShift, 4},
    {Sym::ShiftRight, Sym::ShiftRightEqual, BinaryOp::RShift, 4},
    {Sym::Plus, Sym::PlusEqual, BinaryOp::Add, 5},
    {Sym::Minus, Sym::MinusEqual, BinaryOp::Sub, 5},
    {Sym::Star, Sym::StarEqual, BinaryOp::Mult, 6},
    {Sym::At, Sym::AtEqual, BinaryOp::MatMult, 6},
    {Sym::Slash, Sym::SlashEqual, BinaryOp::Div, 6},
    {Sym::DoubleSlash, Sym::DoubleSlashEqual, BinaryOp::FloorDiv, 6},
    {Sym::Percent, Sym::PercentEqual, BinaryOp::Mod, 6},
    {Sym::DoubleStar, Sym::DoubleStarEqual, BinaryOp::Pow, 7},
};
static_assert(std::size(operatorRows) == 13);

struct CompareRow {
  Sym token;
  CompareOp op;
};
constexpr CompareRow compareRows[] = {
    {Sym::EqualEqual, CompareOp::Eq}, {Sym::NotEqual, CompareOp::NotEq},
    {Sym::Less, CompareOp::Lt},       {Sym::LessEqual, CompareOp::LtE},
    {Sym::Greater, CompareOp::Gt},    {Sym::GreaterEqual, CompareOp::GtE},
    {Sym::KwIs, CompareOp::Is},       {Sym::IsNot, CompareOp::IsNot},
    {Sym::KwIn, CompareOp::In},       {Sym::NotIn, CompareOp::NotIn},
};

uint8_t precedence(BinaryOp op) {
  for (const OperatorRow& row : operatorRows)
    if (row.op == op) return row.precedence;
  return 0;
}

const OperatorRow* operatorOf(Sym token) {
  for (const OperatorRow& row : operatorRows)
    if (row.token == token) return &row;
  return nullptr;
}

} // namespace

const BinaryOp* augmentedOperator(Sym token) {
  for (const OperatorRow& row : operatorRows)
    if (row.assign == token) return &row.op;
  return nullptr;
}

// ---------------------------------------------------------------- operators

// The grammar binds ^ tighter than & (Python does not), so the whole sequence of operators is
// flattened and rebuilt with Python's precedence. It is iterative along the left spine: a sum of a
// thousand terms is common.
void AstBuilder::flatten(TSNode node, Operands& operands, llvm::SmallVectorImpl<BinaryOp>& ops) {
  auto add = [&](const Child& child) {
    operands.push_back({expr(child.node, child.sym), rangeOf(child.node)});
  };
  llvm::SmallVector<Children, 4> spine;
  for (;;) {
    spine.push_back(childrenOf(node));
    const Children& children = spine.back();
    if (children.size() != 3 || !operatorOf(children[1].sym)) break;
    if (children[0].sym != Sym::BinaryOperator && children[0].sym != Sym::UnionType) break;
    node = children[0].node;
  }
  for (size_t i = spine.size(); i-- > 0;) {
    const Children& children = spine[i];
    const OperatorRow* op = children.size() == 3 ? operatorOf(children[1].sym) : nullptr;
    if (!op) {
      Range range = children.empty() ? Range{}
                                     : Range{rangeOf(children.front().node).begin,
                                             rangeOf(children.back().node).end};
      operands.push_back({errorExpr(range), range});
      continue;
    }
    if (i + 1 == spine.size()) add(children[0]);
    ops.push_back(op->op);
    const Child& right = children[2];
    if (right.sym != Sym::BinaryOperator) {
      add(right);
    } else if (isTooDeep(right.node)) {
      operands.push_back({errorExpr(rangeOf(right.node)), rangeOf(right.node)});
    } else {
      ++depth_;
      flatten(right.node, operands, ops);
      --depth_;
    }
  }
}

const Expr* AstBuilder::binary(TSNode node) {
  Operands operands;
  llvm::SmallVector<BinaryOp, 8> ops;
  flatten(node, operands, ops);
  if (operands.size() != ops.size() + 1) return errorExpr(rangeOf(node));
  if (isTooDeep(node, ops.size() - 1)) return errorExpr(rangeOf(node));
  // `*a + b`: the star belongs around the sum.
  if (const auto* star = llvm::dyn_cast<Starred>(operands.front().value)) {
    operands.front() = {star->value, star->value->range};
    return starred(rangeOf(node), chain(operands, ops));
  }
  return chain(operands, ops);
}

const Expr* AstBuilder::chain(llvm::ArrayRef<Operand> operands, llvm::ArrayRef<BinaryOp> ops) {
  // Shunting-yard; ** associates to the right, the others to the left.
  Operands values{operands.front()};
  llvm::SmallVector<BinaryOp, 8> pending;
  auto reduce = [&] {
    Operand right = values.pop_back_val();
    Operand left = values.pop_back_val();
    auto* result = make<BinOp>({left.range.begin, right.range.end});
    result->op = pending.pop_back_val();
    result->left = left.value;
    result->right = right.value;
    values.push_back({result, result->range});
  };
  for (size_t i = 0; i < ops.size(); ++i) {
    while (!pending.empty() &&
           (precedence(pending.back()) > precedence(ops[i]) ||
            (precedence(pending.back()) == precedence(ops[i]) && ops[i] != BinaryOp::Pow)))
      reduce();
    pending.push_back(ops[i]);
    values.push_back(operands[i + 1]);
  }
  while (!pending.empty())
    reduce();
  return values.front().value;
}

const Expr* AstBuilder::boolean(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  if (children.size() != 3) return errorExpr(range);
  bool isAnd = children[1].sym == Sym::KwAnd;
  // a and b and c is one node: collect the left spine of the same operator.
  llvm::SmallVector<Child, 8> operands{children[2]};
  Child left = children[0];
  while (left.sym == Sym::BooleanOperator) {
    Children inner = childrenOf(left.node);
    if (inner.size() != 3 || (inner[1].sym == Sym::KwAnd) != isAnd) break;
    operands.push_back(inner[2]);
    left = inner[0];
  }
  operands.push_back(left);
  llvm::SmallVector<const Expr*, 8> values;
  for (size_t i = operands.size(); i-- > 0;)
    values.push_back(expr(operands[i].node, operands[i].sym));
  auto* result = make<BoolOp>(range);
  result->isAnd = isAnd;
  if (const auto* star = llvm::dyn_cast<Starred>(values.front())) { // `*a or b`
    values.front() = star->value;
    result->range.begin = star->value->range.begin;
    result->values = arena_.copy(values);
    return starred(range, result);
  }
  result->values = arena_.copy(values);
  return result;
}

const Expr* AstBuilder::comparison(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  if (children.size() < 3) return errorExpr(range);
  const Expr* left = expr(children[0].node, children[0].sym);
  llvm::SmallVector<CompareOp, 2> ops;
  llvm::SmallVector<const Expr*, 2> comparators;
  for (size_t i = 1; i + 1 < children.size(); i += 2) {
    const CompareRow* found = nullptr;
    for (const CompareRow& row : compareRows)
      if (row.token == children[i].sym) found = &row;
    if (!found) {
      if (children[i].sym == Sym::LessGreater)
        emit_(Id::Python2Syntax, rangeOf(children[i].node),
              "'<>' is not an operator in Python 3; write '!='")
            .fix(FixId::ReplaceToken, {{rangeOf(children[i].node), "!="}}, "!=");
      return errorExpr(range);
    }
    ops.push_back(found->op);
    comparators.push_back(expr(children[i + 1].node, children[i + 1].sym));
  }
  auto* result = make<Compare>(range);
  result->left = left;
  result->ops = arena_.copy(ops);
  result->comparators = arena_.copy(comparators);
  if (const auto* star = llvm::dyn_cast<Starred>(left)) {
    result->left = star->value;
    result->range.begin = star->value->range.begin;
    return starred(range, result);
  }
  return result;
}

const Expr* AstBuilder::unary(TSNode node, Sym sym) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  if (children.size() != 2) return errorExpr(range);
  UnaryOperator op = sym == Sym::NotOperator         ? UnaryOperator::Not
                     : children[0].sym == Sym::Minus ? UnaryOperator::USub
                     : children[0].sym == Sym::Plus  ? UnaryOperator::UAdd
                                                     : UnaryOperator::Invert;
  const Expr* operand = expr(children[1].node, children[1].sym);
  // See LineScanner's masks.
  if (textOf(children[0].node) == "*") return starred(range, operand);
  if (textOf(children[0].node) == " ") return operand;
  auto* result = make<UnaryOp>(range);
  result->op = op;
  result->operand = operand;
  return result;
}

} // namespace gluond::syntax
