// The texts by which users choose among the specializations of a kernel: "BLOCK=256 num_warps=4
// (cuda:90)".
#pragma once

#include "driver/launches/Kernels.h"

namespace gluond::driver {

std::string labelOf(const evaluate::Launch& launch, const Interner& names);
std::string labelOf(const LaunchRecord& record);
// Adds to equal labels of launches what else differs: layouts, dtypes, divisibility.
void tellApart(std::vector<Variant>& variants, const Interner& names);

} // namespace gluond::driver
