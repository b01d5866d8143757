#include "chips/MemorySizes.h"

#include "chips/Chip.h"

namespace gluond::chips {

llvm::ArrayRef<unsigned> asyncCopyBytes(const Chip& chip) {
  // CDNA 3 loads single words into the LDS, CDNA 4 also four of them, but not two.
  static constexpr unsigned words[] = {4}, wordsOrFour[] = {4, 16}, cdna5[] = {1, 4, 8, 16},
                            nvidia[] = {4, 8, 16};
  if (chip.has(Feature::ScaledWmma)) return cdna5;
  if (chip.has(Feature::AsyncCopy)) return nvidia;
  if (!chip.has(Feature::Mfma)) return {};
  if (chip.has(Feature::WideSharedCopies)) return wordsOrFour;
  return words;
}

} // namespace gluond::chips
