// Whatever a program writes as a layout: a message or an answer, never a crash or a long wait.
#include "Generators.h"
#include "layout/access/GlobalAccess.h"
#include "layout/access/SharedAccess.h"
#include "layout/exchange/ConvertLayout.h"
#include "layout/instructions/AmdSharedLayouts.h"
#include "layout/instructions/ScaleLayouts.h"
#include "layout/instructions/TmemRegisters.h"
#include "layout/picture/Picture.h"

#include <gtest/gtest.h>

namespace gluond::layout::test {
namespace {

// Mostly sensible numbers, with the worst ones in between.
class Nonsense {
public:
  explicit Nonsense(unsigned seed) : g(seed) {}
  int32_t number() {
    if (g.chance(0.8)) return 1 << g.upTo(6);
    return g.oneOf<int32_t>({0, -1, 3, 7, 1 << 20, 1 << 30, INT32_MAX, INT32_MIN});
  }
  unsigned size() { return g.chance(0.8) ? 1u << g.upTo(8) : static_cast<unsigned>(number()); }
  unsigned rank() {
    return static_cast<unsigned>(g.chance(0.85) ? 1 + g.upTo(3) : g.oneOf({0, 11, 12, 13, 20}));
  }
  Ints ints(unsigned n) {
    Ints result;
    if (g.chance(0.05)) ++n;
    for (unsigned i = 0; i < n; ++i)
      result.push_back(number());
    return result;
  }
  Order order(unsigned n) {
    Order result = g.order(n);
    if (n && g.chance(0.05)) result[0] = size();
    return result;
  }
  LinearLayout linear(Dims ins, unsigned n) {
    Bases bases[4];
    llvm::SmallVector<LinearLayout::InBases, 4> list;
    for (auto [i, in] : llvm::enumerate(ins)) {
      for (int64_t count = g.upTo(g.chance(0.9) ? 6 : 40); count > 0; --count) {
        Coordinates basis(n, 0);
        if (n && g.chance(0.8))
          basis[static_cast<size_t>(g.upTo(n - 1))] = g.chance(0.9) ? 1 << g.upTo(7) : number();
        bases[i].push_back(basis);
      }
      list.push_back({in, bases[i]});
    }
    return LinearLayout::fromBases(list, llvm::ArrayRef(tensorDims(std::min(n, maxRank))))
        .value_or(LinearLayout::invalid());
  }
  LinearLayout cga(unsigned n) {
    if (g.chance(0.5)) return {};
    return g.chance(0.5)      ? linear({Dim::Block}, n)
           : n && n < maxRank ? g.cga(n, 1 << g.upTo(3))
                              : LinearLayout();
  }
  std::vector<int64_t> shape(unsigned n) {
    std::vector<int64_t> result;
    if (g.chance(0.05)) ++n;
    for (unsigned i = 0; i < n; ++i)
      result.push_back(g.chance(0.95) ? int64_t(1) << g.upTo(n > 4 ? 2 : 7)
                                      : g.oneOf<int64_t>({0, -1, 3, 1 << 30, int64_t(1) << 40,
                                                          INT64_MAX, INT64_MIN}));
    return result;
  }

  OrError<Layout> layout(int depth = 0) {
    unsigned n = rank();
    switch (g.upTo(14)) {
    case 0:
      return Layout::make(Blocked{ints(n), ints(n), ints(n), order(n), cga(n)});
    case 1:
    case 2: {
      OrError<Layout> parent = depth < 3 ? layout(depth + 1) : OrError<Layout>(Layout());
      if (!parent) return parent;
      if (g.chance(0.5)) return Layout::make(Slice{static_cast<unsigned>(g.upTo(4)), *parent});
      return Layout::make(
          DotOperand{static_cast<unsigned>(g.upTo(2)), *parent, g.chance(0.5) ? 0 : size()});
    }
    case 3:
      return Layout::make(
          Linear{linear({Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}, n), g.chance(0.8)});
    case 4:
      return Layout::make(NvidiaMma{static_cast<unsigned>(g.upTo(4)), size(), ints(n), cga(n),
                                    g.chance(0.7) ? Ints{16, 8} : ints(n)});
    case 5:
      return Layout::make(AmdMfma{static_cast<unsigned>(g.upTo(5)), ints(n),
                                  g.chance(0.8) ? Ints{32, 32, 8} : ints(3), g.chance(0.5), cga(n),
                                  g.chance(0.5) ? Ints() : ints(n), g.oneOf({0u, 32u, 64u, 7u})});
    case 6:
      return Layout::make(AmdWmma{static_cast<unsigned>(g.upTo(4)),
                                  linear({Dim::Register, Dim::Warp}, n), g.chance(0.5), cga(n),
                                  g.chance(0.8) ? Ints{} : ints(3)});
    case 7:
      return Layout::make(SwizzledShared{size(), size(), size(), order(n), cga(n)});
    case 8:
      return Layout::make(PaddedShared{ints(2), ints(2), linear({Dim::Offset, Dim::Block}, n)});
    case 9:
      return Layout::make(SharedLinear{linear({Dim::Offset, Dim::Block}, n), size()});
    case 10:
      return Layout::make(NvmmaShared{g.oneOf({0u, 32u, 64u, 128u, 17u}), g.chance(0.5), size(),
                                      g.chance(0.3), n < maxRank ? oneCta(n) : LinearLayout()});
    case 11:
      return Layout::make(AmdRotatingShared{size(), size(), size(), order(n), cga(n)});
    case 12: {
      OrError<Layout> inner = depth < 3 ? layout(depth + 1) : OrError<Layout>(Layout());
      if (!inner) return inner;
      return Layout::make(
          PartitionedShared{size(), size(), static_cast<unsigned>(g.upTo(3)), *inner});
    }
    case 13:
      return Layout::make(TensorMemory{g.oneOf({64u, 128u, 0u}), size(), g.oneOf({1u, 2u, 4u, 3u}),
                                       cga(2), g.chance(0.3), g.chance(0.2)});
    default:
      return Layout::make(TensorMemoryScales{cga(2), g.chance(0.5)});
    }
  }

