// What a kernel takes of its chip and what its accesses cost, in words: for the code lens and for
// hover.
#pragma once

#include "driver/analysis/Analysis.h"
#include "driver/launches/Kernels.h"

#include <optional>
#include <string>

namespace gluond::lsp {

// "smem 96 of 227 KB, ~168 of 255 registers, 2 programs per SM (shared memory)"; empty for a chip
// that is not known.
std::string budgetText(const lints::Budget& budget);

// What the access or conversion costs whose function is named at `offset` ("gl.lo|ad(..)"), in the
// selected specialization of the first kernel that reaches it; empty: there is none.
std::string costAt(const driver::Snapshot& snapshot,
                   const std::shared_ptr<const driver::File>& file, text::Offset offset,
                   driver::Worker& worker, CancellationToken token);

// The budget of a kernel's selected specialization; empty where it has no IR.
std::string budgetOf(const driver::Kernel& kernel, const driver::Snapshot& snapshot,
                     driver::Worker& worker, CancellationToken token);

} // namespace gluond::lsp
