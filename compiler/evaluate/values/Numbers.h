// Ints of any size and floats as Python computes, reads and writes them.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// An operator of two ints, at least one of which (or whose result) does not fit 64 bits.
Value bigBinary(Interpreter& in, syntax::BinaryOp op, Value left, Value right);

// str(integer). CPython refuses more than `mostDigits` (ValueError); returns "" if that was raised.
std::string decimal(Interpreter& in, Value integer);
inline constexpr size_t mostDigits = 4300;

// int(text, base), float(text); nullopt if it is not a literal.
std::optional<Value> parseInteger(Interpreter& in, llvm::StringRef text, int base);
std::optional<double> parseDouble(llvm::StringRef text);

} // namespace gluond::evaluate
