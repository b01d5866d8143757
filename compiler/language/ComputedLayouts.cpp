#include "language/ComputedLayouts.h"

#include "language/LayoutBridge.h"
#include "layout/MemoryCheck.h"
#include "layout/ScaleLayouts.h"
#include "layout/TmemRegisters.h"
#include "layout/Transforms.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::language {

using Result = tl::expected<const LayoutObject*, Failure>;

static tl::unexpected<Failure> fail(std::string message,
                                    ExceptionKind exception = ExceptionKind::ValueError) {
  return tl::make_unexpected(Failure{exception, std::move(message)});
}

static tl::unexpected<Failure> fail(const layout::LayoutError& error) {
  return fail(error.field.empty() ? error.message : error.field + " " + error.message);
}

static Result written(const layout::LinearLayout& linear, Heap& heap) {
  auto made = layout::Layout::make(layout::Linear{linear, true});
  if (!made) return fail(made.error());
  return toObject(*made, heap);
}

Result tmemRegisterLayout(const Type* memory, int64_t numWarps, llvm::StringRef variant,
                          Heap& heap) {
  bool split = variant == "32x32b_splitn";
  llvm::StringRef name = split ? "32x32b" : variant;
  auto atom = layout::tmemAtomNamed(name);
  if (!atom) return fail("unknown instr_variant: " + variant.str());
  if (numWarps < 4 || !llvm::isPowerOf2_64(static_cast<uint64_t>(numWarps)))
    return fail("num_warps must be a power of two and >= 4");
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
  const Value* value = field(operand, "parent");
  auto* parent = value ? value->as<LayoutObject>() : nullptr;
  return isA(parent, kind) ? parent : nullptr;
}

