// Facts about a linear layout in the words of kernel authors: how many elements a thread holds, in
// which order, how contiguous they are, how warps and CTAs divide the tensor.
//
// All take the layout of a whole tensor (toLinearLayout of its shape), so they hold for every named
// layout alike. They agree with Triton's functions of the same names, including their habits where
// a question has no clear answer (dimensions that the registers do not move in come last, highest
// first).
#pragma once

#include "layout/named/Transforms.h"

namespace gluond::layout {

// How many of the bases of `in` move along each dimension, as sizes (powers of two). Zero bases
// count as 1, or, without skipBroadcast, double the dimension before them.
Ints basesPerDim(const LinearLayout& layout, Dim in, bool skipBroadcast = true);
// The dimensions in the order in which the bases of `in` first move along them, completed from
// `defaultOrder`.
Order orderPerDim(const LinearLayout& layout, Dim in, llvm::ArrayRef<unsigned> defaultOrder);

// Distributed layouts.
Order orderOf(const LinearLayout& layout);       // register order
Order threadOrderOf(const LinearLayout& layout); // lane order

Ints elementsPerThread(const LinearLayout& layout);          // in each dimension, copies included
int64_t totalElementsPerThread(const LinearLayout& layout);  // registers
int64_t uniqueElementsPerThread(const LinearLayout& layout); // without copies in a thread
Ints contiguityPerThread(const LinearLayout& layout); // length of the run that begins at register 0
Ints threadsPerWarp(const LinearLayout& layout);
// The tile before repetition, what sizePerThread would be; fails where the CTAs do not tile.
OrError<Ints> sizePerThread(const LinearLayout& layout);

// Shared layouts: the order of the offsets.
Order sharedOrderOf(const Layout& layout, unsigned rank);

// CTAs.
Ints ctaSplitNum(const LinearLayout& cga); // into how many parts each dimension is divided
Ints ctasPerCga(const LinearLayout& cga);  // with CTAs that hold copies
Order ctaOrder(const LinearLayout& cga);
OrError<ShapeVector> shapePerCta(const Layout& layout, Shape shape);
// The CTA part of a layout of the form tile * cga.
OrError<LinearLayout> cgaOf(const LinearLayout& layout);

// Replication: how many copies of each element there are over all values of one input alone (1:
// none).
struct Replication {
  Dim dim;
  int64_t copies;
};
// For each input in order. The product over all of them is the number of places that hold each
// element.
llvm::SmallVector<Replication, 4> replicationOf(const LinearLayout& layout);
// Elements of the tensor that no place holds, as a share of all: 0 for an onto layout, else 1 -
// 2^-missing bits.
double holesOf(const LinearLayout& layout);

} // namespace gluond::layout
