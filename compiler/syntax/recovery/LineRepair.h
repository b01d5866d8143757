// What has to be put into a broken line so that it can be read. Private to the room.
#pragma once

#include "diagnostics/Emitter.h"
#include "syntax/recovery/LineScanner.h"

#include <string>

namespace gluond::syntax {

struct Patch {
  uint32_t at;      // offset into the line
  std::string text; // names in it are holes
  bool reported;    // the scanner has said it already
};

// The patches for a line (begin to end of it), in order. `isHeader`: it wants a colon at its end.
std::vector<Patch> repairLine(llvm::StringRef line, Lead lead);

// Says what each patch that is not reported stands for; `begin` is the line's place in the file.
void reportPatches(llvm::StringRef line, text::Offset begin, llvm::ArrayRef<Patch> patches,
                   diagnostics::Emitter& emit);

bool isHeaderLead(Lead lead);

} // namespace gluond::syntax
