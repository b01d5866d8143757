// A stack for the signal handlers of a thread: after a stack overflow its own cannot be used.
#pragma once

#include <csignal>
#include <memory>

namespace gluond {

class SignalStack {
public:
  SignalStack() : memory_(new char[bytes]) {
    stack_t stack{};
    stack.ss_sp = memory_.get();
    stack.ss_size = bytes;
    ::sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    ::sigaltstack(&off, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

private:
  static constexpr size_t bytes = 64u << 10;
  std::unique_ptr<char[]> memory_;
};

} // namespace gluond
