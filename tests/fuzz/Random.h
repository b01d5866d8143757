// Random numbers that are the same everywhere, unlike the standard library's distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace gluond::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  size_t below(size_t count) { return count ? engine_() % count : 0; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename List> const auto& of(const List& list) { return list[below(std::size(list))]; }

private:
  std::mt19937_64 engine_;
};

} // namespace gluond::fuzz
