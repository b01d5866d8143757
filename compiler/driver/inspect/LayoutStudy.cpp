#include "driver/inspect/LayoutStudy.h"

#include "chips/ChipsWithFeature.h"
#include "chips/Occupancy.h"
#include "chips/Target.h"
#include "language/types/LayoutBridge.h"
#include "layout/access/Padding.h"
#include "layout/exchange/ConversionPlan.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

#include <cmath>

namespace gluond::driver {

namespace {

template <typename... Ts> std::string sentence(const Ts&... parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (os << ... << parts);
  return text;
}

// The layout that a slice or an operand of a product is made from.
layout::Layout baseOf(const layout::Layout& layout) {
  if (auto* slice = layout.as<layout::Slice>()) return baseOf(slice->parent);
  if (auto* operand = layout.as<layout::DotOperand>()) return baseOf(operand->parent);
  return layout;
}

// "gfx94x", for the chips whose MFMA has a version.
std::string chipsWithMfma(unsigned version) {
  for (const chips::Chip& chip : chips::allChips())
    if (chip.mfmaVersion == version)
      return chip.family.empty() ? chip.target.split(':').second.str()
                                 : chip.family.split(':').second.str() + "x";
  return {};
}

// Returns why the chip lacks the instructions that produce this layout, or "" if it has them.
std::string missingProducts(const layout::Layout& layout, const chips::Chip& chip) {
  using chips::Feature;
  if (auto* mma = layout.as<layout::NvidiaMma>()) {
    if (chip.vendor() != chips::Vendor::Nvidia)
      return "mma and wgmma are instructions of NVIDIA chips";
    if (mma->versionMajor == 3 && !chip.has(Feature::WarpGroupMma))
      return "version [3, 0] is the layout of wgmma, which only " +
             chips::chipsWith(Feature::WarpGroupMma) + " has";
    if (mma->versionMajor == 2 && !chip.has(Feature::Mma))
      return "version [2, 0] needs " + chips::chipsWith(Feature::Mma);
    // The four warps of a group take 16 rows each.
    if (mma->versionMajor == 3 && !mma->warpsPerCTA.empty() &&
        mma->warpsPerCTA.front() % chips::warpsOfGroup != 0)
      return sentence("wgmma is executed by groups of ", chips::warpsOfGroup,
                      " warps, but the layout has ", mma->warpsPerCTA.front(),
                      " along the rows; the first number of warps_per_cta must be a multiple of ",
                      chips::warpsOfGroup);
  } else if (auto* mfma = layout.as<layout::AmdMfma>()) {
    if (!chip.has(Feature::Mfma))
      return "MFMA needs " + chips::chipsWith(Feature::Mfma, chips::Vendor::Amd);
    std::string needed = chipsWithMfma(mfma->version);
    if (!needed.empty() && chip.mfmaVersion != mfma->version)
      return sentence("version ", mfma->version, " of MFMA needs ", needed);
  } else if (auto* wmma = layout.as<layout::AmdWmma>()) {
    if (!chip.has(Feature::Wmma))
      return "WMMA needs " + chips::chipsWith(Feature::Wmma, chips::Vendor::Amd);
    if (wmma->version != chip.wmmaVersion)
      return sentence("the layout has version ", wmma->version,
                      " of WMMA, but the chip has version ", chip.wmmaVersion);
  }
  return {};
}

} // namespace

std::vector<StudyWarning> impossibleOn(const std::string& target, const LayoutMap& map) {
  std::vector<StudyWarning> warnings;
  const chips::Chip* chip = chips::findChip(target);
  if (!chip || !chip->limits) return warnings;
  const chips::Limits& limits = *chip->limits;
  const layout::LayoutPicture& picture = map.picture;
  const layout::LinearLayout& linear = picture.linear;
  auto sizeOf = [&](layout::Dim dim) {
    return linear.hasIn(dim) ? int64_t{1} << linear.inBits(dim) : int64_t{1};
  };
  auto refuse = [&](const auto&... parts) {
    warnings.push_back({"error", sentence("not supported on ", chip->name, ": ", parts...)});
  };
  if (std::string why = missingProducts(baseOf(picture.layout), *chip); !why.empty()) refuse(why);
  if (picture.layout.isDistributed()) {
    int64_t lanes = sizeOf(layout::Dim::Lane), warps = sizeOf(layout::Dim::Warp);
    if (lanes != chip->warpSize)
      refuse("the layout has ", lanes, " lanes per warp, but the chip has ", chip->warpSize,
             "; the product of threads_per_warp must be ", chip->warpSize);
    if (warps * chip->warpSize > chips::mostThreadsPerProgram)
      refuse("the layout has ", warps, " warps, which are ", warps * chip->warpSize,
             " threads, but a program has at most ", chips::mostThreadsPerProgram);
  }
  int64_t ctas = sizeOf(layout::Dim::Block);
  if (ctas > 1 && !chip->has(chips::Feature::Clusters))
    refuse("the layout has ", ctas, " CTAs, but the chip has no clusters");
  else if (ctas > chips::mostCtasPerCluster)
    refuse("the layout has ", ctas, " CTAs, but a cluster has at most ", chips::mostCtasPerCluster);
  int64_t slots = 1;
  for (int64_t each : map.slots)
    slots *= each;
  if (picture.layout.isShared() && picture.elementBits) {
    int64_t elements = slots * sizeOf(layout::Dim::Offset) * sizeOf(layout::Dim::Partition);
    int64_t unused = 0; // there is no padding after the last element
    layout::Padding padding = layout::paddingOf(picture.layout);
    for (auto [interval, each] : llvm::zip_equal(padding.intervals, padding.paddings))
      unused += (elements - 1) / interval * each;
    int64_t bytes = (elements + unused) * picture.elementBits / 8;
    if (bytes > limits.sharedPerProgram)
      refuse("the buffer needs ", bytes, " bytes of shared memory, but a program has ",
             limits.sharedPerProgram);
  } else if (picture.layout.isTensorMemory()) {
    int64_t columns = slots * sizeOf(layout::Dim::Col) * picture.elementBits / 32;
    if (!limits.tensorColumns)
      refuse("the chip has no tensor memory");
    else if (columns > limits.tensorColumns)
      refuse("the buffer needs ", columns, " columns of tensor memory, but there are ",
             limits.tensorColumns);
  }
  return warnings;
}

namespace {

void warnOfReplication(const layout::LinearLayout& linear, std::vector<StudyWarning>& warnings) {
  for (const layout::Replication& r : layout::replicationOf(linear))
    if (r.copies > 1 && r.dim != layout::Dim::Block)
      warnings.push_back(
          {r.dim == layout::Dim::Register ? "warning" : "hint",
           sentence("every element is held ", r.copies, " times, by different ",
                    layout::name(r.dim), "s: the layout is larger than the tensor")});
  if (double holes = layout::holesOf(linear); holes > 0)
    warnings.push_back({"warning", sentence(std::lround(holes * 100),
                                            "% of the elements are not held by any thread")});
}

// TMA and the matrix unit read elements of the layout's width.
void warnOfElementWidth(const layout::LayoutPicture& picture, std::vector<StudyWarning>& warnings) {
  auto* shared = picture.layout.as<layout::NvmmaShared>();
  if (!shared || !picture.elementBits) return;
  unsigned bits = shared->elementBitWidth;
  bool isPacked = shared->fp4Padded; // two numbers in each element
  if (!isPacked && bits != picture.elementBits)
    warnings.push_back({"warning", sentence("element_bitwidth is ", bits,
                                            ", but the elements have ", picture.elementBits,
                                            " bits: tensor descriptors and matrix products refuse "
                                            "such a buffer")});
}

void studyGlobal(LayoutStudy& study) {
  const layout::LayoutPicture& picture = study.map.picture;
  layout::GlobalTensor tensor;
  tensor.strides.assign(study.strides.begin(), study.strides.end());
  tensor.elementBits = picture.elementBits;
  auto cost = layout::globalAccessCost(picture.linear, tensor);
  if (!cost) return;
  study.global = *cost;
  double efficiency = cost->efficiency();
  if (efficiency < 0.99)
    study.warnings.push_back(
        {"warning", sentence("not coalesced: the accesses of a warp touch ", cost->sectors,
                             " sectors of 32 bytes instead of ", cost->leastSectors, " (",
                             std::lround(efficiency * 100), "% used)")});
  int64_t inThread = layout::uniqueElementsPerThread(picture.linear);
  int64_t best = std::min<int64_t>(16, inThread * picture.elementBits / 8);
  if (cost->bytes < best && cost->bytes < 16)
    study.warnings.push_back(
        {"information",
         sentence("not vectorized: ", cost->bytes, " bytes per lane and instruction, but ", best,
                  " are possible with the elements of a lane")});
}

void studyShared(LayoutStudy& study, const StudyRequest& request) {
  const layout::LayoutPicture &here = study.map.picture, &there = study.partner->picture;
  bool isShared = here.layout.isShared();
  const layout::Layout& registers = isShared ? there.layout : here.layout;
  const layout::Layout& shared = isShared ? here.layout : there.layout;
  layout::ShapeVector shape = layout::report(here).shape;
  layout::MemoryView whole{shape, shape, here.elementBits};
  layout::BankModel model = layout::banksOf(request.layout.target);
  // Takes the one of load and store that waits longer: not all chips with ldmatrix have stmatrix.
  auto traffic = layout::countSharedTraffic(registers, shared, whole, true, 0, model);
  auto loads = layout::countSharedTraffic(registers, shared, whole, false, 0, model);
  if (!traffic || !loads) return;
  if (loads->wavefronts - loads->least > traffic->wavefronts - traffic->least) traffic = loads;
  study.traffic = *traffic;
  if (traffic->wavefronts > traffic->least)
    study.warnings.push_back(
        {"warning", sentence(llvm::divideCeil(static_cast<uint64_t>(traffic->wavefronts),
                                              static_cast<uint64_t>(traffic->least)),
                             "-way bank conflicts: ", traffic->wavefronts,
                             " wavefronts instead of ", traffic->least, "")});
}

} // namespace

tl::expected<LayoutStudy, std::string> studyLayout(Interner& names, const StudyRequest& request) {
  auto map = layoutMap(names, request.layout);
  if (!map) return tl::make_unexpected(map.error());
  LayoutStudy study;
  study.map = std::move(*map);
  const layout::LayoutPicture& picture = study.map.picture;
  layout::ShapeVector shape = layout::report(picture).shape;
  study.strides = request.strides;
  if (study.strides.empty()) {
    study.strides.resize(shape.size());
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
      study.strides[d] = stride;
  }
  if (study.strides.size() != shape.size())
    return tl::make_unexpected(sentence("the tensor has ", shape.size(),
                                        " dimensions, but the number of strides is ",
                                        study.strides.size()));
  llvm::append_range(study.warnings, impossibleOn(request.layout.target, study.map));
  warnOfElementWidth(picture, study.warnings);
  warnOfReplication(picture.linear, study.warnings);
  if (picture.layout.isDistributed()) {
    unsigned bits = picture.elementBits ? picture.elementBits : 32;
    study.registers = static_cast<int64_t>(llvm::divideCeil(
        static_cast<uint64_t>(layout::totalElementsPerThread(picture.linear)) * bits, 32u));
    const chips::Chip* chip = chips::findChip(request.layout.target);
    int64_t most = chip && chip->limits ? chip->limits->registersPerThread : 255;
    if (study.registers > most)
      study.warnings.push_back(
          {"warning", sentence("a thread needs ", study.registers,
                               " registers for this tensor alone, but it has ", most)});
    if (picture.elementBits) studyGlobal(study);
  }
  if (!request.shared.empty()) {
    LayoutRequest other = request.layout;
    other.expression = request.shared;
    other.shape.assign(shape.begin(), shape.end());
    auto partner = layoutMap(names, other);
    if (!partner) return tl::make_unexpected(partner.error());
    study.partner = std::move(*partner);
    llvm::append_range(study.warnings, impossibleOn(request.layout.target, *study.partner));
    warnOfElementWidth(study.partner->picture, study.warnings);
    if (picture.elementBits) studyShared(study, request);
  }
  return study;
}

namespace {

// Describes the conversion in a sentence. `plan` is null if it moves nothing between registers.
std::string describe(const layout::ConversionCost& cost, const layout::ConversionPlan* plan,
                     const std::optional<layout::ExchangeInstructions>& instructions) {
  using layout::ConversionKind;
  if (cost.kind == ConversionKind::Nothing) return "nothing moves";
  if (cost.kind == ConversionKind::Registers)
    return "elements change registers within their thread";
  std::string moved = sentence(cost.bytesMoved, " of ", cost.bytes, " bytes move");
  if (cost.kind == ConversionKind::Blocks) return moved + ", some between the CTAs of a cluster";
  bool isInWarp = cost.kind == ConversionKind::Lanes;
  moved += isInWarp ? " between lanes of their warp" : " between threads";
  if (!plan) return moved;
  if (plan->swaps) return moved + ", by swaps of registers";
  if (plan->shuffles) return moved + ", by shuffles";
  if (!plan->exchange) return moved;
  int64_t barriers = instructions ? instructions->barriers : 1;
  std::string meets = isInWarp ? (barriers == 1 ? " wait of the warp" : " waits of the warp")
                               : (barriers == 1 ? " barrier" : " barriers");
  return moved + sentence(", through ", plan->sharedBytes(), " bytes of shared memory and ",
                          barriers, meets);
}

} // namespace

tl::expected<ConversionStudy, std::string> studyConversion(Interner& names,
                                                           const LayoutRequest& request,
                                                           const std::string& to, bool isInLoop) {
  auto from = layoutMap(names, request);
  if (!from) return tl::make_unexpected(from.error());
  LayoutRequest other = request;
  other.expression = to;
  layout::ShapeVector shape = layout::report(from->picture).shape;
  other.shape.assign(shape.begin(), shape.end());
  auto target = layoutMap(names, other);
  if (!target) return tl::make_unexpected(target.error());
  unsigned bits = from->picture.elementBits ? from->picture.elementBits : 32;
  auto cost = layout::conversionCost(from->picture.linear, target->picture.linear, bits);
  if (!cost) return tl::make_unexpected(language::messageOf(cost.error()));
  ConversionStudy study{std::move(*from), std::move(*target), *cost, 0, {}, {}};
  auto isOfRegisters = [](const LayoutMap& map) {
    return map.picture.linear.hasIn(layout::Dim::Register);
  };
  std::optional<layout::ConversionPlan> plan;
  if (isOfRegisters(study.from) && isOfRegisters(study.to)) {
    layout::ConversionSetting setting;
    setting.model = layout::banksOf(request.target);
    setting.isInLoop = isInLoop;
    plan =
        layout::planConversion(study.from.picture.linear, study.to.picture.linear, bits, setting);
  }
  if (plan) {
    study.instructions = plan->instructions();
    study.sharedBytes = plan->sharedBytes();
  }
  study.summary = describe(*cost, plan ? &*plan : nullptr, study.instructions);
  return study;
}

} // namespace gluond::driver
