// What makes a program stop, besides steps.
#pragma once

#include "debug/Values.h"

#include <string>
#include <vector>

namespace gluond::debug {

struct Breakpoint {
  int id = 0;
  std::string path;     // of a breakpoint at a line
  unsigned line = 0;    // where it is in fact: the first statement from there on; 0: nowhere
  std::string function; // of one at a function
  std::string condition, log;
  std::string hits; // "5", ">= 3", "% 10"; empty: each time
  uint64_t count = 0;
};

// Whether the `count`-th time satisfies "5", "> 5", ">= 5", "< 5", "<= 5", "== 5", "% 5".
// Nothing: the text is none of these.
std::optional<bool> isHit(const std::string& hits, uint64_t count);

// A place in memory, or an element of a variable, that is watched for changes.
struct Watch {
  int id = 0;
  std::string name, condition;
  std::optional<Spot> spot; // else: an element of a register
  uint32_t thread = 0, function = 0, reg = 0;
  size_t offset = 0, bytes = 0;
};
// What is there now; empty: nothing.
std::string watchedBytes(const Watch& watch, const simulate::Machine& machine,
                         const simulate::State& state);

} // namespace gluond::debug
