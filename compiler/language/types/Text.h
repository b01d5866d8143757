// repr() and str() of values as Python prints them, where that needs no program to run: __repr__
// methods of user classes are the evaluator's. What has an address in CPython prints as 0x1, 0x2,
// ... by order of first use when the caller numbers them, else 0x0.
#pragma once

#include "language/values/Value.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

namespace gluond::language {

class Type;

using AddressOf = llvm::function_ref<unsigned(const void*)>;

std::string repr(Value value, const Interner& names, AddressOf address = nullptr);
std::string str(Value value, const Interner& names, AddressOf address = nullptr);
// The same for values that hold no names (no enums, namedtuples, instances): those of layouts'
// fields.
std::string strOfPlain(Value value);
// A dataclass's: "SliceLayout(dim=1, parent=...)".
std::string repr(const LayoutObject& layout);
// repr(float): shortest digits that read back, "1e+20", "inf".
std::string reprFloat(double value);
// repr(str), with Python's choice of quotes and escapes.
std::string reprString(llvm::StringRef text);
std::string decimal(const BigIntObject& value);

} // namespace gluond::language
