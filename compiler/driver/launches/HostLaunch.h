// The run-time values that a launch passes to its kernel: numbers, tensors with shape and strides,
// descriptors, the grid. A specialization, by contrast, only says what is compiled.
//
// For launches that evaluation found, the values come from the host code; for launch records, they
// come from the record (docs/launch-records.md, "Run-time values"). The user may override all of
// them (ArgumentText.h). Values that are still missing are assumed, and the assumptions are
// reported.
#pragma once

#include "driver/launches/Kernels.h"
#include "evaluate/launches/Launch.h"
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
  // The contents: "normal", "uniform", "iota" or "constant" with low and high as in the runner's
  // messages (runner/protocol/Messages.h), "file" with a path, or empty if not known.
  std::string contents, path;
  // The folder of the launch record that names the file, which is read only if it lies beneath that
  // folder.
  std::string folder;
  double low = 0, high = 1;
};

// How a descriptor reads the tensor of its argument.
struct HostDescriptor {
  bool nanPadding = false, roundsToTf32 = false;
  std::vector<int64_t> lowerCorner, upperCorner, elementStrides; // im2col
};

struct HostArgument {
  std::string name;               // "a"; of a tuple's element "pair.0", "pair.left"
  std::string type;               // "i32", "*fp16", "tensordesc", ...
  bool isAligned = false;         // whether it was compiled for a multiple of 16
  std::optional<int64_t> integer; // value of an integer
  std::optional<double> real;     // value of a float
  std::optional<HostTensor> tensor;
  std::optional<HostDescriptor> descriptor;
  unsigned rank = 0;           // rank of a descriptor's tensor
  std::string dtype;           // dtype of a descriptor's tensor: "fp16"
  bool isDtypeAssumed = false; // neither the host code nor the user gives it
  int sameAs = -1;             // index of an earlier argument that is the same tensor

  bool isPointer() const { return type.starts_with("*"); }
  bool isDescriptor() const { return type.starts_with("tensordesc"); }
  // Types of pointers begin with a star, and no other type begins with these letters.
  bool isInteger() const { return type.starts_with("i") || type.starts_with("u"); }
  bool isKnown() const { return integer || real || tensor; }
};

struct HostLaunch {
  // The arguments in the order of the kernel's parameters, without constexprs.
  std::vector<HostArgument> arguments;
  std::vector<std::string> constants; // names of constexprs
  std::optional<std::array<int64_t, 3>> grid;
  unsigned gridNumbers = 3; // as in lints::LaunchSizes
  std::array<std::vector<evaluate::GridQuotient>, 3> gridQuotients{};
  bool isCooperative = false, isProgrammatic = false;
};

// Returns what is known about a variant's launch.
HostLaunch hostLaunchOf(const Variant& variant, const Interner& names);

// Returns the sizes that lints use.
lints::LaunchSizes sizesOf(const HostLaunch& launch);

// Returns the member "run" of a launch record, or an empty object if nothing is known.
nlohmann::ordered_json runOf(const HostLaunch& launch);

// Returns the dtype that the signature of a pointer or descriptor names: "fp16" for "*kfp16".
std::string elementTypeOf(const HostArgument& argument);
std::vector<int64_t> denseStrides(const std::vector<int64_t>& shape);

// Fills in the values that are missing and adds a sentence for each: "n: assumed 4096".
void assumeMissing(HostLaunch& launch, std::vector<std::string>& assumptions);

} // namespace gluond::driver
