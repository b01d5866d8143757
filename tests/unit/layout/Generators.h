// Random layouts for property tests: the same seed gives the same layouts.
#pragma once

#include "layout/named/Layout.h"

#include <random>

namespace gluond::layout::test {

class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}
  int64_t upTo(int64_t most) { return std::uniform_int_distribution<int64_t>(0, most)(random_); }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
  template <typename T> T oneOf(std::initializer_list<T> values) {
    return values.begin()[upTo(static_cast<int64_t>(values.size()) - 1)];
  }

  // `total` bits spread over these dimensions.
  llvm::SmallVector<DimSize, 4> sizes(llvm::ArrayRef<Dim> dims, unsigned total);
  // Any linear map; onto when there are enough input bits and `onto` asks for it.
  LinearLayout map(llvm::ArrayRef<Dim> ins, unsigned inBits, llvm::ArrayRef<DimSize> outs,
                   bool onto);
  LinearLayout invertible(llvm::ArrayRef<Dim> ins, llvm::ArrayRef<DimSize> outs);

  std::vector<int64_t> shape(unsigned rank, unsigned least = 0, unsigned most = 6);
  Ints split(int64_t total, unsigned rank); // powers of two with this product
  Order order(unsigned rank);
  LinearLayout cga(unsigned rank, int64_t ctas);
  Layout blocked(unsigned rank);
  Layout mma(unsigned rank = 2);
  Layout mfma(unsigned rank = 2);
  Layout dotOperand(unsigned rank = 2);
  Layout distributed(unsigned rank); // any of them that has this rank
  Layout swizzled(unsigned rank);

private:
  std::mt19937 random_;
};

} // namespace gluond::layout::test
