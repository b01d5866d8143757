// The integer arithmetic of the IR on known numbers, used by sample runs, pictures of accesses and
// lints.
//
// A number is kept in an int64_t, sign-extended from the width of its type; booleans are 0 and 1.
#pragma once

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <cstdint>
#include <optional>

namespace gluond::passes {

// Returns the width of an integer type, or of the elements of a tensor of integers; 64 for an
// index, and at most 64.
unsigned integerBits(mlir::Type type);
// Truncates a number to two's complement of the given width.
int64_t wrapped(uint64_t value, unsigned bits);
uint64_t unsignedOf(int64_t value, unsigned bits);

bool compare(mlir::arith::CmpIPredicate predicate, int64_t a, int64_t b, unsigned bits);

// Computes an operation on two integers of the given width. Returns nullopt if the IR does not
// define the result: for a division by zero, or a shift by more than the width.
using IntegerRule = std::optional<int64_t> (*)(int64_t a, int64_t b, unsigned bits);
IntegerRule integerRule(mlir::Operation* op); // null if it is no such operation

// Computes a conversion of an integer of width `from` to width `to`.
using IntegerCast = int64_t (*)(int64_t value, unsigned from, unsigned to);
IntegerCast integerCast(mlir::Operation* op); // null if it is no such operation

} // namespace gluond::passes
