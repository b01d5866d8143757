#include "codegen/targets/TargetNames.h"

#include "chips/Chip.h"
#include "codegen/suggestions/Suggest.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::codegen {

// A chip's or an architecture's name, sm_90, 90, gfx942, or a misspelt target.
static llvm::StringRef targetMeantBy(llvm::StringRef written) {
  llvm::StringRef bare = written.contains(':') ? written.split(':').second : written;
  bare.consume_front("sm_") || bare.consume_front("sm");
  bare.consume_back("a");
  for (const chips::Chip& chip : chips::allChips()) {
    if (chips::isCalled(chip, written) || chip.target.split(':').second == bare) return chip.target;
  }
  Nearest nearest(written);
  for (const chips::Chip& chip : chips::allChips())
    nearest.offer(chip.target);
  return nearest.name();
}

std::optional<std::string> whyNoTarget(llvm::StringRef name) {
  if (llvm::any_of(chips::allChips(), [&](const chips::Chip& chip) { return chip.target == name; }))
    return std::nullopt;
  std::string why = "there is no target '" + name.str() + "'";
  llvm::StringRef meant = targetMeantBy(name);
  why += meant.empty() ? "; the" : "; did you mean '" + meant.str() + "'? The";
  why += " targets are";
  for (const chips::Chip& chip : chips::allChips())
    why += (&chip == chips::allChips().begin() ? " " : ", ") + chip.target.str();
  return why;
}

} // namespace gluond::codegen
