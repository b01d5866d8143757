#include "runner/data/TensorData.h"

#include "runner/data/Npy.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

namespace gluond::runner {

namespace {

// More than any GPU has.
constexpr uint64_t mostBytes = uint64_t{1} << 40;

// Calls visit(storage offset, number) for every element in row-major order.
template <typename Visit> void forEachElement(const TensorShape& shape, Visit visit) {
  std::vector<int64_t> index(shape.shape.size(), 0);
  uint64_t offset = 0;
  for (uint64_t number = 0; number < shape.elements; ++number) {
    visit(offset, number);
    for (size_t d = index.size(); d-- > 0;) {
      offset += static_cast<uint64_t>(shape.strides[d]);
      if (++index[d] < shape.shape[d]) break;
      offset -= static_cast<uint64_t>(shape.strides[d] * shape.shape[d]);
      index[d] = 0;
    }
  }
}

// A pseudo-random number for each (seed, element), independent of its neighbours (splitmix64).
uint64_t scramble(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// The sum of four uniform numbers, made to mean 0 and deviation 1: bell-shaped, and a fraction of
// the work that an exact normal distribution takes.
double bell(uint64_t bits) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += static_cast<double>(bits >> (16 * i) & 0xffff);
  return (sum / 65535.0 - 2.0) * 1.7320508075688772;
}

// Splits [0, count) among threads if that is faster.
template <typename Work> void inParallel(uint64_t count, Work work) {
  uint64_t threads =
      std::clamp<uint64_t>(count >> 20, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> pool;
  uint64_t each = (count + threads - 1) / threads;
  for (uint64_t i = 1; i < threads; ++i)
    pool.emplace_back(
        [=, &work] { work(std::min(count, i * each), std::min(count, (i + 1) * each)); });
  work(0, std::min(count, each));
  for (std::thread& thread : pool)
    thread.join();
}

void writeNumber(const Dtype& dtype, double value, char* to) {
  if (dtype.kind == Dtype::Kind::Float)
    writeElement(dtype, value, to);
  else
    writeElement(dtype, std::floor(value), to);
}

} // namespace

tl::expected<TensorShape, std::string> shapeOf(const Tensor& tensor) {
  TensorShape result;
  result.dtype = findDtype(tensor.dtype);
  if (!result.dtype)
    return tl::unexpected<std::string>("unknown element type '" + tensor.dtype + "'");
  if (tensor.shape.size() != tensor.strides.size())
    return tl::unexpected<std::string>("shape and strides have different lengths");
  result.shape = tensor.shape;
  result.strides = tensor.strides;
  result.elements = 1;
  uint64_t last = 0, dense = 1;
  bool isDense = true, overflows = false;
  for (size_t d = tensor.shape.size(); d-- > 0;) {
    int64_t extent = tensor.shape[d], stride = tensor.strides[d];
    if (extent < 0) return tl::unexpected<std::string>("an extent is negative");
    if (stride < 0) return tl::unexpected<std::string>("a stride is negative");
    if (extent != 1 && static_cast<uint64_t>(stride) != dense) isDense = false;
    uint64_t reach = 0;
    overflows |=
        __builtin_mul_overflow(result.elements, static_cast<uint64_t>(extent), &result.elements);
    overflows |=
        __builtin_mul_overflow(dense, static_cast<uint64_t>(std::max<int64_t>(extent, 1)), &dense);
    overflows |= extent > 0 && __builtin_mul_overflow(static_cast<uint64_t>(extent - 1),
                                                      static_cast<uint64_t>(stride), &reach);
    overflows |= __builtin_add_overflow(last, reach, &last);
  }
  result.storage = result.elements ? last + 1 : 0;
  result.isDense = isDense;
  if (overflows || result.storage > mostBytes / result.dtype->bytes ||
      tensor.offset > mostBytes / result.dtype->bytes || result.elements > mostBytes)
    return tl::unexpected<std::string>("the tensor is larger than any GPU's memory");
  return result;
}

tl::expected<std::string, std::string> fill(const TensorShape& shape, const Fill& how,
                                            std::string_view binary) {
  const Dtype& dtype = *shape.dtype;
  std::string storage(shape.storage * dtype.bytes, '\0');
  auto place = [&](std::string_view elements) {
    if (shape.isDense) {
      storage.assign(elements);
      return;
    }
    forEachElement(shape, [&](uint64_t offset, uint64_t number) {
      std::memcpy(storage.data() + offset * dtype.bytes, elements.data() + number * dtype.bytes,
                  dtype.bytes);
    });
  };
  if (how.kind == "data") {
    if (!how.data || how.data->offset > binary.size() ||
        how.data->size > binary.size() - how.data->offset)
      return tl::unexpected<std::string>("the data of a tensor is not in the message");
    auto file = readNpy(binary.substr(how.data->offset, how.data->size));
    if (!file) return tl::unexpected(file.error());
    auto elements = elementsOf(*file, dtype, &shape.shape);
    if (!elements) return tl::unexpected(elements.error());
    place(*elements);
  } else if (how.kind == "iota") {
    std::string elements(shape.elements * dtype.bytes, '\0');
    inParallel(shape.elements, [&](uint64_t from, uint64_t to) {
      for (uint64_t i = from; i < to; ++i)
        writeElement(dtype, static_cast<double>(i), elements.data() + i * dtype.bytes);
    });
    place(elements);
  } else if (how.kind == "constant") {
    char element[8] = {};
    writeElement(dtype, how.low, element);
    for (uint64_t i = 0; how.low != 0 && i < shape.storage; ++i)
      std::memcpy(storage.data() + i * dtype.bytes, element, dtype.bytes);
  } else if (how.kind == "normal" || how.kind == "uniform") {
    bool isNormal = how.kind == "normal";
    uint64_t seed = scramble(how.seed ^ 0x676c756f6e64);
    double low = how.low, range = how.high - how.low, scale = how.high;
    inParallel(shape.storage, [&](uint64_t from, uint64_t to) {
      for (uint64_t i = from; i < to; ++i) {
        uint64_t bits = scramble(seed + i);
        double value = isNormal ? low + scale * bell(bits)
                                : low + range * (static_cast<double>(bits >> 11) * 0x1p-53);
        writeNumber(dtype, value, storage.data() + i * dtype.bytes);
      }
    });
  } else {
    return tl::unexpected<std::string>("unknown fill '" + how.kind + "'");
  }
  return storage;
}

std::string gather(const TensorShape& shape, std::string_view storage) {
  unsigned bytes = shape.dtype->bytes;
  if (shape.isDense) return std::string(storage.substr(0, shape.elements * bytes));
  std::string elements(shape.elements * bytes, '\0');
  forEachElement(shape, [&](uint64_t offset, uint64_t number) {
    std::memcpy(elements.data() + number * bytes, storage.data() + offset * bytes, bytes);
  });
  return elements;
}

} // namespace gluond::runner
