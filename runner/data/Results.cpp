#include "runner/data/Results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace gluond::runner {

namespace {

constexpr size_t blockSize = 512; // elements; two blocks of doubles stay in the first cache
using Block = std::array<double, blockSize>;

Json asJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

// JSON has no infinity: a sum or a difference of large numbers may leave the range.
double inRange(double value) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(value, -most, most);
}

// Counts and extremes of blocks of numbers. Each has several lanes, so that the loop vectorizes.
class Statistics {
public:
  Statistics() {
    least_.fill(infinity);
    most_.fill(-infinity);
  }
  void add(const Block& block) {
    for (size_t i = 0; i < blockSize; i += lanes)
      for (size_t lane = 0; lane < lanes; ++lane) {
        double value = block[i + lane];
        bool isFinite = std::fabs(value) < infinity;
        double low = isFinite ? value : infinity, high = isFinite ? value : -infinity;
        least_[lane] = low < least_[lane] ? low : least_[lane];
        most_[lane] = high > most_[lane] ? high : most_[lane];
        nans_[lane] += value != value;
        infinities_[lane] += std::fabs(value) == infinity;
        zeros_[lane] += value == 0;
      }
    for (double value : block) // one after another: the sum does not depend on the lanes
      sum_ += std::fabs(value) < infinity ? value : 0;
  }
  void write(TensorSummary& summary, uint64_t elements, uint64_t padding) const {
    auto total = [](const Counts& counts) {
      uint64_t sum = 0;
      for (uint64_t each : counts)
        sum += each;
      return sum;
    };
    summary.nans = total(nans_) - padding;
    summary.infinities = total(infinities_);
    summary.zeros = total(zeros_);
    uint64_t finite = elements - summary.nans - summary.infinities;
    if (finite == 0) return;
    summary.least = *std::min_element(least_.begin(), least_.end());
    summary.most = *std::max_element(most_.begin(), most_.end());
    summary.mean = inRange(sum_ / static_cast<double>(finite));
  }

private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr size_t lanes = 8;
  using Counts = std::array<uint64_t, lanes>;
  std::array<double, lanes> least_, most_;
  Counts nans_{}, infinities_{}, zeros_{};
  double sum_ = 0;
};

} // namespace

TensorSummary summarize(const TensorShape& shape, std::string_view elements) {
  TensorSummary summary;
  summary.dtype = shape.dtype->name;
  summary.shape = shape.shape;
  Statistics statistics;
  Block block;
  uint64_t padding = 0; // NaNs after the last element
  for (uint64_t begin = 0; begin < shape.elements; begin += blockSize) {
    size_t count = std::min<uint64_t>(blockSize, shape.elements - begin);
    readElements(*shape.dtype, elements.data() + begin * shape.dtype->bytes, count, block.data());
    for (size_t i = 0; begin == 0 && i < std::min<size_t>(count, 8); ++i)
      summary.first.push_back(asJson(block[i]));
    padding = blockSize - count;
    std::fill(block.begin() + count, block.end(), std::nan(""));
    statistics.add(block);
  }
  statistics.write(summary, shape.elements, padding);
  return summary;
}

TensorSummary summarizeStorage(const TensorShape& shape, std::string_view storage) {
  return shape.isDense ? summarize(shape, storage) : summarize(shape, gather(shape, storage));
}

namespace {

class Comparison {
public:
  Comparison(const Dtype& dtype, const std::vector<int64_t>& shape, CompareResult& outcome)
      : shape_(shape), outcome_(outcome),
        isLong_(dtype.kind != Dtype::Kind::Float && dtype.bytes == 8) {}
  // Two elements whose bytes differ.
  void add(uint64_t position, double x, double y) {
    bool isFinite = std::isfinite(x) && std::isfinite(y);
    double difference = isFinite ? inRange(std::fabs(x - y)) : 0;
    if (isLong_ && difference == 0) difference = 1; // beyond 2^53
    bool fits = isFinite ? difference <= outcome_.absolute + outcome_.relative * std::fabs(y)
                         : x == y || (std::isnan(x) && std::isnan(y));
    outcome_.mostAbsolute = std::max(outcome_.mostAbsolute, difference);
    if (isFinite && y != 0)
      outcome_.mostRelative = std::max(outcome_.mostRelative, inRange(difference / std::fabs(y)));
    if (fits) return;
    outcome_.notFinite += !isFinite;
    if (outcome_.differing++ > 0) return;
    Difference first;
    first.index.resize(shape_.size());
    for (size_t d = shape_.size(); d-- > 0;) {
      first.index[d] = static_cast<int64_t>(position % static_cast<uint64_t>(shape_[d]));
      position /= static_cast<uint64_t>(shape_[d]);
    }
    first.result = asJson(x);
    first.reference = asJson(y);
    outcome_.first = std::move(first);
  }

private:
  const std::vector<int64_t>& shape_;
  CompareResult& outcome_;
  bool isLong_;
};

} // namespace

CompareResult compare(const Dtype& dtype, const std::vector<int64_t>& shape,
                      std::string_view result, std::string_view reference, double relative,
                      double absolute) {
  CompareResult outcome;
  outcome.relative = relative;
  outcome.absolute = absolute;
  outcome.elements = result.size() / dtype.bytes;
  Comparison comparison(dtype, shape, outcome);
  Block x, y;
  for (uint64_t begin = 0; begin < outcome.elements; begin += blockSize) {
    size_t count = std::min<uint64_t>(blockSize, outcome.elements - begin);
    const char *a = result.data() + begin * dtype.bytes,
               *b = reference.data() + begin * dtype.bytes;
    if (std::memcmp(a, b, count * dtype.bytes) == 0) continue;
    readElements(dtype, a, count, x.data());
    readElements(dtype, b, count, y.data());
    for (size_t i = 0; i < count; ++i)
      if (std::memcmp(a + i * dtype.bytes, b + i * dtype.bytes, dtype.bytes) != 0)
        comparison.add(begin + i, x[i], y[i]);
  }
  outcome.isEqual = outcome.differing == 0;
  return outcome;
}

} // namespace gluond::runner
