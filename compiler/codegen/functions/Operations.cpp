// Operators: which operand decides the meaning of `a + b` (aggregates before tensors before the
// rest), short circuits, chains.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/functions/ArgumentFixes.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/functions/Rewrites.h"
#include "codegen/suggestions/OtherNames.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/types/TypeContext.h"
#include "releases/Rules.h"
#include "syntax/tree/Unparse.h"

namespace gluond::codegen {

using diagnostics::Id;
using namespace syntax;

// One of Python's two-operand operators, by the methods that implement it.
struct FunctionVisitor::Operator {
  enum class Kind : uint8_t { Binary, Compare, And, Or } kind;
  uint8_t op;        // BinaryOp or CompareOp
  uint8_t reflected; // CompareOp: the same seen from the other side
  llvm::StringLiteral symbol, forwardMethod, reflectedMethod;

  static const Operator* of(BinaryOp op);
  static const Operator* of(CompareOp op);
  static const Operator& logical(bool isAnd);
};

#define BINARY(name, symbol, method)                                                               \
  {Operator::Kind::Binary, static_cast<uint8_t>(BinaryOp::name), 0, symbol, "__" method "__",      \
   "__r" method "__"}
#define COMPARE(name, mirrored, symbol, method, mirror)                                            \
  {Operator::Kind::Compare,                                                                        \
   static_cast<uint8_t>(CompareOp::name),                                                          \
   static_cast<uint8_t>(CompareOp::mirrored),                                                      \
   symbol,                                                                                         \
   "__" method "__",                                                                               \
   "__" mirror "__"}

const FunctionVisitor::Operator* FunctionVisitor::Operator::of(BinaryOp op) {
  static constexpr Operator table[] = {
      BINARY(Add, "+", "add"),
      BINARY(Sub, "-", "sub"),
      BINARY(Mult, "*", "mul"),
      BINARY(Div, "/", "truediv"),
      BINARY(FloorDiv, "//", "floordiv"),
      BINARY(Mod, "%", "mod"),
      BINARY(Pow, "**", "pow"),
      BINARY(LShift, "<<", "lshift"),
      BINARY(RShift, ">>", "rshift"),
      BINARY(BitOr, "|", "or"),
      BINARY(BitXor, "^", "xor"),
      BINARY(BitAnd, "&", "and"),
  };
  for (const Operator& row : table)
    if (row.op == static_cast<uint8_t>(op)) return &row;
  return nullptr; // @
}

const FunctionVisitor::Operator* FunctionVisitor::Operator::of(CompareOp op) {
  static constexpr Operator table[] = {
      COMPARE(Eq, Eq, "==", "eq", "eq"), COMPARE(NotEq, NotEq, "!=", "ne", "ne"),
      COMPARE(Lt, Gt, "<", "lt", "gt"),  COMPARE(LtE, GtE, "<=", "le", "ge"),
      COMPARE(Gt, Lt, ">", "gt", "lt"),  COMPARE(GtE, LtE, ">=", "ge", "le"),
  };
  for (const Operator& row : table)
    if (row.op == static_cast<uint8_t>(op)) return &row;
  return nullptr; // in, not in
}

const FunctionVisitor::Operator& FunctionVisitor::Operator::logical(bool isAnd) {
  static constexpr Operator table[] = {
      {Operator::Kind::Or, 0, 0, "or", "logical_or", "logical_or"},
      {Operator::Kind::And, 0, 0, "and", "logical_and", "logical_and"}};
  return table[isAnd];
}

#undef BINARY
#undef COMPARE

Value FunctionVisitor::visitBinOp(const BinOp* expr) {
  Value lhs = visit(expr->left);
  Value rhs = visit(expr->right);
  return binaryOperation(expr->op, lhs, rhs, expr, expr->left, expr->right);
}

Value FunctionVisitor::binaryOperation(BinaryOp op, Value lhs, Value rhs, const Node* node,
                                       const Expr* lhsNode, const Expr* rhsNode) {
  const Operator* row = Operator::of(op);
  if (!row)
    return emit_.error(Id::UnsupportedOperator, node, "@", ": " + adviceFor("dot", emit_.target()));
  return binary(*row, lhs, rhs, node, lhsNode, rhsNode);
}

// The owner's method; it returns nullopt if there is none or it does not support the other operand.
std::optional<Value> FunctionVisitor::callOperator(const Operator& op, bool reflected, Value owner,
                                                   Value other, const Node* node,
                                                   const Expr* ownerNode, const Expr* otherNode) {
  if (isTensor(owner)) {
    // Arithmetic keeps the order of the source; comparisons and logic are seen from the owner.
    bool keeps = op.kind == Operator::Kind::Binary ||
                 (op.kind == Operator::Kind::Compare &&
                  emit_.follows(releases::Rule::ComparisonsKeepTheirOrder));
    bool swap = reflected && keeps;
    Value operands[] = {swap ? other : owner, swap ? owner : other};
    const Expr* nodes[] = {swap ? otherNode : ownerNode, swap ? ownerNode : otherNode};
    Arguments args{node, operands, nodes};
    switch (op.kind) {
    case Operator::Kind::Binary:
      return tensorBinary(emit_, static_cast<BinaryOp>(op.op), args, reflected);
    case Operator::Kind::Compare:
      return tensorCompare(emit_, static_cast<CompareOp>(reflected && !swap ? op.reflected : op.op),
                           args);
    case Operator::Kind::And:
      return tensorLogical(emit_, true, args);
    case Operator::Kind::Or:
      return tensorLogical(emit_, false, args);
    }
  }
  if (isAggregate(owner)) {
    Value method = findMember(
        owner, unit_.context.names().intern(reflected ? op.reflectedMethod : op.forwardMethod));
    if (method.isAbsent()) return std::nullopt;
    if (op.kind == Operator::Kind::Compare && method.isUnknown() &&
        !evaluate::isKnownInPart(unit_.interpreter, owner)) { // object's own comparisons
      auto compared = static_cast<CompareOp>(op.op);
      bool isEquality = compared == CompareOp::Eq || compared == CompareOp::NotEq;
      if (!isEquality || !owner.identical(other)) return std::nullopt;
      return normalize(heap(), Value::boolean(compared == CompareOp::Eq));
    }
    Value result = call(method, other, {}, node, otherNode);
    if (result.unwrapped().is(ValueKind::NotImplemented)) return std::nullopt;
    return result;
  }
  return std::nullopt;
}

// Whether Python's lists of the items of two tuples are equal: items that are the same object are,
// and others are compared until two differ. Two tensors cannot be, outside of a statement.
FunctionVisitor::Equality FunctionVisitor::equality(Value lhs, Value rhs) {
  if (lhs.isUnknown() || rhs.isUnknown()) return Equality::Unknown;
  if (lhs.identical(rhs)) return Equality::Equal;
  evaluate::Interpreter& in = unit_.interpreter;
  evaluate::Nesting nesting(in);
  if (!nesting || !in.spend(1)) return Equality::Unknown;
  if (isTuple(lhs) && isTuple(rhs)) {
    Values left = itemsOf(lhs), right = itemsOf(rhs);
    if (left.size() != right.size()) return Equality::Different;
    for (auto [one, other] : llvm::zip_equal(left, right))
      if (Equality items = equality(one, other); items != Equality::Equal) return items;
    return Equality::Equal;
  }
  if (isIr(lhs) || isIr(rhs)) return Equality::NotComparable;
  if (isAggregate(lhs) || isAggregate(rhs) || hasDynamic(lhs) || hasDynamic(rhs))
    return Equality::Unknown;
  Value result = in.compare(CompareOp::Eq, unwrapDeep(heap(), lhs), unwrapDeep(heap(), rhs));
  std::optional<bool> truth = result.isAbsent() ? std::nullopt : in.truth(result);
  in.dropError();
  return !truth ? Equality::Unknown : *truth ? Equality::Equal : Equality::Different;
}

// A gl.tuple (not a tuple that a constexpr holds) compares with ==, and with other tuples only.
std::optional<Value> FunctionVisitor::compareTuples(const Operator& op, Value lhs, Value rhs) {
  auto compared = static_cast<CompareOp>(op.op);
  if (compared != CompareOp::Eq && compared != CompareOp::NotEq) return std::nullopt;
  rhs = rhs.unwrapped();
  if (auto* list = rhs.as<language::ListObject>(); list && rhs.is(ValueKind::List))
    rhs = tuple(llvm::SmallVector<Value, 8>(list->items.begin(), list->items.end()));
  if (!isTuple(rhs)) return std::nullopt;
  switch (equality(lhs, rhs)) {
  case Equality::NotComparable:
    return std::nullopt;
  case Equality::Unknown:
    unit_.markIncomplete("the result of a comparison of tuples");
    return Value::unknown();
  case Equality::Equal:
    return normalize(heap(), Value::boolean(compared == CompareOp::Eq));
  case Equality::Different:
    return normalize(heap(), Value::boolean(compared == CompareOp::NotEq));
  }
  return std::nullopt;
}

// == and != with memory, a descriptor or another value that is no tensor and has no operators:
// Python compares it as an object, which a constant is never equal to, and only it is to itself.
std::optional<Value> FunctionVisitor::compareObjects(const Operator& op, Value lhs, Value rhs) {
  auto compared = static_cast<CompareOp>(op.op);
  bool isEquality = op.kind == Operator::Kind::Compare &&
                    (compared == CompareOp::Eq || compared == CompareOp::NotEq);
  if (!isEquality) return std::nullopt;
  if (lhs.identical(rhs)) return normalize(heap(), Value::boolean(compared == CompareOp::Eq));
  Value constant = lhs.isConstexpr() ? lhs : rhs;
  if (!constant.isConstexpr()) return std::nullopt;
  if (constant.is(ValueKind::Instance) || constant.is(ValueKind::Host)) {
    unit_.markIncomplete("the result of a comparison with " + emit_.text(constant));
    return Value::unknown();
  }
  return Value::boolean(compared == CompareOp::NotEq).wrapped();
}

// Operators on compile-time values: Python's own, on the unwrapped values, and wrapped again.
std::optional<Value> FunctionVisitor::plainOperator(const Operator& op, Value lhs, Value rhs,
                                                    const Node* node) {
  if (isAggregate(lhs) || isAggregate(rhs)) return std::nullopt;
  if (isIr(lhs) || isIr(rhs)) return compareObjects(op, lhs, rhs);
  if (isTuple(lhs) && op.kind == Operator::Kind::Binary) {
    auto binaryOp = static_cast<BinaryOp>(op.op);
    constexpr size_t longestTuple = 65536;
    llvm::SmallVector<Value, 8> items(itemsOf(lhs));
    // All that makes a tuple longer goes through here, before it does.
    auto isTooLong = [&](size_t added) {
      if (items.size() <= longestTuple && added <= longestTuple - items.size()) return false;
      unit_.markIncomplete("a value that is too large");
      emit_.warning(Id::TooLarge, node);
      return true;
    };
    if (binaryOp == BinaryOp::Add && rhs.is(ValueKind::Tuple)) {
      if (isTooLong(itemsOf(rhs).size())) return Value::unknown();
      for (Value item : itemsOf(rhs))
        items.push_back(rhs.isConstexpr() ? item.wrapped() : item);
      return tuple(items);
    }
    // A list that a constexpr holds counts as a tuple.
    if (auto* list = rhs.as<language::ListObject>();
        binaryOp == BinaryOp::Add && list && rhs.is(ValueKind::List)) {
      if (isTooLong(list->items.size())) return Value::unknown();
      for (Value item : list->items)
        items.push_back(item.wrapped());
      return tuple(items);
    }
    if (binaryOp == BinaryOp::Mult && rhs.isConstexpr() && rhs.isIntegral()) {
      auto count = static_cast<uint64_t>(std::max<int64_t>(rhs.asInt(), 0));
      llvm::SmallVector<Value, 8> once = std::exchange(items, {});
      if (!once.empty()) {
        if (count > longestTuple / once.size() && isTooLong(longestTuple + 1))
          return Value::unknown();
        for (uint64_t i = 0; i < count; ++i)
          items.append(once.begin(), once.end());
      }
      return tuple(items);
    }
    return std::nullopt;
  }
  if (isTuple(lhs) && !lhs.isConstexpr() && op.kind == Operator::Kind::Compare)
    return compareTuples(op, lhs, rhs);
  if (hasDynamic(lhs) || hasDynamic(rhs)) return std::nullopt;
  evaluate::Interpreter& interpreter = unit_.interpreter;
  Value left = unwrapDeep(heap(), lhs), right = unwrapDeep(heap(), rhs), result;
  switch (op.kind) {
  case Operator::Kind::Binary:
    result = interpreter.binary(static_cast<BinaryOp>(op.op), left, right);
    break;
  case Operator::Kind::Compare:
    result = interpreter.compare(static_cast<CompareOp>(op.op), left, right);
    break;
  case Operator::Kind::And:
  case Operator::Kind::Or: {
    std::optional<bool> truth = interpreter.truth(left);
    if (!truth) return interpreter.failed() ? raised(node) : resultUnknown(node);
    result = *truth == (op.kind == Operator::Kind::And) ? right : left;
    break;
  }
  }
  if (result.isAbsent()) return raised(node);
  if (result.is(ValueKind::NotImplemented)) return std::nullopt;
  return result.isUnknown() ? resultUnknown(node) : normalize(heap(), result);
}

// The operands are known, but not what Python makes of them, which no mistake explains.
Value FunctionVisitor::resultUnknown(const Node* node) {
  unit_.markIncomplete("the value of '" + emit_.sourceText(node) + "'");
  return Value::unknown();
}

Value FunctionVisitor::binary(const Operator& op, Value lhs, Value rhs, const Node* node,
                              const Expr* lhsNode, const Expr* rhsNode) {
  if (lhs.isUnknown() || rhs.isUnknown()) return Value::unknown();
  int left = operatorPriority(lhs), right = operatorPriority(rhs), highest = std::max(left, right);
  if (highest > 0 && emit_.follows(releases::Rule::TensorsDecideOperators)) {
    // The first tensor decides, else the left operand; nothing else is tried.
    bool reflected = !isTensor(lhs) && isTensor(rhs);
    left = !reflected;
    right = reflected;
    highest = 1;
  }
  if (highest == 0) {
    if (std::optional<Value> result = plainOperator(op, lhs, rhs, node)) return *result;
  } else {
    // A subclass's method takes precedence.
    bool swap = highest == 2 && left == right && isSubclassInstance(rhs, lhs);
    for (bool second : {false, true}) {
      bool reflected = second != swap;
      if ((reflected ? right : left) != highest) continue;
      std::optional<Value> result = reflected
                                        ? callOperator(op, true, rhs, lhs, node, rhsNode, lhsNode)
                                        : callOperator(op, false, lhs, rhs, node, lhsNode, rhsNode);
      if (result) return *result;
    }
  }
  for (auto [value, at] : {std::pair(lhs, lhsNode), std::pair(rhs, rhsNode)})
    if (isAccumulator(value)) return notWaitedFor(value, at ? at : node);
  if (op.symbol == llvm::StringRef("**") && (isTensor(lhs) || isTensor(rhs))) {
    Reported reported = emit_.error(Id::NoSuchOperation, node, "a tensor", "**",
                                    "multiply, or use gl.exp2(y * gl.log2(x))");
    if (lhsNode) offerPower(emit_, reported, node, emit_.sourceText(lhsNode), rhs);
    return reported;
  }
  Reported reported =
      emit_.error(Id::UnsupportedOperands, node, op.symbol, typeName(lhs), typeName(rhs));
  for (auto [operand, value] : {std::pair(lhsNode, lhs), std::pair(rhsNode, rhs)}) {
    auto* written = llvm::dyn_cast_if_present<Expr>(operand);
    if (!written) continue;
    offerLoad(emit_, reported, written, value);
    offerCalled(emit_, reported, value, written);
    if (evaluate::isArray(value.unwrapped())) // of torch or NumPy
      offerInstead(emit_, reported, written);
  }
  return reported;
}

Value FunctionVisitor::visitUnaryOp(const UnaryOp* expr) {
  Value operand = visit(expr->operand);
  if (operand.isUnknown()) return operand;
  struct Row {
    llvm::StringLiteral symbol, method;
  };
  static constexpr Row rows[] = {
      {"~", "__invert__"}, {"not", "__not__"}, {"+", "__pos__"}, {"-", "__neg__"}};
  const Row& row = rows[static_cast<unsigned>(expr->op)];
  if (isTensor(operand)) {
    const Expr* nodes[] = {expr->operand};
    if (std::optional<Value> result = tensorUnary(emit_, expr->op, {expr, operand, nodes}))
      return *result;
  } else if (isAggregate(operand)) {
    Value method = findMember(operand, unit_.context.names().intern(row.method));
    if (!method.isAbsent()) return call(method, {}, {}, expr);
  } else if (!isIr(operand) && (expr->op == UnaryOperator::Not || !isTuple(operand))) {
    Value result = expr->op == UnaryOperator::Not && isTuple(operand)
                       ? Value::boolean(itemsOf(operand).empty())
                       : unit_.interpreter.unary(expr->op, operand.unwrapped());
    if (result.isAbsent()) return raised(expr);
    return result.isUnknown() ? resultUnknown(expr) : result.wrapped();
  }
  return emit_.error(Id::UnsupportedOperand, expr, row.symbol, typeName(operand));
}

// A compile-time value that decides an `and` or `or` ends it: the rest is not evaluated. The
// remaining operands are combined from the right.
Value FunctionVisitor::combineBooleans(bool isAnd,
                                       llvm::ArrayRef<std::pair<Value, const Expr*>> values,
                                       const Node* node) {
  llvm::SmallVector<std::pair<Value, const Expr*>, 4> rest(values);
  while (rest.size() >= 2) {
    auto [rhs, rhsNode] = rest.pop_back_val();
    auto [lhs, lhsNode] = rest.pop_back_val();
    rest.push_back({binary(Operator::logical(isAnd), lhs, rhs, node, lhsNode, rhsNode), lhsNode});
  }
  return rest[0].first;
}

// Whether the value decides: nullopt for values in IR and unknown ones.
std::optional<bool> FunctionVisitor::staticTruth(Value value) {
  if (isDynamicOperand(value) || value.isUnknown()) return std::nullopt;
  if (isTuple(value)) return !itemsOf(value).empty();
  return unit_.interpreter.truth(value.unwrapped());
}

Value FunctionVisitor::visitBoolOp(const BoolOp* expr) {
  llvm::SmallVector<std::pair<Value, const Expr*>, 4> dynamic;
  Value last;
  bool known = true;
  for (const Expr* operand : expr->values) {
    last = visit(operand);
    if (last.isUnknown()) {
      known = false;
      continue;
    }
    if (isDynamicOperand(last)) {
      dynamic.push_back({last, operand});
      continue;
    }
    std::optional<bool> truth = staticTruth(last);
    if (!truth) return unit_.interpreter.failed() ? raised(operand) : resultUnknown(operand);
    if (*truth != expr->isAnd) return known ? last : Value::unknown();
  }
  if (!known) return Value::unknown();
  if (dynamic.empty()) return last;
  Value result = combineBooleans(expr->isAnd, dynamic, expr);
  if (result.isUnknown()) return result;
  auto isBlock = [](const auto& each) {
    return isTensor(each.first) && irTypeOf(each.first)->isTensor();
  };
  if (llvm::any_of(dynamic, isBlock)) {
    Reported reported =
        emit_.warning(Id::DeprecatedUse, expr, expr->isAnd ? "'and' of tensors" : "'or' of tensors",
                      expr->isAnd ? "'&'" : "'|'");
    bool areConditions = llvm::all_of(dynamic, [](const auto& each) {
      return isTensor(each.first) && irTypeOf(each.first)->scalar()->isBool();
    });
    if (areConditions && dynamic.size() == expr->values.size())
      offerBitwise(emit_, reported, *expr);
  }
  return result;
}

Value FunctionVisitor::compareOperation(CompareOp op, Value lhs, Value rhs, const Node* node,
                                        const Expr* lhsNode, const Expr* rhsNode) {
  if (lhs.isUnknown() || rhs.isUnknown()) return Value::unknown();
  if (op == CompareOp::Is || op == CompareOp::IsNot)
    return Value::boolean(isSameObject(lhs, rhs) == (op == CompareOp::Is)).wrapped();
  const Operator* row = Operator::of(op);
  if (!row)
    return emit_.error(Id::UnsupportedOperator, node, op == CompareOp::In ? "in" : "not in", "");
  return binary(*row, lhs, rhs, node, lhsNode, rhsNode);
}

// `(a < b) & c >= 0` and `c >= 0 & (a < b)`: a mask is combined with the value that is compared.
void FunctionVisitor::checkMaskPrecedence(const Compare* expr) {
  if (!emit_.source()) return;
  const text::SourceText& source = *emit_.source();
  auto bitsOf = [&](const Expr* side, text::Offset begin) -> const BinOp* {
    auto* bits = llvm::dyn_cast<BinOp>(side);
    bool isBits = bits && (bits->op == BinaryOp::BitAnd || bits->op == BinaryOp::BitOr);
    bool isBare = isBits && !source.slice({begin, bits->range.begin}).contains('(');
    return isBare && llvm::isa<Compare>(bits->left) != llvm::isa<Compare>(bits->right) ? bits
                                                                                       : nullptr;
  };
  const Expr* right = expr->comparators.front();
  const BinOp* first = bitsOf(expr->left, expr->range.begin);
  const BinOp* second = bitsOf(right, expr->left->range.end);
  bool isFirst = first && llvm::isa<Compare>(first->left);
  bool isSecond = second && llvm::isa<Compare>(second->right);
  if (isFirst == isSecond) return;
  const BinOp* bits = isFirst ? first : second;
  std::string text = isFirst
                         ? source.slice({expr->range.begin, bits->right->range.begin}).str() + "(" +
                               source.slice({bits->right->range.begin, expr->range.end}).str() + ")"
                         : "(" + source.slice({expr->range.begin, bits->left->range.end}).str() +
                               ")" + source.slice({bits->left->range.end, expr->range.end}).str();
  emit_.warning(Id::ComparedBits, bits, symbolOf(bits->op), emit_.sourceText(bits))
      .fix(diagnostics::FixId::TryText, {{expr->range, text}}, text);
}

// `a < b & c < d`: warns, and offers to compare on either side of the operator.
void FunctionVisitor::checkPrecedence(const Compare* expr) {
  for (size_t i = 0; i + 1 < expr->ops.size(); ++i) {
    auto* bits = llvm::dyn_cast<BinOp>(expr->comparators[i]);
    bool isBits = bits && (bits->op == BinaryOp::BitAnd || bits->op == BinaryOp::BitOr);
    if (!isBits || !emit_.source()) continue;
    const Expr* before = i ? expr->comparators[i - 1] : expr->left;
    llvm::StringRef gap = emit_.source()->slice({before->range.end, bits->range.begin});
    if (gap.contains('(')) continue;
    llvm::StringRef symbol = symbolOf(bits->op);
    Reported reported = emit_.warning(Id::ComparedBits, bits, symbol, emit_.sourceText(bits));
    if (expr->ops.size() != 2) return;
    std::string text =
        "(" + emit_.source()->slice({expr->left->range.begin, bits->left->range.end}).str() + ") " +
        symbol.str() + " (" +
        emit_.source()->slice({bits->right->range.begin, expr->range.end}).str() + ")";
    reported.fix(diagnostics::FixId::TryText, {{expr->range, text}}, text);
    return;
  }
}

Value FunctionVisitor::visitCompare(const Compare* expr) {
  Value lhs = visit(expr->left);
  const Expr* lhsNode = expr->left;
  if (expr->ops.size() == 1) {
    if (llvm::isa<BinOp>(expr->left) || llvm::isa<BinOp>(expr->comparators[0]))
      checkMaskPrecedence(expr);
    Value rhs = visit(expr->comparators[0]);
    return compareOperation(expr->ops[0], lhs, rhs, expr, lhsNode, expr->comparators[0]);
  }
  if (emit_.follows(releases::Rule::ComparisonsDoNotChain))
    return emit_.raised(expr, "UnsupportedLanguageConstruct",
                        "simultaneous multiple comparison is not supported");
  checkPrecedence(expr);
  llvm::SmallVector<std::pair<Value, const Expr*>, 4> dynamic;
  Value last;
  bool known = true;
  for (auto [op, comparator] : llvm::zip(expr->ops, expr->comparators)) {
    Value rhs = visit(comparator);
    last = compareOperation(op, lhs, rhs, expr, lhsNode, comparator);
    lhs = rhs;
    lhsNode = comparator;
    if (last.isUnknown()) {
      known = false;
      continue;
    }
    if (isDynamicOperand(last)) {
      dynamic.push_back({last, comparator});
      continue;
    }
    std::optional<bool> truth = staticTruth(last);
    if (!truth) return unit_.interpreter.failed() ? raised(comparator) : resultUnknown(comparator);
    if (!*truth) return known ? last : Value::unknown();
  }
  if (!known) return Value::unknown();
  if (dynamic.empty()) return last;
  return combineBooleans(true, dynamic, expr);
}

} // namespace gluond::codegen
