// Whole buffers, as tensors.
#pragma once

#include "simulate/machine/Machine.h"
#include "simulate/memory/SharedPlaces.h"

namespace gluond::simulate {

// Views are checked when the module is; this is what a module that was not would end with.
inline constexpr const char* beyondTheBuffer = "a view reaches beyond its buffer";

// Notes when the view lies outside of shared memory; when bytes were never written, notes it and
// goes on.
Step loadBuffer(Execution& x, const SharedPlaces& places, const View& view,
                std::shared_ptr<Tensor>& out);
// Says that it is read or written.
void noteBuffer(Execution& x, const SharedPlaces& places, const View& view, bool isWrite);
Step storeBuffer(Execution& x, const SharedPlaces& places, const View& view,
                 const std::byte* elements);

// Waits for copies of cp.async's kind until so many groups are left.
Step awaitCopies(Execution& x, size_t left);

} // namespace gluond::simulate
