#include "driver/LayoutStudy.h"

#include "codegen/Target.h"
#include "layout/WarpExchange.h"

#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::driver {

namespace {

template <typename... Ts> std::string sentence(const Ts&... parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (os << ... << parts);
  return text;
}

std::string messageOf(const layout::LayoutError& error) {
  return (error.field.empty() ? "" : error.field + ": ") + error.message;
}

layout::BankModel banksOf(llvm::StringRef target) {
  auto parsed = codegen::Target::parse(target);
  if (parsed && parsed->isHip()) return layout::amdBanks(parsed->arch);
  return layout::nvidiaBanks(parsed ? parsed->capability : 0);
}

void warnOfReplication(const layout::LinearLayout& linear, std::vector<StudyWarning>& warnings) {
  for (const layout::Replication& r : layout::replicationOf(linear))
    if (r.copies > 1 && r.dim != layout::Dim::Block)
      warnings.push_back(
          {r.dim == layout::Dim::Register ? "warning" : "hint",
           sentence("every element is held ", r.copies, " times, by different ",
                    layout::name(r.dim), "s: the layout is larger than the tensor")});
  if (double holes = layout::holesOf(linear); holes > 0)
    warnings.push_back({"warning", sentence(static_cast<int>(holes * 100 + 0.5),
                                            "% of the elements are held by nobody")});
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
        {"warning", sentence("not coalesced: one warp's accesses touch ", cost->sectors,
                             " sectors of 32 bytes where ", cost->leastSectors, " would do (",
                             static_cast<int>(efficiency * 100 + 0.5), "% used)")});
  int64_t inThread = layout::uniqueElementsPerThread(picture.linear);
  int64_t best = std::min<int64_t>(16, inThread * picture.elementBits / 8);
  if (cost->bytes < best && cost->bytes < 16)
    study.warnings.push_back(
        {"information",
         sentence("not vectorized: ", cost->bytes, " bytes a lane in one instruction, ", best,
                  " are possible with the elements a lane has")});
}

void studyShared(LayoutStudy& study, const StudyRequest& request) {
  const layout::LayoutPicture &here = study.map.picture, &there = study.partner->picture;
  bool isShared = here.layout.isShared();
  const layout::Layout& registers = isShared ? there.layout : here.layout;
  const layout::Layout& shared = isShared ? here.layout : there.layout;
  layout::ShapeVector shape = layout::report(here).shape;
  layout::BankModel model = banksOf(request.layout.target);
  // Of loads and stores, whichever costs more: not all chips that have ldmatrix have stmatrix.
  auto traffic =
      layout::countSharedTraffic(registers, shared, shape, here.elementBits, true, 0, model);
  auto loads =
      layout::countSharedTraffic(registers, shared, shape, here.elementBits, false, 0, model);
  if (!traffic || !loads) return;
  if (loads->wavefronts > traffic->wavefronts) traffic = loads;
  study.traffic = *traffic;
  if (traffic->wavefronts > traffic->least)
    study.warnings.push_back(
        {"warning", sentence(llvm::divideCeil(static_cast<uint64_t>(traffic->wavefronts),
                                              static_cast<uint64_t>(traffic->least)),
                             "-way bank conflicts: ", traffic->wavefronts, " wavefronts where ",
                             traffic->least, " would do")});
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
                                        " dimensions, the strides are ", study.strides.size()));
  warnOfReplication(picture.linear, study.warnings);
  if (picture.layout.isDistributed()) {
    unsigned bits = picture.elementBits ? picture.elementBits : 32;
    study.registers = static_cast<int64_t>(llvm::divideCeil(
        static_cast<uint64_t>(layout::totalElementsPerThread(picture.linear)) * bits, 32u));
    if (study.registers > 255)
      study.warnings.push_back(
          {"warning", sentence("a thread needs ", study.registers,
                               " registers for this tensor alone, it has 255")});
    if (picture.elementBits) studyGlobal(study);
  }
  if (!request.shared.empty()) {
    LayoutRequest other = request.layout;
    other.expression = request.shared;
    other.shape.assign(shape.begin(), shape.end());
    auto partner = layoutMap(names, other);
    if (!partner) return tl::make_unexpected(partner.error());
    study.partner = std::move(*partner);
    if (picture.elementBits) studyShared(study, request);
  }
  return study;
}

std::string describe(const layout::ConversionCost& cost, bool isShuffled) {
  using layout::ConversionKind;
  switch (cost.kind) {
  case ConversionKind::Nothing:
    return "nothing moves";
  case ConversionKind::Registers:
    return "elements change registers within their thread";
  case ConversionKind::Lanes:
    return sentence(cost.bytesMoved, " of ", cost.bytes,
                    " bytes move between lanes of their warp, ",
                    isShuffled ? "by shuffles" : "through shared memory");
  case ConversionKind::Warps:
    return sentence(cost.bytesMoved, " of ", cost.bytes, " bytes move between threads, through ",
                    cost.sharedBytes, " bytes of shared memory and a barrier");
  case ConversionKind::Blocks:
    return sentence(cost.bytesMoved, " of ", cost.bytes,
                    " bytes move, some between the CTAs of a cluster");
  }
  return {};
}

tl::expected<ConversionStudy, std::string>
studyConversion(Interner& names, const LayoutRequest& request, const std::string& to) {
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
  if (!cost) return tl::make_unexpected(messageOf(cost.error()));
  ConversionStudy study{std::move(*from), std::move(*target), *cost, {}, {}};
  llvm::StringRef chip = request.target;
  unsigned capability = 0;
  auto isOfRegisters = [](const LayoutMap& map) {
    return map.picture.linear.hasIn(layout::Dim::Register);
  };
  bool isExchange =
      isOfRegisters(study.from) && isOfRegisters(study.to) &&
      (cost->kind == layout::ConversionKind::Lanes || cost->kind == layout::ConversionKind::Warps);
  if (isExchange && chip.consume_front("cuda:") && !chip.getAsInteger(10, capability)) {
    auto unique = [](const LayoutMap& map) {
      return map.picture.linear.removeZeroBases(layout::Dim::Register);
    };
    layout::LinearLayout source = unique(study.from), result = unique(study.to);
    unsigned memoryBits = std::max(8u, bits);
    auto shuffled = layout::warpExchange(source, result, memoryBits);
    if (shuffled && layout::isFasterThanSharedMemory(*shuffled, source, result, memoryBits)) {
      study.instructions.emplace();
      study.instructions->shuffles = shuffled->shuffles(memoryBits);
      study.instructions->selects = shuffled->selects(memoryBits);
    } else if (auto exchange =
                   layout::sharedExchange(source, result, memoryBits, layout::mostExchangeBytes)) {
      study.instructions =
          layout::exchangeInstructions(*exchange, source, result, memoryBits, capability);
    }
  }
  study.summary = describe(*cost, !study.instructions || !study.instructions->stores);
  return study;
}

} // namespace gluond::driver
