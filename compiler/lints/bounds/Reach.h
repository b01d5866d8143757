// How far the accesses of a launch reach into their tensors.
#pragma once

#include "lints/access/Access.h"
#include "lints/bounds/LargestIntegers.h"

namespace gluond::lints {

// Whether every program makes an access of the kernel: it is in no branch or loop, and behind no
// return.
bool isAlwaysReached(mlir::Operation* access, mlir::Operation* kernel);

// The number of elements of the tensor that the launch passes for an argument.
std::optional<int64_t> elementsOf(unsigned argument, const LaunchSizes& sizes);

// The extent of an access: the last element that it touches in the launch, and the number of
// elements in the tensor.
struct Reach {
  int64_t last = 0, elements = 0;
  bool isInside() const { return last < elements; }
};
// Returns nullopt if that is not known. The mask of the access counts for nothing.
std::optional<Reach> reachOf(const GlobalAccess& access, LargestIntegers& integers,
                             const LaunchSizes& sizes);

// Returns the reach of an access that its mask lets go beyond the end of the tensor for certain:
// the mask consists of comparisons of indices of the address, each a block of consecutive numbers,
// with known numbers, and nothing else bounds them. nullopt for all others. `integers` are those of
// the launch.
std::optional<Reach> reachUnderMask(const GlobalAccess& access, LargestIntegers& integers,
                                    const CallsInModule& calls, const LaunchSizes& launch);

} // namespace gluond::lints
