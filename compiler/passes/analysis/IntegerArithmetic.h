// The integer arithmetic of the IR on numbers that are known: what sample runs, pictures of
// accesses and lints compute with.
//
// A number is kept in an int64_t, sign-extended from the width of its type; booleans are 0 and 1.
#pragma once

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <cstdint>
#include <optional>

namespace gluond::passes {

// The width of an integer type, or of the elements of a tensor of integers; 64 for an index, and at
// most 64.
unsigned integerBits(mlir::Type type);
// Two's complement of so many bits: what is left of a number that is too large.
int64_t wrapped(uint64_t value, unsigned bits);
uint64_t unsignedOf(int64_t value, unsigned bits);

bool compare(mlir::arith::CmpIPredicate predicate, int64_t a, int64_t b, unsigned bits);

// What an operation makes of two integers of so many bits. Nothing where the IR does not define it:
// a division by zero, a shift by more than the width.
using IntegerRule = std::optional<int64_t> (*)(int64_t a, int64_t b, unsigned bits);
IntegerRule integerRule(mlir::Operation* op); // null: it is no such operation

} // namespace gluond::passes
