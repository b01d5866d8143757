// Breakpoints and watched values.
#pragma once

#include "debug/Values.h"

#include <string>
#include <vector>

namespace gluond::debug {

struct Breakpoint {
  int id = 0;
  std::string path;     // the file of a breakpoint at a line
  unsigned wanted = 0;  // the line that the user chose
  unsigned line = 0;    // the line of its statement; 0 if there is none
  std::string whyNone;  // a sentence, if there is none
  std::string function; // the name, for a breakpoint at a function
  std::string condition, log;
  std::string hits; // "5", ">= 3", "% 10"; empty to stop each time
  uint64_t count = 0;
};

// A sentence that says why a condition cannot be evaluated.
std::string conditionFails(const std::string& why);
// Returns why a condition can never be evaluated, as a sentence; empty if it is an expression, or
// if there is none.
std::string mistakeIn(const std::string& condition);
// Returns why a breakpoint would never stop, or not as its text says; empty if it is right.
std::string mistakeIn(const Breakpoint& breakpoint);

// Returns whether the `count`-th hit satisfies a text such as "5", "> 5", ">= 5", "< 5", "<= 5",
// "== 5" or "% 5", or nullopt if the text is not of this form.
std::optional<bool> isHit(const std::string& hits, uint64_t count);

// Places in memory, a variable, or elements of one, that are watched for changes.
struct Watch {
  int id = 0;
  std::string name, condition;
  std::vector<Spot> spots; // if there are none, a register is watched
  uint32_t thread = 0, function = 0, reg = 0;
  struct Part {
    size_t offset, bytes;
  };
  std::vector<Part> parts; // of a tensor

  size_t bytes() const;
};
// Returns the bytes that are there now, or nothing if the value does not exist.
std::string watchedBytes(const Watch& watch, const simulate::Machine& machine,
                         const simulate::State& state);

} // namespace gluond::debug
