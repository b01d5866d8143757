// How evaluating a builtin goes wrong: the Python exception Triton would raise, and which argument
// is at fault.
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

struct Failure {
  ExceptionKind exception = ExceptionKind::ValueError;
  std::string message;
  int argument = -1; // slot of the argument to underline; -1: the call
};

} // namespace gluond::language
