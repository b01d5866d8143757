#include "ir/ttg/Dialect.h"

#include "ir/layouts/LayoutCache.h"
#include "ir/tt/Inlining.h"
#include "ir/ttg/Ops.h"
#include "ir/ttg/ops/Interfaces.h"

#include <llvm/ADT/StringExtras.h>
#include <mlir/Dialect/GPU/IR/GPUDialect.h>
#include <mlir/IR/DialectImplementation.h>

#include "ir/ttg/Dialect.cpp.inc"
#include "ir/ttg/Enums.cpp.inc"
#include "ir/ttg/OpInterfaces.cpp.inc"

using namespace mlir;

namespace gluond::ttg {

void LayoutCacheDeleter::operator()(LayoutCache* cache) const {
  delete cache;
}

namespace {

// The names under which encodings are printed once at the top: #blocked, #blocked1, #shared. Slices
// stay inline.
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream& os) const final {
    StringRef name = isa<MmaEncodingTrait>(attr)            ? "mma"
                     : isa<SharedEncodingTrait>(attr)       ? "shared"
                     : isa<BlockedEncodingAttr>(attr)       ? "blocked"
                     : isa<LinearEncodingAttr>(attr)        ? "linear"
                     : isa<GenericLinearEncodingAttr>(attr) ? "generic_linear"
                     : isa<SharedMemorySpaceAttr>(attr)     ? "smem"
                                                            : "";
    if (name.empty()) return AliasResult::NoAlias;
    os << name;
    return AliasResult::FinalAlias;
  }
};

// Memory descriptors in inline assembly are passed as their address.
struct InlineAsm : tt::InlineAsmInterface {
  using InlineAsmInterface::InlineAsmInterface;
  void operandEffects(OpOperand& operand, Effects& effects) const final {
    if (!isa<MemDescType>(operand.get().getType())) return;
    effects.emplace_back(MemoryEffects::Read::get(), &operand, SharedMemory::get());
    effects.emplace_back(MemoryEffects::Write::get(), &operand, SharedMemory::get());
  }
  LogicalResult verifyOperand(OpOperand& operand, bool pure) const final {
    auto type = dyn_cast<MemDescType>(operand.get().getType());
    if (!type) return success();
    if (pure)
      return operand.getOwner()->emitOpError("requires pure=false for memory descriptor operands");
    if (isa<PartitionedSharedEncodingAttr>(type.getEncoding()))
      return operand.getOwner()->emitOpError(
          "inline assembly requires memory descriptors with a single base");
    return success();
  }
};

} // namespace

void TTGDialect::initialize() {
  layoutCache_.reset(new LayoutCache);
  registerTypes();
  registerAttributes();
  registerTTGDialectOperations(this);
  addInterfaces<Aliases, tt::InlinesAnything, InlineAsm>();
  addInferLayoutInterface(*this);
  addVerifyLayoutInterface(*this);
}

LogicalResult TTGDialect::verifyOperationAttribute(Operation* op, NamedAttribute attr) {
  StringRef name = attr.getName();
  if (llvm::is_contained<StringRef>({numCTAsAttr, targetAttr, threadsPerWarpAttr}, name) &&
      !isa<ModuleOp>(op))
    return op->emitOpError("has unexpected attribute ")
           << name << " which is expected only on `module` ops";
  if (name == numWarpsAttr && !isa<ModuleOp, tt::FuncOp>(op))
    return op->emitOpError("has unexpected attribute ")
           << name << " which is expected only on `module` or `tt.func` ops";
  return success();
}

std::optional<unsigned> lookupNumWarps(Operation* op) {
  for (; op; op = op->getParentOp()) {
    if (isa<ModuleOp, tt::FuncOp>(op)) {
      if (auto attr = op->getAttrOfType<IntegerAttr>(numWarpsAttr))
        return static_cast<unsigned>(attr.getInt());
    } else if (auto partitions = dyn_cast_or_null<WarpSpecializePartitionsOp>(op->getParentOp())) {
      auto numWarps = cast<WarpSpecializeOp>(partitions->getParentOp()).getPartitionNumWarps();
      unsigned index = op->getParentRegion()->getRegionNumber();
      if (index < numWarps.size()) return static_cast<unsigned>(numWarps[index]);
    }
  }
  return std::nullopt;
}

static unsigned moduleInteger(Operation* op, StringRef name, unsigned fallback) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module) module = op->getParentOfType<ModuleOp>();
  auto attr = module ? module->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
  return attr ? static_cast<unsigned>(attr.getInt()) : fallback;
}

unsigned lookupThreadsPerWarp(Operation* op) {
  return moduleInteger(op, threadsPerWarpAttr, 32);
}
unsigned lookupNumCTAs(Operation* op) {
  return moduleInteger(op, numCTAsAttr, 1);
}

} // namespace gluond::ttg
