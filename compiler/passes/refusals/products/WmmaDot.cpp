#include "passes/refusals/products/WmmaDot.h"

#include "chips/Chip.h"
#include "chips/MatrixInstructions.h"
#include "ir/tt/ElementTypes.h"
#include "ir/ttg/Attributes.h"
#include "ir/ttg/ModuleTarget.h"
#include "passes/failure/TypeNames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::passes {
using namespace mlir;

std::string whyNoWmmaInstruction(tt::DotOp op) {
  auto wmma = dyn_cast<ttg::AMDWmmaEncodingAttr>(op.getType().getEncoding());
  if (!wmma) return {};
  Type a = op.getA().getType().getElementType(), d = op.getType().getElementType();
  unsigned version = wmma.getVersion();
  std::string name = "WMMA of version " + std::to_string(version);
  const chips::Chip* chip = chips::closestChip(ttg::targetOf(op));
  if (unsigned has = chip ? chip->wmmaVersion : 0;
      has && version != has && !chips::leavesKernelEmpty(has, version, tt::isFloat8(a)))
    return "the chip has no " + name + ": its AMDWMMALayout has version " + std::to_string(has);
  if ((version == 1 && tt::isFloat8(a)) || (version < 3 && a.isF32()))
    return name + " has no instruction for products of " + gluonName(a);
  bool isInteger = a.isInteger(8);
  if (!isInteger && !a.isF16() && !a.isBF16() && !a.isF32() && !tt::isFloat8(a)) return {};
  bool hasHalfSums = version < 3 && a.isF16() && d.isF16();
  if (!hasHalfSums && !(isInteger ? d.isInteger(32) : d.isF32()))
    return name + " accumulates products of " + gluonName(a) + " in " +
           (isInteger ? "int32" : "float32") + ", but the accumulator is " + gluonName(d);
  auto shape = wmma.getInstrShape();
  auto ks = chips::wmmaKs(version, tt::bitWidth(a), !isInteger);
  if (shape.size() != 3 || ks.empty()) return {};
  if (shape[0] == 16 && shape[1] == 16 && llvm::is_contained(ks, shape[2])) return {};
  auto spelledWith = [](unsigned k) { return spelled({16, 16, k}); };
  return name + " has no instruction for the instr_shape " + spelled(shape) + " with " +
         gluonName(a) + " operands: it has " +
         llvm::join(llvm::map_range(ks, spelledWith), " and ");
}

} // namespace gluond::passes
