// An error of evaluating a builtin: the Python exception that Triton would raise, and the argument
// at fault.
#pragma once

#include <cstdint>
#include <string>

namespace gluond::language {

enum class ExceptionKind : uint8_t {
  AssertionError,
  AttributeError,
  IndexError,
  KeyError,
  NameError,
  NotImplementedError,
  RuntimeError,
  TypeError,
  ValueError,
  ZeroDivisionError,
  OverflowError,
};
const char* name(ExceptionKind kind);

struct RaisedException {
  ExceptionKind exception = ExceptionKind::ValueError;
  std::string message;
  int argument = -1; // slot of the argument to underline; -1 for the call
};

} // namespace gluond::language