// 0 or 1; what toLayout() checks of the whole is not asked of an operand here.
static std::optional<unsigned> operandIndex(const LayoutObject& operand) {
  Value index = *field(operand, "operand_index");
  if (!index.isIntegral() || (index.asInt() != 0 && index.asInt() != 1)) return std::nullopt;
  return static_cast<unsigned>(index.asInt());
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
  auto instr = ints(*field(*parent, "instr_shape")),
       tiles = ints(*field(*parent, "tiles_per_warp")),
       warps = ints(*field(*parent, "warps_per_cta"));
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
  layout::Bases cga;
  for (const Basis& basis : cgaLayoutOf(operand))
    cga.push_back(layout::Coordinates(basis.begin(), basis.end()));
  auto clusters = layout::makeCga(cga, static_cast<unsigned>(shape.size()));
  if (!clusters) return fail(clusters.error());
  auto instr = ints(*field(*parent, "instr_shape"));
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

namespace {

// How rows are placed: after every `interval` elements, `padding` unused ones. `bases` say which
// element of (contiguous dimension, other dimension) each bit of the offset moves to.
struct Staggering {
  int32_t interval = 0, padding = 0;
  std::vector<std::pair<int32_t, int32_t>> bases;
};

// Loads of 16 bytes (or transposing ones) are served from 64 banks, others from 32, in groups of
// lanes that read rows some way apart. Rows that such a group reads must start at different banks:
// consecutive rows are put `wrap` apart, each behind its own padding.
std::optional<Staggering> staggerRows(unsigned kWidth, unsigned bytes, unsigned tile, int64_t k,
                                      int64_t nonK, bool kIsContiguous) {
  constexpr unsigned lanes = 64;
  auto contiguous = static_cast<unsigned>(kIsContiguous ? k : nonK),
       rows = static_cast<unsigned>(kIsContiguous ? nonK : k);
  unsigned laneBytes = kWidth * bytes, vector = 16 / bytes;
  bool wide = kIsContiguous && laneBytes == 16, transposing = !kIsContiguous && laneBytes >= 8;
  unsigned bankRow = (wide || transposing ? 64 : 32) * 4 / bytes;
  unsigned padding = wide          ? (tile == 16 ? kWidth * 2 : kWidth)
                     : transposing ? (tile == 16 ? 16 : 32)
                                   : 8 / bytes;
  unsigned lanesPerRow = contiguous / vector;
  unsigned wrap = std::min(contiguous, bankRow) / padding;
  if (wrap == 0 || lanesPerRow == 0 || lanesPerRow > lanes) return std::nullopt;
  unsigned wanted = lanes / lanesPerRow * wrap;
  unsigned conflicts = rows >= wanted ? 1 : llvm::Log2_32(wanted / rows) + 1;
  if ((wide && conflicts > 1) || conflicts > 2) return std::nullopt;
  wrap >>= conflicts - 1;
  if (wrap == 0) return std::nullopt;
  bool sixteen = rows >= lanes / lanesPerRow * 16 && wrap < 16;
  if (sixteen) wrap = 16;

  Staggering result;
  result.interval = static_cast<int32_t>(lanes * vector);
  result.padding = static_cast<int32_t>(padding);
  auto& bases = result.bases;
  for (unsigned bit = 1; bit < contiguous; bit *= 2)
    bases.push_back({static_cast<int32_t>(bit), 0});
  unsigned row = wrap; // rows that start at the same bank, then those in between, then the rest
  for (; bases.size() < llvm::Log2_32(lanes * vector); row *= 2)
    bases.push_back({0, static_cast<int32_t>(row)});
  for (unsigned bit = 1; bit < wrap; bit *= 2)
    bases.push_back({0, static_cast<int32_t>(bit)});
  for (; row < rows; row *= 2)
    bases.push_back({0, static_cast<int32_t>(row)});
  if (transposing && tile == 16 && laneBytes == 16) {
    // A transposing load takes 8 bytes: the rows of its two halves change places.
    size_t first = 0, second = 0;
    for (size_t i = 0; i < bases.size(); ++i) {
      if (bases[i].second == static_cast<int32_t>(16 / bytes)) second = i;
      if (bases[i].second == static_cast<int32_t>(8 / bytes)) first = i;
    }
    std::swap(bases[first], bases[second]);
  }
  if (wide && tile == 32 && sixteen && k < static_cast<int64_t>(256 / bytes)) {
    size_t offset = llvm::Log2_32(kWidth == 16 / bytes ? 256 : 128),
           other = llvm::Log2_32(contiguous);
    if (offset < bases.size() && other < bases.size()) std::swap(bases[offset], bases[other]);
  }
  return result;
}

} // namespace

Result efficientPaddedLayout(const LayoutObject& operand, llvm::ArrayRef<int64_t> shape,
                             unsigned elementBits, bool kIsContiguous, Heap& heap) {
  const LayoutObject* parent = parentOf(operand, LayoutKind::AMDMFMALayout);
  if (!parent)
    return fail("Expected dot operand's parent to be an AMDMFMALayout",
                ExceptionKind::AssertionError);
  Value version = *field(*parent, "version"), width = *field(operand, "k_width");
  if (!version.isIntegral() || version.asInt() != 4)
    return fail("compute_efficient_padded_shared_layout only supports MFMA v4 (CDNA4)",
                ExceptionKind::AssertionError);
  auto given = operandIndex(operand);
  auto tile = ints(*field(*parent, "instr_shape"));
  if (!tile || tile->size() < 2 || !given || !width.isIntegral())
    return fail("the layout is not well-formed", ExceptionKind::TypeError);
  size_t index = *given;
  auto kWidth = static_cast<unsigned>(width.asInt());
  auto nonKTile = static_cast<unsigned>((*tile)[index]);
  if ((elementBits != 4 && elementBits != 8 && elementBits != 16) || shape.size() != 2)
    return nullptr;
  if ((nonKTile != 16 && nonKTile != 32) || (kWidth != 4 && kWidth != 8 && kWidth != 16))
    return nullptr;
  for (int64_t size : shape)
    if (size <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(size))) return nullptr;
  size_t kDim = index == 0 ? 1 : 0;
  auto placed = staggerRows(kWidth, std::max(elementBits / 8, 1u), nonKTile, shape[kDim],
                            shape[1 - kDim], kIsContiguous);
  if (!placed) return nullptr;
  bool contiguousIsLast = kIsContiguous == (kDim == 1);
  layout::Bases bases;
  for (auto [contiguous, other] : placed->bases)
    bases.push_back(contiguousIsLast ? layout::Coordinates{other, contiguous}
                                     : layout::Coordinates{contiguous, other});
  layout::Bases cga;
  for (const Basis& basis : cgaLayoutOf(operand))
    cga.push_back(layout::Coordinates(basis.begin(), basis.end()));
  auto clusters = layout::makeCga(cga, 2);
  if (!clusters) return fail(clusters.error());
  auto linear =
      layout::LinearLayout::fromBases({{layout::Dim::Offset, bases}}, layout::tensorDims(2));
  if (!linear) return nullptr;
  auto made = layout::Layout::make(layout::PaddedShared{
      {placed->interval}, {placed->padding}, layout::combineCtaAndCga(*linear, *clusters, shape)});
  if (!made) return fail(made.error());
  return toObject(*made, heap);
}

} // namespace gluond::language
