// Evaluates the tree of a Python expression over the values of a stopped program.
#pragma once

#include "debug/Arrays.h"
#include "debug/Expressions.h"
#include "debug/Variables.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::debug::expressions {

using namespace simulate;
using namespace syntax;
// Both rooms have these.
using simulate::Shape;
using simulate::Value;
using simulate::View;

using Error = tl::unexpected<std::string>;
using Result = tl::expected<Datum, std::string>;

inline constexpr size_t mostElements = size_t{1} << 24; // of a result
inline constexpr size_t mostWork = size_t{1} << 26;     // elements that one expression goes through
inline constexpr unsigned deepest = 200;

inline Datum textDatum(std::string text) {
  return {{}, {}, {}, std::move(text)};
}

class ExpressionEvaluator {
public:
  ExpressionEvaluator(const Look& look, FindVariable find, const Interner& names)
      : look_(look), find_(find), names_(names) {}

  Result visit(const Expr* expr);

private:
  std::string text(Name name) const { return names_.text(name).str(); }

  // Charges for elements that are gone through. False if that is too much for one expression.
  bool spend(size_t elements);

  Result variable(const std::string& name);

  Result literal(const Constant& constant);

  // ---------------------------------------------------------------- numbers

  tl::expected<Array, std::string> numbers(const Datum& datum);
  tl::expected<Array, std::string> numbers(const Expr* expr);

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

  Result arithmetic(BinaryOp op, const Array& a, const Array& b);

  Result binary(const BinOp& op);

  Result unary(const UnaryOp& op);

  static bool isTrue(const Array& array);

  Result boolean(const BoolOp& op);

  Result comparison(const Compare& compare);

  Result conditional(const IfExp& choice);

  // ---------------------------------------------------------------- parts

  // The part of a tuple with this index.
  Result item(const Datum& whole, const Expr* index);

  Result subscript(const Subscript& expr);

  // One dimension of what is picked.
  struct Range {
    int64_t begin = 0, step = 1, count = 1;
    bool isDropped = false, isNew = false;
  };

  tl::expected<std::optional<int64_t>, std::string> bound(const Expr* expr);

  Result pick(const Tensor& tensor, llvm::ArrayRef<const Expr*> indices, const Datum& whole);

  Result attribute(const Attribute& expr);

  Result member(const Datum& value, const std::string& name);

  Result oneOf(const Shape& sizes, const Expr* index);

  // gl.program_id(axis) and gl.num_programs(axis)
  std::optional<Result> ofGrid(llvm::StringRef name, llvm::ArrayRef<const Expr*> arguments,
                               const Expr* axis);

  Result transposed(const Tensor& tensor);

  // ---------------------------------------------------------------- functions

  Result call(const Call& expr);

  std::optional<Result> reduce(llvm::StringRef name, const Array& array,
                               llvm::ArrayRef<const Expr*> rest, const Expr* axisExpr);

  std::optional<Result> map(llvm::StringRef name, const Array& array);

  std::optional<Result> pairwise(llvm::StringRef name, const Array& a, const Array& b);

  Result where(const Array& test, const Array& yes, const Array& no);

  const Look& look_;
  FindVariable find_;
  const Interner& names_;
  unsigned depth_ = 0;
  size_t work_ = 0;
};

} // namespace gluond::debug::expressions
