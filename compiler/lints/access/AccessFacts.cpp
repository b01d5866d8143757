#include "lints/access/AccessFacts.h"

#include "ir/layouts/Layouts.h"
#include "lints/access/Access.h"
#include "passes/analysis/Conversions.h"
#include "support/Plural.h"

namespace gluond::lints {
using namespace mlir;

namespace {

std::string text(const GlobalAccess& access, LazyAxisInfo& axes, StringRef target) {
  passes::AccessWidth width = passes::accessWidth(access, axes.get(), target);
  int64_t bytes = std::max(1u, access.elementBits / 8);
  std::string line = counted(width.elements * bytes, "byte") + " per lane";
  if (width.elements < access.leastElements) line += " in a compare-and-swap loop";
  auto strides = stridesOf(access.pointers);
  if (!strides || strides->size() != static_cast<size_t>(access.type.getRank())) return line;
  auto cost = costUnder(ir::toLinearLayout(access.type), access, *strides, width.elements * bytes);
  if (!cost || cost->instructions == 0) return line;
  int64_t least = std::max<int64_t>(1, cost->leastSectors / cost->instructions);
  return line + ", " + counted(cost->sectors / cost->instructions, "sector") +
         " per warp instruction (" + std::to_string(least) + " at least)";
}

std::string text(const SharedMemoryAccess& access, StringRef target) {
  auto cost = bankCost(access, ir::toLayout(access.memory.getEncoding()), target);
  if (!cost) return "";
  std::string by = cost->instruction.empty() ? "" : "by " + cost->instruction + ", ";
  return counted(cost->bytes, "byte") + " per lane, " + by +
         (cost->conflicts ? std::to_string(cost->conflicts + 1) + "-way bank conflicts"
                          : "no bank conflicts");
}

std::string text(ttg::ConvertLayoutOp op) {
  using layout::ConversionKind;
  auto plan = passes::planOf(op);
  if (!plan) return "";
  ConversionKind kind = plan->cost.kind;
  if (kind == ConversionKind::Nothing) return "moves nothing";
  if (kind == ConversionKind::Registers) return "stays within each thread";
  std::string moves = "moves " + counted(plan->cost.bytesMoved, "byte") + " between " +
                      (kind == ConversionKind::Lanes   ? "lanes"
                       : kind == ConversionKind::Warps ? "warps"
                                                       : "CTAs");
  if (plan->swaps) return moves + " by swaps of registers";
  if (plan->shuffles) return moves + " by shuffles";
  return moves + ", through " + counted(plan->sharedBytes(), "byte") + " of shared memory";
}

} // namespace

std::vector<AccessFact> accessFacts(ModuleOp module) {
  std::vector<AccessFact> facts;
  LazyAxisInfo axes(module);
  StringRef target;
  if (auto name = module->getAttrOfType<StringAttr>("ttg.target")) target = name.getValue();
  module.walk([&](Operation* op) {
    std::string line;
    if (auto access = globalAccessOf(*op))
      line = text(*access, axes, target);
    else if (auto access = sharedAccessOf(*op))
      line = text(*access, target);
    else if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
      line = text(convert);
    if (!line.empty()) facts.push_back({op->getLoc(), std::move(line)});
  });
  return facts;
}

} // namespace gluond::lints
