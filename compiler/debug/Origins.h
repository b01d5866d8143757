// Where an element came from, and who reads it.
//
// An element of a register was made by the instruction that wrote the register last; what that
// instruction read, and which elements of it, follow from its op. So the chain goes back, a moment
// at a time, to loads, constants and arguments. The program is taken to those moments and brought
// back.
#pragma once

#include "debug/Debugger.h"

namespace gluond::debug {

// One value on the way: what made it, and what that was made of.
struct Origin {
  std::string name; // of a variable that had it, with its index; empty: of an expression in between
  std::string value; // as text
  std::string what;  // the operation, in a few words
  std::optional<Place> place;
  uint64_t moment = 0; // right after it was made
  std::vector<Origin> from;
  bool isCut = false; // there is more than is shown
};

struct OriginLimits {
  size_t steps = 64;  // instructions that are followed
  size_t sources = 8; // of one instruction: a reduction has many
  std::chrono::milliseconds time{2000};
};

// Of an element of a variable ("x[3, 5]"), or of a number ("i"). The error is a sentence.
tl::expected<Origin, std::string> originOf(Debugger& debugger, uint32_t thread, const Row& row,
                                           const std::string& text, OriginLimits limits = {},
                                           const CancellationToken& token = {});

// An instruction that read a value.
struct Reader {
  std::string what;
  std::optional<Place> place;
  uint64_t moment = 0; // right after it
};
// Those that read the value which the variable has now, until it gets another one.
tl::expected<std::vector<Reader>, std::string> readersOf(Debugger& debugger, uint32_t thread,
                                                         const Row& row, const std::string& text,
                                                         OriginLimits limits = {},
                                                         const CancellationToken& token = {});

} // namespace gluond::debug
