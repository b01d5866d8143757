// Matrices as the tensor cores read them: from shared memory by descriptors.
#pragma once

#include "Machine.h"
#include "Numbers.h"

#include <string>
#include <vector>

namespace ptx {

// A descriptor of a matrix in shared memory, of wgmma or of tcgen05.
struct SharedMatrix {
  uint64_t start, leading, stride; // bytes
  unsigned mode;                   // of the swizzle, as TensorMap.h has them
  unsigned baseOffset;
  std::string words; // without the address

  static SharedMatrix ofWgmma(uint64_t descriptor);
  static SharedMatrix ofTensorCore(uint64_t descriptor);
  // The address of an element's byte. `row` along M or N; the byte along K where K is contiguous,
  // else `byte` counts along the rows and `k` is an index.
  uint64_t atK(uint64_t row, uint64_t byte) const;
  uint64_t atRow(uint64_t rowByte, uint64_t k) const;
};

using Numbers = std::vector<double>; // row-major

// `rows` x `depth` numbers of A or of B's transpose.
Numbers loadMatrix(Machine& machine, Cta& cta, const SharedMatrix& matrix, unsigned rows,
                   unsigned depth, Format format, bool rowsAreContiguous, bool isPadded = false);

uint64_t hashOf(const Numbers& numbers, uint64_t hash);

// c[rows x columns] = c + a[rows x depth] b[columns x depth]'
void multiply(double* c, const double* a, const double* b, unsigned rows, unsigned columns,
              unsigned depth);

} // namespace ptx
