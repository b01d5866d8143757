// Costs of memory accesses: known cases, and counting against linear reasoning.
#include "Generators.h"
#include "layout/access/GlobalAccess.h"
#include "layout/access/Phases.h"
#include "layout/access/SharedAccess.h"
#include "layout/exchange/SharedExchange.h"
#include "layout/instructions/AmdSharedLayouts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::layout::test {
namespace {

LinearLayout linear(const Layout& layout, std::vector<int64_t> shape) {
  return *toLinearLayout(layout, shape);
}

TEST(SharedAccess, ColumnsOfRowsConflict) {
  // One lane a row of 32 words: all lanes hit one bank.
  Layout columns = *Layout::make(Blocked{{1, 1}, {32, 1}, {1, 1}, {0, 1}, {}});
  Layout rows = *Layout::make(Blocked{{1, 1}, {1, 32}, {1, 1}, {1, 0}, {}});
  Layout plain = *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}});
  Layout swizzled = *Layout::make(SwizzledShared{1, 1, 32, {1, 0}, {}});
  auto conflicts = [&](const Layout& registers, const Layout& shared) {
    return sharedAccessCost(linear(registers, {32, 32}), linear(shared, {32, 32}), 32)->conflicts;
  };
  // A lane's registers run along its row, so it reads 128 bits at once, eight lanes in a phase:
  // 8-way.
  EXPECT_EQ(conflicts(columns, plain), 7);
  EXPECT_EQ(conflicts(rows, plain), 0);
  EXPECT_EQ(conflicts(columns, swizzled), 0);
  EXPECT_EQ(conflicts(rows, swizzled), 0);
}

TEST(SharedAccess, PaddingAvoidsConflicts) {
  Layout columns = *Layout::make(Blocked{{1, 1}, {32, 1}, {1, 1}, {0, 1}, {}});
  LinearLayout rows =
      LinearLayout::identityND(Dim::Offset, {32, 32}, {1, 0}).transposeOuts(tensorDims(2)) *
      oneCta(2);
  auto traffic = [&](Ints intervals, Ints paddings) {
    Layout padded = *Layout::make(PaddedShared{intervals, paddings, rows});
    std::vector<int64_t> shape{32, 32};
    return *countSharedTraffic(columns, padded, {shape, shape, 32}, false);
  };
  SharedTraffic one = traffic({32}, {1});
  EXPECT_EQ(one.wavefronts, one.least);
  EXPECT_EQ(one.instructions, 32);
  SharedTraffic none = traffic({1024}, {1});
  EXPECT_EQ(none.wavefronts, 32 * none.least);
}

// A slice has the rows of the whole buffer, so that they are as far apart as there.
TEST(SharedAccess, SlicesHaveTheRowsOfTheirBuffer) {
  Layout registers = *Layout::make(Blocked{{1, 1}, {32, 1}, {1, 1}, {0, 1}, {}});
  Layout plain = *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}});
  LinearLayout rows =
      LinearLayout::identityND(Dim::Offset, {32, 128}, {1, 0}).transposeOuts(tensorDims(2)) *
      oneCta(2);
  Layout padded = *Layout::make(PaddedShared{{128}, {8}, rows});
  std::vector<int64_t> slice{32, 8}, whole{32, 128};
  // 8 halves of a lane are 16 bytes: four phases of eight lanes, whose rows are 256 bytes apart.
  auto traffic = *countSharedTraffic(registers, plain, {slice, whole, 16}, false);
  EXPECT_EQ(traffic.elements, 8);
  EXPECT_EQ(traffic.least, 4);
  EXPECT_EQ(traffic.wavefronts, 8 * 4);
  EXPECT_EQ(sharedAccessCost(linear(registers, slice), linear(plain, whole), 16)->conflicts, 7);
  auto instruction = *sharedInstruction(registers, plain, {slice, whole, 16}, false, 0, 0);
  EXPECT_EQ(instruction.addresses[1], 256);
  // With 16 bytes of padding they have banks of their own.
  traffic = *countSharedTraffic(registers, padded, {slice, whole, 16}, false);
  EXPECT_EQ(traffic.wavefronts, traffic.least);
  EXPECT_EQ(sharedInstruction(registers, padded, {slice, whole, 16}, false, 0, 0)->addresses[1],
            272);
  // A buffer as narrow as the slice has its rows side by side.
  traffic = *countSharedTraffic(registers, plain, {slice, slice, 16}, false);
  EXPECT_EQ(traffic.wavefronts, traffic.least);
}

