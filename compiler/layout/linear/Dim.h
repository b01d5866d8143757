// The dimensions that layouts map from and to.
//
// Triton names dimensions with strings; here they are one byte. The set is closed: hardware has few
// coordinates, and tensors few dimensions. dim0 .. dim11 come last so that tensorDim(i) is plain
// arithmetic.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <cassert>
#include <cstdint>
#include <optional>

namespace gluond::layout {

enum class Dim : uint8_t {
  // Registers of a kernel: which register of which lane of which warp of which CTA (block) of the
  // cluster.
  Register,
  Lane,
  Warp,
  Block,
  // Shared memory: element offset within a CTA's buffer; which of several buffers (AMD's
  // partitioned layouts).
  Offset,
  Partition,
  // Tensor memory (Blackwell): 128 rows, columns of 32 bits split into elements.
  Row,
  Col,
  // Pieces of an offset: elements of one access, banks, rows of banks, repetitions.
  Vector,
  Bank,
  Segment,
  Reps,
  // AMD's tensor data mover: elements of one message.
  Message,
  // The tensor's own dimensions.
  Dim0,
  Dim1,
  Dim2,
  Dim3,
  Dim4,
  Dim5,
  Dim6,
  Dim7,
  Dim8,
  Dim9,
  Dim10,
  Dim11,
};

constexpr unsigned maxRank = 12;

constexpr Dim tensorDim(unsigned i) {
  assert(i < maxRank);
  return static_cast<Dim>(static_cast<unsigned>(Dim::Dim0) + i);
}
// Returns 3 for Dim3.
constexpr unsigned tensorDimIndex(Dim dim) {
  return static_cast<unsigned>(dim) - static_cast<unsigned>(Dim::Dim0);
}

// Returns Triton's spelling: "register", "offset", "dim0".
llvm::StringRef name(Dim dim);
std::optional<Dim> dimNamed(llvm::StringRef name);

using Dims = llvm::SmallVector<Dim, 4>;
// Returns dim0 .. dim<rank-1>.
Dims tensorDims(unsigned rank);

} // namespace gluond::layout
