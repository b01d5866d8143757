#include "layout/instructions/TmemMessages.h"

#include "layout/named/Properties.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {

// `access` with the bits of `tile` as its first register bits, and the original bit of each;
// nullopt if it lacks one.
struct Reordered {
  LinearLayout access;
  llvm::SmallVector<unsigned> bits;
};
std::optional<Reordered> registersOfTileFirst(const LinearLayout& access,
                                              const LinearLayout& tile) {
  f2::Columns columns = access.columns(Dim::Register);
  Reordered made;
  for (unsigned i = 0; i < tile.inBits(Dim::Register); ++i) {
    Coordinates at{tile.basis(Dim::Register, i, Dim::Row), tile.basis(Dim::Register, i, Dim::Col)};
    if (at[0] >= access.outSize(Dim::Row) || at[1] >= access.outSize(Dim::Col)) return std::nullopt;
    const auto* found = llvm::find(columns, access.pack(at));
    if (found == columns.end()) return std::nullopt;
    made.bits.push_back(static_cast<unsigned>(found - columns.begin()));
  }
  for (unsigned i = 0; i < columns.size(); ++i)
    if (!llvm::is_contained(made.bits, i)) made.bits.push_back(i);
  made.access = access.selectBits(Dim::Register, made.bits);
  return made;
}

// Whether `access` is the tile, repeated at places outside the tile.
bool repeats(const LinearLayout& access, const LinearLayout& tile) {
  llvm::SmallVector<int32_t> reach(2);
  for (Dim in : tile.inDims())
    for (unsigned i = 0; i < tile.inBits(in); ++i) {
      reach[0] |= tile.basis(in, i, Dim::Row);
      reach[1] |= tile.basis(in, i, Dim::Col);
    }
  if (reach[0] >= access.outSize(Dim::Row) || reach[1] >= access.outSize(Dim::Col)) return false;
  uint64_t mask = access.pack(reach);
  for (Dim in : access.inDims()) {
    auto columns = access.columns(in);
    unsigned bits = tile.hasIn(in) ? tile.inBits(in) : 0;
    if (bits > columns.size()) return false;
    for (unsigned i = 0; i < columns.size(); ++i)
      if (i < bits ? columns[i] !=
                         access.pack({tile.basis(in, i, Dim::Row), tile.basis(in, i, Dim::Col)})
                   : (columns[i] & mask) != 0)
        return false;
  }
  return true;
}

// Removes the message's own bits.
LinearLayout withoutTile(const LinearLayout& access, const LinearLayout& tile) {
  LinearLayout rest = access;
  for (Dim in : access.inDims()) {
    f2::ColumnVector columns(access.columns(in));
    unsigned own = tile.hasIn(in) ? tile.inBits(in) : 0;
    for (unsigned i = 0; i < own; ++i)
      columns[i] = 0;
    rest = rest.withColumns(in, columns);
  }
  return rest;
}

// Returns the messages of this shape, as large as registers allow.
std::optional<TmemMessages> withAtom(const LinearLayout& access, TmemAtom atom, bool unpacked,
                                     int maxRegisters) {
  LinearLayout tile = tmemAtomTile(atom, unpacked, /*withWarp=*/true);
  if (!tile.valid()) return std::nullopt;
  // A message may use at most half of the registers, or a quarter if several are needed and all
  // registers may be used.
  int64_t most = maxRegisters / 2;
  if (maxRegisters == 256 && access.inSize(Dim::Register) > most) most /= 2;
  std::optional<Reordered> best;
  LinearLayout message;
  for (; tile.inSize(Dim::Register) <= most; tile.timesIdentity(2, Dim::Register, Dim::Col)) {
    auto reordered = registersOfTileFirst(access, tile);
    if (!reordered || !repeats(reordered->access, tile)) break;
    best = std::move(reordered);
    message = tile;
  }
  if (!best) return std::nullopt;
  TmemMessages found;
  found.atom = atom;
  found.words = static_cast<unsigned>(message.inSize(Dim::Register));
  found.places = withoutTile(best->access, message);
  for (uint64_t word = 0; word < static_cast<uint64_t>(access.inSize(Dim::Register)); ++word) {
    unsigned number = 0;
    for (auto [i, bit] : llvm::enumerate(best->bits))
      number |= static_cast<unsigned>(word >> i & 1) << bit;
    found.order.push_back(number);
  }
  constexpr unsigned upperLanes = 4; // the bit that distinguishes lanes 16 to 31
  if (atom == TmemAtom::I16x32bx2) {
    if (found.places.inBits(Dim::Lane) <= upperLanes) return std::nullopt;
    found.secondHalf = found.places.basis(Dim::Lane, upperLanes);
  }
  found.places = found.places.sublayout({Dim::Register, Dim::Warp}, {Dim::Row, Dim::Col});
  return found;
}

std::optional<TmemMessages> messagesOf(LinearLayout access, int maxRegisters, unsigned bits,
                                       bool unpacked) {
  access = access.removeZeroBases(Dim::Register);
  if (bits < 32) {
    int64_t perCell = 32 / bits;
    auto zeros = [&] { return LinearLayout::zeros1D(1, Dim::Register, Dim::Col, perCell); };
    auto packing = [](std::optional<TmemMessages> messages, int64_t elements) {
      if (messages) messages->perWord *= static_cast<unsigned>(elements);
      return messages;
    };
    IdentityPrefix packed = divideIdentityPrefix(access, Dim::Register, Dim::Col, perCell);
    if (packed.size > 1)
      return packing(
          messagesOf(packed.rest, maxRegisters, bits * static_cast<unsigned>(packed.size), false),
          packed.size);
    auto pairs =
        bits == 16
            ? access.divideLeft(zeros() * LinearLayout::identity1D(2, Dim::Register, Dim::Col))
            : std::nullopt;
    if (pairs) {
      auto messages = messagesOf(zeros() * *pairs, maxRegisters, 32, true);
      if (messages) messages->unpacked = true;
      return packing(std::move(messages), 2);
    }
    // One register per element.
    if (auto rest = access.divideLeft(zeros())) return messagesOf(*rest, maxRegisters, 32, false);
    return std::nullopt;
  }
  using enum TmemAtom;
  for (auto atom : {I32x32b, I16x256b, I16x64b, I16x128b, I16x32bx2})
    if (auto messages = withAtom(access, atom, unpacked, maxRegisters)) return messages;
  return std::nullopt;
}

} // namespace

std::optional<TmemMessages> tmemMessages(const LinearLayout& registers, const LinearLayout& cells,
                                         unsigned bits, int maxRegisters) {
  if (!registers.valid() || !cells.valid() || !cells.hasIn(Dim::Row) || bits > 32 ||
      registers.outs() != cells.outs() || registers.inBits(Dim::Warp) < 2 ||
      cells.inBits(Dim::Row) < 7)
    return std::nullopt;
  auto access = registers.invertAndCompose(cells);
  if (access) access = access->quotient({Dim::Block});
  if (!access) return std::nullopt;
  // Warps 0 to 3 access rows 0, 32, 64, 96 each, even if these are copies.
  if (registers.columns(Dim::Warp)[0] != cells.columns(Dim::Row)[5] ||
      registers.columns(Dim::Warp)[1] != cells.columns(Dim::Row)[6])
    return std::nullopt;
  f2::ColumnVector warps(access->columns(Dim::Warp));
  warps[0] = access->pack({32, 0});
  warps[1] = access->pack({64, 0});
  return messagesOf(access->withColumns(Dim::Warp, warps), maxRegisters, bits, /*unpacked=*/false);
}

} // namespace gluond::layout
