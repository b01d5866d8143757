// The texts by which users choose among the specializations of a kernel: "BLOCK=256 num_warps=4
// (cuda:90)".
#pragma once

#include "driver/launches/Kernels.h"

namespace gluond::driver {

std::string labelOf(const evaluate::Launch& launch, const Interner& names);
std::string labelOf(const LaunchRecord& record);
// Adds to equal labels of launches what else differs: layouts, dtypes, divisibility.
void tellApart(std::vector<Variant>& variants, const Interner& names);

// Splits a label at the blanks outside of brackets and strings: "a=1 b=f([2, 3]) (cuda:90)" has the
// parts "a=1", "b=f([2, 3])" and "(cuda:90)".
llvm::SmallVector<llvm::StringRef> partsOf(llvm::StringRef label);
// The parts of a label that not all of the others have; all of it if there are none.
std::string differenceOf(llvm::StringRef label, llvm::ArrayRef<llvm::StringRef> others);

} // namespace gluond::driver
