// Numbers that expressions of the debugger calculate with: integers wrap around at 64 bits as the
// kernel's do, floats are doubles, shapes broadcast as numpy's do.
#pragma once

#include "debug/Values.h"
#include "syntax/SyntaxTree.h"

namespace gluond::debug {

// A scalar has no dimensions.
struct Array {
  simulate::Shape shape;
  simulate::Element element = simulate::Element::I64; // I1, I64 or F64 once calculated
  std::vector<double> reals;                          // of floats
  std::vector<int64_t> integers;                      // of all others
  bool isReal() const { return simulate::isFloat(element); }
  size_t count() const { return isReal() ? reals.size() : integers.size(); }
  double real(size_t i) const { return isReal() ? reals[i] : static_cast<double>(integers[i]); }
};

std::optional<Array> arrayOf(const Datum& datum); // nullopt for what is no number
Datum datumOf(const Array& array);
Datum integerDatum(int64_t number, simulate::Element element = simulate::Element::I64);

// Applies a function of unsigned numbers, which wrap around.
template <typename F> int64_t wrapped(int64_t a, int64_t b, F f) {
  return static_cast<int64_t>(f(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
}
int64_t floorDivide(int64_t a, int64_t b); // b is not 0
// nullopt if the numbers have no such operation, or no result: a division by 0.
std::optional<int64_t> onIntegers(syntax::BinaryOp op, int64_t a, int64_t b);
std::optional<double> onReals(syntax::BinaryOp op, double a, double b);
bool compares(syntax::CompareOp op, double a, double b);

// The shape that two shapes broadcast to; nullopt if they do not.
std::optional<simulate::Shape> broadcast(const simulate::Shape& a, const simulate::Shape& b);
// The element of `from` that stands for element `index` of the shape it is broadcast to.
size_t sourceOf(size_t index, const simulate::Shape& to, const simulate::Shape& from);
size_t countOf(const simulate::Shape& shape);

} // namespace gluond::debug
