// Whole buffers, as tensors.
#pragma once

#include "simulate/machine/Machine.h"
#include "simulate/memory/SharedPlaces.h"
#include "simulate/operations/RegisterOrder.h"
#include "simulate/translate/Translate.h"

namespace gluond::simulate {

// Views are checked when the module is; this is what a module that was not would end with.
inline constexpr const char* beyondTheBuffer = "the view reaches beyond its buffer";

// How an access reaches the memory of a buffer.
struct Reach {
  // The CTAs that hold the elements in registers; null where each has its own part of the buffer.
  std::shared_ptr<const Homes> homes = nullptr;
  bool isMulticast = false; // one CTA writes the copies of all
  bool isWhole = false;     // a copy that certainly writes all elements
};
Reach reachOf(const Translator& translator, const SharedPlaces& places,
              mlir::RankedTensorType registers);

// Notes when the view lies outside of shared memory; when bytes were never written, notes it and
// goes on.
Step loadBuffer(Execution& x, const SharedPlaces& places, const View& view,
                std::shared_ptr<Tensor>& out, const Reach& reach = {});
// Says that it is read or written.
void noteBuffer(Execution& x, const SharedPlaces& places, const View& view, bool isWrite,
                const Reach& reach = {});
Step storeBuffer(Execution& x, const SharedPlaces& places, const View& view,
                 const std::byte* elements, const Reach& reach = {});

// Waits for copies of cp.async's kind until this many groups are left.
Step awaitCopies(Execution& x, size_t left);

} // namespace gluond::simulate
