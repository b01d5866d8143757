// The named layouts: users write gl.BlockedLayout(...), the IR prints
// #ttg.blocked<{...}>.
//
// Each is a plain struct whose fields have the names of Triton's attribute (sizePerThread,
// CGALayout, ...), so that the ir room maps attributes to them field by field. A `Layout` is a
// handle on one of them: 8 bytes, shared, immutable, compared and hashed by structure.
// Layout::make() is the only way to get one, and checks what Triton's own verifiers check, so every
// Layout is well-formed.
//
// toLinearLayout() (ToLinearLayout.h) checks whether a layout fits a shape, and converts any of
// them to the one form that all analyses use.
//
// Everything here is thread-safe to read; handles may be copied across threads.
#pragma once

#include "layout/linear/LinearLayout.h"

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/ADT/SmallVector.h>
#include <tl/expected.hpp>

#include <string>
#include <variant>

namespace gluond::layout {

using Ints = llvm::SmallVector<int32_t, 4>;
using Order = llvm::SmallVector<unsigned, 4>; // dimension numbers, fastest first

// Why a layout is not well-formed or does not fit a shape. `field` is the attribute's wrong
// field ("order"), or empty; the message is a clause without a full stop and does not name the
// field.
struct LayoutError {
  std::string field;
  std::string message;
};
template <typename T> using OrError = tl::expected<T, LayoutError>;

enum class LayoutKind : uint8_t {
  // Distributed over registers, lanes, warps and CTAs.
  Blocked,
  Slice,
  Linear,
  DotOperand,
  NvidiaMma,
  AmdMfma,
  AmdWmma,
  // Shared memory.
  SwizzledShared,
  PaddedShared,
  SharedLinear,
  NvmmaShared,
  AmdRotatingShared,
  PartitionedShared,
  // Tensor memory.
  TensorMemory,
  TensorMemoryScales,
};

// The kinds, in the order of LayoutKind; defined below.
struct Blocked;
struct Slice;
struct Linear;
struct DotOperand;
struct NvidiaMma;
struct AmdMfma;
struct AmdWmma;
struct SwizzledShared;
struct PaddedShared;
struct SharedLinear;
struct NvmmaShared;
struct AmdRotatingShared;
struct PartitionedShared;
struct TensorMemory;
struct TensorMemoryScales;
using LayoutFields =
    std::variant<Blocked, Slice, Linear, DotOperand, NvidiaMma, AmdMfma, AmdWmma, SwizzledShared,
                 PaddedShared, SharedLinear, NvmmaShared, AmdRotatingShared, PartitionedShared,
                 TensorMemory, TensorMemoryScales>;
struct LayoutNode;

class Layout {
public:
  Layout() = default; // an empty handle
  template <typename T> static OrError<Layout> make(T fields);

  explicit operator bool() const { return static_cast<bool>(node_); }
  LayoutKind kind() const;
  bool is(LayoutKind k) const { return node_ && kind() == k; }
  bool isDistributed() const { return node_ && kind() <= LayoutKind::AmdWmma; }
  bool isShared() const {
    return node_ && kind() >= LayoutKind::SwizzledShared && kind() <= LayoutKind::PartitionedShared;
  }
  bool isTensorMemory() const { return node_ && kind() >= LayoutKind::TensorMemory; }
  // Returns the fields if the layout is of that kind, else null: layout.as<Blocked>().
  template <typename T> const T* as() const;
  // All fields, for std::visit. Must not be called on an empty handle.
  const LayoutFields& fields() const;

  unsigned rank() const;
  // How the CTAs of a cluster divide the tensor: block -> dim0, dim1, ... For a slice or dot
  // operand: the rest of the parent's. Fails only for a linear layout whose blocks do not tile.
  OrError<LinearLayout> cgaLayout() const;
  // The alignment in bytes that a buffer with this shared layout needs.
  unsigned alignment() const;

