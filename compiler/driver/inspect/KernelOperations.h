// What a kernel does with memory and layouts, operation by operation: every load and store of
// global and of shared memory, every bulk copy (TMA), every conversion between layouts, every
// buffer. The access,
// conversion and shared memory views are drawn from it.
//
// Read off the `ttgir` stage of one variant, where all layouts are decided; operations are numbered
// in order of the IR, and the numbers hold as long as the text does.
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
  std::string op; // "tt.load"
  diagnostics::Location place;
  std::vector<diagnostics::Location> calls; // that led there, innermost first
  layout::ShapeVector shape;
  std::string dtype; // "f16"
  unsigned elementBits = 0;
  // Registers of an access, what a conversion is from; none for a buffer.
  layout::Layout registers;
  // The buffer's of a shared access or a bulk copy, what a conversion is to; none for a global
  // access.
  layout::Layout other;
  bool isInLoop = false;
  std::string summary; // "16 bytes a lane, 4 sectors of 4", one line
};

// The error says why there are none, for the user.
using Operations = tl::expected<std::vector<KernelOperation>, std::string>;
Operations operationsOf(Analyzer& analyzer, const Variant& variant);

// One instruction of one warp.
struct AccessRequest {
  size_t operation = 0; // its number
  unsigned warp = 0;
  int64_t instruction = 0;
  llvm::StringMap<int64_t> given; // values for what the kernel does not know, by name, instead of
                                  // those of the launch
};
// A block that is moved by one request (BulkCopies.h). Coordinates and sizes are of elements.
struct BulkCopy {
  std::vector<int64_t> tensor; // its sizes; empty: not known
  // Where the block begins, program 0 and the first iteration; of a gather or scatter the column
  // alone, and the tensor's row of each row of the block. Empty: not known.
  std::vector<int64_t> origin, rows;
  std::vector<int64_t> message; // the block of one message; empty: each its own, or not known
  bool isPicked = false;        // a gather or scatter of rows
  bool isMulticast = false;     // one CTA reads, and all that hold the same get it
};

struct AccessView {
  KernelOperation operation;
  int64_t warps = 1, instructions = 1; // of the operation; of one warp
  int64_t elements = 1, bytes = 0;     // of one lane in one instruction; of a bulk copy: of a row
  // By lane.
  std::vector<int64_t>
      addresses; // first byte, from the base pointer or the buffer's begin; empty: see unknown
  std::vector<bool> active;     // false: masked off
  std::vector<unsigned> phases; // shared memory: lanes of one phase are served together
  std::vector<std::vector<int32_t>> coordinates; // of its first element
  // Global, bulk: of this instruction. Over the warp's whole part of the tensor in total*.
  int64_t sectors = 0, lines = 0, leastSectors = 0, totalSectors = 0, totalLeastSectors = 0;
  // Shared. Of ldmatrix and stmatrix lanes stand for the rows that they name, of 16 bytes.
  std::string instruction; // "ldmatrix.x4"; of AMD's none
  unsigned banks = 0;
  int64_t wavefronts = 0, leastWavefronts = 0, totalWavefronts = 0, totalLeastWavefronts = 0;
  std::optional<BulkCopy> bulk; // of bulk copies alone
  std::vector<passes::Assumption> assumptions;
  std::vector<std::string> launched; // which of them are what the launch passes
  std::string unknown; // what the addresses depend on that is not known; empty: nothing
};
tl::expected<AccessView, std::string> accessView(Analyzer& analyzer, const Variant& variant,
                                                 const AccessRequest& request);

} // namespace gluond::driver
