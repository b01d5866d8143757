// The features that some chips have and others lack.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace gluond::chips {

enum class Feature : uint8_t {
  // ---- NVIDIA's
  Mma,           // mma.sync, whose layout is NVMMADistributedLayout of version [2, 0]
  LoadMatrix,    // ldmatrix
  AmpereMma,     // mma.sync with bf16, tf32 and fp64, and with the K of Ampere
  AsyncCopy,     // cp.async from global to shared memory
  Mbarrier,      // mbarrier
  WarpReduce,    // redux.sync
  Fp8,           // fp8e4nv, and conversions between fp8 and fp16 in one instruction
  Clusters,      // several CTAs that reach each other's shared memory; also AMD's gfx1250
  Tma,           // tensor memory accelerator: bulk copies by descriptors
  AsyncStore,    // st.async to another CTA's shared memory
  AsyncProxy,    // asynchronous units access shared memory, so that fences order them with threads
  MbarrierTry,   // mbarrier.try_wait, which sleeps by itself
  Elect,         // elect.sync
  StoreMatrix,   // stmatrix
  VectorSums,    // atomic sums of neighbouring floats, up to 16 bytes
  WarpRegisters, // setmaxnreg, and with it gl.warp_specialize
  WarpGroupMma,  // wgmma, whose layout is of version [3, 0]
  LaunchControl, // clusterlaunchcontrol
  TensorMemory,  // tensor memory and tcgen05
  ScalesAlongK,  // scales of nvfp4 lie along K first
  // ---- AMD's
  Mfma,
  Wmma,
  ScaledWmma,     // of cdna5
  Xf32,           // MFMA that takes fp32 as tf32
  BufferAccess,   // buffer instructions, which take a mask and 32-bit offsets without branches
  BufferToShared, // buffer loads into shared memory, as Triton verifies them
  // ---- of both
  WideSharedCopies, // asynchronous copies into shared memory of up to 16 bytes a lane
};

// A set of features.
class Features {
public:
  constexpr Features() = default;
  constexpr Features(std::initializer_list<Feature> features) {
    for (Feature feature : features)
      bits_ |= bitOf(feature);
  }
  constexpr bool has(Feature feature) const { return bits_ & bitOf(feature); }
  constexpr Features operator|(Features other) const {
    Features all;
    all.bits_ = bits_ | other.bits_;
    return all;
  }
  constexpr bool operator==(const Features&) const = default;

private:
  static constexpr uint64_t bitOf(Feature feature) {
    return uint64_t{1} << static_cast<unsigned>(feature);
  }
  uint64_t bits_ = 0;
};

} // namespace gluond::chips
