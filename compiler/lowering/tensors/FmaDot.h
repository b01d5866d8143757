// Dots without matrix instructions: each thread multiplies and adds elements that it holds. Also
// the places of elements in a thread's registers, which the other dots need, too.
#pragma once

#include "lowering/FunctionEmitter.h"

#include <map>

namespace gluond::lowering {

using Places =
    std::map<std::pair<int32_t, int32_t>, unsigned>; // (row, column) in thread 0 -> register

// Returns the places by batch, which is 0 for matrices alone.
std::map<int32_t, Places> placesOf(const LinearLayout& layout);
// Distinct rows or columns, in order.
llvm::SmallVector<int32_t> distinct(const Places& places, bool rows);

// tt.dot by multiplications and additions of each thread. False after fail(), where operands are
// not in the threads that need them.
bool fmaDot(FunctionEmitter& e, tt::DotOp op);

} // namespace gluond::lowering
