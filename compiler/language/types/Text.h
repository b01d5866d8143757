// repr() and str() of values as in Python, as far as no program code is needed: __repr__ methods of
// user classes are called by the evaluator. Objects that print an address in CPython print as 0x1,
// 0x2, ... in order of first use if the caller numbers them, else 0x0.
#pragma once

#include "language/values/Value.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

namespace gluond::language {

class Type;

using AddressOf = llvm::function_ref<unsigned(const void*)>;

std::string repr(Value value, const Interner& names, AddressOf address = nullptr);
std::string str(Value value, const Interner& names, AddressOf address = nullptr);
// The same for values that contain no names (no enums, namedtuples, instances), such as fields of
// layouts.
std::string strOfPlain(Value value);
// The repr of a dataclass: "SliceLayout(dim=1, parent=...)".
std::string repr(const LayoutObject& layout);
// repr(float): the shortest digits that round-trip, "1e+20", "inf".
std::string reprFloat(double value);
// repr(str), with Python's choice of quotes and escapes.
std::string reprString(llvm::StringRef text);
std::string decimal(const BigIntObject& value);

} // namespace gluond::language
