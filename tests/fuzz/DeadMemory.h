// Writes into memory that was freed, by code that has no sanitizers: MLIR and LLVM are linked as
// the distribution built them, and an operation that outlives the values that it uses writes into
// them when it is destroyed. Address sanitizer keeps freed memory for a while and fills it
// (max_free_fill_size); what is there after a run is compared with that.
#pragma once

namespace gluond::fuzz {

class DeadMemory {
public:
  DeadMemory();  // from now on, what is freed is noted
  ~DeadMemory(); // ends the process with a report, if some of it was written to since
  DeadMemory(const DeadMemory&) = delete;
  DeadMemory& operator=(const DeadMemory&) = delete;
};

} // namespace gluond::fuzz
