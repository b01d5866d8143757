// Text on a kernel's use of chip resources and the cost of its accesses, for the code lens and for
// hover.
#pragma once

#include "driver/analysis/Analysis.h"
#include "driver/launches/Kernels.h"

#include <optional>
#include <string>

namespace gluond::lsp {

// A kernel's budget, with the registers of its machine code where that was made.
struct KernelBudget {
  lints::Budget budget;
  std::optional<driver::Assembled> code;
};
KernelBudget kernelBudget(const lints::Budget& estimated,
                          const std::optional<driver::Assembled>& code);

// Returns "smem 96 of 227 KB, ~168 of 255 registers, 2 programs per SM (shared memory)", or "" for
// an unknown chip; with codeText() in place of the estimated registers where there is code.
std::string budgetText(const KernelBudget& found);

// Returns "216 VGPRs (96 of them AGPRs), 40 SGPRs, 2 waves per SIMD (3 with 168 VGPRs)", or "112
// registers", for machine code.
std::string codeText(const driver::Assembled& code, const chips::Chip* chip);
inline std::string codeText(const driver::Assembled& code, llvm::StringRef target) {
  return codeText(code, chips::findChip(target));
}

// Returns the cost of the access or conversion whose function is at `offset` ("gl.lo|ad(..)"), in
// the selected specialization of the first kernel that reaches it, or "" if there is none.
std::string costAt(const driver::Snapshot& snapshot,
                   const std::shared_ptr<const driver::File>& file, text::Offset offset,
                   driver::Worker& worker, CancellationToken token);

// Returns the budget of a kernel's selected specialization, or "" if it has no IR.
std::string budgetOf(const driver::Kernel& kernel, const driver::Snapshot& snapshot,
                     driver::Worker& worker, CancellationToken token);

} // namespace gluond::lsp
