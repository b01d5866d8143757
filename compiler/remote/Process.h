// A child process with pipes to its standard streams.
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gluond::remote {

// One thread. The process, and what it started, ends with this object.
class Process {
public:
  // Runs a command line of /bin/sh. The error is a sentence.
  static tl::expected<Process, std::string> start(const std::string& command);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  // Moves bytes for at most `milliseconds`: writes of `out` what the process takes (and drops it
  // there), appends what it says to `in` and `errors`, some megabytes at most. False: its output
  // has ended.
  bool pump(std::string_view& out, std::string& in, std::string& errors, int milliseconds);
  // Ends it, and its group, and waits a moment for that: "ended with code 127", "was ended by
  // signal 9".
  std::string finish();

private:
  Process() = default;

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, errors_ = -1; // our ends: of its input, output, error output
};

} // namespace gluond::remote
