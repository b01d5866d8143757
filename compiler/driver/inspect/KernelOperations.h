// The memory accesses and layout changes of a kernel, operation by operation: every load
// and store of global and of shared memory, every bulk copy (TMA), every conversion
// between layouts, every buffer. The access, conversion and shared memory views are drawn
// from it.
//
// They are read from the `ttgir` stage of one variant, where all layouts are decided. Operations
// are numbered in the order of the IR; the numbers are valid as long as the text does not change.
#pragma once

#include "driver/analysis/Analysis.h"
#include "layout/named/Layout.h"
#include "layout/named/Transforms.h"
#include "passes/analysis/ElementValues.h"

#include <tl/expected.hpp>

namespace gluond::driver {

enum class OperationKind : uint8_t { Global, Shared, Conversion, Buffer, Bulk };
llvm::StringRef name(OperationKind kind); // "global", "shared", "conversion", "buffer", "bulk"

struct KernelOperation {
  OperationKind kind = OperationKind::Global;
  std::string op;        // "tt.load"
  llvm::StringRef title; // "load"
  bool isWrite = false;  // of memory
  diagnostics::Location place;
  std::vector<diagnostics::Location> calls; // that led to it, innermost first
  layout::ShapeVector shape;
  std::string dtype; // "f16"
  unsigned elementBits = 0;
  // The register layout of an access, or the source of a conversion; empty for a buffer.
  layout::Layout registers;
  // The buffer's layout for a shared access or bulk copy, or the target of a conversion; empty for
  // a global access.
  layout::Layout other;
  // The shape of the whole buffer, with leading dimensions of slots, where the access is to a slot
  // or a slice of it; empty for global memory.
  layout::ShapeVector bufferShape;
  // The operations that allocate the buffer, by their index; empty if they are not known.
  llvm::SmallVector<size_t, 2> buffers;
  bool isInLoop = false;
  std::string summary; // one line: "16 bytes a lane, 4 sectors of 4"
};

// The error says, for the user, why there are none.
using Operations = tl::expected<std::vector<KernelOperation>, std::string>;
Operations operationsOf(Analyzer& analyzer, const Variant& variant);

// One instruction of one warp.
struct AccessRequest {
  size_t operation = 0; // index into the kernel's operations
  unsigned warp = 0;
  int64_t instruction = 0;
  llvm::StringMap<int64_t> given; // values, by name, for what the kernel does not know; they
                                  // replace those of the launch
};
// A block that is moved by one request (BulkCopies.h). Coordinates and sizes are of elements.
struct BulkCopy {
  std::vector<int64_t> tensor; // sizes; empty if not known
  // Where the block begins for program 0 in the first iteration; for a gather or scatter only the
  // column, and the tensor's row for each row of the block. They are empty if not known.
  std::vector<int64_t> origin, rows;
  std::vector<int64_t> message; // block of one message; empty if messages differ or it is not known
  bool isPicked = false;        // whether it gathers or scatters rows
  bool isMulticast = false;     // one CTA reads, and all CTAs that hold the same data receive it
};

struct AccessView {
  KernelOperation operation;
  int64_t warps = 1, instructions = 1; // warps of the operation; instructions of one warp
  int64_t elements = 1, bytes = 0;     // of one lane in one instruction; for a bulk copy, of a row
  // Indexed by lane.
  std::vector<int64_t>
      addresses; // first byte, relative to the base pointer or the buffer; if empty see unknown
  std::vector<bool> active;     // false for masked-off lanes
  std::vector<unsigned> phases; // for shared memory: lanes of one phase are served together
  std::vector<std::vector<int32_t>> coordinates; // of the lane's first element
  // Global and bulk accesses, for this instruction; total* is for all of the warp's instructions.
  int64_t sectors = 0, lines = 0, leastSectors = 0, totalSectors = 0, totalLeastSectors = 0;
  // The most elements of one instruction that have the same address. Atomic operations on them wait
  // for each other. Copies of an element in other lanes count as one.
  int64_t sameAddress = 0;
  double activeShare = 1; // of the tensor's elements: those that the mask lets through
  // For shared accesses. With ldmatrix and stmatrix, lanes stand for the 16-byte rows they address.
  std::string instruction; // "ldmatrix.x4"; empty for AMD's of shared memory
  unsigned banks = 0;
  int64_t wavefronts = 0, leastWavefronts = 0, totalWavefronts = 0, totalLeastWavefronts = 0;
  std::optional<BulkCopy> bulk; // set only for bulk copies
  std::vector<passes::Assumption> assumptions;
  std::vector<std::string> launched; // which of the values come from the launch
  std::string unknown; // the unknown value that the addresses depend on; empty if all are known
};
tl::expected<AccessView, std::string> accessView(Analyzer& analyzer, const Variant& variant,
                                                 const AccessRequest& request);

} // namespace gluond::driver