  Generator g;
};

TEST(Hostile, AnyLayoutAnyShape) {
  Nonsense n(31);
  int made = 0, converted = 0;
  LinearLayout last;
  Layout lastShared;
  for (int i = 0; i < 20000; ++i) {
    OrError<Layout> layout = n.layout();
    if (!layout) {
      EXPECT_FALSE(layout.error().message.empty());
      continue;
    }
    ++made;
    (void)layout->hash();
    (void)layout->alignment();
    unsigned rank = layout->rank();
    OrError<LinearLayout> cga = layout->cgaLayout();
    std::vector<int64_t> shape = n.shape(rank), alloc = n.g.chance(0.5) ? shape : n.shape(rank);
    MemoryView view{shape, alloc, n.g.oneOf({0u, 1u, 4u, 8u, 16u, 32u, 64u, 128u})};
    (void)shapePerCta(*layout, shape);
    (void)checkMemory(*layout, view);
    (void)tensorMemorySize(*layout, view);
    (void)viewToLinearLayout(*layout, view);
    if (cga)
      (void)cdna4PaddedLayout({n.g.oneOf({0u, 1u}), n.number(), n.g.oneOf({16, 32}), *cga}, shape,
                              view.elementBits, n.g.chance(0.5));
    OrError<LinearLayout> linear = toLinearLayout(*layout, shape);
    if (!linear) continue;
    ++converted;
    ASSERT_TRUE(linear->valid());
    if (layout->isDistributed()) {
      (void)sizePerThread(*linear);
      (void)tmemSplitAlongN(*linear, n.number(), n.g.oneOf({8u, 16u, 32u}));
      llvm::SmallVector<int64_t, 4> strides;
      for (unsigned d = 0; d < rank; ++d)
        strides.push_back(n.g.chance(0.9) ? n.number() : INT64_MAX);
      if (i % 8 == 0)
        (void)globalAccessCost(*linear, {strides, view.elementBits, n.number()}, n.size());
      (void)conversionCost(*linear, last, view.elementBits);
      if (lastShared && i % 8 == 0)
        (void)countSharedTraffic(*layout, lastShared, {shape, shape, view.elementBits},
                                 n.size() % 2, n.size(), banksOf("cuda:90"));
      last = *linear;
    } else if (layout->isShared()) {
      (void)sharedAccessCost(last, *linear, view.elementBits);
      (void)sharedOrderOf(*layout, rank);
      lastShared = *layout;
    } else {
      for (TmemAtom atom :
           {TmemAtom::I32x32b, TmemAtom::I16x64b, TmemAtom::I16x128b, TmemAtom::I16x256b})
        (void)tmemRegisterLayout(*linear, atom, n.size(), view.elementBits);
    }
    if (i % 16 == 0) {
      LayoutPicture picture{*layout, *linear, std::string("\xff<&\x01", 4), "f16",
                            view.elementBits};
      (void)renderText(picture, {n.size() % 200, n.size() % 50, 2});
      (void)renderSvg(picture, {n.size() % 20, n.size() % 20});
      (void)report(picture);
    }
  }
  EXPECT_GT(made, 5000);
  EXPECT_GT(converted, 3000);
}

TEST(Hostile, ScaleLayouts) {
  Nonsense n(32);
  for (int i = 0; i < 2000; ++i) {
    std::vector<int64_t> shape = n.shape(2);
    (void)mfmaScaleLayout({static_cast<unsigned>(n.g.upTo(2)), n.size(), n.ints(2), n.ints(2)},
                          shape);
    (void)wmmaScaleLayout({static_cast<unsigned>(n.g.upTo(2)), n.size(), n.size(), n.g.chance(0.5),
                           n.size(), n.linear({Dim::Register, Dim::Warp}, 2), n.cga(2)},
                          shape);
  }
}

} // namespace
} // namespace gluond::layout::test
