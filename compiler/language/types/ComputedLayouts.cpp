#include "language/types/ComputedLayouts.h"

#include "chips/MemorySizes.h"
#include "chips/Occupancy.h"
#include "language/types/LayoutBridge.h"
#include "layout/access/MemoryCheck.h"
#include "layout/instructions/AmdSharedLayouts.h"
#include "layout/instructions/ScaleLayouts.h"
#include "layout/instructions/TmemRegisters.h"
#include "layout/named/FieldNames.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::language {

using Result = tl::expected<const LayoutObject*, RaisedException>;

static tl::unexpected<RaisedException> fail(std::string message,
                                            ExceptionKind exception = ExceptionKind::ValueError) {
  return tl::make_unexpected(RaisedException{exception, std::move(message)});
}

static tl::unexpected<RaisedException> fail(const layout::LayoutError& error) {
  return fail(error.field.empty() ? error.message : error.field + " " + error.message);
}

static Result written(const layout::LinearLayout& linear, Heap& heap) {
  auto made = layout::Layout::make(layout::Linear{linear, true});
  if (!made) return fail(made.error());
  return toObject(*made, heap);
}

unsigned defaultSwizzle(llvm::ArrayRef<int64_t> perCta, unsigned elementBits, bool isTransposed,
                        bool isFp4Padded) {
  constexpr double leastRows = 8;
  if (perCta.size() < 2) return 0;
  size_t contiguous = isTransposed ? 0 : perCta.size() - 1;
  double rows = 1;
  for (auto [i, size] : llvm::enumerate(perCta))
    if (i != contiguous) rows *= static_cast<double>(size);
  if (rows < leastRows) return 0;
  // In 128 bits, where Python has as many as it takes.
  __int128 bytes = __int128{perCta[contiguous]} * (isFp4Padded ? 2 : 1) * elementBits / 8;
  for (unsigned width : chips::swizzleWidths)
    if (bytes >= width && bytes % width == 0) return width;
  return 0;
}

Result tmemRegisterLayout(const Type* memory, int64_t numWarps, llvm::StringRef variant,
                          Heap& heap) {
  bool split = variant == "32x32b_splitn";
  llvm::StringRef name = split ? "32x32b" : variant;
  auto atom = layout::tmemAtomNamed(name);
  if (!atom) return fail("unknown instr_variant: " + variant.str());
  constexpr int64_t least = chips::warpsOfGroup; // only a whole group reaches all rows
  if (numWarps < least || !llvm::isPowerOf2_64(static_cast<uint64_t>(numWarps)))
    return fail("num_warps must be a power of two and >= " + std::to_string(least));
  if (memory->rank() != 2) return fail("expected a 2D tensor");
  if (*atom == layout::TmemAtom::I16x32bx2)
    return fail("Atom 16x32bx2 is inferred implicitly and cannot be requested explicitly");
  unsigned bits = memory->element()->bits();
  layout::MemoryView view{memory->shape(), memory->allocShape(), bits};
  auto meaning = toLayout(*memory->layout());
  if (!meaning) return fail(meaning.error());
  if (auto error = layout::checkMemory(*meaning, view)) return fail(*error);
  auto linear = layout::viewToLinearLayout(*meaning, view);
  if (!linear) return fail(linear.error());
  auto registers =
      layout::tmemRegisterLayout(*linear, *atom, static_cast<unsigned>(numWarps), bits);
  if (!registers)
    return fail("TMEM layout '" + name.str() + "' unsupported for shape [" +
                std::to_string(memory->shape()[0]) + ", " + std::to_string(memory->shape()[1]) +
                "] and num_warps " + std::to_string(numWarps));
  if (!split) return written(*registers, heap);
  auto halves = layout::tmemSplitAlongN(*registers, memory->shape()[1], bits);
  if (!halves) return fail(halves.error());
  return written(*halves, heap);
}

static layout::Ints narrow(llvm::ArrayRef<int64_t> items) {
  return layout::Ints(items.begin(), items.end());
}

// The parent of a DotOperandLayout, of a given class.
static const LayoutObject* parentOf(const LayoutObject& operand, LayoutKind kind) {
  const Value* value = field(operand, layout::fields::parent);
  auto* parent = value ? value->as<LayoutObject>() : nullptr;
  return isA(parent, kind) ? parent : nullptr;
}

