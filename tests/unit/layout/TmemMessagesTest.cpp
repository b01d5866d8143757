// Messages between registers and tensor memory: every register meets the cell that holds its
// element.
#include "layout/instructions/TmemMessages.h"

#include "layout/named/Layout.h"

#include <gtest/gtest.h>

namespace gluond::test {
namespace {

using namespace layout;

struct Memory {
  int64_t rows, columns;
  unsigned blockM, blockN, colStride, bits;
};

std::optional<LinearLayout> cellsOf(const Memory& memory) {
  auto layout = Layout::make(TensorMemory{.blockM = memory.blockM,
                                          .blockN = memory.blockN,
                                          .colStride = memory.colStride,
                                          .CGALayout = oneCta(2)});
  if (!layout) return std::nullopt;
  auto cells = toLinearLayout(*layout, {memory.rows, memory.columns});
  if (!cells) return std::nullopt;
  return *cells;
}

// Compares what the messages move with what the layouts say, for all threads.
void check(const LinearLayout& registers, const LinearLayout& cells, const TmemMessages& messages,
           unsigned bits, unsigned warps) {
  LinearLayout tile = tmemAtomTile(messages.atom, messages.unpacked, true);
  tile.timesIdentity(int64_t(messages.words) / tile.inSize(Dim::Register), Dim::Register, Dim::Col);
  const bool hasHalves = messages.atom == TmemAtom::I16x32bx2;
  // Elements from one cell to the next, and from one element of a word to the next.
  const uint64_t perCell = 32 / bits, step = messages.unpacked ? perCell : 1;
  auto elements = cells.sublayout({Dim::Row, Dim::Col}, {tensorDim(0), tensorDim(1)});
  auto held =
      registers.sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {tensorDim(0), tensorDim(1)});
  for (uint64_t word = 0; word < messages.order.size(); ++word)
    for (uint64_t lane = 0; lane < 32; ++lane)
      for (uint64_t warp = 0; warp < warps; ++warp) {
        Coordinates at = messages.places.apply(
            {{Dim::Register, word / messages.words * messages.words}, {Dim::Warp, warp}});
        Coordinates within = tile.apply({{Dim::Register, word % messages.words},
                                         {Dim::Lane, hasHalves ? lane % 16 : lane},
                                         {Dim::Warp, warp % 4}});
        for (unsigned i : {0u, 1u}) {
          at[i] += within[i];
          if (hasHalves && lane >= 16) at[i] += messages.secondHalf[i];
        }
        for (uint64_t part = 0; part < messages.perWord; ++part) {
          uint64_t number = uint64_t(messages.order[word]) * messages.perWord + part;
          uint64_t column = static_cast<uint64_t>(at[1]) * perCell + part * step;
          ASSERT_EQ(elements.apply({{Dim::Row, static_cast<uint64_t>(at[0])}, {Dim::Col, column}}),
                    held.apply({{Dim::Register, number}, {Dim::Lane, lane}, {Dim::Warp, warp}}))
              << "register " << number << ", lane " << lane << ", warp " << warp;
        }
      }
}

TEST(TmemMessages, EveryRegisterMeetsItsCell) {
  const Memory memories[] = {
      {128, 64, 128, 64, 1, 32},  {128, 256, 128, 128, 1, 32}, {64, 64, 64, 64, 1, 32},
      {64, 128, 64, 64, 1, 32},   {256, 64, 128, 64, 1, 32},   {128, 64, 128, 64, 1, 16},
      {128, 64, 128, 64, 2, 16},  {64, 64, 64, 64, 2, 16},     {128, 128, 128, 128, 1, 8},
      {128, 128, 128, 128, 4, 8},
  };
  unsigned checked = 0;
  for (const Memory& memory : memories) {
    auto cells = cellsOf(memory);
    ASSERT_TRUE(cells);
    for (TmemAtom atom :
         {TmemAtom::I32x32b, TmemAtom::I16x64b, TmemAtom::I16x128b, TmemAtom::I16x256b})
      for (unsigned warps : {4u, 8u})
        for (int maxRegisters : {64, 128, 256}) {
          auto registers = tmemRegisterLayout(*cells, atom, warps, memory.bits);
          if (!registers) continue;
          LinearLayout held = registers->removeZeroBases(Dim::Register);
          auto messages = tmemMessages(held, *cells, memory.bits, maxRegisters);
          ASSERT_TRUE(messages) << memory.rows << "x" << memory.columns;
          EXPECT_LE(int(messages->words), maxRegisters / 2);
          EXPECT_EQ(static_cast<int64_t>(messages->order.size() * messages->perWord),
                    held.inSize(Dim::Register));
          check(held, *cells, *messages, memory.bits, warps);
          ++checked;
        }
  }
  EXPECT_GE(checked, 100u);
}

TEST(TmemMessages, OtherLayoutsHaveNone) {
  auto cells = cellsOf({128, 64, 128, 64, 1, 32});
  ASSERT_TRUE(cells);
  auto registers = tmemRegisterLayout(*cells, TmemAtom::I32x32b, 4, 32);
  ASSERT_TRUE(registers);
  // Two lanes change places.
  f2::ColumnVector lanes(registers->columns(Dim::Lane));
  std::swap(lanes[0], lanes[1]);
  EXPECT_FALSE(tmemMessages(registers->withColumns(Dim::Lane, lanes), *cells, 32, 256));
  // Registers may come in any order.
  f2::ColumnVector columns(registers->columns(Dim::Register));
  std::swap(columns[0], columns[3]);
  EXPECT_TRUE(tmemMessages(registers->withColumns(Dim::Register, columns), *cells, 32, 256));
}

} // namespace
} // namespace gluond::test
