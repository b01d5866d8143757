#include "ir/layouts/Layouts.h"

#include "ir/layouts/LayoutCache.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Attributes.h"
#include "layout/named/Properties.h"

#include <llvm/ADT/TypeSwitch.h>

using namespace mlir;

namespace gluond::ir {

using layout::Dim;
using layout::LinearLayout;

static ttg::LayoutCache& cacheOf(MLIRContext* context) {
  return context->getOrLoadDialect<ttg::TTGDialect>()->layoutCache();
}

static layout::Ints ints(ArrayRef<unsigned> values) {
  return layout::Ints(values.begin(), values.end());
}
static layout::Order order(ArrayRef<unsigned> values) {
  return layout::Order(values.begin(), values.end());
}

// ---------------------------------------------------------------- attribute -> layout

template <class Fields> static layout::Layout made(Fields fields) {
  auto result = layout::Layout::make(std::move(fields));
  return result ? *result : layout::Layout();
}

static layout::Layout makeLayout(Attribute encoding) {
  using namespace ttg;
  return llvm::TypeSwitch<Attribute, layout::Layout>(encoding)
      .Case([](BlockedEncodingAttr a) {
        return made(layout::Blocked{ints(a.getSizePerThread()), ints(a.getThreadsPerWarp()),
                                    ints(a.getWarpsPerCTA()), order(a.getOrder()),
                                    a.getCGALayout().getLinearLayout()});
      })
      .Case([](SliceEncodingAttr a) {
        return made(layout::Slice{a.getDim(), toLayout(a.getParent())});
      })
      .Case([](LinearEncodingAttr a) { return made(layout::Linear{a.getLinearLayout(), false}); })
      .Case([](GenericLinearEncodingAttr a) {
        return made(layout::Linear{a.getLinearLayout(), true});
      })
      .Case([](DotOperandEncodingAttr a) {
        return made(layout::DotOperand{a.getOpIdx(), toLayout(a.getParent()), a.getKWidth()});
      })
      .Case([](NvidiaMmaEncodingAttr a) {
        return made(layout::NvidiaMma{a.getVersionMajor(), a.getVersionMinor(),
                                      ints(a.getWarpsPerCTA()), a.getCGALayout().getLinearLayout(),
                                      ints(a.getInstrShape())});
      })
      .Case([](AMDMfmaEncodingAttr a) {
        return made(layout::AmdMfma{
            a.getVersion(), ints(a.getWarpsPerCTA()), ints(a.getInstrShape()), a.getIsTransposed(),
            a.getCGALayout().getLinearLayout(), ints(a.getTilesPerWarp()), a.getElementBitWidth()});
      })
      .Case([](AMDWmmaEncodingAttr a) {
        return made(layout::AmdWmma{a.getVersion(), a.getCtaLayout(), a.getIsTransposed(),
                                    a.getCGALayout().getLinearLayout(), ints(a.getInstrShape())});
      })
      .Case([](SwizzledSharedEncodingAttr a) {
        return made(layout::SwizzledShared{a.getVec(), a.getPerPhase(), a.getMaxPhase(),
                                           order(a.getOrder()),
                                           a.getCGALayout().getLinearLayout()});
      })
      .Case([](AMDRotatingSharedEncodingAttr a) {
        return made(layout::AmdRotatingShared{a.getVec(), a.getPerPhase(), a.getMaxPhase(),
                                              order(a.getOrder()),
                                              a.getCGALayout().getLinearLayout()});
      })
      .Case([](PaddedSharedEncodingAttr a) {
        return made(layout::PaddedShared{ints(a.getIntervals()), ints(a.getPaddings()),
                                         a.getLinearComponent()});
      })
      .Case([](SharedLinearEncodingAttr a) {
        return made(layout::SharedLinear{a.getLinearLayout(), a.getLayoutAlignment()});
      })
      .Case([](NVMMASharedEncodingAttr a) {
        return made(layout::NvmmaShared{a.getSwizzlingByteWidth(), a.getTransposed(),
                                        a.getElementBitWidth(), a.getFp4Padded(),
                                        a.getCGALayout().getLinearLayout()});
      })
      .Case([](PartitionedSharedEncodingAttr a) {
        return made(layout::PartitionedShared{a.getNumPartitions(), a.getNumGroups(),
                                              a.getPartitionDim(),
                                              toLayout(a.getPartitionLayout())});
      })
      .Case([](ttng::TensorMemoryEncodingAttr a) {
        return made(layout::TensorMemory{a.getBlockM(), a.getBlockN(), a.getColStride(),
                                         a.getCGALayout().getLinearLayout(), a.getTwoCTAs(),
                                         a.getFp4Padded()});
      })
      .Case([](ttng::TensorMemoryScalesEncodingAttr a) {
        return made(layout::TensorMemoryScales{
            a.getCGALayout().getLinearLayout(),
            a.getBlockRepOrder() == ttng::TensorMemoryScalesBlockRepOrder::K_THEN_MN});
      })
      .Default([](Attribute) { return layout::Layout(); });
}

const layout::Layout& toLayout(Attribute encoding) {
  static const layout::Layout none;
  if (!encoding) return none;
  auto& cache = cacheOf(encoding.getContext()).layouts;
  if (auto found = cache.find(encoding); found != cache.end()) return *found->second;
  // Made before it is entered: parents are entered on the way.
  auto layout = std::make_unique<layout::Layout>(makeLayout(encoding));
  return *(cache[encoding] = std::move(layout));
}

// ---------------------------------------------------------------- layout -> attribute

static SmallVector<unsigned> unsigneds(ArrayRef<int32_t> values) {
  return SmallVector<unsigned>(values.begin(), values.end());
}

namespace {
struct ToAttribute {
  MLIRContext* context;
  ttg::CGAEncodingAttr cga(const LinearLayout& linear) const {
    return ttg::CGAEncodingAttr::get(context, linear);
  }
  Attribute parent(const layout::Layout& layout) const { return fromLayout(context, layout); }