// A lane names the row of a matrix that begins at an element.
TEST(SharedAccess, RowsOfMatricesBeginAtElements) {
  Layout product = *Layout::make(NvidiaMma{2, 0, {1, 1}, *makeCga({}, 2), {16, 8}});
  Layout operand = *Layout::make(DotOperand{0, product, 2});
  Layout plain = *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}});
  std::vector<int64_t> shape{16, 16};
  auto instruction =
      *sharedInstruction(operand, plain, {shape, shape, 16}, false, 0, 0, banksOf("cuda:90"));
  ASSERT_EQ(instruction.elements.size(), 32u);
  for (size_t lane = 0; lane < 32; ++lane) {
    ASSERT_EQ(instruction.elements[lane].size(), 2u);
    EXPECT_EQ(instruction.addresses[lane],
              2 * (instruction.elements[lane][0] * 16 + instruction.elements[lane][1]));
  }
}

// The lanes of the first phase, as measured on MI300X and MI355X.
TEST(SharedAccess, PhasesOfAmd) {
  using testing::ElementsAre;
  auto first = [](llvm::StringRef target, unsigned laneBits, int64_t bytes, bool isStore) {
    std::vector<unsigned> lanes;
    auto phases = phaseOf(banksOf(target), laneBits, bytes, isStore).ofLanes(laneBits);
    for (unsigned lane = 0; lane < phases.size(); ++lane)
      if (phases[lane] == 0) lanes.push_back(lane);
    return lanes;
  };
  EXPECT_THAT(first("hip:gfx942", 6, 16, false), ElementsAre(0, 1, 2, 3, 20, 21, 22, 23));
  EXPECT_THAT(first("hip:gfx942", 6, 16, true), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(first("hip:gfx950", 6, 16, false),
              ElementsAre(0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27));
  EXPECT_THAT(first("hip:gfx950", 6, 16, true), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(first("hip:gfx950", 6, 8, false).size(), 32u);
  EXPECT_EQ(first("hip:gfx950", 6, 8, true).size(), 16u);
  EXPECT_EQ(first("hip:gfx950", 6, 4, false).size(), 32u);
  EXPECT_EQ(first("hip:gfx1200", 5, 16, false).size(), 8u);
  EXPECT_EQ(first("hip:gfx1250", 5, 16, false).size(), 16u);
}

// Triton pads operands for CDNA 4 such that lanes that are served together use different banks.
TEST(SharedAccess, TritonsPaddedOperandsHaveNoConflicts) {
  constexpr unsigned bits = 16, kWidth = 8; // 16 bytes of a lane
  BankModel model = banksOf("hip:gfx950");
  unsigned tried = 0;
  for (int side : {16, 32})
    for (int64_t rows : {64, 128, 256})
      for (int64_t k : {32, 64, 128, 256}) {
        int64_t shape[] = {rows, k};
        auto padded = cdna4PaddedLayout({0, kWidth, side, *makeCga({}, 2)}, shape, bits, true);
        if (!padded) continue;
        Layout product = *Layout::make(
            AmdMfma{4, {2, 2}, {side, side, side == 16 ? 32 : 16}, true, *makeCga({}, 2), {}, 32});
        Layout operand = *Layout::make(DotOperand{0, product, kWidth});
        auto traffic = countSharedTraffic(operand, *padded, {shape, shape, bits}, false, 0, model);
        ASSERT_TRUE(traffic);
        EXPECT_EQ(traffic->elements, 8);
        EXPECT_EQ(traffic->wavefronts, traffic->least) << side << ": " << rows << "x" << k;
        ++tried;
      }
  EXPECT_GE(tried, 12u);
}

// Both sides hold two bits of the tensor in registers besides what is contiguous: a transposition
// moves four elements at once on both, whatever the size of a warp and the number of banks.
TEST(SharedExchange, IsWideOnBothSidesForEveryChip) {
  for (llvm::StringRef target : {"cuda:90", "hip:gfx942", "hip:gfx950", "hip:gfx1200"}) {
    auto lanes = static_cast<int>(chips::findChip(target)->warpSize);
    LinearLayout rows =
        linear(*Layout::make(Blocked{{1, 4}, {lanes / 8, 8}, {4, 1}, {1, 0}, {}}), {64, 64});
    LinearLayout columns =
        linear(*Layout::make(Blocked{{4, 1}, {8, lanes / 8}, {1, 4}, {0, 1}, {}}), {64, 64});
    BankModel model = banksOf(target);
    model.hasLoadMatrix = model.hasStoreMatrix = false;
    auto exchange = sharedExchange(rows, columns, 32, mostExchangeBytes, model);
    ASSERT_TRUE(exchange) << target.str();
    ExchangeInstructions made = exchangeInstructions(*exchange, rows, columns, 32, model);
    EXPECT_EQ(made.storeBytes, 16) << target.str();
    EXPECT_EQ(made.loadBytes, 16) << target.str();
    for (bool isStore : {true, false})
      EXPECT_EQ(sharedAccessCost(isStore ? rows : columns, exchange->shared, 32, model, isStore)
                    ->conflicts,
                0)
          << target.str() << (isStore ? ", stores" : ", loads");
  }
}

// What a thread exchanges at once leaves memory to the cache: 8,192 halves of 128 threads need two
// rounds on NVIDIA's chips, where the cache and shared memory are one memory.
TEST(SharedExchange, ThreadsExchangeSoMuchThatHalfOfTheMemoryIsLeftToTheCache) {
  LinearLayout rows =
      linear(*Layout::make(Blocked{{1, 4}, {2, 16}, {4, 1}, {1, 0}, {}}), {128, 64});
  LinearLayout columns =
      linear(*Layout::make(Blocked{{1, 4}, {8, 4}, {4, 1}, {1, 0}, {}}), {128, 64});
  for (auto [target, rounds] : {std::pair("cuda:90", 2), std::pair("hip:gfx1200", 1)}) {
    BankModel model = banksOf(target);
    auto exchange = sharedExchange(rows, columns, 16, exchangeLimit(rows, model), model);
    ASSERT_TRUE(exchange) << target;
    EXPECT_EQ(1 << exchange->repetitionBits, rounds) << target;
  }
}

// Here an exchange by words has no rounds, and one by matrices, which takes half as many
// instructions, would have two: it is done at once, too, in as much memory as the other.
TEST(SharedExchange, MatricesAreTakenWhereOnlyTheyCouldBeRepeated) {
  LinearLayout product =
      linear(*Layout::make(NvidiaMma{2, 0, {4, 2}, *makeCga({}, 2), {16, 8}}), {128, 128});
  LinearLayout rows =
      linear(*Layout::make(Blocked{{1, 8}, {2, 16}, {8, 1}, {1, 0}, {}}), {128, 128});
  BankModel model = banksOf("cuda:90");
  auto exchange = sharedExchange(product, rows, 16, exchangeLimit(product, model), model);
  ASSERT_TRUE(exchange);
  ExchangeInstructions made = exchangeInstructions(*exchange, product, rows, 16, model);
  EXPECT_EQ(made.stores, 8);
  EXPECT_EQ(made.loads, 8);
  EXPECT_EQ(made.loadBytes, 16);
  EXPECT_EQ(made.barriers, 1);
}

// Lanes that load the same leave banks to others: the rows of an operand of products by threads,
// each of which eight lanes load, lie in different banks.
TEST(SharedExchange, LanesThatLoadTheSameLeaveBanksToOthers) {
  BankModel model = banksOf("cuda:90");
  LinearLayout rows = linear(*Layout::make(Blocked{{1, 4}, {8, 4}, {4, 1}, {1, 0}, {}}), {64, 16});
  Layout threads = *Layout::make(Blocked{{4, 4}, {4, 8}, {4, 1}, {1, 0}, {}});
  LinearLayout operand =
      linear(*Layout::make(DotOperand{0, threads, 0}), {64, 16}).removeZeroBases(Dim::Register);
  auto exchange = sharedExchange(rows, operand, 32, mostExchangeBytes, model);
  ASSERT_TRUE(exchange);
  LinearLayout offsets = *operand.invertAndCompose(exchange->shared);
  constexpr uint64_t bytesOfBanks = 128, bytes = 4;
  uint64_t third = offsets.columns(Dim::Lane)[3] * bytes,
           fourth = offsets.columns(Dim::Lane)[4] * bytes;
  for (uint64_t difference : {third, fourth, third ^ fourth})
    EXPECT_NE(difference % bytesOfBanks, 0u) << difference;
}

TEST(SharedAccess, WidestAccess) {
  Layout registers = *Layout::make(Blocked{{1, 8}, {4, 8}, {1, 1}, {1, 0}, {}});
  Layout plain = *Layout::make(SwizzledShared{1, 1, 1, {1, 0}, {}});
  auto elements = [&](const Layout& shared, unsigned bits) {
    return sharedAccessCost(linear(registers, {32, 64}), linear(shared, {32, 64}), bits)->elements;
  };
  EXPECT_EQ(elements(plain, 16), 8);
  EXPECT_EQ(elements(plain, 32), 4);
  EXPECT_EQ(elements(*Layout::make(SwizzledShared{2, 1, 8, {1, 0}, {}}), 16), 2);
  EXPECT_EQ(elements(*Layout::make(SwizzledShared{1, 1, 1, {0, 1}, {}}), 16), 1);
  // With a limit, registers are not reordered.
  LinearLayout cvt = *linear(registers, {32, 64}).invertAndCompose(linear(plain, {32, 64}));
  EXPECT_EQ(widestSharedAccess(cvt, 16, 4).elements, 4);
}

TEST(SharedAccess, CountingAgreesWithIntersection) {
  Generator g(21);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    unsigned rank = static_cast<unsigned>(1 + g.upTo(1));
    std::vector<int64_t> shape = g.shape(rank, 5, 7);
    Layout registers = *Layout::make(Blocked{g.split(g.oneOf<int64_t>({1, 2, 4, 8}), rank),
                                             g.split(32, rank),
                                             g.split(4, rank),
                                             g.order(rank),
                                             {}});
    Layout shared = g.swizzled(rank);
    unsigned bits = g.oneOf({8u, 16u, 32u, 64u});
    OrError<SharedAccessCost> cost =
        sharedAccessCost(linear(registers, shape), linear(shared, shape), bits);
    OrError<SharedTraffic> traffic = countSharedTraffic(registers, shared, {shape, shape, bits},
                                                        false, static_cast<unsigned>(g.upTo(3)));
    ASSERT_TRUE(cost && traffic);
    EXPECT_EQ(cost->elements, traffic->elements);
    // For linear layouts every phase costs the same. (Narrow elements that share a word do not
    // conflict, though the intersection counts whole accesses: it is exact from 32 bits on.)
    if (cost->elements * bits < 32) continue;
    EXPECT_EQ(traffic->wavefronts, traffic->least * (cost->conflicts + 1))
        << linear(registers, shape).toString() << linear(shared, shape).toString() << bits;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(GlobalAccess, RowsAndColumns) {
  // The layouts of the tutorial on copies: along the rows of a row-major tensor, or across them.
  Layout along = *Layout::make(Blocked{{1, 1}, {1, 32}, {1, 4}, {1, 0}, {}});
  Layout across = *Layout::make(Blocked{{2, 1}, {32, 1}, {4, 1}, {0, 1}, {}});
  GlobalTensor rowMajor{{4096, 1}, 32, 16};
  GlobalAccessCost good = *globalAccessCost(linear(along, {32, 128}), rowMajor);
  EXPECT_EQ(good.sectors, good.leastSectors);
  EXPECT_EQ(good.sectors, good.instructions * 4); // 32 lanes of 4 bytes
  EXPECT_EQ(good.lines, good.instructions);
  EXPECT_EQ(good.efficiency(), 1.0);
  GlobalAccessCost bad = *globalAccessCost(linear(across, {256, 32}), rowMajor);
  EXPECT_EQ(bad.elements, 1);
  EXPECT_EQ(bad.sectors, bad.instructions * 32);
  EXPECT_EQ(bad.efficiency(), 0.125);
}

TEST(GlobalAccess, Vectors) {
  Layout layout = *Layout::make(Blocked{{1, 8}, {4, 8}, {4, 1}, {1, 0}, {}});
  auto width = [&](llvm::SmallVector<int64_t, 4> strides, unsigned bits, int64_t alignment) {
    return widestGlobalAccess(linear(layout, {64, 64}), {strides, bits, alignment});
  };
  EXPECT_EQ(width({1024, 1}, 16, 16), 8);
  EXPECT_EQ(width({1024, 1}, 32, 16), 4); // 128 bits
  EXPECT_EQ(width({1024, 1}, 16, 4), 2);  // the base is aligned to two elements only
  EXPECT_EQ(width({1022, 1}, 16, 16), 2); // rows begin anywhere
  EXPECT_EQ(width({1, 1024}, 16, 16), 1); // consecutive along the other dimension
  EXPECT_EQ(width({1024, 2}, 16, 16), 1);
  EXPECT_EQ(width({1024}, 16, 16), 1); // the wrong rank
  EXPECT_FALSE(globalAccessCost(linear(layout, {64, 64}), {{1024}, 16, 16}));
}

// Sectors, lines and elements of all instructions of warp 1, lane by lane.
GlobalAccessCost countedOneByOne(const LinearLayout& registers, const GlobalTensor& tensor) {
  LinearLayout unique = registers.removeZeroBases(Dim::Register);
  GlobalAccessCost cost;
  cost.elements = widestGlobalAccess(unique, tensor);
  cost.instructions = unique.inSize(Dim::Register) / cost.elements;
  for (int64_t i = 0; i < cost.instructions; ++i) {
    std::set<int64_t> sectors, lines, starts;
    for (int64_t lane = 0; lane < unique.inSize(Dim::Lane); ++lane) {
      auto at = unique.apply({{Dim::Register, static_cast<uint64_t>(i * cost.elements)},
                              {Dim::Lane, static_cast<uint64_t>(lane)},
                              {Dim::Warp, 1}});
      int64_t first = 0, size = tensor.elementBits / 8;
      for (auto [coordinate, stride] : llvm::zip_equal(at, tensor.strides))
        first += coordinate * stride * size;
      starts.insert(first);
      for (int64_t byte : {first, first + cost.elements * size - 1}) {
        sectors.insert(byte / 32);
        lines.insert(byte / 128);
      }
    }
    cost.sectors += static_cast<int64_t>(sectors.size());
    cost.lines += static_cast<int64_t>(lines.size());
    cost.leastSectors +=
        (static_cast<int64_t>(starts.size()) * cost.elements * tensor.elementBits / 8 + 31) / 32;
  }
  return cost;
}

TEST(GlobalAccess, IsCountedAsOneByOne) {
  Generator random(3);
  for (int run = 0; run < 500; ++run) {
    unsigned rank = static_cast<unsigned>(1 + random.upTo(2));
    Layout layout = random.chance(0.5) ? random.blocked(rank) : random.distributed(rank);
    auto map = toLinearLayout(layout, random.shape(rank, 1, 6));
    if (!map || !map->hasIn(Dim::Lane) || map->inSize(Dim::Register) > 512) continue;
    GlobalTensor tensor{{}, random.oneOf<unsigned>({8, 16, 32, 64}), 16};
    for (unsigned dim = 0; dim < rank; ++dim)
      tensor.strides.push_back(random.oneOf<int64_t>({0, 1, 2, 3, 16, 17, 64, 100, 1024, 1027}));
    auto cost = globalAccessCost(*map, tensor, /*warp=*/1);
    ASSERT_TRUE(cost);
    GlobalAccessCost expected = countedOneByOne(*map, tensor);
    EXPECT_EQ(cost->instructions, expected.instructions);
    EXPECT_EQ(cost->sectors, expected.sectors) << run;
    EXPECT_EQ(cost->lines, expected.lines) << run;
    EXPECT_EQ(cost->leastSectors, expected.leastSectors) << run;
  }
}

TEST(GlobalAccess, AbsurdStridesDoNotOverflow) {
  Layout layout = *Layout::make(Blocked{{1, 8}, {4, 8}, {4, 1}, {1, 0}, {}});
  EXPECT_TRUE(globalAccessCost(linear(layout, {64, 64}), {{INT64_MAX, INT64_MIN}, 64, 16}));
}

} // namespace
} // namespace gluond::layout::test
