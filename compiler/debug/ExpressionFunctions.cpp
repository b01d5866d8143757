// The functions that an expression may call: reductions, elementwise functions, program ids.
#include "debug/ExpressionEvaluator.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/StringSwitch.h>

#include <cmath>

namespace gluond::debug::expressions {

Result ExpressionEvaluator::oneOf(const Shape& sizes, const Expr* index) {
  auto at = bound(index);
  if (!at) return Error(at.error());
  auto count = static_cast<int64_t>(sizes.size());
  int64_t number = at->value_or(0) + (at->value_or(0) < 0 ? count : 0);
  if (number < 0 || number >= count)
    return Error("there are " + std::to_string(count) + " dimensions");
  return integerDatum(sizes[static_cast<size_t>(number)]);
}

std::optional<Result> ExpressionEvaluator::ofGrid(llvm::StringRef name,
                                                  llvm::ArrayRef<const Expr*> arguments,
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

Result ExpressionEvaluator::transposed(const Tensor& tensor) {
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

Result ExpressionEvaluator::call(const Call& expr) {
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
  if (name == "len" && rest.empty() && first->parts)
    return integerDatum(static_cast<int64_t>(stepsOf(*first).size()));
  auto array = numbers(*first);
  if (!array) return Error(array.error());
  // Python's own functions of several numbers.
  if ((name == "max" || name == "min") && array->shape.empty() && !rest.empty() && !axis) {
    for (const Expr* each : rest) {
      auto other = numbers(each);
      if (!other) return Error(other.error());
      auto better = pairwise(name == "max" ? "maximum" : "minimum", *array, *other);
      if (!*better) return *better;
      array = numbers(**better);
      if (!array) return Error(array.error());
    }
    return datumOf(*array);
  }
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

std::optional<Result> ExpressionEvaluator::reduce(llvm::StringRef name, const Array& array,
                                                  llvm::ArrayRef<const Expr*> rest,
                                                  const Expr* axisExpr) {
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

std::optional<Result> ExpressionEvaluator::map(llvm::StringRef name, const Array& array) {
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

std::optional<Result> ExpressionEvaluator::pairwise(llvm::StringRef name, const Array& a,
                                                    const Array& b) {
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
      out.reals.push_back(isMax ? std::max(a.real(i), b.real(j)) : std::min(a.real(i), b.real(j)));
    else
      out.integers.push_back(isMax ? std::max(a.integers[i], b.integers[j])
                                   : std::min(a.integers[i], b.integers[j]));
    return true;
  });
}

Result ExpressionEvaluator::where(const Array& test, const Array& yes, const Array& no) {
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

} // namespace gluond::debug::expressions
