// Facts about one access to global or shared memory: how wide it is, what a warp's instruction
// touches, where banks collide. The lints judge them, hover shows them.
#pragma once

#include "ir/ttg/Ops.h"
#include "layout/access/GlobalAccess.h"
#include "layout/access/SharedAccess.h"
#include "lints/access/Strides.h"
#include "passes/analysis/AxisInfo.h"

namespace gluond::lints {

// A load, store or asynchronous copy through a tensor of pointers, or of AMD's offsets from one.
struct GlobalAccess {
  mlir::Value pointers, mask;
  mlir::Value base;            // null unless `pointers` are offsets: in elements, from here
  mlir::RankedTensorType type; // of the pointers
  unsigned elementBits = 0;
  llvm::StringRef name; // "this load"
  bool isStore = false;
  unsigned mostElements = 0; // that one instruction takes; 0: as many as fit
};
std::optional<GlobalAccess> globalAccessOf(mlir::Operation& op);

// AxisInfo of a module, made when first asked for.
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

// Elements that one thread moves in one instruction, as Triton's lowering decides: as many as are
// consecutive in its registers, aligned, and under one bit of the mask.
struct VectorWidth {
  int64_t elements = 1;
  int64_t layout = 1; // what the layout alone would allow
  // What allows no more.
  enum class Limit : uint8_t { Layout, Contiguity, Alignment, Mask } limit = Limit::Layout;
};
VectorWidth vectorWidth(const GlobalAccess& access, LazyAxisInfo& axes);

// What an access costs under some layout; nothing where its strides are not known.
std::optional<layout::GlobalAccessCost> costUnder(const layout::LinearLayout& registers,
                                                  const GlobalAccess& access,
                                                  const Strides& strides, int64_t alignment);

// A load or store between registers and shared memory.
struct SharedMemoryAccess {
  mlir::RankedTensorType registers;
  ttg::MemDescType memory;
  mlir::Value buffer; // null: the alloc's own
  llvm::StringRef name;
  bool isStore = false;
  bool isTransposed =
      false; // a matrix seen with its dimensions swapped, against the buffer's own layout
};
std::optional<SharedMemoryAccess> sharedAccessOf(mlir::Operation& op);

// Of the instructions that gluond's compiler makes of the access; nothing where it is not known
// which (AMD's transposed reads) or the view is not the whole of what its layout describes.
struct BankCost {
  int64_t conflicts = 0;   // wavefronts beyond the first of each phase
  int64_t bytes = 0;       // of a lane in one instruction
  std::string instruction; // "ldmatrix.x4"; empty: a load or store of each lane
};
std::optional<BankCost> bankCost(const SharedMemoryAccess& access, const layout::Layout& shared,
                                 llvm::StringRef target);

} // namespace gluond::lints
