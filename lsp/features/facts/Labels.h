// Texts for the specializations of a kernel, where the whole label would be too long.
#pragma once

#include "driver/launches/VariantLabels.h"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace gluond::lsp {

// Leaves parts of labels out, as long as one of them is longer than `most` and no two that differ
// become one: first what all of them share, then what distinguishes the same of them as an earlier
// part, then the longest. The target at the end stays. visualizer/src/model/labels.ts has the same
// rule for menus.
std::vector<std::string> tellApart(llvm::ArrayRef<std::string> labels, size_t most);

} // namespace gluond::lsp
