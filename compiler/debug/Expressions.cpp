#include "debug/Expressions.h"

#include "debug/Arrays.h"
#include "ir/tt/Types.h"
#include "simulate/values/Formats.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/ADT/TypeSwitch.h>

#include <cmath>

namespace gluond::debug {

using namespace simulate;
using namespace syntax;
// Both rooms have these.
using simulate::Shape;
using simulate::Value;
using simulate::View;

namespace {

using Error = tl::unexpected<std::string>;
using Result = tl::expected<Datum, std::string>;

constexpr size_t mostElements = size_t{1} << 24; // of a result
constexpr size_t mostWork = size_t{1} << 26;     // elements that one expression goes through
constexpr unsigned deepest = 200;

Datum textDatum(std::string text) {
  return {{}, {}, {}, std::move(text)};
}

class Evaluator {
public:
  Evaluator(const Look& look, FindVariable find, const Interner& names)
      : look_(look), find_(find), names_(names) {}

  Result visit(const Expr* expr) {
    if (++depth_ > deepest) return Error("the expression nests too deeply");
    Result result =
        llvm::TypeSwitch<const Expr*, Result>(expr)
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

private:
  std::string text(Name name) const { return names_.text(name).str(); }

  // Charges for elements that are gone through. False if that is too much for one expression.
  bool spend(size_t elements) {
    work_ += std::min(elements, mostWork);
    return work_ <= mostWork;
  }

  Result variable(const std::string& name) {
    if (auto found = find_(name)) return std::move(*found);
    return Error("there is no variable '" + name + "' here");
  }

  Result literal(const Constant& constant) {
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

  // ---------------------------------------------------------------- numbers

  tl::expected<Array, std::string> numbers(const Datum& datum) {
    Datum source = datum;
    if (std::holds_alternative<View>(datum.value)) {
      auto loaded = look_.load(datum);
      if (!loaded) return Error("this buffer cannot be read: " + loaded.error());
      source = std::move(*loaded);
    }
    if (!source.text.empty()) { // a constexpr
      double real;
      int64_t integer;
      if (!llvm::StringRef(source.text).getAsInteger(0, integer))
        return Array{{}, Element::I64, {}, {integer}};
      if (source.text == "True" || source.text == "False")
        return Array{{}, Element::I1, {}, {source.text == "True"}};
      if (!llvm::StringRef(source.text).getAsDouble(real))
        return Array{{}, Element::F64, {real}, {}};
      return Error("'" + source.text + "' is no number");
    }
    if (const auto* tensor = std::get_if<TensorRef>(&source.value);
        tensor && !spend((*tensor)->count()))
      return Error("the expression takes too long");
    if (auto array = arrayOf(source)) return std::move(*array);
    return Error("this is no number");
  }
  tl::expected<Array, std::string> numbers(const Expr* expr) {
    Result value = visit(expr);
    if (!value) return Error(value.error());
    return numbers(*value);
  }

  template <class Combine>
  Result combine(const Array& a, const Array& b, Element to, Combine combine) {
    auto shape = broadcast(a.shape, b.shape);
    if (!shape) return Error("the two shapes do not broadcast");
    size_t count = countOf(*shape);
    if (count > mostElements) return Error("the result is too large");
    if (!spend(count)) return Error("the expression takes too long");
    Array result{*shape, to, {}, {}};
    for (size_t i = 0; i < count; ++i)
      if (!combine(result, sourceOf(i, *shape, a.shape), sourceOf(i, *shape, b.shape)))
        return Error("this operation is not defined for these numbers");
    return datumOf(result);
  }

  Result arithmetic(BinaryOp op, const Array& a, const Array& b) {
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

  Result binary(const BinOp& op) {
    auto a = numbers(op.left);
    if (!a) return Error(a.error());
    auto b = numbers(op.right);
    if (!b) return Error(b.error());
    return arithmetic(op.op, *a, *b);
  }

  Result unary(const UnaryOp& op) {
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

  static bool isTrue(const Array& array) {
    for (size_t i = 0; i < array.count(); ++i)
      if (array.real(i) != 0) return true;
    return false;
  }

  Result boolean(const BoolOp& op) {
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

  Result comparison(const Compare& compare) {
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

  Result conditional(const IfExp& choice) {
    auto test = numbers(choice.test);
    if (!test) return Error(test.error());
    return visit(isTrue(*test) ? choice.body : choice.orelse);
  }

  // ---------------------------------------------------------------- parts

  // Name and path of a variable's part, where the expression is one: "pair[0].field".
  std::optional<std::string> path(const Expr* expr) {
    if (auto* name = llvm::dyn_cast<NameExpr>(expr)) return text(name->name);
    if (auto* attribute = llvm::dyn_cast<Attribute>(expr)) {
      auto base = path(attribute->value);
      if (base) *base += "." + text(attribute->attribute.name);
      return base;
    }
    auto* subscript = llvm::dyn_cast<Subscript>(expr);
    auto* index = subscript ? llvm::dyn_cast<Constant>(subscript->index) : nullptr;
    if (!index || index->constant != ConstantKind::Int) return std::nullopt;
    auto base = path(subscript->value);
    if (base) *base += "[" + std::to_string(index->integer) + "]";
    return base;
  }

  Result subscript(const Subscript& expr) {
    if (auto whole = path(&expr))
      if (auto part = find_(*whole)) return std::move(*part);
    if (auto* attribute = llvm::dyn_cast<Attribute>(expr.value)) {
      Result value = visit(attribute->value);
      if (!value) return value;
      if (auto sizes = sizesOf(*value, text(attribute->attribute.name)))
        return oneOf(*sizes, expr.index);
    }
    Result value = visit(expr.value);
    if (!value) return value;
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

  // One dimension of what is picked.
  struct Range {
    int64_t begin = 0, step = 1, count = 1;
    bool isDropped = false, isNew = false;
  };

  tl::expected<std::optional<int64_t>, std::string> bound(const Expr* expr) {
    if (!expr) return std::nullopt;
    auto array = numbers(expr);
    if (!array) return Error(array.error());
    if (array->isReal() || array->count() != 1) return Error("an index is an integer");
    return array->integers[0];
  }

  Result pick(const Tensor& tensor, llvm::ArrayRef<const Expr*> indices, const Datum& whole) {
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

  Result attribute(const Attribute& expr) {
    if (auto whole = path(&expr))
      if (auto part = find_(*whole)) return std::move(*part);
    Result value = visit(expr.value);
    std::string name = text(expr.attribute.name);
    if (auto whole = path(&expr); whole && !value)
      return Error("there is no variable '" + *whole + "' here");
    if (!value) return value;
    auto array = std::get_if<TensorRef>(&value->value);
    if (auto sizes = sizesOf(*value, name)) {
      std::string all;
      for (int64_t size : *sizes)
        all += (all.empty() ? "" : ", ") + std::to_string(size);
      return textDatum("[" + all + "]");
    }
    if (auto element = name == "dtype" ? elementTypeOf(*value) : std::nullopt)
      return textDatum(typeTextOf(*element, {}));
    if (name == "type") return textDatum(value->typeText);
    if (name == "T" && array) return transposed(**array);
    return Error("the debugger does not know '." + name + "' of this");
  }

  Result oneOf(const Shape& sizes, const Expr* index) {
    auto at = bound(index);
    if (!at) return Error(at.error());
    auto count = static_cast<int64_t>(sizes.size());
    int64_t number = at->value_or(0) + (at->value_or(0) < 0 ? count : 0);
    if (number < 0 || number >= count)
      return Error("there are " + std::to_string(count) + " dimensions");
    return integerDatum(sizes[static_cast<size_t>(number)]);
  }

  // gl.program_id(axis) and gl.num_programs(axis)
  std::optional<Result> ofGrid(llvm::StringRef name, llvm::ArrayRef<const Expr*> arguments,
                               const Expr* axis) {
    if (name != "program_id" && name != "num_programs") return std::nullopt;
    if (!arguments.empty()) axis = arguments[0];
    auto at = bound(axis);
    if (!at) return Error(at.error());
    if (!*at || **at < 0 || **at > 2) return Error("the axis of a grid is 0, 1 or 2");
    const ProgramId& numbers =
        name == "program_id" ? look_.state().program : look_.machine().setting().grid;
    return integerDatum(numbers[static_cast<size_t>(**at)]);
  }

  Result transposed(const Tensor& tensor) {
    if (tensor.shape().size() != 2) return Error("only matrices are transposed here");
    auto rows = static_cast<size_t>(tensor.shape()[0]),
         columns = static_cast<size_t>(tensor.shape()[1]);
    auto result =
        std::make_shared<Tensor>(tensor.element(), Shape{tensor.shape()[1], tensor.shape()[0]});
    unsigned bytes = bytesOf(tensor.element());
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < columns; ++j)
        std::memcpy(result->data() + (j * rows + i) * bytes,
                    tensor.data() + (i * columns + j) * bytes, bytes);
    return Datum{TensorRef(result), {}, typeTextOf(tensor.element(), result->shape()), {}};
  }

  // ---------------------------------------------------------------- functions

  Result call(const Call& expr) {
    std::string name;
    llvm::SmallVector<const Expr*, 4> arguments(expr.args.begin(), expr.args.end());
    if (auto* function = llvm::dyn_cast<NameExpr>(expr.func)) {
      name = text(function->name);
    } else if (auto* member = llvm::dyn_cast<Attribute>(expr.func)) {
      name = text(member->attribute.name);
      // gl.max(x) is the same as x.max(), unless `gl` is a variable.
      auto* base = llvm::dyn_cast<NameExpr>(member->value);
      bool isModule = base && !find_(text(base->name));
      if (!isModule) arguments.insert(arguments.begin(), member->value);
    }
    for (const Expr* argument : arguments)
      if (argument->kind == NodeKind::Starred) return Error("* is not evaluated here");
    const Expr* axis = nullptr;
    for (const Keyword& keyword : expr.keywords) {
      if (text(keyword.name.name) == "axis")
        axis = keyword.value;
      else
        return Error("the debugger knows the keyword 'axis' only");
    }
    if (auto number = ofGrid(name, arguments, axis)) return std::move(*number);
    if (arguments.empty()) return Error("'" + name + "' wants an argument");
    Result first = visit(arguments[0]);
    if (!first) return first;
    auto rest = llvm::ArrayRef(arguments).drop_front();

    if (name == "index" && rest.size() == 1) {
      auto at = bound(rest[0]);
      if (!at) return Error(at.error());
      if (auto stage = look_.index(*first, at->value_or(0))) return std::move(*stage);
      return Error("there is no such stage");
    }
    if (name == "load" && rest.size() <= 1) {
      Result loaded = look_.load(*first);
      return loaded ? loaded : Error("this buffer cannot be read: " + loaded.error());
    }
    auto array = numbers(*first);
    if (!array) return Error(array.error());
    if (auto reduced = reduce(name, *array, rest, axis)) return std::move(*reduced);
    if (rest.empty() && !axis)
      if (auto mapped = map(name, *array)) return std::move(*mapped);
    if (rest.size() == 1 && !axis) {
      auto other = numbers(rest[0]);
      if (!other) return Error(other.error());
      if (auto both = pairwise(name, *array, *other)) return std::move(*both);
    }
    if (name == "where" && rest.size() == 2) {
      auto yes = numbers(rest[0]), no = numbers(rest[1]);
      if (!yes) return Error(yes.error());
      if (!no) return Error(no.error());
      return where(*array, *yes, *no);
    }
    return Error("the debugger does not know the function '" + name + "'");
  }

  std::optional<Result> reduce(llvm::StringRef name, const Array& array,
                               llvm::ArrayRef<const Expr*> rest, const Expr* axisExpr) {
    enum Kind { Max, Min, Sum, Mean, Any, All, ArgMax, ArgMin, None };
    Kind kind = llvm::StringSwitch<Kind>(name)
                    .Case("max", Max)
                    .Case("min", Min)
                    .Case("sum", Sum)
                    .Case("mean", Mean)
                    .Case("any", Any)
                    .Case("all", All)
                    .Case("argmax", ArgMax)
                    .Case("argmin", ArgMin)
                    .Default(None);
    if (kind == None || rest.size() > 1) return std::nullopt;
    if (rest.size() == 1) axisExpr = rest[0];
    auto axis = bound(axisExpr);
    if (!axis) return Error(axis.error());
    auto rank = static_cast<int64_t>(array.shape.size());
    int64_t along = axis->value_or(0) < 0 ? axis->value_or(0) + rank : axis->value_or(0);
    if (*axis && (along < 0 || along >= rank)) return Error("there is no such axis");
    if (array.count() == 0) return Error("there are no elements");
    size_t before = 1, extent = array.count(), inner = 1;
    Shape shape;
    if (*axis) {
      extent = static_cast<size_t>(array.shape[static_cast<size_t>(along)]);
      for (int64_t d = 0; d < rank; ++d) {
        if (d == along) continue;
        (d < along ? before : inner) *= static_cast<size_t>(array.shape[static_cast<size_t>(d)]);
        shape.push_back(array.shape[static_cast<size_t>(d)]);
      }
    }
    bool isTruth = kind == Any || kind == All, isPlace = kind == ArgMax || kind == ArgMin;
    bool isReal = !isTruth && !isPlace && (array.isReal() || kind == Mean);
    Array result{shape, isReal ? Element::F64 : isTruth ? Element::I1 : Element::I64, {}, {}};
    for (size_t b = 0; b < before; ++b)
      for (size_t k = 0; k < inner; ++k) {
        auto at = [&](size_t i) { return (b * extent + i) * inner + k; };
        size_t best = 0;
        double sum = 0;
        int64_t whole = 0;
        bool any = false, all = true;
        for (size_t i = 0; i < extent; ++i) {
          double value = array.real(at(i)), champion = array.real(at(best));
          // NaN wins, so that it is seen.
          bool isBetter = kind == Min || kind == ArgMin ? value < champion : value > champion;
          if (isBetter || (std::isnan(value) && !std::isnan(champion))) best = i;
          sum += value;
          if (!array.isReal()) whole = wrapped(whole, array.integers[at(i)], std::plus<>());
          any |= value != 0;
          all &= value != 0;
        }
        if (isReal)
          result.reals.push_back(kind == Sum    ? sum
                                 : kind == Mean ? sum / static_cast<double>(extent)
                                                : array.real(at(best)));
        else
          result.integers.push_back(kind == Any   ? any
                                    : kind == All ? all
                                    : isPlace     ? static_cast<int64_t>(best)
                                    : kind == Sum ? whole
                                                  : array.integers[at(best)]);
      }
    return datumOf(result);
  }

  std::optional<Result> map(llvm::StringRef name, const Array& array) {
    using Function = double (*)(double);
    Function function = llvm::StringSwitch<Function>(name)
                            .Case("exp", [](double x) { return std::exp(x); })
                            .Case("exp2", [](double x) { return std::exp2(x); })
                            .Case("log", [](double x) { return std::log(x); })
                            .Case("log2", [](double x) { return std::log2(x); })
                            .Case("sqrt", [](double x) { return std::sqrt(x); })
                            .Case("rsqrt", [](double x) { return 1 / std::sqrt(x); })
                            .Case("sin", [](double x) { return std::sin(x); })
                            .Case("cos", [](double x) { return std::cos(x); })
                            .Case("floor", [](double x) { return std::floor(x); })
                            .Case("ceil", [](double x) { return std::ceil(x); })
                            .Default(nullptr);
    bool isAbs = name == "abs", isTest = name == "isnan" || name == "isinf";
    if (name == "len" && !array.shape.empty()) return integerDatum(array.shape[0]);
    if (name == "int" || name == "float" || name == "bool") {
      if (array.count() != 1) return Error("this is not one number");
      double value = array.real(0);
      if (name == "float") return datumOf({{}, Element::F64, {value}, {}});
      if (name == "bool") return integerDatum(value != 0, Element::I1);
      if (!(std::fabs(value) < 0x1p63)) return Error("this is no integer");
      return integerDatum(array.isReal() ? static_cast<int64_t>(value) : array.integers[0]);
    }
    if (!function && !isAbs && !isTest) return std::nullopt;
    Array result{array.shape,
                 isTest                     ? Element::I1
                 : isAbs && !array.isReal() ? Element::I64
                                            : Element::F64,
                 {},
                 {}};
    for (size_t i = 0; i < array.count(); ++i) {
      double value = array.real(i);
      if (isTest)
        result.integers.push_back(name == "isnan" ? std::isnan(value) : std::isinf(value));
      else if (isAbs && !array.isReal())
        result.integers.push_back(array.integers[i] < 0
                                      ? wrapped(0, array.integers[i], std::minus<>())
                                      : array.integers[i]);
      else
        result.reals.push_back(isAbs ? std::fabs(value) : function(value));
    }
    return datumOf(result);
  }

  std::optional<Result> pairwise(llvm::StringRef name, const Array& a, const Array& b) {
    if (name == "cdiv") {
      if (a.isReal() || b.isReal()) return Error("cdiv wants integers");
      return combine(a, b, Element::I64, [&](Array& out, size_t i, size_t j) {
        if (b.integers[j] == 0 || b.integers[j] == -1) return false;
        int64_t below = floorDivide(wrapped(0, a.integers[i], std::minus<>()), b.integers[j]);
        out.integers.push_back(wrapped(0, below, std::minus<>()));
        return true;
      });
    }
    bool isMax = name == "maximum";
    if (!isMax && name != "minimum") return std::nullopt;
    bool isReal = a.isReal() || b.isReal();
    return combine(a, b, isReal ? Element::F64 : Element::I64, [&](Array& out, size_t i, size_t j) {
      if (isReal)
        out.reals.push_back(isMax ? std::max(a.real(i), b.real(j))
                                  : std::min(a.real(i), b.real(j)));
      else
        out.integers.push_back(isMax ? std::max(a.integers[i], b.integers[j])
                                     : std::min(a.integers[i], b.integers[j]));
      return true;
    });
  }

  Result where(const Array& test, const Array& yes, const Array& no) {
    auto inner = broadcast(yes.shape, no.shape);
    auto shape = inner ? broadcast(test.shape, *inner) : std::nullopt;
    if (!shape) return Error("the shapes do not broadcast");
    size_t count = countOf(*shape);
    if (count > mostElements) return Error("the result is too large");
    if (!spend(count)) return Error("the expression takes too long");
    bool isReal = yes.isReal() || no.isReal();
    Array result{*shape, isReal ? Element::F64 : Element::I64, {}, {}};
    for (size_t i = 0; i < count; ++i) {
      bool isYes = test.real(sourceOf(i, *shape, test.shape)) != 0;
      const Array& from = isYes ? yes : no;
      size_t at = sourceOf(i, *shape, from.shape);
      if (isReal)
        result.reals.push_back(from.real(at));
      else
        result.integers.push_back(from.integers[at]);
    }
    return datumOf(result);
  }

  const Look& look_;
  FindVariable find_;
  const Interner& names_;
  unsigned depth_ = 0;
  size_t work_ = 0;
};

} // namespace

Result evaluate(const std::string& text, const Look& look, FindVariable find) {
  constexpr size_t longest = 4096;
  if (text.size() > longest) return Error("the expression is too long");
  Interner names;
  auto source = std::make_shared<text::SourceText>("(" + text + "\n)\n");
  auto tree = SyntaxTree::parse(source, diagnostics::FileId{0}, names);
  bool isOne = tree && tree->errors().empty() && tree->body().size() == 1;
  auto* statement = isOne ? llvm::dyn_cast<ExprStmt>(tree->body()[0]) : nullptr;
  if (!statement) return Error("'" + text + "' is no Python expression");
  return Evaluator(look, find, names).visit(statement->value);
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
