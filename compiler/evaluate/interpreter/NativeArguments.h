// Helpers to read the arguments of native functions that do not need bind().
#pragma once

#include "evaluate/interpreter/Interpreter.h"

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
// Returns whether there are `least` to `most` positional arguments; raises TypeError if not.
inline bool count(Interpreter& in, const CallArguments& arguments, llvm::StringRef function,
                  size_t least, size_t most) {
  size_t given = arguments.positional.size();
  if (given >= least && given <= most) return true;
  if (least == most)
    in.raise("TypeError", function + "() takes exactly " +
                              (least == 1   ? llvm::StringRef("one")
                               : least == 2 ? llvm::StringRef("2")
                                            : llvm::StringRef("3")) +
                              " argument" + (least == 1 ? "" : "s") + " (" + llvm::Twine(given) +
                              " given)");
  else
    in.raise("TypeError", function + " expected at " + (given < least ? "least " : "most ") +
                              llvm::Twine(given < least ? least : most) + " argument" +
                              ((given < least ? least : most) == 1 ? "" : "s") + ", got " +
                              llvm::Twine(given));
  return false;
}
#define GLUOND_COUNT(function, least, most)                                                        \
  if (!count(in, arguments, function, least, most)) return Value::absent()
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
