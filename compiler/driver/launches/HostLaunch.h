// What a launch passes to its kernel at run time: numbers, tensors with shape and strides,
// descriptors, the grid. The other half of a specialization, which only says what is compiled.
//
// Launches that evaluation found know it from the host code, launch records where they say so
// (docs/launch-records.md, "Run-time values"), and the user may say all of it (ArgumentText.h).
// What nobody knows is filled in by assumptions that are told.
#pragma once

#include "driver/launches/Kernels.h"
#include "lints/bounds/LaunchSizes.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <string>
#include <vector>

namespace gluond::driver {

struct HostTensor {
  std::string dtype; // "fp16", as in signatures
  std::vector<int64_t> shape, strides;
  uint64_t offset = 0; // in elements, from an aligned address
  // What it holds: "normal", "uniform", "iota", "constant" with low and high as the runner has them
  // (runner/protocol/Messages.h), "file" with a path, or empty: nobody says.
  std::string contents, path;
  double low = 0, high = 1;
};

struct HostDescriptor { // over the argument's tensor
  bool nanPadding = false, roundsToTf32 = false;
  std::vector<int64_t> lowerCorner, upperCorner, elementStrides; // im2col
};

struct HostArgument {
  std::string name;               // "a"; of a tuple's element "pair.0", "pair.left"
  std::string type;               // "i32", "*fp16", "tensordesc", ...
  bool isAligned = false;         // it was compiled for a multiple of 16
  std::optional<int64_t> integer; // of an integer
  std::optional<double> real;     // of a float
  std::optional<HostTensor> tensor;
  std::optional<HostDescriptor> descriptor;
  unsigned rank = 0; // of a descriptor's tensor
  std::string dtype; // likewise: "fp16"
  int sameAs = -1;   // the argument before it that is the same tensor

  bool isPointer() const { return type.starts_with("*"); }
  bool isDescriptor() const { return type.starts_with("tensordesc"); }
  // Of numbers; pointers begin with a star.
  bool isInteger() const { return type.starts_with("i") || type.starts_with("u"); }
  bool isKnown() const { return integer || real || tensor; }
};

struct HostLaunch {
  std::vector<HostArgument>
      arguments;                      // in the order of the kernel's parameters, without constexprs
  std::vector<std::string> constants; // names of constexprs
  std::optional<std::array<int64_t, 3>> grid;
  bool isCooperative = false, isProgrammatic = false;
};

// What is known of a variant's launch.
HostLaunch hostLaunchOf(const Variant& variant, const Interner& names);

// The sizes that lints look at.
lints::LaunchSizes sizesOf(const HostLaunch& launch);

// The member "run" of a launch record; an empty object where nothing is known.
nlohmann::ordered_json runOf(const HostLaunch& launch);

// The dtype a pointer's or descriptor's signature names: "*kfp16" gives "fp16".
std::string elementTypeOf(const HostArgument& argument);
std::vector<int64_t> denseStrides(const std::vector<int64_t>& shape);

// Fills in what is not known, and says each in a sentence: "n: assumed 4096".
void assumeMissing(HostLaunch& launch, std::vector<std::string>& assumptions);

} // namespace gluond::driver