// Returns 0 or 1; the other checks of toLayout() are not made for an operand here.
static std::optional<unsigned> operandIndex(const LayoutObject& operand) {
  Value index = *field(operand, layout::fields::opIdx);
  if (!index.isIntegral() || (index.asInt() != 0 && index.asInt() != 1)) return std::nullopt;
  return static_cast<unsigned>(index.asInt());
}

static layout::OrError<layout::LinearLayout> clustersOf(const LayoutObject& operand, size_t rank) {
  layout::Bases cga;
  for (const Basis& basis : cgaLayoutOf(operand))
    cga.push_back(layout::Coordinates(basis.begin(), basis.end()));
  return layout::makeCga(cga, static_cast<unsigned>(rank));
}

Result mfmaScaleLayout(const LayoutObject& operand, llvm::ArrayRef<int64_t> shape,
                       int64_t scaleFactor, Heap& heap) {
  if (scaleFactor != 32)
    return fail("Only scale factor 32 is supported for CDNA4 Scaled MFMA",
                ExceptionKind::AssertionError);
  const LayoutObject* parent = parentOf(operand, LayoutKind::AMDMFMALayout);
  if (!parent)
    return fail("Expected parent to be an instance of AMDMFMALayout",
                ExceptionKind::AssertionError);
  auto instr = ints(*field(*parent, layout::fields::instrShape)),
       tiles = ints(*field(*parent, layout::fields::tilesPerWarp)),
       warps = ints(*field(*parent, layout::fields::warpsPerCTA));
  auto index = operandIndex(operand);
  if (!index || !instr || instr->empty() || !tiles || !warps)
    return fail("the layout is not well-formed", ExceptionKind::TypeError);
  auto made = layout::mfmaScaleLayout(
      {*index, static_cast<unsigned>((*instr)[0]), narrow(*tiles), narrow(*warps)}, shape);
  if (!made) return fail(made.error());
  return written(*made, heap);
}

Result wmmaScaleLayout(const LayoutObject& operand, llvm::ArrayRef<int64_t> shape,
                       int64_t scaleFactor, Heap& heap) {
  if (scaleFactor != 16 && scaleFactor != 32)
    return fail("Only support 16 or 32 scale factor", ExceptionKind::AssertionError);
  const LayoutObject* parent = parentOf(operand, LayoutKind::AMDWMMALayout);
  if (!parent)
    return fail("Expected parent to be an instance of AMDWMMALayout",
                ExceptionKind::AssertionError);
  auto meaning = toLayout(*parent);
  if (!meaning) return fail(meaning.error());
  auto* wmma = meaning->as<layout::AmdWmma>();
  auto clusters = clustersOf(operand, shape.size());
  if (!clusters) return fail(clusters.error());
  auto instr = ints(*field(*parent, layout::fields::instrShape));
  auto index = operandIndex(operand);
  if (!index || !instr || instr->size() < 2)
    return fail("the layout is not well-formed", ExceptionKind::TypeError);
  auto made = layout::wmmaScaleLayout(
      {*index, static_cast<unsigned>((*instr)[0]), static_cast<unsigned>((*instr)[1]),
       wmma->isTransposed, static_cast<unsigned>(scaleFactor), wmma->ctaLayout, *clusters},
      shape);
  if (!made) return fail(made.error());
  return written(*made, heap);
}

Result efficientPaddedLayout(const LayoutObject& operand, llvm::ArrayRef<int64_t> shape,
                             unsigned elementBits, bool kIsContiguous, Heap& heap) {
  const LayoutObject* parent = parentOf(operand, LayoutKind::AMDMFMALayout);
  if (!parent)
    return fail("Expected dot operand's parent to be an AMDMFMALayout",
                ExceptionKind::AssertionError);
  Value version = *field(*parent, layout::fields::version),
        width = *field(operand, layout::fields::kWidth);
  if (!version.isIntegral() || version.asInt() != 4)
    return fail("compute_efficient_padded_shared_layout only supports MFMA v4 (CDNA4)",
                ExceptionKind::AssertionError);
  auto given = operandIndex(operand);
  auto tile = ints(*field(*parent, layout::fields::instrShape));
  if (!tile || tile->size() < 2 || !given || !width.isIntegral())
    return fail("the layout is not well-formed", ExceptionKind::TypeError);
  if (shape.size() != 2) return nullptr;
  auto clusters = clustersOf(operand, 2);
  if (!clusters) return fail(clusters.error());
  auto made = layout::cdna4PaddedLayout({*given, width.asInt(), (*tile)[*given], *clusters}, shape,
                                        elementBits, kIsContiguous);
  return made ? toObject(*made, heap) : nullptr;
}

} // namespace gluond::language
