// Properties of a linear layout in kernel authors' terms: how many elements a thread holds, in
// which order, how contiguous they are, how warps and CTAs divide the tensor.
//
// All take the layout of a whole tensor (toLinearLayout of its shape), so they hold for
// every named layout. They agree with Triton's functions of the same names, including cases
// without a clear answer (dimensions that the registers do not move in come last, highest
// first).
#pragma once

#include "layout/named/Transforms.h"

namespace gluond::layout {

// Returns how many bases of `in` move along each dimension, as sizes (powers of two). Zero bases
// count as 1, or, without skipBroadcast, double the previous dimension.
Ints basesPerDim(const LinearLayout& layout, Dim in, bool skipBroadcast = true);
// Returns the dimensions in the order in which the bases of `in` first move along them, completed
// from `defaultOrder`.
Order orderPerDim(const LinearLayout& layout, Dim in, llvm::ArrayRef<unsigned> defaultOrder);

// For distributed layouts.
Order orderOf(const LinearLayout& layout);       // register order
Order threadOrderOf(const LinearLayout& layout); // lane order

Ints elementsPerThread(const LinearLayout& layout);          // in each dimension, including copies
int64_t totalElementsPerThread(const LinearLayout& layout);  // registers
int64_t uniqueElementsPerThread(const LinearLayout& layout); // without copies in a thread
Ints contiguityPerThread(const LinearLayout& layout);        // length of the run from register 0
Ints threadsPerWarp(const LinearLayout& layout);
// Returns the tile before repetition, like sizePerThread. Fails if the CTAs do not tile.
OrError<Ints> sizePerThread(const LinearLayout& layout);

// For shared layouts: the order of the offsets.
Order sharedOrderOf(const Layout& layout, unsigned rank);

// For CTAs.
Ints ctaSplitNum(const LinearLayout& cga); // number of parts of each dimension
Ints ctasPerCga(const LinearLayout& cga);  // including CTAs that hold copies
Order ctaOrder(const LinearLayout& cga);
OrError<ShapeVector> shapePerCta(const Layout& layout, Shape shape);
// Returns the CTA part of a layout of the form tile * cga.
OrError<LinearLayout> cgaOf(const LinearLayout& layout);

// Replication: the number of copies of each element over all values of one input alone (1 means
// none).
struct Replication {
  Dim dim;
  int64_t copies;
};
// Returns one for each input in order. The product over all is the number of places that hold each
// element.
llvm::SmallVector<Replication, 4> replicationOf(const LinearLayout& layout);
// Returns the share of the tensor's elements that no place holds: 0 for an onto layout, else 1 -
// 2^-missing bits.
double holesOf(const LinearLayout& layout);

} // namespace gluond::layout
