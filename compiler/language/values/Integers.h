// Python's ints of any size as values: Int, Bool and BigInt.
#pragma once

#include "language/values/Value.h"

#include <llvm/ADT/APInt.h>

#include <optional>

namespace gluond::language {

bool isInteger(Value value); // Int, Bool or BigInt
llvm::APInt toAPInt(Value value);
Value fromAPInt(Heap& heap, const llvm::APInt& value);
std::optional<double> toDouble(Value value); // Int, Bool, BigInt, Float; nullopt if too large
// The int for range, slices and sizes: a BigInt is clamped; nullopt if it is no int.
std::optional<int64_t> toIndex(Value value);
// Returns the length of an int in 64-bit words.
size_t wordsOf(Value integer);

// A word of 64 bits holds any number of so many digits.
inline constexpr unsigned digitsPerWord = 19;
// Parses decimal digits; nothing is checked or charged.
llvm::APInt parseDecimal(llvm::StringRef digits);

} // namespace gluond::language
