#include "Matrices.h"

#include "TensorMap.h"

#include <bit>
#include <cstring>

namespace ptx {

namespace {
constexpr unsigned tensorCoreModes[] = {0, 9, 3, 9, 2, 9, 1, 9}, wgmmaModes[] = {0, 3, 2, 1};
}

SharedMatrix SharedMatrix::ofWgmma(uint64_t descriptor) {
  SharedMatrix result{(descriptor & 0x3fff) << 4,       (descriptor >> 16 & 0x3fff) << 4,
                      (descriptor >> 32 & 0x3fff) << 4, wgmmaModes[descriptor >> 62],
                      unsigned(descriptor >> 49 & 7),   {}};
  result.words = std::to_string(result.leading) + "/" + std::to_string(result.stride) + "/" +
                 std::to_string(result.mode) + "/" + std::to_string(result.baseOffset);
  return result;
}

SharedMatrix SharedMatrix::ofTensorCore(uint64_t descriptor) {
  SharedMatrix result{(descriptor & 0x3fff) << 4,       (descriptor >> 16 & 0x3fff) << 4,
                      (descriptor >> 32 & 0x3fff) << 4, tensorCoreModes[descriptor >> 61],
                      unsigned(descriptor >> 49 & 7),   {}};
  if ((descriptor >> 46 & 7) != 1) refuse("a descriptor of tcgen05 whose bits 46 to 48 are not 1");
  if (result.mode == 9) refuse("a descriptor of tcgen05 with a swizzle that is not known");
  result.words = std::to_string(result.leading) + "/" + std::to_string(result.stride) + "/" +
                 std::to_string(result.mode) + "/" + std::to_string(result.baseOffset) +
                 (descriptor >> 52 & 1 ? "/absolute" : "");
  return result;
}

// Groups of 8 rows; a row takes what the swizzle spans, or 16 bytes.
uint64_t SharedMatrix::atK(uint64_t row, uint64_t byte) const {
  uint64_t width = 16u << mode;
  uint64_t at = start + row % 8 * width + row / 8 * stride;
  at += mode ? byte : byte / 16 * leading + byte % 16;
  return swizzled(at, mode);
}

uint64_t SharedMatrix::atRow(uint64_t rowByte, uint64_t k) const {
  uint64_t width = 16u << mode;
  uint64_t at = start + rowByte % width + k % 8 * width;
  at += mode ? rowByte / width * leading + k / 8 * stride
             : rowByte / width * stride + k / 8 * leading;
  return swizzled(at, mode);
}

Numbers loadMatrix(Machine& machine, Cta& cta, const SharedMatrix& matrix, unsigned rows,
                   unsigned depth, Format format, bool rowsAreContiguous, bool isPadded) {
  Numbers result(size_t(rows) * depth);
  unsigned bits = bitsOf(format), bytes = (bits + 7) / 8;
  if (bits == 6) refuse("numbers of 6 bits in shared memory");
  uint64_t rank = uint64_t(cta.rank) << ctaShift;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < depth; ++k) {
      uint64_t at;
      unsigned nibble = 0;
      if (bits == 4) {
        // Packed by two; or 16 of them in 8 bytes, 8 free bytes behind.
        if (rowsAreContiguous) refuse("numbers of 4 bits that are not contiguous along K");
        at = matrix.atK(row, isPadded ? k / 16 * 16 + k % 16 / 2 : k / 2);
        nibble = k % 2 * 4;
      } else
        at = rowsAreContiguous ? matrix.atRow(uint64_t(row) * bytes, k)
                               : matrix.atK(row, uint64_t(k) * bytes);
      uint64_t value = 0;
      std::memcpy(&value, machine.shared(cta, rank | (at & 0x3ffff), bytes, "a matrix"), bytes);
      result[size_t(row) * depth + k] = numberOf(format, bits == 4 ? value >> nibble & 0xf : value);
    }
  return result;
}

uint64_t hashOf(const Numbers& numbers, uint64_t hash) {
  for (double number : numbers)
    hash = mixed(hash, std::bit_cast<uint64_t>(number));
  return hash;
}

void multiply(double* c, const double* a, const double* b, unsigned rows, unsigned columns,
              unsigned depth) {
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      double sum = 0;
      for (unsigned k = 0; k < depth; ++k)
        sum += a[size_t(row) * depth + k] * b[size_t(column) * depth + k];
      c[size_t(row) * columns + column] += sum;
    }
}

} // namespace ptx
