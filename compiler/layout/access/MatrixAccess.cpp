#include "layout/access/MatrixAccess.h"

#include "chips/Chip.h"
#include "chips/MemorySizes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::layout {

namespace {

constexpr unsigned laneBits = 5, rowBytes = 16, wordBytes = 4, mostMatrixBits = 2;

unsigned spread(uint64_t number, llvm::ArrayRef<unsigned> bits) {
  unsigned result = 0;
  for (auto [i, bit] : llvm::enumerate(bits))
    if (number >> i & 1) result |= 1u << bit;
  return result;
}

// The register bit that steps to `offset`.
std::optional<unsigned> registerBitTo(f2::Columns registers, uint64_t offset) {
  auto* found = llvm::find(registers, offset);
  if (found == registers.end()) return std::nullopt;
  return static_cast<unsigned>(found - registers.begin());
}

// Whether nothing else moves the bits of the offset that a register bit moves. The other address is
// then at a constant distance, which an instruction adds without cost.
bool isConstantAway(const LinearLayout& toOffsets, unsigned bit) {
  uint64_t own = toOffsets.columns(Dim::Register)[bit], others = 0;
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    for (auto [i, column] : llvm::enumerate(toOffsets.columns(dim)))
      if (dim != Dim::Register || i != bit) others |= column;
  return !(own & others);
}

// Which of the register bits choose the matrices of an instruction: the first, and of the others
// rather one that would cost the next instruction an address of its own.
llvm::SmallVector<unsigned, 2> matrixBitsOf(const LinearLayout& toOffsets,
                                            llvm::ArrayRef<unsigned> bits) {
  llvm::SmallVector<unsigned, 2> chosen(bits.take_front(mostMatrixBits));
  if (bits.size() <= mostMatrixBits || !isConstantAway(toOffsets, chosen.back())) return chosen;
  for (unsigned bit : bits.drop_front(mostMatrixBits))
    if (!isConstantAway(toOffsets, bit)) {
      chosen.back() = bit;
      break;
    }
  return chosen;
}

std::optional<MatrixAccess> fit(const LinearLayout& toOffsets, unsigned elementBits,
                                bool isTransposed) {
  f2::Columns registers = toOffsets.columns(Dim::Register), lanes = toOffsets.columns(Dim::Lane);
  unsigned perRow = rowBytes * 8 / elementBits, perWord = wordBytes * 8 / elementBits;
  uint64_t withinRow = perRow - 1;
  MatrixAccess access;
  access.isTransposed = isTransposed;
  // Lanes whose bits are within a row, and the steps that they and the word's registers must have.
  llvm::SmallVector<unsigned, 3> inside, outside;
  if (isTransposed) {
    if (elementBits != 16 || registers.empty()) return std::nullopt;
    inside = {2, 3, 4};
    outside = {0, 1};
    access.wordBits = {0};
    if (registers[0] & withinRow) return std::nullopt;
  } else {
    inside = {0, 1};
    outside = {2, 3, 4};
    for (uint64_t step = 1; step < perWord; step *= 2) {
      auto bit = registerBitTo(registers, step);
      if (!bit) return std::nullopt;
      access.wordBits.push_back(*bit);
    }
  }
  uint64_t step = isTransposed ? 1 : perWord;
  for (unsigned lane : inside) {
    if (lanes[lane] != step) return std::nullopt;
    step *= 2;
  }
  for (unsigned lane : outside)
    if (lanes[lane] & withinRow) return std::nullopt;
  for (uint64_t column : toOffsets.columns(Dim::Warp))
    if (column & withinRow) return std::nullopt;
  llvm::SmallVector<unsigned, 8> bits;
  for (unsigned bit = 0; bit < registers.size(); ++bit) {
    if (llvm::is_contained(access.wordBits, bit)) continue;
    if (registers[bit] & withinRow) return std::nullopt;
    bits.push_back(bit);
  }
  access.matrixRegisterBits = matrixBitsOf(toOffsets, bits);
  for (unsigned bit : bits)
    if (!llvm::is_contained(access.matrixRegisterBits, bit)) access.instructionBits.push_back(bit);
  access.matrixBits = static_cast<unsigned>(access.matrixRegisterBits.size());
  if (access.matrixBits == 0) return std::nullopt;

  f2::ColumnVector rowOfLane;
  if (isTransposed) rowOfLane.push_back(registers[access.wordBits[0]]);
  for (unsigned lane : outside)
    rowOfLane.push_back(lanes[lane]);
  for (unsigned bit : access.matrixRegisterBits)
    rowOfLane.push_back(registers[bit]);
  rowOfLane.resize(laneBits, 0); // lanes whose addresses are not used
  f2::ColumnVector instructions;
  for (unsigned bit : access.instructionBits)
    instructions.push_back(registers[bit]);
  access.rows = LinearLayout::zeros1D(1, Dim::Register, Dim::Offset, toOffsets.outSize(Dim::Offset))
                    .sublayout({}, {Dim::Offset})
                    .appendIn(Dim::Register, instructions)
                    .appendIn(Dim::Lane, rowOfLane)
                    .appendIn(Dim::Warp, toOffsets.columns(Dim::Warp));
  if (!access.rows.valid()) return std::nullopt;
  return access;
}

} // namespace

std::string MatrixAccess::name(bool isStore) const {
  return std::string(isStore ? "stmatrix" : "ldmatrix") + ".x" + std::to_string(matrices()) +
         (isTransposed ? ".trans" : "");
}

unsigned MatrixAccess::registerOf(uint64_t instruction, uint64_t matrix, uint64_t position) const {
  return spread(instruction, instructionBits) | spread(matrix, matrixRegisterBits) |
         spread(position, wordBits);
}

std::optional<MatrixAccess> matrixAccess(const LinearLayout& toOffsets, unsigned elementBits,
                                         const Padding& padding) {
  if (elementBits != 8 && elementBits != 16 && elementBits != 32) return std::nullopt;
  if (!padding.keeps(rowBytes * 8 / elementBits)) return std::nullopt;
  if (toOffsets.outDims() != Dims{Dim::Offset} || !toOffsets.hasIn(Dim::Register) ||
      !toOffsets.hasIn(Dim::Lane) || !toOffsets.hasIn(Dim::Warp) ||
      toOffsets.inBits(Dim::Lane) != laneBits)
    return std::nullopt;
  if (auto straight = fit(toOffsets, elementBits, false)) return straight;
  return fit(toOffsets, elementBits, true);
}

int64_t bankConflicts(const MatrixAccess& access, unsigned elementBits) {
  constexpr int64_t rowsOfMatrix = 8, bytesOfBanks = chips::Banks().count * chips::bankBytes;
  llvm::SmallVector<uint64_t, 3> groups; // of banks, that the rows' bits move to
  for (unsigned bit = 0; 1 << bit < rowsOfMatrix; ++bit) {
    int64_t byte = int64_t(access.rows.basis(Dim::Lane, bit, Dim::Offset)) * elementBits / 8;
    groups.push_back(static_cast<uint64_t>(byte % bytesOfBanks / rowBytes));
  }
  return (rowsOfMatrix >> f2::rank(groups)) - 1;
}

} // namespace gluond::layout
