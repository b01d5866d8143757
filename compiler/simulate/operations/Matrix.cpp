#include "simulate/operations/Matrix.h"

#include "simulate/values/Formats.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace gluond::simulate {

namespace {

// Columns of b that are worked on together: their sums stay in registers.
constexpr size_t columns = 16, rows = 4;

// The functions below are compiled for several processors each, and have the processor in their
// names.
#define GLUOND_INTO_CALLER [[gnu::always_inline]] inline

// One panel: `rows` rows of a, `columns` of b, which lie one step of k after the other.
template <size_t count, typename T>
GLUOND_INTO_CALLER void panel(size_t k, const T* const* a, const T* b, T (*sums)[columns]) {
  for (size_t i = 0; i < k; ++i, b += columns)
    for (size_t r = 0; r < count; ++r) {
      T factor = a[r][i];
      for (size_t j = 0; j < columns; ++j)
        sums[r][j] += factor * b[j];
    }
}

template <typename T>
GLUOND_INTO_CALLER void multiplyHere(size_t m, size_t n, size_t k, const T* a, const T* b, T* c) {
  std::vector<T> packed(k * columns);
  for (size_t first = 0; first < n; first += columns) {
    size_t width = std::min(columns, n - first);
    for (size_t i = 0; i < k; ++i)
      for (size_t j = 0; j < columns; ++j)
        packed[i * columns + j] = j < width ? b[i * n + first + j] : T(0);
    for (size_t row = 0; row < m; row += rows) {
      size_t height = std::min(rows, m - row);
      T sums[rows][columns];
      const T* from[rows];
      for (size_t r = 0; r < rows; ++r) {
        size_t at = row + std::min(r, height - 1);
        from[r] = a + at * k;
        for (size_t j = 0; j < columns; ++j)
          sums[r][j] = j < width ? c[at * n + first + j] : T(0);
      }
      panel<rows>(k, from, packed.data(), sums);
      for (size_t r = 0; r < height; ++r)
        std::copy_n(sums[r], width, c + (row + r) * n + first);
    }
  }
}

#undef GLUOND_INTO_CALLER

#if defined(__x86_64__)
// Twice as many elements at a time, the same results: AVX2 does not fuse products and sums.
template <typename T>
[[gnu::target("avx2")]] void multiplyWide(size_t m, size_t n, size_t k, const T* a, const T* b,
                                          T* c) {
  multiplyHere(m, n, k, a, b, c);
}
#endif

template <typename T> void multiplyOne(size_t m, size_t n, size_t k, const T* a, const T* b, T* c) {
#if defined(__x86_64__)
  static const bool isWide = __builtin_cpu_supports("avx2");
  if (isWide) return multiplyWide(m, n, k, a, b, c);
#endif
  multiplyHere(m, n, k, a, b, c);
}

template <typename T> std::vector<T> numbersOf(const Tensor& tensor, Precision precision) {
  std::vector<T> numbers(tensor.count());
  visitElement(tensor.element(), [&](auto is) {
    using F = typename decltype(is)::Format;
    using Number = typename F::Number;
    const auto* from = tensor.as<typename F::Stored>();
    for (size_t i = 0; i < numbers.size(); ++i) {
      Number number = F::load(from[i]);
      if constexpr (std::is_integral_v<Number> && std::is_integral_v<T> &&
                    decltype(is)::value != Element::I1)
        numbers[i] = precision == Precision::Unsigned
                         ? static_cast<T>(number)
                         : static_cast<T>(static_cast<std::make_signed_t<Number>>(number));
      else
        numbers[i] = static_cast<T>(number);
    }
  });
  if constexpr (std::is_same_v<T, float>)
    if (precision == Precision::Tf32 && tensor.element() == Element::F32)
      for (float& number : numbers)
        number = toTf32(number);
  return numbers;
}

template <typename T>
void multiplyAs(const MatrixShape& s, const Tensor& a, const Tensor& b, const Tensor* c, Tensor& d,
                Precision precision) {
  std::vector<T> left = numbersOf<T>(a, precision), right = numbersOf<T>(b, precision), sums;
  if (c)
    sums = numbersOf<T>(*c, Precision::Ieee);
  else
    sums.assign(d.count(), T(0));
  for (size_t i = 0; i < s.batch; ++i)
    multiplyOne(s.m, s.n, s.k, left.data() + i * s.m * s.k, right.data() + i * s.k * s.n,
                sums.data() + i * s.m * s.n);
  visitElement(d.element(), [&](auto is) {
    using F = typename decltype(is)::Format;
    auto* to = d.as<typename F::Stored>();
    for (size_t i = 0; i < sums.size(); ++i)
      to[i] = F::store(static_cast<typename F::Number>(sums[i]));
  });
}

} // namespace

TensorRef multiply(const Tensor& a, const Tensor& b, const Tensor* c, Element result,
                   Precision precision) {
  size_t rank = a.shape().size();
  if (rank < 2 || b.shape().size() != rank) return nullptr;
  MatrixShape shape;
  Shape resultShape;
  for (size_t d = 0; d + 2 < rank; ++d) {
    shape.batch *= static_cast<size_t>(a.shape()[d]);
    resultShape.push_back(a.shape()[d]);
  }
  shape.m = static_cast<size_t>(a.shape()[rank - 2]);
  shape.k = static_cast<size_t>(a.shape()[rank - 1]);
  shape.n = static_cast<size_t>(b.shape()[rank - 1]);
  if (static_cast<size_t>(b.shape()[rank - 2]) != shape.k) return nullptr;
  resultShape.push_back(static_cast<int64_t>(shape.m));
  resultShape.push_back(static_cast<int64_t>(shape.n));
  auto d = std::make_shared<Tensor>(result, resultShape);
  if (result == Element::F64)
    multiplyAs<double>(shape, a, b, c, *d, precision);
  else if (isFloat(result))
    multiplyAs<float>(shape, a, b, c, *d, precision);
  else if (result == Element::I32)
    multiplyAs<uint32_t>(shape, a, b, c, *d, precision);
  else
    return nullptr;
  return d;
}

} // namespace gluond::simulate
