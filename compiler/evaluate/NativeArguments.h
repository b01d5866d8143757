// Reading the arguments of a native function, for those that are not worth a bind().
#pragma once

#include "evaluate/Interpreter.h"

namespace gluond::evaluate {

inline Value at(const CallArguments& arguments, size_t index) {
  return index < arguments.positional.size() ? arguments.positional[index] : Value::absent();
}
inline Value keyword(Interpreter& in, const CallArguments& arguments, llvm::StringRef name) {
  for (auto& one : arguments.keywords)
    if (in.text(one.name) == name) return one.value;
  return Value::absent();
}
inline Value given(Interpreter& in, const CallArguments& arguments, size_t index,
                   llvm::StringRef name) {
  Value value = at(arguments, index);
  return value.isAbsent() ? keyword(in, arguments, name) : value;
}
inline Value unknownOrRaised(Interpreter& in) {
  return in.failed() ? Value::absent() : Value::unknown();
}
inline Value unknown(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
inline Value none(Interpreter&, const CallArguments&) {
  return Value::none();
}
inline Value identity(Interpreter&, const CallArguments& arguments) {
  return at(arguments, 0).isAbsent() ? Value::unknown() : at(arguments, 0);
}

} // namespace gluond::evaluate
