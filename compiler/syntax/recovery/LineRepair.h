// Finds text to insert into a broken line so that it can be parsed. Internal to the room.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/recovery/LineScanner.h"

#include <string>

namespace gluond::syntax {

struct Patch {
  uint32_t at;      // offset in the line
  std::string text; // names in it are holes
  bool reported;    // whether the scanner has reported it already
};

// Returns the patches for a whole line, in order. The header of a block needs a colon at its end.
std::vector<Patch> repairLine(llvm::StringRef line, Lead lead);

// Reports the patches that are not reported yet; `begin` is the line's place in the file.
void reportPatches(llvm::StringRef line, text::Offset begin, llvm::ArrayRef<Patch> patches,
                   diagnostics::Reporter& emit);

bool isHeaderLead(Lead lead);

} // namespace gluond::syntax