  Attribute operator()(const layout::Blocked& l) const {
    return ttg::BlockedEncodingAttr::get(context, unsigneds(l.sizePerThread),
                                         unsigneds(l.threadsPerWarp), unsigneds(l.warpsPerCTA),
                                         l.order, cga(l.CGALayout));
  }
  Attribute operator()(const layout::Slice& l) const {
    return ttg::SliceEncodingAttr::get(context, l.dim,
                                       cast<ttg::DistributedEncodingTrait>(parent(l.parent)));
  }
  Attribute operator()(const layout::Linear& l) const {
    if (l.generic) return ttg::GenericLinearEncodingAttr::get(context, l.linearLayout);
    return ttg::LinearEncodingAttr::get(context, l.linearLayout);
  }
  Attribute operator()(const layout::DotOperand& l) const {
    return ttg::DotOperandEncodingAttr::get(context, l.opIdx, parent(l.parent), l.kWidth);
  }
  Attribute operator()(const layout::NvidiaMma& l) const {
    return ttg::NvidiaMmaEncodingAttr::get(context, l.versionMajor, l.versionMinor,
                                           unsigneds(l.warpsPerCTA), cga(l.CGALayout),
                                           unsigneds(l.instrShape));
  }
  Attribute operator()(const layout::AmdMfma& l) const {
    return ttg::AMDMfmaEncodingAttr::get(context, l.version, unsigneds(l.warpsPerCTA),
                                         unsigneds(l.instrShape), l.isTransposed, cga(l.CGALayout),
                                         unsigneds(l.tilesPerWarp), l.elementBitWidth);
  }
  Attribute operator()(const layout::AmdWmma& l) const {
    return ttg::AMDWmmaEncodingAttr::get(context, l.version, l.ctaLayout, l.isTransposed,
                                         cga(l.CGALayout), unsigneds(l.instrShape));
  }
  Attribute operator()(const layout::SwizzledShared& l) const {
    return ttg::SwizzledSharedEncodingAttr::get(context, l.vec, l.perPhase, l.maxPhase, l.order,
                                                cga(l.CGALayout));
  }
  Attribute operator()(const layout::AmdRotatingShared& l) const {
    return ttg::AMDRotatingSharedEncodingAttr::get(context, l.vec, l.perPhase, l.maxPhase, l.order,
                                                   cga(l.CGALayout));
  }
  Attribute operator()(const layout::PaddedShared& l) const {
    return ttg::PaddedSharedEncodingAttr::get(context, unsigneds(l.intervals),
                                              unsigneds(l.paddings), l.linearComponent);
  }
  Attribute operator()(const layout::SharedLinear& l) const {
    return ttg::SharedLinearEncodingAttr::get(context, l.linearLayout, l.layoutAlignment);
  }
  Attribute operator()(const layout::NvmmaShared& l) const {
    return ttg::NVMMASharedEncodingAttr::get(context, l.swizzlingByteWidth, l.transposed,
                                             l.elementBitWidth, l.fp4Padded, cga(l.CGALayout));
  }
  Attribute operator()(const layout::PartitionedShared& l) const {
    return ttg::PartitionedSharedEncodingAttr::get(
        context, l.numPartitions, l.numGroups, l.partitionDim,
        cast<ttg::SharedEncodingTrait>(parent(l.partitionLayout)));
  }
  Attribute operator()(const layout::TensorMemory& l) const {
    return ttng::TensorMemoryEncodingAttr::get(context, l.blockM, l.blockN, l.colStride,
                                               cga(l.CGALayout), l.twoCTAs, l.fp4Padded);
  }
  Attribute operator()(const layout::TensorMemoryScales& l) const {
    using enum ttng::TensorMemoryScalesBlockRepOrder;
    return ttng::TensorMemoryScalesEncodingAttr::get(context, cga(l.CGALayout),
                                                     l.kThenMn ? K_THEN_MN : MN_THEN_K);
  }
};
} // namespace

// Calls `visitor` with the fields of a layout.
template <class... Kinds, class Visitor>
static Attribute visit(const layout::Layout& layout, const std::variant<Kinds...>*,
                       Visitor visitor) {
  Attribute result;
  auto tryKind = [&](const auto* fields) {
    if (fields) result = visitor(*fields);
    return fields != nullptr;
  };
  (tryKind(layout.as<Kinds>()) || ...);
  return result;
}

Attribute fromLayout(MLIRContext* context, const layout::Layout& layout) {
  if (!layout) return {};
  return visit(layout, static_cast<const layout::LayoutFields*>(nullptr), ToAttribute{context});
}

// ---------------------------------------------------------------- linear layouts

static const LinearLayout& invalid() {
  static const LinearLayout layout = LinearLayout::invalid();
  return layout;
}

const LinearLayout& toLinearLayout(ArrayRef<int64_t> shape, Attribute encoding) {
  if (!encoding) return invalid();
  MLIRContext* context = encoding.getContext();
  Type key = RankedTensorType::get(shape, IntegerType::get(context, 1), encoding);
  auto& cache = cacheOf(context).linear;
  if (auto found = cache.find(key); found != cache.end()) return *found->second;
  const layout::Layout& layout = toLayout(encoding);
  if (!layout) return invalid();
  auto linear = layout::toLinearLayout(layout, shape);
  auto& entry = cache[key];
  entry = std::make_unique<LinearLayout>(linear ? std::move(*linear) : LinearLayout::invalid());
  return *entry;
}

const LinearLayout& toLinearLayout(RankedTensorType type) {
  return toLinearLayout(type.getShape(), type.getEncoding());
}

LinearLayout toLinearLayout(ttg::MemDescType type) {
  auto& cache = cacheOf(type.getContext()).memory;
  if (auto found = cache.find(type); found != cache.end()) return *found->second;
  const layout::Layout& layout = toLayout(type.getEncoding());
  if (!layout) return invalid();
  layout::MemoryView view{type.getShape(), type.getAllocShape(), 0};
  view.elementBits = tt::bitWidth(type.getElementType());
  auto linear = layout::viewToLinearLayout(layout, view);
  auto& entry = cache[type];
  entry = std::make_unique<LinearLayout>(linear ? std::move(*linear) : LinearLayout::invalid());
  return *entry;
}

bool isGenericLinear(Attribute encoding) {
  if (auto operand = dyn_cast_or_null<ttg::DotOperandEncodingAttr>(encoding))
    return isGenericLinear(operand.getParent());
  if (auto slice = dyn_cast_or_null<ttg::SliceEncodingAttr>(encoding))
    return isGenericLinear(slice.getParent());
  if (auto wmma = dyn_cast_or_null<ttg::AMDWmmaEncodingAttr>(encoding))
    return !wmma.getCtaLayout().isPermutation();
  return isa_and_nonnull<ttg::GenericLinearEncodingAttr>(encoding);
}

Attribute linearEncoding(MLIRContext* context, const LinearLayout& linear, Attribute source) {
  if (!linear.valid()) return {};
  if (isGenericLinear(source)) return ttg::GenericLinearEncodingAttr::get(context, linear);
  return linear.isPermutation() ? ttg::LinearEncodingAttr::get(context, linear) : Attribute();
}

bool isExpensiveView(ArrayRef<int64_t> from, Attribute fromEncoding, ArrayRef<int64_t> to,
                     Attribute toEncoding) {
  const LinearLayout &a = toLinearLayout(from, fromEncoding), &b = toLinearLayout(to, toEncoding);
  if (!a.valid() || !b.valid()) return true;
  // Checks that the same bits replicate, and that each thread has as many registers.
  return a.freeMasks() != b.freeMasks() || a.inBits(Dim::Register) != b.inBits(Dim::Register);
}

} // namespace gluond::ir
