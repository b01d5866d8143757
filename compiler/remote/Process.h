// A child process with pipes to its standard streams.
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gluond::remote {

// For one thread only. The process and its children end with this object, and with this process,
// however that ends.
class Process {
public:
  // Runs a command line with /bin/sh. The error is a sentence.
  static tl::expected<Process, std::string> start(const std::string& command);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  // Moves data for at most `milliseconds`: writes what the process accepts of `out` (and removes it
  // there), appends its output to `in` and `errors`, up to some megabytes. Returns false if its
  // output has ended.
  bool pump(std::string_view& out, std::string& in, std::string& errors, int milliseconds);
  struct Ending {
    std::string words; // "ended with code 127", "was ended by signal 9"
    bool isBySignal = false;
  };
  // Ends the process and its group, and waits briefly for that.
  Ending finish();

private:
  Process() = default;

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, errors_ = -1; // our ends of its input, output and error output
  int lifeline_ = -1;                    // of a pipe that tells it when we are gone
};

} // namespace gluond::remote
