// The origin of an element, and the operations that read it.
//
// An element was made by the instruction that wrote its register last. The elements that this
// instruction read follow from its op, and so on back to loads, constants and arguments. The
// program is taken to the moments of these instructions, and then returns to the present.
#pragma once

#include "debug/Debugger.h"

namespace gluond::debug {

// A value, the operation that made it, and the values that the operation read.
struct Origin {
  std::string name;  // the variable and index; empty for a value without a variable
  std::string value; // the value as text
  std::string what;  // the operation in a few words
  std::optional<Place> place;
  uint64_t moment = 0; // the moment after it was made
  std::vector<Origin> from;
  bool isCut = false; // `from` is not complete
};

struct OriginLimits {
  size_t steps = 64;  // the most instructions that are followed
  size_t sources = 8; // the most operands of one instruction, such as a reduction
  std::chrono::milliseconds time{2000};
};

// Returns the origin of an element of a variable ("x[3, 5]") or of a number ("i"). The error is a
// sentence.
tl::expected<Origin, std::string> originOf(Debugger& debugger, uint32_t thread, const Row& row,
                                           const std::string& text, OriginLimits limits = {},
                                           const CancellationToken& token = {});

// An instruction that read a value.
struct Reader {
  std::string what;
  std::optional<Place> place;
  uint64_t moment = 0; // the moment after it was executed
};
// Returns the instructions that read the variable's present value, up to its next assignment.
tl::expected<std::vector<Reader>, std::string> readersOf(Debugger& debugger, uint32_t thread,
                                                         const Row& row, const std::string& text,
                                                         OriginLimits limits = {},
                                                         const CancellationToken& token = {});

} // namespace gluond::debug
