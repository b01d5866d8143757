#include "debug/Expressions.h"

#include "debug/ExpressionEvaluator.h"
#include "ir/tt/Types.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/ADT/TypeSwitch.h>

#include <cmath>

namespace gluond::debug {

namespace expressions {

// "'.acc', '.top'"
static std::string partsText(const Datum& whole) {
  std::vector<std::string> steps = stepsOf(whole);
  constexpr size_t most = 8;
  std::string text = steps.empty() ? "no parts" : "";
  for (const std::string& step : llvm::ArrayRef(steps).take_front(most))
    text += (text.empty() ? "'" : ", '") + step + "'";
  return steps.size() > most ? text + ", ..." : text;
}

Result ExpressionEvaluator::visit(const Expr* expr) {
  if (++depth_ > deepest) return Error("the expression nests too deeply");
  Result result = llvm::TypeSwitch<const Expr*, Result>(expr)
                      .Case([&](const NameExpr* name) { return variable(text(name->name)); })
                      .Case([&](const Constant* constant) { return literal(*constant); })
                      .Case([&](const BinOp* op) { return binary(*op); })
                      .Case([&](const UnaryOp* op) { return unary(*op); })
                      .Case([&](const BoolOp* op) { return boolean(*op); })
                      .Case([&](const Compare* compare) { return comparison(*compare); })
                      .Case([&](const IfExp* choice) { return conditional(*choice); })
                      .Case([&](const Subscript* subscript) { return this->subscript(*subscript); })
                      .Case([&](const Attribute* attribute) { return this->attribute(*attribute); })
                      .Case([&](const Call* call) { return this->call(*call); })
                      .Default([](const Expr*) -> Result {
                        return Error("the debugger does not evaluate this kind of expression");
                      });
  --depth_;
  return result;
}

bool ExpressionEvaluator::spend(size_t elements) {
  work_ += std::min(elements, mostWork);
  return work_ <= mostWork;
}

Result ExpressionEvaluator::variable(const std::string& name) {
  if (auto found = find_(name)) return std::move(*found);
  return Error("there is no variable '" + name + "' here");
}

Result ExpressionEvaluator::literal(const Constant& constant) {
  switch (constant.constant) {
  case ConstantKind::Int:
    return integerDatum(constant.integer);
  case ConstantKind::Float:
    return datumOf({{}, Element::F64, {constant.real}, {}});
  case ConstantKind::True:
    return integerDatum(1, Element::I1);
  case ConstantKind::False:
    return integerDatum(0, Element::I1);
  case ConstantKind::None:
    return textDatum("None");
  default:
    return Error("the debugger calculates with numbers only");
  }
}

tl::expected<Array, std::string> ExpressionEvaluator::numbers(const Datum& datum) {
  Datum source = datum;
  if (std::holds_alternative<View>(datum.value)) {
    auto loaded = look_.load(datum);
    if (!loaded) return Error("this buffer cannot be read: " + loaded.error());
    source = std::move(*loaded);
  }
  if (datum.parts)
    return Error("this is no number: it has the parts " + partsText(datum) + "; choose one");
  if (!source.text.empty()) { // a constexpr
    double real;
    int64_t integer;
    if (!llvm::StringRef(source.text).getAsInteger(0, integer))
      return Array{{}, Element::I64, {}, {integer}};
    if (source.text == "True" || source.text == "False")
      return Array{{}, Element::I1, {}, {source.text == "True"}};
    if (!llvm::StringRef(source.text).getAsDouble(real)) return Array{{}, Element::F64, {real}, {}};
    return Error("'" + source.text + "' is no number");
  }
  if (const auto* tensor = std::get_if<TensorRef>(&source.value);
      tensor && !spend((*tensor)->count()))
    return Error("the expression takes too long");
  if (auto array = arrayOf(source)) return std::move(*array);
  return Error("this is no number");
}

tl::expected<Array, std::string> ExpressionEvaluator::numbers(const Expr* expr) {
  Result value = visit(expr);
  if (!value) return Error(value.error());
  return numbers(*value);
}

Result ExpressionEvaluator::arithmetic(BinaryOp op, const Array& a, const Array& b) {
  bool isReal = a.isReal() || b.isReal() || op == BinaryOp::Div || op == BinaryOp::Pow;
  bool isLogic = a.element == Element::I1 && b.element == Element::I1 &&
                 (op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor);
  return combine(a, b,
                 isReal    ? Element::F64
                 : isLogic ? Element::I1
                           : Element::I64,
                 [&](Array& result, size_t i, size_t j) {
                   if (isReal) {
                     auto value = onReals(op, a.real(i), b.real(j));
                     if (value) result.reals.push_back(*value);
                     return value.has_value();
                   }
                   auto value = onIntegers(op, a.integers[i], b.integers[j]);
                   if (value) result.integers.push_back(*value);
                   return value.has_value();
                 });
}

Result ExpressionEvaluator::binary(const BinOp& op) {
  auto a = numbers(op.left);
  if (!a) return Error(a.error());
  auto b = numbers(op.right);
  if (!b) return Error(b.error());
  return arithmetic(op.op, *a, *b);
}

Result ExpressionEvaluator::unary(const UnaryOp& op) {
  auto a = numbers(op.operand);
  if (!a) return Error(a.error());
  using enum UnaryOperator;
  if (op.op == Not) return integerDatum(!isTrue(*a), Element::I1);
  for (double& each : a->reals)
    each = op.op == USub ? -each : each;
  for (int64_t& each : a->integers)
    each = op.op == USub     ? wrapped(0, each, std::minus<>())
           : op.op == Invert ? (a->element == Element::I1 ? each ^ 1 : ~each)
                             : each;
  if (op.op == Invert && a->isReal()) return Error("~ is not defined for floats");
  return datumOf(*a);
}

bool ExpressionEvaluator::isTrue(const Array& array) {
  for (size_t i = 0; i < array.count(); ++i)
    if (array.real(i) != 0) return true;
  return false;
}

Result ExpressionEvaluator::boolean(const BoolOp& op) {
  Result last = textDatum("None");
  for (const Expr* each : op.values) {
    last = visit(each);
    if (!last) return last;
    auto array = numbers(*last);
    if (!array) return Error(array.error());
    if (isTrue(*array) != op.isAnd) return last;
  }
  return last;
}

Result ExpressionEvaluator::comparison(const Compare& compare) {
  Result result = integerDatum(1, Element::I1);
  const Expr* left = compare.left;
  for (auto [op, right] : llvm::zip(compare.ops, compare.comparators)) {
    if (op > CompareOp::GtE) return Error("'is' and 'in' are not evaluated");
    auto a = numbers(left), b = numbers(right);
    if (!a) return Error(a.error());
    if (!b) return Error(b.error());
    bool isExact = !a->isReal() && !b->isReal();
    result = combine(*a, *b, Element::I1, [&, op = op](Array& out, size_t i, size_t j) {
      // Integers of 64 bits do not fit a double.
      bool holds = isExact ? compares(op,
                                      a->integers[i] < b->integers[j]   ? -1
                                      : a->integers[i] > b->integers[j] ? 1
                                                                        : 0,
                                      0)
                           : compares(op, a->real(i), b->real(j));
      out.integers.push_back(holds);
      return true;
    });
    if (!result || compare.ops.size() == 1) return result;
    auto holds = numbers(*result);
    if (holds && !isTrue(*holds)) return result;
    left = right;
  }
  return result;
}

Result ExpressionEvaluator::conditional(const IfExp& choice) {
  auto test = numbers(choice.test);
  if (!test) return Error(test.error());
  return visit(isTrue(*test) ? choice.body : choice.orelse);
}

Result ExpressionEvaluator::item(const Datum& whole, const Expr* index) {
  auto at = bound(index);
  if (!at) return Error(at.error());
  std::vector<std::string> steps = stepsOf(whole);
  auto count = static_cast<int64_t>(steps.size());
  int64_t number = at->value_or(0) + (at->value_or(0) < 0 ? count : 0);
  if (number < 0 || number >= count)
    return Error("index " + std::to_string(at->value_or(0)) + " is outside of " +
                 std::to_string(count) + " parts");
  return *partOf(whole, steps[static_cast<size_t>(number)]);
}

Result ExpressionEvaluator::subscript(const Subscript& expr) {
  auto* attribute = llvm::dyn_cast<Attribute>(expr.value);
  Result value = visit(attribute ? attribute->value : expr.value);
  if (!value) return value;
  if (attribute) {
    std::string name = text(attribute->attribute.name);
    if (auto sizes = sizesOf(*value, name)) return oneOf(*sizes, expr.index);
    value = member(*value, name);
    if (!value) return value;
  }
  if (value->parts) return item(*value, expr.index);
  if (std::holds_alternative<View>(value->value)) {
    value = look_.load(*value);
    if (!value) return Error("this buffer cannot be read: " + value.error());
  }
  const auto* tensor = std::get_if<TensorRef>(&value->value);
  if (!tensor) {
    bool isPointer = llvm::isa_and_nonnull<tt::PointerType>(value->type);
    return Error(isPointer ? "this is a pointer: the elements are under 'Global memory'"
                           : "only tensors and buffers have elements");
  }
  llvm::SmallVector<const Expr*, 4> indices;
  if (auto* tuple = llvm::dyn_cast<syntax::Tuple>(expr.index))
    indices.assign(tuple->elements.begin(), tuple->elements.end());
  else
    indices.push_back(expr.index);
  return pick(**tensor, indices, *value);
}

tl::expected<std::optional<int64_t>, std::string> ExpressionEvaluator::bound(const Expr* expr) {
  if (!expr) return std::nullopt;
  auto array = numbers(expr);
  if (!array) return Error(array.error());
  if (array->isReal() || array->count() != 1) return Error("an index is an integer");
  return array->integers[0];
}

Result ExpressionEvaluator::pick(const Tensor& tensor, llvm::ArrayRef<const Expr*> indices,
                                 const Datum& whole) {
  std::vector<Range> ranges;
  size_t dimension = 0;
  for (const Expr* index : indices) {
    if (auto* constant = llvm::dyn_cast<Constant>(index);
        constant && constant->constant == ConstantKind::None) {
      ranges.push_back({0, 0, 1, false, true});
      continue;
    }
    if (dimension == tensor.shape().size())
      return Error("the tensor has " + std::to_string(tensor.shape().size()) + " dimensions");
    int64_t extent = tensor.shape()[dimension++];
    if (auto* slice = llvm::dyn_cast<Slice>(index)) {
      auto lower = bound(slice->lower), upper = bound(slice->upper), step = bound(slice->step);
      for (auto* each : {&lower, &upper, &step})
        if (!*each) return Error(each->error());
      Range range{0, step->value_or(1), 0, false, false};
      if (range.step <= 0) return Error("a step is positive here");
      auto clamp = [&](int64_t at) {
        return std::clamp<int64_t>(at < 0 ? at + extent : at, 0, extent);
      };
      range.begin = clamp(lower->value_or(0));
      int64_t end = clamp(upper->value_or(extent));
      range.count = end <= range.begin ? 0 : (end - range.begin - 1) / range.step + 1;
      ranges.push_back(range);
      continue;
    }
    auto at = bound(index);
    if (!at) return Error(at.error());
    int64_t place = at->value_or(0) < 0 ? at->value_or(0) + extent : at->value_or(0);
    if (place < 0 || place >= extent)
      return Error("index " + std::to_string(at->value_or(0)) + " is outside of " +
                   std::to_string(extent) + " elements");
    ranges.push_back({place, 1, 1, true, false});
  }
  while (dimension < tensor.shape().size())
    ranges.push_back({0, 1, tensor.shape()[dimension++], false, false});

  Shape shape;
  llvm::SmallVector<size_t, 8> strides; // of the source, by range
  size_t stride = tensor.count();
  dimension = 0;
  for (const Range& range : ranges) {
    if (!range.isDropped) shape.push_back(range.count);
    if (!range.isNew)
      stride /= static_cast<size_t>(std::max<int64_t>(tensor.shape()[dimension++], 1));
    strides.push_back(range.isNew ? 0 : stride);
  }
  auto result = std::make_shared<Tensor>(tensor.element(), shape);
  unsigned bytes = bytesOf(tensor.element());
  for (size_t i = 0; i < result->count(); ++i) {
    size_t rest = i, at = 0;
    for (size_t r = ranges.size(); r-- > 0;) {
      auto count = static_cast<size_t>(ranges[r].count);
      size_t place = ranges[r].isDropped ? 0 : rest % count;
      if (!ranges[r].isDropped) rest /= count;
      at += (static_cast<size_t>(ranges[r].begin) + place * static_cast<size_t>(ranges[r].step)) *
            strides[r];
    }
    std::memcpy(result->data() + i * bytes, tensor.data() + at * bytes, bytes);
  }
  bool isUnsigned = llvm::StringRef(whole.typeText).contains("uint");
  std::string type = (isUnsigned ? "u" : "") + typeTextOf(tensor.element(), shape);
  if (!shape.empty()) return Datum{TensorRef(result), {}, type, {}};
  Scalar scalar{0, tensor.element()};
  std::memcpy(&scalar.bits, result->data(), bytes);
  return Datum{scalar, {}, type, {}};
}

Result ExpressionEvaluator::attribute(const Attribute& expr) {
  Result value = visit(expr.value);
  return value ? member(*value, text(expr.attribute.name)) : value;
}

Result ExpressionEvaluator::member(const Datum& value, const std::string& name) {
  if (value.parts) {
    if (auto part = partOf(value, "." + name)) return std::move(*part);
    return Error("there is no part '" + name + "' of this: it has " + partsText(value));
  }
  auto array = std::get_if<TensorRef>(&value.value);
  if (auto sizes = sizesOf(value, name)) {
    std::string all;
    for (int64_t size : *sizes)
      all += (all.empty() ? "" : ", ") + std::to_string(size);
    return textDatum("[" + all + "]");
  }
  if (auto element = name == "dtype" ? elementTypeOf(value) : std::nullopt)
    return textDatum(typeTextOf(*element, {}));
  if (name == "type") return textDatum(value.typeText);
  if (name == "T" && array) return transposed(**array);
  return Error("the debugger does not know '." + name + "' of this");
}

} // namespace expressions

using expressions::Error;
using expressions::Result;

namespace {

struct Parsed {
  Interner names;
  syntax::SyntaxTree::Ptr tree; // owns `expr`
  const syntax::Expr* expr = nullptr;
};

// Returns why the text is no expression; empty on success.
std::string parse(const std::string& text, Parsed& parsed) {
  constexpr size_t longest = 4096;
  if (text.size() > longest) return "the expression is too long";
  auto parseText = [&](const std::string& whole) {
    auto source = std::make_shared<text::SourceText>(whole);
    return syntax::SyntaxTree::parse(source, diagnostics::FileId{0}, parsed.names);
  };
  auto only = [](const auto& tree) -> const syntax::Stmt* {
    return tree && tree->errors().empty() && tree->body().size() == 1 ? tree->body()[0] : nullptr;
  };
  parsed.tree = parseText("(" + text + "\n)\n");
  auto* statement = llvm::dyn_cast_or_null<syntax::ExprStmt>(only(parsed.tree));
  if (statement) {
    parsed.expr = statement->value;
    return {};
  }
  std::string why = "'" + text + "' is no Python expression";
  auto assigned = parseText(text + "\n");
  return llvm::isa_and_nonnull<syntax::Assign>(only(assigned)) ? why + "; '==' compares" : why;
}

} // namespace

std::string whyNoExpression(const std::string& text) {
  Parsed parsed;
  return parse(text, parsed);
}

Result evaluate(const std::string& text, const Look& look, FindVariable find) {
  Parsed parsed;
  if (std::string why = parse(text, parsed); !why.empty()) return Error(why);
  return expressions::ExpressionEvaluator(look, find, parsed.names).visit(parsed.expr);
}

tl::expected<bool, std::string> holds(const std::string& text, const Look& look,
                                      FindVariable find) {
  Result value = evaluate(text, look, find);
  if (!value) return Error(value.error());
  if (value->text == "True" || value->text == "False") return value->text == "True";
  if (auto array = arrayOf(*value)) {
    for (size_t i = 0; i < array->count(); ++i)
      if (array->real(i) != 0) return true;
    return false;
  }
  return Error("this is neither true nor false");
}

} // namespace gluond::debug