  size_t hash() const;
  friend bool operator==(const Layout& a, const Layout& b);

private:
  explicit Layout(llvm::IntrusiveRefCntPtr<const LayoutNode> node) : node_(std::move(node)) {}
  llvm::IntrusiveRefCntPtr<const LayoutNode> node_;
};

// ---------------------------------------------------------------- the CTA part of all layouts

// block -> dim0 .. dim<rank-1>, from the bases that users write as cga_layout; none for one CTA.
OrError<LinearLayout> makeCga(const Bases& bases, unsigned rank);
LinearLayout oneCta(unsigned rank);
// In the structs below a CGALayout without dimensions means one CTA; make() fills it in.

// ---------------------------------------------------------------- distributed

// Nested tiles: sizePerThread in a lane, threadsPerWarp lanes, warpsPerCTA warps, repeated in
// registers to cover the shape.
struct Blocked {
  Ints sizePerThread, threadsPerWarp, warpsPerCTA;
  Order order;
  LinearLayout CGALayout;
  bool operator==(const Blocked&) const = default;
};

// The layout of `parent` without its dimension `dim`, as after a reduction or before
// expand_dims.
struct Slice {
  unsigned dim = 0;
  Layout parent;
  bool operator==(const Slice&) const = default;
};

// Explicit bases: register, lane, warp, block -> dim0, ...
struct Linear {
  LinearLayout linearLayout;
  // Whether it is #ttg.generic_linear and not #ttg.linear: warp bases may move along several
  // dimensions at once.
  bool generic = false;
  bool operator==(const Linear&) const = default;
};

// Operand `opIdx` of a matrix multiplication whose result has layout `parent`.
struct DotOperand {
  unsigned opIdx = 0;
  Layout parent;
  unsigned kWidth = 0; // consecutive elements along K per lane
  bool operator==(const DotOperand&) const = default;
};

// Result of NVIDIA's mma.sync (versionMajor 2) and wgmma (3).
struct NvidiaMma {
  unsigned versionMajor = 2, versionMinor = 0;
  Ints warpsPerCTA;
  LinearLayout CGALayout;
  Ints instrShape; // version 2: M, N (with the batch first); version 3: M, N, K
  bool operator==(const NvidiaMma&) const = default;
};

// Result of AMD's MFMA (CDNA; 64 lanes).
struct AmdMfma {
  unsigned version = 3; // 1 gfx908, 2 gfx90a, 3 gfx942, 4 gfx950
  Ints warpsPerCTA, instrShape;
  bool isTransposed = false;
  LinearLayout CGALayout;
  Ints tilesPerWarp; // empty if all are 1
  unsigned elementBitWidth = 32;
  bool operator==(const AmdMfma&) const = default;
};

// Result of AMD's WMMA (RDNA and gfx1250; 32 lanes).
struct AmdWmma {
  unsigned version = 1;   // 1 RDNA3, 2 RDNA4, 3 gfx1250
  LinearLayout ctaLayout; // register, warp -> tiles along dim0, ...
  bool isTransposed = false;
  LinearLayout CGALayout;
  Ints instrShape; // M, N, K; if empty, 16, 16, 16
  bool operator==(const AmdWmma&) const = default;
};

// ---------------------------------------------------------------- shared memory

// Rows along order[0]; within each group of perPhase rows, groups of `vec` elements are xored with
// the row's phase.
struct SwizzledShared {
  unsigned vec = 1, perPhase = 1, maxPhase = 1;
  Order order;
  LinearLayout CGALayout;
  bool operator==(const SwizzledShared&) const = default;
};

// paddings[i] unused elements after every intervals[i]; otherwise linearComponent. It is not linear
// as a whole: toLinearLayout() gives the linear component, paddedOffset() (SharedMemory.h) the real
// place.
struct PaddedShared {
  Ints intervals, paddings;     // elements
  LinearLayout linearComponent; // offset, block -> dim0, ...
  bool operator==(const PaddedShared&) const = default;
};

struct SharedLinear {
  LinearLayout linearLayout; // offset, block -> dim0, ...
  unsigned layoutAlignment = 16;
  bool operator==(const SharedLinear&) const = default;
};

// The layout that TMA writes and wgmma / tcgen05 read: 8-row core matrices with a swizzle.
struct NvmmaShared {
  unsigned swizzlingByteWidth = 0; // 0, 32, 64, 128
  bool transposed = false;         // dim0 is contiguous
  unsigned elementBitWidth = 16;
  bool fp4Padded = false; // 8 bytes of packed fp4, then 8 unused bytes
  LinearLayout CGALayout; // required: its rank is the layout's
  bool operator==(const NvmmaShared&) const = default;
};

// Like SwizzledShared, with a phase that advances with every block of maxPhase * perPhase rows.
// Gluon cannot create it.
struct AmdRotatingShared {
  unsigned vec = 1, perPhase = 1, maxPhase = 1;
  Order order;
  LinearLayout CGALayout;
  bool operator==(const AmdRotatingShared&) const = default;
};

// Pieces along partitionDim, distributed round-robin to numPartitions separate buffers (gfx1250).
struct PartitionedShared {
  unsigned numPartitions = 2, numGroups = 1, partitionDim = 0;
  Layout partitionLayout;
  bool operator==(const PartitionedShared&) const = default;
};

// ---------------------------------------------------------------- tensor memory

struct TensorMemory {
  unsigned blockM = 128, blockN = 0, colStride = 1;
  LinearLayout CGALayout;
  bool twoCTAs = false, fp4Padded = false;
  bool operator==(const TensorMemory&) const = default;
};

struct TensorMemoryScales {
  LinearLayout CGALayout;
  bool kThenMn =
      false; // Rubin: repeated blocks advance along K first (block_rep_order = "kThenMn")
  bool operator==(const TensorMemoryScales&) const = default;
};

// ---------------------------------------------------------------- the storage of a handle

struct LayoutNode : llvm::ThreadSafeRefCountedBase<LayoutNode> {
  explicit LayoutNode(LayoutFields f);
  LayoutFields fields;
  size_t hash;
};

// Fills in defaults and checks one kind of layout (LayoutVerify.cpp).
std::optional<LayoutError> complete(Blocked&);
std::optional<LayoutError> complete(Slice&);
std::optional<LayoutError> complete(Linear&);
std::optional<LayoutError> complete(DotOperand&);
std::optional<LayoutError> complete(NvidiaMma&);
std::optional<LayoutError> complete(AmdMfma&);
std::optional<LayoutError> complete(AmdWmma&);
std::optional<LayoutError> complete(SwizzledShared&);
std::optional<LayoutError> complete(PaddedShared&);
std::optional<LayoutError> complete(SharedLinear&);
std::optional<LayoutError> complete(NvmmaShared&);
std::optional<LayoutError> complete(AmdRotatingShared&);
std::optional<LayoutError> complete(PartitionedShared&);
std::optional<LayoutError> complete(TensorMemory&);
std::optional<LayoutError> complete(TensorMemoryScales&);

template <typename T> OrError<Layout> Layout::make(T fields) {
  if (std::optional<LayoutError> error = complete(fields))
    return tl::make_unexpected(std::move(*error));
  return Layout(llvm::makeIntrusiveRefCnt<LayoutNode>(LayoutFields(std::move(fields))));
}

inline LayoutKind Layout::kind() const {
  assert(node_);
  return static_cast<LayoutKind>(node_->fields.index());
}

inline const LayoutFields& Layout::fields() const {
  assert(node_);
  return node_->fields;
}

template <typename T> const T* Layout::as() const {
  return node_ ? std::get_if<T>(&node_->fields) : nullptr;
}

inline size_t Layout::hash() const {
  return node_ ? node_->hash : 0;
}

inline bool operator==(const Layout& a, const Layout& b) {
  if (a.node_ == b.node_) return true;
  return a.node_ && b.node_ && a.node_->hash == b.node_->hash && a.node_->fields == b.node_->fields;
}

inline llvm::hash_code hash_value(const Layout& layout) {
  return layout.hash();
}

} // namespace gluond::layout

template <> struct llvm::DenseMapInfo<gluond::layout::Layout>;
