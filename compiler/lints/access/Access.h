// Properties of one access to global or shared memory: its width, what a warp's instruction
// touches, where banks conflict. The lints judge them, and hover shows them.
#pragma once

#include "ir/ttg/Ops.h"
#include "layout/access/GlobalAccess.h"
#include "layout/access/SharedAccess.h"
#include "lints/access/Strides.h"
#include "passes/analysis/AccessWidth.h"

namespace gluond::lints {

// Narrower accesses than this cannot fill the memory system; wider ones gain little (tutorial 02
// measures them).
inline constexpr int64_t narrowBytes = 4;

// A load, store or asynchronous copy through a tensor of pointers, or of AMD's offsets from one.
struct GlobalAccess : passes::MemoryAccess {
  mlir::RankedTensorType type; // of the pointers
  unsigned elementBits = 0;
  llvm::StringRef name; // "this load"
  bool isStore = false;
};
std::optional<GlobalAccess> globalAccessOf(mlir::Operation& op);

// "64x32".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

// AxisInfo of a module, computed on first use.
class LazyAxisInfo {
public:
  explicit LazyAxisInfo(mlir::ModuleOp module) : module_(module) {}
  const passes::ModuleAxisInfo& get() {
    if (!info_) info_.emplace(module_);
    return *info_;
  }

private:
  mlir::ModuleOp module_;
  std::optional<passes::ModuleAxisInfo> info_;
};

// Returns the cost of an access with some layout, or nullopt if its strides are not known.
std::optional<layout::GlobalAccessCost> costUnder(const layout::LinearLayout& registers,
                                                  const GlobalAccess& access,
                                                  const Strides& strides, int64_t alignment);

// A load or store between registers and shared memory.
struct SharedMemoryAccess {
  mlir::RankedTensorType registers;
  ttg::MemDescType memory;
  mlir::Value buffer; // null for the alloc's own
  llvm::StringRef name;
  bool isStore = false;
  bool isTransposed =
      false; // a matrix seen with its dimensions swapped, against the buffer's own layout
};
std::optional<SharedMemoryAccess> sharedAccessOf(mlir::Operation& op);

// For the instructions that gluond's compiler generates for the access; nullopt if those are not
// known (AMD's transposed reads). A slice has the layout of the whole buffer.
struct BankCost {
  int64_t conflicts = 0;   // wavefronts after the first of each phase
  int64_t bytes = 0;       // per lane and instruction
  std::string instruction; // "ldmatrix.x4"; empty for a load or store of each lane
};
std::optional<BankCost> bankCost(const SharedMemoryAccess& access, const layout::Layout& shared,
                                 llvm::StringRef target);

} // namespace gluond::lints
